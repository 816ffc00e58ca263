"""The sheet around a map: title, caption, wind rose, legend, scale bar. All places are in pixels, y down."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from firesim.render.layout import Layout
from firesim.render.marks import shapes
from firesim.render.outlines import DOOR_SHAPES, outline
from firesim.render.palette import FAINT_INK, INK, PAPER, SPARK, blend, ink_on
from firesim.render.square_layout import SquareLayout
from firesim.render.view import View
from firesim.rules.base import Scene, Swatch

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DPI = 100
"""Pixels per inch at which sizes below are given; a finer picture has the same sheet, printed finer."""

MARGIN = 18
HEADER = 66
FOOTER = 44
PANEL = 208
ROSE = 128
ENTRY = 23
LEAST_WIDTH = 250
POINT = 72 / DPI
"""Points to the pixel."""


@dataclass(frozen=True)
class Sheet:
    """Where things lie: the map's box, the whole sheet, and the legend's entries."""

    map_width: int
    map_height: int
    entries: int

    @property
    def map_left(self) -> int:
        """Left edge of the map, centred where the sheet is wider."""
        return MARGIN + max(0, LEAST_WIDTH - self.map_width) // 2

    @property
    def map_top(self) -> int:
        """Upper edge of the map."""
        return HEADER

    @property
    def panel_left(self) -> int:
        """Left edge of the panel with wind rose and legend."""
        return 2 * MARGIN + max(self.map_width, LEAST_WIDTH)

    @property
    def width(self) -> int:
        """Width of the sheet: even, as films want it."""
        width = self.panel_left + PANEL + MARGIN
        return width + width % 2

    @property
    def height(self) -> int:
        """Height of the sheet: even."""
        height = HEADER + max(self.map_height, ROSE + self.entries * ENTRY + 8) + FOOTER
        return height + height % 2


def new_sheet(sheet: Sheet, dpi: float = DPI) -> tuple[Figure, Axes]:
    """A blank figure of the sheet and axes over all of it, in the sheet's pixels."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(sheet.width / DPI, sheet.height / DPI), dpi=dpi, facecolor=PAPER)
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, sheet.width)
    axes.set_ylim(sheet.height, 0)
    axes.set_axis_off()
    return figure, axes


def pixels(figure: Figure) -> np.ndarray[Any, Any]:
    """The figure drawn, as (height, width, 3) uint8."""
    figure.canvas.draw()
    return np.asarray(figure.canvas.buffer_rgba())[..., :3].copy()  # type: ignore[attr-defined]


def write_text(axes: Axes, x: float, y: float, text: str, size: float, room: float, **style: Any) -> None:
    """A line of text `size` pixels tall, made smaller, then shorter, until it fits into `room` pixels."""
    drawn = axes.text(x, y, text.replace("$", r"\$"), fontsize=size * POINT, color=style.pop("color", INK), **style)
    figure = drawn.get_figure(root=True)
    assert figure is not None
    scale = DPI / figure.dpi
    smallest = max(9.0, size * 0.6)
    while (width := drawn.get_window_extent().width * scale) > room:
        if size > smallest:
            size = max(smallest, size * room / width * 0.99)
            drawn.set_fontsize(size * POINT)
        elif len(text) > 1:
            text = text[: max(1, min(len(text) - 1, int(len(text) * room / width)) - 1)].rstrip()
            drawn.set_text(text.replace("$", r"\$") + "…")
        else:
            return


def title(axes: Axes, sheet: Sheet, text: str) -> None:
    """The title over the map."""
    room = sheet.width - 2 * MARGIN
    write_text(axes, MARGIN, 14, text, 24, room, fontweight="bold", verticalalignment="top")


CAPTION_TOP = 44
CAPTION_SIZE = 14


def caption(axes: Axes, sheet: Sheet, text: str) -> None:
    """The scene's words under the title."""
    room = sheet.width - 2 * MARGIN
    write_text(axes, MARGIN, CAPTION_TOP, text, CAPTION_SIZE, room, color=FAINT_INK, verticalalignment="top")


