"""One scene as a picture: a PNG for the table or the printer."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from firesim.core.files import writable, writing
from firesim.render import board
from firesim.render.aboard import aboard_of, draw_aboard, draw_arrow
from firesim.render.arrows import ends
from firesim.render.layout import Raster
from firesim.render.marks import SMALLEST_ROOF, is_loud, shapes, smallest
from firesim.render.painter import Painter
from firesim.render.palette import INK, SPARK, blend, ink_on, occurring
from firesim.render.square_layout import SMALLEST_SQUARE, SquareLayout, mark_spot
from firesim.render.view import View, flights, view
from firesim.render.who import draw_key, heading_and, room_for, who_is_who
from firesim.rules.base import Arrow, Prepared, Scene

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Array = np.ndarray[Any, Any]

POLYGONS_MOST = 20_000
"""Hexes up to which a map is drawn as polygons, sharp at any resolution; above it is an image of pixels."""

SMALLEST_POLYGON = 5
SMALLEST_NAME = 14
LEAST_AREA = 900
"""Pixels across a hex from which any building is named, and square pixels of a building that is named below that."""

ARROWS_MOST = 400
"""Arrows drawn as arrows; beyond, as plain lines."""


class Canvas:
    """The map's part of a sheet: axes in the map's own units, and where its cells lie in them."""

    def __init__(self, seen: View, size: int | None, entries: int, dpi: float) -> None:
        self.view = seen
        layout = seen.layout
        self.pitch = layout.pitch(size)
        self.vector = seen.cells <= POLYGONS_MOST and self.pitch >= SMALLEST_POLYGON
        self.plan: Raster | None = None
        if self.vector:
            wide, tall = layout.extent()
            box = (round(wide * self.pitch), round(tall * self.pitch))
            self.at = layout.middles()
            self.unit = float(self.pitch)
            left, top = layout.corner()
            self.limits = (left, left + wide, top + tall, top)
        else:
            self.plan = layout.raster(size)
            box = (self.plan.width, self.plan.height)
            self.at = np.stack(self.plan.centres(np.arange(seen.cells)), axis=1)
            self.unit = 1.0
            self.limits = (0, self.plan.width, self.plan.height, 0)
        self.per_hex = float(self.pitch) if self.vector or self.plan is None else self.plan.pixels_per_hex
        self.sheet = board.Sheet(*box, entries)
        self.figure, self.page = board.new_sheet(self.sheet, dpi)
        self.map = self._map_axes()
        self.faces: Array = np.zeros((0, 3), np.uint8)

    @property
    def middles(self) -> Array:
        """The centres of all cells (cells, 2) in pixels from the map's top left corner."""
        return (self.at - (self.limits[0], self.limits[3])) * self.unit

    def to_axes(self, points: Array) -> Array:
        """Points (n, 2) in pixels from the map's top left corner, in the map's own units."""
        return np.asarray(points / self.unit + (self.limits[0], self.limits[3]))

    def _map_axes(self) -> Axes:
        sheet = self.sheet
        bottom = sheet.height - sheet.map_top - sheet.map_height
        box = (sheet.map_left, bottom, sheet.map_width, sheet.map_height)
        scale = (sheet.width, sheet.height, sheet.width, sheet.height)
        axes = self.figure.add_axes(tuple(a / b for a, b in zip(box, scale, strict=True)))  # type: ignore[arg-type]
        axes.set_axis_off()
        axes.set_xlim(*self.limits[:2])
        axes.set_ylim(*self.limits[2:])
        return axes

    def paint(self, colours: Array, codes: Array | None) -> None:
        """All hexes. colours: (cells, 3) uint8; codes: for walls and marks among pixels, None = colours only."""
        self.faces = colours
        if self.vector:
            self._polygons(colours)
            return
        assert self.plan is not None
        if codes is not None:
            painter = Painter(self.plan, self.view.swatches, self.view.building)
            image = painter.palette[painter.paint(codes)]
        else:
            image = np.append(colours, [[255, 255, 255]], axis=0).astype(np.uint8)[self.plan.index]
        edges = (0, self.plan.width, self.plan.height, 0)
        self.map.imshow(image, interpolation="nearest", extent=edges, aspect="auto")

    def _polygons(self, colours: Array) -> None:
        from matplotlib.collections import LineCollection, PolyCollection

        seen = self.view
        faces = colours / 255
        cells = self.at[:, None, :] + seen.layout.outline()[None]
        if isinstance(seen.layout, SquareLayout):
            self._squares(cells, faces)
            return
        thin = self.per_hex >= 9
        edges: Any = faces * 0.62 + 0.2 if thin else "face"
        width = min(0.9, 0.03 * self.per_hex * board.POINT) if thin else 0.3
        self.map.add_collection(
            PolyCollection(list(cells), facecolors=faces, edgecolors=edges, linewidths=width, clip_on=False)
        )
        walls = seen.layout.borders(seen.building)
        if len(walls):
            width = float(np.clip(0.075 * self.per_hex * board.POINT, 0.5, 2.6))
            self.map.add_collection(
                LineCollection(list(walls), colors=INK, linewidths=width, capstyle="round", clip_on=False)
            )

    def _squares(self, cells: Array, faces: Array) -> None:
        """Square cells where something stands, the squares in them, and walls, the outermost thicker."""
        from matplotlib.collections import LineCollection, PolyCollection

        seen = self.view
        stands = seen.building > 0
        self.map.add_collection(
            PolyCollection(list(cells[stands]), facecolors=faces[stands], edgecolors="face", linewidths=0.3)
        )
        steps = np.arange(1, seen.side) / seen.side - 0.5
        if self.per_hex >= SMALLEST_SQUARE * seen.side and steps.size:
            across = np.concatenate([[((-0.5, s), (0.5, s)), ((s, -0.5), (s, 0.5))] for s in steps])
            lines = (self.at[stands][:, None, None, :] + across[None]).reshape(-1, 2, 2)
            inks = np.repeat(faces[stands] * 0.82 + 0.03, len(across), axis=0)
            self.map.add_collection(LineCollection(list(lines), colors=inks, linewidths=0.7))
        width = float(np.clip(0.022 * self.per_hex * board.POINT, 0.6, 2.2))
        style: dict[str, Any] = {"colors": INK, "capstyle": "projecting", "clip_on": False}
        for walls, times in ((seen.building, 1.0), (stands.astype(np.int32), 1.9)):
            drawn = list(seen.layout.borders(walls))
            self.map.add_collection(LineCollection(drawn, linewidths=width * times, **style))

    def mark(self, name: str, cells: Array, ink: str, beside_roof: bool = False) -> None:
        """A mark in each of some cells."""
        from matplotlib.collections import PathCollection
        from matplotlib.transforms import Affine2D

        right, down, size = 0.0, 0.0, self.per_hex
        if isinstance(self.view.layout, SquareLayout):
            right, down, size = mark_spot(self.per_hex)
        scale = size * self.figure.dpi / board.DPI
        for shape in shapes(name, beside_roof):
            drawn = PathCollection(
                [shape.path],
                offsets=self.at[cells] + np.array([right, down]) / self.unit,
                offset_transform=self.map.transData,
                facecolors=ink if shape.filled else "none",
                edgecolors="none" if shape.filled else ink,
                linewidths=0 if shape.filled else max(0.5, shape.width * size * board.POINT),
                capstyle="round",
                alpha=0.85,
            )
            drawn.set_transform(Affine2D().scale(scale, -scale))
            self.map.add_collection(drawn)

    def arrows(self, flown: list[Arrow]) -> None:
        """Arrows between places, by themselves from centre to centre: solid for a hit, dashed for a miss."""
        from matplotlib.collections import LineCollection
        from matplotlib.patches import FancyArrowPatch
        from matplotlib.patheffects import withStroke

        middles, size = self.middles, (float(self.sheet.map_width), float(self.sheet.map_height))
        lines = [self.to_axes(np.stack(ends(self.view, arrow, middles, self.per_hex, size))) for arrow in flown]
        if len(flown) > ARROWS_MOST:
            for hit, style in ((True, "solid"), (False, "dashed")):
                drawn = [line for line, arrow in zip(lines, flown, strict=True) if arrow.hit == hit]
                self.map.add_collection(LineCollection(drawn, colors=SPARK, linewidths=0.8, linestyles=style))
            return
        width = float(np.clip(0.055 * self.per_hex * board.POINT, 1.0, 2.4))
        for line, arrow in sorted(zip(lines, flown, strict=True), key=lambda pair: pair[1].hit):
            if arrow.begin is not None or arrow.end is not None:
                tail, head = ends(self.view, arrow, middles, self.per_hex, size)
                draw_arrow(self, tail, head, arrow.hit)
                continue
            shrink = 0.12 * self.per_hex * board.POINT
            patch = FancyArrowPatch(
                tuple(line[0]),
                tuple(line[1]),
                connectionstyle="arc3,rad=0.18",
                arrowstyle="-|>,head_length=4,head_width=2.2",
                mutation_scale=max(1.0, width),
                linewidth=width,
                linestyle="solid" if arrow.hit else (0, (2.5, 2)),
                color=SPARK,
                shrinkA=shrink,
                shrinkB=shrink,
                path_effects=[withStroke(linewidth=width + 1.6, foreground="white")],
            )
            self.map.add_patch(patch)

    def names(self) -> None:
        """Names of buildings, the largest first, wherever there is room."""
        from matplotlib.patheffects import withStroke

        size = float(np.clip(0.32 * self.per_hex, 10, 17))
        if not self.view.labels or isinstance(self.view.layout, SquareLayout):
            return
        taken: list[tuple[float, float, float, float]] = []
        numbers, counts = np.unique(self.view.building, return_counts=True)
        wide, tall = self.sheet.map_width, self.sheet.map_height
        for place in np.argsort(-counts, kind="stable"):
            number, area = int(numbers[place]), counts[place] * self.per_hex**2
            text = self.view.labels.get(number, "")
            if not number or not text or (self.per_hex < SMALLEST_NAME and area < LEAST_AREA):
                continue
            at = self.at[self.view.building == number]
            x, y = (at[:, 0].min() + at[:, 0].max()) / 2, at[:, 1].max()
            left, top = (x - self.limits[0]) * self.unit, (y - self.limits[3]) * self.unit + 0.5 * self.per_hex
            half, top = 0.3 * size * len(text) + 3, min(top, tall - 0.65 * size)
            left = min(max(left, half), wide - half)
            box = (left - half, top - 0.6 * size, left + half, top + 0.6 * size)
            if half * 2 > wide or any(_overlap(box, other) for other in taken):
                continue
            taken.append(box)
            at_x, at_y = left / self.unit + self.limits[0], top / self.unit + self.limits[3]
            style: dict[str, Any] = {"ha": "center", "va": "center", "fontweight": "bold", "color": INK}
            halo = [withStroke(linewidth=2.6, foreground="white")]
            self.map.text(at_x, at_y, text.replace("$", r"\$"), fontsize=size * board.POINT, path_effects=halo, **style)


