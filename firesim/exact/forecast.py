"""How large a chain will be, told before it is built."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from firesim.exact import walk
from firesim.exact.space import Space
from firesim.rules.base import Prepared

Array = np.ndarray[Any, Any]

FIRES, STEPS, BYTES = 20_000, 1_000, 256 << 20
"""How many fires are sampled, steps after which one is left, and memory for their states."""


@dataclass(frozen=True)
class Forecast:
    """How large a chain will be.

    nodes: the number of states expected; least: what the sampled fires alone vouch for; seconds: to find `nodes`.
    """

    nodes: float
    least: int
    seconds: float

    def __str__(self) -> str:
        return f"about {rounded(self.nodes)} states, {duration(self.seconds)}"


def rounded(number: float) -> str:
    """A number in words of two figures: `3.1 million`."""
    if number >= 1e15:
        return f"10^{round(math.log10(number))}"
    for size, word in ((10**12, "trillion"), (10**9, "billion"), (10**6, "million")):
        if number >= size:
            return f"{number / size:.2g} {word}" if number < 100 * size else f"{number / size:.0f} {word}"
    return f"{round(number, -3 if number >= 10_000 else 0):,.0f}"


def duration(seconds: float) -> str:
    """Seconds in words: `40 s`, `12 min`, `3 h`, `more than a year`."""
    for size, word, most in (
        (1, "s", 120),
        (60, "min", 120 * 60),
        (3600, "h", 48 * 3600),
        (86400, "days", 366 * 86400),
    ):
        if seconds < most:
            return f"{max(1, round(seconds / size)):,} {word}"
    return "more than a year"


def forecast(space: Space, seconds_a_node: float, horizon: int | None = None) -> Forecast:
    """The size of a chain, from 20,000 sampled fires.

    Two estimates, of which the larger holds. (1) From the states met once and twice [Chao 1984]: a lower bound, ten
    to a hundred times too low where most states are rare. (2) As if buildings were independent: the states that each
    was seen in, multiplied, times the nodes within a step for each one between steps, as sampled. For three and four
    linked houses of 3 * 10^4 to 2 * 10^6 states that gave between a fifth of them and all; fires that never reach
    some buildings within a horizon count those as they were.
    """
    room = max(1000, BYTES // space.row.nbytes)
    graph = space.start(room)
    visits = np.zeros(room, np.int64)
    walk.sample(
        space.ready.params,
        space.state,
        space.buffer,
        space.kept,
        space.neutral,
        space.row_bytes,
        space.row,
        graph,
        space.tape,
        space.log,
        space.settled_step,
        visits,
        0,
        FIRES,
        STEPS if horizon is None else min(STEPS, horizon),
    )
    space.tape.counts[:] = 0
    seen = int(graph.counts[walk.NODES])
    once, twice = int((visits == 1).sum()), int((visits == 2).sum())
    least = seen + once * (once - 1) // (2 * (twice + 1))
    between = np.flatnonzero(graph.rank[:seen] == 0)
    product = math.exp(min(log_product(space, graph.rows[between]), 600.0)) * seen / len(between)
    nodes = max(product, float(least))
    return Forecast(nodes, least, nodes * seconds_a_node)


def log_product(space: Space, rows: Array) -> float:
    """The logarithm of how many states all parts together have, from the states (rows, words) that were seen."""
    ready, cells = space.ready, space.state.cells
    begins = cells.ctypes.data - space.buffer.ctypes.data
    cell_of = (space.kept - begins) // cells.dtype.itemsize
    octets = rows.view(np.uint8)[:, : len(space.kept)]
    changes = space.own & (space.kept >= begins) & (cell_of < len(cells)) & (octets != octets[0]).any(axis=0)
    buildings = parts_of(ready)
    building_of = np.where(changes, np.asarray(buildings)[np.where(changes, cell_of, 0)], -1)
    total = 0.0
    for building in np.unique(building_of[changes]):
        own = np.ascontiguousarray(octets[:, building_of == building])
        total += math.log(len(np.unique(own.view(f"V{own.shape[1]}"))))
    return total


def parts_of(ready: Prepared) -> Array:
    """A number for each cell: its building where the system has buildings, else each cell for itself."""
    if ready.buildings is not None:
        return np.asarray(ready.buildings)
    cells = ready.params.cells
    return np.asarray(cells.building if "building" in cells.dtype.names else np.arange(len(cells)))
