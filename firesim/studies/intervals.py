"""Intervals of means, proportions and quantiles, over whole arrays of studies at once.

Methods: a mean by Student's t with Hall's correction for skewness, never narrower than the plain t interval; a
proportion by Wilson's score; a quantile by order statistics (no assumption on the distribution).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from firesim.studies.counted import Counted

Array = Any
"""An array, or a number where one row was given."""

LEVEL = 0.95
"""The chance with which an interval is to cover, unless asked otherwise."""


class Interval(NamedTuple):
    """Lower and upper bounds, arrays of one shape; nan where undefined."""

    low: Array
    high: Array

    @property
    def half_width(self) -> Array:
        """Half the distance between the bounds."""
        return np.asarray((self.high - self.low) / 2)


def mean_interval(values: Array, level: float = LEVEL, least: float | None = None) -> Interval:
    """The interval of the mean of each row, (..., n) -> (...).

    Student's t, and Hall's transformation (Annals of Statistics 20, 1992), which moves the bounds to the side where
    the values have their long tail: the wider bound of the two at either side, for outcomes of fires are skewed and
    studies small. Values that are but two neighbouring whole numbers are a share: Wilson's interval. Where all n values
    are equal the interval reaches as far as if a value could differ by 1: by Wilson's upper bound of 0 in n. What is
    rarer than one in n no interval can know of. least: a value that no mean can be below. nan for n < 2.
    """
    data = np.asarray(values, np.float64)
    n = data.shape[-1]
    if n < 2:
        nothing = np.full(data.shape[:-1], np.nan)
        return Interval(nothing, nothing.copy())
    mean = data.mean(axis=-1)
    apart = data - mean[..., None]
    spread = np.sqrt(np.mean(apart * apart, axis=-1))
    cubes = np.mean(apart * apart * apart, axis=-1)
    skewness = np.divide(cubes, spread**3, out=np.zeros_like(mean), where=spread > 0)
    smallest = data.min(axis=-1)
    reach = data.max(axis=-1) - smallest
    two = (reach == 1) & np.all(data == np.rint(data), axis=-1)
    return _from_moments(n, mean, spread, skewness, smallest, two, reach == 0, level, least)


def counted_mean_interval(numbers: Counted, level: float = LEVEL, least: float | None = None) -> Interval:
    """`mean_interval` of counted whole numbers."""
    n = numbers.n
    if n < 2:
        return Interval(np.float64(np.nan), np.float64(np.nan))
    smallest, reach = numbers.values[0], numbers.values[-1] - numbers.values[0]
    spread = np.float64(np.sqrt(numbers.moment(2)))
    figures = (np.float64(numbers.mean), spread, np.float64(numbers.skewness), smallest, reach == 1, reach == 0)
    return _from_moments(n, *figures, level, least)


def _from_moments(
    n: int,
    mean: Array,
    spread: Array,
    skewness: Array,
    smallest: Array,
    two: Array,
    one: Array,
    level: float,
    least: float | None,
) -> Interval:
    """`mean_interval` of n values each; two: they are two neighbouring whole numbers; one: they are all equal."""
    t = student_point(n - 1, level)
    error = spread / np.sqrt(n - 1)
    low = mean - error * np.maximum(t, untransformed(t, skewness, n))
    high = mean + error * np.maximum(t, -untransformed(-t, skewness, n))
    if np.any(two | one):
        shares = proportion_interval((mean - smallest) * n, n, level)
        lone = proportion_interval(0, n, level).high
        low = np.where(two, smallest + shares.low, np.where(one, smallest - lone, low))
        high = np.where(two, smallest + shares.high, np.where(one, smallest + lone, high))
    return Interval(low[()] if least is None else np.maximum(low, least)[()], high[()])


def untransformed(point: float, skewness: Array, n: int) -> Array:
    """Hall's inverse transformation: the point of the skewed t statistic that answers to `point` of the plain one."""
    third = np.asarray(skewness, np.float64) / 3
    shifted = 1 + 3 * third * (point / np.sqrt(n) - skewness / (6 * n))
    small = np.abs(third) < 1e-9
    safe = np.where(small, 1.0, third)
    return np.asarray(np.where(small, point, np.sqrt(n) * (np.cbrt(shifted) - 1) / safe))


def difference_interval(differences: Array, level: float = LEVEL) -> Interval:
    """The interval of the mean of paired differences, (..., n) -> (...).

    As `mean_interval`; but where so few pairs differ that not even all signs alike would be a reason at this level (a
    sign test: fewer than 6 pairs at 95 %), the interval holds 0.
    """
    data = np.asarray(differences, np.float64)
    return _unless_few(mean_interval(data, level), np.count_nonzero(data, axis=-1), level)


def counted_difference_interval(differences: Counted, level: float = LEVEL) -> Interval:
    """`difference_interval` of counted whole numbers."""
    differing = int(differences.counts[differences.values != 0].sum())
    return _unless_few(counted_mean_interval(differences, level), np.int64(differing), level)


def _unless_few(interval: Interval, differing: Array, level: float) -> Interval:
    low, high = np.asarray(interval.low), np.asarray(interval.high)
    few = differing < signs_needed(level)
    return Interval(np.where(few, np.minimum(low, 0.0), low)[()], np.where(few, np.maximum(high, 0.0), high)[()])


