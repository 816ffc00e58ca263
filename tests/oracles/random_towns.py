"""Small random towns that use every word of a scenario, for tests that compare."""

from __future__ import annotations

import random
from typing import Any

HEADINGS = {"pointy": ("E", "NE", "NW", "W", "SW", "SE"), "flat": ("N", "NW", "SW", "S", "SE", "NE")}
MATERIALS = ("light", "wooden", "wattle and daub", "unknown3", "earthen", "adobe", "brick", "stone")
ROOFS = ("thatch", "cloth", "wood shingles", "clay tile", "slate")
ACCELERANTS = ("gunpowder", "paper", "vellum", "oil", "spirit alcohol", "pitch", "resins", "silk", "cotton")
MOISTURES = ("wet", "damp", "normal", "arid")

OPTIONS: dict[str, tuple[Any, ...]] = {
    "mode": ("gritty", "gritty", "gritty", "simple"),
    "collapse": ("once", "each_turn"),
    "collapse_strict": (False, True),
    "collapse_effect": ("flag", "floors", "debris"),
    "flare_by": ("net", "die"),
    "spark_unit": ("melee", "village"),
    "spark_all": (False, True),
    "spark_reach": ("up_to", "exact"),
    "roof_mode": ("layer", "layer_burns", "replaces"),
    "gap3": ("jump", "flare", "per_three"),
    "inferno_radius": (1, 0, 2, 3),
    "inferno_count": (1, 2),
    "inferno_exclusive": (False, True),
    "accel_needs_fire": (False, True),
    "accel_stack": ("sum", "max"),
    "tile_mode": ("second_hit", "per_two_turns"),
    "one_hex": (True, False),
    "wind_weights": ([4, 1, 0, 0, 0, 1], [1, 1, 1, 1, 1, 1], [6, 0, 0, 0, 0, 0], [2, 1, 1, 0, 1, 1]),
    "jump": ("one", "arc", "all"),
    "stall_jump": (False, True),
    "simple_mods": (False, True),
}


def random_town(seed: int, *, options: bool = True) -> dict[str, Any]:
    """A town of at most 6 x 6 hexes, the same for the same seed; with `options`, every reading drawn at random."""
    draw = random.Random(seed)
    orientation = draw.choice(("pointy", "flat"))
    rows, cols = draw.randint(1, 6), draw.randint(1, 6)
    legend = {f"h{i}": _house(draw) for i in range(draw.randint(1, 6))}
    ground = draw.choice((0.0, 0.2, 0.6))
    cells = [["." if draw.random() < ground else draw.choice(list(legend)) for _ in range(cols)] for _ in range(rows)]
    cells[draw.randrange(rows)][draw.randrange(cols)] = "h0"
    standing = [(r, c) for r in range(rows) for c in range(cols) if cells[r][c] != "."]
    return {
        "system": "town",
        "steps": draw.choice((5, 40, 80)),
        "map": {
            "orientation": orientation,
            "rows": [" ".join(row) for row in cells],
            "legend": legend,
            "gaps": {"default": draw.choice((0, 1, 1, 2, 3, 5)), "between": _pairs(draw, standing, orientation)},
        },
        "weather": {
            "moisture": draw.choice(MOISTURES[1:]),
            "wind": draw.choice(("none", "die", *HEADINGS[orientation])),
        },
        "options": {k: draw.choice(v) for k, v in OPTIONS.items() if options and draw.random() < 0.5},
        "ignite": [_ignition(draw, draw.choice(standing)) for _ in range(draw.randint(1, 3))],
        "event": [_event(draw, standing, orientation) for _ in range(draw.randint(0, 5))],
        "tables": draw.choice(
            ({}, {}, {"material": {"brick": 5, "stone": 4}, "flare": {"from_net": 4}, "roof": {"slate": 2}})
        ),
    }


PATCH = 4
"""Rows of a tall town over which a building may reach."""


