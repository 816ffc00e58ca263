"""Maps of arrival and of differences: the right colour at the right place, and what has no value is grey."""

import numpy as np
import pytest
from PIL import Image

from firesim.core.problems import InputError
from firesim.render import board, case_maps
from firesim.render.case_colours import LESS, MORE, arrival
from firesim.render.case_maps import UNDECIDED, arrival_map, difference_map
from firesim.render.palette import text_of
from firesim.render.value_maps import NEVER
from tests.render.test_snapshot import colours_near, place_of
from tests.render.towns import rgb, town

ROWS, COLS = 6, 8
CELLS = [1, 3, 5, 8]
"""Buildings: (row + col) odd."""


def colour_of(scale, share):
    return rgb(text_of(np.round(np.array(scale(float(share))[:3]) * 255)))


def near(path, prepared, cell):
    with Image.open(path) as image:
        x, y = place_of(prepared, cell, entries=7)
        return colours_near(image, x + 12, y - 12, 4)


@pytest.mark.parametrize("orientation", ["pointy", "flat"])
def test_arrival_is_coloured_from_soon_to_late(tmp_path, orientation):
    prepared = town(ROWS, COLS, orientation)
    values = np.full((ROWS, COLS), np.nan)
    values.ravel()[CELLS[:3]] = 0, 20, 40
    arrival_map(prepared, values, tmp_path / "a.png", title="A town", label="turn")
    for cell, share in zip(CELLS, (0, 0.5, 1), strict=False):
        assert colour_of(arrival(), share) in near(tmp_path / "a.png", prepared, cell)
    assert rgb(NEVER) in near(tmp_path / "a.png", prepared, CELLS[3])


def test_maps_to_be_compared_share_a_scale(tmp_path):
    prepared = town(ROWS, COLS)
    values = np.full(ROWS * COLS, np.nan)
    values[CELLS] = 10, 20, 500, 5
    arrival_map(prepared, values, tmp_path / "a.png", title="A town", label="turn", most=20)
    assert colour_of(arrival(), 0.5) in near(tmp_path / "a.png", prepared, CELLS[0])
    for late in CELLS[1:3]:
        assert colour_of(arrival(), 1.0) in near(tmp_path / "a.png", prepared, late)


@pytest.mark.parametrize("orientation", ["pointy", "flat"])
def test_differences_are_orange_purple_or_grey(tmp_path, orientation):
    prepared = town(ROWS, COLS, orientation)
    values = np.full((ROWS, COLS), np.nan)
    values.ravel()[CELLS] = 0.4, -0.4, 0.05, 0.0
    decided = np.abs(values) > 0.1
    difference_map(prepared, values, tmp_path / "a.png", title="A town", label="burn", decided=decided)
    assert rgb(MORE) in near(tmp_path / "a.png", prepared, CELLS[0])
    assert rgb(LESS) in near(tmp_path / "a.png", prepared, CELLS[1])
    assert rgb(UNDECIDED) in near(tmp_path / "a.png", prepared, CELLS[2])
    assert rgb(NEVER) in near(tmp_path / "a.png", prepared, 10)


def words_of(monkeypatch, draw):
    kept = []
    monkeypatch.setattr(case_maps, "save", lambda canvas, path, dpi: kept.append(canvas))
    draw()
    (canvas,) = kept
    canvas.figure.canvas.draw()
    texts = canvas.figure.findobj(lambda artist: hasattr(artist, "get_text"))
    return canvas, [text.get_text() for text in texts if text.get_text()]


def test_signs_tell_the_side_on_a_grey_print(tmp_path, monkeypatch):
    prepared = town(ROWS, COLS)
    values = np.zeros(ROWS * COLS)
    values[CELLS[:3]] = 0.4, -0.4, 0.05
    canvas, words = words_of(
        monkeypatch, lambda: difference_map(prepared, values, tmp_path / "a.png", title="A town", label="burn")
    )
    signs = canvas.map.collections[-1].get_segments()
    at = {tuple(np.round(canvas.at[cell], 6)) for cell in CELLS[:2]}
    assert len(signs) == 3, "a plus of two strokes, a minus of one, none for the small difference"
    assert {tuple(np.round(segment.mean(axis=0), 6)) for segment in signs} == at
    assert {"+30 %", "−30 %", "0 %"} <= set(words)
    assert "no more than chance" not in words


def test_keys_name_the_greys_that_occur(tmp_path, monkeypatch):
    prepared = town(ROWS, COLS)
    values = np.full(ROWS * COLS, np.nan)
    values[CELLS] = 4.0, -2.0, 1.0, 0.5
    _, words = words_of(
        monkeypatch,
        lambda: difference_map(
            prepared, values, tmp_path / "a.png", title="T", label="turn", decided=values > 2, percent=False
        ),
    )
    assert {"no more than chance", "nothing to compare", "+3", "−3"} <= set(words)
    _, words = words_of(
        monkeypatch, lambda: arrival_map(prepared, np.ones(ROWS * COLS), tmp_path / "a.png", title="T", label="turn")
    )
    assert "building, never reached" not in words


@pytest.mark.parametrize("value", [np.nan, 0.0])
@pytest.mark.parametrize("size", [(1, 1), (2, 3), (150, 160)])
def test_maps_without_anything_to_tell_are_drawn(tmp_path, size, value):
    prepared = town(*size)
    values = np.full(size, value)
    arrival_map(prepared, values, tmp_path / "a.png", title="", label="", caption="x" * 300)
    difference_map(prepared, values, tmp_path / "d.png", title="T" * 300, label="", dpi=2 * board.DPI)
    assert all((tmp_path / name).stat().st_size > 1000 for name in ("a.png", "d.png"))


@pytest.mark.parametrize("draw", [arrival_map, difference_map])
def test_a_place_that_cannot_be_written_is_told(tmp_path, draw):
    with pytest.raises(InputError):
        draw(town(2, 2), np.zeros(4), tmp_path / "a.gif", title="", label="")
    with pytest.raises(InputError):
        draw(town(2, 2), np.zeros(4), tmp_path / "no" / "a.png", title="", label="")
