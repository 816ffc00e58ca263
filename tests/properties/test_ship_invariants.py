"""The laws of every phase, on ships that use every word of a scenario; and ships with port and starboard swapped.

Mirrored, dice fall to other modules, since they are keyed by cell, so single fires differ; their distribution may not.
Order by cell decides nothing in the ships compared here: whoever's splash comes first, its die is like any other's.
Damage is not compared, and is too little to put anybody out of action: a fire that splashes to starboard does 3 to
its bearer and one that splashes to port 5 [SH-10], so that who is hurt with whom is not the same in a mirror.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import firesim
from firesim.rules.ship import state as s
from tests.properties import ship_laws as laws
from tests.properties.held import assert_each_law_finds
from tests.properties.ships import ships
from tests.properties.strategies import LONGER, fixed
from tests.properties.tables import same_chances, same_distribution

SEEDS = st.integers(0, 2**63 - 1)
SEED = 20261129
EXAMPLES = 150
FIRES = 20_000
SURE = 1e-4


@fixed(EXAMPLES)
@given(ships(), SEEDS)
def test_every_phase_of_any_ship_obeys_the_laws(document: laws.Document, seed: int) -> None:
    laws.check_all(document, seed)


@pytest.mark.long
@fixed(LONGER * EXAMPLES)
@given(ships(), SEEDS)
def test_every_phase_of_many_more_ships_obeys_the_laws(document: laws.Document, seed: int) -> None:
    laws.check_all(document, seed)


# ------------------------------------------------------------------------------------------------- port and starboard
SHIP: laws.Document = {
    "system": "ship",
    "steps": 14,
    "map": {
        "rows": [". h c", "d l e", ". e c"],
        "legend": {
            "h": {"module": "helm"},
            "c": {"module": "cargo", "external_door": True},
            "d": {"module": "cargo", "broken": True},
            "l": {"module": "life support"},
            "e": {"module": "engine"},
        },
    },
    "options": {"side": 3},
    "crew": [
        {"name": "Ada", "cell": [1, 1], "square": [0, 0], "health": 9, "on_fire": True},
        {"name": "Bo", "cell": [1, 1], "square": [0, 1], "health": 7, "engineering": 2, "order": "extinguish all"},
        {"name": "Cyl", "cell": [1, 2], "square": [0, 0], "health": 12, "tentac": True},
        {"name": "Dor", "cell": [0, 2], "square": [2, 2], "health": 8, "order": "hold door"},
        {"name": "Ember", "cell": [1, 1], "square": [1, 2], "health": 8, "order": "move", "path": [[1, 2], [0, 2]]},
    ],
    "item": [{"kind": "barrel", "cell": [1, 1], "square": [0, 2]}],
    "ignite": [{"cell": [1, 2]}],
    "event": [{"step": 3, "kind": "weapon", "cells": [[1, 0], [2, 2]]}],
}


HARDY = SHIP | {"crew": [person | {"health": 1_000_000} for person in SHIP["crew"]]}
"""The ship with people whom no fire puts out of action."""


def mirrored(document: laws.Document) -> laws.Document:
    """The ship with port and starboard swapped: modules, squares, targets, paths and events."""
    ship = deepcopy(document)
    cols, side = len(ship["map"]["rows"][0].split()), ship["options"]["side"]
    ship["map"]["rows"] = [" ".join(reversed(row.split())) for row in ship["map"]["rows"]]
    for thing in (*ship["crew"], *ship["item"], *ship["ignite"], *ship["event"]):
        for cell in (thing.get("cell"), *thing.get("cells", []), *thing.get("path", [])):
            if cell is not None:
                cell[1] = cols - 1 - cell[1]
        if "square" in thing:
            thing["square"][1] = side - 1 - thing["square"][1]
    return ship


def outcomes(document: laws.Document, first_replicate: int) -> tuple[Any, Any]:
    """Fires of a ship, and how often each module was lit, port to starboard."""
    study = firesim.study(document, FIRES, seed=SEED, first_replicate=first_replicate)
    rows, cols = len(document["map"]["rows"]), len(document["map"]["rows"][0].split())
    return study.outcomes, study.counts.counts[0][: rows * cols].reshape(rows, cols)


def differences(one: laws.Document, other: laws.Document) -> list[float]:
    """p that a ship and its mirror image burn alike: by outcome column, and by module."""
    (ours, each), (theirs, each_there) = outcomes(one, 0), outcomes(other, FIRES)
    names = ("steps", "burning", "modules_lit", "modules_broken", "hull_damage")
    found = [same_distribution(ours[name].tolist(), theirs[name].tolist())[0] for name in names]
    return [*found, same_chances(each.ravel(), each_there[:, ::-1].ravel(), FIRES)]


@pytest.mark.parametrize("options", [{}, {"modules_first": True, "relight": False}, {"new_fire_hurts": True}])
def test_a_ship_with_port_and_starboard_swapped_burns_alike(options: dict[str, Any]) -> None:
    ship = HARDY | {"options": SHIP["options"] | options}
    assert min(differences(ship, mirrored(ship))) > SURE


def test_the_comparison_finds_a_fire_that_was_not_swapped() -> None:
    wrong = mirrored(HARDY)
    wrong["ignite"] = [{"cell": [1, 2]}]
    assert min(differences(HARDY, wrong)) < SURE


# ----------------------------------------------------------------------------------------- the laws, on something wrong
def field(array: str, name: str, place: int, value: int) -> Callable[[laws.Watched], None]:
    """Set one field of a record after the third phase."""

    def falsify(fire: laws.Watched) -> None:
        getattr(fire.phases[3], array)[name][place] = value

    return falsify


def number(array: str, place: int) -> Callable[[laws.Watched], None]:
    """Add one to an entry after the third phase."""

    def falsify(fire: laws.Watched) -> None:
        getattr(fire.phases[3], array)[place] += 1

    return falsify


def column(name: str) -> Callable[[laws.Watched], None]:
    def falsify(fire: laws.Watched) -> None:
        fire.outcome[name] += 1

    return falsify


def told_twice(*names: str) -> Callable[[laws.Watched], None]:
    """The events of these names are told again."""

    def falsify(fire: laws.Watched) -> None:
        for phase in fire.phases:
            phase.events += [event for event in phase.events if event.event in names]

    return falsify


WRONG: list[tuple[Callable[[laws.Watched], None], Callable[[laws.Watched], None]]] = [
    (laws.hull_points_are_sixes, number("tally", s.HULL_DAMAGE)),
    (laws.hull_points_are_sixes, told_twice("module")),
    (laws.what_is_done_is_done, field("crew", "damage", 0, 99)),
    (laws.what_is_done_is_done, field("cells", "broken", 3, 0)),
    (laws.what_is_done_is_done, field("items", "damaged", 0, 2)),
    (laws.nobody_takes_two_fire_dice, told_twice("burns")),
    (laws.nobody_takes_two_fire_dice, lambda fire: fire.phases[0].crew["outside"].fill(1)),
    (laws.damage_is_what_the_dice_did, field("crew", "damage", 0, 99)),
    (laws.damage_is_what_the_dice_did, number("tally", s.DEATHS)),
    (laws.fires_are_where_they_may_be, field("cells", "burning", 0, 1)),
    (laws.fires_are_where_they_may_be, field("crew", "cell", 0, 0)),
    (laws.fires_are_where_they_may_be, field("crew", "splash", 0, 3)),
    (laws.tallies_are_what_happened, number("tally", s.MODULES_LIT)),
    (laws.tallies_are_what_happened, number("tally", s.MODULES_BROKEN)),
    (laws.tallies_are_what_happened, number("tally", s.SHIP_LOST)),
    (laws.lists_hold_what_they_say, number("counts", s.HOT)),
    (laws.lists_hold_what_they_say, field("cells", "burning", 0, 1)),
    (laws.lists_hold_what_they_say, field("cells", "broken", 0, 1)),
    (laws.doors_open_once_a_phase, told_twice("door open")),
    (laws.play_ends_when_nothing_is_to_come, lambda fire: fire.phases.pop()),
    (laws.play_ends_when_nothing_is_to_come, lambda fire: fire.phases.append(fire.phases[-1])),
    (laws.the_outcome_is_the_last_phase, column("steps")),
    (laws.the_outcome_is_the_last_phase, column("burning")),
    (laws.the_outcome_is_the_last_phase, column("ship_lost")),
    (laws.the_outcome_is_the_last_phase, column("here_lit_at")),
]


def test_each_law_finds_what_is_wrong() -> None:
    document = SHIP | {"steps": 60, "watch": [{"name": "here", "cells": [[1, 2]]}]}
    seed = next(seed for seed in range(200) if 8 < laws.watch(document, seed).outcome["steps"] < 60)
    fire = laws.check_all(document, seed)
    assert_each_law_finds(fire, laws.LAWS, WRONG)
