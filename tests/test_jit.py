"""The folder of compiled code: another one for every change that matters, and one that can always be written to."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import firesim
from firesim import jit

PACKAGE = Path(firesim.__file__).resolve().parent
FOLDER = "from firesim.jit import folder; print(folder())"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A folder with a copy of the package's sources, nothing compiled."""
    shutil.copytree(PACKAGE, tmp_path / "copy" / "firesim", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "copy"


def python(where: Path, script: str, **environment: str) -> str:
    """What a fresh interpreter prints that finds the package in `where`."""
    away = {"HOME": str(where.parent / "home"), "TMPDIR": str(where.parent), "PYTHONPATH": str(where)}
    kept = {
        k: v for k, v in os.environ.items() if not k.startswith(("NUMBA", "XDG")) and k != "PYTHONDONTWRITEBYTECODE"
    }
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=kept | away | environment,
        cwd=where.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture(scope="module")
def name(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The name of the folder that these sources have, wherever they lie."""
    room = tmp_path_factory.mktemp("sources") / "copy"
    shutil.copytree(PACKAGE, room / "firesim", ignore=shutil.ignore_patterns("__pycache__"))
    return Path(python(room, FOLDER)).name


def name_in(copy: Path, **environment: str) -> str:
    """The name of the folder that a copy's sources have now."""
    return Path(python(copy, FOLDER, **environment)).name


def test_the_folder_lies_in_the_package_and_stays_the_same(copy: Path) -> None:
    first = Path(python(copy, FOLDER))
    assert first.parent == copy / "firesim" / "__pycache__"
    assert first.is_dir()
    assert Path(python(copy, FOLDER)) == first


@pytest.mark.parametrize("file", ["jit.py", "dice/philox.py", "rules/town/state.py"])
def test_any_changed_source_has_a_folder_of_its_own(copy: Path, name: str, file: str) -> None:
    source = copy / "firesim" / file
    kept = source.stat()
    text = source.read_text("utf-8")
    source.write_text(text.replace("a", "b", 1) if file != "jit.py" else text + "\n", "utf-8")
    os.utime(source, (kept.st_atime, kept.st_mtime))  # the content counts, not its date
    assert name_in(copy) != name
    source.write_text(text, "utf-8")
    assert name_in(copy) == name


def test_sources_that_nothing_compiled_sees_keep_the_folder(copy: Path, name: str) -> None:
    for file in ("cli.py", "cli_odds.py", "studies/blocks.py", "render/board.py", "table/game.py"):
        with (copy / "firesim" / file).open("a", encoding="utf-8") as source:
            source.write("\n")
    assert name_in(copy) == name


def test_a_renamed_or_added_source_has_a_folder_of_its_own(copy: Path, name: str) -> None:
    (copy / "firesim" / "grid" / "added.py").write_text("", "utf-8")
    added = name_in(copy)
    (copy / "firesim" / "grid" / "added.py").rename(copy / "firesim" / "grid" / "adder.py")
    assert len({name, added, name_in(copy)}) == 3


def test_checked_bounds_have_a_folder_of_their_own(copy: Path, name: str) -> None:
    assert name_in(copy, NUMBA_BOUNDSCHECK="1") != name


def test_a_package_that_cannot_be_written_falls_back_to_the_users_cache(copy: Path, tmp_path: Path, name: str) -> None:
    (copy / "firesim" / "__pycache__").write_text("a file where the folder should be", "utf-8")
    assert Path(python(copy, FOLDER)) == tmp_path / "home" / ".cache" / "firesim" / name
    cache = tmp_path / "elsewhere"
    assert Path(python(copy, FOLDER, XDG_CACHE_HOME=str(cache))) == cache / "firesim" / name
    cache.rename(tmp_path / "gone")
    cache.write_text("a file where the folder should be", "utf-8")
    last = Path(python(copy, FOLDER, XDG_CACHE_HOME=str(cache)))
    assert last.parent.parent == tmp_path
    assert last.parent.name.startswith("firesim-cache-")
    assert last.name == name


def test_a_package_on_a_read_only_disk_falls_back_too(copy: Path, tmp_path: Path) -> None:
    if hasattr(os, "getuid") and os.getuid() == 0:
        pytest.skip("the superuser may write anywhere")
    (copy / "firesim").chmod(0o555)
    try:
        assert Path(python(copy, FOLDER)).parent == tmp_path / "home" / ".cache" / "firesim"
    finally:
        (copy / "firesim").chmod(0o755)


def test_a_folder_of_another_user_is_not_trusted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    if not hasattr(os, "getuid"):
        pytest.skip("no user numbers here")
    assert jit._writable(tmp_path)
    monkeypatch.setattr(os, "getuid", lambda: tmp_path.stat().st_uid + 1)
    assert not jit._writable(tmp_path)


DIE = """
from firesim.dice.keyed import key_of
from firesim.dice.rolls import roll
key = key_of(7, 0)
print([int(roll(key, None, 1, 1, i, i, 1000)) for i in range(8)])
"""


def test_processes_that_compile_at_once_all_get_the_right_dice(copy: Path) -> None:
    with ThreadPoolExecutor(3) as pool:
        said = list(pool.map(lambda _: python(copy, DIE), range(3)))
    assert len(set(said)) == 1
    assert said[0] == python(copy, DIE, NUMBA_DISABLE_JIT="1")
    assert python(copy, DIE) == said[0], "what they left in the cache is whole"
    assert list(Path(python(copy, FOLDER)).rglob("*.nbi"))


def test_a_changed_helper_is_never_run_from_old_machine_code(copy: Path) -> None:
    before = python(copy, DIE)
    source = copy / "firesim" / "dice" / "philox.py"
    source.write_text(source.read_text("utf-8").replace("ROUNDS = 10", "ROUNDS = 9"), "utf-8")
    after = python(copy, DIE)
    assert after != before
    assert after == python(copy, DIE, NUMBA_DISABLE_JIT="1")


def test_what_was_compiled_is_remembered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    if jit.disabled():
        pytest.skip("nothing is compiled")
    monkeypatch.setattr(jit, "folder", lambda: tmp_path)
    assert not jit.compiled_before("town-fast")
    jit.note_compiled("town-fast")
    assert jit.compiled_before("town-fast")
    assert not jit.compiled_before("town-told")
    monkeypatch.setattr(jit, "folder", lambda: tmp_path / "gone")
    jit.note_compiled("town-told")  # a cache that cannot be written only costs time
    assert not jit.compiled_before("town-told")


FIRE = """
import firesim
town = {"system": "town", "map": {"rows": ["h h h"], "legend": {"h": {}}}, "ignite": [{"cell": [0, 0]}]}
print(firesim.run(town, seed=7).outcome, firesim.study(town, 50, seed=7).outcomes["steps"].tolist())
"""


@pytest.mark.long
def test_processes_that_compile_a_whole_system_at_once_all_burn_the_same_fire(copy: Path) -> None:
    with ThreadPoolExecutor(2) as pool:
        said = list(pool.map(lambda _: python(copy, FIRE), range(2)))
    assert said[0] == said[1] == python(copy, FIRE) == python(copy, FIRE, NUMBA_DISABLE_JIT="1")
