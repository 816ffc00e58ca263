"""Outcomes in figures: means, shares, quantiles, each with its interval, and differences between cases."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np

from firesim.studies.answers import answers, case_answers
from firesim.studies.columns import is_time, rows_of, values_of
from firesim.studies.counted import Counted, counted
from firesim.studies.intervals import counted_mean_interval, counted_quantile_interval, proportion_interval
from firesim.studies.pairs import Difference, differences
from firesim.studies.words import case_names, cut, short_names

Array = np.ndarray[Any, Any]

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)

METHODS = {
    "mean": "Student's t with Hall's correction for skewness",
    "proportion": "Wilson's score interval",
    "quantile": "order statistics, free of assumptions on the distribution",
    "difference": "pair by pair, as a mean; undecided below 6 differing pairs; of a time (..._at) over those pairs "
    "alone in which it happened in both cases",
    "narrowed": "how many times wider the interval would be if both cases had dice of their own; null where nothing "
    "varies, or the cases differ by the same in every pair",
}
"""How the intervals are made, all at 95 %."""

METHOD_LINES = (
    "95 % intervals: of means by Student's t with Hall's correction for skewness, of what is 0 or 1",
    "by Wilson's score; `-`: too few fires for one.",
)
"""What stands below the tables."""

PAIRING_LINES = (
    "pairing: how many times wider the interval would be if each case had dice of its own; `exact`: the",
    "cases differ by the same in every pair; `-`: there is nothing to narrow, or no two pairs.",
)
"""What stands below differences."""

SOME_LINES = (
    "of N: a mean over those N pairs alone in which it happened in both cases; how often it happens is",
    "no part of it.",
)
"""What stands below differences of times that some pairs lack."""

NAME_ROOM, PAIR_ROOM = 30, 20
"""Characters of a case's name in a table, and of each of two cases'."""


@dataclass(frozen=True)
class Row:
    """One outcome of one case: its mean with the 95 % interval, the standard deviation, the quantiles of `QUANTILES`.

    fires: those the figures are of. Times (`church_lit_at`) are of the fires in which the thing happened, nan when it
    never did. kind: `proportion` where every value, in all cases, is 0 or 1, else `mean`. quantile_intervals: (low,
    high) for each quantile, nan where the fires are too few.
    """

    column: str
    fires: int
    mean: float
    low: float
    high: float
    deviation: float
    quantiles: tuple[float, ...]
    kind: str = "mean"
    quantile_intervals: tuple[tuple[float, float], ...] = ()
    case: int = 0

    def as_dict(self) -> dict[str, Any]:
        """The row as plain data, None for what is undefined."""
        bounds = zip(QUANTILES, self.quantiles, self.quantile_intervals, strict=True)
        return {
            "outcome": self.column,
            "fires": self.fires,
            "kind": self.kind,
            "mean": plain(self.mean),
            "low": plain(self.low),
            "high": plain(self.high),
            "deviation": plain(self.deviation),
            "quantiles": [
                {"q": q, "value": plain(value), "low": plain(low), "high": plain(high)}
                for q, value, (low, high) in bounds
            ],
        }


@dataclass(frozen=True)
class Summary:
    """The outcomes of a study; prints as tables.

    fires: of all cases. rows: of all cases, case by case. differences: between cases. answers: sentences. by_case: for
    each case, how many fires it has and what is said of it alone.
    """

    fires: int
    rows: tuple[Row, ...]
    cases: tuple[Mapping[str, Any], ...] = ({},)
    differences: tuple[Difference, ...] = ()
    answers: tuple[str, ...] = ()
    by_case: tuple[tuple[int, tuple[str, ...]], ...] = ()

    def __getitem__(self, column: str) -> Row:
        if len(self.cases) > 1:
            raise KeyError(f"{len(self.cases)} cases have {column!r}: write summary.of(case)[{column!r}]")
        for row in self.rows:
            if row.column == column:
                return row
        raise KeyError(f"no outcome {column!r}; there are {', '.join(r.column for r in self.rows)}")

    def of(self, case: int) -> Summary:
        """The summary of one case alone, cases from 0."""
        if not 0 <= case < len(self.cases):
            raise KeyError(f"no case {case!r}; there are 0 to {len(self.cases) - 1}")
        rows = tuple(row for row in self.rows if row.case == case)
        fires, said = self.by_case[case]
        return Summary(fires, rows, (self.cases[case],), (), said, (self.by_case[case],))

    def as_dict(self) -> dict[str, Any]:
        """All of it as plain data, as `--json` prints it; None for what is undefined."""
        return {
            "fires": self.fires,
            "methods": dict(METHODS),
            "cases": [
                {"case": case, "varied": plain(dict(varied)), "fires": one.fires, "outcomes": _dicts(one.rows)}
                for case, varied in enumerate(self.cases)
                for one in (self.of(case),)
            ],
            "differences": [difference_dict(difference) for difference in self.differences],
            "answers": list(self.answers),
        }

    def __str__(self) -> str:
        tables = self._one_case() if len(self.cases) == 1 else self._many_cases()
        return "\n".join([*tables, "", *METHOD_LINES])

    def _one_case(self) -> Iterator[str]:
        wide = max(len("outcome"), *(len(r.column) for r in self.rows))
        yield f"{self.fires:,} fires"
        yield _head("outcome", wide)
        for row in self.rows:
            yield _line(row.column, wide, row, self.fires)

    def _many_cases(self) -> Iterator[str]:
        whole = case_names(self.cases)
        names = [f"{case}  {name}" for case, name in enumerate(short_names(whole, NAME_ROOM))]
        wide = max(len(word) for word in [*names, *(row.column for row in self.rows)])
        yield f"{self.fires:,} fires in {len(self.cases)} cases"
        for column in dict.fromkeys(row.column for row in self.rows):
            yield ""
            yield _head(column, wide)
            for row in self.rows:
                if row.column == column:
                    yield _line(names[row.case], wide, row, self.by_case[row.case][0])
        if self.differences:
            yield ""
            yield from self._compared()
        if any(len(name) > (PAIR_ROOM if self.differences else NAME_ROOM) for name in whole):
            yield ""
            yield "The cases in full"
            yield from (f"{case}  {name}" for case, name in enumerate(whole))

    def _compared(self) -> Iterator[str]:
        names = short_names(case_names(self.cases), PAIR_ROOM)
        pairs = [f"{d.case} - {d.against}  {names[d.case]} - {names[d.against]}" for d in self.differences]
        wide = max(len(pair) for pair in pairs)
        yield "Differences pair by pair (the same dice in both cases), 95 % intervals"
        for column, group in groupby(zip(self.differences, pairs, strict=True), key=lambda each: each[0].column):
            yield ""
            yield f"{cut(column, wide):<{wide}}  {'mean':>9}  {'95 % interval':>21}  {'pairing':>8}"
            for difference, pair in group:
                yield f"{pair:<{wide}}  {_difference_figures(difference)}"
        decided = sum(difference.decided for difference in self.differences)
        yield ""
        yield (
            f"{decided} of {len(self.differences)} differences are decided (*); where there is none, "
            "about one in twenty would seem to be."
        )
        yield from PAIRING_LINES
        if any(difference.pairs < difference.replicates for difference in self.differences):
            yield from SOME_LINES


def _head(first: str, wide: int) -> str:
    return f"{first:<{wide}}  {'mean':>9}  {'95 % interval':>21}  " + "".join(f"{f'{q:.0%}':>7}" for q in QUANTILES)


def _line(name: str, wide: int, row: Row, fires: int) -> str:
    if not row.fires:
        return f"{name:<{wide}}  {'never':>9}"
    some = f"  of {row.fires:,}" if row.fires < fires else ""
    quantiles = "".join(f" {q:>6,.0f}" for q in row.quantiles)
    return f"{name:<{wide}}  {row.mean:>9,.3f}  {_span(row.low, row.high):>21}  {quantiles}{some}"


def _span(low: float, high: float) -> str:
    return "-" if math.isnan(low) else f"{low:,.3f} to {high:,.3f}"


def _difference_figures(difference: Difference) -> str:
    some = f"  of {difference.pairs:,}" if difference.pairs < difference.replicates else ""
    if difference.pairs < 2:
        return f"{'-':>9}{some}"
    factor = difference.narrowed
    by = "-" if math.isnan(factor) else "exact" if math.isinf(factor) else f"{factor:.2f} x"
    star = " *" if difference.decided else ""
    return f"{difference.mean:>9,.3f}  {_span(difference.low, difference.high):>21}  {by:>8}{star}{some}"


def _dicts(rows: Sequence[Row]) -> list[dict[str, Any]]:
    return [row.as_dict() for row in rows]


def difference_dict(difference: Difference) -> dict[str, Any]:
    """A difference as plain data."""
    return {
        "outcome": difference.column,
        "case": difference.case,
        "against": difference.against,
        "pairs": difference.pairs,
        "replicates": difference.replicates,
        "mean": plain(difference.mean),
        "low": plain(difference.low),
        "high": plain(difference.high),
        "narrowed": plain(difference.narrowed),
        "decided": difference.decided,
    }


def plain(value: Any) -> Any:
    """A value as JSON has it: numbers of Python, lists, None for what is not finite."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    return value if value is None or isinstance(value, (bool, int, str)) else str(value)


