"""What a study would take: how many fires, how long, how large; from a short trial."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Any

import numpy as np

from firesim.rules.base import Prepared
from firesim.studies.blocks import Burnt, Piece, Worker
from firesim.studies.plan import Plan

TRIAL_SECONDS = 1.0
CASES_TRIED = 8

FIRES_LEAST, SECONDS_ENOUGH = 10, 1.0
"""Fires of each case tried, unless they take longer than so many seconds."""

DISK_AT_LEAST = 40_000


@dataclass(frozen=True)
class Forecast:
    """A study's size.

    seconds: to burn what is missing, on so many workers that are of use. disk, memory: bytes, of all fires, memory of
    those that burn at once too. tried: fires of the trial. there: fires that the study's folder holds already.
    stopped: what the stopping rule said of them where it ended the study; then these are all.
    """

    cases: int
    replicates: int
    fires: int
    seconds: float
    workers: int
    disk: int
    memory: float
    tried: int
    at_most: bool
    there: int = 0
    stopped: str = ""

    def __str__(self) -> str:
        most = "at most " if self.at_most else ""
        cases = f"{self.cases:,} case{'s' * (self.cases > 1)} of {self.replicates:,} fires: " if self.cases > 1 else ""
        time = (
            f"time    {most}about {duration(self.seconds)} of burning on {self.workers} "
            f"worker{'s' * (self.workers > 1)} (from a trial of {self.tried:,} fires)"
        )
        return "\n".join(
            [
                f"{cases}{most}{self.fires:,} fires{self._there}",
                time if self.left else f"time    none to burn{f': {self.stopped}' * bool(self.stopped)}",
                f"disk    {most}about {size(self.disk)} in a study folder, exports included",
                f"memory  {most}about {size(self.memory)} for outcome rows, maps and the fires under way",
            ]
        )

    @property
    def left(self) -> int:
        """How many fires are still to burn, at most."""
        return self.fires - self.there

    @property
    def _there(self) -> str:
        if not self.there:
            return ""
        if not self.left:
            return f"; all {self.fires:,} are there; 0 to burn"
        return f"; {self.there:,} are there; {'at most ' if self.at_most else ''}{self.left:,} to burn"

    def as_dict(self) -> dict[str, Any]:
        """As plain data."""
        return self.__dict__ | {"left": self.left}


def forecast(plan: Plan, workers: int, there: int = 0, stopped: str = "") -> Forecast:
    """Burn a few fires of a few cases, spread evenly, and reckon.

    there: fires that need not be burnt any more. stopped: what the stopping rule said of these, where it ended there.
    """
    tried_cases = sorted({round(i) for i in np.linspace(0, len(plan.cases) - 1, min(CASES_TRIED, len(plan.cases)))})
    warm_up(plan, tried_cases[0])
    per_fire, row_bytes, map_bytes, tried = [], [], [], 0
    for case in tried_cases:
        burnt, fires, seconds = trial(plan, case, TRIAL_SECONDS / len(tried_cases))
        tried += fires
        per_fire.append(seconds / fires)
        row_bytes.append(bytes_of_rows(burnt) + bytes_of_csv(burnt))
        map_bytes.append(3 * len(burnt.maps.packed()) if plan.keep else 0)
    ready = plan.prepared(0)
    width = 8 * (2 + len(plan.keys) + len(plan.columns))
    maps = maps_bytes(ready) * len(plan.cases) if plan.keep else 0
    fires = there if stopped else plan.fires
    at_once = max(1, min(workers, fires - there))
    under_way = at_once * (maps_bytes(ready) + sum(array.nbytes for array in ready.first))
    disk = fires * float(np.mean(row_bytes)) + len(plan.cases) * float(np.mean(map_bytes)) + DISK_AT_LEAST
    return Forecast(
        len(plan.cases), fires // len(plan.cases), fires, (fires - there) * float(np.mean(per_fire)) / at_once,
        at_once, round(disk), fires * width + maps + under_way, tried,
        not stopped and (plan.until is not None or plan.until_decided is not None), there, stopped,
    )  # fmt: skip


def maps_bytes(ready: Prepared) -> int:
    """What counts and sums of one case take."""
    return 16 * len(ready.system.records) * int(np.prod(ready.shape))


def warm_up(plan: Plan, case: int) -> None:
    """Burn one fire of which no time is taken: the first of a process loads the kernels, which may last a second."""
    Worker(plan.prepared(case), plan.seed).burn_piece(Piece(case, "", plan.first_replicate, 1))


def trial(plan: Plan, case: int, seconds: float) -> tuple[Burnt, int, float]:
    """Burn for about so long, twice as many fires each time; the last burst, all fires burnt, and how long they took.

    Each case burns `FIRES_LEAST` fires whatever the time, short of `SECONDS_ENOUGH`: one or two would tell nothing of
    the others.
    """
    worker = Worker(plan.prepared(case), plan.seed)
    burst, fires, spent = 1, 0, 0.0
    while True:
        burnt = worker.burn_piece(Piece(case, "", plan.first_replicate, burst))
        fires, spent = fires + burst, spent + burnt.seconds
        enough = fires >= FIRES_LEAST or spent >= SECONDS_ENOUGH
        if burst >= plan.replicates or (enough and spent + 2 * burnt.seconds > seconds):
            return burnt, fires, spent
        burst = min(2 * burst, plan.replicates)


def bytes_of_rows(burnt: Burnt) -> float:
    """What a row takes in SQLite."""
    connection = sqlite3.connect(":memory:")
    try:
        names = ", ".join(f"c{i}" for i in range(2 + burnt.rows.shape[1]))
        connection.execute(f"CREATE TABLE fires ({names}, PRIMARY KEY (c0, c1)) WITHOUT ROWID")
        marks = ",".join("?" * (2 + burnt.rows.shape[1]))
        rows = burnt.rows[np.arange(2000) % len(burnt.rows)].tolist()
        connection.executemany(f"INSERT INTO fires VALUES ({marks})", [(0, i, *row) for i, row in enumerate(rows)])
        pages, page = (connection.execute(f"PRAGMA {word}").fetchone()[0] for word in ("page_count", "page_size"))
        return float(pages * page / len(rows))
    finally:
        connection.close()


def bytes_of_csv(burnt: Burnt) -> float:
    """What a row takes in a CSV file."""
    return float(np.mean([len(",".join(map(str, row))) for row in burnt.rows[:500].tolist()])) + 12


def duration(seconds: float) -> str:
    """Seconds in the words a person would use."""
    for unit, size_ in (("days", 86_400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * size_:
            return f"{seconds / size_:.0f} {unit}"
    return f"{seconds:.0f} seconds" if seconds >= 2 else f"{max(seconds, 0.1):.1f} seconds"


def size(count: float) -> str:
    """Bytes in the words a person would use."""
    for unit, power in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6)):
        if count >= power:
            return f"{count / power:.1f} {unit}"
    return f"{count / 1000:.0f} kB"
