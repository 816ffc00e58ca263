"""Ctrl-C, whenever it comes: exit 130, no traceback, and nothing half-written."""

import re
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from time import perf_counter, sleep
from typing import NamedTuple

import pytest

import firesim

ROOT = Path(__file__).resolve().parent.parent
LONG = f"""system = "town"
title = "A tower that never catches"
map = {{ rows = ["{"h " * 30}"], legend = {{ h = {{ armour = 1000 }} }} }}
ignite = [{", ".join(f"{{ cell = [0, {i}] }}" for i in range(30))}]
"""

# The command line, saying on stderr when its fire is under way, and when its film is.
TALKATIVE = """
import contextlib, sys
from firesim import api, cli, cli_run

burn = api.run
def run(*arguments, **keys):
    return burn(*arguments, **keys, progress=lambda step: print(f"step {step}", file=sys.stderr, flush=True))
api.run = run

@contextlib.contextmanager
def bar(total, shown):
    yield lambda done: print(f"frame {done}", file=sys.stderr, flush=True)
cli_run.frames_bar = bar

cli.main()
"""

TALKATIVE_STUDY = """
import contextlib, sys
from firesim import cli, cli_study

quiet = cli_study.study_bar
@contextlib.contextmanager
def bar(*arguments):
    with quiet(*arguments) as note:
        def show(progress, ledger):
            note(progress, ledger)
            if progress.done > 1000:
                print("fires", file=sys.stderr, flush=True)
        yield show
cli_study.study_bar = bar
cli.main()
"""

STUDY = """
import sys, firesim
try:
    firesim.study(sys.argv[1], 10**7, seed=1, progress=lambda done, _: print("block", file=sys.stderr, flush=True))
except KeyboardInterrupt:
    sys.exit(130)
"""


class Ended(NamedTuple):
    """How an interrupted command ended."""

    code: int
    out: str
    err: str
    seconds: float


def interrupted(marker: str, *arguments: object, room: Path = ROOT, wait: float = 0.0) -> Ended:
    """Run python with ARGUMENTS, press Ctrl-C when stderr says `marker`, and take the time until it has ended."""
    process = subprocess.Popen(
        [sys.executable, *map(str, arguments)],
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(room), "HOME": str(Path.home())},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    try:
        assert process.stderr is not None
        said = ""
        while marker not in said:
            letter = process.stderr.read(1)
            assert letter, f"ended before it said '{marker}': {said}"
            said += letter
        sleep(wait)
        began = perf_counter()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert "Traceback" not in said + err, said + err
    return Ended(process.returncode, out, err, perf_counter() - began)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a fire that lasts."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "long.toml").write_text(LONG)
    firesim.run("long.toml", seed=1, steps=1)  # compiled, so that nothing but the fire is interrupted
    return tmp_path


def left(folder: Path) -> list[str]:
    """What lies in the folder beside the scenario, hidden files too."""
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.name != "long.toml")


def test_a_long_fire(desk):
    end = interrupted("step 16\n", "-c", TALKATIVE, "run", "long.toml", "--seed", 1, "--log", "log.txt", "--out", "new")
    assert (end.code, end.out) == (130, "")
    assert end.err.splitlines()[-1] == "interrupted"
    assert left(desk) == []
    assert end.seconds < 5


def test_an_animation_and_what_was_finished_before_it_stays(desk):
    options = ("--seed", 1, "--steps", 2000, "--log", "log.txt", "--png", "end.png", "--gif", "fire.gif")
    end = interrupted("frame 3\n", "-c", TALKATIVE, "run", "long.toml", *options)
    assert (end.code, end.out) == (130, "")
    assert end.err.splitlines()[-1] == "interrupted"
    assert left(desk) == ["end.png", "log.txt"]
    assert Path("log.txt").read_text().count("\n") >= 2000 * 30
    assert end.seconds < 5


def test_a_saved_run_keeps_its_figures_when_its_film_is_interrupted(desk):
    end = interrupted("frame 3\n", "-c", TALKATIVE, "run", "long.toml", "--seed", 1, "--steps", 500, "--out", "new")
    assert end.code == 130
    assert left(desk) == ["new", "new/end.png", "new/log.jsonl", "new/log.txt", "new/run.json"]


