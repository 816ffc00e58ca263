"""What the drawing room needs to know of a prepared scenario."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from firesim.rules.base import Prepared, Scene, Swatch

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class View:
    """The map of a prepared scenario as a picture needs it.

    building: (cells,) int32, 0 = none. labels: names by building number. cell_width, unit: how wide a cell is.
    """

    rows: int
    cols: int
    orientation: str
    headings: tuple[str, ...]
    swatches: tuple[Swatch, ...]
    roof_marks: tuple[Swatch, ...]
    building: Array
    labels: Mapping[int, str]
    cell_width: float
    unit: str

    @property
    def cells(self) -> int:
        """How many cells the map has."""
        return self.rows * self.cols

    @property
    def stands(self) -> Array:
        """(cells,) which are buildings; all, where the system has none."""
        return np.asarray(self.building > 0) if self.building.any() else np.ones(self.cells, bool)


def view(prepared: Prepared) -> View:
    """The view of a prepared scenario; what a system does not say is left out of its pictures."""
    rows, cols = prepared.shape[-2:]
    drawn_map = getattr(prepared.scenario.words, "map", None)
    building = getattr(prepared, "buildings", None)
    if building is None:
        building = getattr(getattr(prepared.params, "cells", prepared.params), "building", None)
    numbers = np.zeros(rows * cols, np.int32) if building is None else np.asarray(building, np.int32)[: rows * cols]
    width, unit = getattr(prepared.system, "cell_width", (10, "yd"))
    return View(
        rows=rows,
        cols=cols,
        orientation=getattr(drawn_map, "orientation", "pointy"),
        headings=tuple(prepared.headings),
        swatches=tuple(prepared.system.swatches),
        roof_marks=tuple(getattr(prepared.system, "roof_marks", ())),
        building=numbers,
        labels=dict(getattr(prepared, "labels", None) or {}),
        cell_width=float(width),
        unit=str(unit),
    )


def arrows_between(scene: Scene, cells: int) -> list[tuple[int, int, bool]]:
    """The scene's arrows that begin and end on the map, each once: a hit rather than a miss where there are both."""
    told: dict[tuple[int, int], bool] = {}
    for arrow in scene.arrows:
        if arrow.origin != arrow.target and 0 <= arrow.origin < cells and 0 <= arrow.target < cells:
            ends = (arrow.origin, arrow.target)
            told[ends] = told.get(ends, False) or arrow.hit
    return [(origin, target, hit) for (origin, target), hit in told.items()]
