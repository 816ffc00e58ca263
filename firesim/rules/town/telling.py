"""What is told of a town at the table: what an event will do, and how a hex fares."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from firesim.core.telling import count_of, joined
from firesim.rules.town.words import Event

Named = Callable[[int], str]
"""How a sentence names a hex, by its flat index."""

CALM, BY_DIE = "none", "die"
"""Winds that are no heading."""


def event_text(event: Event, named: Named, cols: int, hexes: dict[str, list[int]]) -> str:
    """What an event does, as a sentence [D-W13, D-W15]; hexes: those of each building with a name.

    >>> event_text(Event(step=3, kind="wet", cell=(0, 1)), lambda cell: f"hex {cell}", 9, {})
    'hex 1 is wetted'
    >>> event_text(Event(step=3, kind="wet", moisture="damp"), str, 9, {})
    'the weather turns damp, for every hex without a moisture of its own'
    """
    cells = [event.cell] if event.cell is not None else list(event.cells or [])
    where = joined([named(row * cols + col) for row, col in cells])
    are = "is" if len(cells) < 2 else "are"
    if event.building is not None:
        own = hexes.get(event.building, [])
        where = named(own[0]) if len(own) == 1 else f"all of {event.building} ({count_of(len(own), 'hex', 'hexes')})"
    if event.kind == "wind":
        return _wind_text(str(event.wind))
    if event.kind in ("moisture", "wet"):
        return _moisture_text(event, where, are)
    if event.kind == "accelerant":
        much = "much " if event.several else ""
        return f"{much}{event.accelerant} is placed in {where}"
    if event.kind == "ignite":
        inside = ", inside" if event.inside else ""
        return f"{where} is alight{inside}" if event.alight else f"fire is set to {where} until it catches{inside}"
    return f"{where} {are} demolished" if event.kind == "demolish" else f"what burns in {where} is put out"


def _wind_text(wind: str) -> str:
    if wind.lower() == CALM:
        return "the wind falls"
    return "a die gives the wind of each turn" if wind.lower() == BY_DIE else f"the wind blows towards {wind.upper()}"


def _moisture_text(event: Event, where: str, are: str) -> str:
    moisture = event.moisture or "wet"
    if not where:
        return f"the weather turns {moisture}, for every hex without a moisture of its own"
    if event.kind == "moisture":
        return f"{where} {are} {moisture} from now on"
    return f"{where} {are} wetted" + (f", to {moisture}" if moisture != "wet" else "")


def fares(start: Any, now: Any) -> str:
    """How a hex fares: structure, protection, fire and what became of it; start, now: its records in two states."""
    if not start.standing:
        return "open ground"
    told = [f"ST {now.st} of {start.st}", _left("armour", start.armour, now.armour)]
    if start.roof or now.roof:
        told.append(_left("roof protection", start.roof, now.roof))
    if now.demolished or now.consumed:
        told.append("demolished" if now.demolished else "burnt down")
    elif now.burning:
        told.append("burning, seen from outside" if now.external else "burning inside")
    elif now.burnt:
        told.append("put out")
    if now.collapsed:
        told.append("collapsed")
    return ", ".join(told)


def _left(word: str, before: np.integer[Any], after: np.integer[Any]) -> str:
    return f"{word} {after}" + (f" of {before}" if after != before else "")
