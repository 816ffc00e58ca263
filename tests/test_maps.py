"""The shipped maps: every one loads, is told of truly in maps/README.md, and its fire comes to an end."""

from __future__ import annotations

import re
import shlex
import tomllib
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import firesim
from firesim.api import prepared, problems_in
from firesim.cli_terminal import settings
from firesim.core.scenario import Scenario
from firesim.mapfiles.shipped import SMALLEST, shipped
from firesim.rules.base import SYSTEMS

MAPS = Path(__file__).resolve().parent.parent / "maps"
FILES = sorted(path for path in MAPS.glob("*.toml") if not path.name.endswith(".study.toml"))
PLANS = sorted(MAPS.glob("*/*.toml"))
SHIPS = ("scout", "freighter", "freighter-engine", "freighter-boarder", "cruiser", "ring")

every_map = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


@cache
def loaded(path: Path) -> Scenario:
    return firesim.load(path)


def row_of(path: Path) -> list[str]:
    """The cells of the row of maps/README.md that tells of a map."""
    (line,) = re.findall(rf"^\| \[{re.escape(path.name)}\].*$", (MAPS / "README.md").read_text("utf-8"), re.MULTILINE)
    return [cell.strip() for cell in line.strip("|").split("|")]


@every_map
def test_it_has_no_problems_and_does_not_depart_from_the_book(path):
    assert problems_in(path) == []
    assert loaded(path).departures == ()


@every_map
def test_the_readme_has_its_title_and_its_numbers(path):
    scenario, row = loaded(path), row_of(path)
    assert row[1] == scenario.title
    cells = int(prepared(scenario).system.lively(prepared(scenario)).sum())
    assert int(row[2].split(" of ")[0].replace(",", "")) == cells
    if scenario.system == "ship":
        assert int(row[3]) == len(scenario.words.crew)


@every_map
def test_the_commands_in_its_head_and_in_the_readme_name_it_and_keys_that_there_are(path):
    head = path.read_text("utf-8").partition("system =")[0]
    commands = re.findall(r"firesim (?:run|odds|check) maps/[^`\n(]+", head + row_of(path)[-1])
    assert len(commands) >= 2
    for command in commands:
        _, _, file, *options = shlex.split(command)
        assert file == f"maps/{path.name}"
        changes = [value for option, value in pairwise(options) if option == "--set"]
        firesim.load(path, settings(changes))


def test_every_system_has_maps_and_names_its_smallest():
    assert set(SMALLEST) == set(SYSTEMS)
    for system, name in SMALLEST.items():
        scenario = loaded(shipped(name))
        assert scenario.system == system
        mine = [loaded(path) for path in FILES if loaded(path).system == system]
        assert len(mine) > 1
        size = [int(np.prod(prepared(each).shape)) for each in mine]
        assert int(np.prod(prepared(scenario).shape)) == min(size)


def test_every_plan_that_scenarios_share_is_used():
    named = {tomllib.loads(path.read_text("utf-8"))["map"] for path in FILES if 'map = "' in path.read_text("utf-8")}
    assert named == {str(path.relative_to(MAPS).as_posix()) for path in PLANS}


def test_the_ring_has_200_modules_and_the_freighters_are_one_ship():
    ring, hold, engine = (loaded(MAPS / f"{name}.toml") for name in ("ring", "freighter", "freighter-engine"))
    assert sum(symbol != "." for row in ring.words.map.rows for symbol in row.split()) == 200
    assert hold.words.map == engine.words.map


@pytest.mark.parametrize("name", SHIPS)
def test_a_ship_s_fire_is_neither_always_out_at_once_nor_always_a_total_loss(name):
    scenario = loaded(MAPS / f"{name}.toml")
    assert scenario.steps is not None, "a ship may burn for ever"
    outcomes = firesim.study(scenario, 400, seed=3).outcomes
    soon, on = (outcomes["steps"] <= 3).mean(), (outcomes["modules_broken"] > 0).mean()
    assert 0.4 < soon < 0.9
    assert 0.1 < on < 0.6
    assert (outcomes["deaths"] > 0).any()
    assert (outcomes["deaths"] == 0).any()
