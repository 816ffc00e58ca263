"""`firesim rules`: which systems there are, and the rules of one, for a terminal, as Markdown and as JSON."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from firesim import cli_rules
from firesim.cli import app
from firesim.rules import sheet
from firesim.rules.base import SYSTEMS, system_named
from firesim.rules.town.words import Options

ROOT = Path(__file__).resolve().parent.parent
TOWN = system_named("town")


def rules(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["rules", *arguments])


def flat(text: str) -> str:
    """A text without its line breaks."""
    return " ".join(text.split())


def test_without_a_system_each_has_its_line():
    done = rules()
    assert done.exit_code == 0
    assert [line.split()[0] for line in done.stdout.splitlines() if line[0] != " "] == list(SYSTEMS)
    assert "Burning down the town" in done.stdout
    assert [system["name"] for system in json.loads(rules("--json").stdout)["systems"]] == list(SYSTEMS)


def test_the_rules_show_every_number_option_value_and_roll():
    done = rules("town")
    assert done.exit_code == 0
    text = flat(done.stdout)
    for table in sheet.read(TOWN).tables:
        assert f"{table.name}: {flat(table.unit)} [{table.rule}]" in text
        assert ", ".join(f"{name} {value}" for name, value in table.values.items()) in text
    for option in sheet.read(TOWN).options:
        assert f"{option.name} = {' | '.join(option.values)} [{option.rules}] {option.reading}" in text
        assert all(f"{value} {meaning}" in text for value, meaning in option.meanings.items())
    for number, die in enumerate(sheet.read(TOWN).dice, start=1):
        assert f"{number}. {die.sides}, for {die.purpose} when {die.when} who {die.by} what {die.decides}" in text
    for rule, words in sheet.read(TOWN).rules.items():
        assert f"{rule} {words}" in text
    assert all(point in text for point in sheet.read(TOWN).decided)


def test_the_order_of_dice_alone_is_a_part_of_the_rules():
    order, whole = rules("town", "--order").stdout, rules("town").stdout
    assert order.rstrip("\n") in whole
    assert len(re.findall(r"^ *\d+\. d", order, re.MULTILINE)) == len(sheet.read(TOWN).dice)
    assert "Options" not in order


@pytest.mark.parametrize("arguments", [("town",), ("town", "--order"), ()])
def test_plain_text_keeps_within_80_columns_and_has_no_codes_of_a_terminal(arguments):
    text = rules(*arguments).stdout
    assert {line for line in text.splitlines() if len(line) > 80} == set()
    assert "\033" not in text
    assert "\N{NO-BREAK SPACE}" not in text


@pytest.mark.parametrize("width", [40, 60, 100])
def test_text_follows_the_width_of_the_terminal(width):
    lines = cli_rules.rules_text(TOWN, width).splitlines()
    assert width - 5 < max(map(len, lines)) <= width
    assert "\033[1mOptions\033[0m" in cli_rules.rules_text(TOWN, width, bold=True)


def test_json_is_one_document_that_says_the_same():
    told = json.loads(rules("town", "--json").stdout)
    assert {table["name"]: table["values"] for table in told["tables"]}["material"]["brick"] == 6
    assert [option["name"] for option in told["options"]] == list(Options.model_fields)
    assert json.loads(rules("town", "--order", "--json").stdout) == {"system": "town", "dice": told["dice"]}


def test_markdown_is_the_readme_and_with_order_its_part():
    whole = rules("town", "--markdown").stdout
    assert whole == sheet.sheet(TOWN)
    assert rules("town", "--order", "--markdown").stdout == sheet.order(TOWN)
    assert sheet.order(TOWN) in whole


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("twn",), "there is no system 'twn': expected town; did you mean 'town'?"),
        (("--order",), "no system is named: expected town; as in: firesim rules town"),
        (("town", "--json", "--markdown"), "--markdown and --json both want standard output: expected one of them"),
    ],
)
def test_what_cannot_be_told_is_one_line_and_exit_2(arguments, said):
    done = rules(*arguments)
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", said + "\n")


@pytest.mark.parametrize("arguments", [("rules", "town"), ("check", "maps/street.toml")])
def test_no_kernel_and_no_numba_is_imported_by(arguments):
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "firesim", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    names = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}
    assert "firesim.rules.town.words" in names
    assert names & {"numba", "scipy", "matplotlib", "firesim.jit", "firesim.rules.town.kernel"} == set()
