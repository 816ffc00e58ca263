"""Everything that can be wrong with a ship scenario, each with its message, and all at once."""

import pytest

from firesim.rules.ship.check import check
from firesim.rules.ship.words import Ship
from tests.rules.ship.good_ship import GOOD

but, adding, event, rows, legend = GOOD.but, GOOD.adding, GOOD.event, GOOD.rows, GOOD.legend


def person(**keys):
    return adding("crew", {"name": "Fitz", "cell": [1, 1], "health": 5, **keys})


def item(**keys):
    return adding("item", {"kind": "cargo", "cell": [1, 1], **keys})


def watch(**keys):
    return adding("watch", {"name": "stern", "cells": [[2, 1]], **keys})


def test_a_good_scenario_has_no_problems():
    ship, problems = check(GOOD.document)
    assert problems == []
    assert isinstance(ship, Ship)
    assert ship.crew[0].square == (0, 2)
    assert ship.crew[3].path == [(1, 1), (1, 2)]


@pytest.mark.parametrize(
    "keys",
    [
        {"cell": [2, 1], "square": [1, 1]},  # two people in one square
        {"order": []},
        {"order": ["open door", "hold door", "extinguish all"]},
        {"order": "station module"},
        {"order": "carry", "target": "Ada"},
        {"health": 1_000_000, "engineering": 1000, "luck": 2, "tentac": True, "eva": True, "spacewalking": True},
    ],
)
def test_what_the_rules_allow_is_no_problem(keys):
    assert check(person(**keys))[1] == []


