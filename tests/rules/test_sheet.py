"""The rule sheets: each system's README is what code, tables and written parts say now, and nothing is left out."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import pytest

from firesim.rules import sheet as sheets
from firesim.rules.base import SYSTEMS, system_named
from firesim.rules.town.words import Options

ROOT = Path(__file__).resolve().parents[2]
TOWN = system_named("town")


def ids(text: str) -> set[str]:
    """Town rule ids that a text names, ranges counted through; read here without the sheet's own reader."""
    found = set()
    for first, last in re.findall(r"TN-(\d\d)(?:\.\.TN-(\d\d))?", text):
        found |= {f"TN-{number:02}" for number in range(int(first), int(last or first) + 1)}
    return found


def rows_under(heading: str, text: str) -> dict[str, list[str]]:
    """The rows of the table under a heading, by their first cell."""
    section = text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")][2:]
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
    return {row[0]: row[1:] for row in cells}


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_readme_of_a_system_is_its_sheet(name):
    file = ROOT / "firesim" / "rules" / name / "README.md"
    made = sheets.sheet(system_named(name))
    same = file.read_text(encoding="utf-8") == made
    assert same, f"out of date; write it anew: firesim rules {name} --markdown > {file.relative_to(ROOT)}"


def test_every_rule_that_the_code_cites_stands_in_the_sheet_with_its_text():
    folder = ROOT / "firesim" / "rules" / "town"
    cited = {rule for file in (*folder.glob("*.py"), folder / "tables.toml") for rule in ids(file.read_text("utf-8"))}
    rules = rows_under("The rules, and where they stand", sheets.sheet(TOWN))
    assert cited >= {f"TN-{number:02}" for number in (1, 19, 33, 55, 72)}, "the code's ids were not read"
    assert cited - set(rules) == set()
    assert [rule for rule, (text, _) in rules.items() if not text] == []
    assert list(rules) == [f"TN-{number:02}" for number in range(1, 73)]


def test_a_rule_names_the_functions_and_tables_that_cite_it():
    rules = rows_under("The rules, and where they stand", sheets.sheet(TOWN))
    assert "`fire.flares_up`" in rules["TN-68"][1]
    assert "`tables.roof`" in rules["TN-39"][1], "a range of ids is counted through"
    assert "kernel" not in rules["TN-02"][1], "the id of the whole book is no place"


def values(name: str) -> list[str]:
    """Every value that an option may have, as TOML writes it; of a number or list, the default."""
    info: Any = Options.model_fields[name]
    if get_origin(info.annotation) is Literal:
        return list(get_args(info.annotation))
    return ["true", "false"] if isinstance(info.default, bool) else [str(info.default)]


@pytest.mark.parametrize("name", Options.model_fields)
def test_every_option_stands_in_the_sheet_with_its_values_its_default_first(name):
    row = rows_under("Options", sheets.sheet(TOWN))[f"`{name}`"]
    shown = re.findall(r"`([^`]+)`", row[0])
    default = Options.model_fields[name].default
    assert shown[0] == (str(default).lower() if isinstance(default, bool) else str(default))
    assert sorted(shown) == sorted(values(name))
    if len(shown) > 1:
        assert all(f"`{value}`: " in row[1] for value in shown), "each value has its meaning"
    assert re.search(r"(A1|TN)-\d\d", row[2])


def test_the_written_part_tells_of_no_option_or_value_that_there_is_not():
    own = sheets.written("town")["option"]
    assert set(own) == set(Options.model_fields)
    assert {
        n: set(o["values"]) - set(values(n)) for n, o in own.items() if set(o.get("values", ())) - set(values(n))
    } == {}


def test_every_purpose_of_a_die_has_a_row_in_the_order_of_dice_and_no_row_is_of_another():
    purposes = [sheets.asked(purpose) for purpose in TOWN.purposes]
    rows = rows_under("The order of dice", "\n" + sheets.order(TOWN))
    assert list(rows) == [str(number) for number in range(1, len(rows) + 1)]
    assert {row[0] for row in rows.values()} == set(purposes)
    assert all(all(cell for cell in row) for row in rows.values())


def test_the_order_of_dice_is_that_of_the_phases():
    shown = [
        row[1].partition(";")[0].partition(",")[0]
        for row in rows_under("The order of dice", "\n" + sheets.order(TOWN)).values()
    ]
    steps = [step.name for step in sheets.read(TOWN).steps]
    at = [steps.index(name) for name in shown if name in steps]
    assert len(at) == 8
    assert at == sorted(at)


def test_every_table_with_all_its_numbers_every_outcome_and_every_event_is_in_the_sheet():
    text = sheets.sheet(TOWN)
    tables = rows_under("Tables", text)
    for table in sheets.read(TOWN).tables:
        assert tables[f"`{table.name}`"][0].split(", ") == [f"{name} {value}" for name, value in table.values.items()]
    assert set(rows_under("Outcome columns", text)) == {f"`{column.name}`" for column in TOWN.outcome_columns}
    assert set(rows_under("Events", text)) == {f"`{kind.name}`" for kind in TOWN.event_kinds}


def test_defaults_that_no_text_gives_are_marked():
    text = sheets.sheet(TOWN)
    marked = set(re.findall(r"\| (A1-\d\d) \| \[INV\]", text))
    assert marked == {"A1-07", "A1-15", "A1-18", "A1-26"}
    assert "| `wind_weights` | `[4, 1, 0, 0, 0, 1]` | [INV]" in text


def test_ids_in_a_text_are_read_with_their_ranges_but_not_a_whole_book():
    assert list(sheets.ids_in("[TN-38..TN-40, A1-08]")) == ["TN-38", "TN-39", "TN-40"]
    assert list(sheets.ids_in("[TN-01..TN-72]")) == []
    assert list(sheets.ids_in("no id: UTF-8, AB-123")) == []
