"""Outcomes in figures: means, quantiles, each mean with its interval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

NORMAL_975 = 1.959963984540054
"""The 97.5 % point of the normal distribution."""

NEVER_BELOW_0 = "_at"
"""Columns with this ending are times, -1 where the thing never happened."""

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True)
class Row:
    """One outcome: its mean with the 95 % interval, the standard deviation, and the quantiles of `QUANTILES`.

    fires: those the figures are of. Times (`church_lit_at`) are of the fires in which the thing happened, nan when it
    never did.
    """

    column: str
    fires: int
    mean: float
    low: float
    high: float
    deviation: float
    quantiles: tuple[float, ...]


@dataclass(frozen=True)
class Summary:
    """The outcomes of a study; prints as a table."""

    fires: int
    rows: tuple[Row, ...]

    def __getitem__(self, column: str) -> Row:
        for row in self.rows:
            if row.column == column:
                return row
        raise KeyError(f"no outcome {column!r}; there are {', '.join(r.column for r in self.rows)}")

    def __str__(self) -> str:
        wide = max(len(r.column) for r in self.rows)
        head = f"{'outcome':<{wide}}  {'mean':>9}  {'95 % interval':>21}  "
        lines = [f"{self.fires:,} fires", head + "".join(f"{f'{q:.0%}':>8}" for q in QUANTILES)]
        for r in self.rows:
            if not r.fires:
                lines.append(f"{r.column:<{wide}}  {'never':>9}")
                continue
            span = f"{r.low:.3f} to {r.high:.3f}" if r.fires > 1 else "-"
            quantiles = "".join(f"{q:>8.0f}" for q in r.quantiles)
            some = f"  of {r.fires:,} fires" if r.fires < self.fires else ""
            lines.append(f"{r.column:<{wide}}  {r.mean:>9.3f}  {span:>21}  {quantiles}{some}")
        return "\n".join(lines)


def summarize(outcomes: np.ndarray[Any, Any], columns: tuple[str, ...]) -> Summary:
    """Figures of every column; see `interval`."""
    rows = []
    for column in columns:
        values = outcomes[column].astype(float)
        rows.append(figures(column, values[values >= 0] if column.endswith(NEVER_BELOW_0) else values))
    return Summary(len(outcomes), tuple(rows))


def figures(column: str, values: np.ndarray[Any, Any]) -> Row:
    """The figures of one column's values; nan for none."""
    if not len(values):
        nan = float("nan")
        return Row(column, 0, nan, nan, nan, nan, (nan,) * len(QUANTILES))
    mean, deviation = float(values.mean()), float(values.std(ddof=1)) if len(values) > 1 else 0.0
    low, high = interval(values, mean, deviation)
    quantiles = tuple(float(q) for q in np.quantile(values, QUANTILES, method="inverted_cdf"))
    return Row(column, len(values), mean, low, high, deviation, quantiles)


def interval(values: np.ndarray[Any, Any], mean: float, deviation: float) -> tuple[float, float]:
    """The 95 % interval of a mean: Wilson's where all values are 0 or 1, else the normal one; nan for one value."""
    n = len(values)
    if n < 2:
        return float("nan"), float("nan")
    if np.isin(values, (0.0, 1.0)).all():
        z2 = NORMAL_975**2
        centre = (mean + z2 / (2 * n)) / (1 + z2 / n)
        half = NORMAL_975 * float(np.sqrt(mean * (1 - mean) / n + z2 / (4 * n * n))) / (1 + z2 / n)
        return max(0.0, centre - half), min(1.0, centre + half)
    half = NORMAL_975 * deviation / float(np.sqrt(n))
    return mean - half, mean + half
