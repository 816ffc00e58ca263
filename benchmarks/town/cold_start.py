"""Cold start: seconds until help, an import, a first fire and a first study, with and without compiled code cached.

And what a user waits for who has run firesim before: `firesim run street.toml`, with the share of its parts.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from statistics import median

from benchmarks.harness import Row, Settings, python

ROOT = Path(__file__).resolve().parents[2]
FIRST_RUN = "import firesim; firesim.run('house.toml', seed=1)"
STREET = ("-m", "firesim", "run", "street.toml", "--seed", "7")
WITH_FILES = (*STREET, "--log", "street.txt", "--png", "street.png")
FIRES = """
import time
from firesim import api
from firesim.play import Fire
checked = api.load("street.toml")
times = [time.perf_counter()]
for _ in range(2):
    ready = api.prepared(checked)
    Fire(ready, 7, 0).play_to(ready.horizon)
    times.append(time.perf_counter())
print(times[1] - times[0] - (times[2] - times[1]))
"""
"""Makes the same fire ready and plays it twice: the first time takes longer by what it loads."""

FIRST_STUDY = "import firesim; firesim.study('house.toml', 100, seed=1, workers=1)"


def measure(settings: Settings) -> list[Row]:
    """Each in a process of its own, on a copy of the package whose caches lie in a new folder."""
    with tempfile.TemporaryDirectory() as room:
        place = Path(room)
        shutil.copytree(ROOT / "firesim", place / "firesim", ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("house.toml", "street.toml"):
            shutil.copy(ROOT / "maps" / name, place)
        (place / "home").mkdir()
        bare = several(place, settings, "-c", "pass")
        rows = [
            Row("cold_start", "python -c pass", *bare),
            Row("cold_start", "import firesim", *several(place, settings, "-c", "import firesim")),
        ]
        if (ROOT / "firesim" / "__main__.py").exists():
            rows.append(Row("cold_start", "firesim --help", *several(place, settings, "-m", "firesim", "--help")))
            rows.append(imports(place, "firesim --help", "-m", "firesim", "--help"))
        for name, code in (("run", FIRST_RUN), ("study of 100", FIRST_STUDY)):
            cold = seconds(place, "-c", code)
            note = "nothing compiled before" if name == "run" else "after the run above: its own kernels to compile"
            rows.append(Row("cold_start", f"first {name}, cold cache", cold, "s", note=note))
            rows.append(Row("cold_start", f"first {name}, warm cache", *several(place, settings, "-c", code)))
        return rows + street(place, settings)


def street(place: Path, settings: Settings) -> list[Row]:
    """The command line on the shipped street, warm, and where its time goes."""
    bare, bare_note = several(place, settings, *STREET), busy(place, *STREET)
    files, files_note = several(place, settings, *WITH_FILES), busy(place, *WITH_FILES)
    loading = [float(process(place, "-c", FIRES).stdout) for _ in range(settings.rounds)]
    named = "firesim run street.toml"
    return [
        Row("cold_start", f"{named}, warm cache", *bare, bare_note),
        imports(place, named, *STREET),
        Row(
            "cold_start", "its first fire over a second: compiled code loaded", median(loading), "s", min(loading),
            max(loading), "with what numba imports for it, counted above too",
        ),
        Row("cold_start", f"{named} --log --png, warm cache", *files, files_note),
        imports(place, f"{named} --log --png", *WITH_FILES),
    ]  # fmt: skip


def environment(place: Path) -> dict[str, str]:
    """The process's environment with all caches in `place`."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("NUMBA", "PYTHON"))}
    home = str(place / "home")
    return kept | {"HOME": home, "XDG_CACHE_HOME": home, "TMPDIR": home, "PYTHONPATH": str(place)}


def process(place: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python there; an error is raised with what it said."""
    done = subprocess.run(
        [python(), *arguments], cwd=place, env=environment(place), capture_output=True, text=True, timeout=600
    )
    if done.returncode:
        raise RuntimeError(done.stderr[-2000:])
    return done


def seconds(place: Path, *arguments: str) -> float:
    """Wall time of one process."""
    began = time.perf_counter()
    process(place, *arguments)
    return time.perf_counter() - began


def several(place: Path, settings: Settings, *arguments: str) -> tuple[float, str, float, float]:
    """Median, unit, least and most of several, after one that fills Python's own caches."""
    seconds(place, *arguments)
    found = [seconds(place, *arguments) for _ in range(settings.rounds)]
    return median(found), "s", min(found), max(found)


def busy(place: Path, *arguments: str) -> str:
    """A note of the processor time that one process takes, which other programs on the machine lengthen least."""
    before = os.times()
    process(place, *arguments)
    after = os.times()
    spent = after.children_user - before.children_user + after.children_system - before.children_system
    return f"processor time {spent:.2f} s"


def imports(place: Path, named: str, *arguments: str) -> Row:
    """The interpreter's own account of a command: all imports, and the three that cost most by themselves."""
    lines = process(place, "-X", "importtime", *arguments).stderr.splitlines()
    cells = [line.removeprefix("import time:").split("|") for line in lines if line.startswith("import time:")]
    times = sorted(((int(c[0]), c[2].strip()) for c in cells if c[0].strip().isdigit()), reverse=True)
    most = ", ".join(f"{name} {us / 1000:.0f} ms" for us, name in times[:3])
    return Row("cold_start", f"imports of {named} (-X importtime)", sum(us for us, _ in times) / 1e6, "s", note=most)
