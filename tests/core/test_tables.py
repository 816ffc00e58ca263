"""The book's tables, and what a scenario may change in them."""

import pytest

from firesim.core.problems import InputError
from firesim.core.tables import Tables

BOOK = Tables.read("firesim.rules.town")


def test_a_table_carries_its_rule_unit_and_numbers():
    table = BOOK["material"]
    assert (table.name, table.rule, table.unit) == ("material", "TN-34", "armour against fire")
    assert table.values["wattle and daub"] == 2
    assert BOOK.value("material", "brick") == 6


def test_an_override_is_a_departure_and_leaves_the_book_as_it_was():
    tables, departures = BOOK.with_overrides({"material": {"brick": 5, "stone": 8, "wattle and daub": 3}})
    assert departures == ["material.brick 5 (book: 6)", 'material."wattle and daub" 3 (book: 2)']
    assert tables.value("material", "brick") == 5
    assert tables.value("material", "adobe") == 4
    assert BOOK.value("material", "brick") == 6


@pytest.mark.parametrize(
    ("overrides", "where", "said"),
    [
        ({"materials": {"brick": 1}}, ("tables", "materials"), "there is no table 'materials'"),
        ({"material": {"brik": 1}}, ("tables", "material", "brik"), "did you mean 'brick'?"),
        (
            {"collapse": {"percent": 101}},
            ("tables", "collapse", "percent"),
            "is 101: expected a whole number from 0 to 100",
        ),
        ({"collapse": {"percent": -1}}, ("tables", "collapse", "percent"), "from 0 to 100"),
        ({"collapse": {"from_face": 0}}, ("tables", "collapse", "from_face"), "from 1 to 7"),
        ({"collapse": {"from_face": 8}}, ("tables", "collapse", "from_face"), "from 1 to 7"),
        ({"gap": {"hex": 1001}}, ("tables", "gap", "hex"), "from -1000 to 1000"),
        ({"gap": {"protected": 0}}, ("tables", "gap", "protected"), "from 1 to 1000"),
        ({"material": {"brick": -1}}, ("tables", "material", "brick"), "from 0 to 1000"),
        ({"roof": {"slate": -1}}, ("tables", "roof", "slate"), "from 0 to 1000"),
        ({"gap": {"hex": 10**5000}}, ("tables", "gap", "hex"), "gap.hex is far too large"),
        ({"gap": {"hex": True}}, ("tables", "gap", "hex"), "gap.hex is not a whole number"),
        ({"gap": 3}, ("tables", "gap"), "'gap' is not a table"),
    ],
)
def test_each_bad_override_is_named(overrides, where, said):
    (problem,) = BOOK.problems(overrides)
    assert problem.where == where
    assert said in str(problem)
    with pytest.raises(InputError) as error:
        BOOK.with_overrides(overrides)
    assert error.value.problems == [problem]


def test_the_ends_of_the_ranges_pass():
    overrides = {"collapse": {"percent": 0, "from_face": 7}, "gap": {"hex": 1000, "jump": -1000}}
    assert BOOK.problems(overrides) == []
    assert BOOK.problems({"collapse": {"percent": 100, "from_face": 1}}) == []


def test_all_bad_overrides_are_told_at_once():
    assert len(BOOK.problems({"material": {"brik": 1, "stoen": 2}, "colapse": {}, "gap": {"hex": 9999}})) == 4
