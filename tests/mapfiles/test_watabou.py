"""Importing Watabou's cities, villages and neighbourhoods: small look-alikes of each dialect, and hostile files."""

from __future__ import annotations

import json
import math
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firesim.core.problems import InputError
from firesim.mapfiles import defaults, watabou
from firesim.mapfiles.hexes_from_polygons import HEX_M2, building_hexes, grid_over, overlay
from firesim.mapfiles.import_map import import_map
from firesim.mapfiles.report import Report
from firesim.mapfiles.sniff import sniff
from firesim.rules.town.words import Town

LOOKALIKES = Path(__file__).parent / "lookalikes"
DIALECTS = ("city", "village", "hood", "city_2019")


def rect(x, y, w, h):
    return [[x, y], [x, y + h], [x + w, y + h], [x + w, y]]


def town(*rings, **layers):
    """A Watabou document with buildings of one ring each, and whatever other layers are given."""
    features = [
        {"type": "Feature", "id": "values", "generator": "mfcg", "roadWidth": 8},
        {"type": "MultiPolygon", "id": "buildings", "coordinates": [[ring] for ring in rings]},
    ]
    return {"type": "FeatureCollection", "features": features + list(layers.values())}


@pytest.fixture
def saved(tmp_path):
    def save(document, name="town.json"):
        path = tmp_path / name
        path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
        return path

    return save


def problems_of(path, **options):
    """What an import refuses, each problem as text with the file's folder left out."""
    with pytest.raises(InputError) as error:
        import_map(path, **options)
    return [str(problem).replace(str(Path(path).parent) + "/", "") for problem in error.value.problems]


def tokens_of(document):
    return [row.split() for row in document["map"]["rows"]]


@pytest.mark.parametrize("name", DIALECTS)
def test_every_dialect_becomes_a_whole_town_scenario(name, tmp_path):
    imported = import_map(LOOKALIKES / f"{name}.json")
    document = imported.document
    Town.model_validate_json(json.dumps(document))
    rows = tokens_of(document)
    assert len({len(row) for row in rows}) == 1
    legend = document["map"]["legend"]
    assert {symbol for row in rows for symbol in row} == {".", *legend}  # "." is open ground on every map
    row, col = document["ignite"][0]["cell"]
    assert legend[rows[row][col]]["material"] not in ("brick", "stone")
    path = imported.write(tmp_path / "town.toml")
    assert tomllib.loads(path.read_text(encoding="utf-8")) == document
    assert imported.write(tmp_path / "again.toml").read_bytes() == path.read_bytes()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["again.toml", "town.toml"]


def test_the_dialect_of_2019_in_degrees_is_the_same_town():
    now, then = (import_map(LOOKALIKES / f"{name}.json") for name in ("city", "city_2019"))
    assert then.report.format == "Watabou city (2019)"
    symbols = [
        [
            ["h" if "building" in m.document["map"]["legend"].get(t, {}) else "." for t in row]
            for row in tokens_of(m.document)
        ]
        for m in (now, then)
    ]
    assert symbols[0] == symbols[1]
    assert then.report.measures["m2 of buildings in the file"] == pytest.approx(3505.0, abs=0.01)


def test_the_report_counts_what_was_read_guessed_and_dropped():
    report = import_map(LOOKALIKES / "city.json").report
    assert report.read == {
        "buildings": 8,
        "districts": 2,
        "prisms": 1,
        "trees": 3,
        "lines: road": 1,
        "lines: wall": 1,
        "lines: river": 1,
        "lines: bridge": 1,
        "areas: square": 1,
        "areas: field": 1,
        "areas: water": 1,
    }
    assert report.guessed == {
        "material of buildings": 8,
        "roof of buildings": 8,
        "floors of buildings": 8,
        "gates: a road crosses the town wall": 2,
        "gap between neighbouring buildings: 2 melee hexes [INV]": 1,
        "place of the fire: a building near the middle": 1,
    }
    village = import_map(LOOKALIKES / "village.json").report
    assert village.dropped == {"layer 'embedNotes', unknown to the importer": 1}
    text = village.text()
    assert text.startswith("village.json: Watabou village 1.6.6\nRead\n  5  buildings\n")
    assert "material, common: wooden 50 %, wattle and daub 35 %, brick 8 %, stone 7 %" in text


