"""Intervals: against scipy, against figures worked out by hand, and where they are undefined."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from firesim.studies.intervals import (
    difference_interval,
    mean_interval,
    proportion_interval,
    quantile_interval,
    quantile_ranks,
    share_difference_interval,
    signs_needed,
    untransformed,
)

SEED = 4


@pytest.mark.parametrize("n", [1, 2, 7, 30, 1000])
@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_wilson_is_scipys(n, level):
    hits = np.unique(np.linspace(0, n, 12).astype(int))
    low, high = proportion_interval(hits, n, level)
    for k, lower, upper in zip(hits, low, high, strict=True):
        expected = stats.binomtest(int(k), n).proportion_ci(level, "wilson")
        assert (lower, upper) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_no_trials_have_no_interval():
    low, high = proportion_interval([0, 1], [0, 2])
    assert np.isnan([low[0], high[0]]).all()
    assert np.isfinite([low[1], high[1]]).all()


def test_a_mean_of_values_without_skew_has_students_interval():
    values = np.array([1.0, 2, 4, 5, 7, 8, 10, 11])
    low, high = mean_interval(values)
    expected = stats.t.interval(0.95, 7, values.mean(), stats.sem(values))
    assert stats.skew(values) == pytest.approx(0)
    assert float(low) <= expected[0] + 1e-12
    assert float(high) >= expected[1] - 1e-12
    assert (low, high) == pytest.approx(expected, rel=0.02)


def test_a_long_tail_pulls_the_bound_on_its_side():
    values = np.array([0.0] * 30 + [1, 2, 2, 3, 5, 9, 20])
    mean = values.mean()
    low, high = mean_interval(values)
    mirrored = mean_interval(-values)
    assert high - mean > 1.2 * (mean - low)
    assert (mirrored.low, mirrored.high) == pytest.approx((-high, -low))


def test_halls_transformation_is_undone():
    # g(g^-1(x)) = x with g(t) = t + k (2 t^2 + 1) / (6 sqrt n) + k^2 t^3 / (27 n)
    for skewness in (-2.0, -1e-12, 0.0, 0.3, 1.7):
        for n in (20, 400):
            for x in (-2.1, 0.4, 1.96):
                t = float(untransformed(x, np.float64(skewness), n))
                back = t + skewness * (2 * t * t + 1) / (6 * n**0.5) + skewness**2 * t**3 / (27 * n)
                assert back == pytest.approx(x, abs=1e-7)


def test_rows_are_taken_one_by_one():
    values = np.random.default_rng(SEED).geometric(0.2, (5, 3, 40)).astype(float)
    low, high = mean_interval(values)
    assert low.shape == high.shape == (5, 3)
    alone = mean_interval(values[2, 1])
    assert (low[2, 1], high[2, 1]) == (alone.low, alone.high)
    ascending = np.sort(values, axis=-1)
    assert quantile_interval(ascending, 0.5).low.shape == (5, 3)


def test_two_neighbouring_values_are_a_share():
    low, high = mean_interval(np.array([3.0] * 7 + [4.0] * 3))
    share = proportion_interval(3, 10)
    assert (low, high) == pytest.approx((3 + share.low, 3 + share.high))


def test_equal_values_leave_room_for_what_was_not_seen():
    low, high = mean_interval(np.full(40, 6.0))
    lone = float(proportion_interval(0, 40).high)
    assert (low, high) == pytest.approx((6 - lone, 6 + lone))
    assert float(mean_interval(np.zeros(40), least=0.0).low) == 0.0


@pytest.mark.parametrize("n", [0, 1])
def test_one_value_has_no_interval(n):
    assert np.isnan(mean_interval(np.ones(n))).all()
    assert np.isnan(difference_interval(np.ones(n))).all()


def test_no_mean_is_below_the_least():
    assert float(mean_interval(np.array([0.0, 0, 0, 8])).low) < 0
    assert float(mean_interval(np.array([0.0, 0, 0, 8]), least=0.0).low) == 0


@pytest.mark.parametrize("differing", range(4, 12))
def test_a_few_differing_pairs_decide_nothing(differing):
    values = np.zeros(100)
    values[:differing] = 1
    low, _ = difference_interval(values)
    assert (float(low) > 0) == (differing >= 6)
    assert 2 * 0.5 ** signs_needed(0.95) < 0.05 <= 2 * 0.5 ** (signs_needed(0.95) - 1)


@pytest.mark.parametrize("n", [1, 5, 6, 30, 59, 60, 1000])
@pytest.mark.parametrize("q", [0.05, 0.25, 0.5, 0.9])
def test_ranks_of_a_quantile_cover_and_no_rank_less_would(n, q):
    low, high = quantile_ranks(n, q)
    below = stats.binom(n, q).cdf

    def covered(lower, upper):
        return below(upper - 1) - below(lower - 1)

    if low and high:
        assert covered(low, high) >= 0.95 - 1e-12
        assert covered(low + 1, high) < 0.95
        assert covered(low, high - 1) < 0.95
    if not low:
        assert below(0) > 0.025
    if not high:
        assert below(n - 1) < 0.975


def test_a_quantile_of_few_values_is_open_at_a_side():
    low, high = quantile_interval(np.arange(10.0), 0.1)
    assert np.isnan(low)
    assert high == 3, "P(binomial(10, 0.1) < 4) is the first above 97.5 %"
    assert np.isnan(quantile_interval(np.empty(0), 0.5)).all()
    assert quantile_interval(np.arange(6), 0.5) == (0.0, 5.0)


def test_quantile_interval_mirrors():
    values = np.sort(np.random.default_rng(SEED).random(80))
    low, high = quantile_interval(values, 0.3)
    mirrored = quantile_interval(1 - values[::-1], 0.7)
    lower, upper = quantile_ranks(80, 0.3)
    other_lower, other_upper = quantile_ranks(80, 0.7)
    assert abs((81 - upper) - other_lower) <= 1, "the rank that is given up lies at the lower end in both"
    assert abs((81 - lower) - other_upper) <= 1
    assert low < high
    assert mirrored.low < mirrored.high


def test_the_difference_of_shares_is_newcombes():
    # Newcombe 1998, table II: 56/70 - 48/80, method 10: 0.0524 to 0.3339
    low, high = share_difference_interval(56, 70, 48, 80)
    assert (low, high) == pytest.approx((0.0524, 0.3339), abs=5e-5)
    assert np.isnan(share_difference_interval(np.array([1.0]), 2, np.array([0.0]), 0).low).all()
