"""Polygons to hexes: the shared core of every importer of towns drawn as outlines.

Hexes of 10 yards (9.144 m) from side to side, pointy-top, row 0 at the north edge, odd rows shifted right by half a
hex. A hex is a building's when buildings cover half of it; it belongs to the building with the largest share.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from firesim.core.problems import InputError, Problem
from firesim.mapfiles.town_plan import Floats, Ints, load_shapely

Bools = npt.NDArray[np.bool_]
Objects = npt.NDArray[np.object_]

HEX_M = 9.144
"""A village hex of 10 yards, flat side to flat side."""

RADIUS_M = HEX_M / math.sqrt(3.0)
PITCH_M = 1.5 * RADIUS_M
HEX_M2 = math.sqrt(3.0) / 2.0 * HEX_M**2
CELLS_MOST = 4_000_000
PAIRS_MOST = 8_000_000
"""Meetings of shapes with hexes: a map of the largest size wholly covered, and as much again."""

MEMBERS_MOST = 100
_TILE_CELLS = 256
_CHUNK = 100_000


@dataclass(frozen=True, slots=True)
class HexGrid:
    """Hexes over a rectangle whose north-west corner lies at (`west_m`, `north_m`); cells are numbered by rows."""

    rows: int
    cols: int
    west_m: float
    north_m: float

    def centres(self, row: Ints, col: Ints) -> tuple[Floats, Floats]:
        """x and y of hexes' centres, in metres."""
        x = self.west_m + HEX_M * (col + 0.5 + 0.5 * (row & 1))
        y = self.north_m - RADIUS_M - PITCH_M * row
        return x.astype(np.float64), y.astype(np.float64)

    def outlines(self, row: Ints, col: Ints) -> Any:
        """The hexes as an array of shapely polygons."""
        x, y = self.centres(row, col)
        side, tip = HEX_M / 2, RADIUS_M
        dx = np.array([0, side, side, 0, -side, -side])
        dy = np.array([tip, tip / 2, -tip / 2, -tip, -tip / 2, tip / 2])
        return load_shapely().polygons(np.stack([x[:, None] + dx, y[:, None] + dy], axis=-1))

    def cells_at(self, points: Floats) -> Ints:
        """The cell under each point of an (n, 2) array of metres; -1 off the map."""
        best = np.full(len(points), np.inf)
        cells = np.full(len(points), -1, dtype=np.int64)
        above = np.floor((self.north_m - RADIUS_M - points[:, 1]) / PITCH_M).astype(np.int64)
        for row in (above, above + 1):
            col = np.floor((points[:, 0] - self.west_m) / HEX_M - 0.5 * (row & 1)).astype(np.int64)
            x, y = self.centres(row, col)
            distance = np.hypot(points[:, 0] - x, points[:, 1] - y)
            nearer = distance < best
            best = np.where(nearer, distance, best)
            on_map = (row >= 0) & (row < self.rows) & (col >= 0) & (col < self.cols)
            cells = np.where(nearer, np.where(on_map, row * self.cols + col, -1), cells)
        return cells


def grid_over(bounds: tuple[float, float, float, float], file: str = "") -> HexGrid:
    """The hex grid over (west, south, east, north) in metres, with one hex to spare on every side.

    Raises `InputError` for more than 4,000,000 hexes, before any work.
    """
    west, south, east, north = bounds
    width, height = east - west + 2 * HEX_M, north - south + 2 * HEX_M
    cols = math.ceil(width / HEX_M)
    rows = max(1, math.ceil((height - RADIUS_M / 2) / PITCH_M))
    if rows * cols > CELLS_MOST:
        raise InputError(
            Problem(
                what=f"the buildings lie {max(width, height) / 1000:,.1f} km apart: {rows:,} x {cols:,} hexes",
                expected=f"at most {CELLS_MOST:,} hexes",
                hint="export a smaller part, or check the unit of length",
                file=file,
            )
        )
    return HexGrid(rows, cols, west - HEX_M, north + HEX_M)


@dataclass(frozen=True, slots=True)
class Shares:
    """Which shape has how much of which cell: one entry for each meeting pair, by shape and cell, ascending."""

    shape: Ints
    cell: Ints
    size: Floats


