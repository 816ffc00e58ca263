"""A game: step by step it is the run, what people do holds from the next step on, and undo brings back what was."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import firesim
from firesim.core.problems import InputError
from firesim.events.spread import NOBODY
from firesim.play import history_fields
from firesim.rules.base import SYSTEMS
from firesim.table.game import Game
from firesim.table.inputs import Applied, Stepped
from firesim.table.proof import fields_of, state_digest
from firesim.table.rolling import RollTheRest, TakeBack
from tests.oracles.random_ships import random_ship
from tests.oracles.random_towns import random_town
from tests.properties.strategies import fixed

RANDOM = {"town": random_town, "ship": random_ship}
HOUSE: dict[str, Any] = {
    "system": "town",
    "map": {"rows": ["h h ."], "legend": {"h": {"armour": 3, "st": 10, "roof": "thatch"}}},
    "ignite": [{"cell": [0, 0]}],
}
SHIP: dict[str, Any] = {
    "system": "ship",
    "map": {"rows": ["A B", "C ."], "legend": {k: {"module": k} for k in "ABC"}},
    "ignite": [{"cell": [0, 0]}],
    "crew": [
        {"name": "Kest", "cell": [0, 0], "health": 8, "engineering": 3},
        {"name": "Io", "cell": [1, 0], "health": 5},
    ],
}


def play_on(game: Game, steps: int) -> None:
    for _ in range(steps):
        if not game.over:
            game.step()


def same(game: Game, run: Any) -> None:
    assert (game.outcome, game.events, game.faces) == (run.outcome, run.events, run.faces)
    theirs = dict(fields_of(run.state))
    assert [name for name, array in fields_of(game.state) if not np.array_equal(array, theirs[name])] == []


# ------------------------------------------------------------------------------------------------------- it is the run
@pytest.mark.parametrize("system", SYSTEMS)
def test_step_by_step_it_is_the_run(system: str) -> None:
    for seed in range(40):
        document = RANDOM[system](seed)
        game = firesim.game(document, seed=seed, replicate=2)
        play_on(game, 25)
        same(game, firesim.run(document, seed=seed, replicate=2, steps=game.steps))


@pytest.mark.parametrize("system", SYSTEMS)
def test_with_events_of_the_table_it_is_the_run_of_the_scenario_that_has_them(system: str) -> None:
    happened = 0
    for seed in range(60):
        draw = random.Random(seed)
        game = firesim.game(RANDOM[system](seed), seed=seed)
        for _ in range(12):
            if draw.random() < 0.4:
                happened += something_happens(game, draw, deeds=False)
            play_on(game, 1)
        same(game, firesim.run(game.document, seed=seed, steps=game.steps))
        assert [frame.step for _, frame in game.frames()] == list(range(game.steps + 1))
    assert happened > 60


def event_of(game: Game, draw: random.Random) -> dict[str, Any]:
    """Some event of the system, which the check may refuse."""
    rows, cols = game.prepared.shape[-2:]
    cell = [draw.randrange(rows), draw.randrange(cols)]
    kind = draw.choice([k for k in game.kinds if k not in game.deed_kinds])
    event: dict[str, Any] = {"kind": kind}
    values = {
        "wind": ("wind", ["none", "die", *game.prepared.headings[:2]]),
        "moisture": ("moisture", ["wet", "damp", "arid"]),
        "accelerant": ("accelerant", ["oil", "gunpowder"]),
    }
    if kind in values:
        event[values[kind][0]] = draw.choice(values[kind][1])
    return event if kind == "wind" else event | {"cell": cell}


def deed_of(game: Game, draw: random.Random) -> dict[str, Any] | None:
    """Something done to one of the crew, where there is one."""
    crew = game.document.get("crew", [])
    if not crew:
        return None
    person = draw.choice(crew)["name"]
    rows, cols = game.prepared.shape
    order = draw.choice(["none", "extinguish all", "extinguish module", "hold door", "extinguish person"])
    return draw.choice(
        [
            {"kind": "order", "crew": person, "order": order},
            {"kind": "hurt", "crew": person, "amount": draw.randint(-3, 6)},
            {"kind": "heal", "crew": person, "amount": draw.randint(0, 4)},
            {"kind": "move", "crew": person, "cell": [draw.randrange(rows), draw.randrange(cols)]},
        ]
    )


def something_happens(game: Game, draw: random.Random, deeds: bool = True) -> bool:
    """Apply some event or deed; whether it was possible."""
    done = deed_of(game, draw) if deeds and draw.random() < 0.5 else None
    before, digest = list(game.inputs), state_digest(game)
    try:
        game.apply(done or event_of(game, draw))
    except InputError:
        assert (game.inputs, state_digest(game)) == (before, digest), "refused, it must change nothing"
        return False
    return True


# ------------------------------------------------------------------------------------------------------------ interfere
@pytest.mark.parametrize("system", SYSTEMS)
def test_an_event_changes_nothing_that_was_before_it(system: str) -> None:
    told = 0
    for seed in range(80):
        draw = random.Random(seed)
        game = firesim.game(RANDOM[system](seed), seed=seed)
        play_on(game, draw.randint(0, 8))
        cells = {name: game.state.cells[name].copy() for name in history_fields(game.prepared)}
        before = (game.steps, game.outcome, game.events, game.faces)
        if something_happens(game, draw, deeds=False):
            told += 1
            assert (game.steps, game.outcome, game.events, game.faces) == before, seed
            assert all(np.array_equal(game.state.cells[name], old) for name, old in cells.items()), seed
    assert told > 25


def test_an_event_happens_in_the_next_step() -> None:
    game = firesim.game(HOUSE, seed=4)
    game.step(faces=[4])
    game.apply({"kind": "demolish", "cell": [0, 0]})
    assert game.outcome["burning"] == 1
    assert [r.event for r in game.step()] == ["demolished"]
    assert game.document["event"] == [{"step": 2, "kind": "demolish", "cell": [0, 0]}]
    assert "event" not in HOUSE


def test_a_fire_that_is_over_begins_again_with_an_event() -> None:
    game = firesim.game(HOUSE, seed=4)
    game.step(faces=[4])
    game.apply({"kind": "demolish", "cell": [0, 0]})
    game.step()
    assert game.over
    with pytest.raises(InputError, match="nothing burns"):
        game.step()
    game.apply({"kind": "ignite", "cell": [0, 1], "alight": True})
    assert not game.over
    game.step()
    assert game.outcome["burning"] == 1


def test_an_event_may_be_set_for_later_but_not_for_what_was_played() -> None:
    game = firesim.game(HOUSE, seed=4)
    game.step(faces=[4])
    game.apply({"kind": "wind", "wind": "E", "step": 3})
    assert [r.event for r in game.step(faces=[2])] == ["attack", "stalled"] or game.steps == 2
    assert game.step()[0].event == "wind"
    with pytest.raises(InputError, match="step 3 has been played"):
        game.apply({"kind": "wind", "wind": "E", "step": 3})


@pytest.mark.parametrize(
    ("event", "message"),
    [
        ({"kind": "drench", "cell": [0, 0]}, "unknown event 'drench': expected wind"),
        ({"cell": [0, 0]}, "no kind"),
        ({"kind": "wet", "cell": [5, 5]}, "cell: cell \\(5, 5\\) lies off the map"),
        ({"kind": "demolish"}, "names no place"),
        ({"kind": "wind", "wind": "N"}, "wind: "),
        ({"kind": "order", "crew": "Kest"}, "unknown event 'order'"),
        ("wet", "no dict"),
    ],
)
def test_what_is_wrong_with_an_event_is_told_kindly(event: Any, message: str) -> None:
    game = firesim.game(HOUSE, seed=4)
    with pytest.raises(InputError, match=message):
        game.apply(event)
    assert game.inputs == []


def test_the_horizon_of_the_scenario_is_the_end() -> None:
    game = firesim.game(HOUSE | {"steps": 1}, seed=4)
    game.step()
    assert game.over
    with pytest.raises(InputError, match="ends with step 1"):
        game.step()


# ---------------------------------------------------------------------------------------------------------------- deeds
def test_an_order_holds_from_the_next_phase_on() -> None:
    game = firesim.game(SHIP, seed=1)
    game.step()
    assert not any(r.event.endswith("put out") for r in game.events)
    game.apply({"kind": "order", "crew": "Kest", "order": "extinguish module"})
    told = game.step()
    assert any(r.event in ("put out", "not put out") and "Kest" in r.text for r in told)


def test_people_move_and_are_hurt_and_healed() -> None:
    game = firesim.game(SHIP, seed=1)
    game.apply({"kind": "move", "crew": "Io", "cell": [0, 1], "square": [0, 0]})
    assert game.state.crew.cell[1] == 1
    assert game.prepared.params.crew.row[1] == 0
    game.apply({"kind": "hurt", "crew": "Io", "amount": 6})
    assert (game.outcome["damage"], game.outcome["deaths"]) == (6, 1)
    game.apply({"kind": "hurt", "crew": "Io", "amount": -2})
    assert (game.state.crew.damage[1], game.outcome["damage"], game.outcome["deaths"]) == (4, 6, 0)
    game.apply({"kind": "heal", "crew": "Io", "amount": 3})
    assert (game.state.crew.damage[1], game.outcome["damage"]) == (1, 6)
    assert game.deeds_of(1)[-2:] == ["the GM: Io is healed by 2", "the GM: Io is healed by 3"]
    game.undo(to=0)
    assert (game.state.crew.cell[1], game.outcome["damage"]) == (2, 0)


def test_a_path_begins_where_the_person_now_is() -> None:
    game = firesim.game(SHIP | {"crew": [{"name": "Kest", "cell": [1, 0], "health": 80}]}, seed=1)
    game.apply({"kind": "move", "crew": "Kest", "cell": [0, 0]})
    game.apply({"kind": "order", "crew": "Kest", "order": "move", "path": [[0, 1]]})
    game.step()
    assert game.state.crew.cell[0] == 1
    with pytest.raises(InputError, match="does not lie beside"):
        game.apply({"kind": "order", "crew": "Kest", "order": "move", "path": [[1, 0]]})


@pytest.mark.parametrize(
    ("deed", "message"),
    [
        ({"kind": "hurt", "crew": "Kes", "amount": 1}, "nobody called 'Kes': expected Kest or Io; did you mean 'Kest'"),
        ({"kind": "hurt", "crew": "Kest"}, "lacks amount"),
        ({"kind": "heal", "crew": "Kest", "amount": -1}, "'heal' by -1: expected an amount from 0; 'hurt' does harm"),
        ({"kind": "move", "crew": "Kest", "amount": 2}, "'amount' does not belong to 'move'"),
        ({"kind": "move", "crew": "Kest", "cell": [1, 1]}, "space"),
        ({"kind": "move", "crew": "Kest", "square": [5, 0]}, "outside the module"),
        ({"kind": "order", "crew": "Kest", "order": "dance"}, "order"),
        ({"kind": "order", "crew": "Kest", "order": "grapple"}, "names nobody"),
    ],
)
def test_what_is_wrong_with_a_deed_is_told_kindly(deed: Any, message: str) -> None:
    game = firesim.game(SHIP, seed=1)
    with pytest.raises(InputError, match=message):
        game.apply(deed)
    assert game.inputs == []


# ----------------------------------------------------------------------------------------------------------------- undo
@given(st.sampled_from(SYSTEMS), st.integers(0, 10**6))
@fixed(60)
def test_undo_restores_the_exact_state_after_events_deeds_and_real_dice(system: str, seed: int) -> None:
    draw = random.Random(seed)
    game = firesim.game(RANDOM[system](seed), seed=seed)
    stood = [state_digest(game)]
    for _ in range(draw.randint(1, 14)):
        if draw.random() < 0.45:
            done = something_happens(game, draw)
        elif not game.over:
            game.step(ask=None if draw.random() < 0.5 else clumsy(draw))
            done = True
        else:
            done = False
        if done:
            stood.append(state_digest(game))
    last, saved = state_digest(game), list(game.inputs)
    assert len(stood) == len(game.inputs) + 1
    again = Game(game.scenario, seed, inputs=saved)
    assert state_digest(again) == last, "the inputs alone give the state"
    while game.inputs:
        game.undo()
        assert state_digest(game) == stood[len(game.inputs)]
    assert game.steps == 0


def clumsy(draw: random.Random) -> Any:
    """A person who rolls, now and then takes a face back, and may leave the rest to the keyed dice."""

    def roll(_: str, sides: int) -> int:
        what = draw.random()
        if what < 0.15 and roll.given:  # type: ignore[attr-defined]
            roll.given -= 1  # type: ignore[attr-defined]
            raise TakeBack
        if what > 0.97:
            raise RollTheRest
        roll.given += 1  # type: ignore[attr-defined]
        return draw.randint(1, sides)

    roll.given = 0  # type: ignore[attr-defined]
    return roll


def test_undo_to_a_step_takes_back_all_that_followed_its_end() -> None:
    game = firesim.game(HOUSE, seed=4)
    for face in (4, 3):
        game.step(faces=[face])
    digest = state_digest(game)
    game.apply({"kind": "wet", "cell": [0, 0]})
    game.step()
    game.undo(to=2)
    assert (state_digest(game), len(game.inputs)) == (digest, 2)
    for wrong in (-1, 3, True, "1"):
        with pytest.raises(InputError, match="cannot go back"):
            game.undo(to=wrong)  # type: ignore[arg-type]
    game.undo(to=0)
    with pytest.raises(InputError, match="nothing to take back"):
        game.undo()


def test_undo_of_a_number_takes_back_so_many_things_and_tells_them() -> None:
    game = firesim.game(HOUSE, seed=4)
    game.step(faces=[4])
    digest = state_digest(game)
    game.apply({"kind": "wet", "cell": [0, 0], "moisture": "damp"})
    game.step()
    assert game.undo(2) == ["turn 2", "the house (0, 0) is wetted, to damp"]
    assert (state_digest(game), len(game.inputs)) == (digest, 1)
    for wrong, message in ((2, "cannot take back 2 things: expected at most 1"), (0, "cannot take"), (True, "cannot")):
        with pytest.raises(InputError, match=message):
            game.undo(wrong)
    assert (state_digest(game), len(game.inputs)) == (digest, 1), "refused, it takes back nothing"
    assert game.undo() == ["turn 1 with the face 4"]


def test_undo_tells_the_faces_of_a_step_that_was_not_finished() -> None:
    game = firesim.game(BURNING, seed=4)
    game.step(faces=[2, 5])
    game.reopen()
    game.apply({"kind": "wind", "wind": "E"})
    assert game.undo() == ["the wind blows towards E"]
    game.step(faces=[5])
    game.reopen()
    assert game.undo(to=0) == ["the face 2 of turn 1"]


def test_undo_brings_back_the_faces_that_an_event_had_made_void() -> None:
    game = firesim.game(BURNING, seed=4)
    game.step(faces=[2, 5])
    game.reopen()
    game.apply({"kind": "wind", "wind": "E"})
    assert game.under_way == []
    game.apply({"kind": "wind", "wind": "W"})
    game.undo()
    assert game.under_way == [], "the second event had made no face void"
    game.undo()
    assert (game.under_way, game.inputs) == ([2], [])
    game.step(faces=[5])
    straight = firesim.game(BURNING, seed=4)
    straight.step(faces=[2, 5])
    assert state_digest(game) == state_digest(straight)


@pytest.mark.parametrize("place", [None, 2.5, object(), [0], [0, "x"]])
def test_why_of_what_is_no_place_is_refused(place: Any) -> None:
    with pytest.raises(InputError, match="no cell"):
        firesim.game(HOUSE, seed=4).why(place)


def test_no_faces_are_no_faces_and_what_is_no_list_is_refused() -> None:
    game = firesim.game(HOUSE, seed=4)
    for wrong in (3, 2.5, "3"):
        with pytest.raises(InputError, match="no list of faces"):
            game.step(faces=wrong)  # type: ignore[arg-type]
    game.step(faces=None)
    assert game.inputs == [Stepped()]


def test_a_wrong_face_is_counted_as_the_person_gave_it() -> None:
    game = firesim.game(BURNING, seed=4)
    game.step()
    assert len(game.faces) == 2
    with pytest.raises(InputError, match="face 1 is 7, which a d6 does not show"):
        game.step(faces=[7, 1])
    with pytest.raises(InputError, match="face 2 is 9, which a d6 does not show"):
        game.step(faces=[1, 9])
    game.under_way = [1]
    with pytest.raises(InputError, match="face 1 is 8, which a d6 does not show"):
        game.step(faces=[8])
    assert (game.steps, game.under_way) == (1, [1])


# ----------------------------------------------------------------------------------------------------------- real dice
def test_faces_given_come_first_and_keyed_dice_follow() -> None:
    keyed = firesim.game(HOUSE, seed=4)
    play_on(keyed, 6)
    game = firesim.game(HOUSE, seed=4)
    game.step(faces=[4])
    game.step()
    assert game.faces[0] == 4
    assert game.inputs == [Stepped((4,)), Stepped()]
    assert game.faces == firesim.run(HOUSE, dice=game.faces, steps=2).faces


@pytest.mark.parametrize(
    ("faces", "message"), [([4, 1], "1 face left over: turn 1 rolls 1 die"), ([7], "a d6 does not show")]
)
def test_faces_that_cannot_be_are_refused_and_nothing_has_changed(faces: list[int], message: str) -> None:
    game = firesim.game(HOUSE, seed=4)
    before = state_digest(game)
    with pytest.raises(InputError, match=message):
        game.step(faces=faces)
    assert (state_digest(game), game.inputs, game.under_way) == (before, [], [])
    assert game.step(faces=[4])[1].event == "lit"


BURNING = HOUSE | {
    "ignite": [{"cell": [0, 0], "alight": True}, {"cell": [0, 1], "alight": True}],
    "options": {"one_hex": False},
}


def test_a_slip_is_taken_back_and_what_followed_is_told_anew() -> None:
    answers: list[Any] = [2, TakeBack, 5, 1]
    told: list[str] = []
    prompts = []

    def person(prompt: str, _: int) -> int:
        prompts.append(prompt)
        answer = answers.pop(0)
        if answer is TakeBack:
            raise TakeBack
        return int(answer)

    game = firesim.game(BURNING, seed=4)
    game.step(ask=person, tell=lambda records: told.extend(r.text for r in records))
    assert game.inputs == [Stepped((5, 1))]
    assert prompts[0] == prompts[2]
    assert prompts[1] == prompts[3] != prompts[0]
    assert told[-len(game.events) :] == [r.text for r in game.events]
    assert len(told) > len(game.events), "what the face taken back had brought was told before it was taken back"
    straight = firesim.game(BURNING, seed=9)
    straight.step(faces=[5, 1])
    assert state_digest(straight) == state_digest(game)


def test_nothing_left_to_take_back_ends_the_step_unplayed() -> None:
    def person(_: str, __: int) -> int:
        raise TakeBack

    game = firesim.game(BURNING, seed=4)
    before = state_digest(game)
    with pytest.raises(TakeBack):
        game.step(ask=person)
    assert (state_digest(game), game.inputs, game.under_way) == (before, [], [])


def test_a_step_cut_short_keeps_its_faces_and_goes_on_with_them() -> None:
    answers: list[Any] = [2, KeyboardInterrupt]

    def person(_: str, __: int) -> int:
        answer = answers.pop(0)
        if answer is KeyboardInterrupt:
            raise KeyboardInterrupt
        return int(answer)

    changes = []
    game = firesim.game(BURNING, seed=4)
    before = state_digest(game)
    game.changed = lambda: changes.append(list(game.under_way))
    with pytest.raises(KeyboardInterrupt):
        game.step(ask=person)
    assert (state_digest(game), game.under_way, changes) == (before, [2], [[2]])
    answers += [5]
    game.step(ask=person)
    assert game.inputs == [Stepped((2, 5))]
    assert game.under_way == []


def test_a_step_just_played_is_opened_again_at_its_last_die() -> None:
    game = firesim.game(BURNING, seed=4)
    game.step(faces=[2, 5])
    game.reopen()
    assert (game.steps, game.under_way) == (0, [2])
    game.step(faces=[3])
    assert game.inputs == [Stepped((2, 3))]
    game.step()
    with pytest.raises(InputError, match="no face to take back"):
        game.reopen()


# ------------------------------------------------------------------------------------------------------------------ why
def test_why_leads_from_a_cell_back_to_the_first_fire() -> None:
    found = 0
    for seed in range(30):
        game = firesim.game("maps/street.toml", seed=seed)
        play_on(game, 12)
        for lit in game.spread:
            told = game.why(lit.cell)
            assert told.chain[0].step == lit.step
            assert told.chain[-1].source == NOBODY
            assert [each.cell for each in told.chain[1:]] == [each.source for each in told.chain[:-1]]
            assert len(told.text.split("\n")) == len(told.chain)
            found += len(told.chain) > 2
    assert found > 5


def test_why_knows_people_by_name() -> None:
    ship = SHIP | {"crew": [{"name": "Kest", "cell": [0, 0], "health": 80}]}
    for seed in range(20):
        game = firesim.game(ship, seed=seed)
        play_on(game, 6)
        if any("Kest catches fire" in r.text for r in game.events):
            assert game.why("kest").text.startswith("Phase")
            assert "Kest caught fire from the A (0, 0)" in game.why("Kest").text.split("\n")[0]
            return
    pytest.fail("Kest never caught fire")


def test_why_of_what_has_not_burnt_and_of_no_place() -> None:
    game = firesim.game(HOUSE, seed=4)
    assert game.why([0, 1]).chain == ()
    assert "has not burnt" in game.why([0, 1]).text
    for wrong, message in (
        ([3, 3], "off the map"),
        ([1], "no cell"),
        (99, "no cell 99"),
        ("mill", "nothing has burnt so far"),
    ):
        with pytest.raises(InputError, match=message):
            game.why(wrong)


def test_why_of_a_building_is_that_of_the_hex_that_burnt_first() -> None:
    legend = {"m": {"building": "Old Mill", "armour": 0, "st": 30}}
    town = BURNING | {"map": {"rows": ["m m ."], "legend": legend}, "ignite": [{"cell": [0, 1], "alight": True}]}
    game = firesim.game(town, seed=4)
    assert game.why("old mill").text == "Old Mill (0, 1) burnt from the start"
    with pytest.raises(InputError, match=r"nothing called 'Old Mil': expected Old Mill or .* did you mean 'Old Mill'"):
        game.why("Old Mil")


def test_events_are_told_step_by_step() -> None:
    game = firesim.game(HOUSE, seed=4)
    play_on(game, 8)
    assert [r for step in range(game.steps + 1) for r in game.events_of(step)] == game.events
    assert game.events_of(99) == []
    assert isinstance(repr(game), str)
    assert all(isinstance(each, (Stepped, Applied)) for each in game.inputs)
