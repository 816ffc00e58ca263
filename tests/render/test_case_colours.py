"""Cases of a study are told apart: by anyone, under colour-vision deficiencies, and on a grey print."""

from itertools import combinations

import numpy as np
import pytest

from firesim.core.telling import short
from firesim.render import case_colours as colours
from firesim.render.case_maps import UNDECIDED
from firesim.render.palette import PAPER, text_of
from firesim.render.value_maps import NEVER
from tests.render.test_colours import MACHADO, apart, lab


def hexes(scale, count):
    return [text_of(np.round(np.array(scale(x)[:3]) * 255)) for x in np.linspace(0, 1, count)]


@pytest.mark.parametrize("sight", MACHADO)
def test_lines_are_told_apart_and_from_the_paper(sight):
    away = apart([*colours.COLOURS, PAPER], sight)
    assert away[np.triu_indices(len(away), 1)].min() >= 28


def test_no_two_cases_have_the_same_line():
    lines = [colours.line_of(place) for place in range(len(colours.COLOURS) * len(colours.DASHES))]
    assert len({(line.colour, str(line.dash)) for line in lines}) == len(lines)
    assert len({line.marker for line in lines[: colours.CASES_MOST]}) == colours.CASES_MOST


@pytest.mark.parametrize("sight", MACHADO)
def test_more_and_less_are_told_apart_at_every_strength(sight):
    scale = hexes(colours.diverging(), 21)
    for strength in range(2, 11):
        assert apart([scale[10 - strength], scale[10 + strength]], sight)[0, 1] >= 7, strength
    assert apart([colours.LESS, colours.MIDDLE, colours.MORE], sight)[np.triu_indices(3, 1)].min() >= 30


@pytest.mark.parametrize("sight", MACHADO)
def test_scales_go_one_way_in_lightness(sight):
    light = lab(hexes(colours.diverging(), 21), sight)[:, 0]
    assert (np.diff(light[:11]) > 0).all()
    assert (np.diff(light[10:]) < 0).all()
    assert (np.diff(lab(hexes(colours.arrival(), 21), sight)[:, 0]) < 0).all()


@pytest.mark.parametrize("sight", MACHADO)
def test_cells_without_a_value_look_like_no_value(sight):
    for grey in (NEVER, UNDECIDED):
        for scale in (colours.diverging(), colours.arrival()):
            assert apart([grey, *hexes(scale, 41)], sight)[0, 1:].min() >= 3


def test_twelve_of_many_cases_are_shown_from_first_to_last():
    for count in (1, 12, 13, 500):
        places = colours.shown(count)
        assert len(places) == len(set(places)) == min(count, 12)
        assert (places[0], places[-1]) == (0, count - 1)


def test_long_names_keep_both_ends():
    names = [f"tables.material.wattle and daub {n}, moisture {w}" for n in (2, 3) for w in ("normal", "damp")]
    assert all(len(short(name, 30)) == 30 for name in names)
    assert len({short(name, 40) for name in names}) >= 2
    assert short("wind E", 30) == "wind E"
    for one, other in combinations(["a" * 60 + "1", "a" * 60 + "2"], 2):
        assert short(one, 20) != short(other, 20)
