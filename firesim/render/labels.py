"""Names of square cells, written into them where nothing stands: on one line or two, shortened, or not at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from firesim.render.lettering import cover, measure, shortened
from firesim.render.palette import FAINT, MARK, SOFT
from firesim.render.pieces import Box, array_of, meeting, meets
from firesim.render.square_layout import CORNER_MARK, mark_spot
from firesim.render.view import Spots, View

Array = np.ndarray[Any, Any]

SMALLEST_NAMED = 44
"""Pixels across a cell from which it is named."""


@dataclass(frozen=True)
class Label:
    """A line of the name of a cell: its text, centre and height in pixels from the map's top left corner."""

    cell: int
    text: str
    x: float
    y: float
    size: int

    @property
    def box(self) -> Box:
        """The box that the line fills."""
        half = 0.5 * measure(self.text, self.size, True) + 1
        return self.x - half, self.y - 0.6 * self.size, self.x + half, self.y + 0.6 * self.size


def labels(seen: View, middles: Spots, pitch: float, taken: Sequence[Box] = ()) -> list[Label]:
    """The names of all cells that have one and room for it. taken: boxes of what stands in cells."""
    if pitch < SMALLEST_NAMED:
        return []
    size = int(np.clip(0.085 * pitch, 9, 15))
    made: list[Label] = []
    blocked = array_of(taken)
    for cell in np.flatnonzero(seen.building).tolist():
        text = seen.labels.get(int(seen.building[cell]), "")
        if text:
            x, y = middles[cell]
            made += [replace(line, cell=cell) for line in _lines(text, float(x), float(y), pitch, size, blocked)]
    return made


def _lines(text: str, x: float, y: float, pitch: float, size: int, taken: Array) -> list[Label]:
    """Its name where nothing stands: at the upper edge, beside what is there, at the lower edge, shortened; or none.

    Of a small cell the first line may stand at the upper edge, the second at the lower one, with what is in it between.
    """
    return next((lines for lines in _ways(text, x, y, pitch, size, taken) if lines and not _hidden(lines, taken)), [])


def _ways(text: str, x: float, y: float, pitch: float, size: int, taken: Array) -> Iterator[list[Label]]:
    """The lines of a cell's name in every way that they may stand, the best first."""
    edge, high = 0.035 * pitch + 3, 1.2 * size
    across, _, mark = mark_spot(pitch)
    left, right, top, bottom = x - pitch / 2 + edge, x + pitch / 2 - edge, y - pitch / 2 + edge, y + pitch / 2 - edge
    lines = folded(text, size, right - left)
    upper = [_line(line, left, top + (number + 0.5) * high, size) for number, line in enumerate(lines)]
    yield upper
    begin = left
    if pitch < CORNER_MARK:
        edges = (top + 0.5 * high, bottom - 0.5 * high)
        yield [_line(line, left, at, size) for line, at in zip(lines, edges, strict=False)]
    else:
        aside = max((taken[meeting(line.box, taken), 2].max(initial=left) for line in upper), default=left)
        beside = _line(text, float(aside) + 4, top + 0.5 * high, size)
        yield [beside] if beside.box[2] <= right else []
        begin = x + across + 0.5 * mark
    lines = folded(text, size, right - begin)
    first = bottom - (len(lines) - 0.5) * high
    yield [_line(line, begin, first + number * high, size) for number, line in enumerate(lines)]
    for start, at in ((left, top + 0.5 * high), (begin, bottom - 0.5 * high)):
        cut = shortened(text, size, right - start, True)
        yield [_line(cut, start, at, size)] if cut else []


def _line(text: str, left: float, y: float, size: int) -> Label:
    return Label(0, text, left + 0.5 * measure(text, size, True), y, size)


def _hidden(lines: Sequence[Label], taken: Array) -> bool:
    return any(meets(line.box, taken) for line in lines)


def folded(text: str, size: int, room: float) -> list[str]:
    """The name on one line, or on two if that is enough, else shortened."""
    if measure(text, size, True) <= room:
        return [text]
    words = text.split()
    for count in range(len(words) - 1, 0, -1):
        first, second = " ".join(words[:count]), " ".join(words[count:])
        if measure(first, size, True) <= room:
            return [line for line in (first, shortened(second, size, room, True)) if line]
    cut = shortened(text, size, room, True)
    return [cut] if cut else []


def written(lines: Sequence[Label], shape: tuple[int, int]) -> Array:
    """(height, width) uint8: the shades of a swatch in which the names stand on whatever is below; 0 = none."""
    made = np.zeros(shape, np.uint8)
    for line in lines:
        ink = cover(line.text, line.size, True)
        shade = np.array([0, FAINT, SOFT, MARK], np.uint8)[np.searchsorted([40, 110, 180], ink)]
        top, left = round(line.y - ink.shape[0] / 2), round(line.x - ink.shape[1] / 2)
        for y in range(max(0, -top), min(ink.shape[0], shape[0] - top)):
            begin, end = max(0, -left), min(ink.shape[1], shape[1] - left)
            row = made[top + y, left + begin : left + end]
            np.maximum(row, shade[y, begin:end], out=row)
    return made
