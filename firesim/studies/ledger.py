"""The ledger of a study under way: a place for every outcome row, the maps, and which fires are still to burn."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from firesim.core.problems import InputError, Problem
from firesim.studies.blocks import Burnt
from firesim.studies.plan import Plan
from firesim.studies.tally import Array, Maps

MISSING, DONE, FAILED = range(3)


class Ledger:
    """Rows by case and replicate. `marks` (case, replicate): missing, done or failed; `maps`: case by case."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.type = row_type(plan)
        self.rows: Array = np.zeros((len(plan.cases), 0), self.type)
        self.marks: Array = np.zeros((len(plan.cases), 0), np.uint8)
        self.maps: list[Maps | None] = [None] * len(plan.cases)
        self.failures: dict[tuple[int, int], str] = {}
        self.done = self.failed = 0
        self._headlines: dict[tuple[int, str], list[float]] = {}

    @property
    def replicates(self) -> int:
        """Of how many replicates of each case there is a place."""
        return int(self.marks.shape[1])

    def make_room(self, replicates: int) -> None:
        """Places for so many replicates of each case. InputError where they do not fit into memory."""
        more = replicates - self.replicates
        if more <= 0:
            return
        cases = len(self.plan.cases)
        check_memory(cases * replicates * (self.type.itemsize + 1), f"{cases * replicates:,} outcome rows")
        rows = np.zeros((cases, replicates), self.type)
        rows[:, : self.replicates] = self.rows
        new = rows[:, self.replicates :]
        new["case"] = np.arange(cases)[:, None]
        new["replicate"] = self.plan.first_replicate + np.arange(self.replicates, replicates)
        for key, field in varied_fields(self.plan).items():
            if field not in (self.type.names or ()):
                continue
            for place, case in enumerate(self.plan.cases):
                new[field][place] = as_field(case.values.get(key), self.type[field])
        self.marks = np.concatenate([self.marks, np.zeros((cases, more), np.uint8)], axis=1)
        self.rows = rows

    def missing(self, replicates: int, failed_too: bool = False) -> Iterator[tuple[int, int, int]]:
        """Runs of fires still to burn up to so many replicates: case, first replicate, how many; in key order."""
        for case in range(len(self.plan.cases)):
            marks = self.marks[case, :replicates]
            wanted = (marks == MISSING) | (marks == FAILED) if failed_too else marks == MISSING
            edges = np.flatnonzero(np.diff(wanted, prepend=False, append=False))
            for first, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
                yield case, self.plan.first_replicate + first, end - first

    def take(self, burnt: Burnt) -> None:
        """Take in a piece that was burnt."""
        piece = burnt.piece
        place = piece.first - self.plan.first_replicate
        failed = np.array([r - piece.first for r in burnt.failed], int)
        marks = np.full(piece.count, DONE, np.uint8)
        marks[failed] = FAILED
        values = {c: burnt.rows[:, i] for i, c in enumerate(burnt.columns) if c in self.plan.columns}
        self.set_rows(piece.case, place, marks, values)
        self.failures.update({(piece.case, r): error for r, error in burnt.failed.items()})
        if self.plan.keep:
            self.maps_of(piece.case).add(burnt.maps)

    def set_rows(self, case: int, place: int, marks: Array, values: dict[str, Array]) -> None:
        """Write consecutive rows of a case, from a place on."""
        span = slice(place, place + len(marks))
        old = self.marks[case, span]
        self.done += int(np.count_nonzero(marks == DONE)) - int(np.count_nonzero(old == DONE))
        self.failed += int(np.count_nonzero(marks == FAILED)) - int(np.count_nonzero(old == FAILED))
        for replicate in np.flatnonzero(old == FAILED).tolist():
            self.failures.pop((case, self.plan.first_replicate + place + replicate), None)
        self.marks[case, span] = marks
        sound = marks == DONE
        for column, numbers in values.items():
            self.rows[column][case, span] = numbers
            figures = self._headlines.setdefault((case, column), [0, 0.0, 0.0])
            happened = numbers[sound & (numbers >= 0)].astype(float)
            figures[0] += len(happened)
            figures[1] += float(happened.sum())
            figures[2] += float((happened * happened).sum())

    def maps_of(self, case: int) -> Maps:
        """The maps of a case."""
        found = self.maps[case]
        if found is None:
            cells = int(np.prod(self.plan.shape(case))) + 1 if "maps" in self.plan.keep else 0
            found = self.maps[case] = Maps.empty(len(self.plan.prepared(0).system.records), cells)
        return found

    def mean(self, case: int, column: str) -> tuple[float, float]:
        """Mean of an outcome so far, and half the width of its 95 % interval (the normal one)."""
        n, total, squares = self._headlines.get((case, column), [0, 0.0, 0.0])
        if n < 2:
            return float("nan"), float("nan")
        mean = total / n
        return mean, 1.96 * float(np.sqrt(max(squares / n - mean * mean, 0.0) / (n - 1)))

    def outcomes(self, replicates: int) -> Array:
        """The rows of fires that did not fail, in key order: one for each (case, replicate)."""
        rows, marks = self.rows[:, :replicates], self.marks[:, :replicates]
        if (marks == DONE).all():
            return np.ascontiguousarray(rows).reshape(-1)
        return np.asarray(rows[marks == DONE])

    def first_error(self) -> str:
        """The error of the first fire that failed."""
        return self.failures[min(self.failures)] if self.failures else ""


def varied_fields(plan: Plan) -> dict[str, str]:
    """By varied key the name of its field in the rows; a key that is called like a column gets `varied.` before it."""
    taken = {"case", "replicate", *plan.columns}
    return {key: f"varied.{key}" if key in taken else key for key in plan.keys}


def row_type(plan: Plan) -> np.dtype[Any]:
    """The type of the outcome rows: case, replicate, what varies, the outcome columns."""
    varied = [(f, field_type(case.values.get(key) for case in plan.cases)) for key, f in varied_fields(plan).items()]
    if len(plan.cases) == 1:
        varied = []
    columns = [(column, np.int64) for column in plan.columns]
    return np.dtype([("case", np.int64), ("replicate", np.int64), *varied, *columns])


def field_type(values: Iterable[Any]) -> Any:
    """The type that holds all values: truth, whole numbers, numbers, else texts."""
    found = list(values)
    if all(isinstance(v, bool) for v in found):
        return np.bool_
    if all(isinstance(v, int) and not isinstance(v, bool) for v in found):
        return np.int64
    if all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in found):
        return np.float64
    return f"U{max(1, *(len(as_text(v)) for v in found))}"


def as_field(value: Any, kind: np.dtype[Any]) -> Any:
    """A value as its field holds it."""
    return as_text(value) if kind.kind == "U" else value


def as_text(value: Any) -> str:
    """A value in letters: texts as they are, all else as in TOML, nearly."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def check_memory(size: int, what: str) -> None:
    """InputError for what is larger than the machine's memory."""
    try:
        there = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return
    if size > there:
        problem = f"{what} take {size / 2**30:,.0f} GiB of memory, and there are {there / 2**30:,.0f}"
        raise InputError(Problem(problem, "a study that fits", "take fewer replicates or cases"))
