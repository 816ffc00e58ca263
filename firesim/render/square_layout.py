"""Where square cells lie in a picture, each of some squares along its side, with a strip of nothing around the map."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from firesim.render.layout import PIXELS_MOST, Raster

Array = np.ndarray[Any, Any]

STRIP = 0.25
"""Width of the strip around the map, for what lies beyond its outermost walls, in widths of a cell."""

SQUARE_HANDY = 40
CELL_MOST = 240
CELL_LEAST = 120
"""Pixels across a square that are enough; pixels across a cell that are the most, and that suffice."""

SMALLEST_SQUARE = 12
"""Pixels across a square from which its outline is drawn."""

CORNER_MARK = 56
"""Pixels across a cell from which a mark stands in its corner, and leaves the squares to what is in them."""


def mark_spot(pitch: float) -> tuple[float, float, float]:
    """Where a mark stands in a cell: x and y from its centre in pixels, and its size."""
    if pitch < CORNER_MARK:
        return 0.0, 0.0, float(pitch)
    size = float(np.clip(0.34 * pitch, 30, 60))
    away = 0.5 * pitch - 0.36 * size - 0.03 * pitch
    return -away, away, size


@dataclass(frozen=True)
class SquareRaster(Raster):
    """A map of square cells laid out in pixels; `side`: squares along a cell's side."""

    side: int = 1

    @property
    def pixels_per_hex(self) -> float:
        """Pixels across a cell, a fraction when cells share pixels."""
        return self.pitch or self.width / (self.cols + 2 * STRIP)

    @property
    def mark_spot(self) -> tuple[float, float, float]:
        """The lower left corner of a cell, or its middle if it is small."""
        return mark_spot(self.pitch)

    @property
    def bare(self) -> bool:
        """Nothing is drawn where nothing stands."""
        return True

    @property
    def wall(self) -> int:
        """The outermost walls of large cells are thicker."""
        return 4 if self.pitch >= CORNER_MARK else 0

    def centres(self, cells: Array) -> tuple[Array, Array]:
        """x and y, in pixels from the top left corner, of cells' centres."""
        row, col = np.divmod(np.asarray(cells, np.int64), self.cols)
        scale = self.pixels_per_hex
        strip = _strip(self.pitch) if self.pitch else STRIP * scale
        return (col + 0.5) * scale + strip, (row + 0.5) * scale + strip

    @cached_property
    def box(self) -> tuple[int, int]:
        """Height and width of the box of pixels in which any one cell lies, its centre in the middle."""
        return self.pitch + 4, self.pitch + 4

    @property
    def patches(self) -> Array:
        """The squares in all cells, or the cells where squares are small."""
        if self.pitch < SMALLEST_SQUARE * self.side:
            return self.index
        y = (np.arange(self.height) - _strip(self.pitch)) * self.side // self.pitch
        x = (np.arange(self.width) - _strip(self.pitch)) * self.side // self.pitch
        return np.asarray(y[:, None] * (self.cols + 2) * self.side + x)


def _strip(pitch: int) -> int:
    return round(STRIP * pitch)


@dataclass(frozen=True)
class SquareLayout:
    """Square cells, `side` squares along the side of each."""

    rows: int
    cols: int
    side: int = 1
    words: tuple[str, str] = ("module", "modules")

    def extent(self) -> tuple[float, float]:
        """Width and height of the map and the strip around it."""
        return self.cols + 2 * STRIP, self.rows + 2 * STRIP

    def corner(self) -> tuple[float, float]:
        """The top left corner of the strip."""
        return -0.5 - STRIP, -0.5 - STRIP

    def outline(self) -> Array:
        """The four corners of a cell; side k joins corners k and k + 1: up, right, down, left."""
        return np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])

    def middles(self) -> Array:
        """The centres of all cells."""
        row, col = np.divmod(np.arange(self.rows * self.cols), self.cols)
        return np.stack([col, row], axis=1).astype(np.float64)

    def borders(self, building: Array) -> Array:
        """Walls between a building and what is not that building."""
        numbers = np.zeros((self.rows + 2, self.cols + 2), np.int64)
        numbers[1:-1, 1:-1] = np.asarray(building)[: self.rows * self.cols].reshape(self.rows, self.cols)
        here = numbers[1:-1, 1:-1]
        beside = np.stack([numbers[:-2, 1:-1], numbers[1:-1, 2:], numbers[2:, 1:-1], numbers[1:-1, :-2]], axis=-1)
        cell, side = np.nonzero(((here[..., None] > 0) & (beside != here[..., None])).reshape(-1, 4))
        middles, outline = self.middles(), self.outline()
        return np.stack([middles[cell] + outline[side], middles[cell] + outline[(side + 1) % 4]], axis=1)

    def heading_angle(self, heading: int, headings: int) -> float:
        """Degrees of a heading, anticlockwise from east: the first is up, the others follow clockwise."""
        return 90.0 - 360.0 * heading / max(1, headings)

    def pitch(self, size: int | None = None, most: int = PIXELS_MOST) -> int:
        """Pixels across a cell; without `size` no more than its squares need."""
        pitch = int((size or most) / max(self.extent()))
        if size is None:
            pitch = min(pitch, max(CELL_LEAST, min(CELL_MOST, SQUARE_HANDY * self.side)))
        return pitch - pitch % 2 if pitch > 3 else pitch

    def raster(self, size: int | None = None, most: int = PIXELS_MOST) -> SquareRaster:
        """The map laid out in pixels.

        >>> SquareLayout(1, 2).raster(size=10).index.tolist()[1]
        [2, 0, 0, 0, 0, 1, 1, 1, 1, 2]
        """
        pitch = self.pitch(size, most)
        if pitch:
            y = (np.arange(self.rows * pitch + 2 * _strip(pitch)) - _strip(pitch)) // pitch
            x = (np.arange(self.cols * pitch + 2 * _strip(pitch)) - _strip(pitch)) // pitch
        else:
            wide, tall = self.extent()
            scale = (size or most) / max(wide, tall)
            y = np.floor((np.arange(max(1, round(tall * scale))) + 0.5) / scale - STRIP).astype(np.int64)
            x = np.floor((np.arange(max(1, round(wide * scale))) + 0.5) / scale - STRIP).astype(np.int64)
        inside = ((y >= 0) & (y < self.rows))[:, None] & ((x >= 0) & (x < self.cols))
        index = np.where(inside, y[:, None] * self.cols + x, self.rows * self.cols).astype(np.int32)
        return SquareRaster(self.rows, self.cols, "square", pitch, np.ascontiguousarray(index), self.side)
