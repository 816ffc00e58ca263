"""`firesim import`: a map made with another tool becomes a scenario of ours, with a report of all that was guessed."""

from __future__ import annotations

import csv
import io
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from firesim.core.problems import InputError, Problem
from firesim.mapfiles import defaults, watabou
from firesim.mapfiles.defaults import Furnished
from firesim.mapfiles.ground import ground_kinds
from firesim.mapfiles.hexes_from_polygons import HEX_M, HEX_M2, BuildingHexes, building_hexes, grid_over
from firesim.mapfiles.overrides import Given, read_overrides
from firesim.mapfiles.report import Report
from firesim.mapfiles.sniff import WATABOU, sniff
from firesim.mapfiles.toml_writer import scenario_text, write_whole
from firesim.mapfiles.town_document import town_document
from firesim.mapfiles.town_plan import Footprint, TownPlan, load_shapely

GAP = 2
"""Melee hexes between buildings in neighbouring hexes: across an alley [INV, A1-26]."""

GAP_MOST = 10_000


@dataclass(frozen=True)
class ImportedMap:
    """An imported map: `document`, a complete scenario of the shape `firesim.load` takes, and the `report` on it."""

    document: dict[str, Any]
    report: Report
    buildings: list[Furnished]

    def text(self) -> str:
        """The scenario as TOML with comments."""
        return scenario_text(self.document, _comments(self.report))

    def write(self, path: str | Path, *, force: bool = False) -> Path:
        """Write the scenario as TOML, whole or not at all; an existing file is replaced only with `force`."""
        return write_whole(path, self.text(), force=force)

    def overrides(self) -> str:
        """Every building with what was chosen for it, as CSV: change it and give it back as `overrides`."""
        rows = io.StringIO()
        writer = csv.writer(rows, lineterminator="\n")
        writer.writerow(["index", "name", "material", "roof", "floors", "st"])
        for b in self.buildings:
            writer.writerow([b.number, b.name, b.material, b.roof, b.floors, b.st or ""])
        return rows.getvalue()


def import_map(
    path: str | Path,
    *,
    seed: int = 0,
    overrides: str | Path | None = None,
    cover: float = 0.5,
    strict: bool = False,
    gap: int | None = None,
    ignite: tuple[int, int] | None = None,
) -> ImportedMap:
    """Import a map file of another tool; today Watabou's cities, villages and neighbourhoods (JSON).

    `seed` draws what the file does not say (materials, roofs, floors); `overrides` is a CSV of what the user knows (see
    `ImportedMap.overrides`). A hex is a building's where at least `cover` (0 to 1) of it is covered. `gap` is the
    distance in melee hexes between buildings in neighbouring hexes, `ignite` the (row, col) of the fire's start.
    `strict` refuses a map for which anything had to be guessed. Raises `InputError` with all problems found.

        import_map("town.json", seed=7).write("town.toml")
    """
    _check_arguments(seed, cover, gap)
    found = sniff(path)
    if found.format != WATABOU:
        raise InputError(_unsupported(found.format, str(path)))
    report = Report(source=Path(path).name)
    plan = watabou.read_plan(found.document, str(path), report)
    report.format = plan.format
    imported = town_from_plan(
        plan,
        Path(path).stem,
        report,
        seed=seed,
        overrides=overrides,
        cover=cover,
        gap=gap,
        ignite=ignite,
        file=str(path),
    )
    if strict and report.guessed:
        raise InputError(
            Problem(
                what=f"guessed: {what} ({many:,})",
                expected="nothing guessed (strict)",
                hint="give it, or import without strict",
                file=str(path),
            )
            for what, many in report.guessed.items()
        )
    return imported


def _check_arguments(seed: int, cover: float, gap: int | None) -> None:
    problems = []
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**63:
        problems.append(Problem(what=f"{seed!r}", expected="a whole number from 0 to 2^63 - 1", where=("seed",)))
    if isinstance(cover, bool) or not isinstance(cover, int | float) or not 0 < cover <= 1:
        problems.append(Problem(what=f"{cover!r}", expected="a share above 0 and up to 1", where=("cover",)))
    if gap is not None and (isinstance(gap, bool) or not isinstance(gap, int) or not 0 <= gap <= GAP_MOST):
        problems.append(Problem(what=f"{gap!r}", expected=f"melee hexes, 0 to {GAP_MOST:,}", where=("gap",)))
    if problems:
        raise InputError(problems)


def _unsupported(format_name: str, file: str) -> Problem:
    if format_name:
        what = f"this is a map of the format {format_name}, recognised but not yet supported"
        return Problem(what, "Watabou JSON", file=file)
    return Problem(
        "the format of this file is not known",
        "a map exported as JSON from Watabou's city, village or neighbourhood generator",
        file=file,
    )


