"""Plans from study files, Python and the command line: what varies, what is checked, what is refused."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import firesim
from firesim.core.problems import InputError
from firesim.studies.asked import parse_vary
from firesim.studies.plan import Plan
from tests.studies.plans import RIVERSIDE, ROOT, SEED, SMALL, STREET, plan, sweep

ARMOUR = "map.legend.h.armour"


def refused(make: Any) -> str:
    with pytest.raises(InputError) as error:
        make()
    return str(error.value)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for path in (STREET, RIVERSIDE):
        shutil.copy(path, tmp_path)
    return tmp_path


def study_file(text: str) -> str:
    Path("study.toml").write_text(text, encoding="utf-8")
    return "study.toml"


# ------------------------------------------------------------------------------------------------------- study files
def test_a_study_file_says_all(desk: Path) -> None:
    file = study_file("""
scenario = "street.toml"
title = "Winds"
replicates = 20
first_replicate = 5
seed = 3
keep = ["curves"]
[set]
weather.moisture = "damp"
[vary]
weather.wind = ["none", "E"]
tables.material."wattle and daub" = { from = 1, to = 3 }
"map.legend.h.st" = [10, 20, 30]
[range]
map.legend.t.st = [10, 5, 20]
""")
    made = plan(file, replicates=None, seed=None)
    assert (made.title, made.replicates, made.first_replicate, made.seed, made.keep) == ("Winds", 20, 5, 3, ("curves",))
    daub = "tables.material.wattle and daub"
    assert made.keys == ("weather.wind", daub, "map.legend.h.st", "map.legend.t.st")
    assert len(made.cases) == 2 * 3 * 3 * 3
    assert made.values[1] == {"weather.wind": "none", daub: 1, "map.legend.h.st": 10, "map.legend.t.st": 15}
    document = made.document(len(made.cases) - 1)
    assert document["weather"] == {"wind": "E", "moisture": "damp"}
    assert document["tables"]["material"]["wattle and daub"] == 3
    assert (document["map"]["legend"]["h"]["st"], document["map"]["legend"]["t"]["st"]) == (30, 20)
    assert plan(file, replicates=7, seed=4).replicates == 7, "what is asked for goes before the file"


def test_an_inline_scenario_pairs_and_a_design(desk: Path) -> None:
    file = study_file("""
