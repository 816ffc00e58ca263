"""Everything that can be wrong with a town scenario, each with its message, and all at once."""

import tomllib
from pathlib import Path

import pytest

from firesim.rules.town.check import check
from firesim.rules.town.words import Town
from tests.rules.documents import Good

GOOD = Good(
    {
        "system": "town",
        "title": "Mill Lane",
        "map": {
            "rows": ["m m . w", " s s s .", "m . . s"],
            "legend": {
                "m": {"building": "mill", "material": "brick", "roof": "clay tile", "floors": 2},
                "s": {"building": "shed", "accelerant": ["oil", {"kind": "pitch", "several": True}]},
                "w": {"ground": "water"},
                "q": {"building": "quay"},
            },
            "gaps": {"default": 2, "between": [{"cells": [[0, 0], [1, 0]], "gap": 3}]},
        },
        "weather": {"moisture": "arid", "wind": "E"},
        "ignite": [{"cell": [0, 0]}, {"cell": [1, 2], "step": 4, "alight": True}],
        "event": [
            {"step": 2, "kind": "wind", "wind": "die"},
            {"step": 2, "kind": "moisture", "moisture": "damp"},
            {"step": 2, "kind": "wet", "cells": [[0, 0], [1, 1]]},
            {"step": 2, "kind": "wet", "building": "mill", "moisture": "damp"},
            {"step": 3, "kind": "accelerant", "accelerant": "Spirits", "several": True, "building": "shed"},
            {"step": 3, "kind": "demolish", "cell": [1, 0]},
            {"step": 5, "kind": "ignite", "cell": [2, 3], "inside": True},
            {"step": 5, "kind": "ignite", "cells": [[2, 3]]},
        ],
        "watch": [{"name": "church", "building": "mill"}, {"name": "yard", "cells": [[2, 3]]}],
        "tables": {"material": {"brick": 5}},
    }
)
but, adding, event, rows, legend = GOOD.but, GOOD.adding, GOOD.event, GOOD.rows, GOOD.legend


def between(*items):
    return but("map", "gaps", "between", value=[{"cells": cells, "gap": gap} for cells, gap in items])


def test_a_good_scenario_has_no_problems():
    town, problems = check(GOOD.document)
    assert problems == []
    assert isinstance(town, Town)
    assert town.ignite[0].cell == (0, 0)
    assert town.map.gaps.between[0].cells == ((0, 0), (1, 0))


