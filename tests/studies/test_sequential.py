"""Stopping rules: their looks, what they say, and that looking early stays honest."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from firesim.core.problems import InputError
from firesim.studies.intervals import mean_interval
from firesim.studies.pairs import differences
from firesim.studies.sequential import (
    ENOUGH,
    LOOKS_MOST,
    Until,
    UntilDecided,
    boundary,
    ever_crossed,
    level_of,
    next_look,
    replicates_at_look,
    until_decided_of,
    until_of,
)
from tests.studies.studies import outcomes

SEED = 2026
ALL_DECIDED = "lit: all 3 comparisons decided (group sequential, Pocock)"
CASES = ({"wind": "none"}, {"wind": "E"})


# ------------------------------------------------------------------------------------------------------------- looks
def test_looks_come_at_fixed_numbers_of_fires():
    fires = [replicates_at_look(k) for k in range(LOOKS_MOST)]
    assert fires[:5] == [100, 150, 225, 338, 507]
    assert all(1.49 < b / a < 1.51 for a, b in pairwise(fires))
    assert next_look(1) == 100
    assert next_look(151) == 225
    assert [next_look(n) for n in fires] == fires
    with pytest.raises(ValueError, match="look -1"):
        replicates_at_look(-1)


def test_the_boundary_is_crossed_as_often_as_it_says():
    rng = np.random.default_rng(SEED)
    z = boundary(0.05)
    studies = 20_000
    walk = rng.standard_normal(studies) * 10
    crossed = np.abs(walk) / 10 > z
    for look in range(1, LOOKS_MOST):
        before, now = replicates_at_look(look - 1), replicates_at_look(look)
        walk += rng.standard_normal(studies) * np.sqrt(now - before)
        crossed |= np.abs(walk) / np.sqrt(now) > z
    assert abs(crossed.mean() - 0.05) < 4 * np.sqrt(0.05 * 0.95 / studies)


def test_the_boundary_shares_alpha_among_comparisons():
    assert ever_crossed(boundary(0.01)) == pytest.approx(0.01, abs=1e-9)
    assert ever_crossed(1.96) > 0.3, "ordinary intervals at every look would deceive in every third study"
    assert level_of(1) < level_of(3) < level_of(15) < 1


# ------------------------------------------------------------------------------------------------------------- until
def test_it_stops_when_the_interval_is_narrow():
    values = np.random.default_rng(SEED).integers(0, 10, 400)
    rows = outcomes({"lit": values})
    low, high = mean_interval(values.astype(float))
    half = float(high - low) / 2
    stops = Until("lit", half * 1.01).look(rows, ({},), 3)
    assert stops.done
    assert stops.more == 0
    assert stops.sentence.endswith(": stopped (fixed width, Chow and Robbins)")
    (bounds,) = stops.intervals
    assert (bounds.case, bounds.against) == (0, None)
    assert (bounds.low, bounds.mean, bounds.high) == pytest.approx((low, values.mean(), high))
    goes_on = Until("lit", half * 0.5).look(rows, ({},), 3)
    assert not goes_on.done
    # four times the fires, at the next look from there
    assert goes_on.more == next_look(4 * 400) - 400
    assert "more fires to plus or minus" in goes_on.sentence


def test_every_case_has_to_be_narrow():
    rng = np.random.default_rng(SEED)
    quiet, wild = rng.integers(0, 2, 200), rng.integers(0, 100, 200)
    verdict = Until("lit", 1.0).look(outcomes({"lit": quiet}, {"lit": wild}), CASES, 0)
    assert not verdict.done
    assert len(verdict.intervals) == 2
    assert verdict.more % 2 == 0
    assert "widest of 2 cases" in verdict.sentence


@pytest.mark.parametrize(("seldom", "done"), [(0, False), (9, False), (10, True)])
def test_what_is_rare_is_waited_for(seldom, done):
    values = np.zeros(500, int)
    values[:seldom] = 1
    verdict = Until("lit", 0.5).look(outcomes({"lit": values}), ({},), 0)
    assert verdict.done is done
    assert bool(verdict.more) is not done


def test_what_never_happens_is_not_waited_for_without_end():
    assert Until("lit", 0.5).look(outcomes({"lit": np.zeros(ENOUGH, int)}), ({},), 0).done
    never = Until("lit_at", 0.5)
    assert not never.look(outcomes({"lit_at": np.full(200, -1)}), ({},), 0).done
    verdict = never.look(outcomes({"lit_at": np.full(ENOUGH, -1)}), ({},), 0)
    assert verdict.done
    assert "not seen often enough" in verdict.sentence


def test_rows_in_any_order_give_the_same_verdict():
    rows = outcomes({"lit": np.arange(150) % 7}, {"lit": np.arange(150) % 11})
    mixed = np.random.default_rng(SEED).permutation(rows)
    for rule in (Until("lit", 0.4), UntilDecided("lit")):
        assert rule.look(rows, CASES, 1) == rule.look(mixed, CASES, 1)


# ----------------------------------------------------------------------------------------------------- until decided
def test_a_clear_difference_is_decided():
    base = np.random.default_rng(SEED).integers(0, 10, 100)
    verdict = UntilDecided("lit").look(outcomes({"lit": base}, {"lit": base + 1 + np.arange(100) % 2}), CASES, 0)
    assert verdict.done
    assert verdict.more == 0
    assert verdict.sentence.startswith("lit: decided, wind E has 1.")
    (bounds,) = verdict.intervals
    assert (bounds.case, bounds.against) == (1, 0)
    assert 1 < bounds.low < bounds.mean < bounds.high < 2


def test_its_intervals_are_wider_than_a_single_looks():
    rng = np.random.default_rng(SEED)
    rows = outcomes({"lit": rng.integers(0, 9, 100)}, {"lit": rng.integers(0, 9, 100)})
    (bounds,) = UntilDecided("lit").look(rows, CASES, 0).intervals
    (single,) = differences(rows, ("lit",), CASES)
    assert (bounds.high - bounds.low) / (single.high - single.low) == pytest.approx(boundary(0.05) / 1.96, rel=0.05)


def test_all_comparisons_have_to_be_decided():
    base = np.random.default_rng(SEED).integers(0, 50, 100)
    cases = ({"n": 1}, {"n": 2}, {"n": 3})
    rows = outcomes({"lit": base}, {"lit": base + 20}, {"lit": base[::-1]})
    verdict = UntilDecided("lit").look(rows, cases, 0)
    assert not verdict.done
    assert verdict.sentence.startswith("lit: 2 of 3 comparisons decided")
    rows = outcomes({"lit": base}, {"lit": base + 20}, {"lit": base + 40})
    assert UntilDecided("lit").look(rows, cases, 0).sentence == ALL_DECIDED


def test_one_case_has_nothing_to_decide_and_the_last_look_ends():
    assert UntilDecided("lit").look(outcomes({"lit": [1, 2]}), ({},), 0).done
    rows = outcomes({"lit": np.arange(100) % 5}, {"lit": np.arange(100) % 5})
    undecided = UntilDecided("lit").look(rows, CASES, 4)
    assert (undecided.done, undecided.more) == (False, None)
    last = UntilDecided("lit").look(rows, CASES, LOOKS_MOST - 1)
    assert last.done
    assert "after the last look" in last.sentence


def test_looking_early_does_not_deceive():
    """150 studies of nothing, 7 looks each: below 5 % means at most 15 with chance 99.7 %; plain intervals fail."""
    rng = np.random.default_rng(SEED)
    rule, fooled, plainly = UntilDecided("lit"), 0, 0
    for _ in range(150):
        rows = outcomes(*({"lit": rng.geometric(0.2, replicates_at_look(6))} for _ in CASES))
        seen = [rows[rows["replicate"] < replicates_at_look(look)] for look in range(7)]
        fooled += any(rule.look(each, CASES, look).done for look, each in enumerate(seen))
        plainly += any(differences(each, ("lit",), CASES)[0].decided for each in seen)
    assert fooled <= 15
    assert plainly > 15


# ------------------------------------------------------------------------------------------------------------ typed
def test_a_rule_is_read():
    assert until_of("buildings_lost: 0.5", ("steps", "buildings_lost")) == Until("buildings_lost", 0.5)
    assert until_decided_of("steps", ("steps",)) == UntilDecided("steps")
    assert "Chow and Robbins" in Until.method
    assert "Pocock" in UntilDecided.method


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("steps", "OUTCOME:HALFWIDTH"),
        ("step:0.5", "did you mean 'steps'"),
        ("steps:0", "a number above 0"),
        ("steps:-1", "a number above 0"),
        ("steps:nan", "a number above 0"),
        ("steps:inf", "a number above 0"),
        ("steps:", "a number above 0"),
        ("steps:half", "half-width 'half' of steps"),
        (":1", "no outcome ''"),
        ("", "OUTCOME:HALFWIDTH"),
    ],
)
def test_what_is_no_rule_is_told_in_a_line(text, words):
    with pytest.raises(InputError, match=words) as told:
        until_of(text, ("steps", "buildings_lost"))
    assert len(str(told.value).splitlines()) == 1


def test_deciding_an_unknown_outcome_is_told():
    with pytest.raises(InputError, match="no outcome 'stairs'"):
        until_decided_of("stairs", ("steps",))
