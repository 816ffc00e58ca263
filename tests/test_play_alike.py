"""One fire of any system, however it is played: with a log or without, from its faces, act by act, in batches."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import firesim
from firesim.api import prepared
from firesim.core.fields import copied, declared
from firesim.dice import tape as tapes
from firesim.events import log as logs
from firesim.play import ACTED, NO_ROOM, OVER, Fire, frames, play_on
from firesim.rules.base import SYSTEMS, TOUCHED, Prepared
from firesim.studies import blocks
from firesim.studies.blocks import Worker
from tests.oracles.drawing import draw

ROOT = Path(__file__).resolve().parent.parent
RIVERSIDE = ROOT / "maps" / "riverside.toml"
SEED = 20261129
FIRES = 150

FREIGHTER: dict[str, Any] = {
    "system": "ship",
    "steps": 60,
    "map": {
        "rows": [". H H .", "C L L C", "C E E C", ". E E ."],
        "legend": {
            "H": {"module": "helm"},
            "C": {"module": "cargo", "external_door": True},
            "L": {"module": "life support"},
            "E": {"module": "engine"},
        },
    },
    "options": {"side": 3},
    "ignite": [{"cell": [2, 1]}],
    "event": [{"step": 4, "kind": "weapon", "cells": [[1, 0], [1, 3]]}],
    "crew": [
        {"name": "Ada", "cell": [2, 1], "health": 9, "engineering": 3, "order": "extinguish all"},
        {"name": "Bo", "cell": [1, 0], "health": 7, "order": "hold door"},
        {"name": "Cyl", "cell": [3, 2], "health": 12, "tentac": True, "on_fire": True},
        {"name": "Dor", "cell": [0, 1], "health": 8, "engineering": 2, "order": "station module", "target": [2, 1]},
    ],
    "item": [{"name": "fuel", "kind": "barrel", "cell": [2, 1]}],
}
LARGER: dict[str, Any] = {"town": RIVERSIDE, "ship": FREIGHTER}
"""A scenario of each system that differs much from fire to fire."""


def difference(one: Any, other: Any) -> str:
    """The first field in which two town states differ, empty when there is none; lists count as far as they reach."""
    for name in one._fields:
        ours, theirs = getattr(one, name), getattr(other, name)
        if declared(type(one))[name].role == "scratch":
            continue
        if name == "lists":
            rows = [(f"lists[{i}]", ours[i, : one.counts[i]], theirs[i, : other.counts[i]]) for i in range(len(ours))]
        elif name == "touched_list":
            rows = [(name, ours[: one.counts[TOUCHED]], theirs[: other.counts[TOUCHED]])]
        elif ours.dtype.names:
            rows = [(f"{name}.{field}", ours[field], theirs[field]) for field in ours.dtype.names]
        else:
            rows = [(name, ours, theirs)]
        for what, first, second in rows:
            if not np.array_equal(first, second):
                return f"{what}: {np.asarray(first).tolist()} and {np.asarray(second).tolist()}"
    return ""


def log_rows(fire: Fire) -> np.ndarray:
    return fire.log.rows[: fire.log.counts[0]]


def asked_rows(fire: Fire) -> np.ndarray:
    return fire.tape.asked[: fire.tape.counts[tapes.USED]]


def assert_same(one: Fire, other: Fire, what: str) -> None:
    """The same dice, the same log, the same outcome, the same state."""
    assert one.faces == other.faces, what
    assert np.array_equal(asked_rows(one), asked_rows(other)), what
    assert np.array_equal(log_rows(one), log_rows(other)), what
    assert one.outcome() == other.outcome(), what
    assert difference(one.state, other.state) == "", what


def fires_of(system: str, count: int) -> list[tuple[int, Prepared]]:
    return [(seed, prepared(firesim.load(draw(system, seed)))) for seed in range(count)]


def called(fire: Fire, seed: int) -> str:
    """What to say of a random scenario's fire when something is wrong."""
    return f"random {fire.prepared.system.name} {seed}"


