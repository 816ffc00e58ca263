"""Answers in words."""

from __future__ import annotations

import numpy as np
import pytest

from firesim.studies.answers import amounts_to, burns_out, difference_words, happens
from firesim.studies.pairs import differences
from tests.studies.studies import outcomes

WINDS = ({"weather.wind": "none"}, {"weather.wind": "E"})


def test_by_when_it_burns_out():
    steps = np.repeat([5, 12, 20], [50, 42, 8])
    assert burns_out(steps, np.zeros(100), "Turn") == "burns out by turn 12 in 9 fires of 10 (95 %: 12 to 20)"


def test_what_still_burns_is_told():
    steps = np.repeat([5, 12, 20], [50, 42, 8])
    assert burns_out(steps, steps == 20, "round").endswith(", still burns at the end in 8 fires of 100")
    assert (
        burns_out(steps, steps > 5)
        == "burns out by step 5 in half of the fires, still burns at the end in 5 fires of 10"
    )
    assert burns_out(steps, steps > 0) == "still burns at the end in every fire"


def test_what_happens_how_often_and_when():
    said = happens(np.array([-1] * 60 + [4] * 10 + [7] * 30), "church_lit_at", "turn")
    assert said == "church_lit_at: happens in 4 fires of 10 (95 %: 31 to 50 %), half of those by turn 7"
    assert happens(np.full(10, -1), "church_lit_at").startswith("church_lit_at: happens in no fire (95 %: 0 to 28")


def test_amounts():
    assert amounts_to(np.full(9, 3.0), "lit", "hexes") == "lit (hexes): 3 in every fire"
    assert amounts_to(np.array([0.0, 1] * 50), "church_lost") == "church_lost: is 1 in 5 fires of 10 (95 %: 40 to 60 %)"
    said = amounts_to(np.arange(1.0, 101), "buildings_lost", "buildings")
    assert said == "buildings_lost: at most 50 in half of the fires, at most 90 in 9 fires of 10"


def told(one, other, unit=""):
    (found,) = differences(outcomes({"lit": one}, {"lit": other}), ("lit",), WINDS)
    return difference_words(found, WINDS, unit), found.words(WINDS, unit)


def test_a_decided_difference_says_which_and_how_much():
    base = np.arange(200) % 40
    said, same = told(base, base + 3 + np.arange(200) % 2, "hexes")
    assert said == same
    assert said.startswith("lit (hexes): wind E has 3.5 more than wind none (95 %: 3.4")
    assert "times narrower by pairing" in said
    less, _ = told(base + 3, base)
    assert less == "lit: wind E has 3 less than wind none (95 %: 2.981 to 3.019), in every pair alike"


def test_what_cannot_be_told_apart_says_how_many_fires_would():
    noise = np.tile([-6, 7], 50)
    said, _ = told(np.zeros(100, int), noise)
    assert said.startswith("lit: wind E and wind none cannot be told apart yet (95 %: -0.8")
    # half-width about 1.29 against a mean of 0.5: 6.7 times the pairs, so 570 pairs or 1,140 fires more
    assert said.endswith("; about 1,200 more fires would")


def test_what_no_number_of_fires_would_tell_is_bounded():
    said, _ = told(np.zeros(100, int), np.tile([-6, 6], 50))
    assert "more fires" not in said
    assert "if they differ, then by less than 1.2" in said


@pytest.mark.parametrize(
    ("count", "end"), [(1, "cannot be compared: 1 pairs of fires"), (9, "were equal in all 9 pairs")]
)
def test_what_cannot_be_compared_is_said(count, end):
    said, _ = told(np.full(count, 4), np.full(count, 4))
    assert said.endswith(end)
