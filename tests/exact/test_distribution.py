"""Distributions of whole numbers: their figures, their sums, their table."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firesim.exact import distribution as module
from firesim.exact.distribution import Distribution

D6 = Distribution.uniform(1, 6)
SMALL = st.dictionaries(st.integers(-40, 40), st.integers(1, 9), min_size=1, max_size=8).map(
    lambda weights: Distribution.of({v: w / sum(weights.values()) for v, w in weights.items()})
)


def same(one: Distribution, two: Distribution, exact: float = 1e-14) -> bool:
    return bool(
        one.values.tolist() == two.values.tolist()
        and np.allclose(one.probabilities, two.probabilities, rtol=0, atol=exact)
        and abs(one.missing - two.missing) <= exact
        and abs(one.never - two.never) <= exact
    )


def test_figures_of_a_die():
    assert D6.values.dtype == np.int64
    assert D6.probabilities.dtype == np.float64
    assert D6.mean == pytest.approx(3.5, abs=1e-15)
    assert D6.variance == pytest.approx(35 / 12, abs=1e-14)
    assert D6.deviation == pytest.approx(math.sqrt(35 / 12), abs=1e-14)
    assert D6.cdf == pytest.approx([i / 6 for i in range(1, 7)], abs=1e-15)
    assert (D6.at_least(5), D6.at_most(2), D6.exactly(3)) == pytest.approx((1 / 3, 1 / 3, 1 / 6), abs=1e-15)
    assert (D6.at_least(7), D6.at_most(0), D6.exactly(7), D6.exactly(0)) == (0, 0, 0, 0)
    assert (D6.at_least(4.5), D6.at_most(4.5)) == pytest.approx((1 / 3, 2 / 3), abs=1e-15)


def test_quantiles_are_the_smallest_values_that_reach():
    assert [D6.quantile(q) for q in (0, 1 / 6, 0.17, 0.5, 0.51, 1)] == [1, 1, 2, 3, 4, 6]
    assert isinstance(D6.quantile(0.5), int)
    # Ten tenths do not add up to one in doubles, nor three to 0.3.
    assert Distribution.uniform(1, 10).quantile(0.3) == 3
    for q in (-0.1, 1.1, math.nan):
        with pytest.raises(ValueError, match="expected a number from 0 to 1"):
            D6.quantile(q)


def test_what_never_happens_makes_the_mean_infinite():
    half = Distribution.of({3: 0.25, 5: 0.25}, never=0.5)
    assert half.mean == half.variance == math.inf
    assert [half.quantile(q) for q in (0.25, 0.5, 0.51, 1)] == [3, 5, math.inf, math.inf]
    assert (half.at_least(5), half.at_least(9), half.at_most(9)) == (0.75, 0.5, 0.5)
    assert half.classes([4]).tolist() == [0.25, 0.75]
    assert (half + 2).never == 0.5
    assert (half + half).never == 0.75
    assert (half + half).exactly(8) == 0.125
    with pytest.raises(ValueError, match="cannot be subtracted"):
        1 + -half


def test_means_are_of_what_is_accounted_for():
    cut = Distribution.of({0: 0.25, 4: 0.25}, missing=0.5)
    assert cut.mean == 2
    assert cut.variance == 4
    assert cut.quantile(0.5) == 4
    assert cut.quantile(0.6) == cut.quantile(1) == math.inf
    assert cut.classes([1]).tolist() == [0.25, 0.25]
    assert math.isnan(Distribution.of({}, missing=1).mean)
    assert Distribution.of({}, never=1).quantile(0.5) == math.inf


def test_missing_and_never_of_a_sum():
    one = Distribution.of({1: 0.5}, missing=0.2, never=0.3)
    two = Distribution.of({1: 0.6}, missing=0.4)
    total = one + two
    assert total.exactly(2) == pytest.approx(0.3)
    assert total.never == pytest.approx(0.3)
    assert total.missing == pytest.approx(0.4)
    assert (Distribution.of({}, never=1) + two).never == 1


@pytest.mark.parametrize(
    ("values", "probabilities", "missing", "says"),
    [
        ([1, 2], [1.0], 0, "rows of one length"),
        ([2, 1], [0.5, 0.5], 0, "ascending"),
        ([1, 1], [0.5, 0.5], 0, "ascending"),
        ([1, 2], [1.5, -0.5], 0, "negative or not a number"),
        ([1, 2], [math.nan, 0.5], 0, "negative or not a number"),
        ([1], [1.0], -0.1, "negative or not a number"),
        ([1, 2], [0.5, 0.4], 0, "add up to 0.9, not to 1"),
    ],
)
def test_what_is_no_distribution_is_refused(values, probabilities, missing, says):
    with pytest.raises(ValueError, match=says):
        Distribution(np.array(values), np.array(probabilities), missing)


def test_the_arrays_are_copies_and_cannot_be_written_to():
    values, probabilities = np.array([1, 2]), np.array([0.5, 0.5])
    made = Distribution(values, probabilities)
    values[0] = 9
    assert made.values.tolist() == [1, 2]
    with pytest.raises(ValueError, match="read-only"):
        made.probabilities[0] = 1
    with pytest.raises(AttributeError):
        made.missing = 0.5


def test_values_of_no_probability_are_left_out():
    assert Distribution.dense(5, [0.5, 0, 0.5]).values.tolist() == [5, 7]
    assert Distribution.of({9: 0.5, 4: 0.5, 2: 0}).values.tolist() == [4, 9]


def test_sums_differences_and_shifts():
    two = D6 + D6
    assert two.values.tolist() == list(range(2, 13))
    assert two.probabilities == pytest.approx([min(i, 12 - i) / 36 for i in range(1, 12)], abs=1e-15)
    assert same(two + 3, Distribution(two.values + 3, two.probabilities))
    assert same(sum([D6, D6, D6]), D6.times(3))
    assert (D6 - D6).exactly(-5) == pytest.approx(1 / 36, abs=1e-15)
    assert (D6 - 1).values.tolist() == [0, 1, 2, 3, 4, 5]
    assert D6.times(0).values.tolist() == [0]
    with pytest.raises(TypeError):
        D6 + "1"


@settings(deadline=None)
@given(SMALL, SMALL, SMALL)
def test_convolution_is_commutative_and_associative_and_adds_means_and_variances(one, two, three):
    total = one + two
    assert same(total, two + one)
    assert same(total + three, one + (two + three))
    assert total.mean == pytest.approx(one.mean + two.mean, abs=1e-11)
    assert total.variance == pytest.approx(one.variance + two.variance, abs=1e-10)
    assert math.fsum(total.probabilities) == pytest.approx(1, abs=1e-13)


def test_values_far_apart_need_no_row_of_everything_between():
    far = Distribution.of({0: 0.5, 10**15: 0.5})
    assert (far + far + far).values.tolist() == [0, 10**15, 2 * 10**15, 3 * 10**15]
    assert (far + far + far).probabilities.tolist() == [0.125, 0.375, 0.375, 0.125]


def test_the_way_through_fourier_transforms_gives_the_same(monkeypatch):
    direct = Distribution.uniform(1, 100).times(5)
    monkeypatch.setattr(module, "DIRECT_PRODUCTS", 0)
    through = Distribution.uniform(1, 100).times(5)
    assert through.probabilities.tolist() != direct.probabilities.tolist(), "it was not taken"
    for value in range(5, 501):
        assert through.exactly(value) == pytest.approx(direct.exactly(value), abs=1e-16)


def test_a_mixture_weighs_its_parts():
    mixed = Distribution.mixture([(0.25, D6), (0.75, Distribution.of({6: 0.5, 9: 0.25}, missing=0.125, never=0.125))])
    assert mixed.values.tolist() == [1, 2, 3, 4, 5, 6, 9]
    assert mixed.exactly(6) == pytest.approx(0.25 / 6 + 0.375, abs=1e-15)
    assert (mixed.missing, mixed.never) == (0.09375, 0.09375)
    for weights, says in (((0.5, 0.4), "add up to 0.9"), ((1.5, -0.5), "negative")):
        with pytest.raises(ValueError, match=says):
            Distribution.mixture([(weights[0], D6), (weights[1], D6)])


def test_classes_lie_between_thresholds():
    assert D6.classes([3, 6]) == pytest.approx([2 / 6, 3 / 6, 1 / 6], abs=1e-15)
    assert D6.classes([]) == pytest.approx([1], abs=1e-15)
    assert D6.classes([-4, 99]) == pytest.approx([0, 1, 0], abs=1e-15)
    for wrong in ([3, 3], [5, 2]):
        with pytest.raises(ValueError, match="expected ascending"):
            D6.classes(wrong)


def test_the_table():
    assert Distribution.of({1: 0.5, 10: 0.25, 30: 0.125}, never=0.0625, missing=0.0625).text() == (
        "value     chance    or less    or more\n"
        "    1   50.000 %   50.000 %   93.750 %\n"
        "   10   25.000 %   75.000 %   43.750 %\n"
        "   30   12.500 %   87.500 %   18.750 %\n"
        "never    6.250 %\n"
        "not accounted for: 6.2 %"
    )


def test_a_long_table_is_gathered_and_its_thin_ends_left_out():
    long = Distribution.of({-3: 1e-6, **dict.fromkeys(range(-1, 11), (1 - 3e-6) / 12), 20: 2e-6})
    assert long.text(most=5).splitlines() == [
        " value     chance    or less    or more",
        "    -1    8.333 %    8.333 %  100.000 %",
        "0 to 4   41.667 %   50.000 %   91.667 %",
        "5 to 9   41.667 %   91.666 %   50.000 %",
        "    10    8.333 %  100.000 %    8.334 %",
        "less than -1: together 0.0001 %",
        "more than 10: together 0.0002 %",
    ]
    assert len(long.text(least=0).splitlines()) == 15


def test_its_short_description():
    assert repr(D6) == "<Distribution of 6 values: 1 to 6, mean 3.5>"
    assert repr(Distribution.of({2: 0.5}, never=0.5)) == "<Distribution of 1 value: 2 to 2, mean inf, never 0.5>"
