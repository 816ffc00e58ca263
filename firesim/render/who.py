"""Who is who: a key in the panel of a still to the people whose names have no room beside them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from firesim.render import board
from firesim.render.marks import letter
from firesim.render.outlines import outline
from firesim.render.palette import FAINT_INK, ink_on
from firesim.render.sprites import letter_size
from firesim.render.view import View
from firesim.rules.base import Piece, Scene

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROWS_MOST = 12
"""Rows of the key for which a sheet is made taller; beside a taller map there may be more."""

TOKEN = 18
"""Pixels across a piece in the key."""


def who_is_who(scene: Scene, told: Iterable[str]) -> list[Piece]:
    """The pieces that have a name which is not among those told, in the scene's order."""
    known = set(told)
    return [piece for piece in scene.pieces if piece.name and piece.name not in known]


def heading_and(people: Sequence[Piece]) -> int:
    """Entries of the legend that the key asks room for, with its heading."""
    return 1 + min(len(people), ROWS_MOST)


def rows_free(sheet: board.Sheet, place: int) -> int:
    """Rows that fit into the panel after so many entries of the legend and a heading."""
    return int((sheet.height - board.HEADER - board.FOOTER - board.ROSE) // board.ENTRY) - place - 1


def room_for(sheet: board.Sheet, place: int, people: Sequence[Piece]) -> bool:
    """Whether the panel holds as much of the key as a sheet is made for."""
    return rows_free(sheet, place) >= min(len(people), ROWS_MOST)


def draw_key(axes: Axes, sheet: board.Sheet, seen: View, people: Sequence[Piece], place: int) -> None:
    """Each piece with its letters, its name and its state, after so many entries; of too many, how many are left."""
    if not people:
        return
    room = max(rows_free(sheet, place), 1)
    rows = people if len(people) <= room else people[: room - 1]
    x, y = sheet.panel_left + 12, sheet.map_top + board.ROSE + (place + 0.6) * board.ENTRY
    style: dict[str, Any] = {"verticalalignment": "center"}
    board.write_text(axes, x - 9, y, "who is who", 12.5, board.PANEL, fontweight="bold", **style)
    for piece in rows:
        y += board.ENTRY
        _draw_piece(axes, seen, piece, x, y)
        words = ": ".join(part for part in (piece.name, state_of(seen, piece.code)) if part)
        board.write_text(axes, x + 16, y, words, 12.5, board.PANEL - 28, **style)
    if rest := len(people) - len(rows):
        y += board.ENTRY
        board.write_text(axes, x + 16, y, f"and {rest} more", 12.5, board.PANEL - 28, color=FAINT_INK, **style)


def state_of(seen: View, code: int) -> str:
    """What has happened to a piece, without what it is: `burning` for `person, burning`; nothing for a plain one."""
    swatch = seen.pieces[code]
    if not swatch.changes:
        return ""
    words = swatch.label
    for plain in seen.pieces:
        words = words if plain.changes else words.removeprefix(f"{plain.label}, ")
    return words


def _draw_piece(axes: Axes, seen: View, piece: Piece, x: float, y: float) -> None:
    from matplotlib.patches import PathPatch, Polygon
    from matplotlib.path import Path

    swatch = seen.pieces[piece.code]
    for part in outline(swatch.shape):
        points = np.array((x, y)) + part.points * TOKEN
        axes.add_patch(Polygon(points, closed=True, facecolor=part.colour(swatch.colour), edgecolor="none"))
    if piece.letter:
        path = letter(piece.letter, letter_size(piece.letter) * 0.73, 0.0).path
        drawn = Path(np.asarray(path.vertices) * TOKEN + (x, y), path.codes)
        axes.add_patch(PathPatch(drawn, facecolor=ink_on(swatch.colour), edgecolor="none"))
