"""Names of cells, doors and pieces, drawn onto the canvas of a still, sharp at any resolution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from firesim.render import board
from firesim.render.arrows import boxes
from firesim.render.doors import door_polygons
from firesim.render.labels import labels
from firesim.render.marks import letter
from firesim.render.outlines import outline
from firesim.render.palette import INK, PAPER, SPARK, ink_on, text_of
from firesim.render.pieces import NAME_SIZE, Box, Placed, arrange, named
from firesim.render.sprites import letter_size
from firesim.render.square_layout import SquareLayout
from firesim.rules.base import Arrow, Scene

if TYPE_CHECKING:
    from firesim.render.snapshot import Canvas

Array = np.ndarray[Any, Any]

SHORTEST_ARROW = 2
"""Pixels below which an arrow is not drawn."""


def draw_aboard(canvas: Canvas, scene: Scene, flown: Sequence[Arrow]) -> None:
    """Names of cells, doors, pieces and their names, each clear of the others and of arrows as far as can be."""
    middles, pitch, sheet = canvas.middles, canvas.per_hex, canvas.sheet
    placed = arrange(canvas.view, scene.pieces, middles, pitch) if scene.pieces else []
    taken = draw_labels(canvas, [each.box for each in placed])
    _polygons(canvas, door_polygons(canvas.view, scene.doors, middles, pitch), 4)
    if placed:
        taken += boxes(canvas.view, flown, middles, pitch, (sheet.map_width, sheet.map_height))
    placed = named(placed, taken, sheet.map_width, sheet.map_height)
    _draw_pieces(canvas, placed)
    for each in placed:
        if each.name:
            _write(canvas, each.name, (each.name_x, each.name_y), NAME_SIZE, (INK, PAPER))


def draw_labels(canvas: Canvas, taken: Sequence[Box]) -> list[Box]:
    """Names of square cells, clear of some boxes if that can be; returns the boxes of the names."""
    if not isinstance(canvas.view.layout, SquareLayout):
        return []
    lines = labels(canvas.view, canvas.middles, canvas.per_hex, taken)
    for line in lines:
        face = text_of(canvas.faces[line.cell])
        _write(canvas, line.text, (line.x, line.y), line.size, (ink_on(face), face), fontweight="bold")
    return [line.box for line in lines]


def _write(
    canvas: Canvas, text: str, spot: tuple[float, float], size: float, inks: tuple[str, str], **style: Any
) -> None:
    """A line of text about a spot in pixels; inks: of the letters and of their edge."""
    from matplotlib.patheffects import withStroke

    at = canvas.to_axes(np.array(spot))
    style |= {"ha": "center", "va": "center", "color": inks[0], "zorder": 6}
    style["path_effects"] = [withStroke(linewidth=2.0, foreground=inks[1])]
    canvas.map.text(at[0], at[1], text.replace("$", r"\$"), fontsize=size * board.POINT, **style)


def draw_arrow(canvas: Canvas, tail: Array, head: Array, hit: bool) -> None:
    """A straight arrow between two points in pixels, with a pale edge: solid for a hit, dashed for a miss."""
    from matplotlib.patches import Polygon
    from matplotlib.patheffects import withStroke

    width = 1.2 * board.arrow_width(canvas.view, canvas.per_hex)
    length = float(np.hypot(*(head - tail)))
    if length < SHORTEST_ARROW:
        return
    along = (head - tail) / length
    aside, barb = np.array([-along[1], along[0]]), min(length, 2.6 * width + 4)
    neck = head - along * barb
    pale = [withStroke(linewidth=width * board.POINT + 1.6, foreground=PAPER)]
    shaft = canvas.to_axes(np.stack([tail, neck + along]))
    style: Any = "solid" if hit else (0, (2.2, 1.4))
    canvas.map.plot(
        *shaft.T, color=SPARK, linewidth=width * board.POINT, linestyle=style, path_effects=pale, zorder=4.5
    )
    tip = canvas.to_axes(np.stack([head, neck + aside * barb * 0.48, neck - aside * barb * 0.48]))
    canvas.map.add_patch(Polygon(tip, facecolor=SPARK, edgecolor=PAPER, linewidth=0.6, zorder=4.6))


def _draw_pieces(canvas: Canvas, placed: Sequence[Placed]) -> None:
    """Outlines of all pieces, in their order, then their letters."""
    swatches = canvas.view.pieces
    drawn = []
    for each in placed:
        centre = np.array([each.x, each.y])
        swatch = swatches[each.code]
        drawn += [(centre + part.points * each.size, part.colour(swatch.colour)) for part in outline(swatch.shape)]
        if each.letter:
            drawn += _letter(each, ink_on(swatch.colour))
    _polygons(canvas, drawn, 5)


def _letter(each: Placed, ink: str) -> list[tuple[Any, str]]:
    """What is written on a piece, as a path in pixels."""
    from matplotlib.path import Path

    path = letter(each.letter, letter_size(each.letter) * 0.73, 0.0).path
    return [(Path(np.asarray(path.vertices) * each.size + (each.x, each.y), path.codes), ink)]


def _polygons(canvas: Canvas, drawn: Sequence[tuple[Any, str]], layer: int) -> None:
    """Coloured polygons (n, 2) or paths in the map's pixels, one over the other."""
    from matplotlib.collections import PathCollection
    from matplotlib.path import Path

    if not drawn:
        return
    paths = []
    for shape, _ in drawn:
        if isinstance(shape, Path):
            paths.append(Path(canvas.to_axes(np.asarray(shape.vertices)), shape.codes))
        else:
            paths.append(Path(canvas.to_axes(np.concatenate([shape, shape[:1]])), closed=True))
    colours = [colour for _, colour in drawn]
    made = PathCollection(paths, facecolors=colours, edgecolors="none", zorder=layer, clip_on=False)
    canvas.map.add_collection(made)