def signs_needed(level: float) -> int:
    """The fewest differing pairs whose signs, all alike, have a chance below 1 - level.

    >>> signs_needed(0.95)
    6
    """
    return int(np.floor(1 - np.log2(1 - level))) + 1


def proportion_interval(hits: Any, trials: Any, level: float = LEVEL) -> Interval:
    """Wilson's score interval of each proportion `hits` of `trials`; nan for no trials.

    >>> [round(float(bound), 4) for bound in proportion_interval(8, 10)]
    [0.4902, 0.9433]
    """
    k, n = np.broadcast_arrays(np.asarray(hits, np.float64), np.asarray(trials, np.float64))
    z2 = normal_point(level) ** 2
    with np.errstate(divide="ignore", invalid="ignore"):
        share = k / n
        centre = (share + z2 / (2 * n)) / (1 + z2 / n)
        half = np.sqrt(z2) * np.sqrt(share * (1 - share) / n + z2 / (4 * n * n)) / (1 + z2 / n)
    low = np.where(k == 0, 0.0, np.maximum(centre - half, 0.0))
    high = np.where(k == n, 1.0, np.minimum(centre + half, 1.0))
    none = n <= 0
    return Interval(np.where(none, np.nan, low)[()], np.where(none, np.nan, high)[()])


def share_difference_interval(hits: Any, trials: Any, other_hits: Any, other_trials: Any) -> Interval:
    """The 95 % interval of a proportion minus another, elementwise, after Newcombe (1998, his method 10).

    From Wilson's intervals of both, as if the two had dice of their own; with the same dice it is wider than need be.
    """
    one, other = proportion_interval(hits, trials), proportion_interval(other_hits, other_trials)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.asarray(hits, np.float64) / trials
        other_share = np.asarray(other_hits, np.float64) / other_trials
    apart = share - other_share
    below = np.hypot(share - one.low, other.high - other_share)
    above = np.hypot(one.high - share, other_share - other.low)
    return Interval(np.asarray(apart - below)[()], np.asarray(apart + above)[()])


def quantile_interval(ascending: Array, q: float, level: float = LEVEL) -> Interval:
    """The interval of the q-quantile of each row, (..., n) ascending -> (...), from two of its own values.

    Order statistics: nothing is assumed of the distribution. For whole numbers it covers at least as often as it says,
    and more often where one value has much of the chance. nan at a side where n values are too few for a bound.
    """
    data = np.asarray(ascending)
    low, high = quantile_ranks(data.shape[-1], q, level)
    nothing = np.full(data.shape[:-1], np.nan)
    return Interval(
        data[..., low - 1].astype(np.float64) if low else nothing,
        data[..., high - 1].astype(np.float64) if high else nothing.copy(),
    )


def counted_quantile_interval(numbers: Counted, q: float, level: float = LEVEL) -> Interval:
    """`quantile_interval` of counted whole numbers."""
    low, high = quantile_ranks(numbers.n, q, level)
    nothing = np.float64(np.nan)
    return Interval(
        np.float64(numbers.at_rank(low)) if low else nothing, np.float64(numbers.at_rank(high)) if high else nothing
    )


@lru_cache(maxsize=4096)
def quantile_ranks(n: int, q: float, level: float = LEVEL) -> tuple[int, int]:
    """Ranks, from 1, of the two of n ascending values between which the q-quantile lies; 0 = there is none.

    The count of values up to the quantile is binomial (n, q). Either tail gets at most half of what is left of
    `level`; then a rank is given up at either side where the whole still covers.
    """
    from scipy.special import bdtr

    if n < 1:
        return 0, 0
    tail = (1 - level) / 2
    reach = int(8 * np.sqrt(n * q * (1 - q))) + 8  # standard deviations about the middle: all that is not certain
    first, last = max(int(n * q) - reach, -1), min(int(n * q) + reach, n)
    counts = np.arange(first, last + 1)
    up_to = np.where(counts < 0, 0.0, bdtr(np.maximum(counts, 0), n, q))  # P(count <= counts)
    low = first + int(np.searchsorted(up_to, tail, side="right"))  # the most with P(count <= low - 1) <= tail
    high = first + int(np.searchsorted(up_to, 1 - tail, side="left")) + 1  # the least that P(...) >= 1 - tail
    low, high = max(low, 0), high if high <= n else 0

    def covers(lower: int, upper: int) -> bool:
        return float(up_to[upper - 1 - first] - up_to[lower - 1 - first]) >= level

    if low and high:
        if covers(low + 1, high) and low + 1 < high:
            low += 1
        elif covers(low, high - 1) and low < high - 1:
            high -= 1
    return low, high


@lru_cache(maxsize=1024)
def student_point(freedom: int, level: float = LEVEL) -> float:
    """The point that Student's t of so many degrees of freedom stays within, either way, with chance `level`."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, (1 + level) / 2))


@lru_cache(maxsize=1024)
def normal_point(level: float = LEVEL) -> float:
    """The point that a standard normal stays within, either way, with chance `level`."""
    from scipy.special import ndtri

    return float(ndtri((1 + level) / 2))