def overlay(grid: HexGrid, shapes: Objects, *, lengths: bool = False) -> Shares:
    """Areas (m2), or with `lengths` lengths (m), of shapes inside the hexes of a grid.

    Large shapes are cut into tiles first, so that the cost follows the area covered.
    """
    shapely = load_shapely()
    shape, parts = _tiles(grid, shapes, lengths)
    first_row, first_col, rows, cols = _spans(grid, parts)
    ends = np.cumsum(rows * cols)
    total = int(ends[-1]) if len(ends) else 0
    if total > PAIRS_MOST:
        raise _too_much()
    shapely.prepare(parts)
    found: list[tuple[Ints, Ints, Floats]] = []
    for start in range(0, total, _CHUNK):
        pair = np.arange(start, min(start + _CHUNK, total))
        part = np.searchsorted(ends, pair, side="right")
        place = pair - (ends[part] - rows[part] * cols[part])
        row = first_row[part] + place // cols[part]
        col = first_col[part] + place % cols[part]
        hexes, drawn = grid.outlines(row, col), parts[part]
        meet = shapely.intersects(drawn, hexes)
        whole = np.zeros(len(meet), dtype=bool) if lengths else shapely.contains_properly(drawn, hexes)
        edge = meet & ~whole
        cut = shapely.intersection(drawn[edge], hexes[edge])
        size = np.where(whole, HEX_M2, 0.0)
        size[edge] = shapely.length(cut) if lengths else shapely.area(cut)
        some = size > 1e-9
        found.append((shape[part[some]], row[some] * grid.cols + col[some], size[some]))
    if not found:
        empty = np.empty(0, dtype=np.int64)
        return Shares(empty, empty, np.empty(0))
    all_shape, all_cell, all_size = (np.concatenate(column) for column in zip(*found, strict=True))
    keys, at = np.unique(all_shape * (grid.rows * grid.cols) + all_cell, return_inverse=True)
    summed = np.bincount(at, weights=all_size, minlength=len(keys)).astype(np.float64)
    return Shares(keys // (grid.rows * grid.cols), keys % (grid.rows * grid.cols), summed)


def _spans(grid: HexGrid, parts: Objects) -> tuple[Ints, Ints, Ints, Ints]:
    """First row and column, and number of rows and columns, of the hexes that each part's bounding box may meet."""
    west, south, east, north = load_shapely().bounds(parts).reshape(-1, 4).T
    middle = grid.north_m - RADIUS_M
    first_row = np.ceil((middle - north - RADIUS_M) / PITCH_M).clip(0, grid.rows)
    last_row = np.floor((middle - south + RADIUS_M) / PITCH_M).clip(-1, grid.rows - 1)
    first_col = np.ceil((west - grid.west_m) / HEX_M - 1.5).clip(0, grid.cols)
    last_col = np.floor((east - grid.west_m) / HEX_M).clip(-1, grid.cols - 1)
    rows, cols = (last_row - first_row + 1).clip(0), (last_col - first_col + 1).clip(0)
    first, second, third, fourth = (a.astype(np.int64) for a in (first_row, first_col, rows, cols))
    return first, second, third, fourth


def _tiles(grid: HexGrid, shapes: Objects, lengths: bool) -> tuple[Ints, Objects]:
    """The shapes cut into tiles of few hexes and few corners, and the shape each tile comes from."""
    shapely = load_shapely()
    shape, parts = np.arange(len(shapes)), np.asarray(shapes, dtype=object)
    # Nothing off the map is needed: every box to halve is the part's box within the map's.
    south = grid.north_m - RADIUS_M * 2 - PITCH_M * (grid.rows - 1)
    rim = np.array([grid.west_m, south, grid.west_m + HEX_M * (grid.cols + 0.5), grid.north_m])
    done: list[tuple[Ints, Objects]] = []
    while len(parts):
        _, _, rows, cols = _spans(grid, parts)
        cells = rows * cols
        large = (cells > _TILE_CELLS) | ((shapely.get_num_coordinates(parts) > _TILE_CELLS) & (cells > 9))
        small = ~large & (cells > 0)
        done.append((shape[small], parts[small]))
        shape, parts = shape[large], parts[large]
        if not len(parts):
            break
        west, low, east, high = shapely.bounds(parts).reshape(-1, 4).T
        on_map = (west >= rim[0]) & (low >= rim[1]) & (east <= rim[2]) & (high <= rim[3])
        if shapely.area(parts[on_map]).sum() / HEX_M2 > PAIRS_MOST:
            raise _too_much()
        west, low, east, high = west.clip(rim[0]), low.clip(rim[1]), east.clip(None, rim[2]), high.clip(None, rim[3])
        wide = east - west > high - low
        x, y = np.where(wide, (west + east) / 2, east), np.where(wide, high, (low + high) / 2)
        halves = [
            shapely.box(west, low, x, y),
            shapely.box(np.where(wide, x, west), np.where(wide, low, y), east, high),
        ]
        cut = np.concatenate([shapely.intersection(parts, half) for half in halves])
        shape = np.concatenate([shape, shape])
        measure = shapely.length if lengths else shapely.area
        for mixed in np.flatnonzero(shapely.get_type_id(cut) == 7):  # shapely cuts no collection of mixed kinds
            cut[mixed] = shapely.union_all([p for p in shapely.get_parts(cut[mixed]) if measure(p) > 0])
        some = measure(cut) > 1e-9
        shape, parts = shape[some], cut[some]
    if not done:
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=object)
    return np.concatenate([s for s, _ in done]), np.concatenate([p for _, p in done])


