"""The laws of every turn, on towns that use every word of a scenario, up to the ends of what is legal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import firesim
from firesim.core.problems import InputError
from firesim.rules.town import state as s
from tests.properties import laws
from tests.properties.held import assert_each_law_finds
from tests.properties.strategies import LONGER, fixed, towns

SEEDS = st.integers(0, 2**63 - 1)
EXAMPLES = 200
ENDLESS_EXAMPLES = 15


@fixed(EXAMPLES)
@given(towns(), SEEDS)
def test_every_turn_of_any_town_obeys_the_laws(document: laws.Document, seed: int) -> None:
    laws.check_all(document, seed)


@pytest.mark.long
@fixed(LONGER * EXAMPLES)
@given(towns(), SEEDS)
def test_every_turn_of_many_more_towns_obeys_the_laws(document: laws.Document, seed: int) -> None:
    laws.check_all(document, seed)


def ends(document: laws.Document, seed: int) -> None:
    row = firesim.study(document, 1, seed=seed, workers=1).outcomes[0]
    assert row["steps"] <= laws.MOST_STEPS
    assert row["steps"] == laws.MOST_STEPS or row["burning"] == 0


@fixed(ENDLESS_EXAMPLES)
@given(towns(largest=5, steps=(None,)), SEEDS)
def test_a_fire_without_a_horizon_ends(document: laws.Document, seed: int) -> None:
    ends(document, seed)


@pytest.mark.long
@fixed(LONGER * ENDLESS_EXAMPLES)
@given(towns(largest=5, steps=(None,)), SEEDS)
def test_many_more_fires_without_a_horizon_end(document: laws.Document, seed: int) -> None:
    ends(document, seed)


# What towns drawn by lot come to only seldom: fire that spreads inside buildings, and buildings that light each other.
HALLS: laws.Document = {
    "system": "town",
    "steps": 60,
    "map": {
        "rows": ["a a b b", "a b b a", ". a a b"],
        "legend": {
            "a": {"building": "mill", "armour": 0, "st": 14, "accelerant": "oil"},
            "b": {"building": "inn", "armour": 1, "st": 9, "roof": "shingles", "floors": 3},
        },
    },
    "ignite": [{"cell": [0, 0], "inside": True}, {"cell": [2, 3], "step": 3}],
}


@pytest.mark.parametrize("one_hex", [True, False])
@pytest.mark.parametrize("jump", ["one", "all"])
@pytest.mark.parametrize("roof_mode", ["layer", "layer_burns", "replaces"])
def test_halls_of_many_hexes_obey_the_laws(one_hex: bool, jump: str, roof_mode: str) -> None:
    options = {"one_hex": one_hex, "jump": jump, "roof_mode": roof_mode, "inferno_radius": 2}
    for seed in range(4):
        laws.check_all(HALLS | {"options": options}, seed)


BELOW_NOTHING: dict[str, laws.Document] = {
    "an armour of -2 becomes 0 when hit": {"tables": {"material": {"light": -2}}},
    "a roof of -2 becomes -3 when hit": {"tables": {"roof": {"thatch": -2}}, "options": {"roof_mode": "replaces"}},
}


@pytest.mark.parametrize("name", BELOW_NOTHING)
def test_figures_below_nothing_are_refused_or_obey_the_laws(name: str) -> None:
    document: laws.Document = {
        "system": "town",
        "steps": 12,
        "map": {"rows": ["h h h"], "legend": {"h": {"material": "light", "st": 40}}},
        "ignite": [{"cell": [0, 1], "alight": True}],
    } | BELOW_NOTHING[name]
    try:
        firesim.load(document)
    except InputError:
        return
    for seed in range(4):
        laws.check_all(document, seed)


# ------------------------------------------------------------------------------------ the checkers, on something wrong
ROW: laws.Document = {
    "system": "town",
    "steps": 25,
    "map": {
        "rows": ["a a b b . c c"],
        "legend": {
            "a": {"building": "mill", "armour": 2, "st": 12, "roof": "shingles"},
            "b": {"armour": 1, "st": 9, "accelerant": {}},
            "c": {"armour": 0, "st": 6, "floors": 3, "roof": "tile"},
        },
    },
    "weather": {"wind": "E"},
    "options": {"jump": "all", "tile_mode": "per_two_turns"},
    "ignite": [{"cell": [0, 0], "alight": True}, {"cell": [0, 3], "inside": True}],
    "event": [{"step": 9, "kind": "demolish", "cell": [0, 6]}],
    "watch": [{"name": "here", "cells": [[0, 2]]}],
}
ROW["map"]["legend"]["b"]["accelerant"] = [{"kind": "oil", "several": True}]


def cell(name: str, change: Callable[[Any], Any], of: str = "standing") -> Callable[[laws.Watched], None]:
    """Falsify one field of the first cell with this flag in the eighth turn."""

    def falsify(fire: laws.Watched) -> None:
        turn = fire.turns[8]
        place = int(np.flatnonzero(turn.cells[of])[0])
        turn.cells[name][place] = change(turn.cells[name][place])

    return falsify


def entry(array: str, place: Any, change: Callable[[Any], Any]) -> Callable[[laws.Watched], None]:
    """Falsify one entry of another array in the eighth turn."""

    def falsify(fire: laws.Watched) -> None:
        kept = getattr(fire.turns[8], array)
        kept[place] = change(kept[place])

    return falsify


def outcome(name: str) -> Callable[[laws.Watched], None]:
    def falsify(fire: laws.Watched) -> None:
        fire.outcome[name] += 1

    return falsify


def more(value: Any) -> Any:
    return value + 1


def flip(value: Any) -> Any:
    return 1 - value


WRONG: list[tuple[Callable[[laws.Watched], None], Callable[[laws.Watched], object]]] = [
    (laws.nothing_is_built_up, cell("st", lambda st: 13)),
    (laws.nothing_is_built_up, cell("armour", lambda armour: 3)),
    (laws.nothing_is_built_up, cell("roof", lambda roof: 9)),
    (laws.nothing_is_below_nothing, cell("st", lambda st: -1)),
    (laws.nothing_is_below_nothing, cell("heat", lambda heat: -1)),
    (laws.nothing_is_below_nothing, cell("roof", lambda roof: -32768)),
    (laws.a_hex_is_in_one_state, cell("burning", flip, "consumed")),
    (laws.a_hex_is_in_one_state, cell("st", more, "consumed")),
    (laws.a_hex_is_in_one_state, cell("standing", flip, "burning")),
    (laws.a_hex_is_in_one_state, entry("cells", slice(0, 7), lambda cells: with_all(cells, "external"))),
    (laws.one_hex_of_a_building_burns, entry("cells", slice(0, 2), lambda cells: with_all(cells, "burning"))),
    (laws.buildings_are_the_sum_of_their_hexes, cell("burning", flip, "burning")),
    (laws.buildings_are_the_sum_of_their_hexes, cell("consumed", flip)),
    (laws.tallies_are_what_happened, entry("tally", s.LIT, more)),
    (laws.tallies_are_what_happened, entry("tally", s.CONSUMED, more)),
    (laws.tallies_are_what_happened, entry("tally", s.BUILDINGS_LOST, more)),
    (laws.tallies_are_what_happened, entry("tally", s.COLLAPSED, more)),
    (laws.tallies_are_what_happened, entry("tally", s.FLARE_UPS, more)),
    (laws.tallies_are_what_happened, entry("tally", s.JUMPS, more)),
    (laws.lists_hold_what_they_say, cell("burning", flip)),
    (laws.lists_hold_what_they_say, entry("counts", s.FRESH, more)),
    (laws.lists_hold_what_they_say, entry("counts", 8, lambda touched: touched - 1)),
    (laws.heat_is_the_infernos_nearby, cell("heat", more)),
    (laws.heat_is_the_infernos_nearby, cell("inferno", flip)),
    (laws.records_are_in_order, cell("burning", flip)),
    (laws.records_are_in_order, cell("consumed", flip, "consumed")),
    (laws.structure_falls_by_the_attacks, cell("st", lambda st: st - 1)),
    (laws.structure_falls_by_the_attacks, cell("roof", more)),
    (laws.play_ends_when_nothing_is_to_come, lambda fire: fire.turns.append(fire.turns[-1])),
    (laws.play_ends_when_nothing_is_to_come, lambda fire: fire.turns.pop()),
    (laws.the_outcome_is_the_last_turn, outcome("steps")),
    (laws.the_outcome_is_the_last_turn, outcome("jumps")),
    (laws.the_outcome_is_the_last_turn, outcome("here_lit_at")),
    (laws.the_outcome_is_the_last_turn, outcome("here_lost")),
    (laws.many_fires_are_the_same_fires, outcome("flare_ups")),
]


def with_all(cells: Any, name: str) -> Any:
    """The cells with one flag set on all of them."""
    changed = cells.copy()
    changed[name] = 1
    return changed


def test_each_law_finds_what_is_wrong() -> None:
    fire = laws.check_all(ROW, 3)
    assert fire.outcome["steps"] < 25, "the example has to burn out before its horizon"
    assert_each_law_finds(fire, laws.LAWS, WRONG)
