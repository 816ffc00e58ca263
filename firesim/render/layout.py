"""Where hexes lie in a picture: as polygons, and as a map from pixels to cells.

Pixels are laid out on a whole number of pixels per hex, so that every hex covers the same pattern of pixels and the
picture of a state is one look-up per pixel.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from firesim.grid.hexes import centres, hex_links

Array = np.ndarray[Any, Any]

ROOT = float(np.sqrt(3) / 2)
"""Distance between the rows of a pointy grid, in widths across flats."""

SIDE = float(1 / np.sqrt(3))
"""Side and corner radius of a hex, in widths across flats."""

PIXELS_MOST = 1200
"""The longest side of a map in pixels, unless asked otherwise."""

PITCH_MOST = 64
"""The most pixels across a hex, unless asked otherwise."""


def first_angle(orientation: str) -> int:
    """Degrees of heading 0, anticlockwise from east."""
    return 0 if orientation == "pointy" else 90


def extent(rows: int, cols: int, orientation: str) -> tuple[float, float]:
    """Width and height of a whole map in widths across flats."""
    if orientation == "flat":
        height, width = extent(cols, rows, "pointy")
        return width, height
    return cols + (0.5 if rows > 1 else 0.0), (rows - 1) * ROOT + 2 * SIDE


def corners(orientation: str) -> Array:
    """The corners of a hex about its centre, (6, 2), y down; side k, towards heading k, joins corners k and k + 1."""
    angle = np.radians(first_angle(orientation) - 30 + 60 * np.arange(6))
    return np.stack([SIDE * np.cos(angle), -SIDE * np.sin(angle)], axis=1)


def polygons(rows: int, cols: int, orientation: str) -> Array:
    """All hexes as polygons (cells, 6, 2), in widths across flats, y down; the first centre is (0, 0)."""
    x, y = centres(rows, cols, orientation)
    return np.stack([x.ravel(), y.ravel()], axis=1)[:, None, :] + corners(orientation)[None]


def borders(building: Array, rows: int, cols: int, orientation: str) -> Array:
    """Outer walls of buildings as segments (n, 2, 2): sides of hexes between a building and what is not that building.

    building: (cells,) its number, 0 = none. Sides inside one building are left out.
    """
    numbers = np.append(np.asarray(building, np.int64)[: rows * cols], -1)
    to = hex_links(rows, cols, orientation).to[:-1]
    cell, side = np.nonzero((numbers[:-1, None] > 0) & (numbers[to] != numbers[:-1, None]))
    hexes = polygons(rows, cols, orientation)
    return np.stack([hexes[cell, side], hexes[cell, (side + 1) % 6]], axis=1)


@dataclass(frozen=True)
class Raster:
    """A map laid out in pixels.

    index: (height, width) int32, the flat cell that each pixel shows; rows * cols where none lies. pitch: pixels across
    a hex (0: more than one hex to the pixel, of which one is shown).
    """

    rows: int
    cols: int
    orientation: str
    pitch: int
    index: Array

    @property
    def height(self) -> int:
        """Pixels from top to bottom."""
        return int(self.index.shape[0])

    @property
    def width(self) -> int:
        """Pixels from left to right."""
        return int(self.index.shape[1])

    @property
    def pixels_per_hex(self) -> float:
        """Pixels across a hex, a fraction when hexes share pixels."""
        return self.pitch or self.width / extent(self.rows, self.cols, self.orientation)[0]

    def centres(self, cells: Array) -> tuple[Array, Array]:
        """x and y, in pixels from the top left corner, of cells' centres; the pixel one lies in is its own."""
        row, col = np.divmod(np.asarray(cells, np.int64), self.cols)
        if self.orientation == "flat":
            y, x = self._along(col, row)
        else:
            x, y = self._along(row, col)
        return x, y

    def _along(self, line: Array, place: Array) -> tuple[Array, Array]:
        if not self.pitch:
            scale = self.pixels_per_hex
            return (place + 0.5 * (line % 2) + 0.5) * scale, (line * ROOT + SIDE) * scale
        step, tall, shift = _steps(self.pitch)
        return place * self.pitch + shift * (line % 2) + self.pitch / 2, line * step + tall / 2

    @property
    def mark_spot(self) -> tuple[float, float, float]:
        """Where a mark stands in a cell: x and y from the centre in pixels, and its size."""
        return 0.0, 0.0, float(self.pitch)

    @property
    def patches(self) -> Array:
        """(height, width): numbers of the patches between which faint lines are drawn, here the cells."""
        return self.index

    @property
    def bare(self) -> bool:
        """Whether cells on which nothing stands are without outlines."""
        return False

    @property
    def wall(self) -> int:
        """Pixels of the outermost walls, within what stands; 0: as all walls."""
        return 0

    @cached_property
    def box(self) -> tuple[int, int]:
        """Height and width of the box of pixels in which any one hex lies, its centre in the middle."""
        tall = _steps(self.pitch)[1] + 4
        wide = self.pitch + 4
        return (tall, wide) if self.orientation == "pointy" else (wide, tall)

    @cached_property
    def local(self) -> Array:
        """(height, width) int32: each pixel's place in the box of its hex, row by row; 0 off the map."""
        high, wide = self.box
        made = np.zeros(self.index.shape, np.int32)
        x = np.arange(self.width)
        for y in range(self.height):
            cells = self.index[y]
            centre_x, centre_y = self.centres(cells)
            place = (y - np.floor(centre_y) + high // 2) * wide + (x - np.floor(centre_x) + wide // 2)
            made[y] = np.where(cells < self.rows * self.cols, place, 0)
        return made


@dataclass(frozen=True)
class Middles:
    """Centres of a map's cells in pixels, one at a time: `middles[cell]` is x and y (2,)."""

    plan: Raster

    def __getitem__(self, cell: int) -> Array:
        x, y = self.plan.centres(np.array([cell]))
        return np.array([x[0], y[0]], np.float64)


def _steps(pitch: int) -> tuple[int, int, int]:
    """Pixels from line to line, from tip to tip of a hex, and by which odd lines are shifted."""
    step = max(1, round(pitch * ROOT))
    return step, max(1, round(pitch * 2 * SIDE)) if pitch > 1 else 1, pitch // 2


def pitch_for(rows: int, cols: int, orientation: str, size: int | None = None, most: int = PIXELS_MOST) -> int:
    """Pixels across a hex so that the longer side of the map takes about `size` pixels; 0 when hexes outnumber pixels.

    Without `size`: at most `most` pixels in all and 64 to the hex.
    """
    longest = max(extent(rows, cols, orientation))
    pitch = int((size or most) / longest)
    if size is None:
        pitch = min(pitch, PITCH_MOST)
    return pitch - pitch % 2 if pitch > 3 else pitch


def raster(
    rows: int, cols: int, orientation: str = "pointy", size: int | None = None, most: int = PIXELS_MOST
) -> Raster:
    """The pixel-to-cell map of a whole map, about `size` pixels on its longer side.

    Memory: 4 bytes per pixel, whatever the number of hexes.

    >>> raster(2, 2, size=5).index.tolist()[0]
    [0, 0, 1, 1, 4]
    """
    pitch = pitch_for(rows, cols, orientation, size, most)
    lines, places = (rows, cols) if orientation == "pointy" else (cols, rows)
    line, place = _hexes(lines, places, pitch) if pitch else _samples(lines, places, size or most)
    index = np.full(line.shape, rows * cols, np.int32)
    inside = (line >= 0) & (line < lines) & (place >= 0) & (place < places)
    strides = (cols, 1) if orientation == "pointy" else (1, cols)
    index[inside] = (line * strides[0] + place * strides[1])[inside]
    return Raster(rows, cols, orientation, pitch, np.ascontiguousarray(index if orientation == "pointy" else index.T))


def _hexes(lines: int, places: int, pitch: int) -> tuple[Array, Array]:
    """The line and place nearest to each pixel, for a pointy map: one period of the pattern, repeated."""
    step, tall, shift = _steps(pitch)
    stretch = pitch * ROOT / step
    height, width = (lines - 1) * step + tall, places * pitch + (shift if lines > 1 else 0)
    y, x = np.mgrid[0 : 2 * step, 0:pitch] + 0.5
    best: Array = np.full(y.shape, np.inf)
    near_line, near_place = np.zeros(y.shape, np.int32), np.zeros(y.shape, np.int32)
    for row in range(-2, 4):
        for col in range(-2, 3):
            centre_x = col * pitch + shift * (row % 2) + pitch / 2
            away = (x - centre_x) ** 2 + ((y - row * step - tall / 2) * stretch) ** 2
            closer = away < best - 1e-9
            best[closer], near_line[closer], near_place[closer] = away[closer], row, col
    period_y, phase_y = np.divmod(np.arange(height, dtype=np.int32), 2 * step)
    period_x, phase_x = np.divmod(np.arange(width, dtype=np.int32), pitch)
    line = near_line[phase_y[:, None], phase_x] + (2 * period_y)[:, None]
    place = near_place[phase_y[:, None], phase_x] + period_x
    return line, place


def _samples(lines: int, places: int, size: int) -> tuple[Array, Array]:
    """The line and place that each pixel shows when hexes outnumber pixels."""
    wide, tall = extent(lines, places, "pointy")
    scale = size / max(wide, tall)
    y = (np.arange(max(1, round(tall * scale)), dtype=np.float64) + 0.5) / scale
    x = (np.arange(max(1, round(wide * scale)), dtype=np.float64) + 0.5) / scale
    line = np.clip(((y - SIDE) / ROOT + 0.5).astype(np.int32), 0, lines - 1)[:, None]
    place = np.floor(x[None, :] - 0.5 * (line % 2)).astype(np.int32)
    return np.broadcast_to(line, place.shape), place


class Layout(Protocol):
    """Where the cells of a map lie: all that a picture asks of a grid. Lengths are in widths of a cell, y down."""

    @property
    def words(self) -> tuple[str, str]:
        """What one cell is called, and several."""

    def extent(self) -> tuple[float, float]:
        """Width and height of the picture of the whole map."""

    def corner(self) -> tuple[float, float]:
        """x and y of the picture's top left corner; the first centre is (0, 0)."""

    def outline(self) -> Array:
        """The corners of a cell about its centre (n, 2)."""

    def middles(self) -> Array:
        """The centres of all cells (cells, 2)."""

    def borders(self, building: Array) -> Array:
        """Outer walls of buildings as segments (n, 2, 2)."""

    def heading_angle(self, heading: int, headings: int) -> float:
        """Degrees of a heading, anticlockwise from east."""

    def pitch(self, size: int | None = None, most: int = PIXELS_MOST) -> int:
        """Pixels across a cell so that the longer side of the map takes about `size` pixels; 0: less than one."""

    def raster(self, size: int | None = None, most: int = PIXELS_MOST) -> Raster:
        """The map laid out in pixels."""


@dataclass(frozen=True)
class HexLayout:
    """Hexes, pointy-top or flat-top."""

    rows: int
    cols: int
    orientation: str
    words: tuple[str, str] = ("hex", "hexes")

    def extent(self) -> tuple[float, float]:
        """Width and height of the whole map."""
        return extent(self.rows, self.cols, self.orientation)

    def corner(self) -> tuple[float, float]:
        """The top left corner of the first hex's box."""
        least = self.outline().min(axis=0)
        return float(least[0]), float(least[1])

    def outline(self) -> Array:
        """The six corners of a hex."""
        return corners(self.orientation)

    def middles(self) -> Array:
        """The centres of all hexes."""
        x, y = centres(self.rows, self.cols, self.orientation)
        return np.stack([x.ravel(), y.ravel()], axis=1)

    def borders(self, building: Array) -> Array:
        """Outer walls of buildings."""
        return borders(building, self.rows, self.cols, self.orientation)

    def heading_angle(self, heading: int, headings: int) -> float:
        """Degrees of a heading: E or N is the first."""
        return first_angle(self.orientation) + 360.0 * heading / max(1, headings)

    def pitch(self, size: int | None = None, most: int = PIXELS_MOST) -> int:
        """Pixels across a hex."""
        return pitch_for(self.rows, self.cols, self.orientation, size, most)

    def raster(self, size: int | None = None, most: int = PIXELS_MOST) -> Raster:
        """The map laid out in pixels."""
        return raster(self.rows, self.cols, self.orientation, size, most)
