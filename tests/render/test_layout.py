"""Pixels know their hexes: the pixel-to-cell map agrees with the centres of the grid."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firesim.grid.hexes import centres, hex_links
from firesim.render.layout import PIXELS_MOST, ROOT, borders, corners, extent, polygons, raster

ORIENTATIONS = ("pointy", "flat")


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 40), st.integers(1, 40), st.sampled_from(ORIENTATIONS), st.integers(40, 700))
def test_each_centre_lies_in_a_pixel_of_its_own_hex(rows, cols, orientation, size):
    plan = raster(rows, cols, orientation, size)
    if not plan.pitch:
        return
    cells = np.arange(rows * cols)
    x, y = plan.centres(cells)
    assert (plan.index[y.astype(int), x.astype(int)] == cells).all()


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 12), st.integers(1, 12), st.sampled_from(ORIENTATIONS), st.integers(200, 700))
def test_a_pixel_shows_the_hex_whose_centre_is_nearest(rows, cols, orientation, size):
    plan = raster(rows, cols, orientation, size)
    x, y = centres(rows, cols, orientation)
    tip = 1 / np.sqrt(3)
    off_x, off_y = (0.5, tip) if orientation == "pointy" else (tip, 0.5)
    # pixels per width along and across the lines of hexes: the latter is rounded to whole pixels
    across = max(1, round(plan.pitch * ROOT)) / ROOT
    scale_x, scale_y = (plan.pitch, across) if orientation == "pointy" else (across, plan.pitch)
    rng = np.random.default_rng(3)
    for pixel_y, pixel_x in zip(rng.integers(plan.height, size=50), rng.integers(plan.width, size=50), strict=True):
        cell = plan.index[pixel_y, pixel_x]
        if cell == rows * cols:
            continue
        away = np.hypot((pixel_x + 0.5) / scale_x - off_x - x, (pixel_y + 0.5) / scale_y - off_y - y).ravel()
        assert away[cell] <= away.min() + 1.5 / plan.pitch


@pytest.mark.parametrize("orientation", ORIENTATIONS)
@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (9, 1), (2, 2), (1, 5000), (5000, 1), (1500, 1500)])
def test_maps_of_any_shape_fit_the_picture(shape, orientation):
    plan = raster(*shape, orientation)
    assert 1 <= max(plan.width, plan.height) <= PIXELS_MOST + 2
    assert plan.index.dtype == np.int32
    assert plan.index.min() >= 0
    assert plan.index.max() <= shape[0] * shape[1]


@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_every_hex_covers_the_same_pixels_about_its_centre(orientation):
    plan = raster(6, 7, orientation, 300)
    patterns = set()
    for cell in range(42):
        x, y = (int(v[0]) for v in plan.centres(np.array([cell])))
        pixel_y, pixel_x = np.nonzero(plan.index == cell)
        patterns.add(frozenset(zip((pixel_y - y).tolist(), (pixel_x - x).tolist(), strict=True)))
    assert len(patterns) == 1


@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_local_places_are_a_hexs_own_box(orientation):
    plan = raster(5, 5, orientation, 200)
    inside = plan.index < 25
    assert plan.local[inside].min() > 0
    assert plan.local.max() < plan.box[0] * plan.box[1]
    for cell in (0, 13, 24):
        places = plan.local[plan.index == cell]
        assert len(set(places.tolist())) == len(places)


@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_sides_of_a_hex_face_their_neighbours(orientation):
    rows, cols = 4, 5
    hexes, to = polygons(rows, cols, orientation), hex_links(rows, cols, orientation).to
    for cell in range(rows * cols):
        for heading in range(6):
            there = to[cell, heading]
            if there < rows * cols:
                ours = hexes[cell, [heading, (heading + 1) % 6]]
                theirs = hexes[there, [(heading + 3) % 6, (heading + 4) % 6]]
                assert np.allclose(ours, theirs[::-1])


def test_extent_holds_every_corner():
    for orientation in ORIENTATIONS:
        hexes = polygons(3, 4, orientation).reshape(-1, 2)
        wide, tall = extent(3, 4, orientation)
        assert np.allclose(np.ptp(hexes, axis=0), (wide, tall))
        assert np.allclose(hexes.min(axis=0), corners(orientation).min(axis=0))


def test_walls_stand_between_buildings_and_not_inside_them():
    building = np.array([1, 1, 2, 0])
    # a row of four: each hex has six sides; two face inward in building 1; the side between 1 and 2 is drawn by both
    assert len(borders(building, 1, 4, "pointy")) == 5 + 5 + 6
    assert len(borders(np.zeros(4), 1, 4, "pointy")) == 0
