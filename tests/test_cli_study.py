"""`firesim study` and `firesim replay` as a user meets them."""

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

import firesim
from firesim.studies.fires import Fires
from tests.test_cli import ROOT, done, told

HOUSE, STREET, RIVERSIDE = (ROOT / "maps" / f"{name}.toml" for name in ("house", "street", "riverside"))
STUDY = ROOT / "tests" / "studies" / "street.study"
WINDS = ("--vary", "weather.wind=none,E", "--replicates", 60, "--seed", 7)


@pytest.fixture(autouse=True)
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refused(*arguments: object) -> str:
    """The problems told of `firesim ARGUMENTS`, which must end with 2 and print no result."""
    end = told(*arguments)
    assert (end.code, end.out) == (2, ""), end
    return end.err


# --- study ------------------------------------------------------------------------------------------------------------


def test_a_study_prints_its_summary_and_writes_nothing(desk):
    end = done("study", STREET, *WINDS)
    fires = firesim.study(STREET, 60, seed=7, vary={"weather.wind": ["none", "E"]})
    assert end.out == f"Tallow Lane (town, seed 7)\n{fires.summary()}\n"
    assert list(desk.iterdir()) == []


def test_json_is_one_document(desk):
    facts = json.loads(done("study", STREET, *WINDS, "--json", "--out", "new", "--no-pictures").out)
    assert (facts["fires"], facts["seed"], facts["replicates"], facts["folder"]) == (120, 7, 60, "new")
    assert facts["cases"] == [{"weather.wind": "none"}, {"weather.wind": "E"}]
    fires = firesim.study(STREET, 60, seed=7, vary={"weather.wind": ["none", "E"]})
    assert facts["summary"] == json.loads(json.dumps(fires.summary().as_dict()))


def test_a_folder_is_gone_on_with_by_its_name_or_by_the_same_command(desk):
    done("study", STREET, *WINDS, "--out", "new", "--no-pictures")
    done("study", "new", "--replicates", 100, "--no-pictures")
    done("study", STREET, *WINDS[:2], "--replicates", 130, "--out", "new", "--no-pictures")  # the seed is the folder's
    done("study", STREET, *WINDS[:2], "--replicates", 130, "--seed", 7, "--out", "whole", "--no-pictures")
    for name in ("outcomes.csv", "maps.npz", "summary.txt"):
        assert (desk / "new" / name).read_bytes() == (desk / "whole" / name).read_bytes(), name
    assert "this folder holds another study" in refused("study", HOUSE, "--seed", 7, "--out", "new")
    assert "vary cannot be changed in a study folder" in refused("study", "new", "--vary", "weather.wind=E")
    assert "this is a folder" in refused("study", ".")


def test_pictures_lie_in_the_folder(desk):
    done("study", HOUSE, "--replicates", 40, "--seed", 7, "--vary", "map.legend.h.st=5,10", "--out", "new")
    drawn = sorted(path.name for path in (desk / "new" / "pictures").iterdir())
    assert {"distribution-steps.png", "sweep-steps.png", "survival-consumed.png"} <= set(drawn)
    assert any(name.startswith("burn") for name in drawn)
    assert any("difference" in name for name in drawn)


def test_two_scenarios_are_compared(desk):
    for wind in ("E", "W"):
        Path(f"{wind}.toml").write_text(STREET.read_text().replace('wind = "', f'wind = "{wind}" # "'))
    end = done("study", "--compare", "E.toml", "W.toml", "--replicates", 60, "--seed", 7)
    assert "120 fires in 2 cases" in end.out
    assert "Differences pair by pair" in end.out
    assert "--compare compares several scenarios" in refused("study", "E.toml", "W.toml")
    assert "--compare of one scenario" in refused("study", "--compare", "E.toml")


def test_a_study_file_is_checked_and_is_no_scenario(desk):
    shutil.copy(STREET, "street.toml")
    Path("study.toml").write_text('scenario = "street.toml"\n[vary]\nweather.wind = ["none", "E"]\n')
    assert done("check", "study.toml").out == "study.toml: no problems\n"
    Path("wrong.toml").write_text('scenario = "street.toml"\n[vary]\nweather.wind = ["none", "Q"]\n')
    assert "there is no wind 'Q'" in refused("check", "wrong.toml")
    assert "study.toml:1:1: this is a study file: expected a scenario; burn it with" in refused("run", "study.toml")
    assert "60 fires" not in done("study", "study.toml", "--replicates", 30, "--seed", 1).err


