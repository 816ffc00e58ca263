"""Kinds of ground for the hexes that no building takes: roads, water, walls with gates, greens, trees."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from firesim.mapfiles.hexes_from_polygons import HEX_M, HEX_M2, HexGrid, overlay
from firesim.mapfiles.report import Report
from firesim.mapfiles.town_plan import Ints, TownPlan, load_shapely

KINDS = ("open", "field", "green", "tree", "water", "river", "square", "road", "rock", "wall", "bridge")
"""Later kinds lie over earlier ones, a gate's road over the wall; buildings lie over all."""

SYMBOLS = dict(zip(KINDS, (".", ":", ",", "^", "~", "-", "+", "=", "*", "#", "|"), strict=True))
AREA_COVER = 0.5
GATE_POINTS_MOST = 5000
LINE_COVER = 0.35
"""Two rows of hexes can share a line as wide as a hex: at half, it would break up."""


def ground_kinds(grid: HexGrid, plan: TownPlan, report: Report) -> npt.NDArray[np.int8]:
    """The kind of ground of every cell, as an index into `KINDS`; gates are counted in `report`.

    An area makes a hex its kind where it covers half of it; a line where its width covers 35 %, or, narrower than half
    a hex, where it runs through the hex for half a hex's width. Prisms are small: each marks the hex it covers most.
    """
    ground = np.zeros(grid.rows * grid.cols, dtype=np.int8)
    for kind in KINDS:
        ground[_cells_of(kind, grid, plan)] = KINDS.index(kind)
    gates, opened = _gates(grid, plan, report)
    gate_cells = np.intersect1d(opened, np.flatnonzero(ground == KINDS.index("wall")))
    ground[gate_cells] = KINDS.index("road")
    report.count("guessed", "gates: a road crosses the town wall", gates)
    return ground


def _cells_of(kind: str, grid: HexGrid, plan: TownPlan) -> Ints:
    """The cells that areas, lines or points of one kind claim."""
    if kind == "tree":
        cells = grid.cells_at(plan.trees)
        return cells[cells >= 0]
    if kind == "rock":
        return _prism_cells(grid, plan)
    areas = [area.polygon for area in plan.areas if area.kind == kind]
    claimed = [_covered(grid, areas, AREA_COVER)]
    widths = {line.width_m for line in plan.lines if line.kind == kind}
    shapely = load_shapely()
    for width in sorted(widths):
        pieces = _segments([line.geometry for line in plan.lines if line.kind == kind and line.width_m == width])
        if width >= HEX_M / 2:
            claimed.append(_covered(grid, list(shapely.buffer(pieces, width / 2, cap_style="flat")), LINE_COVER))
        else:
            shares = overlay(grid, pieces, lengths=True)
            run = np.bincount(shares.cell, weights=shares.size, minlength=1)
            claimed.append(np.flatnonzero(run >= HEX_M / 2))
    return np.unique(np.concatenate(claimed))


def _segments(lines: list[Any]) -> npt.NDArray[np.object_]:
    """Lines as their straight pieces: a line that crosses itself costs no more than another."""
    shapely = load_shapely()
    coordinates, line = shapely.get_coordinates(lines, return_index=True)
    joined = line[1:] == line[:-1]
    ends = np.stack([coordinates[:-1][joined], coordinates[1:][joined]], axis=1)
    return np.asarray(shapely.linestrings(ends), dtype=object).reshape(-1)


def _covered(grid: HexGrid, polygons: list[Any], cover: float) -> Ints:
    """Cells of which polygons of one kind together cover at least a share; overlaps may count twice."""
    shares = overlay(grid, _array(polygons))
    total = np.bincount(shares.cell, weights=shares.size, minlength=1)
    return np.flatnonzero(total / HEX_M2 >= cover)


def _prism_cells(grid: HexGrid, plan: TownPlan) -> Ints:
    shares = overlay(grid, _array(plan.prisms))
    order = np.lexsort((shares.cell, -np.round(shares.size, 6), shares.shape))
    _, first = np.unique(shares.shape[order], return_index=True)
    return shares.cell[order][first]


def _gates(grid: HexGrid, plan: TownPlan, report: Report) -> tuple[int, Ints]:
    """How many gates there are, and the cells a gate opens: a road's hexes where it crosses a wall.

    The files hold no gates. A road that runs along a wall for more than four times the wall's width is no crossing.
    """
    shapely = load_shapely()
    walls = [line for line in plan.lines if line.kind == "wall"]
    roads = [line for line in plan.lines if line.kind == "road"]
    points = int(shapely.get_num_coordinates([line.geometry for line in walls + roads]).sum())
    if not walls or not roads:
        return 0, np.empty(0, dtype=np.int64)
    if points > GATE_POINTS_MOST:
        report.warnings.append(f"roads and walls have {points:,} points: no gates were looked for")
        return 0, np.empty(0, dtype=np.int64)
    strip = shapely.union_all([shapely.buffer(wall.geometry, wall.width_m / 2) for wall in walls])
    most = 4 * max(wall.width_m for wall in walls)
    crossings = [
        piece
        for road in roads
        for piece in shapely.get_parts(shapely.intersection(road.geometry, strip))
        if 0 < piece.length <= most
    ]
    if not crossings:
        return 0, np.empty(0, dtype=np.int64)
    middles = shapely.centroid(crossings)
    # Two roads that meet in a gate make one gate.
    gates = len(shapely.get_parts(shapely.union_all(shapely.buffer(middles, HEX_M))))
    passages = shapely.buffer(crossings, max(road.width_m for road in roads) / 2)
    shares = overlay(grid, _array(list(passages)))
    _, first = np.unique(shares.shape, return_index=True)
    largest = np.lexsort((shares.cell, -np.round(shares.size, 6), shares.shape))[first]
    wide = shares.cell[shares.size >= LINE_COVER * HEX_M2]
    under = grid.cells_at(shapely.get_coordinates(middles))
    return gates, np.unique(np.concatenate([wide, shares.cell[largest], under]))


def _array(shapes: list[Any]) -> npt.NDArray[np.object_]:
    """Geometries as an array of objects; empty for an empty list."""
    array = np.empty(len(shapes), dtype=object)
    array[:] = shapes
    return array