def test_ground_lies_in_layers():
    document = import_map(LOOKALIKES / "city.json").document
    legend = {".": {"ground": "open"}, **document["map"]["legend"]}
    kinds = [[legend[t].get("ground", "building") for t in row] for row in tokens_of(document)]
    assert set(kinds[9]) == {"road"}  # over the river and through both gates of the wall
    assert kinds[12].count("bridge") == 3
    assert kinds[11].count("river") == 2
    assert kinds[8][21] == "rock"
    assert [row.count("tree") for row in kinds][:5] == [0, 0, 1, 1, 0]
    assert set(kinds[1]) == {"wall", "open"}
    village = tokens_of(import_map(LOOKALIKES / "village.json").document)
    assert village[1].count("#") == 11  # a palisade 0.7 m wide: by its length, one hex thick


def test_buildings_are_named_by_district_or_number_and_every_name_is_its_own():
    city = [b.name for b in import_map(LOOKALIKES / "city.json").buildings]
    assert city[:4] == ["Tanners' Row 1", "Tanners' Row 2", "Tanners' Row 3", "Castle Hill 1"]
    hood = [b.name for b in import_map(LOOKALIKES / "hood.json").buildings]
    assert hood == [f"building {n}" for n in range(1, 16)]


def test_a_district_called_building_takes_no_other_name(saved):
    ring = {"type": "Polygon", "name": "building", "coordinates": [rect(0, 0, 30, 90)]}
    districts = {"type": "GeometryCollection", "id": "districts", "geometries": [ring]}
    path = saved(town(rect(0, 0, 20, 20), rect(0, 40, 20, 20), rect(200, 0, 20, 20), districts=districts))
    names = [b.name for b in import_map(path).buildings]
    assert len(set(names)) == 3


def test_small_buildings_share_a_hex_with_the_sum_of_their_cover():
    imported = import_map(LOOKALIKES / "hood.json")
    shared = {s.owner: s for s in imported.report.shared}
    huts = shared["building 13"]
    assert (huts.cell, huts.buildings) == ((2, 6), 3)
    assert huts.names == ("building 13", "building 14", "building 15")
    assert "[2, 6] buildings = 3: building 13, building 14, building 15" in imported.report.text()
    assert "# [2, 6] buildings = 3: building 13, building 14, building 15\n" in imported.text()
    huts_legend = [e for e in imported.document["map"]["legend"].values() if e.get("building") == "building 13"]
    assert huts_legend[0]["st"] == 2  # 12 m2 of 72 m2, one story: 1.66


def test_a_shared_hex_has_the_material_of_most_of_its_area(saved):
    csv = saved("index,material\n13,stone\n14,wooden\n15,wooden\n", "o.csv")
    legend = import_map(LOOKALIKES / "hood.json", overrides=csv).document["map"]["legend"].values()
    assert [e["material"] for e in legend if e.get("building") == "building 13"] == ["stone"]  # the owner's is given
    csv = saved("index,material\n14,adobe\n15,adobe\n", "o.csv")
    legend = import_map(LOOKALIKES / "hood.json", overrides=csv).document["map"]["legend"].values()
    assert [e["material"] for e in legend if e.get("building") == "building 13"] == ["adobe"]


def test_the_same_seed_gives_the_same_town_and_another_seed_another():
    texts = [import_map(LOOKALIKES / "city.json", seed=seed).text() for seed in (7, 7, 8)]
    assert texts[0] == texts[1] != texts[2]


DRAWN_WITH_SEED_7 = [
    "wooden",
    "wooden",
    "wattle and daub",
    "wattle and daub",
    "wooden",
    "brick",
    "wattle and daub",
    "wooden",
]


def test_draws_are_those_of_every_machine():
    weights = defaults.MATERIAL_WEIGHTS["common"]
    drawn = [defaults.draw(7, number, "material", weights) for number in range(1, 9)]
    assert drawn == DRAWN_WITH_SEED_7
    many = [defaults.draw(1, number, "material", weights) for number in range(10_000)]
    assert many.count("wooden") / 10_000 == pytest.approx(0.5, abs=0.02)


