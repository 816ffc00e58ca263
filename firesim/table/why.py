"""Why did this burn? Who lit whom, by which roll, back to where the fire began."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from firesim.events.spread import NOBODY, Lit, lit_by
from firesim.rules.base import Prepared
from firesim.table.places import number_of

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
