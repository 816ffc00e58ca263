"""Pieces, doors and names as stamps of palette places, pressed onto the frames of an animation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from firesim.render.lettering import cover, font
from firesim.render.outlines import outline
from firesim.render.palette import INK, PAPER, blend, ink_on, nearest, rgb
from firesim.render.pieces import NAME_SIZE, Placed
from firesim.rules.base import Swatch

Array = np.ndarray[Any, Any]

FINER = 4
"""How many times finer a stamp is drawn than it is pressed."""

LETTER = 0.58
"""Height of the face of a piece's letter, in sizes of the piece; two and three letters are smaller."""


def letter_size(letter: str) -> float:
    """Height of the face of what is written on a piece, in sizes of the piece."""
    return LETTER * (1.0, 1.0, 0.8, 0.62)[min(len(letter), 3)]


def colours(swatches: Sequence[Swatch]) -> Array:
    """(n, 3) uint8: what a palette needs beyond greys to show pieces and doors: faces, and their edges and letters."""
    made = [
        rgb(colour)
        for swatch in swatches
        for colour in (swatch.colour, blend(swatch.colour, INK, 0.5), blend(swatch.colour, ink_on(swatch.colour), 0.5))
    ]
    return np.array(made, np.uint8).reshape(-1, 3)


class Press:
    """Makes stamps once and presses them onto frames. clear: the palette place that leaves a pixel as it is."""

    def __init__(self, palette: Array, swatches: Sequence[Swatch], clear: int) -> None:
        self._palette = palette
        self._swatches = swatches
        self._clear = clear
        self._made: dict[tuple[Any, ...], Array] = {}

    def piece(self, frame: Array, placed: Placed) -> None:
        """One piece, with its letter."""
        key = (placed.code, placed.letter, round(placed.size))
        if key not in self._made:
            self._made[key] = self._piece(*key)
        self._press(frame, self._made[key], placed.x, placed.y)

    def name(self, frame: Array, placed: Placed) -> None:
        """The name of a piece, with a pale edge."""
        if (placed.name,) not in self._made:
            self._made[placed.name,] = self._name(placed.name)
        self._press(frame, self._made[placed.name,], placed.name_x, placed.name_y)

    def polygons(self, frame: Array, drawn: Sequence[tuple[Array, str]]) -> None:
        """Coloured polygons in the frame's pixels, whole pixels each."""
        from PIL import Image, ImageDraw

        if not drawn:
            return
        image = Image.fromarray(np.ascontiguousarray(frame))
        draw = ImageDraw.Draw(image)
        for points, colour in drawn:
            draw.polygon([tuple(point) for point in np.round(points - 0.5).tolist()], fill=self._place(colour))
        frame[:] = np.asarray(image)

    def _place(self, colour: str) -> int:
        key = ("colour", colour)
        if key not in self._made:
            self._made[key] = nearest(rgb(colour)[None, None], self._palette)
        return int(self._made[key][0, 0])

    def _piece(self, code: int, letter: str, size: int) -> Array:
        from PIL import Image, ImageDraw

        swatch = self._swatches[code]
        side = (int(1.3 * size) | 1) * FINER
        image = Image.new("RGBA", (side, side), (255, 255, 255, 0))
        draw = ImageDraw.Draw(image)
        for part in outline(swatch.shape):
            points = part.points * size * FINER + side / 2
            draw.polygon([tuple(point) for point in points.tolist()], fill=part.colour(swatch.colour))
        if letter:
            tall = round(letter_size(letter) * size * FINER)
            ink, at = ink_on(swatch.colour), (side / 2, side / 2 + 0.365 * tall)
            draw.text(at, letter, fill=ink, font=font(tall, True), anchor="ms")
        small = np.asarray(image.resize((side // FINER, side // FINER), Image.Resampling.BOX))
        return self._stamp(small[..., :3], small[..., 3] >= 128)

    def _name(self, text: str) -> Array:
        ink = cover(text, NAME_SIZE).astype(np.float64) / 255
        edge = ink.copy()
        for axis in (0, 1):
            for step in (-1, 1):
                edge = np.maximum(edge, np.roll(ink, step, axis))
        image = rgb(PAPER) * (1 - ink[..., None]) + rgb(INK) * ink[..., None]
        return self._stamp(np.round(image).astype(np.uint8), edge > 0.2)

    def _stamp(self, image: Array, drawn: Array) -> Array:
        return np.where(drawn, nearest(image, self._palette), np.uint8(self._clear)).astype(np.uint8)

    def _press(self, frame: Array, stamp: Array, x: float, y: float) -> None:
        top, left = round(y - stamp.shape[0] / 2), round(x - stamp.shape[1] / 2)
        rows = slice(max(0, -top), min(stamp.shape[0], frame.shape[0] - top))
        cols = slice(max(0, -left), min(stamp.shape[1], frame.shape[1] - left))
        if rows.start >= rows.stop or cols.start >= cols.stop:
            return
        part = frame[top + rows.start : top + rows.stop, left + cols.start : left + cols.stop]
        shown = stamp[rows, cols]
        part[shown != self._clear] = shown[shown != self._clear]
