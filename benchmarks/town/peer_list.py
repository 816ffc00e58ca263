"""The same town in plain Python: a list of the burning cells, lists for the map, the `random` module's dice.

The rules are those named in `peer_numpy`. A burning hex draws its direction whether or not anything around it is left
to burn: what has burnt stays so, and looking first costs more than the die.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np

from benchmarks.town.peer_numpy import COLLAPSE_AT, neighbours
from benchmarks.town.scenes import ARMOUR, ST


def burn(size: int, fires: int, seed: int, early: int = 60) -> dict[str, np.ndarray]:
    """Outcomes of `fires` fires, by name; `consumed_early`: hexes consumed by the end of turn `early`."""
    near = [tuple(cells) for cells in neighbours(size).T.tolist()]
    start = (size // 2) * size + size // 2
    draw = Random(seed).random
    rows = [burn_one(near, start, early, draw) for _ in range(fires)]
    names = ("steps", "consumed", "consumed_early", "collapsed", "flare_ups")
    return dict(zip(names, np.array(rows).T, strict=True))


def burn_one(near: list[tuple[int, ...]], start: int, early: int, draw: Callable[[], float]) -> tuple[int, ...]:
    """One fire to its end: its turns, hexes consumed in all and by turn `early`, collapses, flare-ups."""
    cells = len(near)
    st, armour = [ST] * cells, [ARMOUR] * cells
    unlit = [True] * cells + [False]  # the last: off the map
    tried = [False] * cells  # whether the collapse die has been rolled
    unlit[start] = False
    burning = [start]
    turn = consumed = consumed_early = collapsed = flares = 0
    while burning:
        turn += 1
        still = []
        for cell in burning:
            left = st[cell]
            if left <= COLLAPSE_AT and not tried[cell]:
                tried[cell] = True
                collapsed += draw() < 0.5
            walls = armour[cell]
            net = int(6 * draw()) + 1 - walls
            if net > 0:
                if net >= 5:
                    flares += 1
                if walls:
                    armour[cell] = walls - 1
                if net >= left:
                    consumed += 1
                    continue
                st[cell] = left - net
            still.append(cell)
        lit = []
        for cell in still:
            target = near[cell][int(6 * draw())]
            if unlit[target]:
                walls = armour[target]
                net = int(6 * draw()) + 1 - walls
                if net > 0:
                    left = st[target]
                    if left == ST:
                        lit.append(target)
                    st[target] = left - net
                    if walls:
                        armour[target] = walls - 1
        for cell in lit:
            unlit[cell] = False
            if st[cell] > 0:
                still.append(cell)
            else:
                consumed += 1
        burning = still
        if turn == early:
            consumed_early = consumed
    return turn, consumed, consumed_early if turn >= early else consumed, collapsed, flares
