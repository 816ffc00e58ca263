"""Towns for hypothesis: every word of a scenario, small maps, and figures at the ends of what is legal."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from tests.properties.geometry import HEADINGS, adjacent

Document = dict[str, Any]

MATERIALS = ("light", "wooden", "wattle and daub", "unknown3", "earthen", "adobe", "brick", "stone")
ROOFS = ("thatch", "cloth", "wood shingles", "clay tile", "slate")
ACCELERANTS = ("gunpowder", "paper", "vellum", "oil", "spirit alcohol", "pitch", "resins", "silk", "cotton")
MOISTURES = ("wet", "damp", "normal", "arid")
NAMES = ("mill", "inn", "keep")
LONGER = 20
"""How many times the examples of the quick suite the long one tries."""


def fixed(examples: int) -> settings:
    """Settings with which every run tries the same examples, on any machine."""
    return settings(
        max_examples=examples,
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
    )


accelerants = st.one_of(
    st.sampled_from(ACCELERANTS),
    st.lists(
        st.fixed_dictionaries({"kind": st.sampled_from(ACCELERANTS)}, optional={"several": st.booleans()}),
        min_size=1,
        max_size=4,
        unique_by=lambda placed: placed["kind"],
    ),
    st.lists(st.sampled_from(ACCELERANTS), min_size=1, max_size=9, unique=True),
)

EVERYDAY: dict[str, st.SearchStrategy[Any]] = {
    "building": st.sampled_from(NAMES),
    "material": st.sampled_from(MATERIALS[:4]),
    "armour": st.integers(0, 2),
    "roof": st.sampled_from(ROOFS),
    "floors": st.integers(1, 4),
    "st": st.integers(2, 30),
    "setback": st.integers(0, 1),
    "moisture": st.sampled_from(MOISTURES[1:]),
    "accelerant": accelerants,
}
FARTHEST: dict[str, st.SearchStrategy[Any]] = {
    "material": st.sampled_from(MATERIALS),
    "armour": st.sampled_from((0, 0, 1, 6, 1000)),
    "roof_protection": st.sampled_from((0, 0, 1, 4, 1000)),
    "floors": st.sampled_from((1, 2, 100)),
    "st": st.sampled_from((1, 1, 2, 3, 11, 1_000_000)),
    "setback": st.sampled_from((0, 0, 2, 10_000)),
    "moisture": st.sampled_from(MOISTURES),
}


def houses(everyday: bool) -> st.SearchStrategy[Document]:
    """One entry of the legend; not everyday: with figures at the ends of what is legal."""
    return st.fixed_dictionaries({}, optional=EVERYDAY if everyday else EVERYDAY | FARTHEST)


sixths = st.lists(st.integers(0, 5), min_size=6, max_size=6)
weights = sixths.map(lambda turns: [turns.count(turn) for turn in range(6)])

OPTIONS: dict[str, st.SearchStrategy[Any]] = {
    "mode": st.sampled_from(("gritty", "simple")),
    "collapse": st.sampled_from(("once", "each_turn")),
    "collapse_strict": st.booleans(),
    "collapse_effect": st.sampled_from(("flag", "floors", "debris")),
    "flare_by": st.sampled_from(("net", "die")),
    "spark_unit": st.sampled_from(("melee", "village")),
    "spark_all": st.booleans(),
    "spark_reach": st.sampled_from(("up_to", "exact")),
    "roof_mode": st.sampled_from(("layer", "layer_burns", "replaces")),
    "gap3": st.sampled_from(("jump", "flare", "per_three")),
    "inferno_radius": st.sampled_from((1, 2, 3, 0, 50)),
    "inferno_count": st.sampled_from((1, 2, 3, 1000)),
    "inferno_exclusive": st.booleans(),
    "accel_needs_fire": st.booleans(),
    "accel_stack": st.sampled_from(("sum", "max")),
    "tile_mode": st.sampled_from(("second_hit", "per_two_turns")),
    "one_hex": st.booleans(),
    "wind_weights": weights,
    "jump": st.sampled_from(("one", "arc", "all")),
    "stall_jump": st.booleans(),
    "simple_mods": st.booleans(),
}


def some(table: dict[str, st.SearchStrategy[int]]) -> st.SearchStrategy[dict[str, int]]:
    """Some of a table's numbers."""
    return st.fixed_dictionaries({}, optional=table)


protection = st.sampled_from((0, 1, 2, 5, 1000))
bonus = st.sampled_from((-1000, -3, -1, 0, 1, 2, 5, 1000))
TABLES = {
    "material": some(dict.fromkeys(MATERIALS, protection)),
    "roof": some(dict.fromkeys(ROOFS, protection)),
    "accelerant": some(dict.fromkeys(ACCELERANTS, bonus)),
    "moisture": some(dict.fromkeys(MOISTURES, bonus)),
    "inferno": some({"bonus": bonus}),
    "collapse": some({"from_face": st.integers(1, 7), "percent": st.sampled_from((0, 1, 25, 50, 99, 100))}),
    "external": some({"percent": st.sampled_from((0, 1, 50, 75, 99, 100))}),
    "flare": some(
        {"from_net": st.sampled_from((-1000, 1, 3, 4, 6, 1000)), "reach_per_floor": st.sampled_from((0, 1, 7, 1000))}
    ),
    "gap": some(
        {
            "jump": st.sampled_from((0, 1, 2, 5, 1000)),
            "protected": st.sampled_from((1, 2, 3, 4, 7, 1000)),
            "hex": st.sampled_from((0, 1, 3, 7, 1000)),
        }
    ),
}


