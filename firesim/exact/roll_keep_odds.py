"""Exact odds of roll-and-keep: roll some ten-sided dice, tens exploding, keep the highest. [FD-76, FD-77]"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from firesim.exact.distribution import Distribution

Over10 = Literal["convert", "none"]
KeptPenalty = Literal["rolled_and_kept", "kept"]

SIDES = 10
DICE_MOST = 10
"""Dice above this many are converted. [FD-77]"""

CUT = 1e-17
"""Most probability of the totals left out of a roll that has no highest one: below the rounding of doubles."""

SMALLEST_GAP = 2.0**-53
"""Half the distance from 1 to the next double."""

DEPTH = 20
"""Explosions of one die beyond this many (probability 1e-21) are left out."""


@dataclass(frozen=True, slots=True)
class Pool:
    """`rolled` ten-sided dice of which the `kept` highest count, and `bonus` on top. [FD-76]

    explode: each ten is rolled on and added (not for the crippled [FD-81] or without the Knack [FD-83]).
    Raises ValueError unless 0 <= kept <= rolled.

    >>> str(Pool(15, 10).converted())
    '10k10 + 50'
    """

    rolled: int
    kept: int
    explode: bool = True
    bonus: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.kept <= self.rolled:
            raise ValueError(f"{self.rolled}k{self.kept}: expected from 0 kept dice up to as many as are rolled")

    def __str__(self) -> str:
        sign = "-" if self.bonus < 0 else "+"
        return f"{self.rolled}k{self.kept}" + (f" {sign} {abs(self.bonus)}" if self.bonus else "")

    def less(self, kept: int = 0, unkept: int = 0, penalty: KeptPenalty = "rolled_and_kept") -> Pool:
        """The pool that has lost `kept` kept and `unkept` unkept dice. [A0-23]

        A lost kept die is -1k1, or -0k1 with the option `kept`; a lost unkept die is -1k0. Never below 0k0; no more
        dice are kept than are left. Penalties come before the conversion of more than ten dice.
        """
        rolled = max(0, self.rolled - unkept - (kept if penalty == "rolled_and_kept" else 0))
        return replace(self, rolled=rolled, kept=min(rolled, max(0, self.kept - kept)))

    def converted(self, over10: Over10 = "convert") -> Pool:
        """More than ten dice: surplus rolled dice become kept, kept above ten become +10 each. [FD-77, A0-04]

        The option `none` rolls them all.
        """
        if over10 == "none" or self.rolled <= DICE_MOST:
            return self
        kept = self.kept + self.rolled - DICE_MOST
        extra = max(0, kept - DICE_MOST)
        return replace(self, rolled=DICE_MOST, kept=kept - extra, bonus=self.bonus + SIDES * extra)

    def distribution(self) -> Distribution:
        """The totals of exactly these dice (convert first); 0 + bonus when none is kept. [A0-10]"""
        kept = roll_keep(self.rolled, self.kept, self.explode, "none")
        return kept + self.bonus if self.bonus else kept

    def classes(self, thresholds: Sequence[int]) -> NDArray[np.float64]:
        """Probabilities that exactly 0, 1, ... of the ascending thresholds are met (meet or beat); all add up to 1.

        What a walker over acts branches on: one threshold gives (fail, pass). A pool that keeps no die meets none,
        whatever they are. [D-Q12]
        """
        if self.kept == 0:
            return np.array([1.0] + [0.0] * len(thresholds))
        totals = self.distribution()
        row = totals.classes(thresholds)
        if totals.missing > 0:  # the totals left out lie above the others
            row[-1] += max(0.0, 1 - math.fsum(row))
        return row

    def chance(self, target: int) -> float:
        """The probability to meet or beat a target number; 0 when no die is kept. [D-Q12]"""
        return float(self.classes([target])[1])


@lru_cache(maxsize=512)
def roll_keep(rolled: int, kept: int, explode: bool = True, over10: Over10 = "convert") -> Distribution:
    """The totals of `rolled` dice of which the `kept` highest count. [FD-76, FD-77]

    Every probability is exact to 1e-14; `missing` (below 1e-13, mostly rounding) is that of totals above the highest
    one given, and 0 without explosions. No die kept: 0. [A0-10] Source: an exploding die shows v = 10 q + r, r = 1..9,
    with probability 10^-(q + 1); `keep_highest` counts, from the highest face down, how many dice show each.

    >>> round(roll_keep(5, 3).mean, 8)
    24.51260503
    """
    pool = Pool(rolled, kept, explode).converted(over10)
    if pool.kept == 0:
        return Distribution.constant(0)
    if explode:
        die = exploding_die(highest_total(pool.rolled, pool.kept))
    else:
        die = np.zeros(SIDES * pool.kept + 1)
        die[1 : SIDES + 1] = 1 / SIDES
    chances = keep_highest(die, pool.rolled, pool.kept)
    # Explosions have no end: something is missing even where it is too little for doubles to tell.
    missing = max(1 - math.fsum(chances), SMALLEST_GAP) if explode else 0.0
    return Distribution.dense(pool.bonus, chances, missing)


@lru_cache(maxsize=64)
def dice(count: int, sides: int) -> Distribution:
    """The sum of `count` dice with faces 1 to `sides`, none exploding: 3d6, d100."""
    return Distribution.uniform(1, sides).times(count)


def exploding_die(highest: int) -> NDArray[np.float64]:
    """P(v) of one exploding ten-sided die for v = 0..highest: 10^-(v // 10 + 1), and 0 where 10 divides v. [FD-76]

    0 also for more than DEPTH explosions.
    """
    values = np.arange(highest + 1)
    powers = np.array([float(f"1e-{q + 1}") for q in range(DEPTH + 1)])  # the nearest doubles
    explosions = np.minimum(values // SIDES, DEPTH)
    return np.where((values % SIDES == 0) | (values // SIDES > DEPTH), 0.0, powers[explosions])


def highest_total(rolled: int, kept: int) -> int:
    """A total L of exploding dice with P(the kept highest add up to more than L) <= CUT, by Chernoff's bound.

    With M(t) = E[e^(t X)] = sum(e^(r t), r = 1..9) / (10 - e^(10 t)) of one die, t < ln(10) / 10, for every t:

    - the others show at least 1 each: P(kept > L) <= P(all > L + rolled - kept) <= M^rolled e^(-t (L + rolled - kept));
    - some `kept` dice add up to the total: P(kept > L) <= C(rolled, kept) M^kept e^(-t L).
    """
    t = np.linspace(0.01, 0.995, 200) * math.log(SIDES) / SIDES
    growth = np.log(sum(np.exp(r * t) for r in range(1, SIDES)) / (SIDES - np.exp(SIDES * t)))
    by_all = (rolled * growth - math.log(CUT)) / t - (rolled - kept)
    by_kept = (kept * growth + math.log(math.comb(rolled, kept)) - math.log(CUT)) / t
    return int(np.ceil(min(by_all.min(), by_kept.min())))


def keep_highest(die: NDArray[np.float64], rolled: int, kept: int) -> NDArray[np.float64]:
    """P(s), s = 0..len(die) - 1, of the sum s of the `kept` highest of `rolled` dice, each showing v with die[v].

    Faces are taken from the highest down. State: j < kept dice placed so far, all showing more than v, with the sum s;
    its weight counts the ways to choose the dice. At v, m of the other rolled - j dice show v:

    - j + m < kept: weight * C(rolled - j, m) * die[v]^m, on to j + m and s + m v;
    - the rest of the kept dice all show v: weight * P(at least kept - j of rolled - j dice show v, the others less),
      and the total is s + (kept - j) v.

    All terms are positive, so nothing cancels. Sums that do not fit are dropped; so are faces that do not fit.
    """
    highest, spare = len(die) - 1, rolled - kept
    less = np.concatenate([[0.0], np.cumsum(die)[:-1]])
    ways = np.array([[math.comb(rolled - j, m) for m in range(kept)] for j in range(kept)], dtype=np.float64)
    # Row j, column i: C(rolled - j, kept - j + i), the ways in which kept - j + i dice show v.
    last_ways = np.array(
        [[math.comb(rolled - j, spare - i) for i in range(spare + 1)] for j in range(kept)], dtype=float
    )
    counts = kept - np.arange(kept)[:, None] + np.arange(spare + 1)
    total = np.zeros(highest + 1)
    placed = np.zeros((kept, highest + 1))
    placed[0, 0] = 1.0
    for v in np.flatnonzero(die)[::-1].tolist():
        rows = min(kept, highest // (v + 1) + 1)  # more dice above v would not fit
        powers = die[v] ** np.arange(rolled + 1)
        last = (last_ways * powers[counts] * less[v] ** np.arange(spare, -1, -1)).sum(axis=1)
        for j in range(max(0, kept - highest // v), rows):
            shift = (kept - j) * v
            total[shift:] += last[j] * placed[j, : highest + 1 - shift]
        most = min(kept - 1, highest // v)
        grown = placed[: min(kept, rows + most)].copy()
        for m in range(1, most + 1):
            sources = min(rows, kept - m, (highest - m * v) // (v + 1) + 1)
            weights = ways[:sources, m] * powers[m]
            grown[m : m + sources, m * v :] += weights[:, None] * placed[:sources, : highest + 1 - m * v]
        placed[: len(grown)] = grown
    return total
