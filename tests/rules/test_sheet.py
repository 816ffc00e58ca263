"""The rule sheets: each system's README is what code, tables and written parts say now, and nothing is left out."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import pytest
from pydantic import BaseModel

from firesim.core.tables import Tables
from firesim.rules import sheet as sheets
from firesim.rules.base import SYSTEMS, system_named

ROOT = Path(__file__).resolve().parents[2]
TOWN = system_named("town")

LETTERS = {"town": ("TN", "A1", 72), "ship": ("SH", "A2", 56)}
"""Of each system: the letters of its rules and of its readings, and how many rules its book has."""
MARKED = {"town": {"A1-07", "A1-15", "A1-18", "A1-26"}, "ship": {"A2-06"}}
"""Readings whose figures no text gives."""
STEPS_WITH_DICE = {
    "town": ["Begin", "Collapse", "Burn", "Ignite", "Consume", "Jump", "Sparks", "Consume again"],
    "ship": ["Events", "Ignite", "Orders", "Own dice", "Splash", "Modules", "Occupants", "Doors", "Hull", "Air"],
}

every_system = pytest.mark.parametrize("name", SYSTEMS)


def options_of(name: str) -> type[BaseModel]:
    """The words of a system's options."""
    block = system_named(name).words.model_fields["options"].annotation
    assert isinstance(block, type)
    return block


every_option = pytest.mark.parametrize(
    ("name", "option"), [(name, option) for name in SYSTEMS for option in options_of(name).model_fields]
)


def ids(letters: str, text: str) -> set[str]:
    """Rule ids that a text names, ranges counted through; read here without the sheet's own reader."""
    found = set()
    for first, last in re.findall(rf"{letters}-(\d\d)(?:\.\.{letters}-(\d\d))?", text):
        found |= {f"{letters}-{number:02}" for number in range(int(first), int(last or first) + 1)}
    return found


def rows_under(heading: str, text: str) -> dict[str, list[str]]:
    """The rows of the table under a heading, by their first cell."""
    section = text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")][2:]
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
    return {row[0]: row[1:] for row in cells}


@every_system
def test_the_readme_of_a_system_is_its_sheet(name):
    file = ROOT / "firesim" / "rules" / name / "README.md"
    made = sheets.sheet(system_named(name))
    same = file.read_text(encoding="utf-8") == made
    assert same, f"out of date; write it anew: firesim rules {name} --markdown > {file.relative_to(ROOT)}"


@every_system
def test_every_rule_that_the_code_cites_stands_in_the_sheet_with_its_text(name):
    letters, _, count = LETTERS[name]
    folder = ROOT / "firesim" / "rules" / name
    files = (*folder.glob("*.py"), folder / "tables.toml")
    cited = {rule for file in files for rule in ids(letters, file.read_text("utf-8"))}
    rules = rows_under("The rules, and where they stand", sheets.sheet(system_named(name)))
    assert cited >= {f"{letters}-{number:02}" for number in (6, 19, 33, 55)}, "the code's ids were not read"
    assert cited - set(rules) == set()
    assert [rule for rule, (text, _) in rules.items() if not text] == []
    assert list(rules) == [f"{letters}-{number:02}" for number in range(1, count + 1)]


@pytest.mark.parametrize(
    ("name", "rule", "place"),
    [
        ("town", "TN-68", "fire.flares_up"),
        ("town", "TN-39", "tables.roof"),
        ("ship", "SH-47", "people.ignites"),
        ("ship", "SH-25", "tables.extinguish"),
    ],
)
def test_a_rule_names_the_functions_and_tables_that_cite_it(name, rule, place):
    rules = rows_under("The rules, and where they stand", sheets.sheet(system_named(name)))
    assert f"`{place}`" in rules[rule][1], "cited, or in a range of ids that is counted through"


def test_the_ids_of_a_whole_book_are_no_place():
    rules = rows_under("The rules, and where they stand", sheets.sheet(TOWN))
    assert "kernel" not in rules["TN-02"][1]


def values(name: str, option: str) -> list[str]:
    """Every value that an option may have, as TOML writes it; of a number or list, the default."""
    info: Any = options_of(name).model_fields[option]
    if get_origin(info.annotation) is Literal:
        return [str(value) for value in get_args(info.annotation)]
    return ["true", "false"] if isinstance(info.default, bool) else [str(info.default)]


