"""Whether sampled fires agree with exact odds: the chi-square test, in figures and in words."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from firesim.exact.distribution import Distribution

Array = np.ndarray[Any, Any]

EXPECTED_LEAST = 5.0
"""Neighbouring values are taken together until at least so many fires are expected of each lot."""

AGREES_FROM = 1e-4
"""The chance of a worse fit below which sampled fires are said not to agree: by accident once in ten thousand times."""


@dataclass(frozen=True)
class Agreement:
    """Pearson's chi-square of sampled fires against exact odds; p: the chance of a worse fit."""

    fires: int
    chi_square: float
    freedom: int
    p: float

    @property
    def agrees(self) -> bool:
        """Whether the difference may be chance."""
        return self.p >= AGREES_FROM

    def __str__(self) -> str:
        does = "agree" if self.agrees else "do not agree"
        return f"the {self.fires:,} sampled fires {does} with the exact odds (p = {self.p:.2g})"


def agreement(exact: Distribution, sampled: Array, endless: int = 0) -> Agreement:
    """The test of sampled values (fires,) against the exact distribution.

    endless: further fires that did not end, which are held against `never`. A value that cannot occur makes p 0.
    """
    from scipy.stats import chi2

    values, counts = np.unique(np.asarray(sampled, np.int64), return_counts=True)
    fires = int(counts.sum()) + endless
    observed = np.zeros(len(exact.values))
    place = np.searchsorted(exact.values, values)
    known = place < len(exact.values)
    known[known] = exact.values[place[known]] == values[known]
    if not known.all() or (endless and not exact.never):
        return Agreement(fires, math.inf, 0, 0.0)
    observed[place] = counts
    expected = exact.probabilities * fires
    if exact.never:
        observed, expected = np.r_[observed, endless], np.r_[expected, exact.never * fires]
    lots = in_lots(observed, expected)
    freedom = len(lots) - 1
    statistic = sum((seen - wanted) ** 2 / wanted for seen, wanted in lots)
    return Agreement(fires, statistic, freedom, float(chi2.sf(statistic, freedom)) if freedom else 1.0)


def in_lots(observed: Array, expected: Array) -> list[tuple[float, float]]:
    """Neighbours taken together until enough is expected of each lot; what is left over goes to the last."""
    lots: list[tuple[float, float]] = []
    seen = wanted = 0.0
    for count, mean in zip(observed.tolist(), expected.tolist(), strict=True):
        seen, wanted = seen + count, wanted + mean
        if wanted >= EXPECTED_LEAST:
            lots.append((seen, wanted))
            seen = wanted = 0.0
    if lots:
        last_seen, last_wanted = lots.pop()
        seen, wanted = seen + last_seen, wanted + last_wanted
    return [*lots, (seen, wanted)]
