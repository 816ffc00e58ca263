"""Scenarios, and changing single keys of them."""

import copy

import numpy as np
import pytest

from firesim.core.problems import InputError
from firesim.core.scenario import Scenario, changed, parse_key, parse_set, plain
from firesim.rules.town.words import Town

DOCUMENT = {
    "system": "town",
    "map": {"rows": ["h"], "legend": {"h": {"st": 10}, "s 1": {"st": 3}}},
    "ignite": [{"cell": [0, 0], "step": 1}],
}


def said(*keys, model=Town, value=1):
    with pytest.raises(InputError) as error:
        changed(DOCUMENT, dict.fromkeys(keys, value), model)
    return [str(p) for p in error.value.problems]


def test_changes_reach_every_kind_of_key_and_leave_the_old_document():
    before = copy.deepcopy(DOCUMENT)
    changes = {
        "weather.moisture": "damp",
        "options.jump": "all",
        "ignite[0].step": 3,
        "ignite.0.inside": True,
        "map.legend.h.st": 12,
        'map.legend."s 1".st': 4,
        "tables.material.brick": np.int64(5),
        'tables.material."wattle and daub"': 3,
        "ignite[0].cell[1]": 7,
    }
    new = changed(DOCUMENT, changes, Town)
    assert new["weather"] == {"moisture": "damp"}
    assert new["options"] == {"jump": "all"}
    assert new["ignite"] == [{"cell": [0, 7], "step": 3, "inside": True}]
    assert new["map"]["legend"] == {"h": {"st": 12}, "s 1": {"st": 4}}
    assert new["tables"] == {"material": {"brick": 5, "wattle and daub": 3}}
    assert type(new["tables"]["material"]["brick"]) is int
    assert before == DOCUMENT


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("optins.jump", "cannot set 'optins.jump': there is no 'optins': expected system, title"),
        ("optins.jump", "; did you mean 'options'?"),
        ("options.jmp", "there is no 'jmp' in 'options'"),
        ("map.legend.hh.st", "there is no 'hh' in 'map.legend': expected h or s 1; did you mean 'h'?"),
        ("map.legend.h.sst", "there is no 'sst' in 'map.legend.h'"),
        ("ignite[1].step", "'ignite' has 1 item: expected [0] to [0]; counting begins at 0"),
        ("ignite.step", "'ignite' has 1 item, none called 'step': expected a number, as ignite[0]"),
        ("map[0]", "'map' is a table, not a list"),
        ("map.legend.h.st.x", "'map.legend.h.st' is 10, not a table"),
        ("map..rows", "'map..rows' is not a key"),
        ("", "'' is not a key"),
        ("a]b", "'a]b' is not a key"),
    ],
)
def test_a_key_that_cannot_be_reached_is_named(key, message):
    (line,) = said(key)
    assert message in line


def test_without_a_model_new_keys_are_made_but_no_symbols():
    assert changed(DOCUMENT, {"a.b.c": 1})["a"] == {"b": {"c": 1}}
    assert "did you mean 'h'?" in said("map.legend.hh.st", model=None)[0]


def test_all_bad_changes_are_told_at_once():
    assert len(said("optins.jump", "ignite[7].step", "map.legend.q.st")) == 3


def test_a_value_too_large_is_refused():
    assert "expected a whole number of 64 bits" in said("seed", value=2**64)[0]


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("weather.wind", ("weather", "wind")),
        ("ignite[0].step", ("ignite", 0, "step")),
        ('tables.material."wattle and daub"', ("tables", "material", "wattle and daub")),
        ("map.legend.'a.b'.st", ("map", "legend", "a.b", "st")),
        ("tables.material.wattle and daub", ("tables", "material", "wattle and daub")),
        ('map.legend."\\"".st', ("map", "legend", '"', "st")),
        ("a[1][2]", ("a", 1, 2)),
        ("map.legend.#.st", ("map", "legend", "#", "st")),
    ],
)
def test_keys_are_read(text, where):
    assert parse_key(text) == where


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("steps=60", "steps", 60),
        ("weather.wind=E", "weather.wind", "E"),
        ('weather.wind="E"', "weather.wind", "E"),
        ("options.one_hex = false", "options.one_hex", False),
        ("ignite[0].cell=[0, 1]", "ignite[0].cell", [0, 1]),
        ("x=1.5", "x", 1.5),
        ("title=a = b", "title", "a = b"),
        ('map.legend."=".st=3', 'map.legend."=".st', 3),
        ("title=2020-01-01", "title", "2020-01-01"),
        ("title=1\nseed = 2", "title", "1\nseed = 2"),
        ("x={st = 3}", "x", {"st": 3}),
    ],
)
def test_settings_are_read(text, key, value):
    assert parse_set(text) == (key, value)
    assert type(parse_set(text)[1]) is type(value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("steps", "'steps' sets nothing: expected key=value"),
        ("=3", "sets nothing"),
        ("steps=", "sets nothing"),
        ("x=[1, 2", "the value [1, 2 does not end as it begins"),
        ('x="a', "does not end as it begins"),
        (
            "x=" + "9" * 30,
            "the value 999999999999999999999999999999 cannot be used: expected a whole number of 64 bits",
        ),
        ("x=" + "9" * 5000, "is too large"),
        ("x=" + "[" * 5000, "is too large"),
        ("x=" + "[" * 70 + "]" * 70, "cannot be used: expected at most 64 levels"),
    ],
)
def test_settings_that_cannot_be_read(text, message):
    with pytest.raises(InputError) as error:
        parse_set(text)
    assert message in str(error.value)


def test_plain_takes_numpy_and_refuses_what_no_file_can_hold():
    content, problems = plain({"a": np.array([[1, 2]]), "b": (1, np.float64(2.5)), "c": np.bool_(True)})
    assert (content, problems) == ({"a": [[1, 2]], "b": [1, 2.5], "c": True}, [])
    assert content["c"] is True
    deep: list = []
    for _ in range(5000):
        deep = [deep]
    assert plain({"a": deep})[1][0].what == "the document nests too deeply"
    assert plain({"a": {1: 2}})[1][0].what == "the key 1 is not a text"
    assert plain({"a": -(2**63) - 1})[1][0].where == ("a",)
    assert plain({"a": -(2**63)})[1] == []


def test_a_scenario_shows_itself_in_a_line():
    words = Town.model_validate({"system": "town", "map": {"rows": ["."]}})
    scenario = Scenario("town", "A lone house", 7, 60, words, {}, "town.toml", ("material.brick 5 (book: 6)",))
    assert repr(scenario) == (
        "<Scenario town 'A lone house', from town.toml, seed 7, at most 60 steps, "
        "departs from the book: material.brick 5 (book: 6)>"
    )
    assert repr(Scenario("town", "", None, None, words, {})) == "<Scenario town>"