replicates = 5
[scenario]
system = "town"
map = { rows = ["h h"], legend = { h = { armour = 2, st = 6 } } }
ignite = [{ cell = [0, 0], alight = true }]
[[pair]]
map.legend.h.armour = [1, 2]
map.legend.h.st = [6, 12]
""")
    assert plan(file).values == ({ARMOUR: 1, "map.legend.h.st": 6}, {ARMOUR: 2, "map.legend.h.st": 12})
    text = Path(file).read_text().replace("[[pair]]", "[design]\nkind = 'sobol'\ncases = 8\n[vary]")
    values = plan(study_file(text)).values
    assert len(values) == 8
    assert {v[ARMOUR] for v in values} == {1, 2}


def test_maps_and_scenarios_may_vary(desk: Path) -> None:
    for name, rows in (("a", ["h h"]), ("b", ["h h h"])):
        Path(f"{name}.toml").write_text(f"rows = {rows}\nlegend = {{ h = {{ armour = 2, st = 6 }} }}\n")
    Path("town.toml").write_text('system = "town"\nmap = "a.toml"\nignite = [{ cell = [0, 0], alight = true }]\n')
    made = plan(study_file('scenario = "town.toml"\n[vary]\nmap = ["a.toml", "b.toml"]\n'))
    assert [made.prepared(case).shape for case in (0, 1)] == [(1, 2), (1, 3)]
    assert made.values == ({"map": "a.toml"}, {"map": "b.toml"})
    fires = firesim.study("study.toml", 20, seed=1)
    assert fires.map_of(1, "burn_probability").shape == (1, 3)
    assert "maps of different sizes" in refused(lambda: fires.maps["burn_probability"])
    both = plan(study_file('compare = ["town.toml", "street.toml"]\n'))
    assert both.values == ({"scenario": "town.toml"}, {"scenario": "street.toml"})
    assert both.left_out == ("inn_lit_at", "inn_lost", "oil_seller_lit_at", "oil_seller_lost")
    assert both.columns == plan("town.toml").columns


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('scenario = "street.toml"\nreplicate = 3\n', "study.toml:2:1: unknown key 'replicate'"),
        ('scenario = "street.toml"\nreplicates = "3"\n', "study.toml:2:1: replicates is '3': expected a whole number"),
        ('scenario = "streets.toml"\n', "streets.toml: there is no such file; did you mean 'street.toml'?"),
        ('scenario = "street.toml"\ncompare = ["a", "b"]\n', "study.toml:2:1: both scenario and compare are given"),
        ('compare = ["street.toml"]\n', "study.toml:1:1: compare names 1 scenarios: expected two or more"),
        ('scenario = "street.toml"\n[vary]\nweather.wind = []\n', "study.toml:3:9: 'weather.wind' varies over"),
        ('scenario = "street.toml"\n[range]\nmap.legend.h.st = [1, 2]\n', "expected [from, step, to]"),
        ('scenario = "street.toml"\n[design]\nkinds = "sobol"\n', "study.toml:3:1: unknown key 'kinds'"),
        ('scenario = "street.toml"\nkeep = ["map"]\n', "unknown word 'map': expected maps or curves"),
        ('scenario = "street.toml"\nuntil = "steps:0"\n', "half-width '0' of steps: expected a number above 0"),
        ('scenario = "street.toml"\nuntil = "step:1"\n', "no outcome 'step'"),
        ('scenario = "street.toml"\nuntil = "steps:1"\nuntil_decided = "steps"\n', "two stopping rules"),
        ('scenario = "street.toml"\n[[pair]]\n', "a pair of nothing"),
        ("scenario = 3\n", "study.toml:1:1: scenario is 3"),
        ("[vary]\nweather.wind = ['E']\n", "study.toml:1:1: a study file without scenario: expected scenario ="),
        ('scenario = "../a.toml"\n', "or put the study file into a folder around both"),
        ('scenario = "street.toml"\n[vary]\nmap = ["../a.toml"]\n', "file's folder or below it; copy the map there"),
        ('scenario = "street.toml"\nseed = -1\n', "study.toml:2:1: seed -1: expected a whole number from 0"),
        ('scenario = "street.toml"\n[design]\nkind = "sobel"\n', "study.toml:3:1: there is no design 'sobel'"),
        ('scenario = "street.toml"\n[design]\nkind = "sobol"\ncases = 3\n', "study.toml:4:1: 3 Sobol points"),
        ('scenario = "street.toml"\n[set]\nsteps = 3\n[vary]\nsteps = [1, 2]\n', "'steps' is set and varies too"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_study_file_is_told_in_its_place(desk: Path, text: str, told: str) -> None:
    assert told in refused(lambda: plan(study_file(text), replicates=None))


def test_all_that_is_wrong_with_a_study_file_is_told_at_once(desk: Path) -> None:
    told = refused(lambda: plan(study_file("""scenario = "street.toml"
