"""Mean and variance of an outcome by linear equations, without truncation and without its distribution.

An outcome that only grows (hull damage, hexes lit) need not be part of the states for that: its gain on each edge
will do. A 3 x 3 ship has 512 states between phases; with its hull damage in them it would have millions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, isfinite, sqrt
from time import perf_counter
from typing import Any

import numpy as np

from firesim.core.problems import InputError, Problem, listed
from firesim.exact import walk
from firesim.exact.chain import NODES_MOST, Chain, chain_of
from firesim.exact.forecast import Forecast
from firesim.exact.space import outcome_place
from firesim.rules.base import Prepared

Array = np.ndarray[Any, Any]

SOLVED_DIRECTLY = 100_000
"""Nodes up to which the equations of all nodes are solved at once (a second)."""

WORK_MOST = 10_000_000_000
"""States between steps times nodes, up to which the equations are first brought down to states between steps."""


@dataclass(frozen=True)
class Moments:
    """Mean and variance of one outcome of a fire, exact; infinite where the end is not sure.

    states: of the chain. horizon: steps after which the fire is left as it stands, None = played to its end.
    """

    outcome: str
    mean: float
    variance: float
    states: int
    horizon: int | None
    seconds: float

    def text(self) -> str:
        """Outcome, size of the work, mean and spread, as the command line prints them."""
        until = "to the fire's end" if self.horizon is None else f"after at most {self.horizon:,} steps"
        head = f"{self.outcome}, {until}: {self.states:,} state{'s' * (self.states != 1)}, {self.seconds:.2g} s"
        if not isfinite(self.mean):
            return f"{head}\nmean infinite"
        spread = sqrt(max(self.variance, 0.0))
        return f"{head}\nmean {self.mean:.12g}, variance {self.variance:.12g}, standard deviation {spread:.6g}"


def moments_of(
    ready: Prepared,
    column: str,
    *,
    nodes_most: int = NODES_MOST,
    progress: Callable[[int], None] | None = None,
    foretell: Callable[[Forecast], None] | None = None,
) -> Moments:
    """Mean and variance of `steps`, or of an outcome that is the sum of what each step adds.

    Raises InputError for other outcomes, for a scenario with too many states, and for a fire that need not end.
    """
    began = perf_counter()
    outcome_place(ready, column)
    sums = ready.columns[2 : 2 + len(ready.first.tally)]
    if column != "steps" and column not in sums:
        what = f"'{column}' is not the sum of what each step adds"
        raise InputError(Problem(what, listed(["steps", *sums]), "ask for its whole distribution"))
    chain = chain_of(
        ready, column, nodes_most=nodes_most, gains=column != "steps", progress=progress, foretell=foretell
    )
    found = moments_within(chain) if chain.horizon is not None else solved(chain)
    if found is None:
        what = f"the equations of {chain.nodes:,} states are too many"
        raise InputError(Problem(what, "a smaller map, or a horizon", "or sample it with firesim.study"))
    start = 0 if column == "steps" else chain.space.desk.before
    return Moments(column, found[0] + start, found[1], chain.nodes, chain.horizon, perf_counter() - began)


def moments_of_steps(chain: Chain) -> tuple[float, float] | None:
    """Mean and variance of the steps to the end; infinite where the end is not sure.

    None where they are not solved: with a horizon, for a chain that was cut off, or one that is too large.
    """
    return None if chain.horizon is not None or chain.beyond.any() else solved(chain)


def solved(chain: Chain) -> tuple[float, float] | None:
    """Mean and variance of the whole gain of a chain that was found to its end; None where it is too large."""
    if chain.never_ends().any():  # every node can be reached
        if chain.column == "steps":
            return inf, inf
        what = f"this fire need not end, and '{chain.column}' may grow for ever"
        raise InputError(Problem(what, "a horizon, as steps = 100"))
    open_ = np.flatnonzero(~chain.ended)
    if not len(open_):
        return 0.0, 0.0
    if len(open_) <= SOLVED_DIRECTLY:
        return solution(*equations_of_nodes(chain, open_))
    between = open_[chain.graph.rank[open_] == 0]
    if len(between) * chain.nodes > WORK_MOST:
        return None
    return solution(*equations_of_steps(chain, between))


def solution(chances: Any, gains: Any, first: Array, second: Array) -> tuple[float, float]:
    """Mean and variance of the gain from the first state on.

    chances, gains: sparse matrices between the states that are not ended: chance, and chance times mean gain. first,
    second (states,): mean gain of one transition, and mean square, ended states included.
    """
    from scipy.sparse import identity
    from scipy.sparse.linalg import splu

    solver = splu((identity(len(first), format="csc") - chances.tocsc()).tocsc())
    mean = solver.solve(first)
    square = solver.solve(second + 2.0 * (gains @ mean))
    return float(mean[0]), float(square[0] - mean[0] ** 2)


def equations_of_nodes(chain: Chain, open_: Array) -> tuple[Any, Any, Array, Array]:
    """The equations of all nodes at once; node 0 is open: it is the first."""
    from scipy.sparse import coo_array

    parents, children, chances = chain.edges()
    if chain.column == "steps":
        closes = chain.graph.rank[children] == 0  # such an edge ends a step
        gain = np.where(closes, chances, 0.0)
        square = gain
    else:
        gain, square = chain.graph.gain[: len(parents)], chain.graph.square[: len(parents)]
    shape = (chain.nodes, chain.nodes)
    first = np.bincount(parents, gain, chain.nodes)[open_]
    second = np.bincount(parents, square, chain.nodes)[open_]
    matrices = [coo_array((v, (parents, children)), shape=shape).tocsr()[open_][:, open_] for v in (chances, gain)]
    return matrices[0], matrices[1], first, second


def equations_of_steps(chain: Chain, between: Array) -> tuple[Any, Any, Array, Array]:
    """The equations of the states between steps alone, from pushing each through its step."""
    from scipy.sparse import csr_array

    mass, gain, square = np.zeros((3, chain.nodes))
    after = np.zeros((3, chain.nodes))
    first, second = np.zeros(len(between)), np.zeros(len(between))
    rows_chance, rows_gain, columns, ends = [], [], [], [0]
    steps = chain.column == "steps"
    place = np.full(chain.nodes, -1)
    place[between] = np.arange(len(between))
    for i, node in enumerate(between):
        mass[node] = 1.0
        push(chain, mass, gain, square, after)
        if steps:
            after[1:] = after[0]
        first[i], second[i] = after[1].sum(), after[2].sum()
        there = np.flatnonzero((after[0] > 0) & (place >= 0))
        rows_chance.append(after[0, there])
        rows_gain.append(after[1, there])
        columns.append(place[there])
        ends.append(ends[-1] + len(there))
        after[:] = 0.0
    shape = (len(between), len(between))
    cells = np.concatenate(columns)
    return (
        csr_array((np.concatenate(rows_chance), cells, np.array(ends)), shape=shape),
        csr_array((np.concatenate(rows_gain), cells, np.array(ends)), shape=shape),
        first,
        second,
    )


def push(chain: Chain, mass: Array, gain: Array, square: Array, after: Array) -> None:
    """One step of mass and gains (see `walk.gains_of_step`); without gains on the edges, of mass alone."""
    if chain.space.gains:
        walk.gains_of_step(chain.order, chain.graph, mass, gain, square, after)
    else:
        walk.one_step(chain.order, chain.graph, mass, after[0])


def moments_within(chain: Chain) -> tuple[float, float]:
    """Mean and variance of the gain within the horizon, by pushing mass and gains step by step."""
    assert chain.horizon is not None
    now, after = np.zeros((3, chain.nodes)), np.zeros((3, chain.nodes))
    now[0, 0] = 1.0
    total = np.zeros(2)
    for step in range(chain.horizon + 1):
        done = chain.ended if step < chain.horizon else np.ones(chain.nodes, bool)
        if chain.column == "steps":
            total += float(now[0, done].sum()) * np.array([step, step * step])
        else:
            total += now[1:, done].sum(axis=1)
        now[:, done] = 0.0
        if not now[0].any():
            break
        push(chain, now[0], now[1], now[2], after)
        now, after = after, now
        after[:] = 0.0
    return float(total[0]), float(total[1] - total[0] ** 2)
