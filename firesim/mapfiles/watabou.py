"""Watabou's city, village and neighbourhood generators: their JSON as a town in metres.

The JSON resembles GeoJSON and is not: layers are bare geometries, rings are not closed and run clockwise. One unit is
one metre, y to the north. Files of 2019 hold real Features in pseudo-degrees, 111,000 m each.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from firesim.core.problems import InputError, Problem, Where
from firesim.mapfiles.coordinates import Coordinates
from firesim.mapfiles.report import Report
from firesim.mapfiles.sniff import TITLES, layer_of, values_of
from firesim.mapfiles.town_plan import MENDED_CORNERS_MOST, Area, Footprint, Line, TownPlan, load_shapely, polygonal

METRES_IN_A_DEGREE = 111_000.0
BLOCK_M2 = 800.0
"""A median building larger than this is a block of houses: the generator drew blocks."""

DISTRICTS_MOST = 1000

_LINES = {"roads": ("road", "roadWidth", 8.0), "rivers": ("river", "riverWidth", 30.0), "planks": ("bridge", "", 4.8)}
_WALLS = {"walls": "wallThickness", "palisade": "wallThickness"}
_WALL_M = {"walls": 7.6, "palisade": 0.7}
_AREAS = {"water": "water", "squares": "square", "greens": "green", "fields": "field"}
_ASIDE = {"values", "earth", "extendable", ""}


@dataclass(frozen=True)
class _Layer:
    name: str
    geometry: dict[str, Any]
    where: Where


def read_plan(document: Any, file: str, report: Report) -> TownPlan:
    """A Watabou document (parsed JSON) as a `TownPlan`; what was read, guessed and dropped goes into `report`.

    Raises `InputError` with the place of every broken coordinate, and for a file without buildings.
    """
    values, layers = _layers(document, file, report)
    scale = _scale(values, layers, report)
    reader = _Reader(Coordinates(file, scale), values, report)
    plan = TownPlan(format=_title(values, scale))
    for layer in layers:
        reader.read(layer, plan)
    reader.coordinates.finish()
    if not plan.buildings:
        raise InputError(
            Problem(
                what="the map holds no buildings",
                expected="a layer 'buildings' with polygons",
                hint="show buildings in the generator before exporting",
                file=file,
            )
        )
    _finish(plan, report)
    return plan


def _title(values: dict[str, Any], scale: float) -> str:
    generator, version = values.get("generator"), values.get("version")
    title = TITLES.get(generator, "Watabou map") if isinstance(generator, str) else "Watabou city"
    if scale != 1:
        title += " (2019)"
    return f"{title} {version}" if isinstance(version, str) and version.isprintable() else title


def _layers(document: Any, file: str, report: Report) -> tuple[dict[str, Any], list[_Layer]]:
    """The values of a document and its layers, whether bare geometries or Features."""
    features = document.get("features") if isinstance(document, dict) else None
    if not isinstance(features, list):
        raise InputError(Problem("there is no list 'features'", "a map exported as JSON", file=file))
    values: dict[str, Any] = {}
    layers = []
    for index, feature in enumerate(features):
        if not isinstance(feature, dict):
            report.count("dropped", "features that are no objects")
            continue
        name = layer_of(feature)
        where: Where = ("features", index)
        if name == "values":
            values.update(values_of(feature))
        elif isinstance(feature.get("geometry"), dict):
            layers.append(_Layer(name, feature["geometry"], (*where, "geometry")))
        elif feature.get("type") != "Feature":
            layers.append(_Layer(name, feature, where))
        else:
            report.count("dropped", "features without geometry")
    return values, layers


def _scale(values: dict[str, Any], layers: list[_Layer], report: Report) -> float:
    """Metres in one unit: 1, or a degree's in the dialect of 2019, whose roads are less than a tenth of a unit wide."""
    width = _size(values.get("roadWidth"))
    if width is not None:
        return METRES_IN_A_DEGREE if width < 0.1 else 1.0
    for layer in layers:
        if layer.name == "earth":
            corners = np.array(Coordinates("").ring(_outer(layer.geometry), ()) or [(0.0, 0.0)])
            if 0 < np.ptp(corners, axis=0).max() < 1:
                report.count("guessed", "unit of length: degrees, since the whole map is less than 1 unit wide")
                return METRES_IN_A_DEGREE
    return 1.0


