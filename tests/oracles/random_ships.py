"""Small random ships that use every word of a scenario, for tests that compare."""

from __future__ import annotations

import random
from typing import Any

OPTIONS: dict[str, tuple[Any, ...]] = {
    "modules_first": (False, True),
    "new_fire_hurts": (False, True),
    "relight": (True, False),
    "splash_walls": (False, True),
    "hull_repeat": (True, False),
    "person6_breaks": (False, True),
    "adjacent": (8, 4),
    "shared_splash": (False, True),
    "toolkit_at_station": (False, True),
    "tentac_ignites": ("first", "chosen"),
    "grapple_each_phase": (False, True),
}
ORDERS = (
    "none",
    "extinguish module",
    "extinguish person",
    "extinguish all",
    "station module",
    "station all",
    "move",
    "grapple",
    "grapple",
    "carry",
    "carry",
    "spacewalk",
)
DOOR_ORDERS = ("open door", "hold door")
MODULE_NAMES = ("helm", "cargo", "life support", "science", "engine")
NAMES = ("Ada", "Bo", "Cyl", "Dor", "Ember", "Fitz")

Cell = tuple[int, int]


def random_ship(seed: int, *, options: bool = True) -> dict[str, Any]:
    """A ship of at most 4 x 4 modules, the same for the same seed; with `options`, every reading drawn at random."""
    draw = random.Random(seed)
    rows, cols = draw.randint(1, 4), draw.randint(1, 4)
    legend = {f"M{i}": _module(draw) for i in range(draw.randint(1, 5))}
    holes = draw.choice((0.0, 0.2, 0.5))
    cells = [["." if draw.random() < holes else draw.choice(list(legend)) for _ in range(cols)] for _ in range(rows)]
    cells[draw.randrange(rows)][draw.randrange(cols)] = "M0"
    modules = [(r, c) for r in range(rows) for c in range(cols) if cells[r][c] != "."]
    side = draw.choice((1, 1, 2, 2, 3, 4, 5, 5))
    drawn = {k: draw.choice(v) for k, v in OPTIONS.items() if options and draw.random() < 0.5}
    if side != 5 or draw.random() < 0.5:
        drawn["side"] = side
    # A crowded ship has everybody in two modules and two squares of each, so that fires meet people and people meet.
    crowded = draw.random() < 0.5
    places = draw.sample(modules, min(len(modules), 2)) if crowded else modules
    squares = [(draw.randrange(side), draw.randrange(side)) for _ in range(2)]
    squares = squares if crowded else [(r, c) for r in range(side) for c in range(side)]
    names = NAMES[: draw.choice((0, 1, 2, 3, 4, 5, 6, 6))]
    ship: dict[str, Any] = {
        "system": "ship",
        "steps": draw.randint(5, 40),
        "map": {"grid": "modules", "rows": [" ".join(row) for row in cells], "legend": legend},
        "options": drawn,
        "crew": [_person(draw, name, names, modules, places, squares) for name in names],
        "item": [_item(draw, j, places, squares) for j in range(draw.choice((0, 0, 1, 2, 3, 5)))],
        "ignite": [_ignition(draw, modules, places) for _ in range(draw.choice((0, 1, 1, 2, 3)))],
        "event": [_event(draw, modules) for _ in range(draw.choice((0, 0, 1, 2, 4)))],
        "watch": [_watch(draw, name, modules) for name in draw.choice(((), ("bow",), ("bow", "stern")))],
    }
    return {key: value for key, value in ship.items() if value or draw.random() < 0.5}


def _module(draw: random.Random) -> dict[str, Any]:
    module: dict[str, Any] = {"module": draw.choice(MODULE_NAMES)}
    if draw.random() < 0.5:
        module["external_door"] = draw.random() < 0.9
    if draw.random() < 0.15:
        module["broken"] = True
    return module