@pytest.fixture(scope="module", params=SYSTEMS)
def told(request: pytest.FixtureRequest) -> list[tuple[int, Fire]]:
    """Fires of random scenarios of a system, played with keyed dice, a tape and a log."""
    fires = []
    for seed, ready in fires_of(request.param, FIRES):
        fire = Fire(ready, seed)
        fire.play_to(ready.horizon)
        fires.append((seed, fire))
    return fires


# ------------------------------------------------------------------------------------------------------ the same fire
def test_without_tape_and_log_it_ends_in_the_same_state(told: list[tuple[int, Fire]]) -> None:
    for seed, fire in told:
        ready, state = fire.prepared, copied(fire.prepared.first)
        why = play_on(
            ready.params, state, seed, 0, None, None, ready.horizon, ready.dice_per_act, ready.rows_per_act, False
        )
        assert why == OVER
        assert difference(fire.state, state) == "", called(fire, seed)


def test_from_its_own_faces_it_is_the_same_whatever_the_seed(told: list[tuple[int, Fire]]) -> None:
    for seed, fire in told:
        again = Fire(fire.prepared, seed + 1, 5, fire.faces)
        again.play_to(fire.prepared.horizon)
        again.check_all_faces_used()
        assert_same(fire, again, called(fire, seed))


def test_the_random_scenarios_burn(told: list[tuple[int, Fire]]) -> None:
    assert sum(len(fire.faces) for _, fire in told) > 2000
    assert {fire.over() for _, fire in told} == {True, False}, "some go out, some are cut short by their horizon"
    ever_lit = [int((fire.state.cells["at"][:, 0] >= 0).sum()) for _, fire in told]
    assert max(ever_lit) > 10


def test_act_by_act_with_a_person_rolling_it_is_the_same(told: list[tuple[int, Fire]]) -> None:
    for seed, fire in told[:60]:
        prompts: list[tuple[str, int]] = []

        def person(prompt: str, sides: int, fire: Fire = fire, prompts: list[tuple[str, int]] = prompts) -> int:
            prompts.append((prompt, sides))
            return fire.faces[len(prompts) - 1]

        asked = Fire(fire.prepared, seed + 1, 5, ask=person)
        asked.tape, asked.log = tapes.blank([], 1), logs.blank(1)
        asked.play_to(fire.prepared.horizon)
        assert_same(fire, asked, called(fire, seed))
        expected = [(fire.describe_die(place), int(fire.tape.asked[place, 0])) for place in range(len(fire.faces))]
        assert prompts == expected


def test_the_first_faces_may_be_given_and_the_rest_asked_for(told: list[tuple[int, Fire]]) -> None:
    seed, fire = next((seed, fire) for seed, fire in told if len(fire.faces) > 30)
    rest = iter(fire.faces[12:])
    both = Fire(fire.prepared, seed + 1, faces=fire.faces[:12], ask=lambda prompt, sides: next(rest))
    both.play_to(fire.prepared.horizon)
    assert_same(fire, both, called(fire, seed))
    assert list(rest) == []


def test_single_acts_add_up_to_the_fire_and_keep_to_the_room_they_ask_for(told: list[tuple[int, Fire]]) -> None:
    for seed, fire in told:
        ready = fire.prepared
        single = Fire(ready, seed)
        single.tape, single.log = tapes.blank(None, 5000), logs.blank(20_000)
        why = ACTED
        while why == ACTED:
            dice, rows = int(single.tape.counts[tapes.USED]), int(single.log.counts[0])
            why = play_on(
                ready.params, single.state, seed, 0, single.tape, single.log, ready.horizon,
                ready.dice_per_act, ready.rows_per_act, True,
            )  # fmt: skip
            assert single.tape.counts[tapes.USED] - dice <= ready.dice_per_act, called(fire, seed)
            assert len(set(asked_rows(single)[dice:, tapes.ACTOR].tolist())) <= 1, f"{called(fire, seed)}: one actor's"
            assert single.log.counts[0] - rows <= ready.rows_per_act, called(fire, seed)
        assert why == OVER
        assert_same(fire, single, called(fire, seed))


