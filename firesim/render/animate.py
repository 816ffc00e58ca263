"""A fire as an animation: GIF by Pillow, or MP4 by ffmpeg.

The sheet (title, legend, scale, wind rose) is drawn once by matplotlib; a frame is one look-up per pixel that may have
changed, and a line of text.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from firesim.core.files import writable, writing
from firesim.core.problems import InputError, Problem
from firesim.render import board
from firesim.render.arrows import boxes, ends
from firesim.render.asked import FPS, fps_problems, size_problems
from firesim.render.doors import door_polygons
from firesim.render.film import FilmWriter, ffmpeg_program
from firesim.render.gif import TRANSPARENT, GifWriter
from firesim.render.labels import labels, written
from firesim.render.layout import PIXELS_MOST, Middles
from firesim.render.lettering import font
from firesim.render.painter import Painter
from firesim.render.palette import FAINT_INK, SPARK, nearest, occurring, rgb, with_changes, with_others
from firesim.render.pieces import arrange, named
from firesim.render.sprites import Press, colours
from firesim.render.view import View, flights, view
from firesim.rules.base import Arrow, Prepared, Scene

Array = np.ndarray[Any, Any]

LAST_SECONDS = 3.0
"""How long the last frame is held."""

GREYS = 32
"""Shades of grey kept for text."""


def animate(
    prepared: Prepared,
    scenes: Iterable[Scene],
    path: str | os.PathLike[str],
    *,
    title: str,
    fps: float = FPS,
    size: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> int:
    """Write the scenes as a `.gif` that loops, or an `.mp4`; returns how many frames it has.

    scenes: taken one by one, none is kept. fps: frames per second, 0.1 to 50; the last is held for three seconds. size:
    pixels on the longer side of the map, 50 to 4,000 (left out: at most 1200). progress: called with the number
    of frames done. Raises InputError for other numbers, when the file cannot be written, when there is no scene, and
    for an MP4 without ffmpeg.
    """
    if problems := fps_problems(fps) + size_problems(size):
        raise InputError(problems)
    target = writable(path, (".gif", ".mp4"))
    film = target.suffix.lower() == ".mp4"
    if film:
        ffmpeg_program()
    waiting = iter(scenes)
    first = next(waiting, None)
    if first is None:
        raise InputError(Problem("there is nothing to animate", "at least one scene"))
    studio = Studio(view(prepared), first, title, size)
    with writing(target) as unfinished:
        if film:
            count = _film(studio, chain([first], waiting), unfinished, fps, progress)
        else:
            count = _gif(studio, chain([first], waiting), unfinished, fps, progress)
    return count


def _gif(
    studio: Studio, scenes: Iterable[Scene], path: Path, fps: float, progress: Callable[[int], None] | None
) -> int:
    with path.open("wb") as file:
        writer = GifWriter(file, studio.sheet.height, studio.sheet.width, studio.palette)
        return _shoot(studio, scenes, writer, fps, progress)


def _film(
    studio: Studio, scenes: Iterable[Scene], path: Path, fps: float, progress: Callable[[int], None] | None
) -> int:
    writer = FilmWriter(path, studio.sheet.height, studio.sheet.width, studio.palette, fps)
    try:
        return _shoot(studio, scenes, writer, fps, progress)
    except BaseException:
        writer.abandon()
        raise


def _shoot(
    studio: Studio,
    scenes: Iterable[Scene],
    writer: GifWriter | FilmWriter,
    fps: float,
    progress: Callable[[int], None] | None,
) -> int:
    count = 0
    for count, scene in enumerate(scenes, 1):
        writer.add(studio.frame(scene), 1 / fps)
        if progress is not None:
            progress(count)
    writer.close(max(LAST_SECONDS, 1 / fps))
    return count


def _handy(seen: View) -> int:
    """Pixels on the longer side of a map that plays smoothly: fewer than a still has, but two to a hex if they fit."""
    return min(PIXELS_MOST, max(900, int(2 * max(seen.layout.extent())) + 1))


class Studio:
    """Makes frames (height, width) uint8 into `palette` (at most 255, 3)."""

    def __init__(self, seen: View, first: Scene, title: str, size: int | None) -> None:
        self.view = seen
        self._title = title
        plan = seen.layout.raster(size, _handy(seen))
        self._plan = plan
        self._lay_names(first)
        self._painter = Painter(plan, seen.swatches, seen.building, self._writing)
        self._named = with_changes(occurring(first, seen.swatches), seen.swatches)
        self._aboard = board.occurring_others(seen, first, with_others)
        self.sheet = board.Sheet(plan.width, plan.height, len(self._named) + len(self._aboard) + 2)
        greys = np.linspace(0, 255, GREYS).round().astype(np.uint8)
        drawn = colours((*seen.pieces, *seen.doors))
        extra = np.concatenate([np.stack([greys] * 3, axis=1), [rgb(SPARK), rgb(FAINT_INK)], drawn]).astype(np.uint8)
        table = np.concatenate([self._painter.palette, extra])[:TRANSPARENT]
        self.palette: Array = table
        self._paper = len(self._painter.palette) + GREYS - 1
        self._spark = len(self._painter.palette) + GREYS
        self._press = Press(table, seen.pieces, TRANSPARENT)
        self._drawn: Array | None = None
        self._roses: dict[int | None, Array] = {}
        self._codes: Array | None = None
        self._painted: Array = np.empty(0, np.uint8)
        self._letters: Any = None

    def frame(self, scene: Scene) -> Array:
        """The frame of one scene, a fresh array."""
        seen, sheet = self.view, self.sheet
        codes = np.asarray(scene.codes, np.uint8).ravel()
        more = set(occurring(scene, seen.swatches)) - set(self._named)
        if more:  # what no one could foresee joins the legend, as far as there is room
            self._named = sorted({*self._named, *more})
            self._drawn = None
        made = self._sheet().copy()
        self._turn_rose(made, scene.wind)
        box = (
            slice(sheet.map_top, sheet.map_top + sheet.map_height),
            slice(sheet.map_left, sheet.map_left + sheet.map_width),
        )
        made[box] = self._map(codes)
        self._hang_doors(made[box], scene)
        flown = flights(scene, seen.cells)
        if flown:
            made[box] = self._with_arrows(made[box], flown)
        self._stand(made[box], scene, flown)
        self._write(made, scene.caption)
        return made

    def _lay_names(self, first: Scene) -> None:
        """Where the names of cells stand, for good: clear of the pieces of the first scene."""
        seen, plan = self.view, self._plan
        self._middles = Middles(plan)
        self._taken: list[Any] = []
        self._writing: Array | None = None
        if plan.bare:
            boxes = [each.box for each in arrange(seen, first.pieces, self._middles, plan.pixels_per_hex)]
            lines = labels(seen, self._middles, plan.pixels_per_hex, boxes)
            self._taken = [line.box for line in lines]
            self._writing = written(lines, plan.index.shape) if lines else None

    def _hang_doors(self, part: Array, scene: Scene) -> None:
        """Doors onto the map."""
        pitch = self._plan.pixels_per_hex
        self._press.polygons(part, door_polygons(self.view, scene.doors, self._middles, pitch))

    def _stand(self, part: Array, scene: Scene, flown: list[Arrow]) -> None:
        """Pieces and their names onto the map."""
        if not len(scene.pieces):
            return
        pitch, wide, tall = self._plan.pixels_per_hex, self._plan.width, self._plan.height
        taken = self._taken + boxes(self.view, flown, self._middles, pitch, (wide, tall))
        placed = named(arrange(self.view, scene.pieces, self._middles, pitch), taken, wide, tall)
        for each in placed:
            self._press.piece(part, each)
        for each in placed:
            if each.name:
                self._press.name(part, each)

    def _map(self, codes: Array) -> Array:
        """The map alone; only rows in which a hex changed are painted anew. The array is the studio's own."""
        if self._codes is None:
            self._painted = self._painter.paint(codes)
        else:
            rows = self._painter.rows_of(np.flatnonzero(codes != self._codes))
            self._painter.paint_rows(codes, self._painted, *rows)
        self._codes = codes.copy()
        return self._painted

    def _sheet(self) -> Array:
        """All that stands around the map but the wind, in palette places."""
        if self._drawn is None:
            figure, page = board.new_sheet(self.sheet)
            board.title(page, self.sheet, self._title)
            place = board.legend(page, self.sheet, self.view, [self.view.swatches[code] for code in self._named])
            place += board.other_keys(page, self.sheet, self._aboard, place)
            board.spark_keys(page, self.sheet, self.view, place, hit=True, miss=True)
            board.scale_bar(page, self.sheet, self.view, self._plan.pixels_per_hex)
            self._drawn = nearest(board.pixels(figure), self.palette)
        return self._drawn

    def _turn_rose(self, made: Array, wind: int | None) -> None:
        """The wind rose into its place; drawn once for each wind."""
        sheet = self.sheet
        part = slice(sheet.map_top, sheet.map_top + board.ROSE), slice(sheet.panel_left, sheet.panel_left + board.PANEL)
        if wind not in self._roses:
            figure, page = board.new_sheet(sheet)
            board.wind_rose(page, sheet, self.view, wind)
            self._roses[wind] = nearest(board.pixels(figure)[part], self.palette)
        made[part] = self._roses[wind]

    def _with_arrows(self, part: Array, flown: list[Arrow]) -> Array:
        from PIL import Image, ImageDraw

        image = Image.fromarray(np.ascontiguousarray(part))
        draw = ImageDraw.Draw(image)
        width = board.arrow_width(self.view, self._plan.pixels_per_hex)
        size = (float(self._plan.width), float(self._plan.height))
        for arrow in flown:
            tail, head = ends(self.view, arrow, self._middles, self._plan.pixels_per_hex, size)
            _arrow(draw, tail, head, arrow.hit, width, (self._paper, self._spark))
        drawn: Array = np.asarray(image)
        return drawn

    def _write(self, made: Array, text: str) -> None:
        """The caption, by Pillow, into the line under the title."""
        from PIL import Image, ImageDraw

        if self._letters is None:
            self._letters = font(board.CAPTION_SIZE)
        room = self.sheet.width - 2 * board.MARGIN
        while len(text) > 1 and self._letters.getlength(text) > room:
            text = text[:-2].rstrip() + "…"
        strip = Image.new("L", (room, board.HEADER - board.CAPTION_TOP), 255)
        ImageDraw.Draw(strip).text((0, 0), text, fill=int(rgb(FAINT_INK)[0]), font=self._letters)
        shade = np.round(np.asarray(strip) * ((GREYS - 1) / 255)).astype(np.uint8)
        part = slice(board.CAPTION_TOP, board.HEADER), slice(board.MARGIN, board.MARGIN + room)
        made[part] = shade + np.uint8(len(self._painter.palette))


def _arrow(draw: Any, tail: Array, head: Array, hit: bool, width: int, inks: tuple[int, int]) -> None:
    """One arrow with a pale edge: solid for a hit, dashed for a miss."""
    along = head - tail
    length = float(np.hypot(*along))
    if length < 2:
        return
    along = along / length
    aside = np.array([-along[1], along[0]])
    barb = min(length, 3.0 * width + 3)
    neck = head - along * barb
    dashes = [(tail, neck)]
    if not hit:
        dash = 2.5 * width + 2
        starts = np.arange(0, length - barb, 1.8 * dash)
        dashes = [(tail + along * at, tail + along * min(at + dash, length - barb)) for at in starts]
    tip = [tuple(head), tuple(neck + aside * barb * 0.5), tuple(neck - aside * barb * 0.5)]
    for ink, thick in zip(inks, (width + 2, width), strict=True):
        for begin, end in dashes:
            draw.line([tuple(begin), tuple(end)], fill=ink, width=thick)
        draw.polygon(tip, fill=ink, outline=inks[0])