def _person(
    draw: random.Random,
    name: str,
    names: tuple[str, ...],
    modules: list[Cell],
    places: list[Cell],
    squares: list[Cell],
) -> dict[str, Any]:
    cell = draw.choice(places)
    person: dict[str, Any] = {"name": name, "cell": list(cell), "health": max(draw.randint(1, 15), draw.randint(1, 15))}
    person |= _where(draw, squares)
    for key, chance in (("on_fire", 0.35), ("tentac", 0.25), ("eva", 0.3), ("toolkit", 0.3), ("spacewalking", 0.07)):
        if draw.random() < chance:
            person[key] = True
    if draw.random() < 0.6:
        person["engineering"] = draw.randint(0, 6)
    if draw.random() < 0.4:
        person["athletics"] = draw.randint(0, 6)
    return person | _orders(draw, name, names, modules, cell)


def _orders(draw: random.Random, name: str, names: tuple[str, ...], modules: list[Cell], cell: Cell) -> dict[str, Any]:
    """The keys order, target and path: one order, or a list of door orders and at most one other."""
    order = draw.choice(ORDERS)
    others = [other for other in names if other != name]
    if order in ("grapple", "carry") and not others:
        order = "extinguish all"
    keys: dict[str, Any] = {"order": order}
    if order in ("grapple", "carry"):
        keys["target"] = draw.choice(others)
    if order.startswith("station") and draw.random() < 0.5:
        keys["target"] = list(draw.choice(modules))
    if order in ("move", "carry"):
        keys["path"] = _path(draw, modules, cell)
        if not keys["path"]:  # a lonely module: nowhere to go
            keys = {"order": "extinguish module"}
    if draw.random() < 0.35:
        doors = draw.sample(DOOR_ORDERS, draw.randint(1, 2))
        both = [*doors, keys["order"]]
        draw.shuffle(both)
        keys["order"] = draw.choice((both, [*doors, keys["order"]], doors[0]))
        if isinstance(keys["order"], str):
            keys = {"order": keys["order"]}
    elif keys["order"] == "none" and draw.random() < 0.5:
        del keys["order"]
    return keys


def _path(draw: random.Random, modules: list[Cell], cell: Cell) -> list[list[int]]:
    """Up to six modules, each orthogonally adjacent to the one before, the first to the person's own."""
    path: list[list[int]] = []
    for _ in range(draw.randint(1, 6)):
        beside = [(cell[0] + dr, cell[1] + dc) for dr, dc in ((-1, 0), (0, 1), (1, 0), (0, -1))]
        beside = [place for place in beside if place in modules]
        if not beside:
            break
        cell = draw.choice(beside)
        path.append(list(cell))
    return path


def _where(draw: random.Random, squares: list[Cell]) -> dict[str, Any]:
    return {"square": list(draw.choice(squares))} if draw.random() < 0.9 else {}


def _item(draw: random.Random, j: int, places: list[Cell], squares: list[Cell]) -> dict[str, Any]:
    item: dict[str, Any] = {"name": f"item {j}", "cell": list(draw.choice(places))}
    return item | {"kind": draw.choice(("barrel", "cargo", "personal"))} | _where(draw, squares)


def _ignition(draw: random.Random, modules: list[Cell], places: list[Cell]) -> dict[str, Any]:
    ignition: dict[str, Any] = {"cell": list(draw.choice((*modules, *places, *places)))}
    if draw.random() < 0.4:
        ignition["step"] = draw.choice((1, 2, 3, 6))
    if draw.random() < 0.5:
        ignition["alight"] = draw.random() < 0.4
    return ignition


def _event(draw: random.Random, modules: list[Cell]) -> dict[str, Any]:
    kind = draw.choice(("weapon", "weapon", "weapon", "douse", "demolish", "door", "door"))
    event: dict[str, Any] = {"step": draw.randint(1, 12), "kind": kind}
    if draw.random() < 0.5:
        return event | {"cell": list(draw.choice(modules))}
    # Cells in any order: a file need not list them by row.
    return event | {"cells": [list(c) for c in draw.sample(modules, min(len(modules), draw.randint(1, 6)))]}


def _watch(draw: random.Random, name: str, modules: list[Cell]) -> dict[str, Any]:
    return {"name": name, "cells": [list(c) for c in draw.sample(modules, min(len(modules), draw.randint(1, 3)))]}
