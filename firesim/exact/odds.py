"""Exact odds of an outcome: the chains of the scenario's independent parts, put together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from firesim.exact.chain import NODES_MOST, Forecast, chain_of, outcome_place
from firesim.exact.distribution import Distribution
from firesim.rules.base import Prepared


@dataclass(frozen=True)
class Odds:
    """The exact distribution of one outcome of a fire.

    values, probabilities: see `Distribution`; `missing` is the chance that the fire never ends, or what was cut off
    of an endless chain (below 1e-13). mean, variance: of the whole distribution; the mean of `steps` is infinite
    where the end is not sure. states: of all chains.
    """

    outcome: str
    distribution: Distribution
    mean: float
    variance: float
    states: int
    parts: int
    seconds: float

    @property
    def values(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """The values the outcome can take, ascending."""
        return self.distribution.values

    @property
    def probabilities(self) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        """The probability of each value."""
        return self.distribution.probabilities

    @property
    def missing(self) -> float:
        """The probability of no value at all."""
        return self.distribution.missing

    def quantile(self, q: float) -> float:
        """The lowest value that is not exceeded with probability q."""
        return self.distribution.quantile(q)


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
    outcome_place(ready, outcome)
    own = [column.name for column in ready.system.outcome_columns]
    parts = ready.system.parts(ready) if outcome in own else [ready]
    horizon = None if ready.scenario.steps is None else ready.horizon
    chains = [chain_of(part, outcome, nodes_most=nodes_most, progress=progress, foretell=foretell) for part in parts]
    found = [chain.distribution(horizon) for chain in chains]
    whole = found[0] if len(found) == 1 else together(outcome, found)
    mean, variance = whole.mean, whole.variance
    if outcome == "steps" and horizon is None and len(chains) == 1:
        mean, variance = chains[0].moments()
    elif outcome == "steps" and horizon is None and any(chain.moments()[0] == float("inf") for chain in chains):
        mean, variance = float("inf"), float("nan")
    states, seconds = sum(chain.nodes for chain in chains), sum(chain.seconds for chain in chains)
    return Odds(outcome, whole, mean, variance, states, len(chains), seconds)


def together(outcome: str, parts: Sequence[Distribution]) -> Distribution:
    """Independent parts as one: the latest end, or the sum of what each adds."""
    return reduce(later if outcome == "steps" else lambda a, b: a + b, parts)


def later(one: Distribution, other: Distribution) -> Distribution:
    """The larger of two independent values."""
    values = np.union1d(one.values, other.values)
    both = np.array([one.at_most(int(v)) * other.at_most(int(v)) for v in values])
    return Distribution(values, np.diff(both, prepend=0.0), missing=max(0.0, 1.0 - float(both[-1])))