def scale_bar(axes: Axes, sheet: Sheet, view: View, pixels_per_cell: float) -> None:
    """A bar of a round number of cells below the map, with its length; of squares, where one cell is too long."""
    from matplotlib.patches import Rectangle

    most = min(160.0, 0.45 * max(sheet.map_width, LEAST_WIDTH))
    parts = view.side if pixels_per_cell > most else 1
    step = pixels_per_cell / parts
    rounds = [n * 10**power for power in range(7) for n in (1, 2, 5)]
    count = max((n for n in rounds if n <= most / step), default=1)
    length, left, top = count * step, sheet.map_left, sheet.map_top + sheet.map_height + 15
    for part in range(2):
        face = INK if part == 0 else PAPER
        box = Rectangle((left + part * length / 2, top), length / 2, 5, facecolor=face, edgecolor=INK, linewidth=0.7)
        axes.add_patch(box)
    cells = f"1 {view.layout.words[0]}" if count == 1 else f"{count:,} {view.layout.words[1]}"
    wide = count * view.cell_width / parts
    words = f"{wide:,.0f} {view.units[wide != 1]}" + (f" ({cells})" if parts == 1 else "")
    write_text(axes, left + length + 8, top + 3, words, 12, sheet.width - length - 60, verticalalignment="center")


def heading_angle(view: View, heading: int) -> float:
    """Degrees of a heading, anticlockwise from east."""
    return view.layout.heading_angle(heading, len(view.headings))


def compass(axes: Axes, sheet: Sheet, view: View) -> None:
    """An arrow towards the first of the map's headings and the names of all of them, where there can be no wind."""
    from matplotlib.patches import Polygon

    x, y = sheet.panel_left + PANEL / 2, sheet.map_top + 54.0
    angle = np.radians(heading_angle(view, 0))
    out, aside = np.array([np.cos(angle), -np.sin(angle)]), np.array([np.sin(angle), np.cos(angle)])
    shape = [(26, 0), (10, 9), (10, 12), (-20, 12), (-26, 6), (-26, -6), (-20, -12), (10, -12), (10, -9)]
    points = [(x, y) + out * along + aside * across for along, across in shape]
    axes.add_patch(Polygon(points, closed=True, facecolor="#fafafa", edgecolor="#b9b9c0", linewidth=0.9))
    for heading, name in enumerate(view.headings):
        angle = np.radians(heading_angle(view, heading))
        right, up = round(float(np.cos(angle)), 6), round(float(np.sin(angle)), 6)
        place = x + 20 * right, y - 37 * up
        side = "left" if right > 0.1 else "right" if right < -0.1 else "center"
        style: dict[str, Any] = {"color": INK if heading == 0 else FAINT_INK, "ha": side, "va": "center"}
        write_text(axes, *place, name, 12, PANEL / 2 - 20, **style)


def wind_rose(axes: Axes, sheet: Sheet, view: View, wind: int | None) -> None:
    """A rose of the map's headings with an arrow where the wind blows to, or 'no wind'; or a compass."""
    from matplotlib.patches import Circle, Polygon

    if not view.terms.windy:
        compass(axes, sheet, view)
        return
    x, y, radius = sheet.panel_left + PANEL / 2, sheet.map_top + 54.0, 32.0
    axes.add_patch(Circle((x, y), radius, facecolor="#fafafa", edgecolor="#b9b9c0", linewidth=0.9))
    for heading, name in enumerate(view.headings):
        angle = np.radians(heading_angle(view, heading))
        out = np.array([np.cos(angle), -np.sin(angle)])
        axes.plot(*zip((x, y) + out * (radius - 5), (x, y) + out * radius, strict=True), color="#b9b9c0", linewidth=1)
        blown = heading == wind
        place = (x, y) + out * (radius + 13)
        colour, weight = (INK, "bold") if blown else (FAINT_INK, "normal")
        write_text(
            axes,
            float(place[0]),
            float(place[1]),
            name,
            12,
            40,
            color=colour,
            fontweight=weight,
            ha="center",
            va="center",
        )
    if wind is None or not view.headings:
        write_text(axes, x, y, "no wind", 12, 60, color=FAINT_INK, ha="center", va="center")
        return
    angle = np.radians(heading_angle(view, wind))
    out, aside = np.array([np.cos(angle), -np.sin(angle)]), np.array([np.sin(angle), np.cos(angle)])
    shape = [(28, 0), (6, 14), (6, 5), (-26, 5), (-26, -5), (6, -5), (6, -14)]
    points = [(x, y) + out * along + aside * across for along, across in shape]
    axes.add_patch(Polygon(points, closed=True, facecolor=INK, edgecolor="none"))
    write_text(axes, x, y + radius + 31, "wind", 12, 60, color=FAINT_INK, ha="center", va="center")