def _too_much() -> InputError:
    return InputError(
        Problem(
            what="the outlines overlap too much",
            expected=f"at most {PAIRS_MOST:,} meetings of outlines with hexes",
            hint="export a smaller map, or one whose outlines do not overlap",
        )
    )


@dataclass
class BuildingHexes:
    """Buildings on a grid: `owner` (-1: open) and `cover` (0 to 1) by cell; `members` has each shared cell's buildings.

    `shape`, `cell`, `area_m2`: every building's share of every hex, by building and cell, ascending.
    """

    grid: HexGrid
    owner: Ints
    cover: Floats
    shape: Ints
    cell: Ints
    area_m2: Floats
    rescued: list[int] = field(default_factory=list)
    members: dict[int, list[int]] = field(default_factory=dict)
    before_rescue: int = 0


def building_hexes(grid: HexGrid, polygons: Objects, *, cover: float = 0.5) -> BuildingHexes:
    """Give hexes to buildings: covered by at least `cover`, to the largest share, ties to the lower building.

    Then rescue: each building without a hex claims the free hex in which it has the largest share, unless it has more
    than twice as much in another's; such a one shares the hex in which it has most. Where buildings overlap, what they
    cover together counts once.
    """
    shapely = load_shapely()
    count = grid.rows * grid.cols
    shares = overlay(grid, polygons)
    most = int(np.bincount(shares.cell, minlength=1).max())
    if most > MEMBERS_MOST:
        raise InputError(
            Problem(
                what=f"{most:,} buildings meet in one hex of 10 yards",
                expected=f"at most {MEMBERS_MOST}",
                hint="check the unit of length, or export buildings that do not overlap",
            )
        )
    union = shapely.union_all(polygons)
    once = shares
    if union.area < shapely.area(polygons).sum() * (1 - 1e-6):
        once = overlay(grid, np.array([union], dtype=object))
    covered = (np.bincount(once.cell, weights=once.size, minlength=count) / HEX_M2).clip(max=1.0)
    # Rounded, so that equal shares are ties on every machine.
    order = np.lexsort((shares.shape, -np.round(shares.size, 6), shares.cell))
    cells, first = np.unique(shares.cell[order], return_index=True)
    owner = np.full(count, -1, dtype=np.int64)
    taken = covered[cells] >= cover - 1e-9
    owner[cells[taken]] = shares.shape[order][first[taken]]
    result = BuildingHexes(grid, owner, covered, shares.shape, shares.cell, shares.size)
    result.before_rescue = int(taken.sum())
    _rescue(result, len(polygons))
    return result


def _rescue(result: BuildingHexes, buildings: int) -> None:
    """Free hexes for buildings without one, in the order of the file; then note who shares whose hex."""
    has_hex = np.zeros(buildings, dtype=bool)
    has_hex[result.owner[result.owner >= 0]] = True
    starts = np.searchsorted(result.shape, np.arange(buildings + 1))
    homeless = []
    for building in np.flatnonzero(~has_hex).tolist():
        mine = slice(starts[building], starts[building + 1])
        size = np.round(result.area_m2[mine], 6)
        order = np.argsort(-size, kind="stable")
        cells, size = result.cell[mine][order], size[order]
        free = cells[(result.owner[cells] < 0) & (2 * size >= size[:1])]
        if len(free):
            result.owner[free[0]] = building
            result.rescued.append(building)
        elif len(cells):
            homeless.append((building, int(cells[0])))
    for building, cell in homeless:
        result.members.setdefault(cell, [int(result.owner[cell])]).append(building)
