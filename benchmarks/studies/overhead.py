"""Overhead: a study of riverside over the bare kernel that burns the same fires, in memory and into a folder."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.harness import DisagreementError, Row, Settings, side_by_side
from benchmarks.town.workers import RIVERSIDE
from firesim.api import load, prepared, study
from firesim.core.fields import copied
from firesim.play import burn_block
from firesim.studies.blocks import BLOCK_SECONDS
from firesim.studies.tally import Maps

SEED = 23
BLOCKS = 3
"""Each contestant burns about so many blocks of a second."""


def measure(settings: Settings) -> list[Row]:
    """Time of a study on one thread over that of one loop over its blocks; blocks of one second."""
    ready = prepared(load(RIVERSIDE))
    block = fires_a_second(ready)
    fires = BLOCKS * block

    def bare() -> np.ndarray:
        state, maps = copied(ready.first), Maps.blank(ready)
        rows = [
            burn_block(ready, state, SEED, first, block, maps.counts, maps.sums, maps.curves)
            for first in range(0, fires, block)
        ]
        return np.concatenate(rows)

    def in_memory() -> np.ndarray:
        return study(RIVERSIDE, fires, seed=SEED, workers=1).outcomes

    def into_folder() -> np.ndarray:
        with tempfile.TemporaryDirectory() as folder:
            return study(RIVERSIDE, fires, seed=SEED, workers=1, out=Path(folder) / "study").outcomes

    rows = bare()
    for outcomes in (in_memory(), into_folder()):
        if not all(np.array_equal(outcomes[c], rows[:, i]) for i, c in enumerate(ready.columns)):
            raise DisagreementError("a study does not burn the fires of the bare kernel")
    timings = side_by_side(
        {"bare": bare, "memory": in_memory, "folder": into_folder}, settings.rounds, time.process_time
    )
    note = f"{fires:,} fires of riverside, blocks of about {BLOCK_SECONDS} s"
    return [
        timings.ratio("overhead", "a study in memory over the bare kernel", "memory", "bare", note),
        timings.ratio("overhead", "a study into a folder, exports and all, over the kernel", "folder", "bare", note),
        timings.per("overhead", "a fire of the bare kernel", "bare", fires, "us", 1e6),
    ]


def fires_a_second(ready: object) -> int:
    """How many fires make a block of about a second."""
    state, maps = copied(ready.first), Maps.blank(ready)  # type: ignore[attr-defined]
    fires = 500
    while True:
        began = time.perf_counter()
        burn_block(ready, state, SEED, 0, fires, maps.counts, maps.sums, maps.curves)  # type: ignore[arg-type]
        seconds = time.perf_counter() - began
        if seconds > 0.3:
            return max(int(fires / seconds), 1)
        fires *= 2