colour = 3
seed = -1
replicates = 0
[vary]
weather.wind = ["none", "Q"]
weather.winds = ["E"]
map.legend.h.st = { from = 1, step = 0, to = 4 }
[design]
kind = "sobel"
seed = -4
"""), replicates=None, seed=None)).splitlines()  # fmt: skip
    begins = [
        "study.toml:2:1",
        "study.toml:3:1",
        "study.toml:4:1",
        "study.toml:8:",
        "study.toml:10:1",
        "study.toml:11:1",
    ]
    assert [line.startswith(begin) for line, begin in zip(told, begins, strict=False)] == [True] * 6, told
    assert "there is no wind 'Q'" in told[6]
    assert "there is no 'winds'" in told[7]
    assert len(told) == 8
    elsewhere = refused(lambda: plan(study_file('scenario = "street.toml"\nseed = -1\ncompare = []\n')))
    assert "seed -1" in elsewhere
    assert "both scenario and compare" in elsewhere


# ------------------------------------------------------------------------------------------------------------- cases
@pytest.mark.parametrize(
    ("words", "told"),
    [
        ({"vary": 3}, "vary is 3: expected a dict"),
        ({"vary": ["a"]}, "vary is ['a']: expected a dict"),
        ({"vary": {5: [1]}}, "5 varies: expected a dotted key"),
        ({"pairs": [3]}, "pairs is [3]: expected a list of dicts"),
        ({"pairs": {"steps": [1]}}, "expected a list of dicts"),
        ({"compare": 3}, "compare is 3: expected a list of scenarios"),
        ({"keep": "maps"}, "keep is 'maps': expected a list of maps or curves"),
        ({"keep": ["map"]}, "unknown word 'map' in keep: expected maps or curves"),
        ({"until": 3}, "until is 3: expected a text"),
        ({"until_decided": "steps"}, "one case: nothing to decide"),
        ({"vary": {"steps": [1, 2]}, "changes": {"steps": 3}}, "'steps' is set and varies too"),
    ],
)
def test_what_has_another_shape_than_it_can_have(words: dict[str, Any], told: str) -> None:
    assert told in refused(lambda: firesim.study(SMALL, 5, seed=SEED, **words))


def test_a_range_that_misses_its_end_is_a_warning() -> None:
    with pytest.warns(UserWarning, match="'steps' ends at 7: steps of 3 from 1 miss 9"):
        firesim.study(SMALL, 2, seed=SEED, vary={"steps": {"from": 1, "step": 3, "to": 9}})


def test_another_map_is_a_change_as_any(desk: Path) -> None:
    Path("long.toml").write_text("rows = ['h h h h h h']\nlegend = { h = { armour = 2, st = 6 } }\n")
    small = SMALL | {"watch": []}
    scenario = firesim.load(small, {"map": "long.toml", "map.legend.h.st": 9})
    assert (scenario.document["map"]["rows"], scenario.document["map"]["legend"]["h"]["st"]) == (["h h h h h h"], 9)
    made = plan(small, changes={"map": "long.toml"}, vary={"map.legend.h.st": [6, 9]})
    assert [made.prepared(case).shape for case in (0, 1)] == [(1, 6), (1, 6)]
    assert made.document(1) == scenario.document
    assert "there is no such file" in refused(lambda: firesim.load(small, {"map": "nowhere.toml"}))


def test_problems_of_all_cases_are_told_once_each() -> None:
    told = refused(lambda: plan(vary={"weather.wind": ["E", "Q", "X"], ARMOUR: [1, 2, 3]}))
    lines = told.splitlines()
    assert len(lines) == 2
    assert "there is no wind 'Q'" in lines[0]
    assert 'where weather.wind = "Q", map.legend.h.armour = 1, and in 2 more cases' in lines[0]


@pytest.mark.parametrize(
    ("vary", "told"),
    [
        (
            {"weather.winds": ["E", "W"]},
            "there is no 'winds' in 'weather': expected moisture or wind; did you mean 'wind'?",
        ),
        ({"weather.wind": []}, "'weather.wind' varies over an empty list"),
        ({"weather.wind": {"from": 1, "to": 10**12}}, "this makes about 10^12 cases"),
        ({"map.legend.q.st": [1]}, "there is no 'q' in 'map.legend'"),
        ({"map": ["nowhere.toml"]}, "nowhere.toml: there is no such file"),
    ],
)
def test_what_cannot_vary(vary: dict[str, Any], told: str) -> None:
    assert told in refused(lambda: firesim.study(SMALL, 5, vary=vary))


def test_too_many_fires_and_maps_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "at most 1,000,000,000 fires in all" in refused(lambda: sweep(replicates=10**9))
    monkeypatch.setattr("firesim.studies.plan.MAP_BYTES_MOST", 2000)
    assert "the maps of 6 cases would take" in refused(sweep)
    assert len(sweep(keep=["curves"]).cases) == 6


def test_rows_name_what_varies_each_in_its_own_type() -> None:
    fires = firesim.study(SMALL, 4, seed=SEED, vary={"weather.wind": ["none", "E"], "steps": [3, 50]})
    assert fires.outcomes.dtype.names is not None
    assert fires.outcomes.dtype.names[:5] == ("case", "replicate", "weather.wind", "varied.steps", "steps")
    assert fires.outcomes["weather.wind"].tolist() == ["none"] * 8 + ["E"] * 8
    assert fires.outcomes["varied.steps"].tolist() == ([3] * 4 + [50] * 4) * 2
    assert fires.outcomes["case"].tolist() == [c for c in range(4) for _ in range(4)]


def test_every_case_burns_the_fires_that_it_burns_alone() -> None:
    vary = {ARMOUR: [1, 2, 4], "weather.wind": ["none", "E"]}
    fires = firesim.study(SMALL, 40, seed=SEED, vary=vary, workers=2)
    for case, values in enumerate(fires.cases):
        alone = firesim.study(SMALL, 40, seed=SEED, changes=values)
        rows = fires.outcomes[fires.outcomes["case"] == case]
        assert all(np.array_equal(rows[c], alone.outcomes[c]) for c in fires.columns), values
        for name in alone.maps:
            assert np.array_equal(fires.map_of(case, name), alone.maps[name][0], equal_nan=True), name
        curve = fires.curves["lit"][case]
        assert curve[-1] == alone.counts.counts[0, :-1].sum()
        assert np.array_equal(curve[: alone.curves["lit"].shape[1]], alone.curves["lit"][0])


def test_curves_count_what_happened_by_each_step() -> None:
    fires = firesim.study(SMALL, 30, seed=SEED)
    at = np.array([firesim.run(SMALL, seed=SEED, replicate=k).state.cells["at"][:-1] for k in range(30)])
    for place, record in enumerate(fires.prepared.system.records):
        curve = fires.curves[record.removesuffix("_at")][0]
        times = at[:, :, place][at[:, :, place] >= 0]
        assert curve.tolist() == [int((times <= step).sum()) for step in range(len(curve))], record
        assert curve[-1] == len(times)


# ------------------------------------------------------------------------------------------------ on the command line
@pytest.mark.parametrize(
    ("text", "key", "values"),
    [
        ("weather.wind=none,E", "weather.wind", ["none", "E"]),
        ("a=1,2, 3", "a", [1, 2, 3]),
        ("a=1", "a", [1]),
        ('tables.material."wattle and daub"=1,2', 'tables.material."wattle and daub"', [1, 2]),
        ('a="x,y",z', "a", ["x,y", "z"]),
        ("a=[0, 1],[2, 3]", "a", [[0, 1], [2, 3]]),
        ("a=true,false", "a", [True, False]),
        ("a=1:4", "a", [1, 2, 3, 4]),
        ("a=0:0.5:1", "a", [0.0, 0.5, 1.0]),
        ("a=4:-2:0", "a", [4, 2, 0]),
        ("a={ from = 1, to = 3 }", "a", [1, 2, 3]),
    ],
)
def test_what_varies_on_the_command_line(text: str, key: str, values: list[Any]) -> None:
    from firesim.studies.designs import values_of

    found, written = parse_vary(text)
    assert (found, list(values_of(found, written))) == (key, values)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("weather.wind", "--vary weather.wind: expected key=a,b,c"),
        ("a=", "'a' varies over an empty list"),
        ("a=1,,2", "'a' varies over an empty value"),
        ("a=1:0:4", "the range of 'a' has step 0"),
        ("=1", "is not a key"),
    ],
)
def test_what_cannot_vary_on_the_command_line(text: str, told: str) -> None:
    assert told in refused(lambda: parse_vary(text))


def test_shipped_study_files_are_plans() -> None:
    files = sorted((ROOT / "maps").glob("*.study.toml"))
    assert files
    for file in files:
        made = plan(file, replicates=None)
        assert isinstance(made, Plan)
        assert len(made.cases) > 1
