"""Answers in words: what the figures of a study say, for whatever system."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from firesim.studies.columns import is_time, values_of
from firesim.studies.counted import Counted, counted
from firesim.studies.intervals import proportion_interval, quantile_ranks
from firesim.studies.words import about, case_names, number, share, span

if TYPE_CHECKING:
    from firesim.studies.pairs import Difference

Array = np.ndarray[Any, Any]

OFTEN = 0.9
"""An outcome is told as what it stays within in so many fires."""

ANSWERS_MOST = 400
"""Sentences a summary holds at most."""


def answers(
    by_case: Sequence[Sequence[str]],
    cases: Sequence[Mapping[str, Any]] = ({},),
    differences: Sequence[Difference] = (),
    units: Mapping[str, str] | None = None,
) -> tuple[str, ...]:
    """What a study says: of each case how long it burns, then the comparisons, then what else happens in each case.

    by_case: each case's sentences, see `case_answers`; they begin with its name where there are several. units: of
    columns, where known. Comparisons of what is the same in every fire, or never happens in both cases, are left out.
    """
    if len(by_case) == 1:
        return tuple(by_case[0])
    named = [
        [f"{name}: {sentence}" for sentence in said] for name, said in zip(case_names(cases), by_case, strict=True)
    ]
    apart = [
        difference.words(cases, (units or {}).get(difference.column, ""))
        for difference in differences
        if difference.pairs > 1 and not (difference.mean == 0 and math.isnan(difference.narrowed))
    ]
    told = [*(said[0] for said in named), *apart, *(sentence for said in named for sentence in said[1:])]
    return tuple(told[:ANSWERS_MOST])


def case_answers(
    rows: Array, columns: Sequence[str], units: Mapping[str, str] | None = None, step_word: str = "step"
) -> tuple[str, ...]:
    """The sentences of one case: first how long it burns, then one for each other column."""
    if not len(rows):
        return ("no fire yet",)
    said = []
    if "steps" in columns and "burning" in columns:
        said.append(burns_out(rows["steps"], rows["burning"], step_word))
    for column in columns:
        if column in ("steps", "burning"):
            continue
        if is_time(column):
            said.append(happens(rows[column], column, step_word))
        else:
            said.append(amounts_to(values_of(rows, column), column, (units or {}).get(column, "")))
    return tuple(said)


def burns_out(steps: Array, burning: Array, step_word: str = "step") -> str:
    """By when it is over: `burns out by turn 12 in 9 fires of 10 (11 to 13)`; what still burns at the end is told.

    steps, burning: (n,), of each fire; the interval is of the step, 95 %.
    """
    n, step_word = len(steps), step_word.lower()
    out = counted(steps[np.asarray(burning) == 0])
    over = out.n
    still = f"still burns at the end in {share(n - over, n)}" if over < n else ""
    if over < n / 2:
        return still
    if over < OFTEN * n:
        return f"burns out by {step_word} {number(of_all(out, 0.5, n))} in half of the fires, {still}"
    by = f"burns out by {step_word} {number(of_all(out, OFTEN, n))} in {share(OFTEN * 1000, 1000)}"
    low, high = quantile_ranks(n, OFTEN)
    if low and 0 < high <= over:
        by += f" (95 %: {out.at_rank(low):,.0f} to {out.at_rank(high):,.0f})"
    return f"{by}, {still}" if still else by


def of_all(some: Counted, q: float, n: int) -> float:
    """The q-quantile of n values of which those not counted are larger than all."""
    return some.at_rank(max(math.ceil(q * n - 1e-9), 1))


def happens(times: Array, column: str, step_word: str = "step") -> str:
    """How often something happens, and when: of a column of times, -1 = never (n,)."""
    n, there = len(times), counted(times[times >= 0])
    low, high = proportion_interval(there.n, n)
    said = f"{column}: happens in {share(there.n, n)} ({percents(low, high)})"
    if there.n:
        said += f", half of those by {step_word.lower()} {number(there.quantile(0.5))}"
    return said


def amounts_to(values: Array, column: str, unit: str = "") -> str:
    """An amount (n,): how often, where it is 0 or 1; else what half of the fires and 9 of 10 stay within."""
    found = counted(values)
    name = with_unit(column, unit)
    smallest, largest = float(found.values[0]), float(found.values[-1])
    if smallest == largest:
        return f"{name}: {number(largest)} in {share(found.n, found.n)}"
    if smallest == 0 and largest == 1:
        hits = int(found.counts[-1])
        low, high = proportion_interval(hits, found.n)
        return f"{name}: is 1 in {share(hits, found.n)} ({percents(low, high)})"
    half, often = number(found.quantile(0.5)), number(found.quantile(OFTEN))
    return f"{name}: at most {half} in half of the fires, at most {often} in 9 fires of 10"


def with_unit(column: str, unit: str) -> str:
    """A column with its unit, where that is known and the column does not say it."""
    said = not unit or unit.replace("-", "_") in column
    return column if said else f"{column} ({unit})"


def percents(low: Any, high: Any) -> str:
    """A share's interval in percent."""
    return f"95 %: {span(100 * float(low), 100 * float(high))} %"


def difference_words(difference: Difference, cases: Sequence[Mapping[str, Any]], unit: str = "") -> str:
    """Whether two cases differ and by how much, or how many more fires would tell."""
    names = case_names(cases)
    one, other = names[difference.case], names[difference.against]
    where = f"{with_unit(difference.column, unit)}: {one}"
    if difference.pairs < 2:
        return f"{where} and {other} cannot be compared: {difference.pairs} pairs of fires"
    between = span(difference.low, difference.high)
    if difference.decided:
        more = "more" if difference.mean > 0 else "less"
        low, high = sorted((abs(difference.low), abs(difference.high)))
        amount = f"{number(abs(difference.mean))} {more} than {other}"
        return f"{where} has {amount} (95 %: {span(low, high)}){pairing(difference.narrowed)}"
    if difference.mean == 0 and math.isnan(difference.narrowed):
        return f"{where} and {other} were equal in all {difference.pairs:,} pairs"
    said = f"{where} and {other} cannot be told apart yet (95 %: {between})"
    if difference.more is None:
        return f"{said}; if they differ, then by less than {number(max(-difference.low, difference.high))}"
    return f"{said}; about {about(2 * difference.more)} more fires would"


def pairing(narrowed: float) -> str:
    """What the pairing did for an interval, if it did anything."""
    if math.isinf(narrowed):
        return ", in every pair alike"
    return f", {narrowed:.1f} times narrower by pairing" if narrowed >= 1.05 else ""
