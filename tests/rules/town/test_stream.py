"""A batch burns a town as a stream of burning hexes: the same outcomes, maps and last state as act by act."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import firesim
from firesim.api import prepared
from firesim.core.fields import copied
from firesim.dice.keyed import key_of
from firesim.play import Fire
from firesim.rules.base import STEP
from firesim.rules.kernels import outcome, over, step
from firesim.rules.town.stream_layout import ARMOUR, CHECKED, COLLAPSE, FALLEN, ST
from tests.oracles import random_towns

KEPT_WHILE_IT_BURNS = ("st", "armour", "collapse_checked", "collapsed")
NOT_KEPT = (*KEPT_WHILE_IT_BURNS, "heat", "inferno", "stalled", "touched", "open_sides")
"""Of a hex: what a stream keeps elsewhere while it burns, or leaves as it was when it is gone."""

NOT_STREAMED = {"mode": "simple", "roof_mode": "replaces", "jump": "all", "stall_jump": True}
"""One value of each option with which a batch goes act by act."""


EAST = {"weather": {"wind": "E"}, "options": {"wind_weights": [6, 0, 0, 0, 0, 0], "flare_by": "die"}}
"""All jumps and sparks go east, and a 5 is a flare-up."""

FIRE = {"armour": 0, "st": 90, "floors": 4}
LOW_FIRE = FIRE | {"floors": 1}


def lit_from_the_last(rows: list[str]) -> list[dict[str, Any]]:
    """Every hex of the symbol f alight from turn 2 on; in a stream they stand in this order, the last cell first."""
    fires = [[row, col] for row, line in enumerate(rows) for col, symbol in enumerate(line.split()) if symbol == "f"]
    return [{"cell": cell, "alight": True, "step": 2} for cell in reversed(fires)]


TOWNS: dict[str, dict[str, Any]] = {
    "a house that its ignition burns down, between a fire and a house in reach of its sparks": EAST
    | {
        "system": "town",
        "steps": 3,
        "map": {
            "rows": ["f b e"],
            "legend": {"f": FIRE, "b": {"armour": 0, "st": 1}, "e": {"armour": 0, "st": 10}},
        },
        "ignite": [{"cell": [0, 0], "alight": True}, {"cell": [0, 1]}],
    },
    "a fire before a wide street, and one that may jump": EAST
    | {
        "system": "town",
        "steps": 4,
        "map": {
            "rows": ["f w", "f e"],
            "legend": {"f": FIRE, "w": {"armour": 0, "setback": 4}, "e": {"armour": 0}},
        },
        "ignite": [{"cell": [0, 0], "alight": True}, {"cell": [1, 0], "alight": True}],
    },
    "fires lit one after another from east to west, whose sparks fall on one roof": EAST
    | {
        "system": "town",
        "steps": 30,
        "map": {
            "rows": ["f f f e"],
            "legend": {"f": FIRE, "e": {"armour": 1, "st": 40, "roof": "slate"}},
            "gaps": {"default": 4},
        },
        "options": {"wind_weights": [6, 0, 0, 0, 0, 0]},
        "tables": {"flare": {"from_net": 2}},
        "ignite": [{"cell": [0, 2 - i], "alight": True, "step": 1 + i} for i in range(3)],
    },
    "fires lit one after another all around a tiled roof": {
        "system": "town",
        "steps": 30,
        "map": {
            "rows": [". f f .", "f e f .", ". f f ."],
            "legend": {"f": FIRE, "e": {"armour": 1, "st": 40, "roof": "clay tile"}},
        },
        "options": {"tile_mode": "per_two_turns"},
        "ignite": [
            {"cell": cell, "alight": True, "step": 1 + i}
            for i, cell in enumerate(([2, 2], [2, 1], [1, 2], [1, 0], [0, 2], [0, 1]))
        ],
    },
    "roofs among fires lit from the last to the first, which jump from all sides": {
        "system": "town",
        "steps": 5,
        "map": {
            "rows": ["r f f r f f r f f", "f r f f r f f r f"] * 3,
            "legend": {"f": LOW_FIRE, "r": {"armour": 1, "st": 40, "roof_protection": 2}},
        },
        "ignite": lit_from_the_last(["r f f r f f r f f", "f r f f r f f r f"] * 3),
    },
    "fires lit from the last to the first, which jump at two hexes of one building": EAST
    | {
        "system": "town",
        "steps": 3,
        "map": {
            "rows": ["f e", "f e"],
            "legend": {"f": LOW_FIRE, "e": {"building": "inn", "armour": 0, "st": 40}},
        },
        "ignite": lit_from_the_last(["f e", "f e"]),
    },
    "a fire whose sparks reach the next house when its own has fallen in": EAST
    | {
        "system": "town",
        "steps": 12,
        "map": {
            "rows": ["f e"],
            "legend": {"f": LOW_FIRE, "e": {"armour": 0, "st": 40}},
            "gaps": {"default": 5},
        },
        "options": EAST["options"] | {"collapse_effect": "debris"},
        "tables": {"collapse": {"from_face": 1, "percent": 100}},
        "ignite": [{"cell": [0, 0], "alight": True}],
    },
    "a fire whose sparks reach the next house until its own has fallen in": EAST
    | {
        "system": "town",
        "steps": 12,
        "map": {
            "rows": ["f e"],
            "legend": {"f": FIRE, "e": {"armour": 0, "st": 40}},
            "gaps": {"default": 5},
        },
        "options": EAST["options"] | {"collapse_effect": "floors"},
        "tables": {"collapse": {"from_face": 1, "percent": 100}},
        "ignite": [{"cell": [0, 0], "alight": True}],
    },
    "houses whose collapse dice are thrown, doused and lit again in another order": {
        "system": "town",
        "steps": 9,
        "map": {"rows": ["f h"], "legend": {"f": LOW_FIRE, "h": LOW_FIRE | {"armour": 6}}},
        "tables": {"collapse": {"percent": 98}},
        "ignite": [{"cell": [0, col], "alight": True} for col in (0, 1)]
        + [{"cell": [0, col], "alight": True, "step": 4} for col in (1, 0)],
        "event": [{"kind": "douse", "cells": [[0, 0], [0, 1]], "step": 3}],
    },
}
"""Towns in which a stream does what random towns seldom ask of it."""

SEEDS = 8
"""With which each of them is played."""


def streamed(document: dict[str, Any]) -> dict[str, Any]:
    """The scenario with the readings that a stream covers."""
    options = dict(document.get("options", {}))
    options |= {"mode": "gritty", "jump": "one", "roof_mode": "layer", "stall_jump": False}
    return document | {"options": options}


def burnt(ready: Any, seed: int, replicate: int) -> tuple[list[int], Any]:
    """Outcome and last state of a fire burnt step by step as in a batch."""
    state, row = copied(ready.first), np.zeros(len(ready.columns), np.int64)
    key = key_of(seed, replicate)
    while state.clock[STEP] < ready.horizon and not over(ready.params, state):
        step(ready.params, state, key)
    outcome(ready.params, state, row)
    return row.tolist(), state


def compare(document: dict[str, Any], seed: int) -> None:
    ready = prepared(firesim.load(document))
    assert ready.params.streams
    for replicate in range(3):
        fire = Fire(ready, seed, replicate)
        fire.play_to(ready.horizon)
        row, state = burnt(ready, seed, replicate)
        assert row == list(fire.outcome().values()), f"replicate {replicate}"
        for name in state.cells.dtype.names:
            if name not in NOT_KEPT:
                assert np.array_equal(state.cells[name], fire.state.cells[name]), f"replicate {replicate}, {name}"
        out = (state.cells.burning == 0) & (state.cells.demolished == 0)
        for name in KEPT_WHILE_IT_BURNS:
            there = out if name.startswith("collapse") else out & (state.cells.standing != 0)
            assert np.array_equal(state.cells[name][there], fire.state.cells[name][there]), f"{replicate}, {name}"
        count = int(state.counts[0])
        assert sorted(state.lists[0, :count]) == fire.state.lists[0, :count].tolist()
        for place in range(count):
            cell = fire.state.cells[state.lists[0, place]]
            kept = state.stream[[ST, ARMOUR, COLLAPSE], place].tolist()
            collapse = CHECKED * cell.collapse_checked + FALLEN * cell.collapsed
            assert kept == [cell.st, cell.armour, collapse], f"replicate {replicate}, stream"
        for name in ("hexes", "burning", "consumed", "gone"):
            assert np.array_equal(state.buildings[name], fire.state.buildings[name]), f"{replicate}, {name}"
        for name in ("clock", "fuel", "ignited", "weather"):
            assert np.array_equal(getattr(state, name), getattr(fire.state, name)), f"replicate {replicate}, {name}"


@pytest.mark.parametrize("block", range(10))
def test_a_stream_is_the_fire_act_by_act(block: int) -> None:
    for seed in range(100 * block, 100 * block + 100):
        document = streamed(random_towns.random_town(seed, options=seed % 4 > 0))
        try:
            compare(document, seed)
        except AssertionError as error:
            raise AssertionError(f"random_town({seed}): {error}") from error


@pytest.mark.parametrize("town", TOWNS)
def test_a_stream_does_what_is_seldom_asked_of_it(town: str) -> None:
    for seed in range(SEEDS):
        compare(streamed(TOWNS[town]), seed)


@pytest.mark.parametrize("option", NOT_STREAMED)
def test_what_a_stream_does_not_cover_goes_act_by_act(option: str) -> None:
    document = streamed(random_towns.random_town(3))
    document["options"] |= {option: NOT_STREAMED[option]}
    assert not prepared(firesim.load(document)).params.streams
