"""What the walk over acts works with: a packed state, and which of its bytes make two states different."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from firesim.core.fields import Field, bytes_of, declared, packed
from firesim.core.problems import InputError, Problem, listed, nearest
from firesim.dice import tape as tapes
from firesim.events import log as logs
from firesim.exact import walk
from firesim.rules.base import Prepared
from firesim.rules.kernels import outcome

Array = np.ndarray[Any, Any]

OF_CELLS = ("cell", "fuel")
"""Sizes of arrays with a row for each cell: nothing happens to what lies on cells that never change."""


@dataclass(frozen=True)
class Space:
    """A packed state and the room to work in.

    desk: where states are laid. own: which of its kept bytes belong to the state proper, the others are derived from
    it. gains: whether the outcome is no part of the states, and edges keep what it gains.
    """

    ready: Prepared
    desk: walk.Desk
    own: Array
    gains: bool
    tape: tapes.Tape
    log: logs.Log

    def start(self, nodes: int, gains: bool = False) -> walk.Graph:
        """A graph with the first state as its only node, and room for so many."""
        graph = walk.empty_graph(len(self.desk.row), nodes, 4 * nodes, gains)
        self.desk.buffer[:] = self.desk.neutral
        walk.find_node(self.ready.params, self.desk, graph)
        return graph


def outcome_place(ready: Prepared, column: str) -> int:
    """The place of an outcome column; InputError for one that the system lacks or that only sampling gives."""
    if column not in ready.columns:
        raise InputError(
            Problem(f"there is no outcome '{column}'", listed(ready.columns), nearest(column, ready.columns))
        )
    if column.endswith("_at"):
        what = f"'{column}' is a time, which the exact chain does not keep"
        raise InputError(Problem(what, "another outcome", "sample it with firesim.study"))
    return ready.columns.index(column)


def space_of(ready: Prepared, column: str, gains: bool = False) -> Space:
    """The packed state of a scenario.

    The tally that feeds `column` makes states different, other tallies do not; nor does it with `gains`.
    """
    place = outcome_place(ready, column)
    buffer, state = packed(ready.first)
    idle = ready.system.idle(ready, column) | {("touched_list", ""), ("cells", "touched")}

    def matters(array: str, name: str, field: Field) -> bool:
        return field.role in ("state", "derived") and (array, name) not in idle

    def proper(array: str, name: str, field: Field) -> bool:
        return field.role == "state"

    marks = bytes_of(type(ready.first), ready.first, matters)
    tally = place - len(("steps", "burning"))
    if not gains and 0 <= tally < len(state.tally):
        offset = state.tally.ctypes.data - buffer.ctypes.data + 8 * tally
        marks[offset : offset + 8] = True
    still = np.broadcast_to(~ready.system.lively(ready), (len(state.cells),))
    for name, declaration in declared(type(ready.first)).items():
        array = getattr(state, name)
        if declaration.shape[0] in OF_CELLS and len(array) == len(state.cells):
            offset = array.ctypes.data - buffer.ctypes.data
            marks[offset : offset + array.nbytes].reshape(len(array), -1)[still] = False
    kept = np.flatnonzero(marks).astype(np.int64)
    own = bytes_of(type(ready.first), ready.first, proper)[kept]
    row = np.zeros(-(-len(kept) // 8), np.uint64)
    walk.tidy(ready.params, state, settled_step(ready))
    state.cells.touched[:] = 0
    columns = np.zeros(len(ready.columns), np.int64)
    outcome(ready.params, state, columns)
    desk = walk.Desk(
        state=state,
        buffer=buffer,
        kept=kept,
        neutral=buffer.copy(),
        row=row,
        row_bytes=row.view(np.uint8),
        columns=columns,
        place=place,
        before=int(columns[place]),
        settled_step=settled_step(ready),
    )
    return Space(ready, desk, own, gains, tapes.blank([], 64 + ready.dice_per_act), logs.blank(4 * ready.rows_per_act))


def settled_step(ready: Prepared) -> int:
    """Steps completed when the last scheduled thing may happen: from there on their number does not matter."""
    return max(ready.system.last_scheduled_step(ready) - 1, 0)