def test_tape_and_log_grow_between_acts_without_losing_anything(told: list[tuple[int, Fire]]) -> None:
    for seed, fire in told:
        cramped = Fire(fire.prepared, seed)
        cramped.tape, cramped.log = tapes.blank(None, 1), logs.blank(1)
        cramped.play_to(fire.prepared.horizon)
        assert_same(fire, cramped, called(fire, seed))


def test_a_full_tape_or_log_stops_before_the_act(told: list[tuple[int, Fire]]) -> None:
    seed, fire = told[0]
    ready, state = fire.prepared, copied(fire.prepared.first)
    tape, log = tapes.blank(None, 100), logs.blank(100)
    for few_dice, few_rows in ((101, 1), (1, 101)):
        assert play_on(ready.params, state, seed, 0, tape, log, ready.horizon, few_dice, few_rows, False) == NO_ROOM
        assert difference(state, ready.first) == ""


def test_step_by_step_it_is_the_same(told: list[tuple[int, Fire]]) -> None:
    for seed, fire in told:
        stepped = Fire(fire.prepared, seed)
        seen = [frame.step for frame in frames(stepped, fire.prepared.horizon)]
        assert seen == list(range(fire.outcome()["steps"] + 1))
        assert_same(fire, stepped, called(fire, seed))


def test_the_events_of_its_frames_are_the_events_of_the_fire(told: list[tuple[int, Fire]]) -> None:
    for seed, fire in told[:40]:
        shown = list(frames(Fire(fire.prepared, seed), fire.prepared.horizon))
        assert [event for frame in shown for event in frame.events] == fire.events()
        assert all(event.step == frame.step for frame in shown for event in frame.events)


# ------------------------------------------------------------------------------------------------------------ batches
@pytest.mark.parametrize("system", SYSTEMS)
def test_row_k_of_a_study_is_the_fire_of_replicate_k(system: str) -> None:
    for seed in range(0, FIRES, 3):
        scenario = firesim.load(draw(system, seed))
        fires = firesim.study(scenario, 6, seed=seed, workers=1)
        for k in (0, 1, 5):
            row = fires.outcomes[k]
            run = firesim.run(scenario, seed=seed, replicate=k)
            assert {name: int(row[name]) for name in fires.prepared.columns} == run.outcome


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_batch_is_the_same_whatever_its_size_and_beginning(system: str) -> None:
    for seed in range(FIRES):
        scenario = firesim.load(draw(system, seed))
        whole = firesim.study(scenario, 12, seed=seed, workers=1)
        first = firesim.study(scenario, 5, seed=seed, workers=1)
        second = firesim.study(scenario, 7, seed=seed, first_replicate=5, workers=1)
        assert list(second.outcomes["replicate"]) == list(range(5, 12))
        assert np.array_equal(whole.outcomes, np.concatenate([first.outcomes, second.outcomes])), f"seed {seed}"
        assert np.array_equal(whole.counts.counts, first.counts.counts + second.counts.counts)
        assert np.array_equal(whole.counts.sums, first.counts.sums + second.counts.sums)


@pytest.mark.parametrize("block_seconds", [0.0, 0.01, 10.0])
@pytest.mark.parametrize(("system", "column"), [("town", "lit"), ("ship", "damage")])
def test_threads_change_nothing(
    monkeypatch: pytest.MonkeyPatch, system: str, column: str, block_seconds: float
) -> None:
    monkeypatch.setattr(blocks, "BLOCK_SECONDS", block_seconds)
    scenario = firesim.load(LARGER[system])
    alone = firesim.study(scenario, 300, seed=SEED, workers=1)
    assert len(np.unique(alone.outcomes[column])) > 20
    for workers in (2, 5):
        together = firesim.study(scenario, 300, seed=SEED, workers=workers)
        assert np.array_equal(alone.outcomes, together.outcomes)
        assert np.array_equal(alone.counts.counts, together.counts.counts)
        assert np.array_equal(alone.counts.sums, together.counts.sums)
        assert together.counts.fires == 300


