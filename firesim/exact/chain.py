"""Exact odds of a fire by Markov chain: the kernel's own acts, walked with every face.

`chain_of` finds all states, step by step; `Chain.distribution` pushes probability through them. Means and variances
without truncation are `moments`' work.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from firesim.core.problems import InputError, Problem
from firesim.exact import walk
from firesim.exact.distribution import Distribution
from firesim.exact.forecast import Forecast, forecast, rounded
from firesim.exact.space import Space, space_of
from firesim.rules.base import STEPS_MOST, Prepared

Array = np.ndarray[Any, Any]

NODES_MOST = 6_000_000
"""States beyond which a chain is refused."""

BYTES_MOST = 3 << 30
"""Memory for a chain, which long rows of large maps reach before NODES_MOST; twice that while it grows."""

NODES_A_CALL, BYTES_A_CALL = 2_000, 8 << 20
"""Nodes expanded between two looks at memory and progress, and their bytes."""

FORETOLD_FROM, FORETOLD_BYTES = 20_000, 128 << 20
"""Nodes expanded, or memory taken, at which a chain is foretold: less is but a moment's work."""

FORETOLD_TOO_LARGE = 3
"""A forecast is refused when it is this many times the states allowed: within that it may err."""

NEGLIGIBLE = 1e-14
"""Probability still on its way at which an endless chain is cut off; stated as `missing`."""

STEPS_LOOKED = (64, 128, 256, 512, 1024, 2048, 4096)
"""Steps at which it is looked whether what lies ahead still matters; beyond the last a chain is refused."""


