"""Replicates burnt in blocks on the threads of this machine; kernels release the GIL."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from time import perf_counter
from typing import Any

import numpy as np

from firesim.core.fields import copied
from firesim.play import burn_block, compiled
from firesim.rules.base import Prepared
from firesim.studies.fires import Fires, Maps

BLOCK_SECONDS = 0.5
"""Blocks are sized to take about so long: long enough to cost nothing, short enough for progress and Ctrl-C."""

BLOCK_MOST = 100_000


class Worker:
    """One thread's own state and maps; blocks of fires go through it one after another."""

    def __init__(self, ready: Prepared, seed: int) -> None:
        self.ready, self.seed = ready, seed
        self.state = copied(ready.first)
        records = len(ready.system.records)
        cells = int(np.prod(ready.shape)) + 1
        self.maps = Maps(np.zeros((records, cells), np.int64), np.zeros((records, cells), np.int64), 0)

    def burn(self, first: int, rows: np.ndarray[Any, Any]) -> float:
        """Burn replicates from `first` on into `rows`; returns the seconds it took."""
        began = perf_counter()
        rows[:] = burn_block(self.ready, self.state, self.seed, first, len(rows), self.maps.counts, self.maps.sums)
        self.maps.fires += len(rows)
        return perf_counter() - began


def burn(
    ready: Prepared,
    seed: int,
    first_replicate: int,
    replicates: int,
    *,
    workers: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Fires:
    """Outcome rows and maps of `replicates` fires, the same on any number of workers.

    Each fire depends on its key alone, rows have their places beforehand, and maps are whole numbers, whose sum does
    not depend on order.
    """
    count = min(workers or os.cpu_count() or 1, replicates)
    rows = np.zeros((replicates, len(ready.columns)), np.int64)
    idle = [Worker(ready, seed) for _ in range(count)]
    everyone = list(idle)
    running: dict[Future[float], tuple[Worker, int]] = {}
    begun = done = 0
    size = 1
    with ThreadPoolExecutor(count) as pool:
        try:
            while done < replicates:
                while idle and begun < replicates:
                    worker, end = idle.pop(), min(begun + size, replicates)
                    running[pool.submit(worker.burn, first_replicate + begun, rows[begun:end])] = (worker, end - begun)
                    begun = end
                finished, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in finished:
                    worker, fires = running.pop(future)
                    size = next_size(fires, future.result())
                    idle.append(worker)
                    done += fires
                if progress:
                    progress(done, replicates)
        except BaseException:
            for future in running:
                future.cancel()
            raise
    compiled(ready, "fast")
    return Fires(ready, seed, first_replicate, rows, Maps.summed(worker.maps for worker in everyone))


def next_size(fires: int, seconds: float) -> int:
    """How many fires the next block should hold, given how long the last one took; grows by at most eight times."""
    wanted = fires * BLOCK_SECONDS / max(seconds, 1e-6)
    return int(min(max(wanted, 1), 8 * fires, BLOCK_MOST))
