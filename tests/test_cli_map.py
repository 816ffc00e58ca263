"""The map in a terminal: a letter for each cell, within 80 columns, the fire in view."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

import firesim
from firesim.cli_map import letters, terminal_map
from firesim.mapfiles.shipped import shipped
from firesim.rules.base import SYSTEMS, system_named


def drawn(game: Any, colours: bool = False, columns: int = 80) -> list[str]:
    """The lines of the map of a game as a terminal shows it."""
    scene = game.system.scene(game.prepared, game.state, game.events_of(game.steps), game.steps)
    alight = game.system.alight(game.prepared, game.state)
    shown = io.StringIO()
    console = Console(file=shown, width=columns, force_terminal=colours, color_system="truecolor" if colours else None)
    console.print(terminal_map(game.prepared, scene, alight, columns))
    return shown.getvalue().split("\n")


HOUSES = {"system": "town", "ignite": [{"cell": [1, 0], "alight": True}], "weather": {"wind": "none"}}
LEGEND = {"h": {"material": "wooden", "st": 90}, "b": {"material": "brick"}, "w": {"ground": "water"}}


def test_hexes_stand_in_rows_with_odd_ones_to_the_right() -> None:
    game = firesim.game(HOUSES | {"map": {"rows": ["h b .", "h w .", ". . ."], "legend": LEGEND}}, seed=1)
    lines = drawn(game)
    assert lines[1].split() == ["0"]
    assert [line.rstrip() for line in lines[2:5]] == ["0 W B .", "1  * ~ .", "2 . . ."]
    assert "* burning" in "".join(lines)
    assert "B brick" in "".join(lines)


def test_on_a_flat_map_odd_columns_stand_lower() -> None:
    plan = {"orientation": "flat", "rows": ["h b h", "h w ."], "legend": LEGEND}
    lines = drawn(firesim.game(HOUSES | {"map": plan}, seed=1))
    assert [line.rstrip() for line in lines[2:6]] == ["0 W   W", "    B", "1 *   .", "    ~"]


def test_colours_come_with_the_letters_where_the_terminal_has_them() -> None:
    game = firesim.game(HOUSES | {"map": {"rows": ["h b", "h w"], "legend": LEGEND}}, seed=1)
    assert "\x1b[" not in "".join(drawn(game))
    coloured = "".join(drawn(game, colours=True))
    assert "48;2;255;140;0m*" in coloured


@pytest.mark.parametrize("columns", [80, 60, 200])
def test_a_large_map_keeps_to_the_columns_and_has_the_fire_in_view(columns: int) -> None:
    rows = [" ".join(["h"] * 150)] * 120
    town = HOUSES | {"map": {"rows": rows, "legend": LEGEND}, "ignite": [{"cell": [117, 140], "alight": True}]}
    lines = drawn(firesim.game(town, seed=1), columns=columns)
    assert max(map(len, lines)) <= columns
    assert len(lines) < 50
    assert "rows 80 to 119 of 120" in lines[1]
    assert sum(line.count("* ") for line in lines) >= 1


@pytest.mark.parametrize("name", SYSTEMS)
def test_what_burns_or_has_burnt_has_letters_of_its_own(name: str) -> None:
    swatches = system_named(name).swatches
    shown = list(zip(letters(swatches), swatches, strict=True))
    fires = [letter for letter, swatch in shown if swatch.changes]
    assert len(set(fires)) == len(fires)
    assert not set(fires) & {letter for letter, swatch in shown if not swatch.changes}
    assert [letter for letter, _ in shown].count(".") == 1


def test_a_ship_shows_its_modules_alone_and_says_who_is_where() -> None:
    run = firesim.run(shipped("freighter"), seed=9, steps=2)
    scene = run.prepared.system.scene(run.prepared, run.state, run.events, 2)
    lines = terminal_map(run.prepared, scene, []).plain.split("\n")
    assert lines[2].rstrip() == "0   ."
    assert lines[-1].startswith("the engine (4, 1): Marta")
    legend = next(line for line in lines if "module" in line and "burning" in line and line.startswith(". "))
    assert legend == ". module  * burning"
    told = " ".join(line.strip() for line in lines)
    assert "Captain Osei, Juno" in told
    assert "(person, burning)" in told or "(out of action, burning)" in told
    assert max(map(len, lines[1:])) <= 80
