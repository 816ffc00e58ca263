"""The same town in numpy as one writes it first: an active list of burning cells, batched over replicates.

Rules of the scene only: gritty attacks, the collapse die once, external fires, one jump a turn in one of six
directions, flare-ups counted. At gap 1 with the next hexes 7 melee hexes off, sparks of one floor (reach 4, beyond 2)
never land, so that a flare-up has no further effect.
"""

from __future__ import annotations

import numpy as np

from benchmarks.town.peer_numpy import COLLAPSE_AT, neighbours
from benchmarks.town.scenes import ARMOUR, ST

BATCH = 64
"""Replicates burnt together: the fastest of 16 to 512 on the machine of the README's table."""

UNLIT, BURNING, LIT_NOW, GONE = range(4)


def burn(size: int, fires: int, seed: int, early: int = 60) -> dict[str, np.ndarray]:
    """Outcomes of `fires` fires, by name; `consumed_early`: hexes consumed by the end of turn `early`."""
    rng = np.random.default_rng(seed)
    parts = [burn_batch(size, min(BATCH, fires - first), rng, early) for first in range(0, fires, BATCH)]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def burn_batch(size: int, fires: int, rng: np.random.Generator, early: int) -> dict[str, np.ndarray]:
    """One batch, side by side in flat arrays; every fire has a rim cell of its own, which is gone from the start."""
    width = size * size + 1
    st = np.full(fires * width, ST, np.int16)
    armour = np.full(fires * width, ARMOUR, np.int8)
    state = np.full(fires * width, UNLIT, np.int8)
    checked = np.zeros(fires * width, bool)
    state[width - 1 :: width] = GONE
    # from a cell of any fire to its neighbours: an offset that depends on the place on the map alone
    offsets = np.zeros((6, width), np.int32)
    offsets[:, :-1] = neighbours(size) - np.arange(size * size)
    offsets = np.tile(offsets, fires)
    burning = (np.arange(fires, dtype=np.int32) * width + (size // 2) * size + size // 2).astype(np.int32)
    state[burning] = BURNING
    steps, collapsed, flares = np.zeros(fires, np.int64), np.zeros(fires, np.int64), np.zeros(fires, np.int64)
    consumed_early = np.zeros(fires, np.int64)
    turn = 0
    while len(burning):
        turn += 1
        steps[burning // width] = turn

        # collapse: one die in the first turn at or below the threshold
        due = burning[(st[burning] <= COLLAPSE_AT) & ~checked[burning]]
        checked[due] = True
        fell = due[rng.integers(1, 7, len(due), dtype=np.int8) >= 4]
        collapsed += np.bincount(fell // width, minlength=fires)

        # own attacks
        net = rng.integers(1, 7, len(burning), dtype=np.int8) - armour[burning]
        flares += np.bincount(burning[net >= 5] // width, minlength=fires)
        hit = burning[net > 0]
        st[hit] -= net[net > 0]
        armour[hit] = np.maximum(armour[hit] - 1, 0)
        out = st[burning] <= 0
        state[burning[out]] = GONE
        burning = burning[~out]

        # jumps: a direction only where some neighbour is unlit at turn start, an attack only where the drawn one is
        near = state[burning + offsets[:, burning]] == UNLIT
        jumpers = burning[near.any(axis=0)]
        heading = rng.integers(0, 6, len(jumpers), dtype=np.int8)
        targets = jumpers + offsets[heading, jumpers]
        legal = state[targets] == UNLIT
        targets, heading = targets[legal], heading[legal]
        faces = rng.integers(1, 7, len(targets), dtype=np.int8)
        lit = []
        for way in range(6):  # no hex is attacked twice from one side, so each way is one vector step
            here = heading == way
            victims = targets[here]
            net = faces[here] - armour[victims]
            victims, net = victims[net > 0], net[net > 0]
            st[victims] -= net
            armour[victims] = np.maximum(armour[victims] - 1, 0)
            lit.append(victims[state[victims] == UNLIT])
            state[victims] = LIT_NOW
        fresh = np.concatenate(lit)
        gone = st[fresh] <= 0
        state[fresh] = np.where(gone, GONE, BURNING)
        burning = np.concatenate([burning, fresh[~gone]])
        if turn == early:
            consumed_early = (state.reshape(fires, width)[:, :-1] == GONE).sum(axis=1)
    consumed = (state.reshape(fires, width)[:, :-1] == GONE).sum(axis=1)
    if turn < early:
        consumed_early = consumed
    return {
        "steps": steps,
        "consumed": consumed,
        "consumed_early": consumed_early,
        "collapsed": collapsed,
        "flare_ups": flares,
    }
