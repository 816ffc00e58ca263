"""Pieces stand where they are, side by side where they share a place, and names only where there is room."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firesim.render import pieces
from firesim.render.lettering import measure
from firesim.render.pieces import NAME_SIZE, arrange, meets, named
from firesim.render.view import view
from firesim.rules.base import Piece
from firesim.rules.ship import look
from tests.render.decks import deck

PITCH = 200.0
MIDDLES = np.array([(150.0 + 200 * (cell % 3), 150.0 + 200 * (cell // 3)) for cell in range(9)])
SEEN = view(deck(3, 3))


def people(*places, cell=4, code=look.WELL):
    return [Piece(cell, place, code, f"P{n}", f"Person {n}") for n, place in enumerate(places)]


def overlap(box, other):
    return box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]


def words(placed):
    half = 0.5 * measure(placed.name, NAME_SIZE)
    return placed.name_x - half, placed.name_y - 5, placed.name_x + half, placed.name_y + 5


def test_a_piece_stands_in_the_middle_of_its_square():
    first, last, beyond = arrange(SEEN, people((0, 0), (4, 2), (2, -1)), MIDDLES, PITCH)
    assert (first.x, first.y) == (270, 270)
    assert (last.x, last.y) == (350, 430)
    assert (beyond.x, beyond.y) == (230, 350)
    assert [each.room is None for each in (first, last, beyond)] == [False, False, True]


@pytest.mark.parametrize("count", range(1, 10))
def test_those_who_share_a_square_stand_side_by_side(count):
    placed = arrange(SEEN, people(*[(2, 2)] * count), MIDDLES, PITCH)
    assert len(placed) == count
    assert not any(overlap(one.box, other.box) for one, other in combinations(placed, 2))
    assert np.allclose(
        [np.mean([(p.box[0] + p.box[2]) / 2 for p in placed if p.y == y]) for y in {p.y for p in placed}], 350
    )
    assert {each.letter for each in placed} == {f"P{n}" for n in range(count)}


def test_a_crowd_is_counted_and_the_worst_off_are_shown():
    crowd = people(*[(2, 2)] * 20) + people((2, 2), code=look.PERSON_BURNING)
    placed = arrange(SEEN, crowd, MIDDLES, PITCH)
    assert len(placed) == 9
    assert [each.letter for each in placed if each.letter.startswith("+")] == ["+13"]
    assert placed[-1].code == look.PERSON_BURNING


def test_one_stands_for_all_in_a_small_square():
    crowd = people((2, 2), (2, 2)) + people((2, 2), code=look.DOWN)
    (shown,) = arrange(SEEN, crowd, MIDDLES / 10, PITCH / 10)
    assert (shown.code, shown.letter, shown.size) == (look.DOWN, "", pieces.SIZE_LEAST)


places = st.tuples(st.integers(0, 4), st.integers(0, 4))


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 8), places), max_size=30), st.sampled_from([40, 90, 120, 200]))
def test_names_meet_neither_pieces_nor_one_another_and_stay_in_their_cell(where, pitch):
    crowd = [Piece(cell, place, look.WELL, "P", f"Somebody {n}") for n, (cell, place) in enumerate(where)]
    scale = pitch / PITCH
    placed = arrange(SEEN, crowd, MIDDLES * scale, pitch)
    told = [each for each in named(placed, [], 700 * scale, 700 * scale) if each.name]
    for one, other in combinations(told, 2):
        assert not overlap(words(one), words(other))
    for each in told:
        assert not any(overlap(words(each), other.box) for other in placed)
        assert each.room[0] <= words(each)[0]
        assert words(each)[2] <= each.room[2]


def test_boxes_meet_that_share_more_than_an_edge():
    others = np.array([(0, 0, 10, 10), (20, 0, 30, 10)], float)
    assert meets((5, 5, 25, 6), others)
    assert meets((29, 9, 31, 11), others)
    assert not meets((10, 0, 20, 10), others)
    assert not meets((0, 10, 30, 20), others)
    assert not meets((0, 0, 1, 1), others[:0])


def test_a_name_stands_below_or_where_there_is_room():
    (alone,) = named(arrange(SEEN, people((2, 2)), MIDDLES, PITCH), [], 700, 700)
    assert (alone.name, alone.name_x) == ("Person 0", 350)
    assert alone.name_y > alone.box[3]
    taken = [(alone.name_x - 5, alone.name_y - 5, alone.name_x + 5, alone.name_y + 5)]
    (above,) = named(arrange(SEEN, people((2, 2)), MIDDLES, PITCH), taken, 700, 700)
    assert above.name_y < above.box[1]
    (lost,) = named(arrange(SEEN, people((2, 2)), MIDDLES, PITCH), [(0, 0, 700, 700)], 700, 700)
    assert lost.name == ""


def test_a_long_name_is_shortened_and_many_are_left_out():
    long = [Piece(4, (2, 0), look.WELL, "M", "Maximiliana of the Long Haul and all her many names")]
    (shown,) = named(arrange(SEEN, long, MIDDLES, PITCH), [], 700, 700)
    assert shown.name.startswith("Maxi")
    assert shown.name.endswith("…")
    assert words(shown)[0] >= 250
    many = [Piece(n % 9, (n // 9 % 5, n // 45 % 5), look.WELL, "P", "P") for n in range(pieces.NAMES_MOST + 1)]
    assert not any(each.name for each in named(arrange(SEEN, many, MIDDLES, PITCH), [], 700, 700))