def summarize(
    outcomes: Array,
    columns: Sequence[str],
    cases: Sequence[Mapping[str, Any]] = ({},),
    *,
    units: Mapping[str, str] | None = None,
    step_word: str = "step",
) -> Summary:
    """Figures of every column in every case, the differences between cases, and what they say.

    outcomes: structured (rows,), fields `case`, `replicate` and the columns. units: of columns, for the sentences;
    step_word: what the system calls a step.
    """
    every = tuple(cases)
    by_case = [rows_of(outcomes, case) for case in range(len(every))]
    found = {column: [counted(values_of(own, column)) for own in by_case] for column in columns}
    kinds = {column: kind_of(found[column], column) for column in columns}
    rows = tuple(
        figures(column, found[column][case], kinds[column], case) for case in range(len(every)) for column in columns
    )
    apart = differences(outcomes, columns, every)
    said = [case_answers(rows, columns, units, step_word) for rows in by_case]
    told = answers(said, every, apart, units)
    return Summary(len(outcomes), rows, every, apart, told, tuple(zip(map(len, by_case), said, strict=True)))


def kind_of(found: Sequence[Counted], column: str) -> str:
    """`proportion` where the values of all cases are 0 or 1 and it is no time, else `mean`."""
    some = [each.values for each in found if each.n]
    if is_time(column) or not some:
        return "mean"
    return "proportion" if all(values[0] >= 0 and values[-1] <= 1 for values in some) else "mean"


def figures(column: str, found: Counted, kind: str = "mean", case: int = 0) -> Row:
    """The figures of one column's values; nan for none."""
    n = found.n
    nan = float("nan")
    if not n:
        none = ((nan, nan),) * len(QUANTILES)
        return Row(column, 0, nan, nan, nan, nan, (nan,) * len(QUANTILES), kind, none, case)
    if kind == "proportion":
        low, high = proportion_interval(round(found.mean * n), n) if n > 1 else (nan, nan)
    else:
        low, high = counted_mean_interval(found, least=0.0 if found.values[0] >= 0 else None)
    quantiles = tuple(found.quantile(q) for q in QUANTILES)
    bounds = tuple((float(b.low), float(b.high)) for b in (counted_quantile_interval(found, q) for q in QUANTILES))
    return Row(column, n, found.mean, float(low), float(high), found.deviation, quantiles, kind, bounds, case)