SPACE = "is space, outside the hull: expected a module of the map"
OFF = "lies off the map: expected a row from 0 to 2 and a column from 0 to 2; the map has 3 x 3 cells, counted from 0"
MEN, THINGS, EVENT = "crew[5]", "item[2]", "event[4]"
CASES = {
    # words
    "system": (but("system", value="town"), "system: system is 'town': expected ship"),
    "unknown key": (but(crews=[]), "crews: unknown key 'crews': expected system, title, seed"),
    "its nearest": (but(crews=[]), "did you mean 'crew'?"),
    "no map": ({"system": "ship"}, "map: the key 'map' is missing: expected a table"),
    "map is no table": (but("map", value=3), "map: map is 3: expected a table"),
    "one bracket": (
        but("crew", value={"name": "A"}),
        "crew: crew is a table: expected a list of tables; write [[crew]]",
    ),
    "steps": (but("steps", value=-1), "steps: steps is -1: expected a whole number from 0 to 100000"),
    "title": (but("title", value="a" * 201), "title: title has 201 characters: expected at most 200"),
    "title steers": (but("title", value="a\x1b[31m"), "title: title holds the control character \\x1b"),
    "seed": (but("seed", value=10**5000), "seed: seed is a number too large to hold"),
    # map
    "empty map": (rows(), "map.rows: the map is empty"),
    "no module": (
        {"system": "ship", "map": {"rows": [". ."]}},
        "map.rows: the map has no module: expected at least one symbol of the legend",
    ),
    "ragged": (
        rows(". h .", "c l", ". e ."),
        "map.rows[1]: row 1 of the map has 2 symbols: expected 3, as most rows have",
    ),
    "symbol": (rows(". h .", "c l x", ". e ."), "map.rows[1]: the legend has no symbol 'x', at (1, 2)"),
    "its place": (rows(". h .", "c l x", ". e ."), "describe 'x' in [map.legend]\n  c l x\n      ^"),
    "grid": (but("map", "grid", value="hex"), "map.grid: grid is 'hex': expected modules"),
    "legend key": (
        legend("h", door=True),
        "map.legend.h.door: unknown key 'door': expected module, external_door or broken",
    ),
    "a module of no name": (legend("h", module=3), "map.legend.h.module: module is 3: expected a text in quotes"),
    "module steers": (legend("h", module="a\x07"), "map.legend.h.module: module holds the control character \\x07"),
    "module long": (legend("h", module="a" * 101), "map.legend.h.module: module has 101 characters"),
    "full stop": (legend(".", module="x"), "map.legend..: '.' is space on every map of modules: expected no '.'"),
    "blank": (legend("a b"), "the symbol 'a b' holds a blank: expected a symbol without blanks"),
    # options, tables
    "option": (but("options", relite=True), "options.relite: unknown key 'relite'"),
    "its near": (but("options", relite=True), "did you mean 'relight'?"),
    "adjacent": (but("options", adjacent=6), "options.adjacent: adjacent is 6: expected 8 or 4"),
    "side": (but("options", side=0), "options.side: side is 0: expected a whole number from 1 to 100"),
    "table": (but("tables", doors={"out_to": 3}), "tables.doors: there is no table 'doors'"),
    "table name": (but("tables", "extinguish", dificulty=3), "did you mean 'difficulty'?"),
    "table range": (
        but("tables", life_support={"phases": 0}),
        "life_support.phases is 0: expected a whole number from 1",
    ),
    # people: who and where
    "in space": (person(cell=[0, 0]), f"{MEN}.cell: cell (0, 0) {SPACE}"),
    "off the map": (person(cell=[0, 7]), f"{MEN}.cell: cell (0, 7) {OFF}"),
    "negative cell": (person(cell=[-1, 0]), f"{MEN}.cell[0]: cell[0] is -1: expected a whole number of at least 0"),
    "no cell": (adding("crew", {"name": "F", "health": 1}), f"{MEN}.cell: the key 'cell' is missing: expected a cell"),
    "square": (
        person(square=[3, 0]),
        f"{MEN}.square: square (3, 0) lies outside the module: expected row and column from 0 to 2; a module has 3 x 3",
    ),
    "short square": (
        person(square=[1]),
        f"{MEN}.square: square is too short: expected a square [row, col] of the module",
    ),
    "no name": (adding("crew", {"cell": [1, 1], "health": 3}), f"{MEN}.name: the key 'name' is missing"),
    "empty name": (
        person(name=" "),
        f"{MEN}.name: the name is empty: expected a name, by which orders can tell who is",
    ),
    "same name": (person(name="Ada"), f"{MEN}.name: crew[0] is called 'Ada' too: expected a name of its own"),
    "name steers": (person(name="A\u202eb"), f"{MEN}.name: name holds the control character \\u202e"),
    "long name": (person(name="x" * 101), f"{MEN}.name: name has 101 characters: expected at most 100"),
    "no health": (
        adding("crew", {"name": "F", "cell": [1, 1]}),
        f"{MEN}.health: the key 'health' is missing: expected a",
    ),
    "health 0": (person(health=0), f"{MEN}.health: health is 0: expected a whole number from 1 to 1000000"),
    "skill": (person(engineering=-1), f"{MEN}.engineering: engineering is -1: expected a whole number from 0 to 1000"),
    "athletics": (
        person(athletics=1001),
        f"{MEN}.athletics: athletics is 1001: expected a whole number from 0 to 1000",
    ),
    "quoted": (person(engineering="2"), f"{MEN}.engineering: engineering is '2'"),
    "person key": (person(engineerin=2), "did you mean 'engineering'?"),
    "crowd": (but("crew", value=[{}] * 10_001), "crew: there are 10,001 people: expected at most 10,000"),
    # people: orders
    "order": (person(order="extinguish modul"), "did you mean 'extinguish module'?"),
    "order listed": (
        person(order=["open door", "extingush all"]),
        f"{MEN}.order[1]: order[1] is 'extingush all': expected none, extinguish module",
    ),
    "two orders": (
        person(order=["extinguish module", "station all"]),
        f"{MEN}.order: Fitz has the orders 'extinguish module' and 'station all' at once: expected one of them",
    ),
    "many orders": (person(order=["open door"] * 13), f"{MEN}.order: Fitz has 13 orders: expected at most 12"),
    "whom": (
        person(order="grapple"),
        f"{MEN}.order: the order 'grapple' of Fitz names nobody: expected target = \"NAME\"",
    ),
    "nobody": (
        person(order="carry", target="Adda", path=[[0, 1]]),
        f"{MEN}.target: there is nobody called 'Adda': expected Ada, Bo, Cyl, Dor or Eff; did you mean 'Ada'?",
    ),
    "himself": (person(order="grapple", target="Fitz"), f"{MEN}.target: Fitz cannot take hold of Fitz"),
    "alone": (
        but("crew", value=[{"name": "Ada", "cell": [1, 1], "health": 3, "order": "grapple", "target": "Bo"}]),
        "crew[0].target: there is nobody called 'Bo': expected somebody else in [[crew]]",
    ),
    "grapple a module": (
        person(order="grapple", target=[1, 0]),
        f"{MEN}.target: the target of 'grapple' is a cell: expected the name of a person",
    ),
    "put out a person": (
        person(order="station module", target="Ada"),
        f"{MEN}.target: the target of 'station module' is a name: expected a module [row, col]",
    ),
    "target of no kind": (
        person(order="grapple", target=3),
        f"{MEN}.target: target is 3: expected a text in quotes or a cell [row, col]",
    ),
    "target in space": (person(order="station module", target=[0, 0]), f"{MEN}.target: cell (0, 0) {SPACE}"),
    "target off": (person(order="station all", target=[9, 0]), f"{MEN}.target: cell (9, 0) {OFF}"),
    "stray target": (
        person(order="extinguish module", target=[1, 1]),
        f"{MEN}.target: no order of Fitz takes a target: expected one of grapple, carry, station module or station all",
    ),
    "no path": (
        person(order="move"),
        f"{MEN}.order: the order 'move' of Fitz has no path: expected path = [[row, col]",
    ),
    "wrong path": (person(order="move", path=3), f"{MEN}.path: path is 3: expected a list of cells [row, col]"),
    "stray path": (person(path=[[0, 1]]), f"{MEN}.path: no order of Fitz takes a path: expected one of move or carry"),
    "jump": (
        person(order="move", path=[[0, 1], [2, 1]]),
        f"{MEN}.path[1]: (2, 1) does not lie beside (0, 1): expected the next module; a path leads forward, aft",
    ),
    "first jump": (person(order="move", path=[[1, 1]]), f"{MEN}.path[0]: (1, 1) does not lie beside (1, 1)"),
    "diagonal": (
        person(order="carry", target="Bo", path=[[0, 1], [1, 2]]),
        f"{MEN}.path[1]: (1, 2) does not lie beside",
    ),
    "path out": (person(order="move", path=[[0, 1], [0, 0], [2, 1]]), f"{MEN}.path[1]: cell (0, 0) {SPACE}"),
    "path off": (person(order="move", path=[[0, 1], [0, 7], [2, 1]]), f"{MEN}.path[1]: cell (0, 7) {OFF}"),
    "from space": (person(cell=[0, 0], order="move", path=[[2, 1]]), f"{MEN}.cell: cell (0, 0) {SPACE}"),
    "long path": (
        person(order="move", path=[[0, 1], [1, 1]] * 5001),
        f"{MEN}.path: the path of Fitz has 10,002 modules: expected at most 10,000",
    ),
    # things
    "kind": (
        item(kind="barel"),
        f"{THINGS}.kind: kind is 'barel': expected barrel, cargo or personal; did you mean 'barrel'?",
    ),
    "thing in space": (item(cell=[0, 0]), f"{THINGS}.cell: cell (0, 0) {SPACE}"),
    "thing off": (item(cell=[3, 0]), f"{THINGS}.cell: cell (3, 0) {OFF}"),
    "thing's square": (item(square=[0, 3]), f"{THINGS}.square: square (0, 3) lies outside the module"),
    "thing steers": (item(name="a\nb"), f"{THINGS}.name: name holds the control character \\n"),
    "heap": (but("item", value=[{}] * 10_001), "item: there are 10,001 items: expected at most 10,000"),
    # ignitions, events
    "ignite space": (adding("ignite", {"cell": [2, 0]}), f"ignite[2].cell: cell (2, 0) {SPACE}"),
    "ignite off": (adding("ignite", {"cell": [0, 9]}), f"ignite[2].cell: cell (0, 9) {OFF}"),
    "ignite inside": (
        adding("ignite", {"cell": [1, 1], "inside": True}),
        "unknown key 'inside': expected cell, step or",
    ),
    "event ignite": (
        event(kind="ignite", cell=[1, 1]),
        f"{EVENT}.kind: kind is 'ignite': expected weapon, douse, demolish or door; write [[ignite]] with",
    ),
    "event wind": (
        event(kind="wind", cell=[1, 1]),
        f"{EVENT}.kind: kind is 'wind': expected weapon, douse, demolish or",
    ),
    "no place": (event(kind="weapon"), f"{EVENT}: an event of kind 'weapon' names no place: expected cell or cells"),
    "two places": (
        event(kind="door", cell=[1, 0], cells=[[1, 0]]),
        f"{EVENT}.cells: an event of kind 'door' names its place twice",
    ),
    "no cells": (event(kind="door", cells=[]), f"{EVENT}.cells: cells is an empty list"),
    "cell twice": (
        event(kind="door", cells=[[1, 1], [1, 1]]),
        f"{EVENT}.cells: cells names (1, 1) twice: expected each once",
    ),
    "event in space": (event(kind="douse", cells=[[1, 1], [0, 0]]), f"{EVENT}.cells[1]: cell (0, 0) {SPACE}"),
    "phase 0": (event(kind="douse", step=0, cell=[1, 1]), f"{EVENT}.step: step is 0: expected a whole number from 1"),
    # watches
    "no watch": (watch(cells=[]), "watch[1].cells: cells is an empty list: expected at least one cell"),
    "watch space": (watch(cells=[[0, 0]]), f"watch[1].cells[0]: cell (0, 0) {SPACE}"),
    "same watch": (watch(name="Bow"), "watch[1].name: watch[0] is called 'Bow' too"),
    "bad watch": (watch(name="the bow"), "watch[1].name: 'the bow' cannot name a watch"),
    "column": (watch(name="deaths"), "'deaths' cannot name a watch: every ship has a column 'deaths'"),
    "made column": (watch(name="Ship"), "'Ship' cannot name a watch: every ship has a column 'ship_lost'"),
    "a building": (watch(building="x"), "watch[1].building: unknown key 'building': expected name or cells"),
}


