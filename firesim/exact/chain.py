"""Exact odds of a fire by Markov chain: the kernel's own acts, walked with every face.

`chain_of` finds all states; `Chain.distribution` pushes probability through them step by step, `Chain.moments`
solves the linear equations of the mean and variance of the steps, which have no truncation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from firesim.core.fields import Field, bytes_of, packed
from firesim.core.problems import InputError, Problem, listed, nearest
from firesim.dice import tape as tapes
from firesim.events import log as logs
from firesim.exact import walk
from firesim.exact.distribution import Distribution
from firesim.rules.base import STEPS_MOST, Prepared
from firesim.rules.kernels import outcome

Array = np.ndarray[Any, Any]

NODES_MOST = 6_000_000
"""States beyond which a chain is refused: about 3 GB and several minutes."""

BYTES_MOST = 2 << 30
"""Memory for the states of a chain; large maps reach it before NODES_MOST."""

NODES_A_CALL = 20_000
SAMPLED_FIRES, SAMPLED_BYTES, SAMPLED_STEPS = 20_000, 256 << 20, 1_000
"""How much is sampled for a forecast."""

NEGLIGIBLE = 1e-14
"""Probability still on its way at which the steps of an endless chain are cut off; stated as `missing`."""

SOLVED_DIRECTLY = 300_000
"""Nodes up to which the linear equations are solved by factorization; beyond, by sweeps to the same precision."""


@dataclass(frozen=True)
class Space:
    """What the walk works with: a packed state, and which of its bytes make two states different."""

    ready: Prepared
    buffer: Array
    state: Any
    kept: Array
    neutral: Array
    row: Array
    row_bytes: Array
    tape: tapes.Tape
    log: logs.Log
    settled_step: int


def outcome_place(ready: Prepared, column: str) -> int:
    """The place of an outcome column; InputError for one that the system lacks or that only sampling gives."""
    if column not in ready.columns:
        raise InputError(
            Problem(f"there is no outcome '{column}'", listed(ready.columns), nearest(column, ready.columns))
        )
    if column.endswith("_at"):
        raise InputError(
            Problem(f"'{column}' is a time, which the exact chain does not keep", hint="sample it with firesim.study")
        )
    return ready.columns.index(column)


def space_of(ready: Prepared, column: str) -> Space:
    """The packed state of a scenario; the tally that feeds `column` makes states different, other tallies do not."""
    place = outcome_place(ready, column)
    buffer, state = packed(ready.first)

    def matters(array: str, name: str, field: Field) -> bool:
        return field.role == "state" and array != "touched_list"

    marks = bytes_of(type(ready.first), ready.first, matters)
    tally = place - len(("steps", "burning"))
    if 0 <= tally < len(state.tally):
        offset = state.tally.ctypes.data - buffer.ctypes.data + 8 * tally
        marks[offset : offset + 8] = True
    still = np.broadcast_to(~ready.system.lively(ready), (len(state.cells),))
    offset, width = state.cells.ctypes.data - buffer.ctypes.data, state.cells.dtype.itemsize
    marks[offset : offset + width * len(state.cells)].reshape(-1, width)[still] = False
    kept = np.flatnonzero(marks).astype(np.int64)
    row = np.zeros(-(-len(kept) // 8), np.uint64)
    walk.tidy(ready.params, state, settled_step(ready))
    state.cells.touched[:] = 0
    return Space(
        ready, buffer, state, kept, buffer.copy(), row, row.view(np.uint8), tapes.blank([], 64 + ready.dice_per_act),
        logs.blank(4 * ready.rows_per_act), settled_step(ready),
    )  # fmt: skip


def settled_step(ready: Prepared) -> int:
    """Steps completed when the last scheduled thing may happen: from there on their number does not matter."""
    return max(ready.system.last_scheduled_step(ready) - 1, 0)


@dataclass
class Chain:
    """All states of a fire that can be reached, and the chances between them.

    graph: see `walk.Graph`. order: nodes by the place of their cursor in a step. values: the outcome of every node.
    seconds: what finding them took.
    """

    space: Space
    column: str
    graph: walk.Graph
    order: Array
    values: Array
    seconds: float

    @property
    def nodes(self) -> int:
        """How many states there are, those within a step included."""
        return int(self.graph.counts[walk.NODES])

    def matrix(self) -> Any:
        """The transition matrix of acts, scipy.sparse CSR (nodes, nodes); ended states have empty rows."""
        from scipy.sparse import csr_array

        edges = int(self.graph.counts[walk.EDGES])
        first = self.graph.first[: self.nodes + 1].astype(np.int64)
        return csr_array((self.graph.chance[:edges], self.graph.child[:edges], first), shape=(self.nodes, self.nodes))

    def never_ends(self) -> Array:
        """Which nodes cannot reach an end: (nodes,) bool."""
        from scipy.sparse.csgraph import breadth_first_order

        ended = np.flatnonzero(self.graph.ended[: self.nodes])
        if not len(ended):
            return np.ones(self.nodes, bool)
        back = self.matrix().T.tocoo()
        source = self.nodes  # a node before all ends, so that one search finds what leads to any of them
        from scipy.sparse import coo_array

        links = coo_array(
            (
                np.ones(back.nnz + len(ended)),
                (np.r_[back.coords[0], np.full(len(ended), source)], np.r_[back.coords[1], ended]),
            ),
            shape=(self.nodes + 1, self.nodes + 1),
        ).tocsr()
        stuck = np.ones(self.nodes + 1, bool)
        stuck[breadth_first_order(links, source, return_predecessors=False)] = False
        return stuck[:-1]

    def distribution(self, horizon: int | None = None) -> Distribution:
        """The distribution of the outcome, at the fire's end or at the horizon (steps).

        Without a horizon the fires that never end, and those not ended when less than 1e-14 is on its way, are
        `missing`.
        """
        graph, limit = self.graph, STEPS_MOST if horizon is None else horizon
        mass, after = np.zeros(self.nodes), np.zeros(self.nodes)
        mass[0] = 1.0
        ended = graph.ended[: self.nodes].astype(bool)
        stuck = self.never_ends() if horizon is None else np.zeros(self.nodes, bool)
        found: dict[int, float] = {}
        for step in range(limit + 1):
            done = np.flatnonzero(ended & (mass > 0))
            self._count(found, done, mass, step)
            mass[done] = 0.0
            alive = mass[~stuck].sum()
            if (horizon is None and alive < NEGLIGIBLE) or not mass.any():
                break
            if step == limit:
                if horizon is not None:
                    self._count(found, np.flatnonzero(mass > 0), mass, step)
                break
            walk.one_step(self.order, graph, mass, after)
            mass, after = after, mass
        values = np.array(sorted(found), np.int64)
        chances = np.array([found[v] for v in sorted(found)])
        return Distribution(values, chances, missing=max(0.0, 1.0 - float(chances.sum())))

    def _count(self, found: dict[int, float], nodes: Array, mass: Array, step: int) -> None:
        for node in nodes:
            value = step if self.column == "steps" else int(self.values[node])
            found[value] = found.get(value, 0.0) + float(mass[node])

    def moments(self) -> tuple[float, float]:
        """Mean and variance of the steps to the end, by linear equations; infinite where the end is not sure."""
        if self._can_get_stuck():
            return float("inf"), float("nan")
        from scipy.sparse import identity
        from scipy.sparse.linalg import splu

        open_ = np.flatnonzero(self.graph.ended[: self.nodes] == 0)
        if not len(open_):
            return 0.0, 0.0
        matrix = self.matrix()
        closes = (self.graph.rank[: self.nodes] == 0).astype(float)  # reaching such a node ends a step
        moves = matrix[open_][:, open_]
        solver = splu((identity(len(open_), format="csc") - moves.tocsc()).tocsc())
        steps = solver.solve(np.asarray(matrix[open_] @ closes))
        mean = np.zeros(self.nodes)
        mean[open_] = steps
        square = solver.solve(np.asarray(matrix[open_] @ (closes * (1 + 2 * mean))))
        first = int(np.searchsorted(open_, 0))
        return float(steps[first]), float(square[first] - steps[first] ** 2)

    def _can_get_stuck(self) -> bool:
        stuck = self.never_ends()
        return bool(stuck.any())  # every node can be reached


@dataclass(frozen=True)
class Forecast:
    """How large a chain will be: states at the least (Chao's estimate from sampled fires), and seconds."""

    nodes: int
    seconds: float

    def __str__(self) -> str:
        return f"about {rounded(self.nodes)} states or more, {max(1, round(self.seconds)):,} s"


def rounded(number: float) -> str:
    """A number in words of two figures: `3.1 million`."""
    for size, word in ((10**9, " billion"), (10**6, " million"), (10**3, ",000")):
        if number >= size:
            return f"{number / size:.1f}{word}" if word != ",000" else f"{round(number / size)}{word}"
    return str(round(number))


def forecast(space: Space, seconds_a_node: float) -> Forecast:
    """The size of a chain before it is built, from the states met once and twice in sampled fires [Chao 1984]."""
    room = SAMPLED_BYTES // space.row.nbytes
    graph = start_of(space, room)
    visits = np.zeros(room, np.int64)
    walk.sample(
        space.ready.params, space.state, space.buffer, space.kept, space.neutral, space.row_bytes, space.row, graph,
        space.tape, space.log, space.settled_step, visits, SAMPLED_FIRES, SAMPLED_STEPS,
    )  # fmt: skip
    space.tape.counts[:] = 0
    once, twice = int((visits == 1).sum()), int((visits == 2).sum())
    nodes = int(graph.counts[walk.NODES]) + once * (once - 1) // (2 * (twice + 1))
    return Forecast(nodes, nodes * seconds_a_node)


def start_of(space: Space, nodes: int) -> walk.Graph:
    """A graph with the first state as its only node."""
    graph = walk.empty_graph(len(space.row), nodes, 4 * nodes)
    space.buffer[:] = space.neutral
    walk.find_node(
        space.ready.params, space.state, space.buffer, space.kept, space.row_bytes, space.row, graph, space.settled_step
    )
    return graph


def chain_of(
    ready: Prepared,
    column: str = "steps",
    *,
    nodes_most: int = NODES_MOST,
    progress: Callable[[int], None] | None = None,
    foretell: Callable[[Forecast], None] | None = None,
) -> Chain:
    """Find all states of a scenario.

    progress: called with the number of states found. foretell: called once with the forecast where the work is more
    than a moment's. Raises InputError where there are, or will be, more than `nodes_most`.
    """
    began = perf_counter()
    space = space_of(ready, column)
    nodes_most = min(nodes_most, BYTES_MOST // space.row.nbytes)
    graph = start_of(space, 1 << 15)
    foretold = False
    while graph.counts[walk.OPEN] < graph.counts[walk.NODES]:
        until = int(graph.counts[walk.OPEN]) + NODES_A_CALL
        why = walk.expand(
            ready.params, space.state, space.buffer, space.kept, space.neutral, space.row_bytes, space.row, graph,
            space.tape, space.log, space.settled_step, until,
        )  # fmt: skip
        if why == walk.GRAPH_FULL:
            graph = walk.larger(graph)
        elif why == walk.TAPE_FULL:
            raise InputError(
                Problem("one act of this scenario rolls too many dice", hint="sample it with firesim.study")
            )
        if graph.counts[walk.NODES] > nodes_most:
            raise too_large(f"more than {nodes_most:,} states", nodes_most)
        if not foretold and graph.counts[walk.OPEN] >= NODES_A_CALL:
            foretold = True
            expected = forecast(space, (perf_counter() - began) / int(graph.counts[walk.OPEN]))
            if expected.nodes > nodes_most:
                raise too_large(f"{expected}", nodes_most)
            if foretell:
                foretell(expected)
        if progress:
            progress(int(graph.counts[walk.NODES]))
    nodes = int(graph.counts[walk.NODES])
    order = np.argsort(graph.rank[:nodes], kind="stable")
    return Chain(space, column, graph, order, values_of(space, graph, column), perf_counter() - began)


def too_large(found: str, most: int) -> InputError:
    """The refusal of a scenario with too many states."""
    hint = "take a smaller map or lower ST, or sample it with firesim.study"
    return InputError(Problem(f"too large for exact odds: {found}", f"at most {most:,} states", hint))


def values_of(space: Space, graph: walk.Graph, column: str) -> Array:
    """The outcome of every node between steps: (nodes,) int64."""
    nodes = int(graph.counts[walk.NODES])
    values = np.zeros(nodes, np.int64)
    if column == "steps":
        return values
    row, place = np.zeros(len(space.ready.columns), np.int64), space.ready.columns.index(column)
    for node in np.flatnonzero(graph.rank[:nodes] == 0):
        walk.load(graph, node, space.buffer, space.kept, space.neutral, space.row_bytes, space.row)
        outcome(space.ready.params, space.state, row)
        values[node] = row[place]
    return values
