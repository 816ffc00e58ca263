"""A distribution of whole numbers: of a roll, of the steps a fire lasts, of the hexes it burns."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

ROUNDING = 1e-12
"""Cumulated probabilities this close to a bound count as having reached it (sums of doubles are not exact)."""

SUM_TOLERANCE = 1e-9
"""How far the probabilities of a distribution may be from adding up to 1."""

DIRECT_PRODUCTS = 20_000_000
"""Most products a convolution takes one by one; a larger one goes through Fourier transforms."""

FOURIER_NOISE = 1e-15
"""What Fourier transforms leave of a probability below this part of the largest is rounding."""

BANDS = (1, 2, 5)
"""Widths of the bands of a long table: these times a power of ten."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Distribution:
    """Probabilities of whole numbers: P(X = values[i]) = probabilities[i].

    values: int64, strictly ascending. probabilities: float64, none negative. missing: the probability not accounted
    for, because a computation was cut short. never: the probability that the number is infinite (a fire that never
    goes out). sum(probabilities) + missing + never = 1. Raises ValueError when one of this does not hold. The arrays
    are copies and cannot be written to.

    `+` and `-` are of independent numbers. Sums keep small probabilities to full relative precision, except those of
    very many values (`DIRECT_PRODUCTS`), of which the smallest (`FOURIER_NOISE`) are lost.

    >>> d6 = Distribution.uniform(1, 6)
    >>> round((d6 + d6).at_least(10), 12)
    0.166666666667
    """

    values: NDArray[np.int64]
    probabilities: NDArray[np.float64]
    missing: float = 0.0
    never: float = 0.0

    def __post_init__(self) -> None:
        values = np.array(self.values, dtype=np.int64)
        probabilities = np.array(self.probabilities, dtype=np.float64)
        if values.ndim != 1 or values.shape != probabilities.shape:
            raise ValueError(
                f"values {values.shape} and probabilities {probabilities.shape} must be rows of one length"
            )
        if np.any(values[1:] <= values[:-1]):
            raise ValueError("values must be ascending, each once")
        if not (np.all(probabilities >= 0) and self.missing >= 0 and self.never >= 0):
            raise ValueError("a probability is negative or not a number")
        total = math.fsum(probabilities) + self.missing + self.never
        if not abs(total - 1) <= SUM_TOLERANCE:
            raise ValueError(f"the probabilities add up to {total!r}, not to 1")
        for name, array in (("values", values), ("probabilities", probabilities)):
            array.setflags(write=False)
            object.__setattr__(self, name, array)

    @classmethod
    def dense(cls, first: int, probabilities: ArrayLike, missing: float = 0.0, never: float = 0.0) -> Distribution:
        """P(X = first + i) = probabilities[i]; values of probability 0 are left out."""
        row = np.asarray(probabilities, dtype=np.float64)
        there = np.flatnonzero(row)
        return cls(first + there.astype(np.int64), row[there], missing, never)

    @classmethod
    def of(cls, chances: Mapping[int, float], missing: float = 0.0, never: float = 0.0) -> Distribution:
        """P(X = v) = chances[v], in any order; values of probability 0 are left out."""
        there = sorted(value for value, chance in chances.items() if chance)
        values = np.array(there, dtype=np.int64)
        return cls(values, np.array([chances[value] for value in there], dtype=np.float64), missing, never)

    @classmethod
    def constant(cls, value: int) -> Distribution:
        """P(X = value) = 1."""
        return cls.of({value: 1.0})

    @classmethod
    def uniform(cls, lowest: int, highest: int) -> Distribution:
        """P(X = v) = 1 / (highest - lowest + 1) for lowest <= v <= highest: a die."""
        count = highest - lowest + 1
        return cls.dense(lowest, np.full(count, 1.0 / count))

    @classmethod
    def mixture(cls, parts: Iterable[tuple[float, Distribution]]) -> Distribution:
        """One of several distributions, by chance: P(X = v) = sum of weight * P(part = v); the weights add up to 1."""
        shares = list(parts)
        if not abs(math.fsum(weight for weight, _ in shares) - 1) <= SUM_TOLERANCE:
            raise ValueError(f"the weights add up to {math.fsum(weight for weight, _ in shares)!r}, not to 1")
        if any(weight < 0 for weight, _ in shares):
            raise ValueError("a weight is negative")
        values = np.concatenate([part.values for _, part in shares])
        weighted = np.concatenate([weight * part.probabilities for weight, part in shares])
        missing = math.fsum(weight * part.missing for weight, part in shares)
        return _gathered(values, weighted, missing, math.fsum(weight * part.never for weight, part in shares))

    @property
    def mean(self) -> float:
        """E[X] = sum(v * P(X = v)) / (1 - missing): of what is accounted for; infinite when `never` > 0."""
        if self.never > 0:
            return math.inf
        known = math.fsum(self.probabilities)
        return math.fsum(self.values * self.probabilities) / known if known else math.nan

    @property
    def variance(self) -> float:
        """E[(X - mean)^2], of what is accounted for; infinite when `never` > 0."""
        mean = self.mean
        if not math.isfinite(mean):
            return mean
        return math.fsum((self.values - mean) ** 2 * self.probabilities) / math.fsum(self.probabilities)

    @property
    def deviation(self) -> float:
        """The standard deviation, sqrt(variance)."""
        return math.sqrt(self.variance)

    @property
    def cdf(self) -> NDArray[np.float64]:
        """P(X <= values[i]) for each i."""
        return np.cumsum(self.probabilities)

    def at_most(self, n: float) -> float:
        """P(X <= n) as far as accounted for: the true one is at most `missing` larger."""
        return float(self.probabilities[: np.searchsorted(self.values, n, side="right")].sum())

    def at_least(self, n: float) -> float:
        """P(X >= n), `never` included, as far as accounted for: the true one is at most `missing` larger."""
        return float(self.probabilities[np.searchsorted(self.values, n, side="left") :].sum()) + self.never

    def exactly(self, n: int) -> float:
        """P(X = n)."""
        index = int(np.searchsorted(self.values, n))
        return float(self.probabilities[index]) if index < len(self.values) and self.values[index] == n else 0.0

    def quantile(self, q: float) -> float:
        """The smallest value v with P(X <= v) >= q; infinite when the values accounted for do not reach q.

        Hence `quantile(1)` of a roll without a highest total is infinite. Raises ValueError unless 0 <= q <= 1.
        """
        if not 0 <= q <= 1:
            raise ValueError(f"quantile({q!r}): expected a number from 0 to 1")
        if q == 1 and (self.missing > 0 or self.never > 0):
            return math.inf
        index = int(np.searchsorted(self.cdf, q - ROUNDING))
        return int(self.values[index]) if index < len(self.values) else math.inf

    def classes(self, thresholds: Sequence[int]) -> NDArray[np.float64]:
        """What is left of the distribution when only these ascending thresholds matter (meet or beat).

        Returns float64 of len(thresholds) + 1: entry i = P(exactly i thresholds are met) = P(thresholds[i - 1] <= X <
        thresholds[i]). `never` meets them all; `missing` is in none. One threshold: (fail, pass).

        >>> Distribution.uniform(1, 10).classes([4, 9]).round(9).tolist()
        [0.3, 0.5, 0.2]
        """
        if any(high <= low for low, high in pairwise(thresholds)):
            raise ValueError(f"thresholds {list(thresholds)}: expected ascending numbers")
        cuts = [0, *np.searchsorted(self.values, np.asarray(thresholds, dtype=np.int64)), len(self.values)]
        row = [self.probabilities[low:high].sum() for low, high in pairwise(cuts)]
        row[-1] += self.never
        return np.array(row, dtype=np.float64)

    def __neg__(self) -> Distribution:
        """The distribution of -X."""
        if self.never > 0:
            raise ValueError("a number that may be infinite cannot be subtracted")
        return Distribution(-self.values[::-1], self.probabilities[::-1], self.missing)

    def __add__(self, other: Distribution | int) -> Distribution:
        """The distribution of X + Y, independent: P(X + Y = s) = sum over v of P(X = v) * P(Y = s - v)."""
        if isinstance(other, (int, np.integer)):
            return Distribution(self.values + int(other), self.probabilities, self.missing, self.never)
        if not isinstance(other, Distribution):
            return NotImplemented
        never = self.never + other.never - self.never * other.never
        finite, other_finite = 1 - self.never, 1 - other.never
        missing = self.missing * other_finite + other.missing * finite - self.missing * other.missing
        if not (len(self.values) and len(other.values)):
            return Distribution(self.values[:0], self.probabilities[:0], missing, never)
        return _convolved(self, other, missing, never)

    __radd__ = __add__

    def __sub__(self, other: Distribution | int) -> Distribution:
        """The distribution of X - Y, independent."""
        return self + -other

    def times(self, count: int) -> Distribution:
        """The distribution of the sum of `count` independent numbers like this one (`count` dice), by doubling."""
        total, power = Distribution.constant(0), self
        while count > 0:
            if count & 1:
                total = total + power
            count >>= 1
            power = power + power if count else power
        return total

    def __repr__(self) -> str:
        span = f"{self.values[0]} to {self.values[-1]}" if len(self.values) else "no values"
        count = "1 value" if len(self.values) == 1 else f"{len(self.values):,} values"
        parts = [f"Distribution of {count}: {span}, mean {self.mean:.6g}"]
        parts += [f"{name} {share:.3g}" for name in ("missing", "never") if (share := getattr(self, name)) > 0]
        return f"<{', '.join(parts)}>"

    def text(self, least: float = 5e-5, most: int = 100) -> str:
        """A table: each value, its probability, that of it or less, that of it or more.

        The ends are left out as soon as what lies beyond has a probability below `least` (the last lines say so); more
        than `most` rows are gathered into bands, whose "or less" is of the upper end, whose "or more" of the lower.
        """
        or_less, or_more = self.cdf, np.cumsum(self.probabilities[::-1])[::-1] + self.never
        bands = _bands(self.values[(or_less >= least) & (or_more >= least)], most)
        names = [str(low) if low == high else f"{low} to {high}" for low, high in bands]
        wide = max([len("value"), *map(len, names)])
        lines = [f"{'value':>{wide}}  {'chance':>9}  {'or less':>9}  {'or more':>9}"]
        for name, (low, high) in zip(names, bands, strict=True):
            chance = self.probabilities[(self.values >= low) & (self.values <= high)].sum()
            figures = (chance, self.at_most(high), self.at_least(low))
            lines.append(f"{name:>{wide}}  " + "  ".join(f"{100 * figure:>7.3f} %" for figure in figures))
        if self.never > 0:
            lines.append(f"{'never':>{wide}}  {100 * self.never:>7.3f} %")
        if bands and (below := self.at_most(bands[0][0] - 1)) > 0:
            lines.append(f"less than {bands[0][0]}: together {100 * below:.2g} %")
        if bands and (above := self.at_least(bands[-1][1] + 1) - self.never) > 0:
            lines.append(f"more than {bands[-1][1]}: together {100 * above:.2g} %")
        if self.missing >= ROUNDING:
            lines.append(f"not accounted for: {100 * self.missing:.2g} %")
        return "\n".join(lines)


