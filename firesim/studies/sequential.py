"""When a study may stop by itself: looks at fixed numbers of fires, so that looking early stays honest.

Looks come when every case has 100, 150, 225, ... fires (half as many again each time), whatever the blocks, threads
and interruptions. Two named methods:

- `Until`: the fixed-width procedure of Chow and Robbins (1965) at those looks. It stops at the first look at which the
  95 % interval of each case is narrow enough, but not while rare fires may still be missing: not before 10 fires of the
  case differ from the commonest value, or 3,000 fires have shown what there is.
- `UntilDecided`: a group-sequential test with the constant boundary of Pocock (1977), computed by the recursion of
  Armitage, McPherson and Rowe (1969) for 30 such looks. The chance that it ever declares a difference where there is
  none stays below 5 %, over all looks and all comparisons together.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from firesim.core.problems import InputError, Problem
from firesim.studies.columns import compared, known, rows_of, values_of
from firesim.studies.counted import Counted, counted
from firesim.studies.intervals import LEVEL, counted_mean_interval
from firesim.studies.pairs import ALL_PAIRS, Difference, difference
from firesim.studies.words import about, case_names, number, short_names, span

Array = np.ndarray[Any, Any]

FIRST_LOOK = 100
LOOKS_MOST = 30
"""Looks of `UntilDecided`; the last is at about 12.8 million fires per case."""

UNCOMMON = 10
"""Fires that differ from the commonest value before `Until` trusts the spread it sees."""

ENOUGH = 3000
"""Fires after which `Until` takes what has not happened for rarer than one in a thousand."""

SHORT_FIXED, SHORT_DECIDED = "fixed width, Chow and Robbins", "group sequential, Pocock"
"""The methods, as they stand beside a result."""

NODES = 96
"""Nodes of the Gauss-Legendre quadrature; more change the boundary by less than 1e-9."""


def replicates_at_look(k: int) -> int:
    """Fires of each case at look k = 0, 1, ...: 100, 150, 225, 338, ...

    >>> [replicates_at_look(k) for k in (0, 1, 2, 3, 10)]
    [100, 150, 225, 338, 5767]
    """
    if k < 0:
        raise ValueError(f"look {k}")
    return -(-FIRST_LOOK * int(3**k) // int(2**k))


@dataclass(frozen=True)
class Bounds:
    """An interval that a verdict rests on: of a case's mean, or of a difference where `against` is a case."""

    case: int
    against: int | None
    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Verdict:
    """What a look says.

    done: stop. sentence: why, or what is lacking. more: about how many more fires, of all cases together; None when
    that cannot be told. intervals: what it rests on.
    """

    done: bool
    sentence: str
    more: int | None
    intervals: tuple[Bounds, ...]


@dataclass(frozen=True)
class Until:
    """Stop when the 95 % interval of an outcome's mean is no wider than `half_width` either way, in every case."""

    outcome: str
    half_width: float

    method: ClassVar[str] = (
        "fixed-width procedure of Chow and Robbins, looked at after 100, 150, 225, ... fires per case"
    )

    def look(self, outcomes: Array, cases: Sequence[Mapping[str, Any]], looks: int = 0) -> Verdict:
        """The verdict on all rows of all cases up to this look (looks: its number, from 0; it does not matter here)."""
        bounds, needed, short = [], 0, 0
        for case in range(len(cases)):
            rows = rows_of(outcomes, case)
            values = counted(values_of(rows, self.outcome))
            low, high = (float(bound) for bound in counted_mean_interval(values))
            bounds.append(Bounds(case, None, values.mean, low, high))
            fires = self._needed(values, (high - low) / 2, len(rows))
            needed, short = max(needed, fires), short + (fires > len(rows))
        if not short:
            return Verdict(True, f"{self._widest(bounds)}: stopped ({SHORT_FIXED})", 0, tuple(bounds))
        have = max((int(np.count_nonzero(outcomes["case"] == case)) for case in range(len(cases))), default=0)
        more = max(next_look(needed) - have, 1) * len(cases)
        return Verdict(
            False, f"{self._widest(bounds)}, about {about(more)} more fires to {self.goal}", more, tuple(bounds)
        )

    @property
    def goal(self) -> str:
        """The aim in words."""
        return f"plus or minus {number(self.half_width)}"

    def _needed(self, values: Counted, half: float, fires: int) -> int:
        """About how many fires a case needs; at most `fires` when those suffice."""
        if values.n < 2:
            return ENOUGH if fires < ENOUGH else fires
        uncommon = values.n - int(values.counts.max())
        wide = math.ceil(fires * (half / self.half_width) ** 2) if half > self.half_width else 0
        unsure = ENOUGH if uncommon < UNCOMMON and fires < ENOUGH else 0
        if uncommon and unsure:
            unsure = min(unsure, math.ceil(fires * UNCOMMON / uncommon))
        return max(wide, unsure)

    def _widest(self, bounds: Sequence[Bounds]) -> str:
        half = max((b.high - b.low) / 2 if b.high >= b.low else math.inf for b in bounds)
        if not math.isfinite(half):
            return f"{self.outcome}: not seen often enough"
        if len(bounds) == 1:
            return f"{self.outcome} {number(bounds[0].mean)} ± {number(half)}"
        return f"{self.outcome} ± {number(half)} in the widest of {len(bounds)} cases"


