"""The public functions: what they take, what they give back, and what they refuse."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.stats

import firesim
from firesim.core.problems import InputError
from firesim.rules.town.state import RECORDS
from firesim.studies.intervals import mean_interval
from firesim.studies.summary import QUANTILES

SEED = 20261129
STREET: dict[str, Any] = {
    "system": "town",
    "title": "A street",
    "map": {"rows": ["h h . h", "h . h h", "h h h ."], "legend": {"h": {"st": 10, "armour": 1}}},
    "options": {"jump": "all"},
    "ignite": [{"cell": [0, 0]}],
    "steps": 30,
    "watch": [{"name": "next", "cells": [[0, 1]]}, {"name": "below", "cells": [[1, 0], [2, 0]]}],
}
TEXT = """system = "town"
title = "A street"
steps = 30
options.jump = "all"
ignite = [{ cell = [0, 0] }]
watch = [{ name = "next", cells = [[0, 1]] }, { name = "below", cells = [[1, 0], [2, 0]] }]
[map]
rows = ["h h . h", "h . h h", "h h h ."]
[map.legend]
h = { st = 10, armour = 1 }
"""
COLUMNS = (
    "steps", "burning", "lit", "consumed", "buildings_lost", "collapsed", "flare_ups", "jumps",
    "next_lit_at", "next_lost", "below_lit_at", "below_lost",
)  # fmt: skip


@pytest.fixture(scope="module")
def street() -> firesim.Scenario:
    return firesim.load(STREET)


@pytest.fixture(scope="module")
def fires(street: firesim.Scenario) -> firesim.Fires:
    return firesim.study(street, 30, seed=SEED)


def refused(call: Callable[[], object]) -> str:
    with pytest.raises(InputError) as caught:
        call()
    return str(caught.value)


# -------------------------------------------------------------------------------------------------------------- load
def test_a_path_a_dict_and_a_scenario_are_the_same(tmp_path: Path, street: firesim.Scenario) -> None:
    path = tmp_path / "street.toml"
    path.write_text(TEXT, "utf-8")
    outcome = firesim.run(street, seed=SEED).outcome
    for source in (path, str(path), STREET, street):
        scenario = firesim.load(source)
        assert (scenario.system, scenario.title, scenario.steps, scenario.seed) == ("town", "A street", 30, None)
        assert firesim.run(source, seed=SEED).outcome == outcome
    assert firesim.load(street) is street
    assert firesim.load(path).file == str(path)


def test_changes_are_made_before_checking_and_leave_the_source_alone(street: firesim.Scenario) -> None:
    changes = {"weather.moisture": "damp", "map.legend.h.armour": 2, "steps": 7}
    changed = firesim.load(street, changes)
    for scenario, expected in ((changed, ("damp", 2, 7)), (street, ("normal", 1, 30))):
        words: Any = scenario.words
        assert (words.weather.moisture, words.map.legend["h"].armour, scenario.steps) == expected
    assert STREET["map"]["legend"]["h"]["armour"] == 1
    assert firesim.run(changed, seed=SEED).outcome == firesim.run(street, seed=SEED, changes=changes).outcome
    studied = firesim.study(STREET, 5, seed=SEED, changes=changes).outcomes
    assert np.array_equal(studied, firesim.study(changed, 5, seed=SEED).outcomes)
    assert "weather.moisture" in refused(lambda: firesim.load(street, {"weather.moisture": "soaked"}))
    assert "weather" in refused(lambda: firesim.run(street, changes={"wether.moisture": "damp"}))


def test_a_system_is_wanted_and_the_nearest_one_named() -> None:
    assert "unknown system 'twon': expected \"town\" or \"ship\"; did you mean 'town'?" in refused(
        lambda: firesim.load({"system": "twon"})
    )
    missing = refused(lambda: firesim.load({"title": "no system"}))
    assert "no system is named" in missing
    assert 'write system = "town" at the top' in missing
    assert "unknown system 5" in refused(lambda: firesim.load({"system": 5}))


def test_an_unknown_system_is_found_in_its_file(tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text('title = "x"\nsystem = "twon"\n', "utf-8")
    assert refused(lambda: firesim.load(path)).startswith(f"{path}:2:1: unknown system")


def test_all_problems_are_told_at_once() -> None:
    wrong = STREET | {"titel": "x", "steps": -1, "ignite": [{"cell": [9, 9]}]}
    with pytest.raises(InputError) as caught:
        firesim.load(wrong)
    assert len(caught.value.problems) >= 3
    assert "did you mean 'title'?" in str(caught.value)


def test_what_is_no_scenario_is_refused(tmp_path: Path) -> None:
    assert "nowhere.toml" in refused(lambda: firesim.load(tmp_path / "nowhere.toml"))
    for source in (5, None, ["town"]):
        assert "scenario" in refused(lambda source=source: firesim.load(source))  # type: ignore[misc]


# --------------------------------------------------------------------------------------------------------------- run
@pytest.mark.parametrize("seed", [-1, 2**63, 1.0, "7", True, [7]])
def test_a_seed_is_a_whole_number(street: firesim.Scenario, seed: Any) -> None:
    expected = "a whole number from 0 below 2**63"
    assert expected in refused(lambda: firesim.run(street, seed=seed))
    assert expected in refused(lambda: firesim.study(street, 2, seed=seed))


@pytest.mark.parametrize("replicate", [-1, 2**63, 1.0, "7", False])
def test_a_replicate_is_a_whole_number(street: firesim.Scenario, replicate: Any) -> None:
    assert "replicate" in refused(lambda: firesim.run(street, seed=1, replicate=replicate))
    assert "replicate" in refused(lambda: firesim.study(street, 2, seed=1, first_replicate=replicate))


@pytest.mark.parametrize("steps", [-1, 100_001, 2.5, "3", True])
def test_steps_are_a_whole_number(street: firesim.Scenario, steps: Any) -> None:
    assert "a whole number from 0 to 100,000" in refused(lambda: firesim.run(street, seed=1, steps=steps))


@pytest.mark.parametrize("dice", ["3 4 1", [3, "4"], [3.0], [True], 3, [2**40], [None]])
def test_dice_are_a_list_of_whole_numbers(street: firesim.Scenario, dice: Any) -> None:
    assert "a list of whole numbers, as [3, 4, 1]" in refused(lambda: firesim.run(street, dice=dice))


def test_numbers_of_numpy_are_numbers(street: firesim.Scenario) -> None:
    run = firesim.run(street, seed=SEED, replicate=2, steps=9)
    again = firesim.run(street, seed=np.int64(SEED), replicate=np.int32(2), steps=np.int16(9))  # type: ignore[arg-type]
    assert again.faces == run.faces
    assert firesim.run(street, dice=np.array(run.faces), steps=9).outcome == run.outcome  # type: ignore[arg-type]
    assert np.array_equal(
        firesim.study(street, np.int64(3), seed=np.int64(5)).outcomes,  # type: ignore[arg-type]
        firesim.study(street, 3, seed=5).outcomes,
    )


def test_the_scenarios_own_seed_is_the_default_and_a_given_one_comes_first(street: firesim.Scenario) -> None:
    seeded = firesim.load(STREET | {"seed": 11})
    assert firesim.run(seeded).seed == 11
    assert firesim.study(seeded, 1).seed == 11
    assert firesim.run(seeded, seed=0).seed == 0
    fresh = {firesim.run(street).seed for _ in range(3)}
    assert len(fresh) > 1
    assert all(0 <= seed < 2**63 for seed in fresh)


def test_a_fresh_seed_is_told_and_gives_the_fire_again(street: firesim.Scenario) -> None:
    run = firesim.run(street)
    assert firesim.run(street, seed=run.seed).faces == run.faces


def test_the_greatest_seed_and_replicate_work(street: firesim.Scenario) -> None:
    most = 2**63 - 1
    run = firesim.run(street, seed=most, replicate=most)
    assert (run.seed, run.replicate) == (most, most)
    row = firesim.study(street, 1, seed=most, first_replicate=most).outcomes[0]
    assert int(row["replicate"]) == most
    assert int(row["steps"]) == run.outcome["steps"]
    assert "replicate" in refused(lambda: firesim.study(street, 2, seed=most, first_replicate=most))


def test_a_run_tells_its_key_its_outcome_and_its_events(street: firesim.Scenario) -> None:
    run = firesim.run(street, seed=SEED, replicate=4)
    assert (run.seed, run.replicate, run.scenario) == (SEED, 4, street)
    assert tuple(run.outcome) == COLUMNS
    assert all(type(value) is int for value in run.outcome.values())
    lit = [event for event in run.events if event.event == "lit"]
    assert len(lit) == run.outcome["lit"]
    assert sum(event.event == "consumed" for event in run.events) == run.outcome["consumed"]
    assert [event.step for event in run.events] == sorted(event.step for event in run.events)
    assert f"{run.outcome['lit']} of 9 building hexes caught fire" in run.summary
    assert "A street" in repr(run)
    assert str(SEED) in repr(run)


def test_no_dice_no_fire(street: firesim.Scenario) -> None:
    run = firesim.run(street, dice=[], steps=0)
    assert run.faces == []
    assert run.outcome["steps"] == 0
    assert run.events == []


# ----------------------------------------------------------------------------------------------------------- history
def test_a_history_has_every_step_from_before_the_first(street: firesim.Scenario) -> None:
    run = firesim.run(street, seed=SEED, replicate=3)
    assert run.outcome["lit"] > 3
    history = run.history
    assert set(history) == {"st", "armour", "roof", "burning", "external", "consumed", "demolished", "collapsed"}
    assert len(history) == 8
    steps = run.outcome["steps"]
    for name, array in history.items():
        assert array.shape == (steps + 1, 3, 4), name
        assert np.array_equal(array[0], run.prepared.first.cells[name][:-1].reshape(3, 4)), name
        assert np.array_equal(array[-1], run.state.cells[name][:-1].reshape(3, 4)), name
    assert history["st"][0].tolist() == [[10, 10, 0, 10], [10, 0, 10, 10], [10, 10, 10, 0]]
    assert (np.diff(history["st"].astype(int), axis=0) <= 0).all()
    lit_at = run.state.cells["at"][:-1, 0].reshape(3, 4)
    ever = np.argmax(history["burning"] | history["consumed"], axis=0)
    assert np.array_equal(ever[lit_at >= 0], lit_at[lit_at >= 0])
    assert run.history is history, "made once"
    with pytest.raises(KeyError, match="no field 'sts'; there are st, "):
        history["sts"]


def test_a_history_of_a_fire_alight_from_the_start_burns_at_step_0() -> None:
    run = firesim.run(STREET | {"ignite": [{"cell": [0, 1], "alight": True}]}, seed=SEED)
    assert run.history["burning"][0].tolist() == [[0, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
    assert run.history["st"][0, 0, 1] == 10


def test_a_history_of_given_dice_is_that_of_the_dice(street: firesim.Scenario) -> None:
    run = firesim.run(street, seed=SEED, replicate=3)
    given = firesim.run(street, seed=1, dice=run.faces)
    assert np.array_equal(given.history["st"], run.history["st"])


def test_frames_are_the_history_step_by_step(street: firesim.Scenario) -> None:
    run = firesim.run(street, seed=SEED, replicate=3)
    told = []
    for frame in run.frames():
        assert np.array_equal(frame.state.cells["st"][:-1].reshape(3, 4), run.history["st"][frame.step])
        told += frame.events
    assert told == run.events


def test_a_history_too_large_for_memory_is_refused_with_its_size(
    monkeypatch: pytest.MonkeyPatch, street: firesim.Scenario
) -> None:
    monkeypatch.setattr(firesim.runs, "HISTORY_BYTES", 100)
    assert "the history would take" in refused(lambda: firesim.run(street, seed=SEED).history["st"])


def test_a_history_as_xarray(street: firesim.Scenario) -> None:
    pytest.importorskip("xarray")
    run = firesim.run(street, seed=SEED, replicate=3)
    dataset = run.history.to_xarray()
    assert set(dataset) == set(run.history)
    assert dataset["st"].dims == ("step", "row", "col")
    assert np.array_equal(dataset["st"].values, run.history["st"])


# ------------------------------------------------------------------------------------------------------------- study
@pytest.mark.parametrize("replicates", [0, -1, 1.5, "9", True, 10**9 + 1])
def test_replicates_are_a_whole_number_from_1(street: firesim.Scenario, replicates: Any) -> None:
    assert "a whole number from 1 to 1,000,000,000" in refused(lambda: firesim.study(street, replicates))


@pytest.mark.parametrize("workers", [0, -1, 1.5, "2", True, 1025])
def test_workers_are_a_whole_number_from_1(street: firesim.Scenario, workers: Any) -> None:
    assert "a whole number from 1 to 1024" in refused(lambda: firesim.study(street, 2, workers=workers))


def test_a_study_has_a_row_for_every_replicate(street: firesim.Scenario, fires: firesim.Fires) -> None:
    assert len(fires) == 30
    assert fires.outcomes.dtype.names == ("case", "replicate", *COLUMNS)
    assert fires.outcomes["replicate"].tolist() == list(range(30))
    assert fires.outcomes["case"].tolist() == [0] * 30
    for k in range(30):
        outcome = firesim.run(street, seed=SEED, replicate=k).outcome
        assert {name: int(fires.outcomes[name][k]) for name in COLUMNS} == outcome
    assert "30 fires of 'A street'" in repr(fires)
    shifted = firesim.study(street, 5, seed=SEED, first_replicate=20)
    assert np.array_equal(shifted.outcomes, fires.outcomes[20:25])


def test_maps_say_what_single_runs_say(street: firesim.Scenario, fires: firesim.Fires) -> None:
    at = np.array([firesim.run(street, seed=SEED, replicate=k).state.cells["at"][:-1] for k in range(30)])
    assert RECORDS == ("lit_at", "consumed_at", "external_at", "out_at")
    names = ["burn_probability", "consumed_probability", "external_probability", "out_probability"]
    assert sorted(fires.maps) == sorted([*names, *(f"{record}_mean" for record in RECORDS)])
    assert len(fires.maps) == 8
    for place, (record, name) in enumerate(zip(RECORDS, names, strict=True)):
        happened = at[:, :, place] >= 0
        assert 0 < happened.mean() < 1, record
        assert np.array_equal(fires.maps[name], happened.mean(axis=0).reshape(1, 3, 4)), name
        times = np.ma.masked_array(at[:, :, place], ~happened).mean(axis=0).filled(np.nan).reshape(1, 3, 4)
        np.testing.assert_allclose(fires.maps[f"{record}_mean"], times, rtol=1e-12, err_msg=record)
    open_ground = [(0, 2), (1, 1), (2, 3)]
    assert all(
        fires.maps["burn_probability"][0][cell] == 0 and np.isnan(fires.maps["lit_at_mean"][0][cell])
        for cell in open_ground
    )
    with pytest.raises(KeyError, match="no map 'lit'; there are burn_probability"):
        fires.maps["lit"]


def test_maps_as_xarray(fires: firesim.Fires) -> None:
    pytest.importorskip("xarray")
    dataset = fires.maps.to_xarray()
    assert set(dataset) == set(fires.maps)
    assert dataset["burn_probability"].dims == ("case", "row", "col")
    assert np.array_equal(dataset["burn_probability"].values, fires.maps["burn_probability"])


# ----------------------------------------------------------------------------------------------------------- figures
def test_the_summary_gives_the_figures_of_numpy(fires: firesim.Fires) -> None:
    summary = fires.summary()
    assert summary.fires == 30
    assert tuple(row.column for row in summary.rows) == COLUMNS
    for row in summary.rows:
        values = fires.outcomes[row.column]
        if row.column.endswith("_lit_at"):  # of the fires in which it was lit
            values = values[values >= 0]
            assert 2 < len(values) < 30, "the watched places must burn sometimes"
        assert row.fires == len(values)
        assert row.mean == pytest.approx(values.mean())
        assert row.deviation == pytest.approx(values.std(ddof=1))
        if set(values) <= {0, 1}:
            wilson = scipy.stats.binomtest(int(values.sum()), len(values)).proportion_ci(0.95, "wilson")
            assert (row.low, row.high) == pytest.approx((wilson.low, wilson.high))
        else:
            assert (row.low, row.high) == pytest.approx(tuple(mean_interval(values, least=0.0)))
        if len(set(values)) > 2:
            half = scipy.stats.t.ppf(0.975, len(values) - 1) * scipy.stats.sem(values)
            assert row.low <= max(values.mean() - half, 0) + 1e-9, "never narrower than Student's"
            assert row.high >= values.mean() + half - 1e-9
        ordered = np.sort(values)
        # the least value that a share q does not exceed
        expected = [ordered[int(np.ceil(q * len(values))) - 1] for q in QUANTILES]
        assert list(row.quantiles) == expected
    with pytest.raises(KeyError, match="no outcome 'step'"):
        summary["step"]


def test_the_summary_prints_a_line_for_every_outcome(fires: firesim.Fires) -> None:
    lines = str(fires.summary()).splitlines()
    assert lines[0] == "30 fires"
    assert [line.split()[0] for line in lines[2 : lines.index("")]] == list(COLUMNS)
    assert "Student" in lines[-2]
    assert f"{fires.outcomes['steps'].mean():.3f}" in lines[2]


def test_a_place_that_never_burns_has_no_time() -> None:
    fires = firesim.study(STREET | {"steps": 1}, 5, seed=SEED)
    row = fires.summary()["below_lit_at"]
    assert row.fires == 0
    assert np.isnan([row.mean, row.low, row.high, *row.quantiles]).all()
    assert ["below_lit_at", "never"] in [line.split() for line in str(fires.summary()).splitlines()]


def test_a_single_fire_has_a_summary_too(street: firesim.Scenario) -> None:
    row = firesim.study(street, 1, seed=SEED).summary()["steps"]
    assert row.deviation == 0
    assert np.isnan([row.low, row.high]).all(), "one fire says nothing of its like"


def test_outcomes_as_pandas(fires: firesim.Fires) -> None:
    pytest.importorskip("pandas")
    frame = fires.to_pandas()
    assert list(frame.columns) == ["case", "replicate", *COLUMNS]
    assert frame["steps"].tolist() == fires.outcomes["steps"].tolist()


def test_outcomes_as_csv(tmp_path: Path, fires: firesim.Fires) -> None:
    path = tmp_path / "fires.csv"
    fires.to_csv(path)
    header, *rows = path.read_text("utf-8").splitlines()
    assert header == ",".join(["case", "replicate", *COLUMNS])
    read = [tuple(int(value) for value in row.split(",")) for row in rows]
    assert read == [tuple(row) for row in fires.outcomes.tolist()]
    assert [file.name for file in tmp_path.iterdir()] == ["fires.csv"]


def test_a_csv_is_written_whole_or_not_at_all(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, fires: firesim.Fires
) -> None:
    path = tmp_path / "fires.csv"
    path.write_text("what was there", "utf-8")

    def breaks(*_: Any) -> Iterator[Any]:
        yield fires.outcomes[:3].tolist()
        raise KeyboardInterrupt

    monkeypatch.setattr("firesim.studies.exports.row_lists", breaks)
    with pytest.raises(KeyboardInterrupt):
        fires.to_csv(path)
    assert path.read_text("utf-8") == "what was there"
    assert [file.name for file in tmp_path.iterdir()] == ["fires.csv"]


@pytest.mark.parametrize("name", ["fires.txt", "fires.c", "fires", "fires.csv.gz"])
def test_a_csv_has_a_name_of_a_csv(tmp_path: Path, fires: firesim.Fires, name: str) -> None:
    assert "a name ending in .csv" in refused(lambda: fires.to_csv(tmp_path / name))
    assert list(tmp_path.iterdir()) == []