def test_many_fires(desk):
    firesim.study(ROOT / "maps" / "riverside.toml", 2, seed=1)
    end = interrupted("block\n", "-c", STUDY, ROOT / "maps" / "riverside.toml")
    assert end.code == 130
    assert end.seconds < 5


def test_a_study_into_a_folder_keeps_what_was_finished_and_says_how_to_go_on(desk):
    riverside = ROOT / "maps" / "riverside.toml"
    firesim.study(riverside, 2, seed=1)
    options = ("--replicates", 3_000_000, "--seed", 1, "--out", "new")
    end = interrupted("fires\n", "-c", TALKATIVE_STUDY, "study", riverside, *options)
    assert (end.code, end.out) == (130, "")
    assert end.seconds < 5
    kept, said = end.err.splitlines()[-2:]
    assert re.fullmatch(r"[\d,]+ of 3,000,000 fires are kept in new; the same command goes on", kept)
    assert said == "interrupted"
    with sqlite3.connect("new/fires.sqlite") as store:
        (rows,) = store.execute("SELECT COUNT(*) FROM fires").fetchone()
    assert 0 < rows < 3_000_000
    assert rows == int(kept.split()[0].replace(",", ""))


CUT_SHORT = """
import sys
from firesim import cli, cli_study

def cut_short(*arguments):
    raise KeyboardInterrupt
setattr(cli_study, sys.argv.pop(1), cut_short)
cli.main()
"""


@pytest.mark.parametrize("at", ["checked_plan", "compile_now", "study_bar", "pictures"])
def test_what_a_folder_holds_is_counted_whenever_ctrl_c_comes(desk, at):
    street = ROOT / "maps" / "street.toml"
    options = ("study", street, "--replicates", 40, "--seed", 1, "--out", "new")
    nothing = "nothing is kept in new yet; the same command begins anew"
    finished = "40 of 40 fires are kept in new; the same command goes on"
    assert said_at_the_end(at, *options) == (finished if at == "pictures" else nothing)
    firesim.study(street, 40, seed=1, out="new")
    kept = "40 of 40" if at == "checked_plan" else "90 of 90" if at == "pictures" else "40 of 90"
    said = said_at_the_end(at, *options[:3], 90, *options[4:])
    assert said == f"{kept} fires are kept in new; the same command goes on"


def said_at_the_end(at: str, *arguments: object) -> str:
    """The last line but one of a command cut short by Ctrl-C in a function of `cli_study`."""
    end = subprocess.run(
        [sys.executable, "-c", CUT_SHORT, at, *map(str, arguments)],
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), "HOME": str(Path.home())},
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert (end.returncode, end.stdout, end.stderr.splitlines()[-1]) == (130, "", "interrupted"), end.stderr
    return end.stderr.splitlines()[-2]


def test_a_study_without_a_folder_says_that_nothing_is_kept(desk):
    riverside = ROOT / "maps" / "riverside.toml"
    end = interrupted("fires\n", "-c", TALKATIVE_STUDY, "study", riverside, "--replicates", 3_000_000)
    assert (end.code, end.out) == (130, "")
    assert end.err.splitlines()[-2:] == [
        "nothing of it is kept: with --out FOLDER a study can be gone on with",
        "interrupted",
    ]
    assert left(desk) == []


def test_a_person_who_is_asked_for_dice(desk):
    end = interrupted("alight: ", "-m", "firesim", "run", "long.toml", "--dice", "ask", "--log", "log.txt")
    assert (end.code, end.out) == (130, "")
    assert end.err == "\ninterrupted\n"
    assert left(desk) == []


def test_kernels_being_compiled(desk):
    fresh = desk / "fresh"
    shutil.copytree(ROOT / "firesim", fresh / "firesim", ignore=shutil.ignore_patterns("__pycache__"))
    house = ROOT / "maps" / "house.toml"
    end = interrupted(
        *("seconds\n", "-m", "firesim", "run", house, "--seed", 1, "--log", "log.txt"), room=fresh, wait=1.0
    )
    assert (end.code, end.out, end.err) == (130, "", "interrupted\n")
    assert not Path("log.txt").exists()
    assert end.seconds < 10
