"""What can be wrong with a ship's crew: names, places, orders, targets, paths [D-S2, D-S9, D-S11]."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from firesim.core.maps import cell_name
from firesim.core.meaning import NAME_MOST, text_problems, valid_items
from firesim.core.problems import Problem, Where, listed, nearest
from firesim.rules.ship.deck import Deck
from firesim.rules.ship.words import DOOR_ORDERS, Crew

CREW_MOST = 10_000
"""The most people of one ship."""

PATH_MOST = 10_000
"""The most modules of one path."""

ORDERS_MOST = 12
"""The most orders of one person: as many as there are."""

HINTS_MOST = 20
"""After so many problems the nearest name is no longer looked for."""

HOLDING = ("grapple", "carry")
WALKING = ("move", "carry")
STATION = ("station module", "station all")


def crew_problems(items: object, deck: Deck, side: int) -> list[Problem]:
    """What is wrong with the names, places and orders of `[[crew]]`."""
    found: list[Problem] = []
    named = {str(item["name"]): None for item in _tables(items) if isinstance(item.get("name"), str)}
    earlier: dict[str, int] = {}
    for i, person, given in valid_items(Crew, items, {"health": 1}):
        where: Where = ("crew", i)
        found += _name_problems(person.name, earlier, i)
        found += deck.module_problems(person.cell, (*where, "cell"))
        found += square_problems(person.square, side, (*where, "square"))
        found += _order_problems(person, given, where)
        unread = "order" in given - person.model_fields_set  # its words are wrong, which has been told
        if person.target is not None and not unread:
            found += _target_problems(person, named, deck, len(found) < HINTS_MOST, (*where, "target"))
        found += _path_problems(person, "path" in given and not unread, deck, where)
    return found


def square_problems(square: tuple[int, int] | None, side: int, where: Where) -> list[Problem]:
    """What is wrong with a square of a module with so many squares along its side [A2-18]."""
    if square is None or max(square) < side:
        return []
    expected = f"row and column from 0 to {side - 1}"
    hint = f"a module has {side} x {side} squares (options.side)"
    return [Problem(f"square {cell_name(*square)} lies outside the module", expected, hint, where)]


def _tables(items: object) -> list[Mapping[str, Any]]:
    return [item for item in items if isinstance(item, Mapping)] if isinstance(items, list) else []


def _name_problems(name: str, earlier: dict[str, int], number: int) -> list[Problem]:
    """A name must be there, fit for a sentence, and one person's alone."""
    where: Where = ("crew", number, "name")
    found = text_problems(name, NAME_MOST, where)
    if not name.strip():
        found.append(Problem("the name is empty", "a name, by which orders can tell who is meant", where=where))
    elif (first := earlier.setdefault(name, number)) != number:
        found.append(Problem(f"crew[{first}] is called '{name}' too", "a name of its own", where=where))
    return found


def _orders(person: Crew) -> list[str]:
    return [person.order] if isinstance(person.order, str) else list(person.order)


def _order_problems(person: Crew, given: set[str], where: Where) -> list[Problem]:
    """An order may be a list: door orders and at most one other; some orders need a target or a path [D-S9]."""
    orders, place = _orders(person), (*where, "order")
    if len(orders) > ORDERS_MOST:
        return [Problem(f"{person.name} has {len(orders):,} orders", f"at most {ORDERS_MOST}", where=place)]
    others = [order for order in orders if order not in (*DOOR_ORDERS, "none")]
    found: list[Problem] = []
    if len(others) > 1:
        told = " and ".join(f"'{order}'" for order in others)
        hint = "only opening and holding a door cost no action"
        found.append(
            Problem(f"{person.name} has the orders {told} at once", "one of them, and door orders", hint, place)
        )
    for order in others:
        if order in HOLDING and "target" not in given:
            found.append(Problem(f"the order '{order}' of {person.name} names nobody", 'target = "NAME"', where=place))
        if order == "move" and not person.path and "path" not in given - person.model_fields_set:
            hint = "the modules to walk through, the first beside his own"
            what = f"the order 'move' of {person.name} has no path"
            found.append(Problem(what, "path = [[row, col], ...]", hint, place))
    return found


def _target_problems(person: Crew, named: Collection[str], deck: Deck, hints: bool, where: Where) -> list[Problem]:
    """Whom or what an order aims at: a person for a grapple, a module for a station."""
    orders, target = _orders(person), person.target
    for order in orders:
        if order in HOLDING and not isinstance(target, str):
            return [Problem(f"the target of '{order}' is a cell", "the name of a person", 'target = "NAME"', where)]
        if order in HOLDING:
            return _name_of_target_problems(person.name, str(target), named, hints, where)
        if order in STATION and isinstance(target, str):
            return [
                Problem(
                    f"the target of '{order}' is a name", "a module [row, col]", "leave it out for one's own", where
                )
            ]
        if order in STATION and isinstance(target, tuple):
            return deck.module_problems(target, where)
    what = f"no order of {person.name} takes a target"
    return [Problem(what, f"one of {listed([*HOLDING, *STATION])}", "leave it out", where)]


def _name_of_target_problems(
    name: str, target: str, named: Collection[str], hints: bool, where: Where
) -> list[Problem]:
    """A grapple is for somebody else who is aboard."""
    if target == name:
        return [Problem(f"{target} cannot take hold of {target}", "the name of another person", where=where)]
    if target in named:
        return []
    others = [other for other in named if other != name]
    expected = listed(others) if others else "somebody else in [[crew]]"
    return [Problem(f"there is nobody called '{target}'", expected, nearest(target, others) if hints else "", where)]


def _path_problems(person: Crew, given: bool, deck: Deck, where: Where) -> list[Problem]:
    """A path leads from module to neighbouring module, beginning beside the person's own [D-S11]."""
    if given and not any(order in WALKING for order in _orders(person)):
        what = f"no order of {person.name} takes a path"
        return [Problem(what, f"one of {listed(WALKING)}", "leave it out", (*where, "path"))]
    if len(person.path) > PATH_MOST:
        what = f"the path of {person.name} has {len(person.path):,} modules"
        return [Problem(what, f"at most {PATH_MOST:,}", where=(*where, "path"))]
    found: list[Problem] = []
    here = None if deck.module_problems(person.cell, where) else person.cell
    for i, cell in enumerate(person.path):
        place: Where = (*where, "path", i)
        wrong = deck.module_problems(cell, place)
        if not wrong and here and abs(cell[0] - here[0]) + abs(cell[1] - here[1]) != 1:
            what = f"{cell_name(*cell)} does not lie beside {cell_name(*here)}"
            hint = "a path leads forward, aft, to port or to starboard, one module a phase"
            found.append(Problem(what, "the next module", hint, place))
        found += wrong
        here = None if wrong else cell
    return found