def test_settings_change_all_cases(desk):
    changed = done("study", STREET, *WINDS, "--set", "weather.moisture=damp", "--json").out
    fires = firesim.study(
        STREET, 60, seed=7, changes={"weather.moisture": "damp"}, vary={"weather.wind": ["none", "E"]}
    )
    assert json.loads(changed)["summary"] == json.loads(json.dumps(fires.summary().as_dict()))


def test_another_map_is_set_by_its_file(desk):
    Path("row.toml").write_text("rows = ['h h h']\nlegend = { h = { armour = 2, st = 6 } }\n")
    Path("town.toml").write_text('system = "town"\nmap = "none.toml"\nignite = [{ cell = [0, 2], alight = true }]\n')
    Path("none.toml").write_text("rows = ['h']\nlegend = { h = { st = 6 } }\n")
    done("run", "town.toml", "--set", "map=row.toml", "--seed", 1)
    facts = json.loads(done("study", "town.toml", "--set", "map=row.toml", "--replicates", 5, "--json").out)
    assert facts["fires"] == 5
    assert "'weather.wind' is set and varies too" in refused("study", STREET, *WINDS, "--set", "weather.wind=E")


def test_it_stops_when_it_is_sure_enough(desk):
    end = done("study", STREET, "--seed", 7, "--until", "buildings_lost:0.5", "--json")
    facts = json.loads(end.out)
    assert 100 <= facts["fires"] < 10_000
    assert "buildings_lost" in facts["stopped"]
    decided = done("study", STREET, "--seed", 7, "--vary", "weather.wind=none,E", "--until-decided", "buildings_lost")
    assert "buildings_lost: decided, wind E has" in decided.out


def test_a_dry_run_burns_nothing_and_tells_the_size(desk, monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: set(range(5)), raising=False)
    end = done("study", STREET, *WINDS[:2], "--replicates", 50_000, "--seed", 7, "--out", "new", "--dry-run")
    assert "2 cases of 50,000 fires: 100,000 fires" in end.out
    assert [line.split()[0] for line in end.out.splitlines()[2:]] == ["time", "disk", "memory"]
    facts = json.loads(done("study", STREET, *WINDS[:2], "--replicates", 50_000, "--dry-run", "--json").out)
    assert (facts["fires"], facts["cases"]) == (100_000, 2)
    assert 1e6 < facts["disk"] < 1e8
    assert isinstance(facts["disk"], int)
    assert facts["workers"] == 5
    assert list(desk.iterdir()) == []


def test_a_dry_run_is_near_the_truth(desk):
    arguments = ("study", STREET, *WINDS[:2], "--replicates", 4000, "--seed", 7, "--out", "new", "--no-pictures")
    foretold = json.loads(done(*arguments, "--dry-run", "--json").out)
    done(*arguments)
    size = sum(path.stat().st_size for path in (desk / "new").iterdir())
    assert size / 2 < foretold["disk"] < 2 * size


def test_a_dry_run_of_a_folder_tells_what_is_there(desk):
    done("study", STREET, *WINDS, "--out", "new", "--no-pictures")
    whole = done("study", STREET, *WINDS, "--out", "new", "--dry-run")
    assert "2 cases of 60 fires: 120 fires; all 120 are there; 0 to burn" in whole.out
    assert "time    none to burn" in whole.out
    facts = json.loads(done("study", "new", "--replicates", 100, "--dry-run", "--json").out)
    assert (facts["fires"], facts["there"], facts["left"]) == (200, 120, 80)
    assert "200 fires; 120 are there; 80 to burn" in done("study", "new", "--replicates", 100, "--dry-run").out
    assert "another study" in refused("study", HOUSE, "--seed", 7, "--out", "new", "--dry-run")


