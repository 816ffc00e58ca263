"""What is told of a ship at the table: what an event will do, and how a module, a person or a thing fares."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from firesim.core.telling import joined
from firesim.rules.ship.words import Event

Named = Callable[[int], str]
"""How a sentence names a module, a person or a thing, by its number in dice and log."""

SAID = {
    "weapon": "weapon fire is aimed at {where}",
    "douse": "what burns in {where} is put out",
    "demolish": "{where} {breaks}",
    "door": "the external door of {where} opens",
}
"""What each kind of event does [D-S1, D-S12]."""


def event_text(event: Event, named: Named, cols: int) -> str:
    """What an event does, as a sentence.

    >>> event_text(Event(step=2, kind="demolish", cell=(0, 1)), lambda cell: f"module {cell}", 9)
    'module 1 breaks'
    """
    cells = [event.cell] if event.cell is not None else list(event.cells or [])
    where = joined([named(row * cols + col) for row, col in cells])
    return SAID[event.kind].format(where=where, breaks="breaks" if len(cells) == 1 else "break")


def fares(prepared: Any, state: Any, number: int, named: Named) -> str:
    """How a module fares and who is in it, or a person, or a thing."""
    modules, people = len(state.cells), len(state.crew)
    if number >= modules + people:
        return "damaged" if state.items.damaged[number - modules - people] else "unharmed"
    if number >= modules:
        return _person_fares(prepared, state, number - modules, named)
    if not prepared.params.cells.exists[number]:
        return "space"
    now = state.cells[number]
    told = ["burning" if now.burning else "burnt, out" if now.burnt else "not burning"]
    told += ["broken"] if now.broken else []
    inside = [
        f"{named(modules + person)} ({_health(prepared, state, person)})"
        for person in range(people)
        if state.crew.cell[person] == number and not state.crew.outside[person]
    ]
    things = [
        item.name or item.kind + (" (damaged)" if state.items.damaged[i] else "")
        for i, item in enumerate(prepared.look.items)
        if prepared.params.items.cell[i] == number
    ]
    return ", ".join(told) + (f"; in it {joined([*inside, *things], 12)}" if inside or things else "")


def _person_fares(prepared: Any, state: Any, person: int, named: Named) -> str:
    now = state.crew[person]
    where = "outside" if now.outside else f"in {named(int(now.cell))}"
    order = prepared.look.crew[person].order
    orders = [order] if isinstance(order, str) else list(order)
    told = "no order" if orders == ["none"] else f"ordered: {', '.join(orders)}"
    return f"{_health(prepared, state, person)}, {where}; {told}"


def _health(prepared: Any, state: Any, person: int) -> str:
    """Damage of a person, and what it means [D-S2]."""
    now, health = state.crew[person], int(prepared.params.crew[person].health)
    told = f"damage {now.damage} of {health}" + (", out of action" if now.damage >= health else "")
    return told + (", burning" if now.burning and not now.outside else "")