EVENT = "event[8]"
CASES = {
    # words
    "system": (but("system", value="ship"), "system: system is 'ship': expected town"),
    "unknown key": (
        but("weather", winds="E"),
        "weather.winds: unknown key 'winds': expected moisture or wind; did you mean 'wind'?",
    ),
    "missing map": ({"system": "town"}, "map: the key 'map' is missing: expected a table"),
    "negative cell": (
        adding("ignite", {"cell": [-1, 0]}),
        "ignite[2].cell[0]: cell[0] is -1: expected a whole number of at least 0",
    ),
    "map is no table": (but("map", value=3), "map: map is 3: expected a table"),
    "huge": (
        but("seed", value=10**5000),
        "seed: seed is a number too large to hold: expected a whole number from 0 to 9223372036854775807",
    ),
    "legend is no table": (but("map", "legend", value=3), "map.legend: legend is 3: expected a table"),
    "a building of no name": (
        legend("m", building=3),
        "map.legend.m.building: building is 3: expected a text in quotes",
    ),
    # rows
    "empty map": ({"system": "town", "map": {"rows": []}}, "map.rows: the map is empty"),
    "ragged": (
        rows("m m . w", "s s s", "m . . s"),
        "map.rows[1]: row 1 of the map has 3 symbols: expected 4, as most rows have",
    ),
    "unknown symbol": (rows("m m . w", "s s s .", "m . S s"), "map.rows[2]: the legend has no symbol 'S', at (2, 2)"),
    "its nearest": (
        rows("m m . w", "s s s .", "m . S s"),
        "expected m, s, w, q or .; did you mean 's'?\n  m . S s\n      ^",
    ),
    # legend
    "material": (
        legend("q", material="brik"),
        "map.legend.q.material: there is no material 'brik': expected light, wooden",
    ),
    "its near": (legend("q", material="brik"), "did you mean 'brick'?"),
    "roof": (
        legend("q", roof="sleet"),
        "map.legend.q.roof: there is no roof 'sleet': expected thatch, cloth, wood shingles",
    ),
    "its near one": (legend("q", roof="sleet"), "did you mean 'slate'?"),
    "accelerant": (legend("q", accelerant="oyl"), "map.legend.q.accelerant: there is no accelerant 'oyl'"),
    "listed": (legend("q", accelerant=["oil", "oyl"]), "map.legend.q.accelerant[1]: there is no accelerant 'oyl'"),
    "placed": (legend("q", accelerant=[{"kind": "x"}]), "map.legend.q.accelerant[0].kind: there is no accelerant 'x'"),
    "twice": (
        legend("q", accelerant=["spirits", {"kind": "alcohol"}]),
        "accelerant[1].kind: 'spirit alcohol' is listed twice",
    ),
    "ground": (legend("q", ground="watter"), "map.legend.q.ground: there is no ground 'watter': expected open, road"),
    "both": (
        legend("q", ground="water", st=3, roof="slate"),
        "map.legend.q: 'q' is both ground (water) and a building (st, roof)",
    ),
    "full stop": (legend(".", st=3), "map.legend..: '.' is open ground on every map: expected no '.' in the legend"),
    "blank": (legend("a b", st=3), "the symbol 'a b' holds a blank: expected a symbol without blanks"),
    "no symbol": (legend("", st=3), "a symbol of the legend is empty"),
    # gaps
    "same": (
        between(([[0, 0], [0, 0]], 1)),
        "map.gaps.between[0].cells: both cells are (0, 0): expected two cells that touch",
    ),
    "apart": (between(([[0, 0], [1, 1]], 1)), "between[0].cells: (0, 0) and (1, 1) do not touch on this pointy map"),
    "gap off": (
        between(([[0, 0], [9, 0]], 1)),
        "between[0].cells[1]: cell (9, 0) lies off the map: expected a row from 0 to 2",
    ),
    "gap open": (between(([[0, 1], [0, 2]], 1)), "between[0].cells[1]: cell (0, 2) is open ground ('.')"),
    "gap twice": (
        between(([[0, 0], [1, 0]], 1), ([[1, 0], [0, 0]], 2)),
        "between[1].gap: the gap between (1, 0) and (0, 0) is 2 here and 1 in between[0]",
    ),
    # weather, options, tables
    "wind": (
        but("weather", wind="EE"),
        "weather.wind: there is no wind 'EE': expected none, die, E, NE, NW, W, SW or SE",
    ),
    "flat wind": (but("weather", wind="N"), "weather.wind: 'N' is a heading of flat maps, and this map is pointy"),
    "weights": (
        but("options", wind_weights=[1] * 5 + [2]),
        "options.wind_weights: wind_weights add up to 7: expected 6",
    ),
    "table": (but("tables", materials={"brick": 3}), "tables.materials: there is no table 'materials'"),
    "table name": (but("tables", "material", brik=3), "tables.material.brik: table 'material' has no 'brik'"),
    "table range": (
        but("tables", collapse={"percent": 101}),
        "collapse.percent is 101: expected a whole number from 0 to 100",
    ),
    # ignitions
    "off": (
        adding("ignite", {"cell": [0, 9]}),
        "ignite[2].cell: cell (0, 9) lies off the map: expected a row from 0 to 2 and a column from 0 to 3",
    ),
    "size": (adding("ignite", {"cell": [0, 9]}), "; the map has 3 x 4 cells, counted from 0"),
    "swapped": (adding("ignite", {"cell": [3, 2]}), "did you mean [2, 3]? the row comes first"),
    "open": (
        adding("ignite", {"cell": [0, 2]}),
        "ignite[2].cell: cell (0, 2) is open ground ('.'): expected a hex of a building",
    ),
    "water": (adding("ignite", {"cell": [0, 3]}), "ignite[2].cell: cell (0, 3) is water ('w')"),
    # events
    "no value": (event(kind="wind"), f"{EVENT}: an event of kind 'wind' lacks 'wind'"),
    "no moisture": (event(kind="moisture"), f"{EVENT}: an event of kind 'moisture' lacks 'moisture'"),
    "no accelerant": (
        event(kind="accelerant", cell=[0, 0]),
        f"{EVENT}: an event of kind 'accelerant' lacks 'accelerant'",
    ),
    "no place": (event(kind="accelerant", accelerant="oil"), f"{EVENT}: an event of kind 'accelerant' names no place"),
    "demolish what": (event(kind="demolish"), "'demolish' names no place: expected cell, cells or building"),
    "ignite what": (event(kind="ignite"), "'ignite' names no place"),
    "places": (
        event(kind="demolish", cell=[0, 0], building="shed"),
        f"{EVENT}.building: an event of kind 'demolish' names its place more than once (cell, building)",
    ),
    "wind place": (
        event(kind="wind", wind="E", cell=[0, 0]),
        f"{EVENT}.cell: 'cell' does not belong to an event of kind 'wind': expected only wind; leave it out",
    ),
    "stray": (event(kind="demolish", cell=[0, 0], moisture="wet"), f"{EVENT}.moisture: 'moisture' does not belong"),
    "stray inside": (event(kind="wet", inside=False), f"{EVENT}.inside: 'inside' does not belong"),
    "event wind": (event(kind="wind", wind="N"), f"{EVENT}.wind: 'N' is a heading of flat maps"),
    "event oil": (
        event(kind="accelerant", accelerant="oyl", cell=[0, 0]),
        f"{EVENT}.accelerant: there is no accelerant 'oyl'",
    ),
    "event off": (event(kind="wet", cells=[[0, 0], [7, 0]]), f"{EVENT}.cells[1]: cell (7, 0) lies off the map"),
    "event open": (event(kind="demolish", cell=[0, 2]), f"{EVENT}.cell: cell (0, 2) is open ground"),
    "no cells": (event(kind="wet", cells=[]), f"{EVENT}.cells: cells is an empty list"),
    "building": (
        event(kind="demolish", building="mil"),
        f"{EVENT}.building: there is no building 'mil': expected mill, quay or shed; did you mean 'mill'?",
    ),
    "not there": (event(kind="demolish", building="quay"), f"{EVENT}.building: building 'quay' has no hex on the map"),
    "several": (
        event(kind="ignite", building="mill"),
        f"{EVENT}.building: building 'mill' has 3 hexes, and an event of kind 'ignite' lights one",
    ),
    "cells": (
        event(kind="ignite", cells=[[0, 0], [0, 1]]),
        f"{EVENT}.cells: an event of kind 'ignite' names 2 cells: expected one hex",
    ),
    "step and more": (
        event(kind="demolish", step=0, cell=[0, 0]),
        f"{EVENT}.step: step is 0: expected a whole number from 1 to 100000",
    ),
    # watches
    "no watch": (adding("watch", {"name": "a"}), "watch[2]: the watch 'a' names no place: expected building or cells"),
    "both watched": (
        adding("watch", {"name": "a", "building": "mill", "cells": [[0, 0]]}),
        "watch[2].cells: the watch 'a' names both",
    ),
    "same name": (
        adding("watch", {"name": "Church", "building": "mill"}),
        "watch[2].name: watch[0] is called 'Church' too",
    ),
    "bad name": (
        adding("watch", {"name": "the church", "building": "mill"}),
        "watch[2].name: 'the church' cannot name a watch",
    ),
    "better name": (adding("watch", {"name": "the church", "building": "mill"}), "did you mean 'the_church'?"),
    "accents": (adding("watch", {"name": "église", "building": "mill"}), "'église' cannot name a watch"),
    "column": (
        adding("watch", {"name": "flare_ups", "building": "mill"}),
        "'flare_ups' cannot name a watch: every town has a column",
    ),
    "watch off": (adding("watch", {"name": "a", "cells": [[9, 9]]}), "watch[2].cells[0]: cell (9, 9) lies off the map"),
    "watch gone": (
        adding("watch", {"name": "a", "building": "shad"}),
        "watch[2].building: there is no building 'shad'",
    ),
}


