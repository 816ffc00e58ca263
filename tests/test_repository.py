"""The repository as a whole: its top level, the length of its files, its pins, and what its text never says."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ALWAYS_THERE = {
    *("firesim", "tests", "maps"),
    *("README.md", "CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "LICENSE"),
    *("pyproject.toml", "constraints.txt", "Makefile"),
}
ALLOWED = ALWAYS_THERE | {"benchmarks", "notebooks"}
MOST_LINES = 400

# Put together from pieces, so that this file does not hold what it forbids.
FORBIDDEN = {
    "a path of one machine": r"(?<![\w./-])/(work|root)" + "/",
    "the host of a package registry": "|".join(
        re.escape(name + "." + ending)
        for name, ending in [
            ("pypi", "org"),
            ("pythonhosted", "org"),
            ("npmjs", "org"),
            ("npmjs", "com"),
            ("debian", "org"),
            ("crates", "io"),
            ("proxy.golang", "org"),
        ]
    ),
}


def tracked_files() -> list[str]:
    """Paths that git tracks, relative to the root; skips the test where there is no checkout."""
    try:
        top = subprocess.run(["git", "rev-parse", "--show-toplevel"], cwd=ROOT, capture_output=True, text=True)
    except FileNotFoundError:
        pytest.skip("git is not installed: the tracked files are not known")
    if top.returncode != 0 or Path(top.stdout.strip()).resolve() != ROOT:
        pytest.skip("not a git checkout: the tracked files are not known")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    files = [name for name in listed.split("\0") if name and (ROOT / name).is_file()]
    if not files:
        pytest.skip("nothing is tracked yet")
    return files


def forbidden_words(text: str) -> list[str]:
    """What a text says that it should not: kind, line and the words."""
    return [
        f"{kind}, line {text.count(chr(10), 0, match.start()) + 1}: {match[0]}"
        for kind, pattern in FORBIDDEN.items()
        for match in re.finditer(pattern, text, re.IGNORECASE)
    ]


def pins() -> dict[str, str]:
    """Name and version of every line of constraints.txt."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split("==") for line in lines if line and not line.startswith("#"))


def same_name(name: str) -> str:
    """A distribution's name as registries compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def test_the_top_level_holds_nothing_else():
    top = {name.partition("/")[0] for name in tracked_files()}
    shown = {name for name in top if not name.startswith(".")}
    assert shown - ALLOWED == set()
    assert ALWAYS_THERE - shown == set()


def test_no_file_of_the_package_outgrows_one_subject():
    files = list((ROOT / "firesim").rglob("*.py"))
    assert files, "the package was not found: nothing was checked"
    lengths = {path.relative_to(ROOT).as_posix(): len(path.read_text(encoding="utf-8").splitlines()) for path in files}
    assert {file: length for file, length in lengths.items() if length > MOST_LINES} == {}


def test_tracked_text_names_no_machine_and_no_registry():
    found = {}
    for name in tracked_files():
        content = (ROOT / name).read_bytes()
        if b"\0" not in content and (words := forbidden_words(content.decode("utf-8", errors="replace"))):
            found[name] = words
    assert found == {}


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("see docs/" + "work/notes and https://example.org/" + "work/", 0),
        ("first\nopen /" + "work/main/map.toml", 1),
        ('"/' + 'root/map.toml"', 1),
        ("from https://py" + "pi.org/simple", 1),
        ("from files.python" + "hosted.org", 1),
    ],
    ids=["relative", "folder", "file", "registry", "mirror"],
)
def test_the_words_are_found_where_they_stand(text, count):
    assert len(forbidden_words(text)) == count


def test_every_dependency_of_the_test_set_up_is_pinned_exactly():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = project["project"]["optional-dependencies"]
    wanted = [*project["build-system"]["requires"], *project["project"]["dependencies"]]
    wanted += [*extras["maps"], *extras["test"], *extras["dev"]]
    names = {same_name(re.match(r"[\w.-]+", line)[0]) for line in wanted} - {"firesim"}
    assert names - {same_name(name) for name in pins()} == set()
    assert {version for version in pins().values() if not re.fullmatch(r"[\w.]+", version)} == set()
