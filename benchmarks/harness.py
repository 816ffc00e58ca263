"""What every benchmark shares: rows of ratios, side-by-side timing, agreement of means, the machine, the report."""

from __future__ import annotations

import gc
import importlib.metadata
import importlib.util
import json
import os
import platform
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent
"""The folder of the benchmarks."""

ERRORS_MOST = 4.0
"""Means of two programs that play the same rules may differ by so many standard errors."""

LIBRARIES = ("numpy", "numba", "llvmlite", "pydantic", "jax", "mesa", "taichi")
"""Whose versions a report tells, where they are installed."""


def groups() -> list[str]:
    """Folders that hold benchmarks."""
    return sorted(path.parent.name for path in HERE.glob("*/__init__.py"))


class NoPlaceError(Exception):
    """Nothing can be written into a folder; the message says why."""


def place_to_write(folder: Path, names: Iterable[str] = ()) -> None:
    """Make a folder where it is not there. NoPlaceError where that fails, or where nothing can be written into it.

    names: of files that are to be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except FileExistsError as error:
        raise NoPlaceError(f"{folder}: this is a file: expected a folder to write into") from error
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise NoPlaceError(f"{folder}: nothing can be written there: {reason}: expected a folder") from error
    for path in (folder / name for name in names):
        if path.is_dir():
            raise NoPlaceError(f"{path}: this is a folder: expected the name of a file to write")


@dataclass(frozen=True)
class Settings:
    """What the command line says: how many fires a round burns, how many rounds are timed."""

    fires: int = 1000
    rounds: int = 5


@dataclass(frozen=True)
class Row:
    """One line of the report. low, high: the extremes over the rounds, empty when it was measured once."""

    benchmark: str
    what: str
    value: float
    unit: str
    low: float | None = None
    high: float | None = None
    note: str = ""


@dataclass
class Timings:
    """Seconds of every contestant, round by round; round i of all of them ran one after another."""

    seconds: dict[str, list[float]] = field(default_factory=dict)

    def ratio(
        self, benchmark: str, what: str, slow: str, fast: str, note: str = "", counts: tuple[float, float] = (1, 1)
    ) -> Row:
        """How many times as long `slow` took as `fast`: the median over the rounds.

        counts: how many pieces of work each did in a round; the ratio is that of one piece.
        """
        times = zip(self.seconds[slow], self.seconds[fast], strict=True)
        ratios = [(s / counts[0]) / (f / counts[1]) for s, f in times]
        return Row(benchmark, what, median(ratios), "times", min(ratios), max(ratios), note)

    def per(
        self, benchmark: str, what: str, name: str, count: float, unit: str, factor: float = 1.0, note: str = ""
    ) -> Row:
        """Time for one of `count` pieces of work, in `unit`, of which a second has `factor`."""
        each = [factor * s / count for s in self.seconds[name]]
        return Row(benchmark, what, median(each), unit, min(each), max(each), note)


def side_by_side(
    contestants: Mapping[str, Callable[[], object]],
    rounds: int,
    clock: Callable[[], float] = time.process_time,
    before: Mapping[str, Callable[[], object]] | None = None,
) -> Timings:
    """Time the contestants in turn, `rounds` times, garbage collected before each and not during it.

    Each runs once beforehand, so that nothing is compiled or loaded while the clock runs. clock: processor time of
    all threads of this process, which other programs on the machine disturb least, or `time.perf_counter`. before:
    what a contestant does each time before the clock runs.
    """
    first = dict(before or {})
    for name, work in contestants.items():
        first.get(name, nothing)()
        work()
    timings = Timings({name: [] for name in contestants})
    for round_ in range(rounds):
        order = list(contestants) if round_ % 2 == 0 else list(reversed(contestants))
        for name in order:
            gc.collect()
            first.get(name, nothing)()
            gc.disable()
            try:
                began = clock()
                contestants[name]()
                timings.seconds[name].append(clock() - began)
            finally:
                gc.enable()
    return timings


def nothing() -> None:
    """What most contestants do before the clock runs."""


def installed(library: str, what: str) -> bool:
    """Whether a library is there that only a benchmark needs; where it is not, a line says what is not measured."""
    if importlib.util.find_spec(library) is None:
        print(f"not measured: {what}: {library} is not installed (pip install 'firesim[bench]')", flush=True)
        return False
    return True


class DisagreementError(Exception):
    """Two programs do not play the same rules: a ratio of their times would mean nothing."""


def check_same_means(peer: str, ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> None:
    """Raise DisagreementError unless every mean lies within four standard errors of the difference.

    ours, theirs: outcomes by name, one figure per fire.
    """
    wrong = []
    for name, mine in ours.items():
        a, b = np.asarray(mine, float), np.asarray(theirs[name], float)
        error = float(np.sqrt(a.var(ddof=1) / len(a) + b.var(ddof=1) / len(b)))
        if not abs(a.mean() - b.mean()) <= ERRORS_MOST * error:
            wrong.append(f"{name}: {a.mean():.4f} and {b.mean():.4f}, standard error {error:.4f}")
    if wrong:
        raise DisagreementError(f"{peer} does not burn the same fires as firesim: " + "; ".join(wrong))


def processor() -> str:
    """The processor's name, as far as the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    return next(
        (line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.processor()
    )


