"""The log a kernel writes: one row of whole numbers per event."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from firesim.events.records import COLUMNS
from firesim.jit import jit


class Log(NamedTuple):
    """`rows` (n, 10) int32 with the columns of `records.COLUMNS`; `counts` (1,) int64: rows written."""

    rows: np.ndarray[Any, Any]
    counts: np.ndarray[Any, Any]


def blank(room: int = 256) -> Log:
    """An empty log."""
    return Log(np.zeros((room, len(COLUMNS)), np.int32), np.zeros(1, np.int64))


def longer(log: Log, room: int) -> Log:
    """The same log with room for at least `room` more rows."""
    size = max(4 * len(log.rows), int(log.counts[0]) + room)  # what is blank takes no memory until it is used
    wider = Log(np.zeros((size, len(COLUMNS)), np.int32), log.counts)
    kept = int(log.counts[0])
    wider.rows[:kept] = log.rows[:kept]
    return wider


@jit
def room_left(log):
    """How many more rows fit."""
    return log.rows.shape[0] - log.counts[0]


@jit
def note(log, step, event, cell, other, face, bonus, need, amount, before, after):
    """Write one row; without a log nothing is left of the call.

    cell: who; other: whom or where from; face: the die; bonus: added to it; need: what it had to beat;
    amount: what came of it; before, after: the figure it changed.
    """
    if log is not None:
        row = log.rows[log.counts[0]]
        row[0], row[1], row[2], row[3], row[4] = step, event, cell, other, face
        row[5], row[6], row[7], row[8], row[9] = bonus, need, amount, before, after
        log.counts[0] += 1
