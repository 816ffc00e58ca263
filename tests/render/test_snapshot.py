"""Stills: the right colour at the right place, at every size, and never half a file."""

import os

import numpy as np
import pytest
from PIL import Image

from firesim.core.problems import InputError
from firesim.render import board, snapshot
from firesim.render.burnmap import burn_map
from firesim.render.snapshot import Canvas, figure_of
from firesim.render.view import flights, view
from firesim.rules.base import Arrow
from firesim.rules.town import look
from tests.render.towns import rgb, scene, town

FIERCE, BURNING = look.SWATCHES[look.FIERCE].colour, look.SWATCHES[look.BURNING].colour


def place_of(prepared, cell, dpi=board.DPI, size=None, entries=4):
    """x and y of a hex's centre in the picture, counted from the layout that the picture has."""
    canvas = Canvas(view(prepared), size, entries, dpi)
    x, y = canvas.at[cell]
    left, right, bottom, top = canvas.limits
    x = canvas.sheet.map_left + (x - left) / (right - left) * canvas.sheet.map_width
    y = canvas.sheet.map_top + (y - top) / (bottom - top) * canvas.sheet.map_height
    return x * dpi / board.DPI, y * dpi / board.DPI


def colours_near(image, x, y, reach):
    part = np.asarray(image.convert("RGB"))[int(y) - reach : int(y) + reach + 1, int(x) - reach : int(x) + reach + 1]
    return {tuple(pixel) for pixel in part.reshape(-1, 3).tolist()}


@pytest.mark.parametrize("orientation", ["pointy", "flat"])
@pytest.mark.parametrize(("rows", "cols", "cell"), [(2, 3, 3), (8, 8, 26), (20, 30, 334), (150, 160, 9001)])
@pytest.mark.parametrize("dpi", [100, 200])
def test_a_burning_hex_has_the_colour_of_fire(tmp_path, rows, cols, cell, orientation, dpi):
    prepared = town(rows, cols, orientation)
    snapshot.snapshot(prepared, scene(prepared, burning=[cell]), tmp_path / "a.png", title="A town", dpi=dpi)
    with Image.open(tmp_path / "a.png") as image:
        x, y = place_of(prepared, cell, dpi)
        assert rgb(BURNING) in colours_near(image, x, y, 18 * dpi // 100 if rows < 9 else 2 * dpi // 100 + 8)
        beside = place_of(prepared, 0, dpi)
        assert rgb(BURNING) not in colours_near(image, *beside, 2)


def test_a_legend_names_only_what_occurs():
    prepared = town(4, 4)
    figure = figure_of(prepared, scene(prepared, burning=[1]), title="A town")
    words = {text.get_text() for axes in figure.axes for text in axes.texts}
    assert {"A town", "Turn 0", "burning", "wooden", "open ground, street", "no wind", "20 yd (2 hexes)"} <= words
    assert not words & {"burnt out", "water", "stone", "spark or jump, caught"}


def test_wind_sparks_roofs_and_names_are_shown():
    prepared = town(4, 4, building=[7] * 8 + [0] * 8, labels={7: "Mill"})
    roofs = np.where(prepared.buildings[:-1] > 0, look.ROOF_CODES["slate"], 0)
    shown = scene(prepared, burning=[1], arrows=[Arrow(1, 6, True), Arrow(1, 3, False)], wind=1, roofs=roofs)
    figure = figure_of(prepared, shown, title="A town")
    words = {text.get_text() for axes in figure.axes for text in axes.texts}
    assert {"Mill", "wind", "slate roof", "spark or jump, caught", "spark or jump, no fire"} <= words
    assert not words & {"no wind", "thatch roof"}


def test_arrows_off_the_map_are_left_out_and_a_hit_outshines_a_miss():
    prepared = town(2, 2)
    flown = [Arrow(0, 1, False), Arrow(0, 1, True), Arrow(0, 4, True), Arrow(2, 2, True), Arrow(1, 3, False)]
    assert flights(scene(prepared, arrows=flown), 4) == [Arrow(0, 1, True), Arrow(1, 3, False)]


def test_many_arrows_are_drawn_too(tmp_path):
    prepared = town(30, 30)
    flights = [Arrow(cell, cell + 1, cell % 3 == 0) for cell in range(800)]
    snapshot.snapshot(prepared, scene(prepared, arrows=flights), tmp_path / "a.png", title="Sparks")
    assert (tmp_path / "a.png").stat().st_size > 1000


@pytest.mark.parametrize("shape", [(1, 1), (1, 40), (40, 1), (500, 500), (1700, 3)])
def test_pictures_are_neither_tiny_nor_huge(tmp_path, shape):
    prepared = town(*shape)
    snapshot.snapshot(prepared, scene(prepared), tmp_path / "a.png", title="A town of some size")
    with Image.open(tmp_path / "a.png") as image:
        assert 300 <= image.width <= 1600
        assert 200 <= image.height <= 1600


def test_a_long_title_is_kept_inside_the_sheet():
    prepared = town(3, 3)
    figure = figure_of(prepared, scene(prepared), title="The night of the $5 fire " * 20)
    heading = figure.axes[0].texts[0]
    assert heading.get_text().endswith("…")
    assert heading.get_window_extent().x1 <= figure.bbox.x1


def test_the_same_scene_gives_the_same_bytes(tmp_path):
    prepared = town(6, 6)
    for name in ("a.png", "b.png"):
        snapshot.snapshot(prepared, scene(prepared, burning=[3]), tmp_path / name, title="A town")
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_a_failure_while_drawing_leaves_no_file(tmp_path, monkeypatch):
    from matplotlib.figure import Figure

    def fails(self, path, **_):
        path.write_bytes(b"half")
        raise RuntimeError("bug")

    monkeypatch.setattr(Figure, "savefig", fails)
    prepared = town(3, 3)
    with pytest.raises(RuntimeError):
        snapshot.snapshot(prepared, scene(prepared), tmp_path / "a.png", title="A town")
    assert os.listdir(tmp_path) == []


def test_a_wrong_suffix_or_missing_folder_is_told_before_drawing(tmp_path):
    prepared = town(3, 3)
    with pytest.raises(InputError, match=r"a name ending in \.png"):
        snapshot.snapshot(prepared, scene(prepared), tmp_path / "a.jpg", title="A town")
    with pytest.raises(InputError, match="there is no folder"):
        snapshot.snapshot(prepared, scene(prepared), tmp_path / "no" / "a.png", title="A town")


@pytest.mark.parametrize("shape", [(6, 6), (160, 160)])
def test_a_burn_map_shows_values_on_buildings_alone(tmp_path, shape):
    from matplotlib import colormaps

    prepared = town(*shape)
    cells = shape[0] * shape[1]
    values = np.full(cells, 1.0)
    values[1], values[3], values[5] = 0.5, 0.0, np.nan
    burn_map(prepared, values.reshape(shape), tmp_path / "a.png", title="Where it burns", label="share of fires")
    far = shape[1] + 2
    half, sure = (
        tuple(np.round(255 * np.array(colormaps["inferno_r"](share)[:3])).astype(int).tolist()) for share in (0.5, 1.0)
    )
    with Image.open(tmp_path / "a.png") as image:
        seen = {cell: colours_near(image, *place_of(prepared, cell, entries=7), 1) for cell in (0, 1, 3, 5, far)}
    assert half in seen[1]
    assert rgb("#a9adb3") in seen[3]
    assert rgb("#a9adb3") not in seen[5]
    assert sure in seen[far]
    assert min(min(pixel) for pixel in seen[0]) > 200, "open ground is light"
