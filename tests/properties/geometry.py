"""Hexes in axial coordinates, apart from the package: distances, turns, mirrors, and the way to rows and columns.

Axial (q, r) are written in the frame of a pointy map: heading k is the k-th of HEADINGS, anticlockwise from east. A
flat map is reached by the turn that takes heading k of a pointy map to heading k of a flat one.
"""

from __future__ import annotations

from collections.abc import Iterable

Axial = tuple[int, int]
Cell = tuple[int, int]

SIDES = 6
HEADINGS = {"pointy": ("E", "NE", "NW", "W", "SW", "SE"), "flat": ("N", "NW", "SW", "S", "SE", "NE")}
STEPS: tuple[Axial, ...] = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))


def axial_of(row: int, col: int, orientation: str) -> Axial:
    """Axial coordinates of a cell, in the frame of its own map: columns and half rows, or rows and half columns."""
    if orientation == "pointy":
        return col - (row - row % 2) // 2, row
    return col, row - (col - col % 2) // 2


def steps_apart(first: Axial, second: Axial) -> int:
    """Hexes from one to the other; the same in either frame."""
    q, r = first[0] - second[0], first[1] - second[1]
    return max(abs(q), abs(r), abs(q + r))


def turned(hexagon: Axial, times: int) -> Axial:
    """The hex after `times` turns of 60 degrees anticlockwise about (0, 0): heading k becomes k + times."""
    for _ in range(times % SIDES):
        hexagon = (hexagon[0] + hexagon[1], -hexagon[0])
    return hexagon


def mirrored(hexagon: Axial) -> Axial:
    """The hex in a mirror that lies along east and west: heading k becomes -k."""
    return hexagon[0] + hexagon[1], -hexagon[1]


def disc(radius: int) -> list[Axial]:
    """All hexes at most `radius` steps from (0, 0)."""
    reach = range(-radius, radius + 1)
    return [(q, r) for q in reach for r in reach if steps_apart((q, r), (0, 0)) <= radius]


def on_map(hexes: Iterable[Axial], orientation: str, first: int = 0) -> dict[Axial, Cell]:
    """Row and column of each hex on a map of this orientation; `first`: empty lines before them (0 or 1).

    The lines (rows of a pointy map, columns of a flat one) alternate: `first` decides which of them are shifted.
    """
    placed = {}
    for q, r in hexes:
        if orientation == "pointy":
            placed[q, r] = (q, r)
        else:
            placed[q, r] = (-q - r, r)  # along the line, line: east becomes north, south-east becomes north-east
    line_0 = min(line for _, line in placed.values()) - first
    cells = {}
    for hexagon, (along, line) in placed.items():
        line -= line_0
        shift = (line - line % 2) // 2
        cells[hexagon] = (line, along + shift) if orientation == "pointy" else (along + shift, line)
    row_0, col_0 = min(r for r, _ in cells.values()), min(c for _, c in cells.values())
    if orientation == "pointy":
        return {hexagon: (row, col - col_0) for hexagon, (row, col) in cells.items()}
    return {hexagon: (row - row_0, col) for hexagon, (row, col) in cells.items()}


def adjacent(cell: Cell, orientation: str, rows: int, cols: int) -> list[Cell]:
    """The neighbours of a cell on the map."""
    here = axial_of(*cell, orientation)
    near = [(row, col) for row in range(cell[0] - 1, cell[0] + 2) for col in range(cell[1] - 1, cell[1] + 2)]
    return [
        (row, col)
        for row, col in near
        if 0 <= row < rows and 0 <= col < cols and steps_apart(axial_of(row, col, orientation), here) == 1
    ]
