"""The same town in numpy, one fire after another: what burns lies in arrays as long as the list of burning hexes.

The rules are those named in `peer_numpy`. The arrays of the map are only asked what is unlit; ST and armour of burning
hexes lie side by side in arrays of their own, so that their attacks are plain vector arithmetic.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchmarks.town.peer_numpy import COLLAPSE_AT, Dice, attack, neighbours
from benchmarks.town.scenes import ARMOUR, ST


def burn(size: int, fires: int, seed: int, early: int = 60) -> dict[str, np.ndarray]:
    """Outcomes of `fires` fires, by name; `consumed_early`: hexes consumed by the end of turn `early`."""
    town, middle = Town(size, seed), [(size // 2) * size + size // 2]
    rows = []
    for _ in range(fires):
        town.stand_again()
        rows.append(town.burn(middle, early))
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


class Town:
    """A town whose arrays are made once; `stand_again` before each fire."""

    def __init__(self, size: int, seed: int) -> None:
        self.dice = Dice(seed)
        self.near = neighbours(size).T.astype(np.int32).ravel()
        cells = size * size + 1  # the last: off the map
        self.unlit, self.slot = np.empty(cells, bool), np.empty(cells, np.int32)
        self.st, self.armour = np.empty(cells, np.int16), np.empty(cells, np.int8)

    def stand_again(self) -> None:
        """Nothing burns, and nothing has burnt."""
        self.unlit[:] = True
        self.unlit[-1] = False
        self.st[:] = ST
        self.armour[:] = ARMOUR

    def burn(self, alight: Sequence[int], early: int, turns: int | None = None) -> dict[str, int]:
        """Burn from the cells alight to the end, or for so many turns; the fire's outcomes."""
        cell = np.array(alight, np.int32)
        st, armour = np.full(len(cell), ST, np.int16), np.full(len(cell), ARMOUR, np.int8)
        self.unlit[cell] = False
        turn = consumed = consumed_early = collapsed = flares = due = 0
        while len(cell) and turn != turns:
            turn += 1
            collapsed += np.count_nonzero(self.dice(due) >= 4)

            # own attacks; a collapse is due in the turn after ST has come down to the threshold
            net = self.dice(len(cell)) - armour
            np.maximum(net, 0, out=net)
            flares += np.count_nonzero(net >= 5)
            sound = st > COLLAPSE_AT
            st -= net
            armour -= np.minimum(armour, net > 0)
            stands = st > 0
            due = np.count_nonzero(sound & stands & (st <= COLLAPSE_AT))
            before = len(cell)
            cell, st, armour = cell[stands], st[stands], armour[stands]
            consumed += before - len(cell)

            # jumps: one direction each, an attack where something unlit stands there
            targets = self.near[cell * np.int32(6) + self.dice(len(cell)) - np.int32(1)]
            targets = targets[self.unlit[targets]]
            if len(targets):
                fresh = attack(targets, self.dice(len(targets)), self.unlit, self.st, self.armour, self.slot)
                left = self.st[fresh]
                if left.size and left.min() <= COLLAPSE_AT:
                    consumed += np.count_nonzero(left <= 0)
                    fresh, left = fresh[left > 0], left[left > 0]
                    due += np.count_nonzero(left <= COLLAPSE_AT)
                cell = np.concatenate((cell, fresh))
                st = np.concatenate((st, left))
                armour = np.concatenate((armour, self.armour[fresh]))
            if turn == early:
                consumed_early = consumed
        return {
            "steps": turn,
            "consumed": consumed,
            "consumed_early": consumed_early if turn >= early else consumed,
            "collapsed": collapsed,
            "flare_ups": flares,
        }
