"""What can be wrong with a ship's crew: names, places, orders, targets, paths [D-S2, D-S9, D-S11]."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from firesim.core.maps import cell_name
from firesim.core.meaning import NAME_MOST, text_problems, valid_items
from firesim.core.problems import Problem, Where, listed, nearest
from firesim.rules.ship.deck import Deck
from firesim.rules.ship.words import DOOR_ORDERS, Crew

CREW_MOST = 10_000
"""The most people of one ship."""

HOLDING = ("grapple", "carry")
WALKING = ("move", "carry")
STATION = ("station module", "station all")


def crew_problems(items: object, deck: Deck, side: int) -> list[Problem]:
    """What is wrong with the names, places and orders of `[[crew]]`."""
    if isinstance(items, list) and len(items) > CREW_MOST:
        return [Problem(f"there are {len(items):,} people", f"at most {CREW_MOST:,}", where=("crew",))]
    found: list[Problem] = []
    named = [str(item["name"]) for item in _tables(items) if isinstance(item.get("name"), str)]
    earlier: dict[str, int] = {}
    for i, person, given in valid_items(Crew, items, {"health": 1}):
        where: Where = ("crew", i)
        found += _name_problems(person.name, earlier, i)
        found += deck.module_problems(person.cell, (*where, "cell"))
        found += square_problems(person.square, side, (*where, "square"))
        found += _order_problems(person, where)
        if "target" in given:
            found += _target_problems(person, named, deck, (*where, "target"))
        found += _path_problems(person, "path" in given, deck, where)
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
        found.append(Problem("the name is empty", "a name, by which orders can name the person", where=where))
    elif (first := earlier.setdefault(name, number)) != number:
        found.append(Problem(f"crew[{first}] is called '{name}' too", "a name of its own", where=where))
    return found


def _orders(person: Crew) -> list[str]:
    return [person.order] if isinstance(person.order, str) else list(person.order)


def _order_problems(person: Crew, where: Where) -> list[Problem]:
    """An order may be a list: door orders and at most one other [D-S9]."""
    others = [order for order in _orders(person) if order not in (*DOOR_ORDERS, "none")]
    found: list[Problem] = []
    if len(others) > 1:
        what = f"{person.name} has the orders {listed(others)} at once"
        hint = "only opening and holding a door cost no action"
        found.append(Problem(what, "one of them, and door orders", hint, (*where, "order")))
    for order in others:
        if order in HOLDING and person.target is None:
            what = f"the order '{order}' of {person.name} names nobody"
            found.append(Problem(what, 'target = "NAME"', where=(*where, "order")))
        if order == "move" and not person.path:
            what = f"the order 'move' of {person.name} has no path"
            found.append(Problem(what, "path = [[row, col], ...]", where=(*where, "order")))
    return found


def _target_problems(person: Crew, named: list[str], deck: Deck, where: Where) -> list[Problem]:
    """Whom or what an order aims at: a person for a grapple, a module for a station."""
    orders, target = _orders(person), person.target
    if any(order in HOLDING for order in orders):
        if not isinstance(target, str):
            return [Problem("the target is a cell", "the name of a person", where=where)]
        if target == person.name:
            return [Problem(f"{target} is to take hold of himself", "the name of another person", where=where)]
        if target not in named:
            what = f"there is nobody called '{target}'"
            return [Problem(what, listed(named), nearest(target, named), where)]
        return []
    if any(order in STATION for order in orders):
        if isinstance(target, str):
            return [Problem("the target is a name", "a module [row, col]", "stations put out modules", where)]
        return deck.module_problems(target, where) if target is not None else []
    what = f"no order of {person.name} takes a target"
    return [Problem(what, f"one of {listed([*HOLDING, *STATION])}", "leave it out", where)]


def _path_problems(person: Crew, given: bool, deck: Deck, where: Where) -> list[Problem]:
    """A path leads from module to neighbouring module, beginning beside the person's own [D-S11].

    That of a carry may begin anywhere: its person may be carried himself.
    """
    if given and not any(order in WALKING for order in _orders(person)):
        what = f"no order of {person.name} takes a path"
        return [Problem(what, f"one of {listed(WALKING)}", "leave it out", (*where, "path"))]
    found: list[Problem] = []
    here = person.cell
    for i, cell in enumerate(person.path):
        place: Where = (*where, "path", i)
        wrong = deck.module_problems(cell, place)
        if not wrong and abs(cell[0] - here[0]) + abs(cell[1] - here[1]) != 1:
            what = f"{cell_name(*cell)} does not lie beside {cell_name(*here)}"
            hint = "a path leads forward, aft, to port or to starboard, one module a phase"
            wrong = [Problem(what, "the next module", hint, place)]
        found += wrong
        here = cell
    return found