@pytest.mark.parametrize(
    ("megahexes", "stories"),
    [(1, (1,)), (3, (1,)), (4, (1, 2)), (7.9, (1, 2)), (8, (2,)), (11, (2, 3)), (20, (2, 3)), (25, (3,)), (36, (2, 3))],
)
def test_stories_follow_the_books_sizes(megahexes, stories):
    assert defaults.size_of(megahexes * defaults.MEGAHEX_M2)[0] == stories


def test_structure_is_ten_for_each_story_of_a_whole_hex():
    assert defaults.structure(1, 1.0, 72.4) == 10
    assert defaults.structure(3, 0.5, 72.4) == 15
    assert defaults.structure(1, 0.04, 72.4) == 1
    assert defaults.structure(1, 0.04, 9.0) == 2


def test_districts_are_classed_by_a_word_or_by_size():
    assert defaults.class_of_district("Castle Hill", [100.0], 100.0) == "rich"
    assert defaults.class_of_district("The Slums", [100.0], 100.0) == "poor"
    assert defaults.class_of_district("Oakwell", [100.0], 100.0) == "common"
    assert defaults.class_of_district("Oakwell", [40.0] * 5, 100.0) == "poor"
    assert defaults.class_of_district("Oakwell", [240.0] * 5, 100.0) == "rich"
    assert defaults.class_of_district("", [240.0] * 5, 100.0) == "common"


def test_strict_lists_every_guess(saved):
    assert problems_of(LOOKALIKES / "village.json", strict=True, gap=1, ignite=(3, 2)) == [
        f"village.json: guessed: {what} of buildings (5): expected nothing guessed (strict); "
        "give it, or import without strict"
        for what in ("material", "roof", "floors")
    ]
    complete = saved(import_map(LOOKALIKES / "village.json").overrides(), "all.csv")
    imported = import_map(LOOKALIKES / "village.json", strict=True, gap=1, ignite=(3, 2), overrides=complete)
    assert imported.report.guessed == {}
    assert imported.document["ignite"] == [{"cell": [3, 2]}]
    assert imported.document["map"]["gaps"] == {"default": 1}


# Hostile and broken files


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "town.json: the file is empty: expected a map file"),
        ("  \n", "town.json: the file is empty: expected a map file"),
        (
            '{"features": [\n  {"id": "values",',
            "town.json:2:19: this is not JSON (Expecting property name enclosed in double quotes): "
            "expected a map saved as JSON; the file breaks off: export it again",
        ),
        ("hello", "town.json:1:1: this is not JSON (Expecting value): expected a map saved as JSON"),
        ('{"a": "NaN",\n "b": NaN}', "town.json:2:7: the number NaN is not JSON: expected a finite number"),
        ("[1, -Infinity]", "town.json:1:5: the number -Infinity is not JSON: expected a finite number"),
        (
            "[" * 100_000 + "]" * 100_000,
            "town.json:1:65: the JSON is nested too deeply: expected at most 64 levels of brackets",
        ),
        (
            "[" + "9" * 5000 + "]",
            "town.json:1:1: a number in this file has too many digits: expected coordinates in metres",
        ),
        (
            '{"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"building": "yes"}}]}',
            "town.json: this is a map of the format GeoJSON, recognised but not yet supported: expected Watabou JSON",
        ),
        (
            '{"a": 1}',
            "town.json: the format of this file is not known: expected a map exported as JSON from Watabou's city, "
            "village or neighbourhood generator",
        ),
    ],
)
def test_a_broken_file_is_told_with_its_place(saved, text, message):
    assert problems_of(saved(text)) == [message]


def test_files_that_are_no_text(tmp_path):
    assert problems_of(tmp_path)[0].endswith(": this is a folder: expected a map file")
    assert problems_of(tmp_path / "none.json") == ["none.json: there is no such file: expected a map file"]
    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\0\0")
    assert problems_of(tmp_path / "a.png") == ["a.png: the file is binary: expected a map saved as text (JSON)"]
    (tmp_path / "b.json").write_bytes(b'{"a":\n "\xff"}')
    assert problems_of(tmp_path / "b.json") == [
        "b.json:2:3: this is not UTF-8 text: expected a map saved as JSON in UTF-8"
    ]
    with (tmp_path / "big.json").open("wb") as file:
        file.truncate(2**26 + 1)
    assert problems_of(tmp_path / "big.json") == [
        "big.json: the file has 67,108,865 bytes: expected at most 67,108,864; export a smaller map"
    ]


