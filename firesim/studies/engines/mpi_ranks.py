"""MPI ranks: `mpiexec -n 64 python -m mpi4py.futures -m firesim study ...` (extra `mpi`)."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from firesim.core.extras import extra
from firesim.studies.engines.base import Engine


def started_by_mpi() -> bool:
    """Whether this program was started by `python -m mpi4py.futures` on more than one rank."""
    if "mpi4py.futures" not in sys.modules:
        return False
    return int(extra("mpi4py.MPI", "mpi").COMM_WORLD.Get_size()) > 1


@contextmanager
def mpi_ranks() -> Iterator[Engine]:
    """All ranks but this one, which hands out the blocks."""
    futures, mpi = extra("mpi4py.futures", "mpi"), extra("mpi4py.MPI", "mpi")
    workers = int(mpi.COMM_WORLD.Get_size()) - 1
    pool = futures.MPIPoolExecutor(workers)
    try:
        yield Engine(pool, workers, f"{workers} MPI ranks")
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
