"""One fire, however it is played: with a log or without, from its own faces, act by act, in a batch, on threads."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import firesim
from firesim.api import prepared
from firesim.core.fields import copied
from firesim.core.problems import InputError
from firesim.dice import tape as tapes
from firesim.events import log as logs
from firesim.play import ACTED, NO_FACE, NO_ROOM, OVER, Fire, burn_block, frames, play_block, play_on
from firesim.rules.base import PHASE, POSITION, STEP, STEPS_MOST, TOUCHED, Prepared
from firesim.studies import blocks
from tests.oracles.random_towns import random_town

ROOT = Path(__file__).resolve().parent.parent
RIVERSIDE = ROOT / "maps" / "riverside.toml"
SEED = 20261129
TOWNS = 150


def house(**words: Any) -> dict[str, Any]:
    """One house and a fire set to it until it catches."""
    legend = {"st": 10, "armour": 3, "building": "Old Mill"} | words.pop("legend", {})
    ignition = {"cell": [0, 0]} | words.pop("ignite", {})
    return {"system": "town", "map": {"rows": ["h"], "legend": {"h": legend}}, "ignite": [ignition]} | words


def difference(one: Any, other: Any) -> str:
    """The first field in which two town states differ, empty when there is none; lists count as far as they reach."""
    for name in one._fields:
        ours, theirs = getattr(one, name), getattr(other, name)
        if name == "words":
            continue  # scratch: bits that only a batch writes, anew every turn
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


def towns(count: int) -> list[tuple[int, Prepared]]:
    return [(seed, prepared(firesim.load(random_town(seed)))) for seed in range(count)]


@pytest.fixture(scope="module")
def told() -> list[tuple[int, Fire]]:
    """Fires of random towns, played with keyed dice, a tape and a log."""
    fires = []
    for seed, ready in towns(TOWNS):
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
        assert difference(fire.state, state) == "", f"random_town({seed})"


def test_from_its_own_faces_it_is_the_same_whatever_the_seed(told: list[tuple[int, Fire]]) -> None:
    for seed, fire in told:
        again = Fire(fire.prepared, seed + 1, 5, fire.faces)
        again.play_to(fire.prepared.horizon)
        again.check_all_faces_used()
        assert_same(fire, again, f"random_town({seed})")


def test_the_random_towns_burn(told: list[tuple[int, Fire]]) -> None:
    assert sum(len(fire.faces) for _, fire in told) > 2000
    assert {fire.over() for _, fire in told} == {True, False}, "some go out, some are cut short by their horizon"
    assert max(fire.outcome()["lit"] for _, fire in told) > 20


def test_act_by_act_with_a_person_rolling_it_is_the_same(told: list[tuple[int, Fire]]) -> None:
    for seed, fire in told[:60]:
        prompts: list[tuple[str, int]] = []

        def person(prompt: str, sides: int, fire: Fire = fire, prompts: list[tuple[str, int]] = prompts) -> int:
            prompts.append((prompt, sides))
            return fire.faces[len(prompts) - 1]

        asked = Fire(fire.prepared, seed + 1, 5, ask=person)
        asked.tape, asked.log = tapes.blank([], 1), logs.blank(1)
        asked.play_to(fire.prepared.horizon)
        assert_same(fire, asked, f"random_town({seed})")
        expected = [(fire.describe_die(place), int(fire.tape.asked[place, 0])) for place in range(len(fire.faces))]
        assert prompts == expected


def test_the_first_faces_may_be_given_and_the_rest_asked_for(told: list[tuple[int, Fire]]) -> None:
    seed, fire = next((seed, fire) for seed, fire in told if len(fire.faces) > 30)
    rest = iter(fire.faces[12:])
    both = Fire(fire.prepared, seed + 1, faces=fire.faces[:12], ask=lambda prompt, sides: next(rest))
    both.play_to(fire.prepared.horizon)
    assert_same(fire, both, f"random_town({seed})")
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
            assert single.tape.counts[tapes.USED] - dice <= ready.dice_per_act, f"random_town({seed})"
            assert single.log.counts[0] - rows <= ready.rows_per_act, f"random_town({seed})"
        assert why == OVER
        assert_same(fire, single, f"random_town({seed})")


def test_tape_and_log_grow_between_acts_without_losing_anything(told: list[tuple[int, Fire]]) -> None:
    for seed, fire in told:
        cramped = Fire(fire.prepared, seed)
        cramped.tape, cramped.log = tapes.blank(None, 1), logs.blank(1)
        cramped.play_to(fire.prepared.horizon)
        assert_same(fire, cramped, f"random_town({seed})")


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
        assert_same(fire, stepped, f"random_town({seed})")


def test_the_events_of_its_frames_are_the_events_of_the_fire(told: list[tuple[int, Fire]]) -> None:
    for seed, fire in told[:40]:
        shown = list(frames(Fire(fire.prepared, seed), fire.prepared.horizon))
        assert [event for frame in shown for event in frame.events] == fire.events()
        assert all(event.step == frame.step for frame in shown for event in frame.events)


# ------------------------------------------------------------------------------------------------------------ batches
def test_row_k_of_a_study_is_the_fire_of_replicate_k() -> None:
    for seed in range(0, TOWNS, 3):
        scenario = firesim.load(random_town(seed))
        fires = firesim.study(scenario, 6, seed=seed, workers=1)
        for k in (0, 1, 5):
            row = fires.outcomes[k]
            run = firesim.run(scenario, seed=seed, replicate=k)
            assert {name: int(row[name]) for name in fires.prepared.columns} == run.outcome


def test_a_batch_is_the_same_whatever_its_size_and_beginning() -> None:
    for seed in range(TOWNS):
        scenario = firesim.load(random_town(seed))
        whole = firesim.study(scenario, 12, seed=seed, workers=1)
        first = firesim.study(scenario, 5, seed=seed, workers=1)
        second = firesim.study(scenario, 7, seed=seed, first_replicate=5, workers=1)
        assert list(second.outcomes["replicate"]) == list(range(5, 12))
        assert np.array_equal(whole.outcomes, np.concatenate([first.outcomes, second.outcomes])), f"random_town({seed})"
        assert np.array_equal(whole.counts.counts, first.counts.counts + second.counts.counts)
        assert np.array_equal(whole.counts.sums, first.counts.sums + second.counts.sums)


@pytest.mark.parametrize("block_seconds", [0.0, 0.01, 10.0])
def test_threads_change_nothing(monkeypatch: pytest.MonkeyPatch, block_seconds: float) -> None:
    monkeypatch.setattr(blocks, "BLOCK_SECONDS", block_seconds)
    scenario = firesim.load(RIVERSIDE)
    alone = firesim.study(scenario, 300, seed=SEED, workers=1)
    assert len(np.unique(alone.outcomes["lit"])) > 20
    for workers in (2, 5):
        together = firesim.study(scenario, 300, seed=SEED, workers=workers)
        assert np.array_equal(alone.outcomes, together.outcomes)
        assert np.array_equal(alone.counts.counts, together.counts.counts)
        assert np.array_equal(alone.counts.sums, together.counts.sums)
        assert together.counts.fires == 300


def test_reset_restores_every_array_and_leaves_the_first_state_alone() -> None:
    restored_from_a_change = 0
    for seed, ready in towns(400):
        kept, state = copied(ready.first), copied(ready.first)
        maps, curves = np.zeros((2, 4, len(state.cells)), np.int64), np.zeros((4, 50), np.int64)
        rows = np.zeros((1, len(ready.columns)), np.int64)
        for replicate in range(4):
            play_block(ready.params, ready.first, state, seed, replicate, rows, ready.horizon, *maps, curves)
            restored_from_a_change += int(rows[0, 2]) > 0
            assert difference(ready.first, kept) == "", f"random_town({seed}): the first state was written to"
            assert difference(state, ready.first) == "", f"random_town({seed}), replicate {replicate}"
        touched = set(state.touched_list[: state.counts[TOUCHED]].tolist())
        assert set(np.flatnonzero(state.cells.touched).tolist()) == touched
        alight_from_the_start = bool(ready.first.cells.burning.any())
        assert alight_from_the_start == bool(touched), "without a fire alight from the start nothing is touched"
    assert restored_from_a_change > 1000


def test_a_fires_touched_list_names_every_cell_that_it_changed(told: list[tuple[int, Fire]]) -> None:
    for seed, fire in told:
        first, state = fire.prepared.first, fire.state
        touched = state.touched_list[: state.counts[TOUCHED]]
        assert len(set(touched.tolist())) == len(touched)
        untouched = np.setdiff1d(np.arange(len(state.cells)), touched)
        for name in state.cells.dtype.names:
            assert np.array_equal(state.cells[name][untouched], first.cells[name][untouched]), (
                f"random_town({seed}): {name}"
            )


def test_a_block_does_not_depend_on_what_its_state_burnt_before() -> None:
    for seed, ready in towns(40):
        used, maps = copied(ready.first), np.zeros((2, 4, len(ready.first.cells)), np.int64)
        burn_block(ready, used, SEED, 0, 20, *maps)
        fresh = burn_block(ready, copied(ready.first), seed, 0, 5, *np.zeros_like(maps))
        assert np.array_equal(burn_block(ready, used, seed, 0, 5, *maps), fresh), f"random_town({seed})"


# ------------------------------------------------------------------------------------------------------- plain Python
PLAIN = """
import json, sys
sys.path.insert(0, {root!r})
import firesim, firesim.jit
from firesim.api import prepared
from firesim.dice import tape
from firesim.events import log
from firesim.play import Fire
from tests.oracles.random_towns import random_town

