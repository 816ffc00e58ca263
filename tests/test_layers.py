"""The import arrows between the rooms of the package, and which room may meet which library.

Read from the syntax tree of every file, so an import counts wherever it stands: at the top, in a function, under
``if TYPE_CHECKING``. A room is a folder or a file of ``firesim/``; inside its own room a file imports what it likes.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from firesim.jit import sources

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "firesim"

# A system of rules, such as firesim/rules/town, is the room "rules.town"; "rules.*" stands for each of them. No entry
# lets one system see another: only rules.coupling sees two. "rules" is the folder's own, empty __init__.py, and
# "firesim" the package's own __init__.py, which hands out the public names.
ARROWS: dict[str, set[str]] = {
    "jit": set(),
    "core": set(),
    "dice": {"jit", "core"},
    "events": {"jit", "core"},
    "grid": {"jit", "core"},
    "rules": set(),
    "rules.base": {"core", "dice", "events"},
    # rules.kernels: where a system registers its kernel, and the loops of play find it.
    # rules.base: the places in a state that every system's kernel shares.
    "rules.kernels": {"jit", "rules.base"},
    # rules.sheet: what a system says of itself, read from its files and declarations; systems are found through base.
    "rules.sheet": {"rules.base", "core"},
    "rules.*": {"rules.base", "rules.kernels", "core", "grid", "dice", "events", "jit"},
    "rules.coupling": {"rules.*"},
    "mapfiles": {"core"},
    # jit: its loops over steps are compiled, and pick the system by the type of its params (an overload).
    "play": {
        "rules",
        "rules.base",
        "rules.kernels",
        "rules.*",
        "rules.coupling",
        "grid",
        "dice",
        "events",
        "core",
        "jit",
    },
    # rules.base: what a study burns is a Prepared.
    # mapfiles: a study file is TOML, its problems stand at line and column, and what varies may be a whole map file.
    "studies": {"play", "dice", "core", "rules.base", "mapfiles"},
    # jit: the walker over batches of states is compiled; in plain Python it took 170 times as long.
    # rules.base, rules.kernels: the walker plays the acts of whatever system a Prepared is of; events: told kernels
    # want a log.
    "exact": {"play", "dice", "core", "jit", "events", "rules.base", "rules.kernels"},
    # grid: a picture of hexes needs their centres.
    "render": {"core", "events", "rules.base", "grid"},
    # A game at the table: it plays a fire step by step (play, dice), checks what people add to the scenario by the
    # system's own check (rules.base), tells who lit whom (events), and reads and writes its saves (mapfiles; firesim:
    # the version in them).
    "table": {"play", "rules.base", "events", "core", "dice", "mapfiles", "firesim"},
    # The public functions and the files a run leaves: between the rooms and the command line.
    # firesim: its version stands in a study folder.
    "api": {"firesim", "core", "mapfiles", "rules.base", "events", "play", "studies", "exact", "dice", "table", "runs"},
    # What a run leaves; `run` makes it, what writes files and pictures reads it.
    "runs": {"play", "core", "events", "rules.base"},
    "outputs": {"firesim", "api", "runs", "core", "events", "rules.base", "render", "studies", "play", "table"},
    "__main__": {"cli"},
}
MAY_IMPORT_EVERY_ROOM = {"cli", "firesim"}  # cli still not by the package's own __init__.py: nothing -> cli

# Beyond the standard library. What is missing here belongs to one room alone: numba to jit (with numba.extending, which
# jit hands on), matplotlib and Pillow to render, shapely to mapfiles, typer and rich to the command line.
LIBRARIES: dict[str, set[str]] = {
    "firesim": set(),
    "__main__": set(),
    "cli": {"typer", "rich", "numpy"},
    "jit": {"numba", "llvmlite", "numpy"},
    "core": {"numpy", "pydantic"},
    "dice": {"numpy"},
    "events": {"numpy"},
    "grid": {"numpy"},
    "rules": set(),
    "rules.base": {"numpy", "pydantic"},
    "rules.kernels": {"numpy"},
    "rules.sheet": set(),
    "table": {"numpy", "pydantic"},
    "api": {"numpy"},
    "runs": {"numpy"},
    "outputs": {"numpy"},  # the pictures of a study are drawn from arrays
    "rules.*": {"numpy", "pydantic", "scipy"},
    "rules.coupling": {"numpy"},
    "mapfiles": {"numpy", "pydantic", "shapely"},
    "play": {"numpy", "xarray"},
    "studies": {"numpy", "scipy", "pandas", "xarray", "pyarrow", "dask", "distributed", "mpi4py"},
    "exact": {"numpy", "scipy"},
    "render": {"numpy", "matplotlib", "PIL", "imageio_ffmpeg"},
}


def modules_of(package: Path) -> dict[str, Path]:
    """Dotted name of every module under ``package``, which itself is ``firesim``."""
    found = {}
    for path in sorted(package.rglob("*.py")):
        parts = ["firesim", *path.relative_to(package).with_suffix("").parts]
        if parts[-1] == "__init__":
            parts.pop()
        found[".".join(parts)] = path
    return found


def room_of(module: str) -> str:
    """The room in which a module of ours lies: ``firesim.rules.town.kernel`` lies in ``rules.town``."""
    parts = module.split(".")[1:]
    if not parts:
        return "firesim"
    if parts[0] == "rules":
        return ".".join(parts[:2])
    if parts[0] == "cli" or parts[0].startswith("cli_"):
        return "cli"
    if parts[0].startswith("outputs_"):
        return "outputs"
    return parts[0]


def kind_of(room: str) -> str:
    """The row of the tables that speaks for a room: any system's is ``rules.*``."""
    return "rules.*" if room.startswith("rules.") and room not in ARROWS else room