def load() -> list[float]:
    """Load averages of 1, 5 and 15 minutes, where the system has them."""
    return [round(x, 2) for x in os.getloadavg()] if hasattr(os, "getloadavg") else []


def circumstances() -> dict[str, Any]:
    """Date, machine and versions."""
    return {
        "date": datetime.now().astimezone().isoformat(timespec="seconds"),
        "machine": f"{processor()}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        **{name: importlib.metadata.version(name) for name in LIBRARIES if importlib.util.find_spec(name)},
    }


def table(rows: list[Row]) -> str:
    """Rows as a Markdown table."""
    lines = ["| Benchmark | What | Median | Range | Note |", "|---|---|---:|---|---|"]
    for row in rows:
        span = "" if row.low is None or row.high is None else f"{figure(row.low)} to {figure(row.high)}"
        lines.append(f"| {row.benchmark} | {row.what} | {figure(row.value)} {row.unit} | {span} | {row.note} |")
    return "\n".join(lines)


def figure(value: float) -> str:
    """Three figures, and no fewer than the whole part has."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


class Report:
    """Rows as they come in, printed at once, and written with their circumstances in the end."""

    def __init__(self, group: str, settings: Settings) -> None:
        self.group, self.settings, self.rows = group, settings, list[Row]()
        self.circumstances = circumstances() | {"load before": load()}

    def add(self, rows: Iterable[Row]) -> None:
        """Take rows in and print each as it comes."""
        for row in rows:
            self.rows.append(row)
            span = "" if row.low is None or row.high is None else f"  ({figure(row.low)} to {figure(row.high)})"
            print(f"{row.benchmark:<11} {row.what:<62} {figure(row.value):>8} {row.unit}{span}", flush=True)

    def write(self, folder: Path) -> tuple[Path, Path]:
        """JSON and Markdown files named by group and date."""
        self.circumstances["load after"] = load()
        place_to_write(folder)
        stem = f"{self.group}-{self.circumstances['date'][:19].replace(':', '')}"
        told = {
            "group": self.group,
            "settings": asdict(self.settings),
            **self.circumstances,
            "rows": [asdict(row) for row in self.rows],
        }
        as_json, as_text = folder / f"{stem}.json", folder / f"{stem}.md"
        as_json.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
        heads = [f"- {name}: {value}" for name, value in {**asdict(self.settings), **self.circumstances}.items()]
        text = f"# Benchmarks: {self.group}\n\n" + "\n".join(heads) + f"\n\n{table(self.rows)}\n"
        as_text.write_text(text, encoding="utf-8")
        return as_json, as_text


def python() -> str:
    """The interpreter that runs the benchmarks."""
    return sys.executable
