"""Outcome columns as figures are taken of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from firesim.core.problems import InputError, Problem, listed, nearest

Array = np.ndarray[Any, Any]

TIME = "_at"
"""Columns with this ending are times, -1 where the thing never happened."""


def is_time(column: str) -> bool:
    """Whether a column holds times of something that may never happen."""
    return column.endswith(TIME)


def values_of(outcomes: Array, column: str) -> Array:
    """A column's values (n,) int64; of a time, those of the fires in which it happened."""
    values = np.asarray(outcomes[column])
    return values[values >= 0] if is_time(column) else values


def rows_of(outcomes: Array, case: int) -> Array:
    """The rows of one case, in the order of their replicates; a view where they lie in order already."""
    cases = outcomes["case"]
    if np.all(cases[1:] >= cases[:-1]):
        rows = outcomes[np.searchsorted(cases, case) : np.searchsorted(cases, case, side="right")]
    else:
        rows = outcomes[cases == case]
    replicates = rows["replicate"]
    in_order = bool(np.all(replicates[1:] > replicates[:-1]))
    return np.asarray(rows if in_order else rows[np.argsort(replicates, kind="stable")])


def paired(one: Array, other: Array, column: str) -> tuple[int, Array, Array]:
    """How many replicates two cases share, and a column's values in both, pair by pair: (n,), (n,).

    one, other: rows of a case each, as `rows_of` gives them. Of a time, the pairs in which it happened in both.
    """
    if len(one) != len(other) or not np.array_equal(one["replicate"], other["replicate"]):
        _, first, second = np.intersect1d(one["replicate"], other["replicate"], assume_unique=True, return_indices=True)
        one, other = one[first], other[second]
    shared = len(one)
    a, b = np.asarray(one[column]), np.asarray(other[column])
    if is_time(column):
        both = (a >= 0) & (b >= 0)
        a, b = a[both], b[both]
    return shared, a, b


def compared(cases: Sequence[Mapping[str, Any]], all_up_to: int) -> list[tuple[int, int]]:
    """Which case is compared with which: all pairs of few cases, else each with the first."""
    count = len(cases)
    if count <= all_up_to:
        return [(case, against) for against in range(count) for case in range(against + 1, count)]
    return [(case, 0) for case in range(1, count)]


def known(column: str, columns: Sequence[str]) -> str:
    """The column, or an InputError with the nearest known one."""
    if column not in columns:
        raise InputError(Problem(f"no outcome {column!r}", listed(list(columns)), nearest(column, columns)))
    return column
