"""Growth: of maps round the same small fire, of towns that burn out, of studies, of blocks and threads."""

from __future__ import annotations

import time
from collections.abc import Iterator
from math import isqrt
from pathlib import Path

import numpy as np

from benchmarks.harness import DisagreementError, Row, Settings, check_same_means, load, side_by_side
from benchmarks.town.peers import ready_town
from benchmarks.town.scenes import block_in_the_open
from firesim.api import load as load_scenario
from firesim.api import prepared
from firesim.core import maps
from firesim.core.fields import copied
from firesim.rules.base import Prepared
from firesim.studies.blocks import Worker
from firesim.studies.study import burn

SEED = 21
SHIPPED = Path(__file__).resolve().parents[2] / "maps"
SIZES = tuple(size for size in (64, 256, 1024, 4096) if size <= isqrt(maps.CELLS_MOST))
TOWNS = (16, 64, 256)
REPLICATES = (100, 1_000, 10_000, 100_000, 1_000_000)
BLOCKS = (1, 8, 64, 512)
THREADS = (1, 2)


def measure(settings: Settings) -> Iterator[Row]:
    """Four tables: each against its own smallest."""
    yield from larger_maps(settings)
    yield from larger_towns(settings)
    yield from more_replicates(settings)
    yield from blocks_and_threads(settings)


def larger_maps(settings: Settings) -> Iterator[Row]:
    """The same fire of 25 houses on ever larger maps, set-up of map and state apart; and that set-up."""
    workers, outcomes, fires = {}, {}, settings.fires
    set_up(SIZES[0])  # whatever is loaded at the first time
    for size in SIZES:
        ready, seconds = set_up(size)
        yield Row("growth", f"set-up of a {size} x {size} map", seconds, "s", note="document to initial state")
        began = time.perf_counter()
        copied(ready.first)
        yield Row("growth", f"a worker's copy of the {size} x {size} state", time.perf_counter() - began, "s")
        workers[size] = Worker(ready, SEED)
        outcomes[size] = burnt(workers[size], fires)
        check_same_means(f"the map of {size} x {size}", outcomes[SIZES[0]], outcomes[size])  # other cells, other dice
    timings = side_by_side(
        {str(size): lambda worker=worker: burnt(worker, fires) for size, worker in workers.items()}, settings.rounds
    )
    for size in SIZES[1:]:
        what = f"a fire of 25 houses on {size} x {size} over {SIZES[0]} x {SIZES[0]}"
        yield timings.ratio("growth", what, str(size), str(SIZES[0]), f"{fires:,} fires, set-up apart")
    for size in SIZES:
        yield timings.per("growth", f"a fire of 25 houses on {size} x {size}", str(size), fires, "us", 1e6)


def set_up(size: int) -> tuple[Prepared, float]:
    """The block in the open prepared, and the seconds it took."""
    document = block_in_the_open(size)
    began = time.perf_counter()
    ready = prepared(load_scenario(document))
    return ready, time.perf_counter() - began


def burnt(worker: Worker, fires: int) -> dict[str, np.ndarray]:
    """Outcomes of some fires by column."""
    rows = np.zeros((fires, len(worker.ready.columns)), np.int64)
    worker.burn(0, rows)
    return dict(zip(worker.ready.columns, rows.T, strict=True))


def larger_towns(settings: Settings) -> Iterator[Row]:
    """Towns of ever more houses burning out: the time of a hex burnt."""
    workers = {size: Worker(ready_town(size), SEED) for size in TOWNS}
    fires = {size: max(2, settings.fires * TOWNS[0] ** 2 // size**2) for size in TOWNS}
    hexes = {size: int(burnt(workers[size], fires[size])["consumed"].sum()) for size in TOWNS}
    timings = side_by_side(
        {str(size): lambda size=size: burnt(workers[size], fires[size]) for size in TOWNS}, settings.rounds
    )
    for size in TOWNS:
        note = f"{fires[size]:,} fires"
        yield timings.per("growth", f"a hex of {size} x {size} houses burnt", str(size), hexes[size], "ns", 1e9, note)


def more_replicates(settings: Settings) -> Iterator[Row]:
    """Studies of ever more fires of the lone house, in memory, on one thread: fires per second."""
    ready = prepared(load_scenario(SHIPPED / "house.toml"))
    timings = side_by_side(
        {str(n): lambda n=n: burn(ready, SEED, 0, n, workers=1) for n in REPLICATES}, settings.rounds
    )
    for n in REPLICATES:
        rates = sorted(n / seconds for seconds in timings.seconds[str(n)])
        middle = float(np.median(rates))
        yield Row("growth", f"a study of {n:,} fires of the lone house", middle, "fires/s", rates[0], rates[-1])


def blocks_and_threads(settings: Settings) -> Iterator[Row]:
    """A study of riverside in blocks of so many fires, on one thread and on two, by the clock on the wall."""
    ready, fires = prepared(load_scenario(SHIPPED / "riverside.toml")), 10 * settings.fires
    ways = [(block, threads) for threads in THREADS for block in BLOCKS]
    first = burn(ready, SEED, 0, fires, workers=1).outcomes
    if any((burn(ready, SEED, 0, fires, workers=t, block_fires=b).outcomes != first).any() for b, t in ways):
        raise DisagreementError("the size of blocks or the number of threads changes the fires of riverside")
    busy = load()
    timings = side_by_side(
        {str(way): lambda b=way[0], t=way[1]: burn(ready, SEED, 0, fires, workers=t, block_fires=b) for way in ways},
        settings.rounds,
        time.perf_counter,
    )
    note = f"{fires:,} fires of riverside; load average before: {busy[0] if busy else 'unknown'}"
    for block, threads in ways:
        what = f"a fire in blocks of {block}, {threads} thread{'s' if threads > 1 else ''}"
        yield timings.per("growth", what, str((block, threads)), fires, "us", 1e6, note)
