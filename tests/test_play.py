"""Playing a fire of the town: horizons and stages, a person's faces and what is said of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import firesim
from firesim.api import prepared
from firesim.core.problems import InputError
from firesim.dice import tape as tapes
from firesim.play import NO_FACE, Fire, play_on
from firesim.rules.base import PHASE, POSITION, STEP, STEPS_MOST

RIVERSIDE = Path(__file__).resolve().parent.parent / "maps" / "riverside.toml"
SEED = 20261129


def house(**words: Any) -> dict[str, Any]:
    """One house and a fire set to it until it catches."""
    legend = {"st": 10, "armour": 3, "building": "Old Mill"} | words.pop("legend", {})
    ignition = {"cell": [0, 0]} | words.pop("ignite", {})
    return {"system": "town", "map": {"rows": ["h"], "legend": {"h": legend}}, "ignite": [ignition]} | words


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
    assert (staged.faces, staged.outcome(), staged.events()) == (whole.faces, whole.outcome(), whole.events())


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


def test_faces_left_over_where_steps_stopped_the_fire_are_not_said_to_be_of_one_that_is_over() -> None:
    def told(faces: list[int], steps: int) -> str:
        with pytest.raises(InputError) as caught:
            firesim.run(house(), dice=faces, steps=steps)
        return str(caught.value)

    assert "2 faces left over: 1 turn rolls 1 die: expected 1 face; leave" in told(BOOK[:3], 1)
    for steps in (3, 4):
        used = len(firesim.run(house(), seed=1, steps=steps).faces)
        rolled = firesim.run(house(), seed=1, steps=steps).faces
        assert f"1 face left over: {steps} turns roll {used} dice: expected {used} faces" in told([*rolled, 1], steps)


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