def test_a_byte_order_mark_is_no_matter(tmp_path):
    path = tmp_path / "town.json"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(town(rect(0, 0, 20, 20))).encode())
    assert import_map(path).report.read["buildings"] == 1


@pytest.mark.parametrize(
    ("document", "format_name"),
    [
        ({"format": 0.3, "resolution": {}, "line_of_sight": []}, "Universal VTT"),
        ({"header": {}, "world": {}}, "Dungeondraft"),
        ({"tilewidth": 1, "layers": []}, "Tiled"),
        ({"cell_bit": {}, "cells": []}, "donjon"),
        ({"rects": [], "doors": []}, "One Page Dungeon"),
        ({"floors": [{"level": 0, "rooms": []}]}, "Dwellings"),
        ({"walls": [], "grid": 70}, "Foundry"),
        ('<?xml version="1.0"?><map tilewidth="3"></map>', "Tiled"),
        ('onTileMapLoaded("x", {"layers": []})', "Tiled"),
        ('var town = {"type": "FeatureCollection"}', "GeoJSON"),
        (town(), "Watabou"),
        (["a"], ""),
    ],
)
def test_formats_are_told_by_content(saved, document, format_name):
    assert sniff(saved(document, "map.xyz")).format == format_name


def test_broken_coordinates_are_all_told_with_their_place(saved):
    document = town([["1", 2], [3, 4], [5, 6]], [[1e9, 0], [0, 0], [0, 5]], [[0, 0], [None, 5], [5]], 7, [[1, True], 3])
    at = "town.json: features[1].coordinates"
    assert problems_of(saved(document)) == [
        f'{at}[0][0][0][0]: this is the text "1": expected a number',
        f"{at}[1][0][0][0]: this is 1e+09: expected a coordinate within 10,000,000 m of 0",
        f"{at}[2][0][1][0]: this is null: expected a number",
        f"{at}[2][0][2]: this is a list of 1: expected a point [x, y]",
        f"{at}[3][0]: this is 7: expected a list of coordinates",
        f"{at}[4][0][0][1]: this is true: expected a number",
        f"{at}[4][0][1]: this is 3: expected a point [x, y]",
    ]
    huge = json.dumps(town(rect(0, 0, 9, 9))).replace("[9, 9]", "[1e999, 1" + "0" * 400 + "]")
    assert problems_of(saved(huge)) == [f"{at}[0][0][2][0]: this coordinate is not finite: expected a number of metres"]
    many = town(*[[["x", "y"]]] * 30)
    assert len(problems_of(saved(many))) == 20


def test_an_enormous_map_is_refused_at_once(saved):
    path = saved(town(rect(0, 0, 20, 20), rect(3e5, 3e5, 20, 20)))
    began = time.perf_counter()
    assert problems_of(path) == [
        "town.json: the buildings lie 300.0 km apart: 37,889 x 32,813 hexes: expected at most 4,000,000 hexes; "
        "export a smaller part, or check the unit of length"
    ]
    assert time.perf_counter() - began < 1


def test_a_map_without_buildings_is_refused(saved):
    message = (
        "town.json: the map holds no buildings: expected a layer 'buildings' with polygons; "
        "show buildings in the generator before exporting"
    )
    assert problems_of(saved(town())) == [message]
    line_only = town([[0, 0], [5, 5]])
    assert problems_of(saved(line_only)) == [message]
    only_values = {"features": [{"id": "values", "generator": "vg"}, 3, {"type": "Feature", "id": "x"}]}
    assert problems_of(saved(only_values)) == [message]
    broken_layers = {"features": [{"id": "values", "generator": "vg"}, {"id": "buildings", "type": "MultiPolygon"}]}
    assert problems_of(saved(broken_layers)) == [message]


def test_too_many_points_are_refused(saved, monkeypatch):
    monkeypatch.setattr("firesim.mapfiles.coordinates.VERTICES_MOST", 7)
    assert problems_of(saved(town(rect(0, 0, 9, 9), rect(20, 0, 9, 9)))) == [
        "town.json: the map has more than 7 points: expected a town; export a smaller map"
    ]


