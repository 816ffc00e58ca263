"""What the drawing room needs to know of a prepared scenario."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from firesim.render.layout import HexLayout, Layout, Middles
from firesim.render.square_layout import SquareLayout
from firesim.rules.base import Arrow, Place, Prepared, Scene, Swatch, Terms

Array = np.ndarray[Any, Any]
Spots = Array | Middles
"""Centres of cells in pixels from the map's top left corner: `spots[cell]` is x and y."""


@dataclass(frozen=True)
class View:
    """The map of a prepared scenario as a picture needs it.

    layout: where its cells lie. side: squares along a cell's side. building: (cells,) int32, 0 = none. labels: names by
    building number. cell_width, units: how wide a cell is; the unit's name, of one and of several.
    """

    rows: int
    cols: int
    layout: Layout
    side: int
    headings: tuple[str, ...]
    swatches: tuple[Swatch, ...]
    roof_marks: tuple[Swatch, ...]
    pieces: tuple[Swatch, ...]
    doors: tuple[Swatch, ...]
    terms: Terms
    building: Array
    labels: Mapping[int, str]
    cell_width: float
    units: tuple[str, str]

    @property
    def cells(self) -> int:
        """How many cells the map has."""
        return self.rows * self.cols

    def offset(self, place: Place | None) -> Array:
        """Where a place lies from its cell's centre, in widths of a cell, y down (2,)."""
        row, col = place if place is not None else (0.5 * (self.side - 1), 0.5 * (self.side - 1))
        middle = 0.5 * (self.side - 1)
        return np.array([(col - middle) / self.side, (row - middle) / self.side])

    @property
    def stands(self) -> Array:
        """(cells,) which are buildings; all, where the system has none."""
        return np.asarray(self.building > 0) if self.building.any() else np.ones(self.cells, bool)


def view(prepared: Prepared) -> View:
    """The view of a prepared scenario."""
    rows, cols = prepared.shape[-2:]
    system, side, cells = prepared.system, prepared.side, rows * cols
    layout: Layout
    if prepared.grid == "modules":
        layout, width, units = SquareLayout(rows, cols, side), float(side), ("square", "squares")
    else:
        width, unit = system.terms.hex_width
        layout, units = HexLayout(rows, cols, prepared.orientation), (unit, unit)
    return View(
        rows=rows,
        cols=cols,
        layout=layout,
        side=side,
        headings=prepared.headings,
        swatches=system.swatches,
        roof_marks=system.roof_marks,
        pieces=system.piece_swatches,
        doors=system.door_swatches,
        terms=system.terms,
        building=np.zeros(cells, np.int32) if prepared.buildings is None else prepared.buildings[:cells],
        labels=prepared.labels,
        cell_width=width,
        units=units,
    )


def flights(scene: Scene, cells: int) -> list[Arrow]:
    """The scene's arrows that begin and end on the map, each once: a hit rather than a miss where there are both."""
    told: dict[tuple[Any, ...], bool] = {}
    for arrow in scene.arrows:
        ends = (arrow.origin, arrow.target, arrow.begin, arrow.end)
        moves = arrow.origin != arrow.target or arrow.begin != arrow.end
        if moves and 0 <= arrow.origin < cells and 0 <= arrow.target < cells:
            told[ends] = told.get(ends, False) or arrow.hit
    return [Arrow(origin, target, hit, begin, end) for (origin, target, begin, end), hit in told.items()]
