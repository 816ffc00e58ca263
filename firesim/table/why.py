"""Why did this burn? Who lit whom, by which roll, back to where the fire began."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from firesim.core.problems import InputError, Problem, listed, nearest
from firesim.events.spread import NOBODY, Lit, lit_by
from firesim.rules.base import Prepared

if TYPE_CHECKING:
    from firesim.table.game import Game


@dataclass(frozen=True)
class Why:
    """The answer: `chain` from the last time it was lit back to the fire's beginning, empty when it never burnt.

    number: of the cell or person, as in dice and log. text: the answer in sentences, a line each.
    """

    number: int
    name: str
    chain: tuple[Lit, ...]
    text: str


def why(game: Game, place: Sequence[int] | int | str) -> Why:
    """Why something burnt, or that it did not."""
    ready, lit = game.prepared, game.spread
    number = number_of(ready, place, [each.cell for each in lit])
    chain = lit_by(lit, number)
    name = ready.system.cell_name(ready, number)
    lines = [sentence(ready, each) for each in chain] or [f"{name} has not burnt"]
    return Why(number, name, tuple(chain), "\n".join(line[:1].upper() + line[1:] for line in lines))


def sentence(ready: Prepared, lit: Lit) -> str:
    """When something began to burn, from what, and by which roll."""
    system = ready.system
    name = system.cell_name(ready, lit.cell)
    if lit.step == 0:
        return f"{name} burnt from the start"
    told = f"{system.step_word.lower()} {lit.step}: {name} caught fire"
    if lit.source != NOBODY:
        told += f" from {system.cell_name(ready, lit.source)}"
    return f"{told}: {lit.how.text}" if lit.how else told


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
    cell: Any = list(place)
    if len(cell) != 2 or not all(isinstance(c, (int, np.integer)) for c in cell):
        raise InputError(Problem(f"{place} is no cell", "[row, col]"))
    if not (0 <= cell[0] < rows and 0 <= cell[1] < cols):
        expected = f"a row from 0 to {rows - 1} and a column from 0 to {cols - 1}"
        raise InputError(Problem(f"cell ({cell[0]}, {cell[1]}) lies off the map", expected))
    return int(cell[0] * cols + cell[1])


def _named(ready: Prepared, name: str, others: Sequence[int]) -> int:
    """The number of what bears a name among all that burnt, whatever its capitals."""
    named = {ready.system.cell_name(ready, number).casefold(): number for number in others}
    if name.casefold() in named:
        return named[name.casefold()]
    known = sorted({ready.system.cell_name(ready, number) for number in others})
    if not known:
        raise InputError(Problem("nothing has burnt so far", "a cell [row, col]"))
    raise InputError(Problem(f"nothing called '{name[:60]}' has burnt", listed(known), nearest(name, known)))
