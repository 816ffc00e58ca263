"""Whether two samples come from one distribution: chi-square over counts, and over many cells at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np
from scipy import stats

EXPECTED_LEAST = 8.0
"""Outcomes expected less often than this in either sample are counted together."""


def same_distribution(first: Iterable[Hashable], second: Iterable[Hashable]) -> tuple[float, int]:
    """p of the chi-square test that two independent samples have one distribution, and its degrees of freedom."""
    one, two = Counter(first), Counter(second)
    fires = one.total() + two.total()
    least = min(one.total(), two.total())
    columns, rest = [], np.zeros(2)
    for outcome in one | two:
        pair = np.array([one[outcome], two[outcome]], float)
        if pair.sum() * least / fires >= EXPECTED_LEAST:
            columns.append(pair)
        else:
            rest += pair
    if rest.sum() * least / fires >= EXPECTED_LEAST:
        columns.append(rest)
    elif columns:
        columns[-1] = columns[-1] + rest
    assert len(columns) > 1, "all fires end alike: nothing is compared"
    test = stats.chi2_contingency(np.array(columns).T, correction=False)
    return float(test.pvalue), int(test.dof)


def same_chances(first: Any, second: Any, fires: int) -> float:
    """p that two arrays of counts out of `fires` have the same chances: the least of all cells, times their number."""
    one, two = np.asarray(first, float), np.asarray(second, float)
    chance = (one + two) / (2 * fires)
    spread = np.sqrt(2 * fires * chance * (1 - chance))
    off = np.divide(np.abs(one - two), spread, out=np.zeros_like(one), where=spread > 0)
    assert (spread > 0).any(), "every cell has the same fate in every fire: nothing is compared"
    return float(min(1.0, len(one) * 2 * stats.norm.sf(off.max())))
