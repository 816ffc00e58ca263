"""What can be proved to grow with a figure, fire by fire, on the same dice.

Most of the town is not monotone: walls that hold longer burn longer and throw more sparks. What is proved:

1. *A lone house of more ST never burns out earlier.* A die is keyed by turn, purpose and place, never by ST, so both
   houses see the same faces. Net damage depends on the face, on the armour, which depends on the net damage before it,
   and on the modifiers: moisture, accelerants, whose clocks follow the attacks, and infernos elsewhere, of which there
   are none. By induction over the turns both houses are lit in the same turn, and as long as both burn they have taken
   the same damage D(t). Each is consumed in the first turn with D(t) >= ST. The collapse die has a purpose of its own
   and changes neither.
2. *A lone house that burns from the start, of more armour or in moister air, never burns out earlier.* Let A <= A' be
   the armours before a turn and b >= b' the modifiers. On one face f the net damages are n = f + b - A and
   n' = f + b' - A', so n >= n'. If n' > 0 then n > 0, and both armours lose a point where they have one, which keeps
   A <= A'; else at most A falls. So the sum of max(n, 0) is never less than that of max(n', 0). The fire must burn from
   the start: an ignition's die is another die, rolled in other turns.
3. *A longer horizon* only adds turns: the fire up to the shorter one is the same.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import firesim

SEED = 20261129
FIRES = 2_000
Document = dict[str, Any]


def house(**words: Any) -> Document:
    """A house by itself; its legend entry, and `alight`, `moisture`, `inside` and options under their names."""
    alight, inside, moisture = words.pop("alight", False), words.pop("inside", False), words.pop("moisture", "normal")
    options = words.pop("options", {})
    return {
        "system": "town",
        "map": {"rows": [". . .", ". h .", ". . ."], "legend": {"h": words}},
        "weather": {"moisture": moisture, "wind": "die"},
        "options": options,
        "ignite": [{"cell": [1, 1], "alight": alight, "inside": inside}],
        "steps": 5_000,
    }


def burnt_out(document: Document) -> Any:
    """The turn in which each fire's house was consumed."""
    study = firesim.study(document, FIRES, seed=SEED)
    assert (study.outcomes["consumed"] == 1).all(), "some house still stands"
    return study.outcomes["steps"]


def assert_never_earlier(times: list[Any]) -> None:
    """In no fire earlier than with the figure before; and, so that something is compared, later from first to last."""
    for less, more in pairwise(times):
        assert (more >= less).all()
    assert (times[-1] > times[0]).any()


@pytest.mark.parametrize("armour", [0, 1, 3])
@pytest.mark.parametrize("alight", [False, True])
@pytest.mark.parametrize("options", [{}, {"collapse": "each_turn"}, {"mode": "simple"}], ids=str)
def test_a_lone_house_of_more_st_never_burns_out_earlier(armour: int, alight: bool, options: Document) -> None:
    oil = [{"kind": "oil", "several": True}]
    towns = [
        house(st=st, armour=armour, alight=alight, inside=alight, options=options, accelerant=oil)
        for st in (1, 2, 5, 9, 10, 30, 31, 1000)
    ]
    assert_never_earlier([burnt_out(town) for town in towns])


@pytest.mark.parametrize("st", [4, 10, 60])
@pytest.mark.parametrize("moisture", ["normal", "arid"])
def test_a_lone_burning_house_of_more_armour_never_burns_out_earlier(st: int, moisture: str) -> None:
    towns = [house(st=st, armour=armour, moisture=moisture, alight=True) for armour in range(6)]
    assert_never_earlier([burnt_out(town) for town in towns])


@pytest.mark.parametrize("armour", [0, 2])
def test_a_lone_burning_house_in_moister_air_never_burns_out_earlier(armour: int) -> None:
    levels = ("arid", "normal", "damp", "wet")
    towns = [house(st=20, armour=armour, moisture=level, alight=True) for level in levels]
    assert_never_earlier([burnt_out(town) for town in towns])


def test_a_longer_horizon_only_adds_turns() -> None:
    town: Document = {
        "system": "town",
        "map": {
            "rows": ["a a b a", "b . a a", "a b b a"],
            "legend": {"a": {"armour": 0, "st": 20}, "b": {"roof": "shingles", "st": 12, "floors": 2}},
        },
        "weather": {"wind": "die"},
        "options": {"jump": "all"},
        "ignite": [{"cell": [0, 0]}],
    }
    horizons = (0, 1, 5, 12, 40)
    studies = [firesim.study(town | {"steps": steps}, FIRES, seed=SEED) for steps in horizons]
    for horizon, (short, long) in zip(horizons[:-1], pairwise(studies), strict=True):
        for name in ("steps", "lit", "consumed", "buildings_lost", "collapsed", "flare_ups", "jumps"):
            assert (short.outcomes[name] <= long.outcomes[name]).all(), name
        over = short.outcomes["steps"] < horizon
        assert np.array_equal(short.outcomes[over], long.outcomes[over])
        assert (short.counts.counts <= long.counts.counts).all()
    assert (studies[-1].outcomes["lit"] > studies[1].outcomes["lit"]).any()
