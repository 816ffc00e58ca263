"""Everything that can be wrong with a ship scenario, told all at once [D-S2, D-S9, D-S11, D-S12]."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from firesim.core.checking import problems_of
from firesim.core.maps import OPEN, cell_name
from firesim.core.meaning import (
    NAME_MOST,
    TITLE_MOST,
    as_far_as_valid,
    symbol_problems,
    table_problems,
    text_problems,
    valid_items,
    watch_name_problems,
)
from firesim.core.problems import Problem, Where
from firesim.rules.ship.book import book
from firesim.rules.ship.check_crew import CREW_MOST, crew_problems, square_problems
from firesim.rules.ship.deck import Deck
from firesim.rules.ship.state import OUTCOME_COLUMNS
from firesim.rules.ship.words import Event, Ignite, Item, Options, Ship, Watch

ITEMS_MOST = 10_000
"""The most people, and the most items, of one ship."""


def check(document: Mapping[str, Any]) -> tuple[Ship | None, list[Problem]]:
    """A ship scenario's checked words, or None with everything that is wrong with it.

    First the words (unknown keys, wrong types, numbers out of bounds), then, as far as the words serve, what they
    mean on this map. `where` of each problem leads into `document`. Never raises, whatever the document holds.
    """
    ship: Ship | None = None
    problems: list[Problem] = []
    if isinstance(document, Mapping):
        problems = _crowd_problems(document)
        document = {**document, **{str(p.where[0]): [] for p in problems}}
    try:
        ship = Ship.model_validate(document)
    except ValidationError as error:
        problems += [_told_better(problem, document) for problem in problems_of(error, Ship)]
    if isinstance(document, Mapping):
        problems += _meaning_problems(document)
    return (None if problems else ship), problems


def _crowd_problems(document: Mapping[str, Any]) -> list[Problem]:
    """What is too long to be read at all."""
    found: list[Problem] = []
    for name, noun, most in (("crew", "people", CREW_MOST), ("item", "items", ITEMS_MOST)):
        many = document.get(name)
        if isinstance(many, list) and len(many) > most:
            found.append(Problem(f"there are {len(many):,} {noun}", f"at most {most:,}", where=(name,)))
    return found


def _told_better(problem: Problem, document: Mapping[str, Any]) -> Problem:
    """A problem of words with a hint where somebody who knows towns looks for an event [D-S12]."""
    match problem.where:
        case ("event", int(number), "kind") if document["event"][number].get("kind") == "ignite":
            return replace(problem, hint="write [[ignite]] with cell and step")
    return problem


def _meaning_problems(document: Mapping[str, Any]) -> list[Problem]:
    """What is wrong with the meaning of a document, whose words may be wrong in part."""
    deck = Deck.of(document.get("map"))
    options = as_far_as_valid(Options, document.get("options")) or Options()
    found = text_problems(document.get("title"), TITLE_MOST, ("title",))
    found += _map_problems(document.get("map"), deck)
    found += _ignite_problems(document.get("ignite"), deck)
    found += _event_problems(document.get("event"), deck)
    found += crew_problems(document.get("crew"), deck, options.side)
    found += _item_problems(document.get("item"), deck, options.side)
    found += _watch_problems(document.get("watch"), deck)
    return found + table_problems(document.get("tables"), book())


def _map_problems(block: object, deck: Deck) -> list[Problem]:
    """What is wrong with the meaning of a `[map]`."""
    if not isinstance(block, Mapping):
        return []
    found = list(deck.problems) + text_problems(block.get("title"), TITLE_MOST, ("map", "title"))
    for symbol, entry in deck.legend.items():
        found += symbol_problems(symbol, "space on every map of modules")
        found += text_problems(entry.module, NAME_MOST, ("map", "legend", symbol, "module")) if entry else []
    if deck.tokens and not deck.problems and all(symbol == OPEN for row in deck.tokens for symbol in row):
        found.append(Problem("the map has no module", "at least one symbol of the legend", where=("map", "rows")))
    return found


def _ignite_problems(items: object, deck: Deck) -> list[Problem]:
    """What is wrong with the places of `[[ignite]]`."""
    found: list[Problem] = []
    for i, ignite, _ in valid_items(Ignite, items, {}):
        found += deck.module_problems(ignite.cell, ("ignite", i, "cell"))
    return found


def _event_problems(items: object, deck: Deck) -> list[Problem]:
    """What is wrong with the places of `[[event]]`."""
    found: list[Problem] = []
    for i, event, given in valid_items(Event, items, {"step": 1}):
        where: Where = ("event", i)
        what = f"an event of kind '{event.kind}'"
        if not given & {"cell", "cells"}:
            found.append(Problem(f"{what} names no place", "cell or cells", where=where))
        elif {"cell", "cells"} <= given:
            found.append(Problem(f"{what} names its place twice", "cell or cells", where=(*where, "cells")))
        cells = [] if event.cells is None else event.cells
        if event.cells is not None and not cells:
            found.append(Problem("cells is an empty list", "at least one cell [row, col]", where=(*where, "cells")))
        twice = [cell for cell, times in Counter(cells).items() if times > 1]
        for cell in sorted(twice):
            found.append(Problem(f"cells names {cell_name(*cell)} twice", "each once", where=(*where, "cells")))
        places = [(cell, (*where, "cells", j)) for j, cell in enumerate(cells)]
        for cell, place in places + ([(event.cell, (*where, "cell"))] if event.cell is not None else []):
            found += deck.module_problems(cell, place)
    return found


def _item_problems(items: object, deck: Deck, side: int) -> list[Problem]:
    """What is wrong with the names and places of `[[item]]`."""
    found: list[Problem] = []
    for i, item, _ in valid_items(Item, items, {"kind": "barrel"}):
        where: Where = ("item", i)
        found += text_problems(item.name, NAME_MOST, (*where, "name"))
        found += deck.module_problems(item.cell, (*where, "cell"))
        found += square_problems(item.square, side, (*where, "square"))
    return found


def _watch_problems(items: object, deck: Deck) -> list[Problem]:
    """What is wrong with the names and places of `[[watch]]`."""
    found: list[Problem] = []
    names: dict[str, int] = {}
    columns = [column.name for column in OUTCOME_COLUMNS]
    for i, watch, _ in valid_items(Watch, items, {}):
        where: Where = ("watch", i)
        found += watch_name_problems(watch.name, (*where, "name"), columns, "ship", "modules", names)
        if not watch.cells:
            found.append(Problem("cells is an empty list", "at least one cell [row, col]", where=(*where, "cells")))
        for j, cell in enumerate(watch.cells):
            found += deck.module_problems(cell, (*where, "cells", j))
    return found