def town_from_plan(
    plan: TownPlan,
    title: str,
    report: Report,
    *,
    seed: int = 0,
    overrides: str | Path | None = None,
    cover: float = 0.5,
    gap: int | None = None,
    ignite: tuple[int, int] | None = None,
    file: str = "",
) -> ImportedMap:
    """A town scenario from a plan in metres, whichever importer made the plan."""
    shapely = load_shapely()
    polygons = np.array([b.polygon for b in plan.buildings], dtype=object)
    walls = [line.geometry for line in plan.lines if line.kind == "wall"]
    squares = [area.polygon for area in plan.areas if area.kind == "square"]
    extent = np.array([*polygons, *plan.prisms, *walls, *squares], dtype=object)
    west, south, east, north = (float(edge) for edge in shapely.total_bounds(extent))
    grid = grid_over((west, south, east, north), file)
    names = _names(plan.buildings)
    numbers = {name: building.number for name, building in zip(names, plan.buildings, strict=True)}
    given = read_overrides(overrides, numbers) if overrides is not None else {}
    hexes = building_hexes(grid, polygons, cover=cover)
    buildings = _furnish(plan, names, seed, given, report)
    ground = ground_kinds(grid, plan, report)
    if gap is None:
        report.count("guessed", f"gap between neighbouring buildings: {GAP} melee hexes [INV]")
    if ignite is not None:
        ignite = _cell(ignite, hexes, file)
    document = town_document(
        _printable(title), hexes, buildings, ground, report, gap=GAP if gap is None else gap, ignite=ignite
    )
    _measure(hexes, polygons, report)
    return ImportedMap(document, report, buildings)


def _names(buildings: list[Footprint]) -> list[str]:
    """A name for each building, all different: its own, else its district's or `building`, with a number."""
    taken: set[str] = set()
    counts: dict[str, int] = {}
    names = []
    for building in buildings:
        stem = building.name or building.district
        name = building.name if building.name else f"building {building.number}"
        while name in taken or (stem and name == f"building {building.number}"):
            counts[stem] = counts.get(stem, 0) + 1
            name = f"{stem or 'building'} {counts[stem]}"
        taken.add(name)
        names.append(name)
    return names


def _furnish(plan: TownPlan, names: list[str], seed: int, given: dict[int, Given], report: Report) -> list[Furnished]:
    """Every building complete, the draws counted in the report and the tables in force printed into it."""
    shapely = load_shapely()
    areas = shapely.area(np.array([b.polygon for b in plan.buildings], dtype=object)).tolist()
    by_district: dict[str, list[float]] = {}
    for building, area in zip(plan.buildings, areas, strict=True):
        by_district.setdefault(building.district, []).append(area)
    usual = float(np.median(areas))
    classes = {name: defaults.class_of_district(name, found, usual) for name, found in by_district.items()}
    furnished = []
    for building, name, area in zip(plan.buildings, names, areas, strict=True):
        drawn: Given = {"material": building.material, "roof": building.roof, "floors": building.floors}
        known = {**drawn, **given.get(building.number, {})}
        whole = defaults.furnish(
            building.number, name, building.district, area, classes[building.district], seed, known
        )
        for what in ("material", "roof", "floors"):
            report.count("guessed", f"{what} of buildings", int(what not in whole.given))
        furnished.append(whole)
    report.count("read", "buildings with overrides", len(given))
    report.defaults = defaults.table(classes, seed)
    return furnished


def _cell(cell: tuple[int, int], hexes: BuildingHexes, file: str) -> tuple[int, int]:
    """The user's place of fire, checked: a building's hex."""
    grid = hexes.grid
    row, col = cell if len(cell) == 2 else (-1, -1)
    if not (0 <= row < grid.rows and 0 <= col < grid.cols) or hexes.owner[row * grid.cols + col] < 0:
        raise InputError(
            Problem(
                what=f"no building stands in {list(cell)}",
                expected=f"the row and column of a building's hex, within {grid.rows} x {grid.cols}",
                where=("ignite",),
                file=file,
            )
        )
    return row, col


def _printable(title: str) -> str:
    return "".join(c if c.isprintable() else " " for c in title)[:100].strip() or "A town"


def _measure(hexes: BuildingHexes, polygons: Any, report: Report) -> None:
    """Sizes of the town in the file and on the map, and where the map lies in the file's coordinates."""
    grid = hexes.grid
    drawn = float(load_shapely().area(polygons).sum())
    count = int((hexes.owner >= 0).sum())
    report.measures |= {
        "m2 of buildings in the file": drawn,
        "m2 of building hexes on the map": count * HEX_M2,
        "share of the file's building area on the map": count * HEX_M2 / drawn,
        "building hexes": count,
        "hexes covered by half before rescue": hexes.before_rescue,
        "buildings rescued into a hex of their own": len(hexes.rescued),
        "buildings sharing another's hex": sum(len(members) - 1 for members in hexes.members.values()),
        "rows": grid.rows,
        "columns": grid.cols,
    }
    report.notes.append(
        f"hexes of 10 yards ({HEX_M} m), pointy-top; row 0 is the north edge; the map's north-west corner is "
        f"x = {grid.west_m:.1f} m, y = {grid.north_m:.1f} m in the file, whose y grows to the north"
    )
    lost = len(polygons) - len(set(hexes.owner[hexes.owner >= 0].tolist()))
    if lost:
        report.notes.append(f"{lost:,} buildings have no hex of their own and stand in a neighbour's, named below")


def _comments(report: Report) -> Iterable[str]:
    """The head of a written scenario."""
    yield f"Imported from {report.source} ({report.format})."
    for note in report.notes:
        yield from textwrap.wrap(f"{note[0].upper()}{note[1:]}.", 110)
    for what, many in report.guessed.items():
        yield f"Guessed: {what} ({many:,})." if many > 1 else f"Guessed: {what}."
    for warning in report.warnings:
        yield from textwrap.wrap(f"Warning: {warning}.", 110)
    yield "Defaults for what the file does not say:"
    yield from (f"  {line}" for line in report.defaults.splitlines())
    for shared in report.shared:
        row, col = shared.cell
        yield f"[{row}, {col}] buildings = {shared.buildings}: {', '.join(shared.names)}"
