"""What a person at the table does to the crew between phases: new standing orders, moving, hurting and healing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import Field

from firesim.core.problems import Problem, listed, nearest
from firesim.core.words import Cell, Words
from firesim.rules.base import Prepared
from firesim.rules.ship import state as s
from firesim.rules.ship.check_crew import square_problems
from firesim.rules.ship.deck import Deck
from firesim.rules.ship.words import HEALTH_MOST, Order, Square

TAKES = {
    "order": ("order", "target", "path"),
    "move": ("cell", "square"),
    "hurt": ("amount",),
    "heal": ("amount",),
}
"""The keys of each deed, the first of them needed."""


class Deed(Words):
    """Something that a person at the table does to one of the crew; it holds from the next phase on.

    `order`: a new standing order, with its target and path. `move`: to another module or square, also from outside.
    `hurt`: so much damage, a negative amount heals. `heal`: so much less of it.
    """

    kind: Literal["order", "move", "hurt", "heal"]
    crew: str
    order: Order | list[Order] | None = None
    target: str | Cell | None = None
    path: list[Cell] | None = None
    cell: Cell | None = None
    square: Square | None = None
    amount: Annotated[int, Field(ge=-HEALTH_MOST, le=HEALTH_MOST)] | None = None


def do(prepared: Prepared, state: Any, deed: Deed, document: dict[str, Any]) -> list[Problem]:
    """Do a deed: write into the state and the document what holds from the next phase on [D-S1, D-S2, D-S11]."""
    names = [person.name for person in prepared.look.crew]
    problems = _problems(prepared, deed, names, document)
    if problems:
        return problems
    number = names.index(deed.crew)
    person, told = state.crew[number], document["crew"][number]
    cols = prepared.shape[1]
    if deed.kind == "order":
        for key in TAKES["order"]:
            told.pop(key, None)
            value = getattr(deed, key)
            if value is not None:
                told[key] = [list(step) for step in value] if key == "path" else _plain(value)
        told["cell"] = [int(person.cell) // cols, int(person.cell) % cols]
        person.path = person.holding = 0
    elif deed.kind == "move":
        if deed.cell is not None:
            if person.cell != deed.cell[0] * cols + deed.cell[1]:
                person.holds_door = person.holding = 0
            person.cell = deed.cell[0] * cols + deed.cell[1]
            person.outside = 0
        if deed.square is not None:
            told["square"] = list(deed.square)
    else:
        _hurt(state, number, _harm(deed), int(prepared.params.crew[number].health))
    return []


def deed_text(deed: Deed, named: Callable[[Cell], str]) -> str:
    """A deed as a sentence; named: how a module is called.

    >>> deed_text(Deed(kind="hurt", crew="Kest", amount=3), str)
    'Kest is hurt by 3'
    >>> deed_text(Deed(kind="order", crew="Io", order=["open door", "move"], path=[(0, 1)]), str)
    'Io is ordered: open door, move, by way of (0, 1)'
    """
    if deed.kind in ("hurt", "heal"):
        harm = _harm(deed)
        return f"{deed.crew} is {'healed' if harm < 0 or deed.kind == 'heal' else 'hurt'} by {abs(harm)}"
    if deed.kind == "move":
        places = [f"to {named(deed.cell)}"] if deed.cell is not None else []
        places += [f"to square {tuple(deed.square)} there"] if deed.square is not None else []
        return f"{deed.crew} is moved {', '.join(places)}"
    orders = [deed.order] if isinstance(deed.order, str) else list(deed.order or [])
    told = f"{deed.crew} is ordered: {', '.join(orders)}"
    if deed.target is not None:
        told += f", {deed.target if isinstance(deed.target, str) else named(deed.target)}"
    return told + (f", by way of {', '.join(named(cell) for cell in deed.path)}" if deed.path else "")


def _harm(deed: Deed) -> int:
    """What a deed adds to a person's damage."""
    return -(deed.amount or 0) if deed.kind == "heal" else deed.amount or 0


def _hurt(state: Any, number: int, amount: int, health: int) -> None:
    """Damage to a person, who is out of action when it reaches his health, and fit again below it [D-S2]."""
    before = int(state.crew[number].damage)
    after = max(0, before + amount)
    state.crew[number].damage = after
    state.tally[s.DAMAGE] += max(0, after - before)
    state.tally[s.DEATHS] += (after >= health) - (before >= health)


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, (list, tuple)) else value


def _problems(prepared: Prepared, deed: Deed, names: list[str], document: dict[str, Any]) -> list[Problem]:
    """What is wrong with a deed; what is wrong with an order itself is found by the check of the whole document."""
    if deed.crew not in names:
        return [Problem(f"there is nobody called '{deed.crew}'", listed(names), nearest(deed.crew, names), ("crew",))]
    takes = TAKES[deed.kind]
    given = [key for key in Deed.model_fields if key not in ("kind", "crew") and getattr(deed, key) is not None]
    found = [
        Problem(f"'{key}' does not belong to '{deed.kind}'", listed(takes), where=(key,))
        for key in given
        if key not in takes
    ]
    needed = takes if deed.kind == "move" else takes[:1]
    if not set(given) & set(needed):
        found.append(Problem(f"'{deed.kind}' lacks {listed(needed)}", f"{needed[0]} = ..."))
    if deed.kind == "heal" and (deed.amount or 0) < 0:
        found.append(Problem(f"'heal' by {deed.amount}", "an amount from 0", "'hurt' does harm", ("amount",)))
    if deed.cell is not None:
        found += Deck.of(document.get("map")).module_problems(deed.cell, ("cell",))
    return found + square_problems(deed.square, prepared.scenario.words.options.side, ("square",))  # type: ignore[attr-defined]