@dataclass
class Chain:
    """All states of a fire that can be reached, and the chances between them.

    graph: see `walk.Graph`. order: nodes by the place of their cursor in a step. values: the outcome of every node.
    horizon: steps after which the fire is left as it stands; None: it is played to its end. seconds: what finding the
    states took.
    """

    space: Space
    column: str
    graph: walk.Graph
    order: Array
    values: Array
    horizon: int | None
    seconds: float

    @property
    def nodes(self) -> int:
        """How many states there are, those within a step included."""
        return int(self.graph.counts[walk.NODES])

    @property
    def ended(self) -> Array:
        """Which nodes are the end of a fire: (nodes,) bool."""
        return np.asarray(self.graph.ended[: self.nodes] != 0)

    @property
    def beyond(self) -> Array:
        """Which nodes were not gone on from, though the fire goes on: (nodes,) bool, at the horizon or cut off."""
        return np.asarray((self.graph.first[: self.nodes] == self.graph.last[: self.nodes]) & ~self.ended)

    def edges(self) -> tuple[Array, Array, Array]:
        """Parent, child and chance of every edge."""
        first, last = self.graph.first[: self.nodes], self.graph.last[: self.nodes]
        expanded = np.flatnonzero(last > first)
        expanded = expanded[np.argsort(first[expanded])]
        count = int(self.graph.counts[walk.EDGES])
        parents = np.repeat(expanded, (last - first)[expanded])
        return parents, self.graph.child[:count], self.graph.chance[:count]

    def matrix(self) -> Any:
        """The transition matrix of acts, scipy.sparse CSR (nodes, nodes); ended states have empty rows."""
        from scipy.sparse import coo_array

        parents, children, chances = self.edges()
        return coo_array((chances, (parents, children)), shape=(self.nodes, self.nodes)).tocsr()

    def reach(self, goals: Array) -> Array:
        """Which nodes can reach one of the goals (nodes,) bool, the goals included."""
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import breadth_first_order

        parents, children, _ = self.edges()
        there = np.flatnonzero(goals)
        source = self.nodes  # a node before all goals, so that one search finds what leads to any of them
        ends = (np.r_[children, np.full(len(there), source)], np.r_[parents, there])
        links = coo_array((np.ones(len(ends[0])), ends), shape=(source + 1, source + 1)).tocsr()
        found = np.zeros(source + 1, bool)
        found[breadth_first_order(links, source, return_predecessors=False)] = True
        return found[:-1]

    def never_ends(self) -> Array:
        """Which nodes cannot reach an end: (nodes,) bool."""
        return ~self.reach(self.ended | self.beyond)

    def settled(self) -> Array:
        """Which nodes, though the fire never ends, keep their value for ever: (nodes,) bool."""
        from scipy.sparse.csgraph import connected_components

        stuck = self.never_ends()
        if not stuck.any():
            return stuck
        _, label = connected_components(self.matrix(), connection="strong")
        parents, children, _ = self.edges()
        closed = np.ones(label.max() + 1, bool)
        closed[label[parents[label[parents] != label[children]]]] = False
        between = np.flatnonzero(self.graph.rank[: self.nodes] == 0)
        low, high = np.full(len(closed), np.iinfo(np.int64).max), np.full(len(closed), np.iinfo(np.int64).min)
        np.minimum.at(low, label[between], self.values[between])
        np.maximum.at(high, label[between], self.values[between])
        return np.asarray(stuck & (closed & (low == high))[label])

    def distribution(self) -> Distribution:
        """The distribution of the outcome, at the fire's end or at the horizon.

        Without a horizon: `never` is the probability that the fire never ends (of `steps`) or that the outcome never
        settles (of the others: a fire that burns on in the same spot for ever has a last value all the same);
        `missing` is what was still on its way when less than 1e-14 was.
        """
        steps, endless = self.column == "steps", self.horizon is None
        stop, lost = self.ended.copy(), np.zeros(self.nodes, bool)
        if endless:
            lost = self.never_ends()
            if not steps:
                settled = self.settled()
                stop, lost = stop | settled, lost & ~self.reach(settled)
        known, place = np.unique(self.values, return_inverse=True)
        by_value, by_step = np.zeros(len(known)), []
        mass, after = np.zeros(self.nodes), np.zeros(self.nodes)
        mass[0] = 1.0
        going = ~(stop | lost | self.beyond) if endless else ~stop
        for step in range((STEPS_MOST if self.horizon is None else self.horizon) + 1):
            done = stop if step != self.horizon else np.ones(self.nodes, bool)
            by_step.append(float(mass[done].sum()))
            by_value += np.bincount(place[done], mass[done], len(known))
            mass[done] = 0.0
            if mass[going].sum() < (NEGLIGIBLE if endless else 0.0) or not mass.any():
                break
            walk.one_step(self.order, self.graph, mass, after)
            mass, after = after, mass
        never = float(mass[lost].sum())
        missing = float(mass.sum()) - never
        if steps:
            return Distribution.dense(0, by_step, max(missing, 0.0), never)
        there = by_value > 0
        return Distribution(known[there], by_value[there], max(missing, 0.0), never)

    def still_to_come(self) -> float:
        """The probability that a fire comes to, or is still on its way to, a node that was not gone on from."""
        beyond = self.beyond
        leads = self.reach(beyond) & ~beyond
        mass, after = np.zeros(self.nodes), np.zeros(self.nodes)
        mass[0] = 1.0
        for _ in range(STEPS_LOOKED[-1]):
            if mass[leads].sum() < NEGLIGIBLE / 100:
                break
            mass[~(leads | beyond)] = 0.0
            walk.one_step(self.order, self.graph, mass, after)
            mass, after = after, mass
        return float(mass[leads | beyond].sum())


