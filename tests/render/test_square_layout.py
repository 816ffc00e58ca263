"""Pixels know their modules and squares."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firesim.render.layout import PIXELS_MOST
from firesim.render.square_layout import STRIP, SquareLayout, mark_spot


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 30), st.integers(1, 30), st.integers(1, 7), st.integers(60, 700))
def test_each_centre_lies_in_the_middle_of_its_own_cell(rows, cols, side, size):
    plan = SquareLayout(rows, cols, side).raster(size)
    x, y = plan.centres(np.arange(rows * cols))
    assert (plan.index[y.astype(int), x.astype(int)] == np.arange(rows * cols)).all()
    if plan.pitch:
        assert (np.bincount(plan.index.ravel())[: rows * cols] == plan.pitch**2).all()
        for cell in (0, rows * cols - 1):
            down, right = np.nonzero(plan.index == cell)
            assert (right.mean() + 0.5, down.mean() + 0.5) == (x[cell], y[cell])


@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (9, 1), (50, 50), (1, 5000), (5000, 1), (1500, 1500)])
def test_maps_of_any_shape_fit_the_picture(shape):
    plan = SquareLayout(*shape, 5).raster()
    assert 1 <= max(plan.width, plan.height) <= PIXELS_MOST + 2
    assert plan.index.dtype == np.int32
    assert plan.index.min() >= 0
    assert plan.index.max() <= shape[0] * shape[1]


def test_a_cell_takes_no_more_than_its_squares_need():
    assert SquareLayout(1, 1, 5).pitch() == 200
    assert SquareLayout(1, 1, 1).pitch() == 120
    assert SquareLayout(1, 1, 100).pitch() == 240
    assert SquareLayout(50, 50, 5).pitch() == 22
    assert SquareLayout(1, 1, 1).pitch(900) == 600


def test_the_strip_around_the_map_shows_nothing():
    layout = SquareLayout(2, 3)
    plan = layout.raster(400)
    strip = round(STRIP * plan.pitch)
    assert (plan.index[:strip] == 6).all()
    assert (plan.index[:, -strip:] == 6).all()
    assert plan.index[strip, strip] == 0
    assert layout.extent() == (3.5, 2.5)
    assert layout.corner() == (-0.75, -0.75)


@pytest.mark.parametrize("side", [2, 5])
def test_patches_are_the_squares_of_large_cells_and_the_cells_of_small_ones(side):
    large = SquareLayout(2, 2, side).raster(500)
    inside = large.index < 4
    assert len(np.unique(large.patches[inside])) == 4 * side**2
    small = SquareLayout(2, 2, side).raster(40)
    assert (small.patches == small.index).all()


def test_walls_stand_between_what_differs():
    layout = SquareLayout(1, 3)
    assert len(layout.borders(np.array([1, 2, 0]))) == 8
    hull = layout.borders(np.array([1, 1, 0]))
    assert len(hull) == 6
    assert {tuple(np.sort(wall, axis=0).ravel().tolist()) for wall in hull} >= {(1.5, -0.5, 1.5, 0.5)}
    assert len(layout.borders(np.array([0, 0, 0]))) == 0


def test_headings_turn_clockwise_from_up():
    angles = [SquareLayout(1, 1).heading_angle(heading, 4) % 360 for heading in range(4)]
    assert angles == [90, 0, 270, 180]


@pytest.mark.parametrize("pitch", [4, 20, 55, 56, 100, 240])
def test_a_mark_stays_in_its_cell(pitch):
    x, y, size = mark_spot(pitch)
    assert abs(x) + 0.36 * size <= pitch / 2
    assert abs(y) + 0.36 * size <= pitch / 2
    assert (x == 0) == (pitch < 56)
