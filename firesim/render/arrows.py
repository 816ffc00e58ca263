"""Between which points arrows are drawn, and which boxes they fill."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from firesim.render.view import Spots, View
from firesim.rules.base import Arrow

Array = np.ndarray[Any, Any]

EDGE = 2.0
"""Pixels from the picture's edge at which an arrow that leads beyond it ends."""

BREADTH = 4.0
"""Half of what an arrow's head takes aside, in pixels."""


def ends(seen: View, arrow: Arrow, middles: Spots, pitch: float, size: tuple[float, float]) -> tuple[Array, Array]:
    """Tail and head in pixels. middles: centres of cells; pitch: pixels across a cell; size: width, height."""
    least, most = np.full(2, EDGE), np.array(size) - EDGE
    tail = middles[arrow.origin] + seen.offset(arrow.begin) * pitch
    head = middles[arrow.target] + seen.offset(arrow.end) * pitch
    if arrow.begin is None and arrow.end is None:
        return tail, head
    return np.clip(tail, least, most), np.clip(head, least, most)


def boxes(
    seen: View, flown: Iterable[Arrow], middles: Spots, pitch: float, size: tuple[float, float]
) -> list[tuple[float, float, float, float]]:
    """Left, top, right and bottom of arrows, for words to keep clear of; arguments as for `ends`."""
    made = []
    for arrow in flown:
        points = np.stack(ends(seen, arrow, middles, pitch, size))
        (left, top), (right, bottom) = points.min(axis=0) - BREADTH, points.max(axis=0) + BREADTH
        made.append((float(left), float(top), float(right), float(bottom)))
    return made
