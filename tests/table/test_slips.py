"""Slips at the table: nothing is written over, nothing is lost by half a word, no face is taken that is none."""

from __future__ import annotations

from pathlib import Path

import pytest

import firesim
from tests.test_cli_play import played

HOUSE = {
    "system": "town",
    "map": {"rows": ["h"], "legend": {"h": {"armour": 3, "st": 10}}},
    "ignite": [{"cell": [0, 0]}],
}
TEXT = """system = "town"
ignite = [{ cell = [0, 0] }]
map = { rows = ["h"], legend = { h = { armour = 3, st = 10 } } }
"""


@pytest.mark.parametrize("face", [2.7, True, "3", None, 0, 7])
def test_a_face_that_is_none_is_refused_and_leaves_the_game_as_it_was(face: object) -> None:
    game = firesim.game(HOUSE, seed=7)
    with pytest.raises(firesim.InputError):
        game.step(ask=lambda prompt, sides: face)  # type: ignore[arg-type, return-value]
    assert (game.steps, game.under_way) == (0, [])
    if face != 7:
        with pytest.raises(firesim.InputError):
            game.step(faces=[face])  # type: ignore[list-item]
    assert (game.steps, game.under_way) == (0, [])
    game.step(faces=[4])
    assert game.faces == [4]


def test_save_writes_over_no_other_file_and_undo_to_wants_its_step(tmp_path: Path) -> None:
    scenario, other = tmp_path / "house.toml", tmp_path / "other.toml"
    scenario.write_text(TEXT, encoding="utf-8")
    other.write_text("important = 1", encoding="utf-8")
    lines = "step\nstep\nsave house.toml\nsave other.toml\nundo to\nsave new.toml\nsave new.toml\nquit\n"
    code, _, err = played(tmp_path, "house.toml", "--seed", "3", lines=lines)
    assert code == 0
    assert (scenario.read_text("utf-8"), other.read_text("utf-8")) == (TEXT, "important = 1")
    assert err.count("there is a file already: expected the name of a new one") == 2
    assert "undo to which step?" in err
    assert firesim.game(tmp_path / "new.toml").steps == 2
