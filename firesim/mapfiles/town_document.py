"""Hexes, furnished buildings and kinds of ground as a town scenario: rows of symbols, a legend, one fire."""

from __future__ import annotations

import string
from typing import Any

import numpy as np
import numpy.typing as npt

from firesim.mapfiles.defaults import MASONRY, Furnished, structure
from firesim.mapfiles.ground import KINDS, SYMBOLS
from firesim.mapfiles.hexes_from_polygons import HEX_M, PITCH_M, BuildingHexes
from firesim.mapfiles.report import Report, Shared

_LETTERS = string.ascii_letters + string.digits
Entry = tuple[str, str, str, int, int]
"""Building, material, roof, floors and ST: what one symbol stands for."""


STEPS = 1000
"""The horizon of an imported town: stone beside an inferno may catch and then burn in the same spot for ever."""


def town_document(
    title: str,
    hexes: BuildingHexes,
    buildings: list[Furnished],
    ground: npt.NDArray[np.int8],
    report: Report,
    *,
    gap: int,
    ignite: tuple[int, int] | None,
) -> dict[str, Any]:
    """A complete scenario of system `town`; every distinct hex of a building has a symbol of its own."""
    entries = _entries(hexes, buildings, report)
    symbols = _symbols(entries)
    grid = hexes.grid
    width = max((len(symbol) for symbol in symbols.values()), default=1)
    tokens = [SYMBOLS[KINDS[kind]] for kind in ground.tolist()]
    for cell, entry in entries.items():
        tokens[cell] = symbols[entry]
    tokens = [token.ljust(width) for token in tokens]
    rows = []
    for row in range(grid.rows):
        indent = " " * ((width + 1) // 2) if row % 2 else ""
        rows.append(indent + " ".join(tokens[row * grid.cols : (row + 1) * grid.cols]).rstrip())
    open_cells = np.ones(len(ground), dtype=bool)
    open_cells[list(entries)] = False
    used = set(ground[open_cells].tolist())
    legend: dict[str, dict[str, Any]] = {
        SYMBOLS[kind]: {"ground": kind} for at, kind in enumerate(KINDS) if at in used and kind != "open"
    }
    for (name, material, roof, floors, st), symbol in symbols.items():
        legend[symbol] = {"building": name, "material": material, "roof": roof, "floors": floors, "st": st}
    fire = list(ignite) if ignite is not None else _middle(hexes, entries, report)
    return {
        "system": "town",
        "title": title,
        "steps": STEPS,
        "map": {
            "title": title,
            "grid": "hex",
            "orientation": "pointy",
            "rows": rows,
            "gaps": {"default": gap},
            "legend": legend,
        },
        "weather": {"moisture": "normal", "wind": "none"},
        "ignite": [{"cell": fire}],
    }


def _entries(hexes: BuildingHexes, buildings: list[Furnished], report: Report) -> dict[int, Entry]:
    """What stands in each building hex, by cell. A shared hex has the material of most of what stands in it."""
    entries: dict[int, Entry] = {}
    cells = np.flatnonzero(hexes.owner >= 0)
    owners, covers = hexes.owner[cells].tolist(), hexes.cover[cells].tolist()
    for cell, owner, cover in zip(cells.tolist(), owners, covers, strict=True):
        building = buildings[owner]
        material = building.material
        members = hexes.members.get(cell)
        if members:
            if "material" not in building.given:
                material = _majority(hexes, buildings, cell, members)
            names = tuple(buildings[member].name for member in members)
            report.shared.append(Shared((cell // hexes.grid.cols, cell % hexes.grid.cols), building.name, names))
        st = building.st or structure(building.floors, cover, building.area_m2)
        entries[cell] = (building.name, material, building.roof, building.floors, st)
    return entries


def _majority(hexes: BuildingHexes, buildings: list[Furnished], cell: int, members: list[int]) -> str:
    """The material with the largest area among the buildings that share a hex; ties to the hex's owner."""
    areas: dict[str, float] = {}
    for member in members:
        lo, hi = np.searchsorted(hexes.shape, [member, member + 1])
        at = lo + int(np.searchsorted(hexes.cell[lo:hi], cell))
        material = buildings[member].material
        areas[material] = areas.get(material, 0.0) + round(float(hexes.area_m2[at]), 6)
    return max(areas, key=lambda material: areas[material])


def _symbols(entries: dict[int, Entry]) -> dict[Entry, str]:
    """Symbols of letters and digits, all as short as the number of entries allows, in reading order."""
    distinct = list(dict.fromkeys(entries.values()))
    width = 1
    while len(_LETTERS) ** width < len(distinct):
        width += 1
    symbols = {}
    for number, entry in enumerate(distinct):
        symbol = ""
        for place in range(width):
            symbol = _LETTERS[number // len(_LETTERS) ** place % len(_LETTERS)] + symbol
        symbols[entry] = symbol
    return symbols


def _middle(hexes: BuildingHexes, entries: dict[int, Entry], report: Report) -> list[int]:
    """The hex nearest the middle of the town that a fire attack can light; masonry resists any die [TN-63]."""
    cells = np.array(list(entries))
    row, col = cells // hexes.grid.cols, cells % hexes.grid.cols
    x, y = (col + 0.5 * (row & 1)) * HEX_M, row * PITCH_M
    distance = np.round(np.hypot(x - x.mean(), y - y.mean()), 6)
    burns = np.array([entry[1] not in MASONRY for entry in entries.values()])
    if not burns.any():
        report.warnings.append("every building is of brick or stone: no fire attack can light one without help")
    order = np.lexsort((cells, distance, ~burns))
    report.count("guessed", "place of the fire: a building near the middle")
    return [int(row[order[0]]), int(col[order[0]])]
