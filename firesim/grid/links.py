"""Headings and links of hex maps, and who touches whom: what checking a file needs, without compiled code.

Headings are numbered 0..5 anticlockwise on the map, beginning with E (pointy) or N (flat).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

POINTY, FLAT = 0, 1
ORIENTATIONS = ("pointy", "flat")
HEADINGS = {"pointy": ("E", "NE", "NW", "W", "SW", "SE"), "flat": ("N", "NW", "SW", "S", "SE", "NE")}
SIDES = 6

POINTY_STEPS = (  # (row, col) steps by heading, for even rows, then for odd rows
    ((0, 1), (-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0)),
    ((0, 1), (-1, 1), (-1, 0), (0, -1), (1, 0), (1, 1)),
)
FLAT_STEPS = (  # the same for even columns, then for odd columns
    ((-1, 0), (-1, -1), (0, -1), (1, 0), (0, 1), (-1, 1)),
    ((-1, 0), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1)),
)


class HexLinks(NamedTuple):
    """`to` (cells + 1, 6) int32: the neighbour in each heading, or the rim. `rows`, `cols`; `orientation`: 0 or 1."""

    to: np.ndarray[Any, Any]
    rows: int
    cols: int
    orientation: int


def neighbour(row: int, col: int, heading: int, orientation: str = "pointy") -> tuple[int, int]:
    """Row and column of the neighbour in a heading; it may lie off the map."""
    steps, odd = (POINTY_STEPS, row % 2) if orientation == "pointy" else (FLAT_STEPS, col % 2)
    row_step, col_step = steps[odd][heading]
    return row + row_step, col + col_step


def heading_between(first: tuple[int, int], second: tuple[int, int], orientation: str = "pointy") -> int | None:
    """The heading from `first` to `second` when they touch, else None."""
    for heading in range(SIDES):
        if neighbour(*first, heading, orientation) == second:
            return heading
    return None
