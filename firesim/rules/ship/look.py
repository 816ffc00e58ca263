"""What a ship looks like: swatches of modules, people, items and doors, and which of them the state shows.

Colours are told apart under protanopia, deuteranopia and tritanopia: modules from one another, people and items from
one another; a flame, a hatch or an outline says it again on a grey print.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import count
from typing import Any

import numpy as np

from firesim.events.records import Record
from firesim.rules.base import Arrow, Door, Piece, Place, Prepared, Swatch, Terms
from firesim.rules.ship import params as p
from firesim.rules.ship import state as s

Array = np.ndarray[Any, Any]

SWATCHES: tuple[Swatch, ...] = (
    Swatch("", "#ffffff"),  # space
    Swatch("module", "#c9d4da"),
    Swatch("burning", "#ff8c00", "flame", changes=True),
    Swatch("broken, burning", "#d7191c", "flames", changes=True),
    Swatch("broken", "#7a8791", "rubble", changes=True),
    Swatch("burnt, out", "#9c7a52", "dots", changes=True),
)
"""All swatches of modules; a picture's codes are places in this tuple."""

SPACE, MODULE, BURNING, BROKEN_BURNING, BROKEN, OUT = range(len(SWATCHES))

PIECES: tuple[Swatch, ...] = (
    Swatch("item", "#cbb885", shape="box"),
    Swatch("item, damaged", "#7a8791", changes=True, shape="broken box"),
    Swatch("person", "#ffffff", shape="disc"),
    Swatch("person, outside", "#4575b4", changes=True, shape="ring"),
    Swatch("person, out of action", "#1a1a1a", changes=True, shape="fallen disc"),
    Swatch("person, burning", "#ffe800", changes=True, shape="burst"),
    Swatch("out of action, burning", "#890d4c", changes=True, shape="fallen burst"),
)
"""Swatches of items and people; a piece's code is its place in this tuple."""

ITEM, DAMAGED, WELL, OUTSIDE, DOWN, PERSON_BURNING, DOWN_BURNING = range(len(PIECES))

DOORS: tuple[Swatch, ...] = (
    Swatch("external door", "#ffffff", shape="shut"),
    Swatch("door, opened", "#4575b4", changes=True, shape="open"),
    Swatch("door, held open", "#1a1a1a", changes=True, shape="held"),
)
"""Swatches of external doors; a door's code is its place in this tuple."""

SHUT, OPENED, HELD = range(len(DOORS))

TERMS = Terms("spread or splash, hit", "spread or splash, no hit", standing="module", windy=False)

DOOR_SIDES = (p.PORT, p.STARBOARD, p.AFT, p.FORWARD)
"""Sides of a module in the order in which its one external door looks for space; the book names none [SH-33]."""

LANES = ((0.0, 0.36), (0.2, 0.0), (0.0, 0.24), (-0.2, 0.0))
"""Where an arrow of each heading passes the wall, from its middle, in module widths (down, right): clear of doors, of
names, which begin at the left, and of one another."""

OUT_THERE = 0.12
"""How far beyond the hull somebody outside is drawn, in module widths."""


def codes(exists: Array, burning: Array, broken: Array, lit_at: Array) -> Array:
    """The swatch that each module shows: (cells,) uint8, places in `SWATCHES`; all arguments have one entry per cell.

    >>> one = np.array([1])
    >>> SWATCHES[codes(one, one, one, one)[0]].label
    'broken, burning'
    """
    there = np.asarray(exists) != 0
    on_fire, broke = np.asarray(burning) != 0, np.asarray(broken) != 0
    shown = np.where(there, MODULE, SPACE).astype(np.uint8)
    shown[there & (np.asarray(lit_at) >= 0)] = OUT
    shown[there & broke] = BROKEN
    shown[there & on_fire] = BURNING
    shown[there & on_fire & broke] = BROKEN_BURNING
    return shown


def person_code(burning: bool, down: bool, outside: bool) -> int:
    """The swatch of a person, a place in `PIECES`; nobody burns outside [SH-30].

    >>> PIECES[person_code(True, False, False)].label
    'person, burning'
    """
    if burning and not outside:
        return DOWN_BURNING if down else PERSON_BURNING
    if down:
        return DOWN
    return OUTSIDE if outside else WELL


def door_side(sites: Any, cell: int) -> int | None:
    """The side of a module on which its external door is drawn: one towards space, None where there is none."""
    return next((side for side in DOOR_SIDES if not sites.exists[sites.to[cell, side]]), None)


def pieces(prepared: Prepared, state: Any) -> list[Piece]:
    """All items and people in their squares, with the letters of their kinds and names."""
    params, side = prepared.params, int(prepared.params.options.side)
    made = [
        Piece(int(params.items.cell[i]), _square(params.items[i]), DAMAGED if hurt else ITEM, item.kind[0].upper())
        for i, (item, hurt) in enumerate(zip(prepared.look.items, state.items.damaged.tolist(), strict=True))
    ]
    down = state.crew.damage >= params.crew.health
    for i, person in enumerate(prepared.look.crew):
        now = state.crew[i]
        cell, outside = int(now.cell), bool(now.outside)
        place = _outside(params.cells, cell, side) if outside else _square(params.crew[i])
        code = person_code(bool(now.burning), bool(down[i]), outside)
        made.append(Piece(cell, place, code, prepared.look.letters[i], person.name))
    return made


