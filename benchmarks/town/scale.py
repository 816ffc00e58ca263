"""Scale: the same small fire on a small map and on a huge one, where only what burns may cost time."""

from __future__ import annotations

import time
from math import isqrt

from benchmarks.harness import Row, Settings, check_same_means, side_by_side
from benchmarks.town.scenes import block_in_the_open
from firesim.api import load, prepared
from firesim.core import maps
from firesim.core.fields import copied
from firesim.play import burn_block
from firesim.rules.base import Prepared
from firesim.studies.blocks import Worker

SMALL, LARGE = 64, min(2048, isqrt(maps.CELLS_MOST))
SEED = 21


def measure(settings: Settings) -> list[Row]:
    """Time of a fire on the large map over the small one, map set-up apart; and that set-up."""
    rows, workers, outcomes = [], {}, {}
    for size in (SMALL, LARGE):
        ready, seconds = set_up(size)
        rows.append(Row("scale", f"set-up of a {size} x {size} map", seconds, "s", note="document to initial state"))
        workers[size] = Worker(ready, SEED)
        outcomes[size] = dict(zip(ready.columns, burn_some(workers[size], settings.fires).T, strict=True))
        began = time.perf_counter()
        copied(ready.first)
        rows.append(Row("scale", f"a worker's copy of the {size} x {size} state", time.perf_counter() - began, "s"))
    check_same_means("the large map", outcomes[SMALL], outcomes[LARGE])  # cells have other numbers, so other dice
    timings = side_by_side(
        {str(size): lambda worker=worker: burn_some(worker, settings.fires) for size, worker in workers.items()},
        settings.rounds,
    )
    what = f"a fire of 25 houses on {LARGE} x {LARGE} over {SMALL} x {SMALL}"
    rows.append(timings.ratio("scale", what, str(LARGE), str(SMALL), note=f"{settings.fires} fires, set-up apart"))
    rows += [timings.per("scale", f"a fire on {s} x {s}", str(s), settings.fires, "us", 1e6) for s in workers]
    return rows


def set_up(size: int) -> tuple[Prepared, float]:
    """The town prepared, and the seconds it took."""
    document = block_in_the_open(size)
    began = time.perf_counter()
    ready = prepared(load(document))
    return ready, time.perf_counter() - began


def burn_some(worker: Worker, fires: int):
    """Outcome rows of some fires."""
    ready = worker.ready
    return burn_block(ready, worker.state, worker.seed, 0, fires, worker.maps.counts, worker.maps.sums)
