"""Ships for hypothesis: every word of a scenario, small decks, people close together."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

Document = dict[str, Any]
Cell = tuple[int, int]

MODULES = ("helm", "cargo", "life support", "engine")
NAMES = ("Ada", "Bo", "Cyl", "Dor", "Ember")
ALONE = (
    "none",
    "extinguish module",
    "extinguish person",
    "extinguish all",
    "station module",
    "station all",
    "spacewalk",
)

OPTIONS: dict[str, st.SearchStrategy[Any]] = {
    "modules_first": st.booleans(),
    "new_fire_hurts": st.booleans(),
    "relight": st.booleans(),
    "splash_walls": st.booleans(),
    "hull_repeat": st.booleans(),
    "person6_breaks": st.booleans(),
    "adjacent": st.sampled_from((8, 4)),
    "shared_splash": st.booleans(),
    "toolkit_at_station": st.booleans(),
    "tentac_ignites": st.sampled_from(("first", "chosen")),
    "grapple_each_phase": st.booleans(),
}
legends = st.fixed_dictionaries(
    {"module": st.sampled_from(MODULES)},
    optional={"external_door": st.booleans(), "broken": st.sampled_from((False, False, True))},
)
traits = st.fixed_dictionaries(
    {"health": st.sampled_from((1, 4, 9, 30, 1_000_000))},
    optional={
        "on_fire": st.booleans(),
        "tentac": st.booleans(),
        "eva": st.booleans(),
        "toolkit": st.booleans(),
        "spacewalking": st.sampled_from((False, False, True)),
        "engineering": st.sampled_from((0, 2, 6, 1000)),
        "athletics": st.sampled_from((0, 3, 1000)),
    },
)


@st.composite
def ships(draw: st.DrawFn, largest: int = 4, steps: tuple[int, ...] = (30, 12, 3, 1, 0)) -> Document:
    """A scenario whose deck has at most `largest` rows and columns."""
    rows, cols = draw(st.integers(1, largest)), draw(st.integers(1, largest))
    legend = dict(zip("abcd", draw(st.lists(legends, min_size=1, max_size=4)), strict=False))
    symbols = st.sampled_from((*legend, *draw(st.sampled_from(((), (".",))))))
    cells = draw(st.lists(symbols, min_size=rows * cols, max_size=rows * cols))
    cells[draw(st.integers(0, rows * cols - 1))] = "a"
    modules = [divmod(i, cols) for i, symbol in enumerate(cells) if symbol != "."]
    at = st.sampled_from(modules)
    side = draw(st.sampled_from((1, 2, 3, 5)))
    squares = st.tuples(st.integers(0, side - 1), st.integers(0, side - 1)).map(list)
    names = NAMES[: draw(st.integers(0, len(NAMES)))]
    kinds = st.sampled_from(("barrel", "cargo", "personal"))
    return {
        "system": "ship",
        "steps": draw(st.sampled_from(steps)),
        "map": {"rows": [" ".join(cells[r * cols : r * cols + cols]) for r in range(rows)], "legend": legend},
        "options": draw(st.fixed_dictionaries({}, optional=OPTIONS)) | {"side": side},
        "crew": [
            {"name": name, "cell": list(cell), "square": draw(squares)}
            | draw(traits)
            | draw(orders(name, names, cell, modules))
            for name, cell in ((name, draw(at)) for name in names)
        ],
        "item": [
            {"kind": draw(kinds), "cell": list(draw(at)), "square": draw(squares)}
            for _ in range(draw(st.integers(0, 3)))
        ],
        "ignite": [{"cell": list(draw(at))} | draw(ignitions) for _ in range(draw(st.integers(0, 3)))],
        "event": [draw(events(at)) for _ in range(draw(st.integers(0, 3)))],
        "watch": [{"name": "here", "cells": [list(draw(at))]}] if draw(st.booleans()) else [],
    }


ignitions = st.fixed_dictionaries({}, optional={"step": st.integers(1, 6), "alight": st.booleans()})


@st.composite
def orders(draw: st.DrawFn, name: str, names: tuple[str, ...], cell: Cell, modules: list[Cell]) -> Document:
    """One order with what it needs, with or without door orders beside it."""
    others = [other for other in names if other != name]
    beside = [m for m in modules if abs(m[0] - cell[0]) + abs(m[1] - cell[1]) == 1]
    kinds = (*ALONE, *(("move",) if beside else ()), *(("grapple", "carry", "carry") if others else ()))
    kind = draw(st.sampled_from(kinds))
    order: Document = {"order": kind}
    if kind in ("grapple", "carry"):
        order["target"] = draw(st.sampled_from(others))
    if kind.startswith("station") and draw(st.booleans()):
        order["target"] = list(draw(st.sampled_from(modules)))
    if kind in ("move", "carry") and beside:
        order["path"] = [list(draw(st.sampled_from(beside)))]
    doors = draw(st.sampled_from(((), (), ("open door",), ("hold door",))))
    return order | {"order": [*doors, kind]} if doors else order


@st.composite
def events(draw: st.DrawFn, at: st.SearchStrategy[Cell]) -> Document:
    """One event of any kind."""
    event = {
        "step": draw(st.integers(1, 10)),
        "kind": draw(st.sampled_from(("weapon", "weapon", "douse", "demolish", "door"))),
    }
    if draw(st.booleans()):
        return event | {"cell": list(draw(at))}
    return event | {"cells": [list(cell) for cell in draw(st.lists(at, min_size=1, max_size=3, unique=True))]}