@pytest.mark.parametrize("system", SYSTEMS)
def test_reset_restores_every_array_and_leaves_the_first_state_alone(system: str) -> None:
    restored_from_a_change = 0
    for seed, ready in fires_of(system, 400):
        kept, worker = copied(ready.first), Worker(ready, seed)
        state = worker.state
        rows = np.zeros((1, len(ready.columns)), np.int64)
        for replicate in range(4):
            worker.burn(replicate, rows)
            restored_from_a_change += int(rows[0, 2]) > 0  # lit, or modules lit
            assert difference(ready.first, kept) == "", f"seed {seed}: the first state was written to"
            assert difference(state, ready.first) == "", f"seed {seed}, replicate {replicate}"
        touched = set(state.touched_list[: state.counts[TOUCHED]].tolist())
        assert set(np.flatnonzero(state.cells.touched).tolist()) == touched
        recorded_at_the_start = bool((ready.first.cells["at"] >= 0).any())
        assert recorded_at_the_start == bool(touched), "nothing is touched but what burns or is broken from the start"
    assert restored_from_a_change > 1000


def test_a_fires_touched_list_names_every_cell_that_it_changed(told: list[tuple[int, Fire]]) -> None:
    for seed, fire in told:
        first, state = fire.prepared.first, fire.state
        touched = state.touched_list[: state.counts[TOUCHED]]
        assert len(set(touched.tolist())) == len(touched)
        untouched = np.setdiff1d(np.arange(len(state.cells)), touched)
        for name in state.cells.dtype.names:
            assert np.array_equal(state.cells[name][untouched], first.cells[name][untouched]), (
                f"{called(fire, seed)}: {name}"
            )


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_block_does_not_depend_on_what_its_state_burnt_before(system: str) -> None:
    for seed, ready in fires_of(system, 40):
        used, fresh = Worker(ready, SEED), Worker(ready, seed)
        rows, again, alone = (np.zeros((n, len(ready.columns)), np.int64) for n in (20, 5, 5))
        used.burn(0, rows)
        used.seed = seed
        used.burn(0, again)
        fresh.burn(0, alone)
        assert np.array_equal(again, alone), f"seed {seed}"


# ------------------------------------------------------------------------------------------------------- plain Python
PLAIN = """
import json, sys
sys.path.insert(0, {root!r})
import firesim, firesim.jit
from firesim.api import prepared
from firesim.dice import tape
from firesim.events import log
from firesim.play import Fire
from tests.oracles.drawing import draw

assert firesim.jit.disabled()
told = []
system = {system!r}
for source, seed in [(draw(system, s), s) for s in range(30)] + [({larger!r}, 7)]:
    ready = prepared(firesim.load(source))
    fire = Fire(ready, seed)
    fire.tape, fire.log = tape.blank(None, 1), log.blank(1)  # uncompiled, a write beyond the room raises IndexError
    fire.play_to(ready.horizon)
    told.append((fire.outcome(), fire.faces, [record.text for record in fire.events()]))
rows = firesim.study(draw(system, 3), 4, seed=3, workers=1).outcomes
print(json.dumps([told, [[int(v) for v in row] for row in rows]]))
"""


@pytest.mark.parametrize("system", SYSTEMS)
def test_uncompiled_it_is_the_same_fire(system: str) -> None:
    larger = LARGER[system]
    script = PLAIN.format(root=str(ROOT), system=system, larger=str(larger) if isinstance(larger, Path) else larger)
    done = subprocess.run(
        [sys.executable, "-W", "error:::firesim", "-c", script],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    told, rows = json.loads(done.stdout)
    cases = [(draw(system, seed), seed) for seed in range(30)] + [(larger, 7)]
    assert len(told) == len(cases)
    for (source, seed), (outcome, faces, texts) in zip(cases, told, strict=True):
        run = firesim.run(source, seed=seed)
        assert (run.outcome, run.faces) == (outcome, faces), f"seed {seed}"
        assert [record.text for record in run.events] == texts
    assert rows == [[int(v) for v in row] for row in firesim.study(draw(system, 3), 4, seed=3).outcomes]