def _outer(geometry: dict[str, Any]) -> Any:
    coordinates = geometry.get("coordinates")
    return coordinates[0] if isinstance(coordinates, list) and coordinates else None


def _size(value: Any) -> float | None:
    """A width of the file, or None where it is missing or no size."""
    return float(value) if type(value) in (int, float) and 0 < value < 1e6 else None


class _Reader:
    """Turns layers into parts of a plan, one geometry at a time."""

    def __init__(self, coordinates: Coordinates, values: dict[str, Any], report: Report) -> None:
        self.coordinates = coordinates
        self.values = values
        self.report = report
        self.shapely = load_shapely()
        self.number = 0

    def read(self, layer: _Layer, plan: TownPlan) -> None:
        """Add one layer to the plan; layers nobody knows are counted as dropped."""
        if layer.name == "buildings":
            for polygon in self.polygons(layer.geometry, layer.where, "buildings"):
                self.number += 1
                if polygon is not None:
                    plan.buildings.append(Footprint(polygon, self.number))
        elif layer.name == "prisms":
            plan.prisms += [p for p in self.polygons(layer.geometry, layer.where, "prisms") if p is not None]
        elif layer.name in _AREAS:
            found = self.polygons(layer.geometry, layer.where, layer.name)
            plan.areas += [Area(_AREAS[layer.name], p) for p in found if p is not None]
        elif layer.name in _LINES:
            kind, key, default = _LINES[layer.name]
            plan.lines += self.lines(layer, kind, key, default)
        elif layer.name in _WALLS:
            plan.lines += self.lines(layer, "wall", _WALLS[layer.name], _WALL_M[layer.name])
        elif layer.name == "trees":
            points = self.coordinates.points(layer.geometry.get("coordinates"), (*layer.where, "coordinates"))
            plan.trees = np.array(points, dtype=np.float64).reshape(-1, 2)
        elif layer.name == "districts":
            self.districts(layer, plan)
        elif layer.name not in _ASIDE:
            self.report.count("dropped", f"layer '{_plain(layer.name)}', unknown to the importer")

    def polygons(self, geometry: dict[str, Any], where: Where, layer: str) -> list[Any]:
        """The polygons of a geometry in metres, None for each that bounds no area."""
        found: list[Any] = []
        for part, place in self.parts(geometry, where):
            for rings, rings_at in self.polygon_rings(part, place):
                found.append(self.polygon(rings, rings_at, layer))
        return found

    def polygon_rings(self, part: dict[str, Any], where: Where) -> list[tuple[Any, Where]]:
        """The lists of rings in a Polygon or MultiPolygon."""
        place = (*where, "coordinates")
        if part.get("type") == "Polygon":
            return [(part.get("coordinates"), place)] if part.get("coordinates") else []
        if part.get("type") == "MultiPolygon":
            return list(self.coordinates.items(part.get("coordinates"), place, "a list of polygons"))
        self.report.count("dropped", f"geometries '{_plain(part.get('type'))}' where polygons belong")
        return []

    def polygon(self, rings: Any, where: Where, layer: str) -> Any:
        """One valid polygon of an outer ring and holes; None when it bounds no area (counted as dropped)."""
        corners = [self.coordinates.ring(ring, place) for ring, place in self.coordinates.items(rings, where)]
        if self.coordinates.problems:
            return None
        if not corners or len(corners[0]) < 3:
            self.report.count("dropped", f"{layer} without area")
            return None
        holes = [ring for ring in corners[1:] if len(ring) >= 3]
        drawn = self.shapely.Polygon(corners[0], holes)
        many = sum(map(len, corners))
        if many > MENDED_CORNERS_MOST and not self.shapely.is_valid(drawn):
            self.coordinates.problem(
                where, f"this outline of {many:,} corners crosses itself", "outlines that do not cross themselves"
            )
            return None
        mended = polygonal(drawn)
        if mended is None:
            self.report.count("dropped", f"{layer} without area")
        elif mended is not drawn:
            self.report.count("guessed", f"{layer} mended: their outline crosses itself")
        return mended

    def parts(self, geometry: dict[str, Any], where: Where) -> list[tuple[dict[str, Any], Where]]:
        """The members of a GeometryCollection, or the geometry itself."""
        if geometry.get("type") != "GeometryCollection":
            return [(geometry, where)]
        found = []
        for item, place in self.coordinates.items(geometry.get("geometries"), (*where, "geometries"), "geometries"):
            if isinstance(item, dict):
                found.append((item, place))
            else:
                self.coordinates.problem(place, "this is no object", "a geometry")
        return found

    def lines(self, layer: _Layer, kind: str, key: str, default: float) -> list[Line]:
        """The lines of a layer; outlines (town walls) become closed lines. Widths in metres."""
        found = []
        for part, where in self.parts(layer.geometry, layer.where):
            width = _size(part.get("width")) or _size(self.values.get(key))
            drawn = self.line_points(part, where)
            if width is None:
                self.report.count("guessed", f"width of {layer.name}: {default:g} m", len(drawn))
                width = default
            else:
                width *= self.coordinates.scale
            for points, closed in drawn:
                if len(points) < 2:
                    if not self.coordinates.problems:
                        self.report.count("dropped", f"{layer.name} without length")
                    continue
                found.append(Line(kind, self.shapely.LineString([*points, points[0]] if closed else points), width))
        return found

    def line_points(self, part: dict[str, Any], where: Where) -> list[tuple[Any, bool]]:
        """The point lists of a geometry, and whether each is a closed outline."""
        kind, place = part.get("type"), (*where, "coordinates")
        read = self.coordinates
        if kind == "LineString":
            return [(read.points(part.get("coordinates"), place), False)] if part.get("coordinates") else []
        if kind == "MultiLineString":
            return [(read.points(line, at), False) for line, at in read.items(part.get("coordinates"), place)]
        return [
            (read.ring(ring, at), True)
            for rings, rings_at in self.polygon_rings(part, where)
            for ring, at in read.items(rings, rings_at)
        ]

    def districts(self, layer: _Layer, plan: TownPlan) -> None:
        """Named districts; one without a name keeps none."""
        for part, where in self.parts(layer.geometry, layer.where):
            if len(plan.districts) >= DISTRICTS_MOST:
                self.coordinates.problem(where, "one district too many", f"at most {DISTRICTS_MOST:,} districts")
                return
            name = part.get("name")
            for polygon in self.polygons(part, where, "districts"):
                if polygon is not None:
                    plan.districts.append((_plain(name), polygon))


