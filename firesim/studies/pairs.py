"""Differences between cases, pair by pair: the same replicate rolls the same dice in every case."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from firesim.studies.columns import compared, paired, rows_of
from firesim.studies.counted import Counted, counted
from firesim.studies.intervals import LEVEL, counted_difference_interval

Array = np.ndarray[Any, Any]

ALL_PAIRS = 6
"""Up to so many cases each is compared with each, beyond with the first alone."""


@dataclass(frozen=True)
class Difference:
    """What one case has more of than another, on average over the pairs (fires with the same dice).

    mean, low, high: of `case` minus `against`, with the 95 % interval; nan for fewer than two pairs. replicates: those
    that both cases have. pairs: as many; of a time, those in which it happened in both. narrowed: how many times wider
    the interval would be if both cases had dice of their own; nan where nothing varies, infinite where the cases differ
    by the same in every pair.
    """

    column: str
    case: int
    against: int
    pairs: int
    mean: float
    low: float
    high: float
    narrowed: float
    replicates: int

    @property
    def decided(self) -> bool:
        """Whether the interval leaves out 0."""
        return self.low > 0 or self.high < 0

    @property
    def more(self) -> int | None:
        """About how many more replicates would leave out 0, were the difference as it seems; None: too many to tell."""
        if self.decided:
            return 0
        if self.pairs < 2 or not self.mean:
            return None
        reach = self.mean - self.low if self.mean > 0 else self.high - self.mean
        times = max((reach / abs(self.mean)) ** 2, LEAST_TIMES)
        return None if times > MOST_TIMES else max(1, math.ceil(self.replicates * (times - 1)))

    def words(self, cases: Sequence[Mapping[str, Any]], unit: str = "") -> str:
        """The difference as a sentence."""
        from firesim.studies.answers import difference_words

        return difference_words(self, cases, unit)


LEAST_TIMES = 1.1
"""What is undecided takes at least so many times the pairs."""

MOST_TIMES = 400.0
"""A difference that so many times the pairs would not decide is not worth a forecast."""


def differences(
    outcomes: Array, columns: Sequence[str], cases: Sequence[Mapping[str, Any]], level: float = LEVEL
) -> tuple[Difference, ...]:
    """The differences of every column between cases: all pairs for up to 6 cases, else each against the first.

    outcomes: structured (rows,), fields `case`, `replicate` and the columns. Replicates that both cases have count.
    """
    if len(cases) < 2:
        return ()
    rows = [rows_of(outcomes, case) for case in range(len(cases))]
    pairs = compared(cases, ALL_PAIRS)
    return tuple(
        difference(column, rows[case], rows[against], case, against, level)
        for column in columns
        for case, against in pairs
    )


def difference(column: str, one: Array, other: Array, case: int, against: int, level: float = LEVEL) -> Difference:
    """The difference between two cases' rows, as `rows_of` gives them; see `intervals.difference_interval`."""
    replicates, a, b = paired(one, other, column)
    apart = counted(a - b)
    low, high = counted_difference_interval(apart, level)
    factor = narrowing(counted(a), counted(b), apart)
    return Difference(column, case, against, len(a), apart.mean, float(low), float(high), factor, replicates)


def narrowing(one: Counted, other: Counted, apart: Counted) -> float:
    """How many times pairing narrows the interval of a difference: the root of the variances' ratio."""
    if apart.n < 2:
        return math.nan
    alone, together = one.moment(2) + other.moment(2), apart.moment(2)
    if together == 0:
        return math.inf if alone > 0 else math.nan
    return math.sqrt(alone / together)
