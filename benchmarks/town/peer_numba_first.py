"""The same town in numba as one would write it first: every turn loops over all cells of the map, with numpy's dice.

The rules are those named in `peer_numpy`.
"""
# ruff: noqa: NPY002 - inside numba, np.random is what one would write first

from __future__ import annotations

import numba
import numpy as np

from benchmarks.town.peer_numpy import COLLAPSE_AT, neighbours
from benchmarks.town.scenes import ARMOUR, ST

UNLIT, BURNING, LIT_NOW, GONE = range(4)
STEPS, CONSUMED, EARLY, COLLAPSED, FLARES = range(5)
NAMES = ("steps", "consumed", "consumed_early", "collapsed", "flare_ups")


def burn(size: int, fires: int, seed: int, early: int = 60) -> dict[str, np.ndarray]:
    """Outcomes of `fires` fires, by name; `consumed_early`: hexes consumed by the end of turn `early`."""
    rows = np.zeros((fires, len(NAMES)), np.int64)
    burn_all(np.ascontiguousarray(neighbours(size).T.astype(np.int32)), size, seed, early, rows)
    return {name: rows[:, place] for place, name in enumerate(NAMES)}


@numba.njit(nogil=True, cache=True)
def burn_all(near, size, seed, early, rows):
    """Burn one fire for each of `rows`. near (cells, 6): neighbours; the cell past the last is off the map."""
    np.random.seed(seed)
    cells = size * size
    st = np.empty(cells + 1, np.int16)
    armour = np.empty(cells + 1, np.int8)
    state = np.empty(cells + 1, np.int8)
    checked = np.empty(cells + 1, np.bool_)
    for fire in range(rows.shape[0]):
        st[:] = ST
        armour[:] = ARMOUR
        state[:] = UNLIT
        checked[:] = False
        state[cells] = GONE
        state[(size // 2) * size + size // 2] = BURNING
        burn_one(near, cells, early, st, armour, state, checked, rows[fire])


@numba.njit(nogil=True)
def burn_one(near, cells, early, st, armour, state, checked, row):
    """One fire to its end; its outcomes go into `row`."""
    alive = True
    while alive:
        row[STEPS] += 1
        # collapse, own attack
        for cell in range(cells):
            if state[cell] != BURNING:
                continue
            if st[cell] <= COLLAPSE_AT and not checked[cell]:
                checked[cell] = True
                if np.random.randint(1, 7) >= 4:
                    row[COLLAPSED] += 1
            net = np.random.randint(1, 7) - armour[cell]
            if net > 0:
                st[cell] -= net
                armour[cell] = max(armour[cell] - 1, 0)
            if net >= 5:
                row[FLARES] += 1
            if st[cell] <= 0:
                state[cell] = GONE
                row[CONSUMED] += 1
        # jumps
        for cell in range(cells):
            if state[cell] != BURNING:
                continue
            some = False
            for heading in range(6):
                other = state[near[cell, heading]]
                if other in (UNLIT, LIT_NOW):
                    some = True
                    break
            if not some:
                continue
            target = near[cell, np.random.randint(0, 6)]
            if state[target] != UNLIT and state[target] != LIT_NOW:
                continue
            net = np.random.randint(1, 7) - armour[target]
            if net > 0:
                st[target] -= net
                armour[target] = max(armour[target] - 1, 0)
                state[target] = LIT_NOW
        # hexes lit this turn burn from the next on
        alive = False
        for cell in range(cells):
            if state[cell] == LIT_NOW:
                state[cell] = BURNING
                if st[cell] <= 0:
                    state[cell] = GONE
                    row[CONSUMED] += 1
            alive = alive or state[cell] == BURNING
        if row[STEPS] == early:
            row[EARLY] = row[CONSUMED]
    if row[STEPS] < early:
        row[EARLY] = row[CONSUMED]