def legend(axes: Axes, sheet: Sheet, view: View, entries: Sequence[Swatch], roofs: Sequence[Swatch] = ()) -> int:
    """Keys of swatches, then of roofs, down the panel; returns how many entries it took."""
    for place, swatch in enumerate([*entries, *roofs]):
        y = sheet.map_top + ROSE + (place + 0.5) * ENTRY
        roof = place >= len(entries)
        key(axes, sheet.panel_left + 12, y, view.layout, swatch, ENTRY - 3, roof)
        words = f"{swatch.label} roof" if roof else swatch.label
        write_text(axes, sheet.panel_left + 28, y, words, 12.5, PANEL - 28, verticalalignment="center")
    return len(entries) + len(roofs)


def key(axes: Axes, x: float, y: float, layout: Layout, swatch: Swatch, size: float, roof: bool = False) -> None:
    """One cell of the legend."""
    from matplotlib.patches import Polygon

    face = PAPER if roof else swatch.colour
    outline = np.array((x, y)) + layout.outline() * size
    axes.add_patch(Polygon(outline, closed=True, facecolor=face, edgecolor=blend(face, INK, 0.55), linewidth=0.8))
    draw_mark(axes, x, y + (0.25 * size if roof else 0), size * 1.05, swatch.hatch, ink_on(face))


def occurring_others(
    view: View, scene: Scene, widened: Callable[[set[int], Sequence[Swatch]], Sequence[int]] | None = None
) -> list[Swatch]:
    """Swatches of a scene's pieces and doors; `widened`: gives the codes to name for those that occur."""
    found: list[Swatch] = []
    for things, swatches in ((scene.pieces, view.pieces), (scene.doors, view.doors)):
        codes = {thing.code for thing in things}
        found += [swatches[code] for code in (sorted(codes) if widened is None else widened(codes, swatches))]
    return found


def other_keys(axes: Axes, sheet: Sheet, entries: Sequence[Swatch], place: int) -> int:
    """Keys of pieces and doors, after `place` entries of the legend; returns how many."""
    from matplotlib.patches import Polygon

    for number, swatch in enumerate(entries):
        y = sheet.map_top + ROSE + (place + number + 0.5) * ENTRY
        size = (22, 9) if swatch.shape in DOOR_SHAPES else (18, 18)
        for part in outline(swatch.shape):
            points = np.array((sheet.panel_left + 12, y)) + part.points * size
            axes.add_patch(Polygon(points, closed=True, facecolor=part.colour(swatch.colour), edgecolor="none"))
        write_text(axes, sheet.panel_left + 28, y, swatch.label, 12.5, PANEL - 28, verticalalignment="center")
    return len(entries)


def draw_mark(axes: Axes, x: float, y: float, size: float, name: str, ink: str) -> None:
    """A mark about (x, y) for a hex `size` pixels wide."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    for shape in shapes(name):
        path = Path(np.asarray(shape.path.vertices) * size + (x, y), shape.path.codes)
        filled = shape.filled
        width = 0.0 if filled else max(0.6, shape.width * size * POINT)
        edge = "none" if filled else ink
        face = ink if filled else "none"
        axes.add_patch(PathPatch(path, facecolor=face, edgecolor=edge, linewidth=width, capstyle="round"))


def arrow_width(view: View, pitch: float) -> int:
    """Pixels across the shaft of an arrow on a map of so many pixels to the cell."""
    return int(np.clip(pitch / (9 if view.side == 1 else 4 * view.side), 1, 4))


def spark_keys(axes: Axes, sheet: Sheet, view: View, place: int, hit: bool, miss: bool) -> int:
    """Keys of the arrows drawn, after `place` entries of the legend; returns how many."""
    kinds = [(view.terms.hit, "-")] * hit + [(view.terms.miss, (0, (3, 2)))] * miss
    for number, (words, style) in enumerate(kinds):
        y = sheet.map_top + ROSE + (place + number + 0.5) * ENTRY
        hollow = style != "-" and isinstance(view.layout, SquareLayout)
        arrow = {"arrowstyle": "-|>", "linewidth": 1.6, "linestyle": style, "shrinkA": 0, "shrinkB": 0}
        arrow |= {"edgecolor": SPARK, "facecolor": PAPER if hollow else SPARK}
        arrow |= {"linewidth": 1.1, "mutation_scale": 13} if hollow else {}
        axes.annotate("", (sheet.panel_left + 24, y), (sheet.panel_left + 1, y), arrowprops=arrow)
        write_text(axes, sheet.panel_left + 28, y, words, 12.5, PANEL - 28, verticalalignment="center")
    return len(kinds)