class Search:
    """The search for all states of a scenario, step by step."""

    def __init__(self, ready: Prepared, column: str, most: int, gains: bool = False) -> None:
        self.began = perf_counter()
        self.ready, self.column, self.most = ready, column, most
        self.horizon = None if ready.scenario.steps is None else ready.horizon
        self.space = space_of(ready, column, gains)
        self.graph = self.space.start(1 << 15, gains)
        self.expanded = 0

    def run(self, progress: Callable[[int], None] | None, foretell: Callable[[Forecast], None] | None) -> Chain:
        """Go on until nothing new is found, the horizon is reached, or what lies ahead does not matter."""
        step = 0
        foretold = False
        while True:
            walk.next_layer(self.graph)
            if not self.graph.counts[walk.QUEUED] or step == self.horizon:
                break
            if self.horizon is None and step in STEPS_LOOKED and self.ends_here(step):
                break
            while self.graph.counts[walk.OPEN] < self.graph.counts[walk.QUEUED]:
                self.expand_some()
                if not foretold and (self.expanded >= FORETOLD_FROM or self.taken >= FORETOLD_BYTES):
                    foretold = True
                    self.foretell(foretell)
                if progress:
                    progress(int(self.graph.counts[walk.NODES]))
            step += 1
        return self.chain()

    def expand_some(self) -> None:
        """Expand some nodes; InputError when there are too many, or one act has too many dice."""
        space, before = self.space, int(self.graph.counts[walk.OPEN])
        why = walk.expand(
            self.ready.params,
            space.desk,
            self.graph,
            space.tape,
            space.log,
            before + max(1, min(NODES_A_CALL, BYTES_A_CALL // space.desk.row.nbytes)),
        )
        self.expanded += int(self.graph.counts[walk.OPEN]) - before
        if why in (walk.TAPE_FULL, walk.TOO_MANY_LEAVES):
            raise InputError(
                Problem(
                    "one act of this scenario rolls too many dice for exact odds",
                    f"at most {walk.LEAVES_MOST:,} ways they can fall",
                    SAMPLE_IT,
                )
            )
        nodes, taken = int(self.graph.counts[walk.NODES]), self.taken
        if nodes > self.most or taken > BYTES_MOST:
            what = f"more than {rounded(nodes)} states" + (f" ({taken / 2**30:.0f} GiB)" if nodes <= self.most else "")
            raise too_large(what, self.most)
        if why == walk.GRAPH_FULL:
            self.graph = walk.larger(self.graph)

    @property
    def taken(self) -> int:
        """Bytes of memory that the nodes and edges found so far take."""
        nodes, edges = int(self.graph.counts[walk.NODES]), int(self.graph.counts[walk.EDGES])
        return nodes * (self.space.desk.row.nbytes + 65) + (28 if self.space.gains else 12) * edges

    def foretell(self, told: Callable[[Forecast], None] | None) -> None:
        """Tell how large the chain will be; InputError where that is far too large."""
        expected = forecast(self.space, (perf_counter() - self.began) / self.expanded, self.horizon)
        if expected.nodes > FORETOLD_TOO_LARGE * self.most or expected.least > self.most:
            raise too_large(str(expected), self.most)
        if told:
            told(expected)

    def ends_here(self, step: int) -> bool:
        """Whether fires that go on from here are too unlikely to matter; InputError where they matter and have no
        end."""
        if self.chain().still_to_come() < NEGLIGIBLE:
            return True
        if step == STEPS_LOOKED[-1]:
            what = f"'{self.column}' of this scenario can go on changing for more than {step:,} steps"
            raise InputError(Problem(what, "a horizon, as steps = 100", "or sample it with firesim.study"))
        return False

    def chain(self) -> Chain:
        """What was found so far."""
        graph, space = self.graph, self.space
        nodes = int(graph.counts[walk.NODES])
        values = np.zeros(nodes, np.int64)
        if self.column != "steps":
            walk.read_values(self.ready.params, space.desk, graph, values)
        order = np.argsort(graph.rank[:nodes], kind="stable")
        return Chain(space, self.column, graph, order, values, self.horizon, perf_counter() - self.began)


SAMPLE_IT = "take a smaller map or a horizon (steps = 5), ask for the mean alone, or sample it with firesim.study"


def too_large(found: str, most: int) -> InputError:
    """The refusal of a scenario with too many states."""
    return InputError(Problem(f"too large for exact odds: {found}", f"at most {rounded(most)} states", SAMPLE_IT))


def chain_of(
    ready: Prepared,
    column: str = "steps",
    *,
    nodes_most: int = NODES_MOST,
    gains: bool = False,
    progress: Callable[[int], None] | None = None,
    foretell: Callable[[Forecast], None] | None = None,
) -> Chain:
    """Find all states of a scenario.

    gains: leave the outcome out of the states and keep on the edges what it gains. progress: called with the number
    of states found. foretell: called once with the forecast where the work is more than a moment's. Raises InputError
    where there are, or by the forecast will be, far more than `nodes_most`, and where an outcome can grow for ever
    with a probability that matters.
    """
    return Search(ready, column, nodes_most, gains).run(progress, foretell)
