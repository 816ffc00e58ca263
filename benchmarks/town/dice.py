"""Dice: the price of a keyed die, and how much of a fire's time its dice alone would take."""
# ruff: noqa: NPY002 - numba knows numpy's older generator only

from __future__ import annotations

import numba
import numpy as np

from benchmarks.harness import Row, Settings, side_by_side
from benchmarks.town.peers import SEED, SIZE, ready_town
from firesim.dice.keyed import fire_key
from firesim.dice.philox import philox
from firesim.dice.rolls import roll
from firesim.play import Fire
from firesim.studies.study import burn

LOOP = 1_000_000


@numba.njit(nogil=True, error_model="numpy")
def keyed_dice(seed, steps, purposes, actors, targets, again):
    """Roll the dice listed, `again` times over, as a fire's kernel does; the sum of their faces."""
    total = np.int64(0)
    for replicate in range(again):
        key = fire_key(seed, replicate)
        for i in range(steps.shape[0]):
            total += roll(key, None, steps[i], purposes[i], actors[i], targets[i], 6)
    return total


@numba.njit(nogil=True, error_model="numpy")
def blocks_apart(count):
    """`count` Philox blocks, none waiting for another; the exclusive or of their words."""
    mixed = np.uint64(0)
    for i in range(count):
        w0, w1, w2, w3 = philox(np.uint64(i), np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4), np.uint64(5))
        mixed ^= w0 ^ w1 ^ w2 ^ w3
    return mixed


@numba.njit(nogil=True, error_model="numpy")
def blocks_in_a_chain(count):
    """`count` Philox blocks, each made from the one before."""
    w0, w1, w2, w3 = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)
    for _ in range(count):
        w0, w1, w2, w3 = philox(w0, w1, w2, w3, np.uint64(4), np.uint64(5))
    return w0


@numba.njit(nogil=True)
def numpy_dice(count):
    """`count` dice of numpy's generator inside numba; the sum of their faces."""
    total = 0
    for _ in range(count):
        total += np.random.randint(1, 7)
    return total


def measure(settings: Settings) -> list[Row]:
    """Nanoseconds per die and block; the dice of a fire alone against the whole fire."""
    fires = max(settings.fires // 5, 2)
    ready = ready_town(SIZE)
    fire = Fire(ready, SEED)
    fire.play_to(ready.horizon)
    count = len(fire.faces)
    steps, purposes, actors, targets = (np.ascontiguousarray(fire.tape.asked[:count, c]) for c in (1, 2, 3, 4))
    timings = side_by_side(
        {
            "dice": lambda: keyed_dice(SEED, steps, purposes, actors, targets, fires),
            "fires": lambda: burn(ready, SEED, 0, fires, workers=1),
            "apart": lambda: blocks_apart(LOOP),
            "chain": lambda: blocks_in_a_chain(LOOP),
            "numpy": lambda: numpy_dice(LOOP),
        },
        settings.rounds,
    )
    return [
        timings.ratio("dice", "a fire over its dice alone", "fires", "dice", note=f"{count:,} dice, {fires} times"),
        timings.per(
            "dice", "a keyed d6, in a loop of dice", "dice", fires * count, "ns", 1e9, "vectorized by the compiler"
        ),
        timings.per(
            "dice", "a Philox block, independent", "apart", LOOP, "ns", 1e9, "four words; vectorized by the compiler"
        ),
        timings.per("dice", "a Philox block, chained", "chain", LOOP, "ns", 1e9, "the time until its words are there"),
        timings.per("dice", "a d6 of numpy's generator in numba", "numpy", LOOP, "ns", 1e9),
    ]
