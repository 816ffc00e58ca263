"""Pictures of states as bytes: one look-up per pixel in tables made once."""

from __future__ import annotations

from typing import Any

import numpy as np

from firesim.render.layout import Raster
from firesim.render.marks import stamps
from firesim.render.palette import OUTLINE, SHADES, THIN_WALL, WALL, has_shades, inked
from firesim.rules.base import Swatch

Array = np.ndarray[Any, Any]

SMALLEST_WALLS = 4
SMALLEST_OUTLINES = 9
THICK_WALLS = 16
"""Pixels across a hex from which walls of buildings, outlines of all hexes, and walls two pixels thick are drawn."""


class Painter:
    """Paints codes (cells,) as bytes (height, width) into `palette` (n, 3): hexes, outlines, walls and marks.

    building: (cells,) numbers, 0 = none; None draws no walls. writing: (height, width) shades of names, 0 = none.
    """

    def __init__(
        self,
        plan: Raster,
        swatches: tuple[Swatch, ...],
        building: Array | None = None,
        writing: Array | None = None,
    ) -> None:
        self.plan = plan
        self.palette = inked(swatches)
        self._steps = SHADES if has_shades(swatches) else 1
        self._off_map = len(swatches)
        lined = self._steps > 1 and plan.pitch >= SMALLEST_WALLS
        self._lines = _lines(plan, building) if lined else None
        if self._lines is not None and writing is not None:
            self._lines = np.where(writing > 0, writing, self._lines)
        marks = stamps(plan, swatches)
        self._shades = None if marks is None else self._all_shades(marks)

    def _all_shades(self, marks: Array) -> Array:
        """(swatches + 1, box + steps) uint8: what a pixel shows by its place in the box, or as a line."""
        box = marks.shape[1]
        table = np.concatenate([marks, np.tile(np.arange(self._steps, dtype=np.uint8), (len(marks), 1))], axis=1)
        assert self._lines is not None
        drawn = self._lines > 0
        self._place = self.plan.local
        self._place[drawn] = box + self._lines[drawn].astype(np.int32)
        return np.asarray(table + np.arange(len(marks), dtype=np.uint8)[:, None] * np.uint8(self._steps))

    def paint(self, codes: Array) -> Array:
        """The picture of one state, a fresh array."""
        made = np.empty(self.plan.index.shape, np.uint8)
        self.paint_rows(codes, made, 0, self.plan.height)
        return made

    def paint_rows(self, codes: Array, made: Array, top: int, bottom: int) -> None:
        """Rows `top` to `bottom` of the picture of one state, into those rows of `made` (height, width)."""
        part = slice(top, bottom)
        table = np.append(np.asarray(codes, np.uint8).ravel(), np.uint8(self._off_map))
        if self._shades is not None:
            first = table.astype(np.int32) * self._shades.shape[1]
            made[part] = self._shades.ravel().take(first.take(self.plan.index[part]) + self._place[part])
            return
        made[part] = (table * np.uint8(self._steps)).take(self.plan.index[part])
        if self._lines is not None:
            made[part] += self._lines[part]

    def rows_of(self, cells: Array) -> tuple[int, int]:
        """The first pixel row in which any of some cells shows, and the row after the last."""
        if not len(cells):
            return 0, 0
        _, y = self.plan.centres(cells)
        reach = 2 + (self.plan.box[0] if self.plan.pitch else 1)
        return max(0, int(y.min()) - reach), min(self.plan.height, int(y.max()) + reach + 1)


def _lines(plan: Raster, building: Array | None) -> Array:
    """(height, width) uint8: the shades of outlines and walls, which never move; 0 = no line."""
    rim = plan.rows * plan.cols
    made = np.zeros(plan.index.shape, np.uint8)
    if plan.pitch >= SMALLEST_OUTLINES:
        _mark(made, plan.patches, OUTLINE)
    if building is not None:
        numbers = np.zeros(rim + 1, np.int32)
        numbers[:rim] = np.asarray(building)[:rim]
        shown = numbers[plan.index]
        if plan.bare:
            made[shown == 0] = 0
        _mark(made, shown, WALL if plan.pitch >= SMALLEST_OUTLINES else THIN_WALL)
        if plan.pitch >= THICK_WALLS:
            _mark(made[::-1, ::-1], shown[::-1, ::-1], WALL)
        if plan.wall:
            made[_within(shown == 0, plan.wall) & (shown > 0)] = WALL
    made[plan.index == rim] = 0
    return made


def _mark(made: Array, shown: Array, shade: int) -> None:
    """Note a shade where a pixel shows something else than the one to its left or above it."""
    made[:, 1:][shown[:, 1:] != shown[:, :-1]] = shade
    made[1:, :][shown[1:, :] != shown[:-1, :]] = shade


def _within(what: Array, steps: int) -> Array:
    """Pixels at most so many steps away from others (height, width) bool."""
    near = what.copy()
    for _ in range(steps):
        for axis in (0, 1):
            wide = near.copy()
            ahead, behind = [slice(None)] * 2, [slice(None)] * 2
            ahead[axis], behind[axis] = slice(1, None), slice(None, -1)
            wide[tuple(ahead)] |= near[tuple(behind)]
            wide[tuple(behind)] |= near[tuple(ahead)]
            near = wide
    return near
