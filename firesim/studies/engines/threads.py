"""The threads of this machine; kernels release the GIL."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from firesim.studies.blocks import Workshop
from firesim.studies.engines.base import Engine


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def threads(workers: int | None, workshop: Workshop | None = None) -> Iterator[Engine]:
    """So many threads (None: as many as `processors`); blocks under way are finished, the others dropped in the end."""
    count = workers or processors()
    pool = ThreadPoolExecutor(count, "firesim")
    try:
        yield Engine(pool, count, f"{count} thread{'s' * (count > 1)}", (workshop or Workshop()).burn, local=True)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