def _overlap(box: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]


def figure_of(
    prepared: Prepared, scene: Scene, *, title: str, size: int | None = None, dpi: float = board.DPI
) -> Figure:
    """The picture of a scene as a matplotlib figure; arguments as for `snapshot`."""
    seen = view(prepared)
    codes = np.asarray(scene.codes, np.uint8).ravel()
    occur = occurring(scene, seen.swatches)
    flown = flights(scene, seen.cells)
    aboard = board.occurring_others(seen, scene)
    pitch = seen.layout.pitch(size)
    shown_roofs = _roofs(seen, scene, codes) if pitch >= SMALLEST_ROOF and seen.cells <= POLYGONS_MOST else None
    roofs = [] if shown_roofs is None else [seen.roof_marks[code] for code in np.unique(shown_roofs) if code]
    hits = {arrow.hit for arrow in flown}
    entries = len(occur) + len(roofs) + len(aboard) + len(hits)
    canvas = Canvas(seen, size, entries, dpi)
    standing = aboard_of(canvas, scene, flown)
    people = who_is_who(scene, standing.told)
    if people and not room_for(canvas.sheet, entries, people):
        canvas = Canvas(seen, size, entries + heading_and(people), dpi)
    table = np.array([[int(s.colour[i : i + 2], 16) for i in (1, 3, 5)] for s in seen.swatches], np.uint8)
    canvas.paint(table[codes], codes)
    if canvas.vector:
        _marks(canvas, codes, shown_roofs)
    canvas.names()
    draw_aboard(canvas, scene, standing)
    canvas.arrows(flown)
    page, sheet = canvas.page, canvas.sheet
    board.title(page, sheet, title)
    board.caption(page, sheet, scene.caption)
    board.wind_rose(page, sheet, seen, scene.wind)
    place = board.legend(page, sheet, seen, [seen.swatches[code] for code in occur], roofs)
    place += board.other_keys(page, sheet, aboard, place)
    place += board.spark_keys(page, sheet, seen, place, True in hits, False in hits)
    draw_key(page, sheet, seen, people, place)
    board.scale_bar(page, sheet, seen, canvas.per_hex)
    return canvas.figure