@st.composite
def towns(draw: st.DrawFn, largest: int = 8, steps: tuple[int | None, ...] = (40, 90, 12, 1, 0)) -> Document:
    """A scenario whose map has at most `largest` rows and columns; a None in `steps`: without a horizon.

    Two of three are everyday towns in which much burns; the others have figures at the ends of what is legal.
    """
    everyday = draw(st.sampled_from((True, True, False)))
    orientation = draw(st.sampled_from(("pointy", "flat")))
    rows, cols = draw(st.integers(1, largest)), draw(st.integers(1, largest))
    drawn = draw(st.lists(houses(everyday), min_size=1, max_size=5))
    legend = {f"h{i}": house for i, house in enumerate(drawn)}
    symbols = st.sampled_from((*legend, *draw(st.sampled_from(((), (".",), (".", "w"), (".",) * 4)))))
    cells = draw(st.lists(symbols, min_size=rows * cols, max_size=rows * cols))
    cells[draw(st.integers(0, rows * cols - 1))] = "h0"
    standing = [divmod(i, cols) for i, symbol in enumerate(cells) if symbol in legend]
    at = st.sampled_from(standing)
    winds = st.sampled_from(("none", "die", *HEADINGS[orientation]))
    tables = st.fixed_dictionaries({}, optional=TABLES)
    town: Document = {
        "system": "town",
        "map": {
            "orientation": orientation,
            "rows": [" ".join(cells[row * cols : row * cols + cols]) for row in range(rows)],
            "legend": {**legend, "w": {"ground": "water"}},
            "gaps": {
                "default": draw(st.sampled_from((1, 2, 0, 3) if everyday else (1, 0, 4, 7, 10_000))),
                "between": draw(pairs(standing, orientation, rows, cols)),
            },
        },
        "weather": {"moisture": draw(st.sampled_from(MOISTURES[everyday:])), "wind": draw(winds)},
        "options": draw(st.fixed_dictionaries({}, optional=OPTIONS)),
        "ignite": [{"cell": list(draw(at))} | draw(ignitions) for _ in range(draw(st.integers(everyday, 4)))],
        "event": [draw(events(at, winds, cells, legend)) for _ in range(draw(st.integers(0, 5)))],
        "tables": draw(tables if not everyday else st.sampled_from(({}, {"flare": {"from_net": 3}}))),
        "watch": [{"name": "here", "cells": [list(draw(at))]}] if draw(st.booleans()) else [],
    }
    horizon = draw(st.sampled_from(steps))
    return town if horizon is None else town | {"steps": horizon}


ignitions = st.fixed_dictionaries(
    {}, optional={"step": st.integers(1, 6), "inside": st.booleans(), "alight": st.just(True)}
)


@st.composite
def pairs(draw: st.DrawFn, standing: list[tuple[int, int]], orientation: str, rows: int, cols: int) -> list[Document]:
    """Gaps between neighbours, each pair once."""
    found: dict[frozenset[tuple[int, int]], int] = {}
    for _ in range(draw(st.integers(0, 3))):
        cell = draw(st.sampled_from(standing))
        near = [other for other in adjacent(cell, orientation, rows, cols) if other in standing]
        if near:
            pair = frozenset((cell, draw(st.sampled_from(near))))
            found[pair] = draw(st.sampled_from((0, 1, 2, 3, 5, 10_000)))
    return [{"cells": [list(cell) for cell in sorted(pair)], "gap": gap} for pair, gap in found.items()]


@st.composite
def events(
    draw: st.DrawFn,
    at: st.SearchStrategy[tuple[int, int]],
    winds: st.SearchStrategy[str],
    cells: list[str],
    legend: Document,
) -> Document:
    """One event of any kind."""
    kind = draw(st.sampled_from(("wind", "moisture", "wet", "accelerant", "demolish", "ignite")))
    event: Document = {"step": draw(st.integers(1, 14)), "kind": kind}
    if kind == "wind":
        return event | {"wind": draw(winds)}
    if kind == "ignite":
        return event | {"cell": list(draw(at))} | {k: v for k, v in draw(ignitions).items() if k != "step"}
    if kind == "accelerant":
        event |= {"accelerant": draw(st.sampled_from(ACCELERANTS)), "several": draw(st.booleans())}
    if kind == "moisture":
        event["moisture"] = draw(st.sampled_from(MOISTURES))
    hexes = Counter(legend[symbol].get("building") for symbol in cells if symbol in legend)
    named = sorted(name for name in hexes if name)
    place = draw(st.sampled_from(("cells", "cells", "building" if named else "cell", "weather")))
    if place == "building":
        return event | {"building": draw(st.sampled_from(named))}
    if place == "cell":
        return event | {"cell": list(draw(at))}
    if place == "weather" and kind in ("moisture", "wet"):
        return event
    return event | {"cells": [list(cell) for cell in draw(st.lists(at, min_size=1, max_size=3))]}
