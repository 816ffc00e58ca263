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

Array = np.ndarray[Any, Any]

OF_CELLS = ("cell", "fuel")
"""Sizes of arrays with a row for each cell: nothing happens to what lies on cells that never change."""


@dataclass(frozen=True)
class Space:
    """A packed state and the room to work in.

    kept: places in `buffer` of the bytes that make states different. own: which of them belong to the state proper, the
    others are derived from it.
    """

    ready: Prepared
    buffer: Array
    state: Any
    kept: Array
    own: Array
    neutral: Array
    row: Array
    row_bytes: Array
    tape: tapes.Tape
    log: logs.Log
    settled_step: int

    def start(self, nodes: int) -> walk.Graph:
        """A graph with the first state as its only node, and room for so many."""
        graph = walk.empty_graph(len(self.row), nodes, 4 * nodes)
        self.buffer[:] = self.neutral
        walk.find_node(
            self.ready.params, self.state, self.buffer, self.kept, self.row_bytes, self.row, graph, self.settled_step
        )
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


def space_of(ready: Prepared, column: str) -> Space:
    """The packed state of a scenario; the tally that feeds `column` makes states different, other tallies do not."""
    place = outcome_place(ready, column)
    buffer, state = packed(ready.first)

    def matters(array: str, name: str, field: Field) -> bool:
        return field.role in ("state", "derived") and array != "touched_list" and name != "touched"

    def proper(array: str, name: str, field: Field) -> bool:
        return field.role == "state"

    marks = bytes_of(type(ready.first), ready.first, matters)
    tally = place - len(("steps", "burning"))
    if 0 <= tally < len(state.tally):
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
    return Space(
        ready=ready,
        buffer=buffer,
        state=state,
        kept=kept,
        own=own,
        neutral=buffer.copy(),
        row=row,
        row_bytes=row.view(np.uint8),
        tape=tapes.blank([], 64 + ready.dice_per_act),
        log=logs.blank(4 * ready.rows_per_act),
        settled_step=settled_step(ready),
    )


def settled_step(ready: Prepared) -> int:
    """Steps completed when the last scheduled thing may happen: from there on their number does not matter."""
    return max(ready.system.last_scheduled_step(ready) - 1, 0)
