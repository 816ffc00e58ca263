"""Exact odds of an outcome: the chains of the scenario's independent parts, put together."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from time import perf_counter
from typing import Any

import numpy as np

from firesim.exact.chain import NODES_MOST, chain_of
from firesim.exact.distribution import ROUNDING, Distribution
from firesim.exact.forecast import Forecast
from firesim.exact.moments import moments_of_steps
from firesim.exact.space import outcome_place
from firesim.play import compiled
from firesim.rules.base import Prepared

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True)
class Odds:
    """The exact distribution of one outcome of a fire.

    mean, variance: of `steps` without a horizon by linear equations where that is short (no truncation), else sums
    over the distribution; infinite where the end is not sure. never: the probability that the fire never ends (for
    other outcomes than `steps`: that they never settle). missing: what was cut off of an endless chain, below 1e-13.
    states: of all chains. parts: chains that were solved one by one, because no fire passes between them. horizon:
    steps after which the fire is left as it stands, None = played to its end.
    """

    outcome: str
    distribution: Distribution
    mean: float
    variance: float
    states: int
    parts: int
    horizon: int | None
    seconds: float

    @property
    def values(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """The values the outcome can take, ascending."""
        return self.distribution.values

    @property
    def probabilities(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """The probability of each value."""
        return self.distribution.probabilities

    @property
    def never(self) -> float:
        """The probability that the fire never ends, or the outcome never settles."""
        return self.distribution.never

    @property
    def missing(self) -> float:
        """The probability that was cut off."""
        return self.distribution.missing

    def quantile(self, q: float) -> float:
        """The lowest value that is not exceeded with probability q."""
        return self.distribution.quantile(q)

    def text(self) -> str:
        """Outcome, size of the work, mean, variance, quantiles and table, as the command line prints them."""
        d = self.distribution
        until = "to the fire's end" if self.horizon is None else f"after at most {self.horizon:,} steps"
        parts = "" if self.parts == 1 else f" in {self.parts} independent parts"
        lines = [
            f"{self.outcome}, {until}: {self.states:,} state{'s' * (self.states != 1)}{parts}, {self.seconds:.2g} s"
        ]
        if math.isfinite(self.mean):
            spread = math.sqrt(max(self.variance, 0.0))
            lines.append(f"mean {self.mean:.10g}, variance {self.variance:.10g}, standard deviation {spread:.6g}")
        else:
            lines.append("mean infinite")
        lines.append(
            "quantiles "
            + ", ".join(f"{q:.0%}: {'never' if (v := d.quantile(q)) == math.inf else f'{v:.0f}'}" for q in QUANTILES)
        )
        if d.never > 0:
            what = "never ends" if self.outcome == "steps" else "never settles"
            lines.append(f"{what}: {d.never:.9g}")
        if d.missing > 0:
            lines.append(f"cut off: {d.missing:.1g}")
        return "\n".join([*lines, "", d.text()])


def odds_of(
    ready: Prepared,
    outcome: str = "steps",
    *,
    nodes_most: int = NODES_MOST,
    progress: Callable[[int], None] | None = None,
    foretell: Callable[[Forecast], None] | None = None,
) -> Odds:
    """The exact odds of an outcome column.

    Raises InputError for an outcome that the system lacks, and for a scenario with too many states, before the work
    where that can be foretold.
    """
    began = perf_counter()
    outcome_place(ready, outcome)
    own = [column.name for column in ready.system.outcome_columns]
    parts = ready.system.parts(ready) if outcome in own else [ready]
    horizon = None if ready.scenario.steps is None else ready.horizon
    found: list[Distribution] = []
    states = 0
    exact = None
    for part in parts:  # one after another: only one chain lies in memory
        chain = chain_of(part, outcome, nodes_most=nodes_most, progress=progress, foretell=foretell)
        states += chain.nodes
        found.append(chain.distribution())
        if outcome == "steps" and len(parts) == 1:
            exact = moments_of_steps(chain)
    whole = together(outcome, found)
    compiled(ready, "exact")
    mean, variance = exact or (whole.mean, whole.variance)
    return Odds(outcome, whole, mean, variance, states, len(parts), horizon, perf_counter() - began)


def together(outcome: str, parts: Sequence[Distribution]) -> Distribution:
    """Independent parts as one: the latest end, or the sum of what each adds."""
    return reduce(later if outcome == "steps" else lambda a, b: a + b, parts)


def later(one: Distribution, other: Distribution) -> Distribution:
    """The larger of two independent values; never, where one of them is never.

    What is missing of either is missing of both, as a bound from above.
    """
    values = np.union1d(one.values, other.values)
    both = at_most(one, values) * at_most(other, values)
    never = one.never + other.never - one.never * other.never
    chances = np.maximum(np.diff(both, prepend=0.0), 0.0)
    rest = 1.0 - never - math.fsum(chances)
    return Distribution(
        values, chances, rest if one.missing + other.missing > 0 and rest > ROUNDING / 1000 else 0.0, never
    )


def at_most(
    distribution: Distribution, values: np.ndarray[Any, np.dtype[np.int64]]
) -> np.ndarray[Any, np.dtype[np.float64]]:
    """P(X <= v) for every v of `values`."""
    cumulated = np.r_[0.0, distribution.cdf]
    return np.asarray(cumulated[np.searchsorted(distribution.values, values, side="right")])