def test_a_ring_that_crosses_itself_is_mended_and_told(saved):
    bow_tie = [[0, 0], [40, 40], [40, 0], [0, 40]]
    report = import_map(saved(town(bow_tie))).report
    assert report.guessed["buildings mended: their outline crosses itself"] == 1
    assert report.measures["m2 of buildings in the file"] == pytest.approx(800)


def test_buildings_drawn_twice_count_once(saved):
    again = [[20, 20], [20, 0], [0, 0], [0, 20]]
    report = import_map(saved(town(rect(0, 0, 20, 20), again, rect(50, 0, 20, 20)))).report
    assert report.dropped == {"buildings drawn twice": 1}
    assert report.read["buildings"] == 2


def test_a_building_wholly_inside_another_counts_its_ground_once(saved):
    outer, inner = rect(0, 0, 60, 60), rect(20, 20, 20, 20)
    imported = import_map(saved(town(outer, inner)))
    alone = import_map(saved(town(outer)))
    assert imported.report.measures["building hexes"] == alone.report.measures["building hexes"]
    st_of = [sorted({e["st"] for e in m.document["map"]["legend"].values() if "st" in e}) for m in (imported, alone)]
    assert max(st_of[0]) <= 10 * max(b.floors for b in imported.buildings)


def test_blocks_in_place_of_houses_are_warned_of(saved):
    report = import_map(saved(town(rect(0, 0, 40, 40)))).report
    assert report.warnings == [
        "the median building covers 1,600 m2: the file holds blocks, not houses; "
        "set the generator's buildings to Lots, Simple or Complex and export again"
    ]


def test_a_town_of_stone_still_has_a_place_for_the_fire(saved):
    csv = saved("index,material\n1,stone\n", "o.csv")
    imported = import_map(saved(town(rect(0, 0, 20, 20))), overrides=csv)
    assert imported.report.warnings == [
        "every building is of brick or stone: no fire attack can light one without help"
    ]


def test_a_fire_on_open_ground_is_refused(saved):
    path = saved(town(rect(0, 0, 20, 20)))
    assert problems_of(path, ignite=(0, 0)) == [
        "town.json: ignite: no building stands in [0, 0]: expected the row and column of a building's hex, within 5 x 5"
    ]


def test_arguments_out_of_range_are_all_told():
    assert problems_of(LOOKALIKES / "city.json", seed=-1, cover=0, gap=True) == [
        "seed: -1: expected a whole number from 0 to 2^63 - 1",
        "cover: 0: expected a share above 0 and up to 1",
        "gap: True: expected melee hexes, 0 to 10,000",
    ]


def test_an_existing_file_and_a_missing_folder_are_left_alone(tmp_path):
    imported = import_map(LOOKALIKES / "village.json")
    place = tmp_path / "town.toml"
    place.write_text("mine")
    with pytest.raises(InputError, match=r"town\.toml: the file exists already: expected a new name; force = true"):
        imported.write(place)
    assert place.read_text() == "mine"
    imported.write(place, force=True)
    assert place.read_text() != "mine"
    with pytest.raises(InputError, match="its folder does not exist: expected a folder that exists"):
        imported.write(tmp_path / "none" / "town.toml")
    with pytest.raises(InputError, match="this is a folder"):
        imported.write(tmp_path, force=True)
    assert [p.name for p in tmp_path.iterdir()] == ["town.toml"]


def test_names_from_the_file_are_made_fit_for_a_line(saved):
    ring = {"type": "Polygon", "name": 'A\n"B\\\ud800\x7f ' + "x" * 99, "coordinates": [rect(0, 0, 30, 90)]}
    districts = {"type": "GeometryCollection", "id": "districts", "geometries": [ring]}
    imported = import_map(saved(town(rect(0, 0, 20, 20), districts=districts)))
    assert imported.buildings[0].name == 'A "B\\ ' + "x" * 54 + " 1"
    assert tomllib.loads(imported.text()) == imported.document