@pytest.mark.parametrize(("document", "message"), CASES.values(), ids=CASES)
def test_one_thing_wrong_is_one_problem(document, message):
    town, problems = check(document)
    assert town is None
    assert [message in str(p) for p in problems] == [True], [str(p) for p in problems]


def test_a_flat_map_has_its_own_headings_and_neighbours():
    document = but("map", "orientation", value="flat")
    document["weather"]["wind"] = "N"
    document["map"]["gaps"]["between"] = [{"cells": [[1, 0], [0, 1]], "gap": 1}, {"cells": [[0, 0], [1, 1]], "gap": 1}]
    (problem,) = check(document)[1]
    assert problem.what == "(0, 0) and (1, 1) do not touch on this flat map"
    document["weather"]["wind"] = "E"
    said = "".join(str(p) for p in check(document)[1])
    assert "'E' is a heading of pointy maps, and this map is flat" in said


def test_all_problems_are_told_at_once_words_and_meaning_alike():
    document = {
        "system": "town",
        "titel": "x",
        "map": {
            "rows": ["a b", "a"],
            "legend": {"a": {"st": "3", "material": "brik"}},
            "gaps": {"default": -1, "between": [{"cells": [[0, 0], [0, 0]], "gap": 1}]},
        },
        "weather": {"moisture": "moist", "wind": "up"},
        "ignite": [{"cell": [5, 5], "step": 0}, {"cell": [7, 7]}],
        "event": [{"step": 0, "kind": "wind", "wind": 3}, {"step": 1, "kind": "demolish", "cell": [8, 8], "wind": "E"}],
        "watch": [{"name": "lit", "cells": [[9, 9]], "colour": 1}],
        "tables": {"material": {"brik": 1, "brick": "x"}},
    }
    wheres = {p.where for p in check(document)[1]}
    assert wheres == {
        ("titel",),
        ("map", "rows", 0),
        ("map", "rows", 1),
        ("map", "legend", "a", "st"),
        ("map", "legend", "a", "material"),
        ("map", "gaps", "default"),
        ("map", "gaps", "between", 0, "cells"),
        ("weather", "moisture"),
        ("weather", "wind"),
        ("ignite", 0, "step"),
        ("ignite", 0, "cell"),
        ("ignite", 1, "cell"),
        ("event", 0, "step"),
        ("event", 0, "wind"),
        ("event", 1, "cell"),
        ("event", 1, "wind"),
        ("watch", 0, "name"),
        ("watch", 0, "cells", 0),
        ("watch", 0, "colour"),
        ("tables", "material", "brik"),
        ("tables", "material", "brick"),
    }


def test_a_wrong_word_does_not_hide_the_rest_of_its_block():
    wheres = [p.where for p in check(event(kind="demolish", step=0, cell=[9, 9]))[1]]
    assert wheres == [("event", 8, "step"), ("event", 8, "cell")]
    wheres = [p.where for p in check(between(([[0, 0], [0, 0]], 1), ([[0, 0], [1, 0]], -1)))[1]]
    assert wheres == [("map", "gaps", "between", 1, "gap"), ("map", "gaps", "between", 0, "cells")]


def test_shipped_towns_have_no_problems():
    files = sorted(Path(__file__).parents[3].glob("maps/**/*.toml"))
    for file in files:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
        if data.get("system") == "town" and isinstance(data.get("map"), dict):
            assert check(data)[1] == [], file