def imports_of(path: Path, module: str, known: set[str]) -> Iterator[tuple[int, str]]:
    """Line and absolute dotted target of each import in a file, also of ``import_module("...")``."""
    here = module.split(".") if path.name == "__init__.py" else module.split(".")[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), filename=str(path))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                outer = here[: len(here) - node.level + 1]
                base = ".".join([*outer, base] if base else outer)
            for alias in node.names:
                inner = f"{base}.{alias.name}"
                yield node.lineno, inner if inner in known else base
        elif isinstance(node, ast.Call) and node.args:
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            first = node.args[0]
            if name in {"import_module", "__import__"} and isinstance(first, ast.Constant):
                if not str(first.value).startswith("."):
                    yield node.lineno, str(first.value)


def may_import(source: str, target: str) -> bool:
    """Whether the tables draw an arrow from one room to another."""
    if target == source:
        return True
    if target == "cli":
        return source == "__main__"
    return source in MAY_IMPORT_EVERY_ROOM or kind_of(target) in ARROWS[kind_of(source)]


def violations(package: Path) -> list[str]:
    """Every forbidden import under ``package``, as ``file:line: room -> target``."""
    modules = modules_of(package)
    # folders without an __init__.py are importable too
    known = set(modules) | {name.rpartition(".")[0] for name in modules if "." in name}
    wrong = []
    for module, path in modules.items():
        file = path.relative_to(package.parent).as_posix()
        room = room_of(module)
        loose = path.parent == package / "rules" and room not in ARROWS  # a system is a folder
        if loose or kind_of(room) not in LIBRARIES:
            wrong.append(f"{file}:1: no such room: {room}")
            continue
        for line, target in imports_of(path, module, known):
            top = target.partition(".")[0]
            if top == "firesim":
                target_room = room_of(target)
                if kind_of(target_room) not in LIBRARIES:
                    wrong.append(f"{file}:{line}: {room} -> no such room: {target_room}")
                elif not may_import(room, target_room):
                    wrong.append(f"{file}:{line}: {room} -> {target_room}")
            elif top not in sys.stdlib_module_names and top not in LIBRARIES[kind_of(room)]:
                wrong.append(f"{file}:{line}: {room} -> library {top}")
    return wrong


