"""How the loops of `play` find a system's kernel: by the type of its params.

A kernel passed as an argument would never hit numba's cache; picking it by type while compiling does. Each system
registers its functions with `kernel_of`; the functions below then stand for them, jitted or not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from firesim.jit import jit, overload
from firesim.rules.base import STEP, TOUCHED

_KERNELS: dict[type, dict[str, Callable[..., Any]]] = {}


def kernel_of(params: type, **functions: Callable[..., Any]) -> None:
    """Register the jitted functions of the system whose params have this type: those below, by name."""
    _KERNELS[params] = functions


def act(params: Any, state: Any, key: Any, tape: Any, log: Any) -> None:
    """Do the act at the cursor and move the cursor."""
    _KERNELS[type(params)]["act"](params, state, key, tape, log)


def step(params: Any, state: Any, key: Any) -> None:
    """Between steps: a whole step, by keyed dice and untold, as fast as it can be done."""
    _KERNELS[type(params)]["step"](params, state, key)


def over(params: Any, state: Any) -> bool:
    """Between steps: whether nothing burns and nothing is pending."""
    return bool(_KERNELS[type(params)]["over"](params, state))


def reset(params: Any, first: Any, state: Any) -> None:
    """Undo what a fire changed, so that `state` equals `first` again, at a cost that follows what was touched."""
    _KERNELS[type(params)]["reset"](params, first, state)


def forget(params: Any, state: Any) -> None:
    """Between steps: put what can no longer matter to a fixed value, so that states with equal futures are equal."""
    _KERNELS[type(params)]["forget"](params, state)


def outcome(params: Any, state: Any, row: Any) -> None:
    """Write the outcome columns of the fire as it stands into `row` (columns,) int64."""
    _KERNELS[type(params)]["outcome"](params, state, row)


def can_share(params: Any, state: Any, least: Any) -> bool:
    """Between steps: whether at least so many act in the next one, which several threads can share.

    Only of systems whose `team` may be several threads.
    """
    return bool(_KERNELS[type(params)]["can_share"](params, state, least))


@overload(act)
def _act(params, state, key, tape, log):
    function = _KERNELS[params.instance_class]["act"]
    return lambda params, state, key, tape, log: function(params, state, key, tape, log)


@overload(step)
def _step(params, state, key):
    function = _KERNELS[params.instance_class]["step"]
    return lambda params, state, key: function(params, state, key)


@overload(over)
def _over(params, state):
    function = _KERNELS[params.instance_class]["over"]
    return lambda params, state: function(params, state)


@overload(reset)
def _reset(params, first, state):
    function = _KERNELS[params.instance_class]["reset"]
    return lambda params, first, state: function(params, first, state)


@overload(forget)
def _forget(params, state):
    function = _KERNELS[params.instance_class]["forget"]
    return lambda params, state: function(params, state)


@overload(outcome)
def _outcome(params, state, row):
    function = _KERNELS[params.instance_class]["outcome"]
    return lambda params, state, row: function(params, state, row)


@overload(can_share)
def _can_share(params, state, least):
    function = _KERNELS[params.instance_class]["can_share"]
    return lambda params, state, least: function(params, state, least)


# ------------------------------------------------------------------------------------- what every system's kernel does
@jit
def touch(state, cell):
    """Remember that this cell differs from the start, for `reset`."""
    if not state.cells[cell].touched:
        state.cells[cell].touched = 1
        state.touched_list[state.counts[TOUCHED]] = cell
        state.counts[TOUCHED] += 1


@jit
def mostly_touched(state):
    """Whether so many cells differ from the start that all of them are gone over quicker than those of the list."""
    return 4 * state.counts[TOUCHED] > state.cells.shape[0]


@jit
def write_tallies(state, burning, row):
    """The outcome columns that come first: steps, `burning`, the tallies. Returns the place of the next."""
    row[0], row[1] = state.clock[STEP], burning
    tallies = state.tally.shape[0]
    for i in range(tallies):
        row[2 + i] = state.tally[i]
    return 2 + tallies


@jit
def first_lit(state, cells, first, end):
    """The earliest time, the first of a cell's records, among `cells[first:end]`; -1 = none of them ever burnt."""
    earliest = np.int64(-1)
    for i in range(first, end):
        when = np.int64(state.cells[cells[i]].at[0])
        if when >= 0 and (earliest < 0 or when < earliest):
            earliest = when
    return earliest
