"""Names of cells, doors and pieces, drawn onto the canvas of a still, sharp at any resolution."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from firesim.render import board
from firesim.render.arrows import boxes
from firesim.render.doors import door_polygons
from firesim.render.labels import Label, labels
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

LABELS = 3.5
"""The layer of cells' names: above walls, below doors, arrows and pieces."""

SHORTEST_ARROW = 2
"""Pixels below which an arrow is not drawn."""

MISS_WIDTH = 0.5
MISS_DASH = (0, (1.3, 1.1))
"""How thick the shaft of a miss is beside that of a hit, and how it is dashed: several times within a square."""


@dataclass(frozen=True)
class Aboard:
    """What stands on the map of a still, and where: the lines of the cells' names, and pieces with theirs."""

    lines: Sequence[Label]
    placed: Sequence[Placed]

    @property
    def told(self) -> set[str]:
        """The names of pieces that stand whole in the picture."""
        return {each.whole for each in self.placed if each.name == each.whole}


def aboard_of(canvas: Canvas, scene: Scene, flown: Sequence[Arrow]) -> Aboard:
    """Names of cells, pieces and their names, each clear of the others and of arrows as far as can be."""
    middles, pitch, sheet = canvas.middles, canvas.per_hex, canvas.sheet
    placed = arrange(canvas.view, scene.pieces, middles, pitch) if scene.pieces else []
    lines = _lines(canvas, [each.box for each in placed])
    if not placed:
        return Aboard(lines, placed)
    taken = [line.box for line in lines]
    taken += boxes(canvas.view, flown, middles, pitch, (sheet.map_width, sheet.map_height))
    return Aboard(lines, named(placed, taken, sheet.map_width, sheet.map_height))


def draw_aboard(canvas: Canvas, scene: Scene, aboard: Aboard) -> None:
    """Names of cells, over them doors, over these pieces and their names."""
    _write_labels(canvas, aboard.lines)
    _polygons(canvas, door_polygons(canvas.view, scene.doors, canvas.middles, canvas.per_hex), 4)
    placed = aboard.placed
    _draw_pieces(canvas, placed)
    for each in placed:
        if each.name:
            _write(canvas, each.name, (each.name_x, each.name_y), NAME_SIZE, (INK, PAPER))


def draw_labels(canvas: Canvas, taken: Sequence[Box]) -> None:
    """Names of square cells, those that have room clear of some boxes."""
    _write_labels(canvas, _lines(canvas, taken))


def _lines(canvas: Canvas, taken: Sequence[Box]) -> list[Label]:
    if not isinstance(canvas.view.layout, SquareLayout):
        return []
    return labels(canvas.view, canvas.middles, canvas.per_hex, taken)


def _write_labels(canvas: Canvas, lines: Sequence[Label]) -> None:
    for line in lines:
        face = text_of(canvas.faces[line.cell])
        inks = (ink_on(face), face)
        _write(canvas, line.text, (line.x, line.y), line.size, inks, fontweight="bold", zorder=LABELS)


def _write(
    canvas: Canvas, text: str, spot: tuple[float, float], size: float, inks: tuple[str, str], **style: Any
) -> None:
    """A line of text about a spot in pixels; inks: of the letters and of their edge."""
    from matplotlib.patheffects import withStroke

    at = canvas.to_axes(np.array(spot))
    usual: dict[str, Any] = {"zorder": 6, "ha": "center", "va": "center", "color": inks[0]}
    usual["path_effects"] = [withStroke(linewidth=2.0, foreground=inks[1])]
    canvas.map.text(at[0], at[1], text.replace("$", r"\$"), fontsize=size * board.POINT, **(usual | style))


def draw_arrow(canvas: Canvas, tail: Array, head: Array, hit: bool) -> None:
    """A straight arrow between two points in pixels, pale at the edge: solid for a hit, thin and hollow for a miss."""
    from matplotlib.patches import Polygon
    from matplotlib.patheffects import Normal, withStroke

    width = 1.2 * board.arrow_width(canvas.view, canvas.per_hex)
    length = float(np.hypot(*(head - tail)))
    if length < SHORTEST_ARROW:
        return
    along = (head - tail) / length
    aside, barb = np.array([-along[1], along[0]]), min(length, 2.6 * width + 4)
    neck = head - along * barb
    shaft = canvas.to_axes(np.stack([tail, neck + along]))
    thick = width * board.POINT * (1 if hit else MISS_WIDTH)
    pale = [withStroke(linewidth=thick + 1.6, foreground=PAPER)]
    style: Any = "solid" if hit else MISS_DASH
    canvas.map.plot(*shaft.T, color=SPARK, linewidth=thick, linestyle=style, path_effects=pale, zorder=4.5)
    tip = canvas.to_axes(np.stack([head, neck + aside * barb * 0.48, neck - aside * barb * 0.48]))
    if hit:
        canvas.map.add_patch(Polygon(tip, facecolor=SPARK, edgecolor=PAPER, linewidth=0.6, zorder=4.6))
        return
    rim = max(0.8, 0.5 * thick)
    around = [withStroke(linewidth=rim + 1.4, foreground=PAPER), Normal()]
    hollow: dict[str, Any] = {"facecolor": PAPER, "edgecolor": SPARK, "linewidth": rim, "joinstyle": "miter"}
    canvas.map.add_patch(Polygon(tip, path_effects=around, zorder=4.6, **hollow))


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
