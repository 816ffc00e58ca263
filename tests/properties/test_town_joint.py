"""Two neighbouring houses: the fate of both by the kernel's keyed dice, and by the oracle with dice of another make.

The oracle comparisons elsewhere hand the kernel's faces to the oracle; here each rolls its own, so that a die shared
between two rolls, or rolled for the wrong chance, shows as another joint distribution of the outcomes.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

import firesim
from tests.oracles import town as oracle
from tests.properties.strategies import LONGER
from tests.properties.tables import same_distribution

SEED = 20261129
FIRES = 100_000
ORACLE_FIRES = 4_000
SURE = 1e-4

Document = dict[str, Any]


def pair(row: str, one: Document, other: Document, gap: int, **more: Any) -> Document:
    """Houses a and b, fire set to a until it catches."""
    options = {key: more.pop(key) for key in list(more) if key in oracle.OPTION_DEFAULTS}
    return {
        "system": "town",
        "steps": 60,
        "map": {"rows": [row], "legend": {"a": one, "b": other}, "gaps": {"default": gap}},
        "ignite": [{"cell": [0, 0]}],
        "options": options,
    } | more


WOODEN, SHINGLED = {"material": "wooden"}, {"material": "daub", "roof": "shingles"}
TILED = {"armour": 1, "roof": "tile", "roof_protection": 2}
TALL = {"armour": 0, "st": 24, "floors": 2}
PAIRS: dict[str, Document] = {
    "an alley, wood beside daub and shingles": pair("a b", WOODEN, SHINGLED, 1, weather={"wind": "E"}),
    "a gap of three to a tile roof": pair(
        "a b", TALL | {"st": 40}, TILED, 3, weather={"wind": "E", "moisture": "damp"}
    ),
    "a gap of three for flare-ups by the die": pair(
        "a b", TALL, SHINGLED, 3, weather={"wind": "E"}, gap3="flare", flare_by="die", collapse_effect="floors"
    ),
    "each three melee hexes, roofs alone, resting tiles": pair(
        "a b", TALL, TILED, 3, gap3="per_three", roof_mode="replaces", tile_mode="per_two_turns", spark_all=True
    ),
    "sparks over an empty hex, strict collapse each turn": pair(
        "a . b", TALL, WOODEN, 1, weather={"wind": "E"},
        collapse="each_turn", collapse_strict=True, collapse_effect="floors",
    ),
    "roofs that burn, oil below, everywhere": pair(
        "a b", WOODEN, SHINGLED | {"accelerant": [{"kind": "oil", "several": True}, "silk"]}, 2,
        jump="all", roof_mode="layer_burns",
    ),
    "debris closes the gap, fire inside": pair(
        "a b", TALL | {"st": 12}, WOODEN, 4, weather={"wind": "E"}, collapse_effect="debris", spark_reach="exact",
        ignite=[{"cell": [0, 0], "inside": True}],
    ),
    "one building, every hex for itself, stalls": pair(
        "a b", {"building": "hall", "armour": 3}, {"building": "hall", "armour": 1}, 1, one_hex=False, stall_jump=True,
        weather={"moisture": "damp", "wind": "die"}, event=[{"step": 9, "kind": "moisture", "moisture": "arid"}],
    ),
    "one building, hex after hex": pair(
        "a b", {"building": "hall", "armour": 2}, {"building": "hall", "armour": 1, "st": 6}, 1, inferno_radius=2,
        ignite=[{"cell": [0, 1], "alight": True, "inside": True}],
    ),
    "simple, with modifiers": pair(
        "a b", WOODEN, SHINGLED, 1, mode="simple", simple_mods=True, inferno_exclusive=True,
        weather={"moisture": "wet", "wind": "die"},
    ),
}  # fmt: skip


def told(outcome: Any) -> tuple[int, ...]:
    """A fire's outcome as one entry of the joint table: turns by threes, flare-ups up to four."""
    steps, flare_ups = min(int(outcome["steps"]), 30) // 3, min(int(outcome["flare_ups"]), 4)
    return (steps, *(int(outcome[name]) for name in ("lit", "consumed", "jumps", "collapsed")), flare_ups)


def by_the_kernel(document: Document, fires: int) -> list[tuple[int, ...]]:
    return [told(row) for row in firesim.study(document, fires, seed=SEED).outcomes]


def by_the_oracle(document: Document, fires: int) -> list[tuple[int, ...]]:
    dice = random.Random(SEED)
    return [told(oracle.play(document, lambda sides, *_: dice.randint(1, sides)).outcome) for _ in range(fires)]


def compare(name: str, fires: int, oracle_fires: int) -> float:
    """p that both have one distribution."""
    p, freedom = same_distribution(by_the_kernel(PAIRS[name], fires), by_the_oracle(PAIRS[name], oracle_fires))
    print(f"{name}: p = {p:.4f} ({freedom} degrees of freedom)")
    assert freedom >= 8, "too few outcomes to compare"
    return p


@pytest.mark.parametrize("name", PAIRS)
def test_two_houses_end_as_often_together_as_the_book_says(name: str) -> None:
    assert compare(name, FIRES, ORACLE_FIRES) > SURE


@pytest.mark.long
@pytest.mark.parametrize("name", PAIRS)
def test_two_houses_end_as_often_together_in_many_more_fires(name: str) -> None:
    assert compare(name, 10 * FIRES, LONGER * ORACLE_FIRES) > SURE


def test_the_comparison_finds_another_wall() -> None:
    name = "an alley, wood beside daub and shingles"
    other = pair("a b", WOODEN | {"armour": 2}, SHINGLED, 1, weather={"wind": "E"})
    p, _ = same_distribution(by_the_kernel(other, FIRES), by_the_oracle(PAIRS[name], ORACLE_FIRES))
    assert p < SURE
