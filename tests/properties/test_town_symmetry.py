"""A town turned or mirrored, with its wind, burns in the same distribution; so does a flat map laid as the pointy one.

Not in single fires: dice are keyed by cell. And not everywhere in distribution, because attacks on one victim in one
turn are made by ascending cell. What is compared here is exactly symmetric all the same:

- Buildings of one hex. Then no attack makes another illegal within the turn (a hex lit this turn may be struck again),
  and attackers of one victim that meet the same protection are interchangeable: their dice are independent and alike.
- One protection per victim and phase: gaps within a jump (2 or less), so that sparks fly along rays of 7 or more and
  meet no extra; or 3 with houses of one floor, so that sparks fly no farther than 4 and all meet the same +1. Excluded:
  gaps of 3 beside sparks from afar, where the +1 makes attackers unlike each other, and the order they come in counts.
- A building of several hexes only where nothing else stands: its fire moves by wind, armour or an even die, never by
  order. Excluded: several hexes beside other burning buildings, where the first success closes the building to the
  rest, and one_hex = false, where attacks on walls and on the roof mix by cell.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import firesim
from firesim.grid.hexes import neighbour
from tests.properties.geometry import HEADINGS, SIDES, Axial, disc, mirrored, on_map, turned
from tests.properties.strategies import LONGER
from tests.properties.tables import same_chances, same_distribution

SEED = 20261129
FIRES = 40_000
SURE = 1e-4

Document = dict[str, Any]

LEGEND: dict[str, Document] = {
    "a": {"material": "wooden", "st": 5},
    "b": {"armour": 0, "st": 4, "roof": "shingles", "floors": 2},
    "c": {"material": "daub", "st": 6, "roof": "tile", "floors": 3, "accelerant": "oil"},
    "d": {"armour": 3, "st": 3, "moisture": "arid", "accelerant": [{"kind": "pitch", "several": True}]},
}
SLOW = {symbol: house | {"st": 16} for symbol, house in LEGEND.items()}


def scattered(radius: int, kinds: str, seed: int, lit: Axial = (0, 0)) -> dict[Axial, str]:
    """Symbols on a disc by lot, a wooden house where the fire begins."""
    draw = random.Random(seed)
    return {hexagon: "a" if hexagon == lit else draw.choice(kinds) for hexagon in disc(radius)}


def scene(
    hexes: dict[Axial, str], *, lit: Axial = (0, 0), wind: int | str = "none", steps: int = 9, gap: int = 1,
    legend: dict[str, Document] | None = None, alight: bool = True, inside: bool = False, **options: Any,
) -> Document:  # fmt: skip
    """A town in axial coordinates; wind: a heading by number, or `none` or `die`."""
    return {
        "hexes": hexes, "lit": lit, "wind": wind, "steps": steps, "gap": gap, "legend": legend or LEGEND,
        "ignite": {"alight": alight, "inside": inside}, "options": options,
    }  # fmt: skip


WEIGHTS = [2, 2, 1, 0, 0, 1]
SCENES: dict[str, Document] = {
    "wind, one jump": scene(scattered(2, "aabbc", 1, (-2, 1)), lit=(-2, 1), wind=0, steps=24, legend=SLOW),
    "lopsided wind, off the middle": scene(
        scattered(2, "abbc.", 2, (-1, 0)),
        lit=(-1, 0),
        wind=0,
        steps=24,
        legend=SLOW,
        wind_weights=WEIGHTS,
        gap=2,
        alight=False,
    ),
    "no wind, sparks to all in reach": scene(
        scattered(3, "bcd..", 3), steps=8, spark_all=True, spark_unit="village", flare_by="die", inside=True
    ),
    "wind die, roofs that burn": scene(
        scattered(2, "abcd", 4),
        wind="die",
        steps=12,
        roof_mode="layer_burns",
        collapse_effect="floors",
        stall_jump=True,
    ),
    "arc, wide infernos": scene(
        scattered(2, "aabbc", 5), wind=2, steps=6, jump="arc", inferno_radius=2, inferno_count=2
    ),
    "everywhere, roofs alone": scene(
        scattered(3, "abcd..", 6),
        steps=5,
        jump="all",
        roof_mode="replaces",
        tile_mode="per_two_turns",
        spark_reach="exact",
    ),
    "simple": scene(scattered(2, "abcd.", 7), wind=0, steps=12, mode="simple", simple_mods=True, spark_unit="village"),
    "gaps of three, sparks no farther": scene(
        scattered(2, "aabd", 9), steps=30, gap=3, wind=1, legend={k: v | {"floors": 1} for k, v in SLOW.items()}
    ),
    "one building of many hexes": scene(
        scattered(2, "aaab.", 8), steps=30, wind=1, legend={k: v | {"building": "hall"} for k, v in LEGEND.items()}
    ),
}


def laid_out(scenario: Document, turns: int, mirror: bool, orientation: str) -> tuple[Document, list[int]]:
    """The scenario mirrored, then turned, on a map; and the flat index of each of its hexes, in a fixed order.

    Mirrored along east and west, a wind towards heading k blows towards -k, and the weights of the headings
    anticlockwise of it become those of the headings clockwise of it.
    """
    moved: Callable[[Axial], Axial] = lambda h: turned(mirrored(h) if mirror else h, turns)  # noqa: E731
    cells = on_map((moved(hexagon) for hexagon in scenario["hexes"]), orientation, turns % 2)
    rows, cols = (1 + max(cell[axis] for cell in cells.values()) for axis in (0, 1))
    symbols = [["." for _ in range(cols)] for _ in range(rows)]
    for hexagon, symbol in scenario["hexes"].items():
        row, col = cells[moved(hexagon)]
        symbols[row][col] = symbol
    wind, options = scenario["wind"], dict(scenario["options"])
    if isinstance(wind, int):
        wind = HEADINGS[orientation][((-wind if mirror else wind) + turns) % SIDES]
    if mirror and "wind_weights" in options:
        options["wind_weights"] = [options["wind_weights"][-turn % SIDES] for turn in range(SIDES)]
    document = {
        "system": "town",
        "steps": scenario["steps"],
        "map": {
            "orientation": orientation,
            "rows": [" ".join(row) for row in symbols],
            "legend": scenario["legend"],
            "gaps": {"default": scenario["gap"]},
        },
        "weather": {"wind": wind},
        "options": options,
        "ignite": [{"cell": list(cells[moved(scenario["lit"])]), **scenario["ignite"]}],
    }
    return document, [row * cols + col for row, col in (cells[moved(hexagon)] for hexagon in scenario["hexes"])]


VIEWS: dict[str, tuple[int, bool, str]] = {
    **{f"turned by {60 * turns} degrees": (turns, False, "pointy") for turns in range(1, SIDES)},
    "mirrored": (0, True, "pointy"),
    "mirrored and turned": (3, True, "pointy"),
    "flat": (0, False, "flat"),
    "flat, turned": (1, False, "flat"),
}


def burnt(scenario: Document, view: tuple[int, bool, str], block: int, fires: int) -> tuple[Any, Any]:
    """How many hexes each fire lit, and how often each hex was lit; every block has replicates of its own."""
    document, cells = laid_out(scenario, *view)
    study = firesim.study(document, fires, seed=SEED, first_replicate=block * LONGER * FIRES)
    return study.outcomes["lit"], study.counts.counts[0][cells]


def compare(name: str, fires: int) -> list[str]:
    """The views in which the town burns otherwise, and how sure that is."""
    lit, each = burnt(SCENES[name], (0, False, "pointy"), 0, fires)
    otherwise = []
    for block, (view, moved) in enumerate(VIEWS.items(), start=1):
        lit_there, each_there = burnt(SCENES[name], moved, block, fires)
        p, freedom = same_distribution(lit.tolist(), lit_there.tolist())
        p_cells = same_chances(each, each_there, fires)
        print(f"{name}, {view}: p = {p:.4f} ({freedom} degrees of freedom), by hex p >= {p_cells:.4f}")
        if min(p, p_cells) <= SURE:
            otherwise.append(f"{view}: p = {p:.2g}, by hex {p_cells:.2g}")
    return otherwise


@pytest.mark.parametrize("name", SCENES)
def test_a_town_turned_or_mirrored_burns_alike(name: str) -> None:
    assert compare(name, FIRES) == []


@pytest.mark.long
@pytest.mark.parametrize("name", SCENES)
def test_a_town_turned_or_mirrored_burns_alike_in_many_more_fires(name: str) -> None:
    assert compare(name, LONGER * FIRES) == []


def test_the_comparison_finds_a_wind_that_was_not_turned() -> None:
    name = "wind, one jump"
    lit, each = burnt(SCENES[name], (0, False, "pointy"), 0, FIRES)
    unturned = SCENES[name] | {"wind": 5}
    lit_there, each_there = burnt(unturned, (1, False, "pointy"), 1, FIRES)
    assert same_chances(each, each_there, FIRES) < SURE
    assert min(same_distribution(lit.tolist(), lit_there.tolist())[0], same_chances(each, each_there, FIRES)) < SURE


def test_hexes_keep_their_neighbours_in_every_view() -> None:
    hexes = disc(3)
    for turns, mirror, orientation in VIEWS.values():
        moved = {h: turned(mirrored(h) if mirror else h, turns) for h in hexes}
        cells = on_map(moved.values(), orientation, turns % 2)
        assert len(set(cells.values())) == len(hexes)
        place = {cells[moved[h]]: h for h in hexes}
        for hexagon in disc(2):
            row, col = cells[moved[hexagon]]
            for heading in range(SIDES):
                there = place[neighbour(row, col, heading, orientation)]
                wanted = -(heading - turns) if mirror else heading - turns
                assert there == turned_step(hexagon, wanted % SIDES)


def turned_step(hexagon: Axial, heading: int) -> Axial:
    """The neighbour in a heading."""
    step = turned((1, 0), heading)
    return hexagon[0] + step[0], hexagon[1] + step[1]


def test_lit_hexes_differ_from_fire_to_fire() -> None:
    for name, scenario in SCENES.items():
        lit, each = burnt(scenario, (0, False, "pointy"), 0, 2000)
        assert len(np.unique(lit)) >= 4, f"{name}: too alike to compare"
        assert (each > 0).sum() >= 5, name