def _plain(name: Any) -> str:
    """A name from the file, fit for one line: printable, at most 60 characters."""
    if not isinstance(name, str):
        return ""
    return " ".join("".join(c if c.isprintable() else " " for c in name).split())[:60].strip()


def _finish(plan: TownPlan, report: Report) -> None:
    """Drop buildings drawn twice, name each building's district, count what was read, warn of blocks."""
    shapely = load_shapely()
    polygons = np.array([b.polygon for b in plan.buildings], dtype=object)
    seen: set[bytes] = set()
    kept = []
    for building, shape in zip(plan.buildings, shapely.to_wkb(shapely.normalize(polygons)), strict=True):
        if shape not in seen:
            seen.add(shape)
            kept.append(building)
    report.count("dropped", "buildings drawn twice", len(plan.buildings) - len(kept))
    plan.buildings = _with_districts(kept, plan.districts)
    report.count("read", "buildings", len(kept))
    for what, many in (("districts", len(plan.districts)), ("prisms", len(plan.prisms)), ("trees", len(plan.trees))):
        report.count("read", what, many)
    for line in plan.lines:
        report.count("read", f"lines: {line.kind}")
    for area in plan.areas:
        report.count("read", f"areas: {area.kind}")
    median = float(np.median([b.polygon.area for b in kept]))
    report.measures["m2, median building"] = median
    if median > BLOCK_M2:
        report.warnings.append(
            f"the median building covers {median:,.0f} m2: the file holds blocks, not houses; "
            "set the generator's buildings to Lots, Simple or Complex and export again"
        )


def _with_districts(buildings: list[Footprint], districts: list[tuple[str, Any]]) -> list[Footprint]:
    """Each building with the name of the first district that holds a point inside it."""
    if not districts:
        return buildings
    shapely = load_shapely()
    inside = shapely.point_on_surface(np.array([b.polygon for b in buildings], dtype=object))
    tree = shapely.STRtree(np.array([polygon for _, polygon in districts], dtype=object))
    home = np.full(len(buildings), len(districts))
    for start in range(0, len(buildings), 10_000):
        points, places = tree.query(inside[start : start + 10_000], predicate="within")
        np.minimum.at(home, points + start, places)
    names = [*(name for name, _ in districts), ""]
    return [replace(b, district=names[h]) for b, h in zip(buildings, home, strict=True)]