def holds_only_a_docstring(path: Path) -> bool:
    """Whether a file is empty, or one string."""
    body = ast.parse(path.read_text(encoding="utf-8")).body
    return not body or (
        len(body) == 1
        and isinstance(body[0], ast.Expr)
        and isinstance(body[0].value, ast.Constant)
        and isinstance(body[0].value.value, str)
    )


def test_every_import_of_the_package_follows_an_arrow():
    assert "firesim.__main__" in modules_of(PACKAGE), "the package was not found: nothing was checked"
    assert violations(PACKAGE) == []


def test_nothing_compiled_sees_a_source_that_the_cache_does_not_look_at():
    compiled = {room for room, seen in ARROWS.items() if "jit" in seen} | {"jit"}
    seen = compiled | {room for each in compiled for room in ARROWS[each]}
    tops = {"rules" if room.startswith("rules.") else room for room in seen}
    files = [path for path in sources() if path.relative_to(PACKAGE).parts[0].removesuffix(".py") in tops]
    assert files == sources()
    left = {path for top in tops for path in [*PACKAGE.glob(f"{top}.py"), *(PACKAGE / top).rglob("*.py")]}
    assert left == set(files)


def test_the_rules_folder_itself_holds_no_code():
    assert holds_only_a_docstring(PACKAGE / "rules" / "__init__.py")


# --- the checker, on a made-up package -------------------------------------------------------------------------------


def made_up(folder: Path, files: dict[str, str]) -> Path:
    """A package ``firesim`` under ``folder``, with empty ``__init__.py`` files added."""
    package = folder / "firesim"
    for name, text in files.items():
        path = package / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        for parent in path.parents:
            if parent == folder:
                break
            (parent / "__init__.py").touch()
    return package


SOUND = {
    "__init__.py": "def load():\n    from firesim.play import run\n    from firesim.render import draw\n",
    "__main__.py": "from firesim.cli import main\n",
    "cli.py": "import typer\nimport firesim\nfrom firesim import cli_play, render\n",
    "cli_play.py": "import rich.progress\nfrom firesim.cli_words import words\n",
    "cli_words.py": "",
    "jit.py": "import numba\nfrom numba.extending import overload\nimport numpy as np\n",
    "core/fields.py": "from __future__ import annotations\nimport numpy as np\nfrom pydantic import BaseModel\n",
    "core/maps.py": "from . import fields\nfrom .fields import Field\n",
    "dice/keyed.py": "from firesim.jit import jit\nfrom ..core import problems\n",
    "events/log.py": "from firesim.core.fields import Field\n",
    "grid/links.py": "import numpy.typing\nfrom firesim.jit import jit\n",
    "rules/base.py": "from typing import Protocol\nfrom firesim import core, dice\n",
    "rules/town/system.py": "from firesim.rules import base\nfrom . import kernel\nfrom .kernel import burn\n",
    "rules/town/kernel.py": "from firesim.grid.links import Links\nfrom firesim.jit import jit\n",
    "rules/ship/system.py": "from firesim.rules.base import RuleSystem\n",
    "rules/coupling/blast_town.py": "from firesim.rules.town import kernel\nfrom firesim.rules import ship\n",
    "mapfiles/uvtt.py": "import shapely\nfrom firesim.core.maps import Map\n",
    "play.py": "from firesim.rules.town import system\nfrom firesim.rules.coupling import blast_town\n",
    "studies/store.py": "import sqlite3\nimport scipy.stats\nfrom firesim import play\n",
    "exact/chain.py": "import scipy.sparse\nfrom firesim.play import act\n",
    "render/charts.py": "import matplotlib.pyplot\nfrom PIL import Image\nfrom firesim.events import log\n",
}


def test_the_checker_passes_a_sound_package(tmp_path):
    assert violations(made_up(tmp_path, SOUND)) == []