def doors(prepared: Prepared, events: Sequence[Record], step: int) -> list[Door]:
    """All external doors, as they were in a phase: they fall shut at its end [SH-37, D-S9]."""
    sites = prepared.params.cells
    seen = {kind: {e.cell for e in events if e.step == step and e.event == kind} for kind in ("door open", "door held")}
    return [
        Door(
            cell,
            door_side(sites, cell),
            HELD if cell in seen["door held"] else OPENED if cell in seen["door open"] else SHUT,
        )
        for cell in np.flatnonzero(sites.external_door).tolist()
    ]


def arrows(prepared: Prepared, state: Any, events: Sequence[Record], step: int) -> list[Arrow]:
    """Where fire spread from module to module, and where it splashed from square to square, in a phase."""
    now = [e for e in events if e.step == step]
    struck = {e.other for e in now if e.event in ("splash hits", "item holds", "item damaged")}
    made = [_spread(prepared, e.cell, e.other, e.amount) for e in now if e.event == "spreads"]
    first = len(prepared.params.cells)
    for e in now:
        if e.event == "splash":
            cell, square = int(state.crew.cell[e.cell - first]), _square(prepared.params.crew[e.cell - first])
            begin, end = _beyond(square, e.amount, 0.45), _beyond(square, e.amount, 1.2)
            made.append(Arrow(cell, cell, e.cell in struck, begin, end))
    return made


def letters(names: Sequence[str]) -> list[str]:
    """What is written on people, no two alike: the first letter of the name, and more where several begin alike.

    More is the name's own number, its second letter, the first letter of its last word, another of that word's
    letters or, where all that is alike, a number.

    >>> letters(["Kest", "Mara", "Moro", "Marine 1", "Marine 2"])
    ['K', 'Ma', 'Mo', 'M1', 'M2']
    >>> letters(["Marine Dray", "Marine Ilk", "Ann", "Ann"])
    ['MD', 'MI', 'A1', 'A2']
    """
    clean = [name.strip() or "?" for name in names]
    firsts = Counter(name[0].upper() for name in clean)
    made = {place: name[0].upper() for place, name in enumerate(clean) if firsts[name[0].upper()] == 1}
    ways = {place: _more_letters(name) for place, name in enumerate(clean) if place not in made}
    for turn in range(max(map(len, ways.values()), default=0)):
        told = {place: ways[place][turn] for place in ways if place not in made and turn < len(ways[place])}
        counts = Counter([*made.values(), *filter(None, told.values())])
        made |= {place: text for place, text in told.items() if text and counts[text] == 1}
    taken = set(made.values())
    for place in ways:
        if place not in made:
            first = clean[place][0].upper()
            made[place] = next(text for n in count(1) if (text := f"{first}{n}") not in taken)
            taken.add(made[place])
    return [made[place] for place in range(len(clean))]


def _more_letters(name: str) -> list[str]:
    """What may be written on somebody whose first letter others share, the best first; an empty text is nothing."""
    first, last = name[0].upper(), name.split()[-1]
    number = name[len(name.rstrip("0123456789")) :]
    own = first + number[-2:] if number and number != name else ""
    second = first + name[1:2].lower().strip()
    return [own, "" if own else second, first + last[0].upper(), *(first + part.lower() for part in last[1:])]


def _square(thing: Any) -> Place:
    return float(thing.row), float(thing.col)


def _beyond(place: Place, heading: int, squares: float) -> Place:
    """The place so many squares away towards a heading."""
    return place[0] + squares * float(p.ROW_STEPS[heading]), place[1] + squares * float(p.COL_STEPS[heading])


def _outside(sites: Any, cell: int, side: int) -> Place:
    """The place before the external door, or the corner of a module that space does not touch."""
    heading = door_side(sites, cell)
    middle = (side - 1) / 2
    if heading is None:
        return (side - 1) * 1.0, 0.0
    return _beyond((middle, middle), heading, side * (0.5 + OUT_THERE))


def _spread(prepared: Prepared, cell: int, other: int, heading: int) -> Arrow:
    """An arrow through the wall between two modules, or through the hull."""
    side = int(prepared.params.options.side)
    down, right = LANES[heading]
    centre = (side - 1) / 2 + down * side, (side - 1) / 2 + right * side
    begin = _beyond(centre, heading, 0.3 * side)
    if not prepared.params.cells.exists[other]:
        return Arrow(cell, cell, False, begin, _beyond(centre, heading, 0.66 * side))
    return Arrow(cell, other, True, begin, _beyond(centre, heading, -0.3 * side))


def caption(prepared: Prepared, state: Any, step: int) -> str:
    """The phase, the hull and who and what is on fire, in one line."""
    now, crew = state.cells, state.crew
    burning, broken = int(now.burning.sum()), int(now.broken.sum())
    said = [f"{burning} {'module' if burning == 1 else 'modules'} burning"]
    said += [f"{broken} broken"] if broken else []
    people = len(crew)
    alight = int((crew.burning != 0).sum())
    down = int((crew.damage >= prepared.params.crew.health).sum())
    if alight:
        said.append(f"{alight} of {people} {'person' if people == 1 else 'people'} on fire")
    said += [f"{down} out of action"] if down else []
    lost = "; the ship is lost" if state.tally[s.SHIP_LOST] else ""
    return f"Phase {step}: hull damage {int(state.tally[s.HULL_DAMAGE])}; {', '.join(said)}{lost}"
