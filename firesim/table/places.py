"""What a person names at the table, a cell, a building, one of the people, as the numbers of dice and log."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from firesim.core.problems import InputError, Problem, listed, nearest
from firesim.rules.base import Prepared


def number_of(ready: Prepared, place: Sequence[int] | int | str, others: Sequence[int] = ()) -> int:
    """The number of a cell [row, col], of a flat index, or of a name; `others`: numbers beyond the map's cells.

    Raises InputError where there is no such place.
    """
    rows, cols = ready.shape[-2:]
    if isinstance(place, str):
        return _named(ready, place, others)
    if isinstance(place, (int, np.integer)):
        if 0 <= place < rows * cols or place in others:
            return int(place)
        raise InputError(Problem(f"there is no cell {place}", f"a whole number below {rows * cols}"))
    cell: Any = list(place) if isinstance(place, Iterable) else []
    if len(cell) != 2 or not all(isinstance(c, (int, np.integer)) for c in cell):
        raise InputError(Problem(f"{place} is no cell", "[row, col], or a name"))
    if not (0 <= cell[0] < rows and 0 <= cell[1] < cols):
        expected = f"a row from 0 to {rows - 1} and a column from 0 to {cols - 1}"
        raise InputError(Problem(f"cell ({cell[0]}, {cell[1]}) lies off the map", expected))
    return int(cell[0] * cols + cell[1])


def _named(ready: Prepared, name: str, others: Sequence[int]) -> int:
    """The number of what bears a name, whatever its capitals: of a building, the hex that burnt first."""
    wanted = name.strip().strip("\"'").casefold()
    called = {ready.system.cell_name(ready, number).casefold(): number for number in reversed(others)}
    if wanted in called:
        return called[wanted]
    named = ready.system.named(ready)
    for known, numbers in named.items():
        if known.casefold() == wanted and numbers:
            return next((number for number in others if number in set(numbers)), numbers[0])
    every = sorted({ready.system.cell_name(ready, number) for number in others} | set(named))
    if not every:
        raise InputError(Problem("nothing has burnt so far, and nothing has a name", "a cell [row, col]"))
    raise InputError(Problem(f"there is nothing called '{name[:60]}'", listed(every), nearest(name, every)))


def places_named(ready: Prepared) -> dict[str, list[list[int]]]:
    """The parts of the map that have names, with their cells [row, col]; people and things are none."""
    rows, cols = ready.shape[-2:]
    return {
        name: [[number // cols, number % cols] for number in numbers]
        for name, numbers in ready.system.named(ready).items()
        if all(number < rows * cols for number in numbers)
    }


def numbers_of(ready: Prepared, words: str) -> list[int]:
    """The numbers of what is named: a cell `4 12`, a person, or all hexes of a building. Raises InputError."""
    parts = words.strip("[]()").replace(",", " ").split()
    if len(parts) == 2 and all(part.isascii() and part.isdigit() and len(part) < 10 for part in parts):
        return [number_of(ready, [int(part) for part in parts])]
    name = words.strip().strip("\"'")
    for known, numbers in ready.system.named(ready).items():
        if known.casefold() == name.casefold():
            return list(numbers)
    every = list(ready.system.named(ready))
    expected = "a row and a column, as 4 12" + (f", or {listed(every)}" if every else "")
    raise InputError(Problem(f"'{name[:40]}' is no cell", expected, nearest(name, every)))
