"""Study folders: what is kept, who may go on with it, kills, damage, full disks, fires that failed."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import firesim
from firesim.core.problems import InputError
from firesim.studies import blocks
from firesim.studies.engines.threads import threads
from firesim.studies.fires import Fires
from firesim.studies.folder import LOCK, read_frozen
from firesim.studies.plan import Plan
from firesim.studies.study import burn_plan
from tests.studies.plans import RIVERSIDE, ROOT, SEED, SMALL, same_fires, sweep

FILES = ("outcomes.csv", "maps.npz", "summary.txt", "summary.json")


def burnt(plan: Plan, folder: Path | None, *, said: list[str] | None = None, **words: Any) -> Fires:
    """Burn a plan into a folder on two threads."""
    with threads(2) as engine:
        return burn_plan(
            plan, engine=engine, version="0", out=folder, say=said.append if said is not None else print, **words
        )


def refused(make: Any) -> str:
    with pytest.raises(InputError) as error:
        make()
    return str(error.value)


def assert_same_files(one: Path, other: Path) -> None:
    for name in FILES:
        assert (one / name).read_bytes() == (other / name).read_bytes(), name


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An undisturbed study: six cases of 300."""
    folder = tmp_path_factory.mktemp("whole") / "study"
    burnt(sweep(300), folder)
    return folder


# ------------------------------------------------------------------------------------------------------ what is kept
def test_a_folder_holds_the_fires_of_memory(whole: Path, tmp_path: Path) -> None:
    fires = burnt(sweep(300), None)
    same_fires(fires, burnt(sweep(300), tmp_path / "new"))
    same_fires(fires, burnt(sweep(300), whole))
    header, *rows = (whole / "outcomes.csv").read_text().splitlines()
    assert header.startswith(
        "case,replicate,map.legend.h.armour,weather.wind,steps [turns],burning [hexes],lit [hexes]"
    )
    assert header.endswith("last_lit_at [turn],last_lost")
    assert rows == [",".join(map(str, row)) for row in fires.outcomes.tolist()]
    with np.load(whole / "maps.npz", allow_pickle=False) as maps:
        assert maps["3/lit_at/count"].shape == (1, 5)
        assert maps["3/lit_at/count"].sum() == maps["3/lit_at/by_step"].sum() == fires.curves["lit"][3, -1]
    assert json.loads((whole / "summary.json").read_text()) == json.loads(json.dumps(fires.summary().as_dict()))


def test_blocks_of_any_size_leave_the_same_files(whole: Path, tmp_path: Path) -> None:
    for size in (1, 7, 1000):
        burnt(sweep(300), tmp_path / str(size), block_fires=size)
        assert_same_files(whole, tmp_path / str(size))
    with sqlite3.connect(tmp_path / "1" / "fires.sqlite") as store:
        (maps,) = store.execute("SELECT COUNT(*) FROM maps").fetchone()
    assert maps < 6 * 130, "neighbouring maps are joined"


def test_the_frozen_study_holds_all_that_its_fires_depend_on(whole: Path) -> None:
    frozen = json.loads((whole / "study.json").read_text())
    assert (frozen["seed"], frozen["replicates"], frozen["firesim"]) == (SEED, 300, "0")
    again = read_frozen(whole)
    assert again.digest == sweep(300).digest == frozen["digest"]
    assert [again.document(c) for c in range(6)] == [sweep(300).document(c) for c in range(6)]


def test_without_a_folder_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    firesim.study(SMALL, 20, seed=1, vary={"weather.wind": ["none", "E"]})
    assert list(tmp_path.iterdir()) == []