@every_option
def test_every_option_stands_in_the_sheet_with_its_values_its_default_first(name, option):
    row = rows_under("Options", sheets.sheet(system_named(name)))[f"`{option}`"]
    shown = re.findall(r"`([^`]+)`", row[0])
    default = options_of(name).model_fields[option].default
    assert shown[0] == (str(default).lower() if isinstance(default, bool) else str(default))
    assert sorted(shown) == sorted(values(name, option))
    if len(shown) > 1:
        assert all(f"`{value}`: " in row[1] for value in shown), "each value has its meaning"
    rules, readings, _ = LETTERS[name]
    assert re.search(rf"({readings}|{rules})-\d\d", row[2])


@every_system
def test_the_written_part_tells_of_no_option_or_value_that_there_is_not(name):
    own = sheets.written(name)["option"]
    assert set(own) == set(options_of(name).model_fields)
    strange = {n: set(o.get("values", ())) - set(values(name, n)) for n, o in own.items()}
    assert {n: some for n, some in strange.items() if some} == {}


@every_system
def test_every_purpose_of_a_die_has_a_row_in_the_order_of_dice_and_no_row_is_of_another(name):
    system = system_named(name)
    purposes = [sheets.asked(purpose) for purpose in system.purposes]
    rows = rows_under("The order of dice", "\n" + sheets.order(system))
    assert list(rows) == [str(number) for number in range(1, len(rows) + 1)]
    assert {row[0] for row in rows.values()} == set(purposes)
    assert all(all(cell for cell in row) for row in rows.values())


@every_system
def test_the_order_of_dice_is_that_of_the_sub_steps(name):
    system = system_named(name)
    shown = [
        row[1].partition(";")[0].partition(",")[0]
        for row in rows_under("The order of dice", "\n" + sheets.order(system)).values()
    ]
    steps = [step.name for step in sheets.read(system).steps]
    at = [steps.index(name) for name in shown if name in steps]
    assert [step for number, step in enumerate(steps) if number in at] == STEPS_WITH_DICE[name]
    assert at == sorted(at)


@every_system
def test_every_table_with_all_its_numbers_every_outcome_and_every_event_is_in_the_sheet(name):
    system = system_named(name)
    text = sheets.sheet(system)
    tables = rows_under("Tables", text)
    for table in sheets.read(system).tables:
        shown = tables[f"`{table.name}`"][0].split(", ")
        assert shown == [f"{word} {value}" for word, value in table.values.items()]
    assert set(rows_under("Outcome columns", text)) == {f"`{column.name}`" for column in system.outcome_columns}
    assert set(rows_under("Events", text)) == {f"`{kind.name}`" for kind in system.event_kinds}


@every_system
def test_the_example_of_a_changed_number_changes_a_number_of_the_book(name):
    place, value = sheets.written(name)["example"].split(" = ")
    _, table, word = place.split(".")
    book = Tables.read(f"firesim.rules.{name}")
    assert book.problems({table: {word: int(value)}}) == []
    assert book.value(table, word) != int(value)


@every_system
def test_defaults_that_no_text_gives_are_marked(name):
    text = sheets.sheet(system_named(name))
    assert set(re.findall(r"\| (A\d-\d\d) \| \[INV\]", text)) == MARKED[name]


@pytest.mark.parametrize(
    "row", ["| `wind_weights` | `[4, 1, 0, 0, 0, 1]` | [INV]", "| `side` | `5`, any whole number from 1 to 100 | [INV]"]
)
def test_options_that_no_text_gives_are_marked(row):
    assert any(row in sheets.sheet(system_named(name)) for name in SYSTEMS)


def test_ids_in_a_text_are_read_with_their_ranges_but_not_a_whole_book():
    assert list(sheets.ids_in("[TN-38..TN-40, A1-08]")) == ["TN-38", "TN-39", "TN-40"]
    assert list(sheets.ids_in("[TN-01..TN-72]")) == []
    assert list(sheets.ids_in("no id: UTF-8, AB-123")) == []
