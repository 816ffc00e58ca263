"""Turn sheets: a page a step with all that was rolled, overleaf where it is much; players see no rolls, no figures."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import firesim
from firesim import outputs
from firesim.core.problems import InputError
from firesim.render import sheets as made
from firesim.render.sheets import Turn, changed_cells, pages, sheets, words_of

HOUSES: dict[str, Any] = {
    "system": "town",
    "map": {"rows": ["h h .", "h h ."], "legend": {"h": {"material": "wooden", "st": 12, "building": "$5 Inn"}}},
    "ignite": [{"cell": [0, 0], "inside": True}],
    "options": {"one_hex": False},
}


@pytest.fixture(scope="module")
def run() -> Any:
    return firesim.run(HOUSES, seed=4, steps=8)


def turns(run: Any, for_players: bool = False) -> list[Turn]:
    ready = run.prepared
    scene = ready.system.players_scene if for_players else ready.system.scene
    return [
        Turn(ready, frame.step, scene(ready, frame.state, frame.events, frame.step), frame.events)
        for frame in run.frames()
    ]


def texts(figure: Any) -> list[str]:
    return [text.get_text() for text in figure.texts]


def test_a_sheet_a_step_with_every_roll_of_the_step_spelled_out(run: Any) -> None:
    found = list(pages(turns(run), "Inn", False))
    assert [step for step, number, _ in found if number == 0] == list(range(run.outcome["steps"] + 1))
    told = " ".join(" ".join(texts(figure)) for _, _, figure in found).replace("\\$", "$")
    for record in run.events:
        sentence = record.text[:1].upper() + record.text[1:]
        assert sentence in " ".join(told.split()), sentence
    assert "What was rolled" in told
    assert "What changed" in told


def test_what_changed_is_what_shows_otherwise(run: Any) -> None:
    each = turns(run)
    lit = next(r for r in run.events if r.event == "lit")
    now, before = each[lit.step].scene, each[lit.step - 1].scene
    assert any("burning" in line for line in changed_cells(run.prepared, before, now))
    assert changed_cells(run.prepared, now, now) == []


def test_players_get_no_rolls_and_no_figures(run: Any) -> None:
    for step, _, figure in pages(turns(run, True), "Inn", True):
        told = " ".join(texts(figure))
        assert "What looks different" in told
        for secret in ("rolled", "ST", "armour", "TN-", "inside"):
            assert secret not in told, (step, told)


SHIP: dict[str, Any] = {
    "system": "ship",
    "map": {"rows": ["A B"], "legend": {"A": {"module": "helm"}, "B": {"module": "hold"}}},
    "ignite": [{"cell": [0, 1]}],
    "crew": [
        {"name": "Kest", "cell": [0, 0], "health": 30, "order": "move", "path": [[0, 1]]},
        {"name": "Io", "cell": [0, 1], "health": 30},
    ],
}


def test_a_ships_sheet_tells_who_moved_and_who_burns_and_what_the_gm_did(tmp_path: Path) -> None:
    game = firesim.game(SHIP, seed=3)
    game.apply({"kind": "hurt", "crew": "Kest", "amount": 3})
    for _ in range(6):
        game.step()
    assert game.deeds_of(1) == ["the GM: Kest is hurt by 3"]
    assert game.story(1)[0] == (1, "the GM: Kest is hurt by 3")
    scene = game.system.players_scene
    each = [
        Turn(ready, f.step, scene(ready, f.state, f.events, f.step), f.events, tuple(game.deeds_of(f.step)))
        for ready, f in outputs.steps_of(game)
    ]
    assert words_of(each[1], each[0].scene, False)[0] == ("What was done", ["The GM: Kest is hurt by 3"])
    seen = [line for a, b in pairwise(each) for _, lines in words_of(b, a.scene, True) for line in lines]
    assert any(line.startswith("Kest: now in the hold (0, 1)") for line in seen)
    assert any(line.startswith("Io: ") and "burning" in line for line in seen)
    assert not any("GM" in line or "damage " in line for line in seen)
    assert outputs.write_sheets(game, tmp_path / "ship.pdf", True) == [tmp_path / "ship.pdf"]


def test_much_text_goes_on_overleaf(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    turn = turns(run)[3]
    many = Turn(turn.prepared, 3, turn.scene, list(run.events) * 8)
    found = list(pages([many], "Inn", False))
    assert len(found) > 1
    assert [number for _, number, _ in found] == list(range(len(found)))
    lines = [line for _, _, figure in found for line in texts(figure)]
    assert sum("What was rolled" in line for line in lines) == 1
    assert "Inn: turn 3, page 2" in lines
    assert words_of(many, None, False)[0][1] == [r.text[:1].upper() + r.text[1:] for r in many.events]


def test_they_are_written_as_a_pdf_or_a_folder(run: Any, tmp_path: Path) -> None:
    assert outputs.write_sheets(run, tmp_path / "inn.pdf") == [tmp_path / "inn.pdf"]
    assert (tmp_path / "inn.pdf").read_bytes()[:5] == b"%PDF-"
    files = outputs.write_sheets(run, tmp_path / "inn", for_players=True)
    assert len(files) == run.outcome["steps"] + 1
    width, height = Image.open(files[-1]).size
    assert height / width == pytest.approx(1.414, abs=0.01)


def test_too_many_sheets_are_refused_and_no_pdf_is_left(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(made, "SHEETS_MOST", 2)
    with pytest.raises(InputError, match="more than 2 sheets"):
        sheets(turns(run)[:4], tmp_path / "inn.pdf", title="Inn")
    assert list(tmp_path.iterdir()) == []