def test_parquet_holds_the_rows(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    fires = burnt(sweep(30), tmp_path / "new", parquet=True)
    table = parquet.read_table(tmp_path / "new" / "outcomes.parquet")
    assert tuple(table.column_names) == fires.outcomes.dtype.names
    for name in table.column_names:
        assert table[name].to_pylist() == fires.outcomes[name].tolist()
    assert table.schema.field("steps").metadata == {b"unit": b"turns"}


def test_what_is_not_kept_takes_no_room(whole: Path, tmp_path: Path) -> None:
    rows = (whole / "outcomes.csv").read_bytes()
    for keep, maps, curves in ((("curves",), 0, True), (("maps",), 6, False), ((), 0, False)):
        folder = tmp_path / "-".join(("only", *keep))
        fires = burnt(sweep(300, keep=keep), folder)
        again = burnt(sweep(300, keep=keep), folder)
        assert (folder / "outcomes.csv").read_bytes() == rows
        for each in (fires, again):
            assert (len(each.maps), len(each.curves) > 0) == (8 if maps else 0, curves)
            assert all(tally is None or (tally.counts.size > 0) == (maps > 0) for tally in each.tallies)
        if curves:
            assert np.array_equal(fires.curves["lit"], burnt(sweep(300), None).curves["lit"])
        assert (folder / "maps.npz").exists() == bool(keep)


# ----------------------------------------------------------------------------------------------------------- going on
def test_more_replicates_repeat_nothing(whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    burnt(sweep(100), tmp_path / "new")
    counted: list[int] = []
    plain = blocks.Worker.burn

    def counting(self: blocks.Worker, first: int, rows: np.ndarray) -> None:
        counted.extend(range(first, first + len(rows)))
        plain(self, first, rows)

    monkeypatch.setattr(blocks.Worker, "burn", counting)
    burnt(sweep(300), tmp_path / "new")
    assert sorted(counted) == sorted(list(range(100, 300)) * 6)
    assert_same_files(whole, tmp_path / "new")
    fewer = burnt(sweep(50), tmp_path / "new")
    assert len(fewer) == 1800, "what is there stays"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ({"seed": 8}, f"seed 8, there {SEED}"),
        ({"first_replicate": 3}, "first replicate 3, there 0"),
        ({"changes": {"weather.moisture": "damp"}}, "case 0 has other weather.moisture (and 5 cases more)"),
    ],
)
def test_the_folder_of_another_study_is_refused(whole: Path, words: dict[str, Any], told: str) -> None:
    before = {path: path.read_bytes() for path in whole.iterdir() if path.name != LOCK}
    said = refused(lambda: burnt(sweep(300, **words), whole))
    assert f"this folder holds another study (A row): {told}" in said
    assert {path: path.read_bytes() for path in whole.iterdir() if path.name != LOCK} == before


