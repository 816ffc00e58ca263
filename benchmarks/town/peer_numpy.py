"""The same town in numpy: an active list of burning hexes, batched over replicates.

Rules of the scene only: gritty attacks, the collapse die once, external fires, one jump a turn in one of six
directions, flare-ups counted. At gap 1 with the next hexes 7 melee hexes off, sparks of one floor (reach 4, beyond 2)
never land, so that a flare-up has no further effect. A burning hex draws its direction whether or not anything around
it is left to burn: the outcome is the same, and looking first costs more than the die.
"""

from __future__ import annotations

import numpy as np

from benchmarks.town.scenes import ARMOUR, ST

BATCH = 64
"""Replicates burnt together: the fastest of 16 to 512 on the machine of the README's table."""

COLLAPSE_AT = -(-ST // 4)  # 25 %, rounded up
POOL = 1 << 18


def neighbours(size: int) -> np.ndarray:
    """(6, size * size): the neighbour in each direction, odd rows shifted right; off the map the cell size * size."""
    row, col = np.divmod(np.arange(size * size), size)
    odd = row % 2
    steps = ((0, 1), (-1, odd), (-1, odd - 1), (0, -1), (1, odd - 1), (1, odd))
    found = []
    for row_step, col_step in steps:
        r, c = row + row_step, col + col_step
        inside = (r >= 0) & (r < size) & (c >= 0) & (c < size)
        found.append(np.where(inside, r * size + c, size * size))
    return np.array(found)


class Dice:
    """Six-sided dice, drawn many at a time: a call of numpy's generator costs more than the dice of a turn."""

    def __init__(self, seed: int) -> None:
        self.rng, self.pool, self.used = np.random.default_rng(seed), np.zeros(0, np.int8), 0

    def __call__(self, count: int) -> np.ndarray:
        """So many faces (int8), not to be written to."""
        if self.used + count > len(self.pool):
            self.pool, self.used = self.rng.integers(1, 7, max(POOL, count), np.int8), 0
        self.used += count
        return self.pool[self.used - count : self.used]


def attack(
    targets: np.ndarray,
    faces: np.ndarray,
    unlit: np.ndarray,
    st: np.ndarray,
    armour: np.ndarray,
    slot: np.ndarray,
) -> np.ndarray:
    """Attack each target with its face, one after another where a target stands there twice; the cells newly lit.

    unlit, st, armour, of all cells, are changed; slot, of all cells: room for the work.
    """
    lit = []
    while len(targets):
        order = np.arange(len(targets), dtype=np.int32)
        slot[targets] = order
        now = slot[targets] == order  # of those with one target, the last
        victims = targets[now]
        net = faces[now] - armour[victims]
        took = net > 0
        victims, net = victims[took], net[took]
        st[victims] -= net
        walls = armour[victims]
        armour[victims] = walls - (walls > 0)
        lit.append(victims[unlit[victims]])
        unlit[victims] = False
        later = ~now
        targets, faces = targets[later], faces[later]
    return np.concatenate(lit)


def burn(size: int, fires: int, seed: int, early: int = 60) -> dict[str, np.ndarray]:
    """Outcomes of `fires` fires, by name; `consumed_early`: hexes consumed by the end of turn `early`."""
    dice, near = Dice(seed), neighbours(size).T.astype(np.int32).ravel()
    parts = [burn_batch(size, near, min(BATCH, fires - first), dice, early) for first in range(0, fires, BATCH)]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def burn_batch(size: int, near: np.ndarray, fires: int, dice: Dice, early: int) -> dict[str, np.ndarray]:
    """One batch, side by side in flat arrays; every fire has a rim cell of its own, where nothing stands.

    Of each burning hex: its place on the map, the first cell of its fire, ST and armour.
    """
    width = size * size + 1
    unlit = np.ones(fires * width, bool)
    unlit[width - 1 :: width] = False
    all_st, all_armour = np.full(fires * width, ST, np.int16), np.full(fires * width, ARMOUR, np.int8)
    slot = np.empty(fires * width, np.int32)

    fire = np.arange(fires, dtype=np.int32)
    cell = np.full(fires, (size // 2) * size + size // 2, np.int32)
    st, armour, tried = np.full(fires, ST, np.int16), np.full(fires, ARMOUR, np.int8), np.zeros(fires, bool)
    unlit[fire * width + cell] = False
    counts = {name: np.zeros(fires, np.int64) for name in ("steps", "consumed", "collapsed", "flare_ups")}
    consumed_early = counts["consumed"]
    turn = 0
    while len(cell):
        turn += 1
        counts["steps"][fire] = turn

        # collapse: one die in the first turn at or below the threshold
        due = np.flatnonzero((st <= COLLAPSE_AT) & ~tried)
        tried[due] = True
        counts["collapsed"] += np.bincount(fire[due[dice(len(due)) >= 4]], minlength=fires)

        # own attacks
        net = np.maximum(dice(len(cell)) - armour, 0)
        counts["flare_ups"] += np.bincount(fire[net >= 5], minlength=fires)
        st -= net
        armour -= np.minimum(armour, net > 0)
        stands = st > 0
        counts["consumed"] += np.bincount(fire[~stands], minlength=fires)
        fire, cell, st, armour, tried = (each[stands] for each in (fire, cell, st, armour, tried))

        # jumps: one direction each, an attack where something unlit stands there
        targets = fire * np.int32(width) + near[cell * np.int32(6) + dice(len(cell)) - np.int32(1)]
        targets = targets[unlit[targets]]
        if len(targets):
            fresh = attack(targets, dice(len(targets)), unlit, all_st, all_armour, slot)
            whose = fresh // np.int32(width)
            gone = all_st[fresh] <= 0
            if gone.any():
                counts["consumed"] += np.bincount(whose[gone], minlength=fires)
                fresh, whose = fresh[~gone], whose[~gone]
            fire = np.concatenate((fire, whose))
            cell = np.concatenate((cell, fresh - whose * np.int32(width)))
            st, armour = np.concatenate((st, all_st[fresh])), np.concatenate((armour, all_armour[fresh]))
            tried = np.concatenate((tried, np.zeros(len(fresh), bool)))
        if turn == early:
            consumed_early = counts["consumed"].copy()
    return counts | {"consumed_early": consumed_early}
