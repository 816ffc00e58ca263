"""Differences pair by pair."""

from __future__ import annotations

import math

import numpy as np
import pytest

from firesim.core.problems import InputError
from firesim.studies.columns import compared, known, rows_of, values_of
from firesim.studies.intervals import difference_interval
from firesim.studies.pairs import differences
from tests.studies.studies import outcomes

SEED = 12


def of(rows, cases, column="y"):
    return {(d.case, d.against): d for d in differences(rows, (column,), cases)}


def test_a_difference_is_the_mean_over_pairs():
    rng = np.random.default_rng(SEED)
    one = rng.poisson(5, 200)
    other = one + rng.integers(0, 2, 200)
    found = of(outcomes({"y": one}, {"y": other}), ({}, {}))[1, 0]
    assert found.mean == pytest.approx(float((other - one).mean()))
    assert (found.low, found.high) == pytest.approx(tuple(difference_interval((other - one).astype(float))))
    assert found.pairs == found.replicates == 200
    assert found.decided
    expected = math.sqrt((one.var() + other.var()) / (other - one).var())
    assert found.narrowed == pytest.approx(expected)
    assert found.narrowed > 3


def test_pairs_are_found_by_replicate_not_by_place():
    rows = outcomes(
        {"replicate": [0, 1, 2, 5], "y": [10, 20, 30, 60]}, {"replicate": [1, 2, 3, 0], "y": [21, 31, 0, 11]}
    )
    found = of(rows, ({}, {}))[1, 0]
    assert (found.pairs, found.mean) == (3, 1.0)
    assert math.isinf(found.narrowed)


def test_times_are_compared_where_both_happened():
    rows = outcomes({"mill_lit_at": [3, -1, 5, 8]}, {"mill_lit_at": [4, 7, -1, 9]})
    found = of(rows, ({}, {}), "mill_lit_at")[1, 0]
    assert (found.pairs, found.replicates, found.mean) == (2, 4, 1.0)


def test_nothing_in_common_is_undefined():
    rows = outcomes({"replicate": [0, 1], "y": [1, 2]}, {"replicate": [5, 6], "y": [1, 2]})
    found = of(rows, ({}, {}))[1, 0]
    assert found.pairs == 0
    assert all(math.isnan(value) for value in (found.mean, found.low, found.high, found.narrowed))
    assert not found.decided


def test_equal_cases_are_not_decided_and_nothing_is_narrowed():
    rows = outcomes({"y": [4] * 50}, {"y": [4] * 50})
    found = of(rows, ({}, {}))[1, 0]
    assert found.low < 0 < found.high
    assert math.isnan(found.narrowed)


@pytest.mark.parametrize(("cases", "pairs"), [(1, 0), (2, 1), (6, 15), (7, 6)])
def test_many_cases_are_compared_with_the_first(cases, pairs):
    assert len(compared([{}] * cases, 6)) == pairs
    rows = outcomes(*({"y": np.arange(9) % (case + 2)} for case in range(cases)))
    found = differences(rows, ("y", "y"), [{}] * cases)
    assert len(found) == 2 * pairs
    if cases == 7:
        assert {d.against for d in found} == {0}


def test_more_fires_are_foretold_only_within_reason():
    rng = np.random.default_rng(SEED)
    noise = rng.integers(-9, 10, 400)
    near = of(outcomes({"y": np.zeros(400, int)}, {"y": noise + (np.arange(400) % 3 == 0)}), ({}, {}))[1, 0]
    assert not near.decided
    assert near.more is not None
    assert near.more > 40
    even = of(outcomes({"y": np.zeros(40, int)}, {"y": np.tile([-1, 1], 20)}), ({}, {}))[1, 0]
    assert even.more is None
    clear = of(outcomes({"y": np.zeros(40, int)}, {"y": np.tile([1, 2], 20)}), ({}, {}))[1, 0]
    assert clear.more == 0


def test_rows_of_a_case_come_in_order_and_times_without_never():
    rows = outcomes({"y": [1]}, {"replicate": [2, 0, 1], "y": [30, 10, 20]})
    assert rows_of(rows, 1)["y"].tolist() == [10, 20, 30]
    times = outcomes({"lit_at": [-1, 0, 4]})
    assert values_of(times, "lit_at").tolist() == [0, 4]


def test_an_unknown_outcome_is_told_with_the_nearest():
    with pytest.raises(InputError, match="did you mean 'buildings_lost'"):
        known("building_lost", ("steps", "buildings_lost"))