def test_a_folder_of_other_things_is_refused(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    assert "the folder is not empty" in refused(lambda: burnt(sweep(5), tmp_path))
    assert "the folder cannot be made" in refused(lambda: burnt(sweep(5), tmp_path / "letter.txt"))
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_a_study_that_was_ended_before_it_began_begins(whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "new"
    folder.mkdir()
    store = sqlite3.connect(folder / "fires.sqlite")
    store.execute("PRAGMA journal_mode=WAL")
    store.close()
    said: list[str] = []
    burnt(sweep(300), folder, said=said)
    assert said == []
    assert_same_files(whole, folder)


def test_two_at_once_are_refused(tmp_path: Path) -> None:
    def second(*_: Any) -> None:
        told.append(refused(lambda: burnt(sweep(300), tmp_path / "new")))

    told: list[str] = []
    burnt(sweep(100), tmp_path / "new", watch=second)
    assert told
    assert "another firesim writes into it" in told[0]


def test_other_rules_are_refused_and_other_words_in_the_code_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    burnt(sweep(50), tmp_path / "new")
    monkeypatch.setattr("firesim.studies.folder.kernels", lambda: "other")
    burnt(sweep(60), tmp_path / "new")
    plain = blocks.burn_block

    def other(*arguments: Any) -> np.ndarray:
        return plain(*arguments) + 1

    monkeypatch.setattr("firesim.studies.folder.kernels", lambda: "another")
    monkeypatch.setattr(blocks, "burn_block", other)
    assert "the rules have changed since this study was begun" in refused(lambda: burnt(sweep(70), tmp_path / "new"))


# ---------------------------------------------------------------------------------------------------- kills, interrupts
BURN = """
import sys, signal
from pathlib import Path
from firesim.api import scenario_of
from firesim.studies.asked import Asked, plan_of
from firesim.studies.engines.threads import threads
from firesim.studies.study import burn_plan
import json
source, folder, words, size = json.loads(sys.argv[1])
plan = plan_of(source, Asked(**words), scenario_of)
with threads(2) as engine:
    burn_plan(plan, engine=engine, version="0", out=Path(folder), block_fires=size,
              watch=lambda progress, _: print(progress.done, file=sys.stderr, flush=True))
"""


def killed(source: Any, folder: Path, words: dict[str, Any], size: int | None, after: int, by: int) -> int:
    """Burn in a process of its own, and kill it when so many fires are done; how many those were."""
    process = subprocess.Popen(
        [sys.executable, "-c", BURN, json.dumps([source, str(folder), words, size])],
        stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, env=os.environ | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert process.stderr is not None
    done = 0
    for line in process.stderr:
        assert line.strip().isdigit(), line + process.stderr.read()
        done = int(line)
        if done >= after:
            process.send_signal(by)
            break
    process.communicate(timeout=120)
    return done


WORDS = {"seed": SEED, "vary": {"map.legend.h.armour": [1, 2, 4], "weather.wind": ["none", "E"]}}


@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGINT], ids=["kill", "interrupt"])
def test_a_study_killed_twice_ends_as_if_it_had_not_been(whole: Path, tmp_path: Path, by: int) -> None:
    folder = tmp_path / "new"
    kept = 0
    for after in (200, 1100):
        done = killed(SMALL, folder, WORDS | {"replicates": 300}, 7, after, by)
        assert done < 1800, "it was to be killed on the way"
        with sqlite3.connect(folder / "fires.sqlite") as store:
            (rows,) = store.execute("SELECT COUNT(*) FROM fires").fetchone()
        assert rows >= max(done, kept), "what was finished stays"
        kept = rows
    burnt(sweep(300), folder)
    assert_same_files(whole, folder)


@pytest.mark.long
def test_riverside_killed_at_ten_moments_ends_as_if_it_had_not_been(tmp_path: Path) -> None:
    luck = np.random.default_rng(SEED)
    words = {"seed": SEED, "vary": {"tables.material.light": [0, 1, 2], "weather.wind": ["none", "E"]}}
    words |= {"replicates": 20_000}
    from firesim.api import scenario_of
    from firesim.studies.asked import Asked, plan_of

    plan = plan_of(RIVERSIDE, Asked(**words), scenario_of)
    burnt(plan, tmp_path / "whole")
    for after in np.sort(luck.integers(1, 115_000, 10)).tolist():
        done = killed(str(RIVERSIDE), tmp_path / "new", words, int(luck.choice([7, 100, 1000])), after, signal.SIGKILL)
        assert done < 120_000
    burnt(plan, tmp_path / "new")
    assert_same_files(tmp_path / "whole", tmp_path / "new")


# -------------------------------------------------------------------------------------------------------------- damage
def copy_of(whole: Path, folder: Path) -> Path:
    folder.mkdir()
    for path in whole.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    return folder


@pytest.mark.parametrize("share", [0.0, 0.001, 0.3, 0.6, 0.95])
def test_a_truncated_store_is_told_and_saved_as_far_as_it_goes(whole: Path, tmp_path: Path, share: float) -> None:
    folder = tmp_path / "new"
    burnt(sweep(300), folder, block_fires=20)
    size = (folder / "fires.sqlite").stat().st_size
    os.truncate(folder / "fires.sqlite", int(size * share))
    said: list[str] = []
    burnt(sweep(300), folder, said=said)
    assert len(said) == 1
    assert "fires.sqlite is damaged (" in said[0]
    saved = int(said[0].split("): ")[1].split()[0].replace(",", ""))
    assert (saved > 300) if share == 0.95 else saved < 1800
    assert (folder / "damaged-1.sqlite").exists()
    assert_same_files(whole, folder)


def test_rubbish_in_a_store_is_found(whole: Path, tmp_path: Path) -> None:
    for number, place in enumerate((0, 4096, 20_000)):
        folder = copy_of(whole, tmp_path / str(number))
        with open(folder / "fires.sqlite", "r+b") as file:
            file.seek(place)
            file.write(bytes(range(1, 256)) * 16)
        said: list[str] = []
        burnt(sweep(300), folder, said=said)
        assert "is damaged" in said[0]
        assert_same_files(whole, folder)


@pytest.mark.parametrize(
    "harm",
    [
        "DELETE FROM fires WHERE replicate = 7",
        'DELETE FROM maps WHERE "case" = 2',
        "UPDATE maps SET data = x'00' WHERE \"case\" = 2",
        'UPDATE fires SET "case" = 99 WHERE replicate = 7 AND "case" = 0',
        "UPDATE fires SET steps = 'many' WHERE replicate = 7",
        "DROP TABLE maps",
        "DROP TABLE fires",
        "ALTER TABLE fires ADD COLUMN more",
    ],
)
def test_a_store_that_was_meddled_with_is_found(whole: Path, tmp_path: Path, harm: str) -> None:
    folder = copy_of(whole, tmp_path / "new")
    with sqlite3.connect(folder / "fires.sqlite") as store:
        store.execute(harm)
    store.close()
    said: list[str] = []
    burnt(sweep(300), folder, said=said)
    assert "is damaged" in said[0]
    assert_same_files(whole, folder)


def test_a_lost_plan_comes_back_from_the_store_and_a_forged_one_is_refused(whole: Path, tmp_path: Path) -> None:
    folder = copy_of(whole, tmp_path / "new")
    (folder / "study.json").unlink()
    said: list[str] = []
    burnt(sweep(300), folder, said=said)
    assert said == [f"{folder / 'study.json'} is gone: it is written anew from the copy in fires.sqlite"]
    for damage in (b"{", b"\xff"):
        (folder / "study.json").write_bytes(damage)
        burnt(sweep(300), folder, said=said)
        assert said[1:] == [f"{folder / 'study.json'} is damaged: it is written anew from the copy in fires.sqlite"]
        del said[1:]
    burnt(sweep(300), folder, said=said)
    assert len(said) == 1  # of a sound one nothing is said
    assert (folder / "study.json").read_text() == (whole / "study.json").read_text()
    forged = (folder / "study.json").read_text().replace('"seed": 20261129', '"seed": 20261130')
    (folder / "study.json").write_text(forged)
    (folder / "fires.sqlite").unlink()
    assert "the frozen study does not have the digest written in it" in refused(lambda: read_frozen(folder))
    for text in (b"", b"[]", b"{}", b'{"format": 1}', b"\x00", b"\xff"):
        (folder / "study.json").write_bytes(text)
        assert "this is no frozen study" in refused(lambda: read_frozen(folder))


def test_a_store_that_is_gone_is_told(whole: Path, tmp_path: Path) -> None:
    folder = copy_of(whole, tmp_path / "new")
    (folder / "fires.sqlite").unlink()
    said: list[str] = []
    burnt(sweep(300), folder, said=said)
    assert "is gone" in said[0]
    assert_same_files(whole, folder)


def test_a_full_disk_is_told_and_what_was_finished_stays(whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "new"

    def fill(progress: Any, ledger: Any) -> None:
        if progress.done > 500 and not full:
            full.append(progress.done)
            stores[0].execute("PRAGMA max_page_count = 1")

    full: list[int] = []
    stores: list[sqlite3.Connection] = []
    from firesim.studies import store as stores_of

    plain = stores_of.Store.create

    def created(self: stores_of.Store, frozen: str) -> None:
        stores.append(self.connection)
        plain(self, frozen)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stores_of.Store, "create", created)
        told = refused(lambda: burnt(sweep(300), folder, watch=fill, block_fires=50))
    assert "the disk is full: expected room for the study; make room; the same command goes on from here" in told
    with sqlite3.connect(folder / "fires.sqlite") as store:
        (rows,) = store.execute("SELECT COUNT(*) FROM fires").fetchone()
    assert rows >= full[0]
    burnt(sweep(300), folder)
    assert_same_files(whole, folder)


# ------------------------------------------------------------------------------------------------------ fires that fail
def test_failed_fires_are_rows_with_their_error_and_can_be_burnt_again(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = blocks.burn_block

    def breaks(ready: Any, state: Any, seed: int, first: int, fires: int, *maps: Any) -> np.ndarray:
        if any(replicate in (3, 250) for replicate in range(first, first + fires)):
            raise ValueError('a "bad" fire, twice')
        return plain(ready, state, seed, first, fires, *maps)

    folder = tmp_path / "new"
    monkeypatch.setattr(blocks, "burn_block", breaks)
    fires = burnt(sweep(300), folder)
    assert len(fires) == 6 * 298
    assert fires.failures == {(c, r): 'ValueError: a "bad" fire, twice' for c in range(6) for r in (3, 250)}
    header, *rows = (folder / "outcomes.csv").read_text().splitlines()
    assert header.endswith(",error")
    assert rows[3] == '0,3,,,,,,,,,,,,,"ValueError: a ""bad"" fire, twice"'
    assert len(rows) == 1800
    again = burnt(sweep(300), folder)
    assert again.failures == fires.failures
    monkeypatch.undo()
    assert burnt(sweep(300), folder).failures == fires.failures, "only when asked to"
    burnt(sweep(300), folder, retry_failed=True)
    assert_same_files(whole, folder)
    burnt(sweep(300), folder)
    assert_same_files(whole, folder)


# ------------------------------------------------------------------------------------------------------ stopping rules
def test_a_stopping_rule_stops_at_the_same_look_whatever_happens(tmp_path: Path) -> None:
    plan = sweep(5000, until="steps:0.2")
    fires = burnt(plan, None)
    replicates = len(fires) // 6
    assert 100 <= replicates < 5000
    assert "± 0.2" in fires.stopped or "steps" in fires.stopped
    rows = fires.summary()
    assert all((rows.of(c)["steps"].high - rows.of(c)["steps"].low) / 2 <= 0.2 for c in range(6))
    burnt(plan, tmp_path / "whole")
    words = WORDS | {"replicates": 5000, "until": "steps:0.2"}
    killed(SMALL, tmp_path / "new", words, 7, 300, signal.SIGKILL)
    same_fires(fires, burnt(plan, tmp_path / "new", block_fires=13))
    assert_same_files(tmp_path / "whole", tmp_path / "new")


def test_a_stopping_rule_keeps_to_the_replicates_allowed() -> None:
    fires = burnt(sweep(120, until="steps:0.0001"), None)
    assert len(fires) == 6 * 120
    assert fires.stopped.endswith("stopped at the 120 replicates allowed")


def test_python_warns_of_a_damaged_store(tmp_path: Path) -> None:
    firesim.study(SMALL, 50, seed=1, out=tmp_path / "new")
    os.truncate(tmp_path / "new" / "fires.sqlite", 5000)
    with pytest.warns(UserWarning, match="is damaged"):
        firesim.study(SMALL, 50, seed=1, out=tmp_path / "new")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        firesim.study(tmp_path / "new", 60)
