"""What can be wrong with a town's ignitions, events and watches: their places, their values, their names [D-W15]."""

from __future__ import annotations

from dataclasses import dataclass

from firesim.core.meaning import valid_items, watch_name_problems
from firesim.core.problems import Problem, Where, listed
from firesim.rules.town.check_map import Plan, name_problems, wind_problem
from firesim.rules.town.words import Event, Ignite, Watch

PLACES = ("cell", "cells", "building")
"""The keys that name a place."""

OUTCOMES = ("lit", "consumed", "buildings_lost", "collapsed", "flare_ups", "jumps", "steps", "burning")
"""Names that no watch may have: the columns of every town."""


@dataclass(frozen=True)
class _Kind:
    """What an event of one kind takes: keys it needs, keys it may have, and its place (no, may, must or one hex)."""

    needs: tuple[str, ...] = ()
    may: tuple[str, ...] = ()
    place: str = "must"


KINDS = {
    "wind": _Kind(needs=("wind",), place="no"),
    "moisture": _Kind(needs=("moisture",), place="may"),
    "wet": _Kind(may=("moisture",), place="may"),
    "accelerant": _Kind(needs=("accelerant",), may=("several",)),
    "demolish": _Kind(),
    "douse": _Kind(),
    "ignite": _Kind(may=("inside", "alight"), place="one"),
}
"""The kinds of events; `wet` without a moisture means wet."""


def keys_of(kind: str) -> tuple[str, ...]:
    """The keys that an event of a kind may have, those that it needs first.

    >>> keys_of("wind")
    ('wind',)
    """
    takes = KINDS[kind]
    return (*takes.needs, *(PLACES if takes.place != "no" else ()), *takes.may)


def ignite_problems(items: object, plan: Plan) -> list[Problem]:
    """What is wrong with the places of `[[ignite]]`."""
    found: list[Problem] = []
    for i, ignite, _ in valid_items(Ignite, items, {}):
        found += plan.place_problems(ignite.cell, ("ignite", i, "cell"))
    return found


def event_problems(items: object, plan: Plan) -> list[Problem]:
    """What is wrong with the keys, values and places of `[[event]]`."""
    found: list[Problem] = []
    for i, event, given in valid_items(Event, items, {"step": 1}):
        where: Where = ("event", i)
        found += _key_problems(event.kind, given, where)
        found += _places(event, where, plan)
        if event.kind == "ignite":
            found += _single_problems(event, where, plan)
        if event.wind is not None:
            found += wind_problem(event.wind, plan.orientation, (*where, "wind"))
        if event.accelerant is not None:
            found += name_problems("accelerant", event.accelerant, (*where, "accelerant"))
    return found


def watch_problems(items: object, plan: Plan) -> list[Problem]:
    """What is wrong with the names and places of `[[watch]]`."""
    found: list[Problem] = []
    names: dict[str, int] = {}
    for i, watch, given in valid_items(Watch, items, {}):
        where: Where = ("watch", i)
        found += watch_name_problems(watch.name, (*where, "name"), OUTCOMES, "town", "hexes", names)
        if not given & {"building", "cells"}:
            found.append(Problem(f"the watch '{watch.name}' names no place", "building or cells", where=where))
        elif {"building", "cells"} <= given:
            what = f"the watch '{watch.name}' names both a building and cells"
            found.append(Problem(what, "one of the two", where=(*where, "cells")))
        found += _places(watch, where, plan)
    return found


def _key_problems(kind: str, given: set[str], where: Where) -> list[Problem]:
    """Keys that an event of this kind lacks, and keys that do not belong to it."""
    takes = KINDS[kind]
    event = f"an event of kind '{kind}'"
    found = [Problem(f"{event} lacks '{key}'", f"{key} = ...", where=where) for key in takes.needs if key not in given]
    places = [key for key in PLACES if key in given]
    if takes.place in ("must", "one") and not places:
        found.append(Problem(f"{event} names no place", listed(PLACES), where=where))
    if takes.place != "no" and len(places) > 1:
        what = f"{event} names its place more than once ({', '.join(places)})"
        found.append(Problem(what, f"one of {listed(PLACES)}", where=(*where, places[1])))
    allowed = [*takes.needs, *takes.may, *(PLACES if takes.place != "no" else ())]
    for key in Event.model_fields:
        if key in given and key not in ("step", "kind", *allowed):
            what = f"'{key}' does not belong to {event}"
            found.append(Problem(what, f"only {', '.join(allowed)}", "leave it out", (*where, key)))
    return found


def _places(item: Event | Watch, where: Where, plan: Plan) -> list[Problem]:
    """What is wrong with the cells and the building that an item names."""
    found: list[Problem] = []
    if isinstance(item, Event) and item.cell is not None:
        found += plan.place_problems(item.cell, (*where, "cell"))
    if item.cells is not None:
        for j, cell in enumerate(item.cells):
            found += plan.place_problems(cell, (*where, "cells", j))
        if not item.cells:
            found.append(Problem("cells is an empty list", "at least one cell [row, col]", where=(*where, "cells")))
    if item.building is not None:
        found += plan.building_problems(item.building, (*where, "building"))
    return found


def _single_problems(event: Event, where: Where, plan: Plan) -> list[Problem]:
    """An ignition lights one hex: more than one is an error."""
    expected, hint = "one hex", "write one event for each hex"
    if event.cells is not None and len(event.cells) > 1:
        what = f"an event of kind 'ignite' names {len(event.cells)} cells"
        return [Problem(what, expected, hint, (*where, "cells"))]
    if event.building is not None and (hexes := plan.hexes[event.building]) > 1:
        what = f"building '{event.building}' has {hexes} hexes, and an event of kind 'ignite' lights one"
        return [Problem(what, expected, "name its cell", (*where, "building"))]
    return []
