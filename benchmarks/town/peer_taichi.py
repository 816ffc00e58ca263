"""The same town in Taichi: fires of a batch in a parallel loop, each of which walks its own list of burning hexes.

The rules are those named in `peer_numpy`. On one thread here, as our kernel is.
"""

import io
import os
from collections.abc import Sequence
from contextlib import redirect_stdout
from functools import cache

import numpy as np

os.environ.setdefault("ENABLE_TAICHI_HEADER_PRINT", "0")
os.environ.setdefault("TI_LOG_LEVEL", "error")
import taichi as ti

from benchmarks.town.peer_numpy import COLLAPSE_AT, neighbours
from benchmarks.town.scenes import ARMOUR, ST

BATCH = 64
NEVER = 32767
STEPS, CONSUMED, EARLY, COLLAPSED, FLARES = range(5)
NAMES = ("steps", "consumed", "consumed_early", "collapsed", "flare_ups")

with redirect_stdout(io.StringIO()):
    ti.init(arch=ti.cpu, cpu_max_num_threads=1, random_seed=20)


def burn(size: int, fires: int, seed: int, early: int = 60) -> dict[str, np.ndarray]:
    """Outcomes of `fires` fires, by name; `consumed_early`: hexes consumed by the end of turn `early`.

    seed: of no use; Taichi seeds its dice once, when it starts.
    """
    batch, middle = compiled_town(size), np.array([(size // 2) * size + size // 2], np.int32)
    parts = []
    for first in range(0, fires, BATCH):
        batch.stand_again()
        batch.burn_all(min(BATCH, fires - first), middle, early, NEVER)
        parts.append(batch.rows.to_numpy()[: fires - first])
    return dict(zip(NAMES, np.concatenate(parts).T, strict=True))


@cache
def compiled_town(size: int) -> "Fires":
    """The towns of a batch, whose kernels are compiled once."""
    return Fires(size, BATCH)


class Town:
    """A town whose arrays are made once; `stand_again` before each fire."""

    def __init__(self, size: int, seed: int) -> None:
        self.one = Fires(size, 1)

    def stand_again(self) -> None:
        """Nothing burns, and nothing has burnt."""
        self.one.stand_again()

    def burn(self, alight: Sequence[int], early: int, turns: int | None = None) -> dict[str, int]:
        """Burn from the cells alight to the end, or for so many turns; the fire's outcomes."""
        self.one.burn_all(1, np.asarray(alight, np.int32), early, turns or NEVER)
        return dict(zip(NAMES, self.one.rows.to_numpy()[0].tolist(), strict=True))


@ti.func
def d6():
    """A six-sided die."""
    return ti.floor(6 * ti.random(ti.f32), ti.i32) + 1


@ti.data_oriented
class Fires:
    """Towns side by side. lit: the turn in which a hex caught fire; `burning`: the list of each."""

    def __init__(self, size: int, batch: int):
        self.batch, self.cells = batch, size * size  # in every row of the map one cell more: off the map
        self.near = ti.field(ti.i32, (self.cells, 6))
        self.near.from_numpy(neighbours(size).T.astype(np.int32))
        shape = (batch, self.cells + 1)
        self.st, self.armour, self.tried = ti.field(ti.i16, shape), ti.field(ti.i8, shape), ti.field(ti.i8, shape)
        self.lit, self.burning = ti.field(ti.i16, shape), ti.field(ti.i32, shape)
        self.rows = ti.field(ti.i32, (batch, len(NAMES)))

    @ti.kernel
    def stand_again(self):
        """All houses as they were."""
        for fire, cell in self.st:
            self.st[fire, cell] = ST
            self.armour[fire, cell] = ARMOUR
            self.tried[fire, cell] = 0
            self.lit[fire, cell] = NEVER if cell < self.cells else -1

    @ti.kernel
    def burn_all(self, fires: ti.i32, alight: ti.types.ndarray(dtype=ti.i32, ndim=1), early: ti.i32, last: ti.i32):
        """Burn so many fires to their ends or their last turn; outcomes go into `rows`."""
        for fire in range(fires):
            for i in range(alight.shape[0]):
                self.lit[fire, alight[i]] = 0
                self.burning[fire, i] = alight[i]
            for name in ti.static(range(len(NAMES))):
                self.rows[fire, name] = 0
            burning, turn = alight.shape[0], 0
            while burning > 0 and turn < last:
                turn += 1
                still = self.own_attacks(fire, burning)
                burning = self.jumps(fire, still, turn)
                if turn == early:
                    self.rows[fire, EARLY] = self.rows[fire, CONSUMED]
            if turn < early:
                self.rows[fire, EARLY] = self.rows[fire, CONSUMED]
            self.rows[fire, STEPS] = turn

    @ti.func
    def attack(self, fire, cell):
        """A fire attack on this hex; the net damage."""
        walls = self.armour[fire, cell]
        net = d6() - walls
        if net > 0:
            self.st[fire, cell] -= ti.cast(net, ti.i16)
            if walls > 0:
                self.armour[fire, cell] = walls - ti.cast(1, ti.i8)
        return net

    @ti.func
    def own_attacks(self, fire, burning):
        """Collapses and own attacks; how many hexes still burn, which are moved to the front of the list."""
        still, collapsed, flares = 0, 0, 0
        for i in range(burning):
            cell = self.burning[fire, i]
            if self.st[fire, cell] <= COLLAPSE_AT and self.tried[fire, cell] == 0:
                self.tried[fire, cell] = 1
                collapsed += ti.cast(d6() >= 4, ti.i32)
            if self.attack(fire, cell) >= 5:
                flares += 1
            if self.st[fire, cell] > 0:
                self.burning[fire, still] = cell
                still += 1
        self.rows[fire, CONSUMED] += burning - still
        self.rows[fire, COLLAPSED] += collapsed
        self.rows[fire, FLARES] += flares
        return still

    @ti.func
    def jumps(self, fire, still, turn):
        """One direction each, an attack where something unlit stands there; how many hexes burn after it."""
        listed = still
        for i in range(still):
            target = self.near[self.burning[fire, i], d6() - 1]
            if self.lit[fire, target] >= turn:
                if self.attack(fire, target) > 0 and self.lit[fire, target] == NEVER:
                    self.lit[fire, target] = ti.cast(turn, ti.i16)
                    self.burning[fire, listed] = target
                    listed += 1
        burning = still
        for i in range(still, listed):
            cell = self.burning[fire, i]
            if self.st[fire, cell] > 0:
                self.burning[fire, burning] = cell
                burning += 1
        self.rows[fire, CONSUMED] += listed - burning
        return burning
