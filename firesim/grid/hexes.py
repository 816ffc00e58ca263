"""Hex grids: pointy-top with odd rows shifted right, or flat-top with odd columns shifted down.

A cell's flat index is row * cols + col. Headings are numbered 0..5 anticlockwise on the map, beginning with E (pointy)
or N (flat). A link table has one row per cell and one column per heading; where the map ends it names the *rim*, a
cell of its own with index rows * cols, on which nothing stands: so no index is ever negative.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from firesim.grid.links import (
    FLAT_STEPS,
    HEADINGS,
    ORIENTATIONS,
    POINTY,
    POINTY_STEPS,
    SIDES,
    HexLinks,
    heading_between,
    neighbour,
)
from firesim.jit import jit

__all__ = [
    "HEADINGS",
    "SIDES",
    "HexLinks",
    "centres",
    "heading_between",
    "hex_distance",
    "hex_links",
    "neighbour",
    "neighbour_after",
]


def hex_links(rows: int, cols: int, orientation: str = "pointy") -> HexLinks:
    """The link table of a whole map; cost and memory 24 bytes per cell."""
    rim = rows * cols
    to = np.full((rim + 1, SIDES), rim, np.int32)
    row, col = np.divmod(np.arange(rim, dtype=np.int64), cols)
    steps, odd = (POINTY_STEPS, row % 2) if orientation == "pointy" else (FLAT_STEPS, col % 2)
    for heading in range(SIDES):
        row_step = np.where(odd, steps[1][heading][0], steps[0][heading][0])
        col_step = np.where(odd, steps[1][heading][1], steps[0][heading][1])
        there_row, there_col = row + row_step, col + col_step
        inside = (there_row >= 0) & (there_row < rows) & (there_col >= 0) & (there_col < cols)
        to[:rim, heading][inside] = (there_row * cols + there_col)[inside]
    return HexLinks(to, rows, cols, ORIENTATIONS.index(orientation))


def centres(rows: int, cols: int, orientation: str = "pointy") -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """x and y of all cell centres (rows, cols), in widths across flats, y down; the first centre is (0, 0)."""
    row, col = np.mgrid[0:rows, 0:cols]
    height = np.sqrt(3) / 2
    if orientation == "pointy":
        return col + 0.5 * (row % 2), row * height
    return col * height, row + 0.5 * (col % 2)


@jit
def hex_distance(links, first, second):
    """Steps between two cells (flat indices)."""
    row_1, col_1 = first // links.cols, first % links.cols
    row_2, col_2 = second // links.cols, second % links.cols
    if links.orientation == POINTY:
        q_1, r_1 = col_1 - (row_1 - row_1 % 2) // 2, row_1
        q_2, r_2 = col_2 - (row_2 - row_2 % 2) // 2, row_2
    else:
        q_1, r_1 = col_1, row_1 - (col_1 - col_1 % 2) // 2
        q_2, r_2 = col_2, row_2 - (col_2 - col_2 % 2) // 2
    q, r = q_1 - q_2, r_1 - r_2
    return (abs(q) + abs(r) + abs(q + r)) // 2


@jit
def neighbour_after(links, cell, after):
    """The neighbour with the lowest index above `after`, and its heading; the rim and 0 when there is none."""
    found, found_heading = links.to.shape[0] - 1, 0
    for heading in range(SIDES):
        other = np.int64(links.to[cell, heading])
        if after < other < found:
            found, found_heading = other, heading
    return found, found_heading
