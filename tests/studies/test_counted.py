"""Counts give the figures of the numbers themselves."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from firesim.studies import counted as module
from firesim.studies.counted import counted
from firesim.studies.intervals import (
    counted_difference_interval,
    counted_mean_interval,
    counted_quantile_interval,
    difference_interval,
    mean_interval,
    quantile_interval,
)

SEED = 3
MADE = {
    "skewed": lambda rng: rng.geometric(0.1, 300),
    "negative": lambda rng: rng.integers(-9, 4, 50),
    "far apart": lambda rng: rng.integers(0, 2**60, 40),
    "equal": lambda rng: np.full(30, 7),
    "neighbours": lambda rng: rng.integers(3, 5, 25),
    "two": lambda rng: np.array([4, 9]),
}


@pytest.fixture(params=MADE)
def numbers(request):
    return MADE[request.param](np.random.default_rng(SEED))


def test_counts_have_the_moments_of_the_numbers(numbers):
    found = counted(numbers)
    assert found.n == len(numbers)
    assert found.mean == pytest.approx(numbers.mean())
    assert found.deviation == pytest.approx(numbers.std(ddof=1))
    if numbers.std():
        assert found.skewness == pytest.approx(stats.skew(numbers), abs=1e-9)


def test_counts_have_the_intervals_of_the_numbers(numbers):
    found = counted(numbers)
    for level in (0.8, 0.95, 0.999):
        assert counted_mean_interval(found, level) == pytest.approx(tuple(mean_interval(numbers, level)))
        assert counted_difference_interval(found, level) == pytest.approx(tuple(difference_interval(numbers, level)))
    assert counted_mean_interval(found, least=5.0).low == pytest.approx(mean_interval(numbers, least=5.0).low)
    for q in (0.05, 0.5, 0.9):
        of_all = tuple(map(float, quantile_interval(np.sort(numbers), q)))
        assert tuple(map(float, counted_quantile_interval(found, q))) == pytest.approx(of_all, nan_ok=True)
        assert found.quantile(q) == np.quantile(numbers, q, method="inverted_cdf")


def test_sorted_and_counted_place_by_place_are_the_same(monkeypatch, numbers):
    plain = counted(numbers)
    monkeypatch.setattr(module, "WIDEST", 0)
    again = counted(np.concatenate([numbers, [10**12]]))
    assert np.array_equal(again.values[: len(plain.values)][plain.values < 10**12], plain.values[plain.values < 10**12])


@pytest.mark.parametrize("count", [0, 1])
def test_none_and_one(count):
    found = counted(np.full(count, 5))
    assert found.n == count
    assert math.isnan(found.mean) == (count == 0)
    assert np.isnan(counted_mean_interval(found)).all()
    assert math.isnan(found.quantile(0.5)) == (count == 0)
