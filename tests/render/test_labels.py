"""Names of modules: whole, folded or shortened, clear of who stands there."""

import numpy as np
import pytest

from firesim.render.labels import SMALLEST_NAMED, folded, labels, written
from firesim.render.lettering import measure, shortened
from firesim.render.palette import MARK
from firesim.render.view import view
from tests.render.decks import deck

NAMES = {0: "helm", 2: "life support", 4: "hyperdrive coordination and maintenance", 5: "", 8: "W" * 40}
SEEN = view(deck(3, 3, space=[8], labels=NAMES))


def middles(pitch):
    return np.array([((cell % 3 + 0.75) * pitch, (cell // 3 + 0.75) * pitch) for cell in range(9)])


@pytest.mark.parametrize("pitch", [44, 60, 100, 160, 240])
def test_names_stay_in_their_modules(pitch):
    lines = labels(SEEN, middles(pitch), pitch)
    assert {line.cell for line in lines} <= {0, 2, 4}
    assert [line.text for line in lines if line.cell == 0] == ["helm"]
    for line in lines:
        x, y = middles(pitch)[line.cell]
        left, top, right, bottom = line.box
        assert x - pitch / 2 < left < right < x + pitch / 2
        assert y - pitch / 2 < top < bottom < y + (pitch / 2 if pitch < 56 else 0)


def test_small_modules_have_no_names():
    assert labels(SEEN, middles(40), SMALLEST_NAMED - 1) == []


def test_a_name_is_folded_before_it_is_shortened():
    assert folded("life support", 12, 500) == ["life support"]
    assert folded("life support", 12, measure("support", 12, True)) == ["life", "support"]
    first, second = folded("hyperdrive coordination", 12, measure("hyperdrive", 12, True) + 2)
    assert first == "hyperdrive"
    assert second.endswith("…")
    assert folded("W" * 40, 12, 60)[0].endswith("…")
    assert folded("W" * 40, 12, 3) == []


def test_shortened_text_fits():
    for room in range(0, 90, 7):
        assert measure(shortened("hyperdrive", 12, room), 12) <= room


def label_of(cell, pitch, taken=()):
    return [line for line in labels(SEEN, middles(pitch), pitch, taken) if line.cell == cell]


def test_a_name_gives_way_to_who_stands_at_the_upper_edge():
    x, y = middles(160)[0]
    (upper,) = label_of(0, 160)
    (beside,) = label_of(0, 160, [(x - 80, y - 80, x - 50, y - 50)])
    assert beside.y == upper.y
    assert x - 50 < beside.box[0] < beside.box[2] < x + 80
    row = (x - 80, upper.box[1], x + 80, upper.box[3])
    (lower,) = label_of(0, 160, [row])
    assert lower.text == "helm"
    assert y < lower.y < y + 80
    assert label_of(0, 160, [row, lower.box]) == [], "there is no place left"


def test_written_names_cover_their_boxes_alone():
    lines = labels(SEEN, middles(160), 160)
    shades = written(lines, (700, 700))
    assert shades.max() == MARK
    rows, cols = np.nonzero(shades)
    inside = np.zeros(rows.shape, bool)
    for line in lines:
        left, top, right, bottom = line.box
        inside |= (cols >= left - 2) & (cols <= right + 2) & (rows >= top - 2) & (rows <= bottom + 2)
    assert inside.all()
    assert written(lines, (20, 20)).shape == (20, 20)