def test_a_dry_run_of_a_study_that_its_rule_has_ended_says_that_it_is_done(desk):
    rule = ("--seed", 7, "--until", "buildings_lost:0.5", "--out", "new", "--no-pictures")
    burnt = json.loads(done("study", STREET, *rule, "--json").out)
    end = done("study", STREET, *rule, "--dry-run")
    assert f"{burnt['fires']:,} fires; all {burnt['fires']:,} are there; 0 to burn" in end.out
    assert f"time    none to burn: {burnt['stopped']}\n" in end.out
    assert "at most" not in end.out
    facts = json.loads(done("study", "new", "--dry-run", "--json").out)
    assert (facts["left"], facts["seconds"], facts["stopped"]) == (0, 0, burnt["stopped"])
    finer = done("study", "new", "--until", "buildings_lost:0.2", "--dry-run")
    assert f"; {burnt['fires']:,} are there; at most" in finer.out
    with sqlite3.connect("new/fires.sqlite") as store:
        store.execute('DELETE FROM fires WHERE "replicate" = 3')
    store.close()
    assert "at most" in done("study", "new", "--dry-run").out, "a fire is missing, so that it is not done"


def test_fewer_replicates_than_a_folder_holds_show_all(desk):
    done("study", STREET, *WINDS, "--out", "new", "--no-pictures")
    end = done("study", "new", "--replicates", 20, "--no-pictures")
    assert "120 fires in 2 cases" in end.out
    assert "the folder holds 60 replicates of each case, and all of them are shown" in end.err


def test_a_range_that_misses_its_end_is_told(desk):
    end = done("study", STREET, "--vary", "map.legend.h.st=10:3:20", "--replicates", 5, "--seed", 7)
    assert "the range of 'map.legend.h.st' ends at 19: steps of 3 from 10 miss 20" in end.err.splitlines()
    assert "miss" not in done("study", STREET, "--vary", "map.legend.h.st=10:3:19", "--replicates", 5, "--seed", 7).err


def test_on_a_terminal_one_bar_tells_speed_time_left_and_the_headline(desk):
    if not hasattr(os, "openpty"):
        pytest.skip("there are no terminals here: the bar was not tried")
    mine, theirs = os.openpty()
    code = "import fcntl, struct, termios; fcntl.ioctl(2, termios.TIOCSWINSZ, struct.pack('HHHH', 40, 160, 0, 0))"
    options = "--vary weather.wind=none,E --replicates 40000 --seed 7 --outcome buildings_lost --json"
    process = subprocess.Popen(
        [sys.executable, "-c", f"{code}; from firesim.cli import main; main()", "study", RIVERSIDE, *options.split()],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=theirs,
        env=os.environ | {"PYTHONPATH": str(ROOT), "TERM": "xterm"},
    )  # fmt: skip
    os.close(theirs)
    shown = b""
    with suppress(OSError):  # how a terminal ends
        while piece := os.read(mine, 65536):
            shown += piece
    out, _ = process.communicate(timeout=120)
    os.close(mine)
    assert json.loads(out)["fires"] == 80_000
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode())
    assert re.search(
        r"burning .* \d+/80000 [\d,]+ fires/s  [\d.]+ \w+ left  buildings_lost [\d.]+ ± [\d.]+ \(case \d\)", text
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--vary", "weather.winds=none,E"), "there is no 'winds' in 'weather': expected moisture or wind"),
        (("--vary", "weather.wind="), "'weather.wind' varies over an empty list"),
        (("--vary", "steps=1:1000000", "--vary", "map.legend.h.st=1:1000000"), "this makes about 10^12 cases"),
        (("--until", "buildings_lost:0"), "half-width '0' of buildings_lost: expected a number above 0"),
        (("--until", "building_lost:1"), "no outcome 'building_lost'"),
        (("--until", "steps:1", "--until-decided", "steps"), "two stopping rules"),
        (("--replicates", 0), "replicates 0: expected a whole number from 1"),
        (("--workers", 0), "workers 0"),
        (("--until-decided", "steps"), "one case: nothing to decide: expected --vary or --compare"),
        (("--outcome", "step"), "no outcome 'step'"),
        (("--vary", "weather.wind=E", "--vary", "weather.wind=W"), "'weather.wind' varies twice"),
        (("--out", "maps.txt/new"), "maps.txt"),
        (("--parquet",), "--parquet goes with a study folder: expected --out FOLDER"),
        (("--no-pictures", "--dry-run"), "--no-pictures goes with a study folder"),
        (("--retry-failed",), "--retry-failed goes with a study folder"),
        ((STREET, "--compare"), f"{STREET} is given twice: expected each scenario once"),
        ((f"{ROOT}/maps/../maps/street.toml", "--compare"), "street.toml is the same scenario as"),
    ],
)
def test_wrong_input_is_told_in_one_line(desk, arguments, said):
    Path("maps.txt").write_text("a file")
    err = refused("study", STREET, "--seed", 7, *arguments)
    assert said in err
    assert len(err.splitlines()) == 1
    assert [path.name for path in desk.iterdir()] == ["maps.txt"]