def _gathered(
    values: NDArray[np.int64], probabilities: NDArray[np.float64], missing: float, never: float
) -> Distribution:
    """Equal values added up, in ascending order."""
    unique, where = np.unique(values, return_inverse=True)
    total = np.bincount(where.ravel(), weights=probabilities, minlength=len(unique)).astype(np.float64)
    there = total > 0
    return Distribution(unique[there], total[there], missing, never)


def _convolved(one: Distribution, two: Distribution, missing: float, never: float) -> Distribution:
    """The sum of two independent numbers, by whichever way is short for their number of values and their span."""
    spans = [int(d.values[-1] - d.values[0]) + 1 for d in (one, two)]
    if sum(spans) > 8 * len(one.values) * len(two.values) + 1000:  # few values, far apart
        values = np.add.outer(one.values, two.values).ravel()
        return _gathered(values, np.outer(one.probabilities, two.probabilities).ravel(), missing, never)
    rows: list[NDArray[np.float64]] = []
    for d, span in zip((one, two), spans, strict=True):
        row = np.zeros(span)
        row[d.values - d.values[0]] = d.probabilities
        rows.append(row)
    if spans[0] * spans[1] <= DIRECT_PRODUCTS:
        total = np.convolve(rows[0], rows[1])
    else:
        length = sum(spans) - 1
        points = 1 << (length - 1).bit_length()
        spectrum = np.fft.rfft(rows[0], points) * np.fft.rfft(rows[1], points)
        total = np.fft.irfft(spectrum, points)[:length]
        total[total < FOURIER_NOISE * total.max()] = 0.0
    return Distribution.dense(int(one.values[0] + two.values[0]), total, missing, never)


def _bands(values: NDArray[np.int64], most: int) -> list[tuple[int, int]]:
    """The lowest and highest value of each row of a table of at most `most` rows: bands of 2, 5, 10, 20 ..."""
    if len(values) <= most:
        return [(value, value) for value in values.tolist()]
    power = 1
    while True:
        for step in BANDS:
            width = step * power
            starts = np.unique(values // width) * width
            if len(starts) <= most:
                last = int(values[-1])
                return [(max(low, int(values[0])), min(low + width - 1, last)) for low in starts.tolist()]
        power *= 10
