"""How large a chain will be, told before it is built."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from firesim.exact import walk
from firesim.exact.space import Space

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
    to a hundred times too low where most states are rare. (2) As if buildings, people and things were independent: the
    states that each was seen in, multiplied, times the nodes within a step for each one between steps, as sampled. For
    three and four linked houses of 3 * 10^4 to 2 * 10^6 states that gave between a fifth of them and all; fires that
    never reach some buildings within a horizon count those as they were.
    """
    room = max(1000, BYTES // space.desk.row.nbytes)
    graph = space.start(room)
    visits = np.zeros(room, np.int64)
    walk.sample(
        space.ready.params,
        space.desk,
        graph,
        space.tape,
        space.log,
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
    """The logarithm of how many states all units together have, from the states (rows, words) that were seen."""
    octets = rows.view(np.uint8)[:, : len(space.desk.kept)]
    unit_of = np.where(space.own & (octets != octets[0]).any(axis=0), units(space), 0)
    total = 0.0
    for unit in np.unique(unit_of[unit_of > 0]):
        own = np.ascontiguousarray(octets[:, unit_of == unit])
        total += math.log(len(np.unique(own.view(f"V{own.shape[1]}"))))
    return total


def units(space: Space) -> Array:
    """To which unit each kept byte belongs, from 1: a building or cell, a person, a thing; 0 where to none."""
    found = np.zeros(len(space.desk.kept), np.int64)
    known = 1
    for array in space.desk.state:
        if not array.dtype.names or not array.size:
            continue
        begins = array.ctypes.data - space.desk.buffer.ctypes.data
        row_of = (space.desk.kept - begins) // (array.nbytes // len(array))
        here = (space.desk.kept >= begins) & (row_of < len(array))
        number = row_of[here]
        if array is space.desk.state.cells and space.ready.buildings is not None:
            number = np.asarray(space.ready.buildings)[number]
        found[here] = known + number
        known += len(array)
    return found