@pytest.mark.parametrize(("document", "message"), CASES.values(), ids=CASES)
def test_one_thing_wrong_is_one_problem(document, message):
    ship, problems = check(document)
    assert ship is None
    assert [message in str(p) for p in problems] == [True], [str(p) for p in problems]


def test_all_problems_are_told_at_once_words_and_meaning_alike():
    document = {
        "system": "ship",
        "titel": "x",
        "map": {"rows": ["a b", "a"], "legend": {"a": {"module": 3}}},
        "options": {"side": "3", "relight": 1},
        "ignite": [{"cell": [5, 5], "step": 0}, {"cell": [7, 7]}],
        "event": [{"step": 0, "kind": "wind"}, {"step": 1, "kind": "douse", "cell": [8, 8], "wind": "E"}],
        "crew": [
            {"name": "", "cell": [9, 0], "square": [5, 5], "health": 0, "engineering": -1, "order": "grapple"},
            {"name": "Ada", "cell": [0, 0], "health": 1, "order": "fly", "target": "Bo", "path": [[7, 7]]},
        ],
        "item": [{"kind": "box", "cell": [9, 9]}],
        "watch": [{"name": "damage", "cells": [[9, 9]], "colour": 1}],
        "tables": {"door": {"out": 1, "out_to": "x"}},
    }
    wheres = {p.where for p in check(document)[1]}
    assert wheres == {
        ("titel",),
        ("map", "rows", 0),
        ("map", "rows", 1),
        ("map", "legend", "a", "module"),
        ("options", "side"),
        ("options", "relight"),
        ("ignite", 0, "step"),
        ("ignite", 0, "cell"),
        ("ignite", 1, "cell"),
        ("event", 0, "step"),
        ("event", 0, "kind"),
        ("event", 1, "cell"),
        ("event", 1, "wind"),
        ("crew", 0, "name"),
        ("crew", 0, "cell"),
        ("crew", 0, "square"),
        ("crew", 0, "health"),
        ("crew", 0, "engineering"),
        ("crew", 0, "order"),
        ("crew", 1, "order"),
        ("crew", 1, "path", 0),
        ("item", 0, "kind"),
        ("item", 0, "cell"),
        ("watch", 0, "name"),
        ("watch", 0, "cells", 0),
        ("watch", 0, "colour"),
        ("tables", "door", "out"),
        ("tables", "door", "out_to"),
    }


def test_a_wrong_word_does_not_hide_the_rest_of_its_block():
    wheres = [p.where for p in check(event(kind="door", step=0, cell=[9, 9]))[1]]
    assert wheres == [("event", 4, "step"), ("event", 4, "cell")]
    wheres = [p.where for p in check(person(health=0, cell=[0, 0]))[1]]
    assert wheres == [("crew", 5, "health"), ("crew", 5, "cell")]


def test_a_million_people_are_one_problem_and_soon_told():
    one = {"name": "x", "cell": [1, 1], "health": 3, "order": "grapple", "target": "y"}
    (problem,) = check(but("crew", value=[one] * 10**6))[1]
    assert str(problem) == "crew: there are 1,000,000 people: expected at most 10,000"


def test_ten_thousand_wrong_targets_are_told_without_a_nearest_name_for_each():
    crew = [{"name": f"n{i}", "cell": [1, 1], "health": 3, "order": "grapple", "target": f"m{i}"} for i in range(10**4)]
    problems = check(but("crew", value=crew))[1]
    assert len(problems) == 10**4
    assert 0 < sum("did you mean" in problem.hint for problem in problems) <= 20
