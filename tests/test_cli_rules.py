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

ROOT = Path(__file__).resolve().parent.parent
KNOWN = {"town": ("material", "brick", 6), "ship": ("extinguish", "remote", 3)}
"""Of each system a table, a word of it and its number."""

every_system = pytest.mark.parametrize("name", SYSTEMS)


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
    assert "Fire aboard ship" in done.stdout
    assert [system["name"] for system in json.loads(rules("--json").stdout)["systems"]] == list(SYSTEMS)


@every_system
def test_the_rules_show_every_number_option_value_and_roll(name):
    done = rules(name)
    assert done.exit_code == 0
    text, told = flat(done.stdout), sheet.read(system_named(name))
    for table in told.tables:
        assert f"{table.name}: {flat(table.unit)} [{table.rule}]" in text
        assert ", ".join(f"{word} {value}" for word, value in table.values.items()) in text
    for option in told.options:
        assert f"{option.name} = {' | '.join(option.values)} [{option.rules}] {option.reading}" in text
        assert all(f"{value} {meaning}" in text for value, meaning in option.meanings.items())
    for number, die in enumerate(told.dice, start=1):
        assert f"{number}. {die.sides}, for {die.purpose} when {die.when} who {die.by} what {die.decides}" in text
    for rule, words in told.rules.items():
        assert f"{rule} {words}" in text
    assert all(point in text for point in told.decided)
    assert f"A scenario may change any number: {told.example}." in text


@every_system
def test_the_order_of_dice_alone_is_a_part_of_the_rules(name):
    order, whole = rules(name, "--order").stdout, rules(name).stdout
    assert order.rstrip("\n") in whole
    assert len(re.findall(r"^ *\d+\. d", order, re.MULTILINE)) == len(sheet.read(system_named(name)).dice)
    assert "Options" not in order


@pytest.mark.parametrize("arguments", [*((name,) for name in SYSTEMS), *((name, "--order") for name in SYSTEMS), ()])
def test_plain_text_keeps_within_80_columns_and_has_no_codes_of_a_terminal(arguments):
    text = rules(*arguments).stdout
    assert {line for line in text.splitlines() if len(line) > 80} == set()
    assert "\033" not in text
    assert "\N{NO-BREAK SPACE}" not in text


@every_system
@pytest.mark.parametrize("width", [40, 60, 100])
def test_text_follows_the_width_of_the_terminal(width, name):
    lines = cli_rules.rules_text(system_named(name), width).splitlines()
    assert width - 5 < max(map(len, lines)) <= width
    assert "\033[1mOptions\033[0m" in cli_rules.rules_text(system_named(name), width, bold=True)


@every_system
def test_json_is_one_document_that_says_the_same(name):
    told = json.loads(rules(name, "--json").stdout)
    table, word, value = KNOWN[name]
    assert {table["name"]: table["values"] for table in told["tables"]}[table][word] == value
    assert [option["name"] for option in told["options"]] == list(sheet.written(name)["option"])
    assert json.loads(rules(name, "--order", "--json").stdout) == {"system": name, "dice": told["dice"]}


@every_system
def test_markdown_is_the_readme_and_with_order_its_part(name):
    whole, system = rules(name, "--markdown").stdout, system_named(name)
    assert whole == sheet.sheet(system)
    assert rules(name, "--order", "--markdown").stdout == sheet.order(system)
    assert sheet.order(system) in whole


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("twn",), "there is no system 'twn': expected town or ship; did you mean 'town'?"),
        (("shop",), "there is no system 'shop': expected town or ship; did you mean 'ship'?"),
        (("--order",), "no system is named: expected town or ship; as in: firesim rules town"),
        (("town", "--json", "--markdown"), "--markdown and --json both want standard output: expected one of them"),
    ],
)
def test_what_cannot_be_told_is_one_line_and_exit_2(arguments, said):
    done = rules(*arguments)
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", said + "\n")


@pytest.mark.parametrize(
    ("arguments", "system"),
    [
        (("rules", "town"), "town"),
        (("check", "maps/street.toml"), "town"),
        (("rules", "ship"), "ship"),
        (("check", "maps/scout.toml"), "ship"),
    ],
)
def test_no_kernel_and_no_numba_is_imported_by(arguments, system):
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "firesim", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    names = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}
    assert f"firesim.rules.{system}.words" in names
    assert names & {"numba", "scipy", "matplotlib", "firesim.jit", f"firesim.rules.{system}.kernel"} == set()