assert firesim.jit.disabled()
told = []
for source, seed in [(random_town(s), s) for s in range(30)] + [({riverside!r}, 7)]:
    ready = prepared(firesim.load(source))
    fire = Fire(ready, seed)
    fire.tape, fire.log = tape.blank(None, 1), log.blank(1)  # uncompiled, a write beyond the room raises IndexError
    fire.play_to(ready.horizon)
    told.append((fire.outcome(), fire.faces, [record.text for record in fire.events()]))
rows = firesim.study(random_town(3), 4, seed=3, workers=1).outcomes
print(json.dumps([told, [[int(v) for v in row] for row in rows]]))
"""


def test_uncompiled_it_is_the_same_fire() -> None:
    script = PLAIN.format(root=str(ROOT), riverside=str(RIVERSIDE))
    done = subprocess.run(
        [sys.executable, "-W", "error:::firesim", "-c", script],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    told, rows = json.loads(done.stdout)
    cases = [(random_town(seed), seed) for seed in range(30)] + [(RIVERSIDE, 7)]
    assert len(told) == len(cases)
    for (source, seed), (outcome, faces, texts) in zip(cases, told, strict=True):
        run = firesim.run(source, seed=seed)
        assert (run.outcome, run.faces) == (outcome, faces), f"seed {seed}"
        assert [record.text for record in run.events] == texts
    assert rows == [[int(v) for v in row] for row in firesim.study(random_town(3), 4, seed=3).outcomes]


# ------------------------------------------------------------------------------------------------------------ horizons
def test_a_horizon_stops_a_fire_that_still_burns() -> None:
    endless = house(legend={"armour": 6}, ignite={"alight": True}, steps=12)
    run = firesim.run(endless, seed=SEED)
    assert (run.outcome["steps"], run.outcome["burning"], run.outcome["consumed"]) == (12, 1, 0)
    assert firesim.study(endless, 1, seed=SEED).outcomes["steps"][0] == 12


def test_steps_cut_a_fire_short_and_never_make_it_longer() -> None:
    scenario = firesim.load(RIVERSIDE)
    whole = firesim.run(scenario, seed=7)
    assert whole.outcome["steps"] == 45
    for steps in (0, 1, 17, 45, 46, 5000):
        cut = firesim.run(scenario, seed=7, steps=steps)
        assert cut.outcome["steps"] == min(steps, 45)
        assert cut.faces == whole.faces[: len(cut.faces)]
        assert np.array_equal(cut.history["st"], whole.history["st"][: steps + 1])
        assert np.array_equal(
            cut.state.cells.st[:-1].reshape(whole.prepared.shape), whole.history["st"][min(steps, 45)]
        )
    assert firesim.run(scenario, seed=7, steps=20, changes={"steps": 10}).outcome["steps"] == 10


def test_a_fire_played_in_stages_tells_whether_more_is_to_come() -> None:
    ready = prepared(firesim.load(RIVERSIDE))
    whole, staged = Fire(ready, 7), Fire(ready, 7)
    assert whole.play_to(ready.horizon) is False
    assert staged.play_to(0) is True
    assert staged.step == 0
    for stop in (3, 3, 20, 44):
        assert staged.play_to(stop) is True
        assert staged.step == stop
        assert not staged.over()
    assert staged.play_to(45) is False
    assert staged.over()
    assert staged.play_to(100) is False
    assert staged.step == 45
    assert_same(whole, staged, "riverside")


def test_between_calls_no_step_is_under_way() -> None:
    ready = prepared(firesim.load(RIVERSIDE))
    fire = Fire(ready, 7)
    for stop in range(1, 10):
        fire.play_to(stop)
        assert (fire.state.clock[STEP], fire.state.clock[PHASE], fire.state.clock[POSITION]) == (stop, 0, 0)


def test_a_stone_house_that_never_catches_is_left_after_100_000_steps() -> None:
    stone = house(legend={"armour": 8})
    fires = firesim.study(stone, 2, seed=SEED)
    assert STEPS_MOST == 100_000
    assert list(fires.outcomes["steps"]) == [100_000, 100_000]
    assert list(fires.outcomes["burning"]) == [0, 0]
    assert list(fires.outcomes["lit"]) == [0, 0]


def test_a_stone_house_that_smoulders_for_ever_counts_as_burning() -> None:
    fires = firesim.study(house(legend={"armour": 8}, ignite={"alight": True}), 1, seed=SEED)
    assert fires.outcomes["steps"][0] == 100_000
    assert fires.outcomes["burning"][0] == 1


# --------------------------------------------------------------------------------------------------- a person's faces
BOOK = [3, 4, 1, 3, 4, 3, 2, 1, 5]
"""The gritty worked example: eight turns, with the collapse die in the seventh."""


def said(dice: list[int] | Callable[[str, int], int], document: dict[str, Any] | None = None) -> str:
    with pytest.raises(InputError) as caught:
        firesim.run(document or house(), dice=dice)
    return str(caught.value)


def test_the_worked_example_uses_exactly_its_faces() -> None:
    run = firesim.run(house(), dice=BOOK)
    assert run.outcome["steps"] == 8
    assert run.faces == BOOK


def test_too_few_faces_name_the_roll_that_wanted_one() -> None:
    message = said(BOOK[:-2])
    assert "too few faces: 7 given" in message
    assert "one more is wanted for Turn 7: d6 for the fire attack in Old Mill (0, 0)" in message
    assert "Turn 7: d6 for the collapse of Old Mill (0, 0)" in said(BOOK[:6])
    assert "Turn 1: d6 for the fire attack that is to set Old Mill (0, 0) alight" in said([])


def test_faces_left_over_are_counted() -> None:
    assert "1 face left over: the fire is over after 9" in said([*BOOK, 2])
    assert "3 faces left over: the fire is over after 9" in said([*BOOK, 2, 2, 2])


@pytest.mark.parametrize("wrong", [0, 7, -3])
def test_a_face_not_on_its_die_is_named_with_its_roll(wrong: int) -> None:
    message = said([3, 4, wrong, 1])
    assert f"face 3 is {wrong}, which a d6 does not show" in message
    assert "expected a face from 1 to 6" in message
    assert "Turn 3: d6 for the fire attack in" in message


def test_a_person_is_told_who_rolls_what_and_why() -> None:
    prompts: list[tuple[str, int]] = []

    def person(prompt: str, sides: int) -> int:
        prompts.append((prompt, sides))
        return BOOK[len(prompts) - 1]

    assert firesim.run(house(), dice=person).faces == BOOK
    set_alight = "d6 for the fire attack that is to set Old Mill (0, 0) alight"
    burns, falls = "d6 for the fire attack in Old Mill (0, 0)", "d6 for the collapse of Old Mill (0, 0)"
    rolls = [
        (1, set_alight),
        (2, set_alight),
        *((turn, burns) for turn in range(3, 7)),
        (7, falls),
        (7, burns),
        (8, burns),
    ]
    assert prompts == [(f"Turn {turn}: {roll}", 6) for turn, roll in rolls]


def test_a_person_who_types_a_face_that_is_not_on_the_die_is_told_so() -> None:
    message = said(lambda prompt, sides: 9)
    assert "face 1 is 9, which a d6 does not show" in message


def test_a_missing_face_stops_the_jitted_loop_at_once() -> None:
    ready = prepared(firesim.load(house()))
    fire = Fire(ready, 0, faces=[3, 4])
    why = play_on(
        ready.params,
        fire.state,
        0,
        0,
        fire.tape,
        fire.log,
        ready.horizon,
        ready.dice_per_act,
        ready.rows_per_act,
        False,
    )
    assert why == NO_FACE
    assert fire.tape.counts[tapes.USED] == 2