@dataclass(frozen=True)
class UntilDecided:
    """Stop when it is decided, for every comparison of cases, which has more of an outcome."""

    outcome: str

    method: ClassVar[str] = (
        "group-sequential test with Pocock's boundary for 30 looks, after 100, 150, 225, ... fires per case; "
        "the chance ever to declare a difference where there is none is below 5 %"
    )

    def look(self, outcomes: Array, cases: Sequence[Mapping[str, Any]], looks: int = 0) -> Verdict:
        """The verdict on all rows of all cases up to look number `looks`, from 0; beyond the last it is done."""
        pairs = compared(cases, ALL_PAIRS)
        if not pairs:
            return Verdict(True, f"{self.outcome}: one case, nothing to decide", 0, ())
        level = level_of(len(pairs))
        rows = [rows_of(outcomes, case) for case in range(len(cases))]
        found = [difference(self.outcome, rows[case], rows[against], case, against, level) for case, against in pairs]
        bounds = tuple(Bounds(d.case, d.against, d.mean, d.low, d.high) for d in found)
        open_ones = [d for d in found if not d.decided]
        if not open_ones:
            return Verdict(True, f"{self._decided(found, cases)} ({SHORT_DECIDED})", 0, bounds)
        if looks >= LOOKS_MOST - 1:
            return Verdict(True, f"{self._open(open_ones, found, cases)} after the last look", None, bounds)
        more = self._more(open_ones, len(cases), max(len(each) for each in rows))
        forecast = "" if more is None else f", about {about(more)} more fires would"
        return Verdict(False, self._open(open_ones, found, cases) + forecast, more, bounds)

    def _more(self, undecided: Sequence[Difference], cases: int, have: int) -> int | None:
        pairs = [d.more for d in undecided]
        if any(count is None for count in pairs):
            return None
        return max(next_look(have + max(count or 0 for count in pairs)) - have, 1) * cases

    def _decided(self, found: Sequence[Difference], cases: Sequence[Mapping[str, Any]]) -> str:
        if len(found) > 1:
            return f"{self.outcome}: all {len(found)} comparisons decided"
        (one,) = found
        names = short_names(case_names(cases), 40)
        more = "more" if one.mean > 0 else "less"
        low, high = sorted((abs(one.low), abs(one.high)))
        return f"{self.outcome}: decided, {names[one.case]} has {span(low, high)} {more} than {names[one.against]}"

    def _open(
        self, undecided: Sequence[Difference], found: Sequence[Difference], cases: Sequence[Mapping[str, Any]]
    ) -> str:
        if len(found) > 1:
            return f"{self.outcome}: {len(found) - len(undecided)} of {len(found)} comparisons decided"
        names = short_names(case_names(cases), 40)
        (one,) = undecided
        between = f"{names[one.case]} and {names[one.against]}"
        return f"{self.outcome}: {between} cannot be told apart yet ({span(one.low, one.high)})"


def next_look(fires: int) -> int:
    """Fires per case at the first look that has so many."""
    k = 0
    while replicates_at_look(k) < fires:
        k += 1
    return replicates_at_look(k)


@lru_cache(maxsize=256)
def level_of(comparisons: int, alpha: float = 1 - LEVEL) -> float:
    """The level of the interval at every look of `UntilDecided`: alpha is shared out among the comparisons.

    >>> round(level_of(1), 5)
    0.99739
    """
    from scipy.special import ndtr

    return float(2 * ndtr(boundary(alpha / comparisons)) - 1)


@lru_cache(maxsize=256)
def boundary(alpha: float) -> float:
    """Pocock's constant: how many standard errors no mean of nothing passes at any look, but with chance alpha."""
    from scipy.optimize import brentq

    return float(brentq(lambda z: ever_crossed(z) - alpha, 1.0, 12.0, xtol=1e-10))


def ever_crossed(z: float) -> float:
    """The chance that a mean of nothing passes z standard errors, either way, at one of the 30 looks.

    Between looks the standardized mean is a stationary autoregression of correlation sqrt(2/3); the density of those
    not yet across is carried from look to look.
    """
    places, weights = np.polynomial.legendre.leggauss(NODES)
    places, weights = places * z, weights * z
    keep, fresh = math.sqrt(2 / 3), math.sqrt(1 / 3)
    inside = np.exp(-(places**2) / 2) / math.sqrt(2 * math.pi)
    step = np.exp(-(((places[:, None] - keep * places) / fresh) ** 2) / 2) / (math.sqrt(2 * math.pi) * fresh)
    for _ in range(LOOKS_MOST - 1):
        inside = step @ (weights * inside)
    return 1.0 - float(weights @ inside)


def until_of(text: str, columns: Sequence[str]) -> Until:
    """The stopping rule that `buildings_lost:0.5` asks for; InputError for anything else."""
    outcome, colon, width = text.rpartition(":")
    if not colon:
        raise InputError(Problem(f"until {text!r}", "OUTCOME:HALFWIDTH", f"as in {columns[-1]}:0.5"))
    known(outcome.strip(), columns)
    try:
        half = float(width)
    except ValueError:
        half = math.nan
    if not (math.isfinite(half) and half > 0):
        raise InputError(Problem(f"half-width {width.strip()!r} of {outcome.strip()}", "a number above 0"))
    return Until(outcome.strip(), half)


def until_decided_of(outcome: str, columns: Sequence[str]) -> UntilDecided:
    """The stopping rule that decides an outcome; InputError for one that does not exist."""
    return UntilDecided(known(outcome.strip(), columns))