# --- replay -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def fires() -> Fires:
    """The fires of the study that lies with the tests."""
    return firesim.study(STREET, 50, seed=7, vary={"weather.wind": ["none", "E"]})


def test_any_fire_of_a_study_is_burnt_again(fires):
    for case, replicate in ((0, 0), (1, 17)):
        run = json.loads(done("replay", STUDY, "--case", case, "--replicate", replicate, "--json").out)
        row = fires.outcomes[50 * case + replicate]
        assert run["outcome"] == {name: int(row[name]) for name in fires.columns}
        assert (run["seed"], run["replicate"]) == (7, replicate)


@pytest.mark.parametrize("rank", ["median", "worst", "best"])
@pytest.mark.parametrize("case", [None, 0, 1])
def test_the_median_worst_and_best_fire_are_found(fires, rank, case):
    among = fires.outcomes if case is None else fires.outcomes[fires.outcomes["case"] == case]
    in_order = sorted(among, key=lambda row: (row["buildings_lost"], row["case"], row["replicate"]))
    values = [int(row["buildings_lost"]) for row in in_order]
    wanted = {"median": values[(len(values) - 1) // 2], "worst": values[-1], "best": values[0]}[rank]
    options = () if case is None else ("--case", case)
    end = done("replay", STUDY, f"--{rank}", "buildings_lost", *options)
    assert f"{rank} buildings_lost: {wanted}" in end.out.splitlines()[0]
    assert f"buildings_lost {wanted}  " in end.out


def test_a_fire_that_is_another_now_is_told(desk):
    shutil.copytree(STUDY, "changed")
    store = sqlite3.connect("changed/fires.sqlite")
    store.execute('UPDATE fires SET steps = steps + 1 WHERE "replicate" = 3')
    store.commit()
    store.close()
    line = "this is not the fire that the study burnt: the rules have changed since then"
    assert line in done("replay", "changed", "--replicate", 3).err
    assert line not in done("replay", "changed", "--replicate", 4).err


def test_a_replayed_fire_has_all_outputs_of_a_run(desk):
    options = ("--log", "log.txt", "--png", "end.png", "--gif", "fire.gif", "--out", "saved")
    done("replay", STUDY, "--worst", "buildings_lost", *options)
    names = sorted(path.name for path in desk.iterdir())
    assert names == ["end.png", "fire.gif", "log.txt", "saved"]
    assert sorted(path.name for path in (STUDY).iterdir()) == ["fires.sqlite", "study.json"], "it is only read"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--case", 2), "there is no case 2: expected a case from 0 to 1"),
        (("--replicate", 50), "replicate 50 is not in this study: expected a replicate from 0 to 49"),
        (("--worst", "building_lost"), "no outcome 'building_lost'"),
        (("--worst", "steps", "--best", "steps"), "more than one fire is asked for"),
        (("--replicate", 1, "--best", "steps"), "more than one fire is asked for"),
    ],
)
def test_a_fire_that_is_not_there(arguments, said):
    assert said in refused("replay", STUDY, *arguments)


def test_folders_that_are_no_studies(desk):
    assert "there is no such folder" in refused("replay", "nowhere")
    assert refused("replay", HOUSE) == f"{HOUSE}: this is a file: expected a study folder\n"
    Path("empty").mkdir()
    assert "this is no study folder" in refused("replay", "empty")
    shutil.copytree(STUDY, "broken")
    Path("broken/fires.sqlite").write_bytes(b"SQLite format 3\0" + b"rubbish" * 1000)
    assert "the store cannot be read" in refused("replay", "broken", "--worst", "steps")
    done("replay", "broken", "--replicate", 3)
    Path("broken/study.json").write_text('{"format": 1, "cases": [')
    assert "this is no frozen study" in refused("replay", "broken", "--replicate", 3)
