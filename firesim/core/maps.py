"""The rows of a map: symbols separated by blanks, with carets under those that are wrong."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import chain, islice

from firesim.core.problems import Problem, listed, nearest

CELLS_MOST = 20_000_000
"""The most cells of one map."""

OPEN = "."
"""The symbol that is open ground on every map, whatever its legend."""

PROBLEMS_MOST = 20
"""How many problems of a map's rows are told in full."""

SYMBOL = re.compile(r"\S+")
"""A symbol of a row; counted one by one, since a list of them all could fill the memory."""

_EXCERPT_WIDTH = 100


def symbols(rows: Sequence[str], legend: Collection[str] | None = None) -> tuple[list[list[str]], list[Problem]]:
    """The symbols of a map, row by row, and what is wrong with them.

    Symbols are separated by blanks; leading blanks are decoration. Problems: rows of another length than most, and,
    where a `legend` is given, symbols that are neither in it nor `.`. Each carries its row as an excerpt with carets
    under the places meant, its `where` is `("map", "rows", row)`, its `column` that of the first caret in the row's
    text (from 1). Past 20 problems the rest is counted. A map of more than 20,000,000 cells is not read at all, and
    its only problem says so.
    """
    if sum(map(len, rows)) // 2 + len(rows) > CELLS_MOST:
        cells = sum(sum(1 for _ in SYMBOL.finditer(row)) for row in rows)
        if cells > CELLS_MOST:
            expected = f"at most {CELLS_MOST:,}"
            return [], [Problem(f"the map has {cells:,} cells", expected, "cut it in parts", ("map", "rows"))]
    tokens = [row.split() for row in rows]
    if not any(tokens):
        return tokens, [Problem("the map is empty", "at least one row with a symbol in it", where=("map", "rows"))]
    found = chain(_ragged(rows, tokens), _unknown(rows, tokens, legend) if legend is not None else ())
    told = sorted(islice(found, PROBLEMS_MOST), key=lambda p: p.where[-1])
    if more := sum(1 for _ in found):
        told.append(Problem(f"{more} more problems of the map's rows are not listed", where=("map", "rows")))
    return tokens, told


def width_of(tokens: Sequence[Sequence[str]]) -> int:
    """The number of symbols that most rows have (among equals, the first such row decides)."""
    return Counter(len(row) for row in tokens).most_common(1)[0][0] if tokens else 0


def cell_name(row: int, col: int) -> str:
    """A cell as messages and stories write it: `(4, 12)`."""
    return f"({row}, {col})"


def caret_lines(text: str, columns: Collection[int]) -> str:
    """A line of text and, below it, carets at `columns` (from 0); a long line is cut to the part round the first."""
    clean = "".join(c if c.isprintable() else " " for c in text)
    start, cut = 0, _EXCERPT_WIDTH
    if len(clean) > cut:
        start = max(0, min(min(columns, default=0) - cut // 2, len(clean) - cut))
    before, after = "..." if start else "", "..." if start + cut < len(clean) else ""
    marks = [" "] * (cut + 1)
    for column in columns:
        if start <= column <= start + cut:
            marks[column - start] = "^"
    carets = " " * len(before) + "".join(marks)
    return f"  {before}{clean[start : start + cut]}{after}\n  {carets.rstrip()}"


def _ragged(rows: Sequence[str], tokens: list[list[str]]) -> Iterator[Problem]:
    """A problem for every row that is longer or shorter than most."""
    width = width_of(tokens)
    for i, (row, found) in enumerate(zip(rows, tokens, strict=True)):
        if len(found) != width:
            columns = [start for start, _ in _spans(row)][width:] or [len(row.rstrip()) + bool(found)]
            noun = "symbol" if len(found) == 1 else "symbols"
            what = f"row {i} of the map has {len(found)} {noun}"
            yield _row_problem(what, f"{width}, as most rows have", "", i, row, columns)


def _unknown(rows: Sequence[str], tokens: list[list[str]], legend: Collection[str]) -> Iterator[Problem]:
    """A problem for every row and symbol that the legend does not know."""
    known = {OPEN, *legend}
    names = [*legend, OPEN]
    for i, (row, found) in enumerate(zip(rows, tokens, strict=True)):
        strange = set(found) - known
        for symbol in sorted(strange, key=found.index) if strange else ():
            columns = [start for start, token in _spans(row) if token == symbol]
            col = found.index(symbol)
            hint = nearest(symbol, names) or f"describe '{_short(symbol)}' in [map.legend]"
            if len(symbol) > 1 and set(symbol) <= known:
                hint = "separate symbols with blanks"
            what = f"the legend has no symbol '{_short(symbol)}', at {cell_name(i, col)}"
            yield _row_problem(what, listed(names), hint, i, row, columns)


def _row_problem(what: str, expected: str, hint: str, i: int, row: str, columns: list[int]) -> Problem:
    excerpt = caret_lines(row, columns)
    return Problem(what, expected, hint, ("map", "rows", i), column=columns[0] + 1, excerpt=excerpt)


def _spans(row: str) -> Iterator[tuple[int, str]]:
    """Each symbol of a row with the place where it starts."""
    at = 0
    for token in row.split():
        at = row.index(token, at)
        yield at, token
        at += len(token)


def _short(symbol: str) -> str:
    return symbol if len(symbol) <= 20 else symbol[:17] + "..."