def tall_town(seed: int, rows: int, cols: int, *, options: bool = True) -> dict[str, Any]:
    """A town with the houses, weather, readings and tables of `random_town(seed)`, on a map of this size.

    In nine of ten no ignition fails, so that none is tried again in every turn.
    """
    town, draw = random_town(seed, options=options), random.Random(f"tall {seed}")
    looks, legend = town["map"]["orientation"], {}
    for symbol, house in town["map"]["legend"].items():
        for patch in range(-(-rows // PATCH)):
            of_the_patch = {"building": f"{house['building']} {patch}"} if "building" in house else {}
            legend[f"{symbol}_{patch}"] = house | of_the_patch
    symbols, ground = list(town["map"]["legend"]), draw.choice((0.0, 0.1, 0.3))
    cells = [
        ["." if draw.random() < ground else f"{draw.choice(symbols)}_{row // PATCH}" for _ in range(cols)]
        for row in range(rows)
    ]
    cells[0][0] = f"{symbols[0]}_0"
    standing = [(row, col) for row in range(rows) for col in range(cols) if cells[row][col] != "."]
    gaps = {"default": town["map"]["gaps"]["default"], "between": _pairs(draw, standing, looks)}
    surely = {"alight": True} if seed % 10 else {}
    return town | {
        "steps": draw.choice((10, 30, 60)),
        "map": {"orientation": looks, "rows": [" ".join(row) for row in cells], "legend": legend, "gaps": gaps},
        "ignite": [_ignition(draw, draw.choice(standing)) | surely for _ in range(draw.randint(2, rows))],
        "event": [_event(draw, standing, looks) for _ in range(draw.choice((0, 1, 3)))],
    }


def _house(draw: random.Random) -> dict[str, Any]:
    house: dict[str, Any] = {"roof": draw.choice(ROOFS), "floors": draw.randint(1, 4)}
    if draw.random() < 0.5:
        house["material"] = draw.choice(MATERIALS[:6])
    else:
        house["armour"] = draw.randint(0, 4)
    if draw.random() < 0.7:
        house["st"] = draw.choice((1, 2, 8, 10, 25))
    if draw.random() < 0.4:
        house["building"] = draw.choice(("mill", "inn"))
    if draw.random() < 0.2:
        house["setback"] = draw.randint(1, 2)
    if draw.random() < 0.2:
        house["moisture"] = draw.choice(MOISTURES)
    if draw.random() < 0.4:
        kinds = draw.sample(ACCELERANTS, draw.randint(1, 3))
        house["accelerant"] = draw.choice(
            (kinds[0], kinds, [{"kind": k, "several": draw.random() < 0.5} for k in kinds])
        )
    return house


def _pairs(draw: random.Random, standing: list[tuple[int, int]], orientation: str) -> list[dict[str, Any]]:
    from firesim.grid.hexes import neighbour

    pairs = []
    for cell in draw.sample(standing, min(len(standing), draw.choice((0, 0, 2)))):
        other = neighbour(*cell, draw.randrange(6), orientation)
        if other in standing and all({cell, other} != {tuple(c) for c in p["cells"]} for p in pairs):
            pairs.append({"cells": [list(cell), list(other)], "gap": draw.randint(0, 4)})
    return pairs


def _ignition(draw: random.Random, cell: tuple[int, int]) -> dict[str, Any]:
    return {
        "cell": list(cell),
        "step": draw.choice((1, 1, 2, 4)),
        "inside": draw.random() < 0.4,
        "alight": draw.random() < 0.4,
    }


def _event(draw: random.Random, standing: list[tuple[int, int]], orientation: str) -> dict[str, Any]:
    kind = draw.choice(("wind", "moisture", "moisture", "wet", "accelerant", "demolish", "douse", "ignite"))
    event: dict[str, Any] = {"step": draw.randint(1, 12), "kind": kind}
    cells = [list(c) for c in draw.sample(standing, min(len(standing), draw.randint(1, 2)))]
    if kind == "wind":
        return event | {"wind": draw.choice(("none", "die", *HEADINGS[orientation]))}
    if kind == "ignite":
        return event | _ignition(draw, draw.choice(standing)) | {"step": event["step"]}
    if kind == "accelerant":
        return event | {"accelerant": draw.choice(ACCELERANTS), "several": draw.random() < 0.5, "cells": cells}
    if kind == "moisture":
        event["moisture"] = draw.choice(MOISTURES)
        return event if draw.random() < 0.4 else event | {"cells": cells}
    if kind == "wet" and draw.random() < 0.3:
        event["moisture"] = draw.choice(MOISTURES)
    return event | {"cells": cells}
