"""Sampled figures held against exact ones, each within its 99.9 % interval."""

from __future__ import annotations

import numpy as np
from scipy.stats import binomtest

NORMAL_999 = 3.2905267314918945
"""The point of the normal distribution that 99.9 % lie within, on both sides."""


def assert_mean(values: np.ndarray, exact: float) -> None:
    """The mean of sampled values is the exact one, as far as chance can tell."""
    half = NORMAL_999 * float(values.std(ddof=1)) / np.sqrt(len(values))
    assert abs(float(values.mean()) - exact) <= half, f"{values.mean():.6f} +- {half:.6f}, exact {exact:.6f}"


def assert_share(happened: np.ndarray, exact: float) -> None:
    """The share of fires in which something happened is the exact chance, as far as chance can tell."""
    interval = binomtest(int(happened.sum()), len(happened)).proportion_ci(0.999, "wilson")
    assert interval.low <= exact <= interval.high, f"{interval.low:.6f} .. {interval.high:.6f}, exact {exact:.6f}"
