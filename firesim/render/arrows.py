"""Between which points an arrow is drawn."""

from __future__ import annotations

from typing import Any

import numpy as np

from firesim.render.view import Spots, View
from firesim.rules.base import Arrow

Array = np.ndarray[Any, Any]

EDGE = 2.0
"""Pixels from the picture's edge at which an arrow that leads beyond it ends."""


def ends(seen: View, arrow: Arrow, middles: Spots, pitch: float, size: tuple[float, float]) -> tuple[Array, Array]:
    """Tail and head in pixels. middles: centres of cells; pitch: pixels across a cell; size: width, height."""
    least, most = np.full(2, EDGE), np.array(size) - EDGE
    tail = middles[arrow.origin] + seen.offset(arrow.begin) * pitch
    head = middles[arrow.target] + seen.offset(arrow.end) * pitch
    if arrow.begin is None and arrow.end is None:
        return tail, head
    return np.clip(tail, least, most), np.clip(head, least, most)