@pytest.mark.parametrize(
    ("file", "text", "expected"),
    [
        ("rules/town/new.py", "from firesim.rules.ship import system", "1: rules.town -> rules.ship"),
        ("rules/town/new.py", "from firesim.rules import ship", "1: rules.town -> rules.ship"),
        ("rules/town/new.py", "import firesim.rules.ship.system as other", "1: rules.town -> rules.ship"),
        ("rules/town/new.py", "from ..ship import system", "1: rules.town -> rules.ship"),
        ("rules/town/new.py", "from .. import ship", "1: rules.town -> rules.ship"),
        ("rules/town/__init__.py", "from ..ship import system", "1: rules.town -> rules.ship"),
        ("rules/town/new.py", "def f():\n    from ..ship.system import x", "2: rules.town -> rules.ship"),
        ("rules/town/new.py", "if TYPE_CHECKING:\n    from firesim import play", "2: rules.town -> play"),
        ("rules/town/new.py", "from firesim.rules.coupling import blast_town", "1: rules.town -> rules.coupling"),
        ("rules/town/new.py", "importlib.import_module('firesim.rules.ship')", "1: rules.town -> rules.ship"),
        ("rules/town/new.py", "import numba", "1: rules.town -> library numba"),
        ("rules/coupling/new.py", "from firesim.play import run", "1: rules.coupling -> play"),
        ("rules/base.py", "from firesim.rules.town import system", "1: rules.base -> rules.town"),
        ("jit.py", "from firesim import core", "1: jit -> core"),
        ("core/new.py", "from firesim import jit", "1: core -> jit"),
        ("core/new.py", "from firesim import load", "1: core -> firesim"),
        ("core/new.py", "import scipy", "1: core -> library scipy"),
        ("dice/new.py", "from firesim.events.log import note", "1: dice -> events"),
        ("dice/new.py", "from numba.extending import overload", "1: dice -> library numba"),
        ("events/new.py", "import pydantic", "1: events -> library pydantic"),
        ("grid/new.py", "from firesim import dice", "1: grid -> dice"),
        ("mapfiles/new.py", "from firesim.rules import base", "1: mapfiles -> rules.base"),
        ("mapfiles/new.py", "from PIL import Image", "1: mapfiles -> library PIL"),
        ("play.py", "from firesim import studies", "1: play -> studies"),
        ("play.py", "import rich", "1: play -> library rich"),
        ("studies/new.py", "from firesim.exact import chain", "1: studies -> exact"),
        ("studies/new.py", "import matplotlib", "1: studies -> library matplotlib"),
        ("exact/new.py", "from firesim.rules import town", "1: exact -> rules.town"),
        ("render/new.py", "from firesim.play import run", "1: render -> play"),
        ("render/new.py", "import shapely", "1: render -> library shapely"),
        ("render/new.py", "from firesim.cli import main", "1: render -> cli"),
        ("__init__.py", "from firesim import cli", "1: firesim -> cli"),
        ("__main__.py", "from firesim import play", "1: __main__ -> play"),
        ("cli.py", "import click_extra", "1: cli -> library click_extra"),
        ("utils.py", "", "1: no such room: utils"),
        ("rules/helpers.py", "", "1: no such room: rules.helpers"),
        ("core/new.py", "from firesim.utils import x", "1: core -> no such room: utils"),
    ],
)
def test_the_checker_finds_each_forbidden_import(tmp_path, file, text, expected):
    assert violations(made_up(tmp_path, SOUND | {file: text})) == [f"firesim/{file}:{expected}"]


@pytest.mark.parametrize(
    ("text", "sound"), [("", True), ('"""Words."""\n', True), ("import os\n", False), ('"""Words."""\nX = 1\n', False)]
)
def test_the_checker_tells_a_docstring_from_code(tmp_path, text, sound):
    (tmp_path / "__init__.py").write_text(text, encoding="utf-8")
    assert holds_only_a_docstring(tmp_path / "__init__.py") is sound