def test_without_shapely_the_import_says_what_to_install():
    code = (
        "import sys; sys.modules['shapely'] = None\n"
        "from firesim.core.problems import InputError\n"
        "from firesim.mapfiles.import_map import import_map\n"
        "try: import_map(sys.argv[1])\n"
        "except InputError as error: print(error)\n"
    )
    path = LOOKALIKES / "city.json"
    done = subprocess.run(
        [sys.executable, "-c", code, path], capture_output=True, text=True, check=True, cwd=LOOKALIKES.parents[2]
    )
    assert done.stdout == (
        "maps drawn as polygons need the library shapely, which is not installed; pip install 'firesim[maps]'\n"
    )


# Properties

numbers = st.floats(-150, 150, allow_nan=False)
rings = st.lists(st.tuples(numbers, numbers).map(list), min_size=0, max_size=7)


def read(document):
    """The plan of a document, or None, and the problems told."""
    try:
        return watabou.read_plan(document, "town.json", Report()), []
    except InputError as error:
        return None, [str(problem) for problem in error.problems]


@settings(max_examples=150, deadline=None)
@given(st.lists(rings, min_size=1, max_size=6))
def test_random_outlines_conserve_area_and_never_crash(drawn):
    import shapely

    plan, problems = read(town(*drawn))
    if plan is None:
        assert "the map holds no buildings" in problems[0]
        return
    polygons = np.array([b.polygon for b in plan.buildings], dtype=object)
    grid = grid_over(tuple(shapely.total_bounds(polygons)))
    shares = overlay(grid, polygons)
    area = np.bincount(shares.shape, weights=shares.size, minlength=len(polygons))
    assert area == pytest.approx(shapely.area(polygons), abs=1e-3)
    hexes = building_hexes(grid, polygons)
    assert hexes.cover.sum() * HEX_M2 == pytest.approx(shapely.union_all(polygons).area, rel=1e-6, abs=1e-3)
    for building in range(len(polygons)):
        sharing = any(building in members for members in hexes.members.values())
        assert (hexes.owner == building).any() or sharing or polygons[building].area < 1e-3


@settings(max_examples=60, deadline=None)
@given(st.recursive(st.none() | st.booleans() | st.floats() | st.text(max_size=3), st.lists, max_leaves=12))
def test_any_rubbish_in_a_layer_is_read_or_refused(rubbish):
    for layer in ("buildings", "roads", "trees", "districts", "walls", "squares"):
        for kind in ("MultiPolygon", "Polygon", "LineString", "GeometryCollection", "MultiPoint"):
            feature = {"type": kind, "id": layer, "coordinates": rubbish, "geometries": rubbish}
            _, problems = read(town(rect(0, 0, 20, 20), more=feature))
            assert all(problem.startswith("town.json: features") for problem in problems)


def test_a_large_outline_cut_into_tiles_has_the_same_shares():
    import shapely

    circle = shapely.Point(3.0, 4.0).buffer(300.0, quad_segs=200)
    grid = grid_over(circle.bounds)
    shares = overlay(grid, np.array([circle], dtype=object))
    assert shares.size.sum() == pytest.approx(circle.area, rel=1e-9)
    whole = shares.size > HEX_M2 - 1e-6
    assert whole.sum() == pytest.approx(math.pi * 300**2 / HEX_M2, rel=0.05)
    assert len(set(shares.cell.tolist())) == len(shares.cell)
    line = shapely.LineString([(-290, -290), (290, 290), (290, -290)])
    run = overlay(grid, np.array([line], dtype=object), lengths=True)
    assert run.size.sum() == pytest.approx(line.length, rel=1e-9)


def test_texts_without_end_and_tangled_outlines_are_refused_fast(saved):
    began = time.perf_counter()
    assert problems_of(saved('["' + '\\"' * 2_000_000)) == [
        "town.json:1:2: this is not JSON (Unterminated string starting at): expected a map saved as JSON"
    ]
    star = [[round(900 * math.cos(2.5 * i), 3), round(900 * math.sin(2.5 * i), 3)] for i in range(1500)]
    assert problems_of(saved(town(star))) == [
        "town.json: features[1].coordinates[0]: this outline of 1,500 corners crosses itself: "
        "expected outlines that do not cross themselves"
    ]
    heap = [rect(x / 100, 0, 20, 20) for x in range(150)]
    assert problems_of(saved(town(*heap))) == [
        "150 buildings meet in one hex of 10 yards: expected at most 100; "
        "check the unit of length, or export buildings that do not overlap"
    ]
    assert time.perf_counter() - began < 10
