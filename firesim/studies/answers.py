"""Answers in words: what the figures of a study say, for whatever system."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from firesim.studies.columns import is_time, values_of
from firesim.studies.intervals import proportion_interval, quantile_interval
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
    out = np.sort(np.where(np.asarray(burning) > 0, np.inf, np.asarray(steps, np.float64)))
    over = int(np.count_nonzero(np.isfinite(out)))
    still = f"still burns at the end in {share(n - over, n)}" if over < n else ""
    if over < OFTEN * n:
        if over < n / 2:
            return still
        by = f"burns out by {step_word} {number(quantile(out, 0.5))} in half of the fires"
        return f"{by}, {still}"
    by = f"burns out by {step_word} {number(quantile(out, OFTEN))} in {share(OFTEN * 1000, 1000)}"
    low, high = (float(bound) for bound in quantile_interval(out, OFTEN))
    if math.isfinite(low) and math.isfinite(high):
        by += f" (95 %: {low:,.0f} to {high:,.0f})"
    return f"{by}, {still}" if still else by


def happens(times: Array, column: str, step_word: str = "step") -> str:
    """How often something happens, and when: of a column of times, -1 = never (n,)."""
    step_word = step_word.lower()
    n, there = len(times), np.sort(times[times >= 0].astype(np.float64))
    low, high = proportion_interval(len(there), n)
    said = f"{column}: happens in {share(len(there), n)} ({percents(low, high)})"
    if len(there):
        said += f", half of those by {step_word} {number(quantile(there, 0.5))}"
    return said


def amounts_to(values: Array, column: str, unit: str = "") -> str:
    """An amount (n,): how often, where it is 0 or 1; else what half of the fires and 9 of 10 stay within."""
    n = len(values)
    name = with_unit(column, unit)
    smallest, largest = float(values.min()), float(values.max())
    if smallest == largest:
        return f"{name}: {number(largest)} in {share(n, n)}"
    if smallest >= 0 and largest <= 1:
        hits = int(np.count_nonzero(values))
        low, high = proportion_interval(hits, n)
        return f"{name}: is 1 in {share(hits, n)} ({percents(low, high)})"
    ascending = np.sort(values)
    half, often = quantile(ascending, 0.5), quantile(ascending, OFTEN)
    return f"{name}: at most {number(half)} in half of the fires, at most {number(often)} in 9 fires of 10"


def with_unit(column: str, unit: str) -> str:
    """A column with its unit, where that is known and the column does not say it."""
    said = not unit or unit.replace("-", "_") in column
    return column if said else f"{column} ({unit})"


def percents(low: Any, high: Any) -> str:
    """A share's interval in percent."""
    return f"95 %: {span(100 * float(low), 100 * float(high))} %"


def quantile(ascending: Array, q: float) -> float:
    """The lowest of ascending values that a share q does not exceed."""
    return float(ascending[max(math.ceil(q * len(ascending) - 1e-9) - 1, 0)])


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