def _roofs(seen: View, scene: Scene, codes: Array) -> Array | None:
    """Roof codes of the hexes whose roof still shows: buildings that nothing has happened to."""
    if scene.roofs is None or not seen.roof_marks:
        return None
    quiet = np.array([not swatch.changes for swatch in seen.swatches])[codes]
    roofs = np.asarray(scene.roofs).ravel()[: seen.cells]
    return np.where(quiet & (seen.building > 0) & (roofs < len(seen.roof_marks)), roofs, 0)


def _marks(canvas: Canvas, codes: Array, roofs: Array | None) -> None:
    """Letters, flames, textures, and roofs where hexes are large enough."""
    seen = canvas.view
    roofed = np.zeros(codes.shape, bool) if roofs is None else roofs > 0
    for code, swatch in enumerate(seen.swatches):
        if not swatch.hatch or canvas.per_hex < smallest(swatch.hatch):
            continue
        ink = ink_on(swatch.colour)
        ink = ink if is_loud(swatch) else blend(swatch.colour, ink, 0.32)
        for beside in (False, True):
            cells = np.flatnonzero((codes == code) & (roofed == beside))
            if cells.size:
                canvas.mark(swatch.hatch, cells, ink, beside)
    if roofs is not None:
        for code in np.unique(roofs[roofs > 0]):
            canvas.mark(seen.roof_marks[code].hatch, np.flatnonzero(roofs == code), INK)


def snapshot(
    prepared: Prepared,
    scene: Scene,
    path: str | os.PathLike[str],
    *,
    title: str,
    size: int | None = None,
    dpi: float = board.DPI,
) -> None:
    """Write the picture of a scene as a PNG.

    size: pixels on the longer side of the map at 100 to the inch (left out: as large as is handy, 1200 at most).
    dpi: pixels per inch; 300 prints the same sheet finer. Maps of more than 20,000 hexes are drawn pixel by pixel, and
    where hexes outnumber pixels one hex stands for its neighbours. Raises InputError when the file cannot be written.
    """
    writable(path, (".png",))
    figure = figure_of(prepared, scene, title=title, size=size, dpi=dpi)
    with writing(path, (".png",)) as unfinished:
        figure.savefig(unfinished, format="png", dpi=dpi, metadata={"Software": None})
