"""A Dask cluster, named by its scheduler's address (extra `dask`)."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from firesim.core.extras import extra
from firesim.core.problems import InputError, Problem
from firesim.studies.engines.base import Engine
from firesim.studies.rules_code import kernels

ANSWER_SECONDS = 3
"""How long a scheduler may take to answer, and then to name a worker: 10 seconds with what comes before and after."""

WITHOUT = "leave --scheduler out to burn on the threads of this machine"


@contextmanager
def dask_cluster(address: str) -> Iterator[Engine]:
    """The workers of a cluster. InputError where its scheduler does not answer or has no worker with this firesim."""
    distributed = extra("distributed", "dask")
    for name in ("distributed", "distributed.client", "distributed.comm.tcp", "concurrent.futures"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what matters is told below, in one line
    client = _connected(distributed, address)
    try:
        workers = _workers(client, address)
        _check_rules(client, address)
        executor = client.get_executor(pure=False, retries=0)
        count = sum(int(w["nthreads"]) for w in workers.values())
        yield Engine(executor, count, f"{count} workers of {address}", alive=lambda: client.status != "closed")
        executor.shutdown(wait=False)
    finally:
        with suppress(Exception):
            client.close(timeout=2)


def _connected(distributed: Any, address: str) -> Any:
    """A client of the cluster, once its scheduler has told who it is."""
    import asyncio

    try:
        asyncio.run(asyncio.wait_for(_identity(address), ANSWER_SECONDS))
        return distributed.Client(address, timeout=ANSWER_SECONDS, set_as_default=False)
    except Exception as error:  # what answers may be anything, and say anything
        text = ["what answers is no scheduler"] if isinstance(error, MemoryError) else str(error).splitlines()
        reason = text[0][:100] if text else type(error).__name__
        what = f"no Dask scheduler answers at '{address}' within {ANSWER_SECONDS} s ({reason})"
        raise InputError(Problem(what, "the address that `dask scheduler` prints: tcp://HOST:8786", WITHOUT)) from None


async def _identity(address: str) -> None:
    """Ask a scheduler who it is."""
    connect = extra("distributed.core", "dask").connect
    comm = await connect(address, timeout=ANSWER_SECONDS)
    try:
        await comm.write({"op": "identity", "reply": True})
        told = await comm.read()
        if not isinstance(told, dict) or told.get("type") != "Scheduler":
            raise ValueError("it is no scheduler")
    finally:
        comm.abort()


def _workers(client: Any, address: str) -> dict[str, Any]:
    with suppress(TimeoutError, OSError):
        client.wait_for_workers(1, timeout=ANSWER_SECONDS)
    found: dict[str, Any] = client.scheduler_info(n_workers=-1).get("workers", {})
    if not found:
        raise InputError(
            Problem(f"the scheduler at '{address}' has no workers", f"one that runs `dask worker {address}`", WITHOUT)
        )
    return found


def expected_rules() -> str:
    """The digest of the rules as they stand here."""
    return kernels()


def _check_rules(client: Any, address: str) -> None:
    """Other rules burn other fires: every worker has to run this very firesim."""
    mine = expected_rules()
    try:
        theirs = client.run(kernels)
    except Exception as error:
        what = f"the workers of '{address}' cannot run firesim ({type(error).__name__}: {str(error)[:100]})"
        raise InputError(Problem(what, "firesim installed where the workers run", WITHOUT)) from None
    for worker, found in theirs.items():
        if found != mine:
            raise InputError(
                Problem(f"the worker {worker} has other rules ({found})", f"the same firesim as here ({mine})", WITHOUT)
            )
