"""Whole numbers as how often each occurs: all figures of millions of fires from a few hundred counts."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, Any]

WIDEST = 1_000_000
"""Numbers that span no more than this, or four times as many as there are, are counted place by place, else sorted."""


class Counted(NamedTuple):
    """Ascending values (k,) float64, each once, and how often it occurs (k,) int64."""

    values: Array
    counts: Array

    @property
    def n(self) -> int:
        """How many there are in all."""
        return int(self.counts.sum())

    @property
    def mean(self) -> float:
        """The mean; nan for none."""
        return float(self.values @ self.counts) / self.n if self.n else math.nan

    def moment(self, power: int) -> float:
        """The mean of the differences from the mean, to a power."""
        return float((self.values - self.mean) ** power @ self.counts) / self.n

    @property
    def deviation(self) -> float:
        """The standard deviation of a sample; 0 for one value."""
        return math.sqrt(self.moment(2) * self.n / (self.n - 1)) if self.n > 1 else 0.0

    @property
    def skewness(self) -> float:
        """The skewness; 0 where all are equal."""
        square = self.moment(2)
        return self.moment(3) / square**1.5 if len(self.values) > 1 and square > 0 else 0.0

    def at_rank(self, rank: int) -> float:
        """The value at a place in ascending order, from 1."""
        return float(self.values[np.searchsorted(np.cumsum(self.counts), rank)])

    def quantile(self, q: float) -> float:
        """The lowest value that a share q does not exceed; nan for none."""
        return self.at_rank(max(math.ceil(q * self.n - 1e-9), 1)) if self.n else math.nan


def counted(numbers: Array) -> Counted:
    """Whole numbers (n,) counted.

    >>> counted(np.array([4, 2, 4]))
    Counted(values=array([2., 4.]), counts=array([1, 2]))
    """
    whole = np.asarray(numbers)
    if not len(whole):
        return Counted(np.empty(0), np.empty(0, np.int64))
    low, high = int(whole.min()), int(whole.max())
    if high - low <= max(WIDEST, 4 * len(whole)):
        every = np.bincount(np.asarray(whole - low, np.int64))
        places = np.flatnonzero(every)
        return Counted((places + low).astype(np.float64), every[places])
    values, counts = np.unique(whole, return_counts=True)
    return Counted(values.astype(np.float64), counts)
