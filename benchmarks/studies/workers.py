"""Workers: a study of six cases of riverside into a folder, on one thread and on two."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.harness import DisagreementError, Row, Settings, load, side_by_side
from benchmarks.town.workers import RIVERSIDE
from firesim.api import study

SEED = 24
VARY = {"tables.material.light": [0, 1, 2], "weather.wind": ["none", "E"]}
FIRES_EACH = 10
"""Riverside's fires are small: so many of each case are burnt for each one asked for."""


def measure(settings: Settings) -> list[Row]:
    """How many times as fast two workers are."""
    replicates = FIRES_EACH * settings.fires

    def burn(workers: int) -> np.ndarray:
        with tempfile.TemporaryDirectory() as folder:
            return study(
                RIVERSIDE, replicates, seed=SEED, vary=VARY, workers=workers, out=Path(folder) / "study"
            ).outcomes

    if (burn(1) != burn(2)).any():
        raise DisagreementError("two workers do not burn the fires of one")
    busy = load()
    timings = side_by_side({str(w): lambda w=w: burn(w) for w in (1, 2)}, settings.rounds, time.perf_counter)
    note = f"6 cases of {replicates:,} fires, exports and all; load average before: {busy[0] if busy else 'unknown'}"
    return [timings.ratio("workers", "a study on 1 thread over one on 2", "1", "2", note=note)]
