"""Reports read again: each checked to be one, and of each benchmark the newest."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, ValidationError, model_validator

from benchmarks.harness import Row, groups

Words = Annotated[str, Field(min_length=1)]


class NoReportError(Exception):
    """A file or folder that holds no report; the message says what was expected."""


class RowRead(BaseModel):
    """A row as it must stand in a report."""

    model_config = ConfigDict(strict=True, extra="forbid")

    benchmark: Words
    what: Words
    value: FiniteFloat
    unit: str
    low: FiniteFloat | None = None
    high: FiniteFloat | None = None
    note: str = ""

    @model_validator(mode="after")
    def in_order(self) -> RowRead:
        """The value lies between the extremes, and a ratio is above 0."""
        low = self.value if self.low is None else self.low
        high = self.value if self.high is None else self.high
        if (self.low is None) != (self.high is None) or not low <= self.value <= high:
            raise ValueError("low, value and high are not in this order")
        if self.unit == "times" and low <= 0:
            raise ValueError("a ratio is above 0")
        return self


class SettingsRead(BaseModel):
    """The settings as they must stand in a report."""

    model_config = ConfigDict(strict=True, extra="forbid")

    fires: Annotated[int, Field(ge=1)]
    rounds: Annotated[int, Field(ge=1)]


class ReportRead(BaseModel):
    """What a report must have; it may tell more of the circumstances."""

    model_config = ConfigDict(strict=True, extra="allow")

    group: Words
    settings: SettingsRead
    date: str
    rows: list[RowRead]

    @model_validator(mode="after")
    def of_a_group_and_a_time(self) -> ReportRead:
        """The group is one of ours, the date one with its time zone."""
        if self.group not in groups():
            raise ValueError(f"no group {self.group}")
        if datetime.fromisoformat(self.date).tzinfo is None:
            raise ValueError("the date has no time zone")
        return self


@dataclass(frozen=True)
class Measured:
    """The rows of one benchmark of a group and the circumstances in which they were measured."""

    group: str
    benchmark: str
    rows: list[Row]
    report: dict[str, Any]


def reports_in(paths: list[Path]) -> list[dict[str, Any]]:
    """The reports in these files and folders. NoReportError where there is none, or where a file is none."""
    files = [file for path in paths for file in (sorted(path.glob("*.json")) if path.is_dir() else [path])]
    where = ", ".join(map(str, paths))
    if not files:
        raise NoReportError(f"{where}: no report: expected JSON files that python -m benchmarks GROUP has written")
    reports = [report_of(file) for file in files]
    if not any(report["rows"] for report in reports):
        raise NoReportError(f"{where}: not a report of anything: expected one in which something was measured")
    return reports


def report_of(file: Path) -> dict[str, Any]:
    """One report. NoReportError when the file is none."""
    expected = "expected what python -m benchmarks GROUP has written"
    try:
        text = file.read_text(encoding="utf-8")
        read = ReportRead.model_validate_json(text)
        return json.loads(text) | {"rows": [Row(**row.model_dump()) for row in read.rows]}
    except OSError as error:
        raise NoReportError(f"{file}: {error.strerror}: {expected}") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        message = first["msg"].removeprefix("Value error, ")
        what = f"{place}: {message}" if place else message
        raise NoReportError(f"{file}: not a report ({what}): {expected}") from error
    except ValueError as error:
        raise NoReportError(f"{file}: not a report: {expected}") from error


def newest(reports: list[dict[str, Any]]) -> list[Measured]:
    """Of each benchmark of each group what was measured last, groups and benchmarks in the order of their names."""
    found: dict[tuple[str, str], Measured] = {}
    for report in sorted(reports, key=lambda report: datetime.fromisoformat(report["date"])):
        for name in dict.fromkeys(row.benchmark for row in report["rows"]):
            rows = [row for row in report["rows"] if row.benchmark == name]
            found[report["group"], name] = Measured(report["group"], name, rows, report)
    return [found[key] for key in sorted(found)]
