"""The same town in numba, dense: every turn is a loop over all cells of the map, with numpy's dice.

The rules are those named in `peer_numpy`. Own attack and jump of a hex touch no other burning hex, so one loop a turn
does both, and a hex lit in this turn waits by the number of its turn.
"""
# ruff: noqa: NPY002 - inside numba, np.random is what one would write first

from __future__ import annotations

from collections.abc import Sequence

import numba
import numpy as np

from benchmarks.town.peer_numpy import COLLAPSE_AT, neighbours
from benchmarks.town.scenes import ARMOUR, ST

GONE, NEVER = np.int16(32766), np.int16(32767)
STEPS, CONSUMED, EARLY, COLLAPSED, FLARES = range(5)
NAMES = ("steps", "consumed", "consumed_early", "collapsed", "flare_ups")


def burn(size: int, fires: int, seed: int, early: int = 60) -> dict[str, np.ndarray]:
    """Outcomes of `fires` fires, by name; `consumed_early`: hexes consumed by the end of turn `early`."""
    rows = np.zeros((fires, len(NAMES)), np.int64)
    town = Town(size, seed)
    middle = np.array([(size // 2) * size + size // 2])
    burn_all(town.near, middle, early, NEVER, town.st, town.armour, town.lit, town.tried, rows)
    return {name: rows[:, place] for place, name in enumerate(NAMES)}


class Town:
    """A town whose arrays are made once; `stand_again` before each fire."""

    def __init__(self, size: int, seed: int) -> None:
        seed_dice(seed)
        cells = size * size + 1  # the last: off the map
        self.near = np.ascontiguousarray(neighbours(size).T.astype(np.int32))
        self.st, self.armour = np.empty(cells, np.int16), np.empty(cells, np.int8)
        self.lit, self.tried = np.empty(cells, np.int16), np.empty(cells, np.bool_)

    def stand_again(self) -> None:
        """Nothing burns, and nothing has burnt."""
        stand_again(self.st, self.armour, self.lit, self.tried)

    def burn(self, alight: Sequence[int], early: int, turns: int | None = None) -> dict[str, int]:
        """Burn from the cells alight to the end, or for so many turns; the fire's outcomes."""
        row = np.zeros(len(NAMES), np.int64)
        last = NEVER if turns is None else np.int16(turns)
        burn_one(self.near, np.asarray(alight), early, last, self.st, self.armour, self.lit, self.tried, row)
        return dict(zip(NAMES, row.tolist(), strict=True))


@numba.njit(nogil=True, cache=True)
def seed_dice(seed):
    """Seed the dice of compiled code."""
    np.random.seed(seed)


@numba.njit(nogil=True, cache=True)
def burn_all(near, alight, early, last, st, armour, lit, tried, rows):
    """Burn one fire for each of `rows`. near (cells, 6): neighbours; the cell past the last is off the map."""
    for fire in range(rows.shape[0]):
        stand_again(st, armour, lit, tried)
        burn_one(near, alight, early, last, st, armour, lit, tried, rows[fire])


@numba.njit(nogil=True, cache=True)
def stand_again(st, armour, lit, tried):
    """Every cell unlit, but for the one off the map."""
    st[:] = ST
    armour[:] = ARMOUR
    lit[:] = NEVER
    lit[-1] = GONE
    tried[:] = False


@numba.njit(nogil=True, cache=True)
def d6():
    """A six-sided die."""
    return int(6 * np.random.random()) + 1


@numba.njit(nogil=True, cache=True)
def burn_one(near, alight, early, last, st, armour, lit, tried, row):
    """One fire to its end or its last turn; outcomes go into `row`. lit: the turn; GONE: consumed; NEVER: unlit."""
    cells = near.shape[0]
    lit[alight] = 0
    alive = True
    while alive and row[STEPS] < last:
        row[STEPS] += 1
        turn = row[STEPS]
        alive = False
        for cell in range(cells):
            if lit[cell] >= turn:
                continue
            if st[cell] <= 0:  # consumed by the jumps that lit it
                lit[cell] = GONE
                continue
            # collapse, own attack
            if st[cell] <= COLLAPSE_AT and not tried[cell]:
                tried[cell] = True
                row[COLLAPSED] += d6() >= 4
            net = d6() - armour[cell]
            if net > 0:
                st[cell] -= net
                armour[cell] = max(armour[cell] - 1, 0)
            if net >= 5:
                row[FLARES] += 1
            if st[cell] <= 0:
                lit[cell] = GONE
                row[CONSUMED] += 1
                continue
            alive = True
            # jump
            target = near[cell, d6() - 1]
            if lit[target] != NEVER and lit[target] != turn:
                continue
            net = d6() - armour[target]
            if net > 0:
                if lit[target] == NEVER:
                    lit[target] = turn
                if st[target] > 0 and st[target] <= net:
                    row[CONSUMED] += 1
                st[target] -= net
                armour[target] = max(armour[target] - 1, 0)
        if turn == early:
            row[EARLY] = row[CONSUMED]
    if row[STEPS] < early:
        row[EARLY] = row[CONSUMED]
