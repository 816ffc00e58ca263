"""Where pieces stand in a picture, how large, and which names have room: the same for stills and animations.

All lengths are in pixels from the map's top left corner, y down.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from firesim.render.lettering import measure, shortened
from firesim.render.view import Spots, View
from firesim.rules.base import Piece, Place

Array = np.ndarray[Any, Any]
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""

SIZE_MOST = 28.0
SIZE_LEAST = 8.0
"""Pixels across a piece."""

SMALLEST_LETTER = 12.0
"""Pixels across a piece on which a letter is written."""

CROWD_SQUARE = 18.0
"""Pixels across a square from which all who share it are shown, side by side; below, one stands for all."""

CROWD_GAP = 15.0
CROWD_SIDE = 3
"""Pixels between pieces that share a square, if need be beyond its edges; the most of them along its side."""

NAME_SIZE = 11
NAME_MOST = 96.0
NAMES_MOST = 300
SMALLEST_NAMED = 14.0
"""Pixels of a name's height, of its width at most; how many pieces are named; pixels across a piece with a name."""


@dataclass(frozen=True)
class Placed:
    """A piece in a picture: its centre, its size, what it shows, and the centre of its name, if that has room.

    crowded: others share its place. room: the box in which its name must stay; None = the picture. whole: its whole
    name; what is too small for a letter has its letter for a name.
    """

    x: float
    y: float
    size: float
    code: int
    letter: str
    name: str = ""
    crowded: bool = False
    room: Box | None = None
    name_x: float = 0.0
    name_y: float = 0.0
    whole: str = ""

    @property
    def box(self) -> Box:
        """The box that the piece fills."""
        half = 0.5 * self.size
        return self.x - half, self.y - half, self.x + half, self.y + half


def meeting(box: Box, others: Array) -> Array:
    """Which of other boxes (n, 4) share more than an edge with a box (n,)."""
    left, top, right, bottom = others.T
    return np.asarray((box[0] < right) & (left < box[2]) & (box[1] < bottom) & (top < box[3]))


def meets(box: Box, others: Array) -> bool:
    """Whether a box shares more than an edge with any of others (n, 4)."""
    return bool(meeting(box, others).any())


def array_of(boxes: Sequence[Box]) -> Array:
    """Boxes as an array (n, 4)."""
    return np.array(boxes, np.float64).reshape(-1, 4)


def arrange(seen: View, pieces: Sequence[Piece], middles: Spots, pitch: float) -> list[Placed]:
    """All pieces without names. middles: centres of cells; pitch: pixels across a cell."""
    square = pitch / seen.side
    shared: dict[tuple[int, Place], list[Piece]] = {}
    for piece in pieces:
        shared.setdefault((piece.cell, piece.place), []).append(piece)
    made: list[Placed] = []
    for (cell, place), there in shared.items():
        left, top = middles[cell] - pitch / 2
        x, y = middles[cell] + seen.offset(place) * pitch
        inside = left <= x <= left + pitch and top <= y <= top + pitch
        room = (float(left), float(top), float(left + pitch), float(top + pitch)) if inside else None
        made += [replace(each, room=room) for each in _crowd(there, float(x), float(y), square)]
    return sorted(made, key=lambda placed: placed.code)


def _crowd(there: list[Piece], x: float, y: float, square: float) -> list[Placed]:
    """Pieces that share a place, in rows about it; what is too much for it is counted."""
    size = float(np.clip(0.86 * square, SIZE_LEAST, SIZE_MOST))
    if len(there) > 1 and square < CROWD_SQUARE:
        there = [max(there, key=lambda piece: piece.code)]
    if len(there) == 1:
        return [_placed(x, y, size, there[0])]
    along = min(CROWD_SIDE, int(np.ceil(np.sqrt(len(there)))))
    gap = max(min(square, 2.2 * SIZE_MOST) / along, CROWD_GAP)
    size = min(size, 0.96 * gap)
    most, rest = along * along, 0
    if len(there) > most:
        there = sorted(there, key=lambda piece: -piece.code)
        there, rest = there[:most], len(there) - most + 1
    lines = int(np.ceil(len(there) / along))
    made = []
    for number, piece in enumerate(there):
        line, place = divmod(number, along)
        count = min(along, len(there) - line * along)
        at_x, at_y = x + (place - (count - 1) / 2) * gap, y + (line - (lines - 1) / 2) * gap
        counted = rest and number == most - 1
        each = Placed(at_x, at_y, size, piece.code, f"+{rest}") if counted else _placed(at_x, at_y, size, piece)
        made.append(replace(each, crowded=True))
    return made


def _placed(x: float, y: float, size: float, piece: Piece) -> Placed:
    """A piece by itself: with a letter on it, or beside it as its name where it is too small."""
    lettered = size >= SMALLEST_LETTER
    name = piece.name if lettered or not piece.name else piece.letter
    return Placed(x, y, size, piece.code, piece.letter if lettered else "", name, whole=piece.name)


def named(placed: Sequence[Placed], taken: Sequence[Box], wide: float, tall: float) -> list[Placed]:
    """Pieces with the places of their names: below, above, or beside, where nothing else is; the others lose theirs.

    What stands in a cell has its name there too; what shares its place has it beside, so that it is clear whose it is.
    taken: boxes of other words. wide, tall: the picture of the map.
    """
    wanted = sum(bool(each.name) for each in placed)
    blocked = array_of([*taken, *(each.box for each in placed)])
    made = []
    for each in placed:
        text, room = "", each.room or (0.0, 0.0, wide, tall)
        if each.name and wanted <= NAMES_MOST and not SMALLEST_LETTER <= each.size < SMALLEST_NAMED:
            text = shortened(each.name, NAME_SIZE, min(NAME_MOST, room[2] - room[0] - 4))
        spot = _free(each, text, blocked, room) if text else None
        if spot is None:
            made.append(replace(each, name=""))
            continue
        blocked = np.append(blocked, [_around(*spot, text)], axis=0)
        made.append(replace(each, name=text, name_x=spot[0], name_y=spot[1]))
    return made


def _around(x: float, y: float, text: str) -> Box:
    half = 0.5 * measure(text, NAME_SIZE) + 1
    return x - half, y - 0.55 * NAME_SIZE, x + half, y + 0.55 * NAME_SIZE


def _free(each: Placed, text: str, blocked: Array, room: Box) -> tuple[float, float] | None:
    """The first free place for a name about a piece."""
    down = 0.5 * each.size + 0.6 * NAME_SIZE + 1
    half = 0.5 * measure(text, NAME_SIZE) + 1
    aside = 0.5 * each.size + half + 2
    beside = [(each.x + aside, each.y), (each.x - aside, each.y)]
    edge = half - 0.5 * each.size
    middles = [min(max(x, room[0] + half), room[2] - half) for x in (each.x, each.x + edge, each.x - edge)]
    around = [(x, y) for x in middles for y in (each.y + down, each.y - down)]
    spots = beside if each.crowded else [*around[:2], *beside, *around[2:]]
    for x, y in spots:
        box = _around(x, y, text)
        inside = box[0] >= room[0] and box[1] >= room[1] and box[2] <= room[2] and box[3] <= room[3]
        if inside and not meets(box, blocked):
            return x, y
    return None
