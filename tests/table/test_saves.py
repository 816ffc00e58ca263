"""A save: text that is played again and proved; whatever is missing or changed in it is told."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import firesim
from firesim.core.problems import InputError
from firesim.table.proof import state_digest
from firesim.table.saves import text_of
from tests.oracles.random_ships import random_ship
from tests.oracles.random_towns import random_town

SHIP: dict[str, Any] = {
    "system": "ship",
    "map": {"rows": ["A B"], "legend": {k: {"module": k} for k in "AB"}},
    "ignite": [{"cell": [0, 0]}],
    "crew": [{"name": 'Kest "the Hand"', "cell": [0, 0], "health": 8}],
}


def a_game() -> Any:
    game = firesim.game("maps/street.toml", seed=15)
    game.step(faces=[2])
    game.step()
    game.apply({"kind": "wind", "wind": "W"})
    for _ in range(3):
        game.step()
    return game


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "street.game.toml"
    a_game().save(path)
    return path


def test_a_save_read_again_is_the_same_game(saved: Path, tmp_path: Path) -> None:
    one, other = a_game(), firesim.game(saved)
    assert (other.inputs, other.seed, other.scenario.document) == (one.inputs, one.seed, one.scenario.document)
    assert state_digest(other) == state_digest(one)
    assert text_of(other) == text_of(one)
    other.step()
    other.undo()
    other.save(tmp_path / "again.toml")
    assert (tmp_path / "again.toml").read_text() == saved.read_text()


def test_games_of_every_system_can_be_saved(tmp_path: Path) -> None:
    path = tmp_path / "game.toml"
    for seed in range(60):
        for document in (random_town(seed), random_ship(seed)):
            game = firesim.game(document, seed=seed)
            for _ in range(4):
                if not game.over:
                    game.step()
            game.save(path)
            assert state_digest(firesim.game(path)) == state_digest(game), seed


def test_deeds_and_faces_under_way_are_kept(tmp_path: Path) -> None:
    game = firesim.game(SHIP, seed=2)
    game.apply({"kind": "hurt", "crew": 'Kest "the Hand"', "amount": 2})
    game.apply({"kind": "order", "crew": 'Kest "the Hand"', "order": ["hold door", "extinguish module"]})
    game.under_way = [3, 4]
    game.save(tmp_path / "ship.toml")
    again = firesim.game(tmp_path / "ship.toml")
    assert (again.inputs, again.under_way) == (game.inputs, [3, 4])
    assert again.state.crew.damage[0] == 2


def test_faces_that_an_event_made_void_come_back_in_a_game_read_again(tmp_path: Path) -> None:
    game = firesim.game(SHIP, seed=2)
    game.under_way = [3, 4]
    game.apply({"kind": "hurt", "crew": 'Kest "the Hand"', "amount": 2})
    game.save(tmp_path / "ship.toml")
    again = firesim.game(tmp_path / "ship.toml")
    assert (again.inputs, again.under_way) == (game.inputs, [])
    again.undo()
    assert again.under_way == [3, 4]


def test_a_save_cut_anywhere_is_told_and_never_played(saved: Path) -> None:
    whole = saved.read_text()
    told = set()
    for end in [*range(70, len(whole) - 1, 23), *(m.start() + 1 for m in re.finditer("\n", whole[:-1]))]:
        saved.write_text(whole[:end])
        with pytest.raises(InputError) as raised:
            firesim.game(saved)
        message = str(raised.value.problems[0])
        assert str(saved) in message, end
        told.add("cut short" in message)
    assert told == {True}


def test_a_cut_save_says_how_much_is_missing(saved: Path) -> None:
    whole = saved.read_text()
    saved.write_text(whole[: whole.rindex("[[input]]")])
    with pytest.raises(InputError, match="cut short: 5 of 6 things done are left"):
        firesim.game(saved)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("seed = 15", "seed = 16", "was changed or cut short"),
        ("faces = [2]", "faces = [5]", "was changed or cut short"),
        ('wind = "W"', 'wind = "E"', "was changed or cut short"),
        ("game = 1\n", "game = 2\n", "of form 2"),
        ("replicate = 0", 'replicate = "none"', "replicate"),
        ("seed = 15", "sead = 15", "sead"),
        ("[[input]]\nstep = 1", "[[input]]\nstap = 1", "stap"),
    ],
)
def test_an_edited_save_says_what_is_wrong(saved: Path, old: str, new: str, message: str) -> None:
    text = saved.read_text()
    assert old in text
    saved.write_text(text.replace(old, new))
    with pytest.raises(InputError, match=message) as raised:
        firesim.game(saved)
    assert all(p.line > 0 for p in raised.value.problems)


def test_a_save_that_leads_elsewhere_is_refused(saved: Path) -> None:
    from firesim.mapfiles.toml import read
    from firesim.table.saves import content_digest

    text = re.sub(r'state = "\w+"', f'state = "{"0" * 32}"', saved.read_text())
    saved.write_text(text)
    digest = content_digest(read(saved).data)
    saved.write_text(re.sub(r'content = "\w+"', f'content = "{digest}"', text))
    with pytest.raises(InputError, match="leads to another state"):
        firesim.game(saved)


def test_a_save_has_its_own_seed(saved: Path) -> None:
    with pytest.raises(InputError, match="its own seed"):
        firesim.game(saved, seed=3)
