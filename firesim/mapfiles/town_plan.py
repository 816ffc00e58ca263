"""A town as drawn: footprints, lines and areas in metres, whatever tool drew it.

Coordinates are (x, y) in metres, x to the east, y to the north. Geometries are shapely's, typed `Any` because shapely
is an optional library without type marks.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from firesim.core.problems import InputError, Problem

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

COORDINATE_MOST_M = 1e7
"""Coordinates beyond this are no town: a quarter of the Earth's girth."""


@dataclass(frozen=True, slots=True)
class Footprint:
    """A building's outline; `number` is its place in the file, from 1. What the file tells goes before defaults."""

    polygon: Any
    number: int
    district: str = ""
    name: str = ""
    material: str = ""
    roof: str = ""
    floors: int = 0


@dataclass(frozen=True, slots=True)
class Line:
    """A road, river, wall or bridge: a line with a width in metres."""

    kind: str
    geometry: Any
    width_m: float


@dataclass(frozen=True, slots=True)
class Area:
    """A patch of ground of one kind: water, square, green or field."""

    kind: str
    polygon: Any


@dataclass
class TownPlan:
    """Everything a map file says of a town, in metres; districts are (name, polygon) in the order of the file."""

    format: str
    buildings: list[Footprint] = field(default_factory=list)
    prisms: list[Any] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    areas: list[Area] = field(default_factory=list)
    trees: Floats = field(default_factory=lambda: np.empty((0, 2)))
    districts: list[tuple[str, Any]] = field(default_factory=list)


def load_shapely() -> Any:
    """The library shapely, or an `InputError` that says how to get it."""
    try:
        import shapely
    except ImportError:
        raise InputError(
            Problem(
                what="maps drawn as polygons need the library shapely, which is not installed",
                hint="pip install 'firesim[maps]'",
            )
        ) from None
    return shapely


MENDED_CORNERS_MOST = 1000
"""A ring that crosses itself has up to the square of its corners in crossings."""


def polygonal(geometry: Any) -> Any:
    """The polygons of a geometry of few corners, mended where a ring crosses itself; None where no area is left."""
    shapely = load_shapely()
    if not shapely.is_valid(geometry):
        try:
            geometry = shapely.make_valid(geometry, method="structure", keep_collapsed=False)
        except TypeError:  # shapely 2.0 has only the other method, slow where many crossings meet
            geometry = shapely.make_valid(geometry)
    if geometry.geom_type not in ("Polygon", "MultiPolygon"):
        parts = [part for part in shapely.get_parts(geometry) if part.geom_type in ("Polygon", "MultiPolygon")]
        geometry = shapely.union_all(parts)
    return geometry if geometry.area > 0 else None
