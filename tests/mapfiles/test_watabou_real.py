"""Real files of Watabou's generators against what another importer measured; found through FIRESIM_FOREIGN_MAPS."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import numpy as np
import pytest

from firesim.mapfiles import watabou
from firesim.mapfiles.hexes_from_polygons import HEX_M, PITCH_M, RADIUS_M, HexGrid, building_hexes
from firesim.mapfiles.import_map import import_map
from firesim.mapfiles.report import Report
from firesim.mapfiles.sniff import sniff
from firesim.rules.town.words import Town

FOREIGN = os.environ.get("FIRESIM_FOREIGN_MAPS", "")
# file: buildings, area in m2, hexes covered by half, buildings then without a hex, town walls, gates
FILES = {
    "watabou_city/medium.json": (808, 337850, 4656, 2, 1, 3),
    "watabou_city/mfcg_0.11.5.json": (245, 55887, 770, 4, 1, 0),
    "watabou_city/small_2019_degrees.json": (218, 53960, 774, 13, 2, 3),
    "watabou_city/trunwick.json": (327, 72557, 981, 8, 2, 2),
    "watabou_village/village.json": (248, 32881, 401, 38, 0, 0),
    "watabou_village/village_vg_1.6.6.json": (39, 3954, 43, 9, 0, 0),
}

if not FOREIGN:
    pytest.skip(f"{len(FILES)} real Watabou files not tried: FIRESIM_FOREIGN_MAPS is not set", allow_module_level=True)


def grid_of_the_reference(bounds: tuple[float, float, float, float]) -> HexGrid:
    """The other importer's grid: a hex of an even row has its centre on the buildings' lower-left corner."""
    west, south, east, north = bounds
    rows = 2 * (int((north - south) / PITCH_M) // 2 + 2)
    top = south + PITCH_M * (rows - 2) + RADIUS_M
    return HexGrid(rows, int((east - west) / HEX_M) + 5, west - 2.5 * HEX_M, top)


@pytest.mark.parametrize("name", FILES)
def test_the_hexes_agree_with_the_reference_on_its_grid(name):
    import shapely

    buildings, area, half, homeless, _, _ = FILES[name]
    path = Path(FOREIGN, name)
    plan = watabou.read_plan(sniff(path).document, str(path), Report())
    polygons = np.array([b.polygon for b in plan.buildings], dtype=object)
    assert len(polygons) == buildings
    assert shapely.area(polygons).sum() == pytest.approx(area, abs=1)
    hexes = building_hexes(grid_of_the_reference(tuple(shapely.total_bounds(polygons))), polygons)
    assert hexes.before_rescue == half
    sharing = sum(len(members) - 1 for members in hexes.members.values())
    assert len(hexes.rescued) + sharing == homeless


@pytest.mark.parametrize("name", FILES)
def test_the_town_on_our_grid_is_whole(name):
    buildings, area, half, _, walls, gates = FILES[name]
    began = time.perf_counter()
    imported = import_map(Path(FOREIGN, name))
    seconds = time.perf_counter() - began
    Town.model_validate_json(json.dumps(imported.document))
    report = imported.report
    assert report.read["buildings"] == buildings
    assert report.read.get("lines: wall", 0) == walls
    assert report.guessed.get("gates: a road crosses the town wall", 0) == gates
    assert report.measures["m2 of buildings in the file"] == pytest.approx(area, abs=1)
    # The grid lies elsewhere than the reference's: small towns differ more than its 1-2 %.
    assert report.measures["hexes covered by half before rescue"] == pytest.approx(half, rel=0.04)
    names = {entry["building"] for entry in imported.document["map"]["legend"].values() if "building" in entry}
    assert len(names) + report.measures["buildings sharing another's hex"] == buildings
    assert seconds < 20


def test_a_town_of_800_buildings_keeps_its_area_within_five_per_cent():
    measures = import_map(Path(FOREIGN, "watabou_city/medium.json")).report.measures
    assert measures["share of the file's building area on the map"] == pytest.approx(1, abs=0.05)
