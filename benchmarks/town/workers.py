"""Workers: a study of the shipped riverside village on one thread and on two, its set-up apart."""

from __future__ import annotations

import time
from pathlib import Path

from benchmarks.harness import DisagreementError, Row, Settings, load, side_by_side
from firesim.api import load as load_scenario
from firesim.api import prepared
from firesim.studies.study import burn

RIVERSIDE = Path(__file__).resolve().parents[2] / "maps" / "riverside.toml"
SEED = 22
FIRES_EACH = 100
"""Riverside's fires are small: so many are burnt for each one asked for."""


def measure(settings: Settings) -> list[Row]:
    """How many times as fast two workers are."""
    ready = prepared(load_scenario(RIVERSIDE))
    fires = FIRES_EACH * settings.fires
    one, two = (burn(ready, SEED, 0, min(fires, 2000), workers=w).outcomes for w in (1, 2))
    if (one != two).any():
        raise DisagreementError("two workers do not burn the fires of one")
    busy = load()
    timings = side_by_side(
        {w: lambda w=w: burn(ready, SEED, 0, fires, workers=int(w)) for w in ("1", "2")},
        settings.rounds,
        time.perf_counter,
    )
    note = f"{fires:,} fires of riverside; load average before: {busy[0] if busy else 'unknown'}"
    return [
        timings.ratio("workers", "a study on 1 thread over one on 2", "1", "2", note=note),
        timings.per("workers", "a fire on 1 thread", "1", fires, "us", 1e6),
        timings.per("workers", "a fire on 2 threads", "2", fires, "us", 1e6),
    ]
