"""The same fires on every engine: threads, a Dask cluster of processes, MPI ranks; schedulers that do not answer."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import pytest

import firesim
from firesim.core.problems import InputError
from firesim.studies.engines.threads import processors, threads
from firesim.studies.study import burn_plan, on_threads
from tests.studies.plans import RIVERSIDE, ROOT, SEED, plan

VARY = {"tables.material.light": [0, 1, 2], "weather.wind": ["none", "E"]}
OPTIONS = ["--vary", "tables.material.light=0:2", "--vary", "weather.wind=none,E", "--seed", str(SEED), "--no-pictures"]
REPLICATES = 60
MANY = 5_000
FILES = ("outcomes.csv", "maps.npz", "summary.txt")


def command(*arguments: object, before: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    """What `firesim ARGUMENTS` does in a process of its own."""
    return subprocess.run(
        [*before, "-m", "firesim", *map(str, arguments)],
        env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip


def done(*arguments: object, before: tuple[str, ...] = (sys.executable,)) -> str:
    end = command(*arguments, before=before)
    assert end.returncode == 0, end.stderr
    return end.stderr


def whole_study(folder: Path, replicates: int) -> Path:
    """Six cases of riverside on one thread."""
    riverside = plan(str(RIVERSIDE), replicates=replicates, vary=VARY)
    with threads(1) as engine:
        burn_plan(riverside, engine=engine, version=firesim.__version__, out=folder)
    return folder


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return whole_study(tmp_path_factory.mktemp("whole") / "study", REPLICATES)


@pytest.fixture(scope="module")
def whole_of_many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return whole_study(tmp_path_factory.mktemp("many") / "study", MANY)


def assert_same_files(one: Path, other: Path) -> None:
    for name in FILES:
        assert (one / name).read_bytes() == (other / name).read_bytes(), name
    assert len((one / "outcomes.csv").read_text().splitlines()) > 6 * REPLICATES


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """The address of a Dask scheduler with two processes."""
    distributed = pytest.importorskip("distributed", reason="distributed is not installed: Dask was not tried")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs=50
    ) as made:
        yield made.scheduler_address


def mpi() -> tuple[str, ...]:
    """How to start two ranks besides the one that hands out the blocks."""
    pytest.importorskip("mpi4py.futures", reason="mpi4py is not installed: MPI was not tried")
    beside = Path(sys.executable).with_name("mpiexec")
    found = str(beside) if beside.exists() else shutil.which("mpiexec")
    if found is None:
        pytest.skip("mpiexec is not installed: MPI was not tried")
    return (found, "-n", "3", sys.executable, "-m", "mpi4py.futures")


# ------------------------------------------------------------------------------------------------------ the same bits
def test_one_thread_and_two_and_blocks_of_any_size_give_the_same_bytes(whole: Path, tmp_path: Path) -> None:
    riverside = plan(str(RIVERSIDE), replicates=REPLICATES, vary=VARY)
    for workers, size in ((1, 7), (2, None), (2, 1), (2, 1000)):
        folder = tmp_path / f"{workers}-{size}"
        with threads(workers) as engine:
            burn_plan(riverside, engine=engine, version="", out=folder, block_fires=size)
        assert_same_files(whole, folder)


def test_a_dask_cluster_gives_the_same_bytes(whole: Path, cluster: str, tmp_path: Path) -> None:
    done("study", RIVERSIDE, *OPTIONS, "--replicates", REPLICATES, "--scheduler", cluster, "--out", tmp_path / "new")
    assert_same_files(whole, tmp_path / "new")


def test_mpi_gives_the_same_bytes(whole: Path, tmp_path: Path) -> None:
    arguments = ("study", RIVERSIDE, *OPTIONS, "--replicates", REPLICATES, "--out", tmp_path / "new")
    done(*arguments, before=mpi())
    assert_same_files(whole, tmp_path / "new")


@pytest.mark.long
@pytest.mark.parametrize("engine", ["threads", "dask", "mpi"])
def test_many_fires_give_the_same_bytes(engine: str, whole_of_many: Path, tmp_path: Path, request: Any) -> None:
    arguments = ["study", RIVERSIDE, *OPTIONS, "--replicates", MANY, "--out", tmp_path / "new"]
    if engine == "dask":
        arguments += ["--scheduler", request.getfixturevalue("cluster")]
    done(*arguments, before=mpi() if engine == "mpi" else (sys.executable,))
    assert_same_files(whole_of_many, tmp_path / "new")


@pytest.mark.long
@pytest.mark.parametrize("size", [1, 7, 1000])
def test_many_fires_in_blocks_of_any_size_give_the_same_bytes(size: int, whole_of_many: Path, tmp_path: Path) -> None:
    riverside = plan(str(RIVERSIDE), replicates=MANY, vary=VARY)
    with threads(2) as engine:
        burn_plan(riverside, engine=engine, version="", out=tmp_path / "new", block_fires=size)
    assert_same_files(whole_of_many, tmp_path / "new")


def test_a_cluster_serves_python_too(cluster: str) -> None:
    here = firesim.study(RIVERSIDE, 20, seed=SEED)
    there = firesim.study(RIVERSIDE, 20, seed=SEED, scheduler=cluster)
    assert np.array_equal(here.outcomes, there.outcomes)
    assert np.array_equal(here.counts.curves, there.counts.curves)


def test_a_worker_that_is_killed_costs_nothing(cluster: str) -> None:
    distributed = pytest.importorskip("distributed")
    here = firesim.study(RIVERSIDE, 60_000, seed=SEED)
    killed: list[int] = []

    def kill(done: int, asked: int) -> None:
        if not killed and done > 1000:
            with distributed.Client(cluster, set_as_default=False) as client:
                killed.extend(client.run(os.getpid).values())
                os.kill(killed[0], signal.SIGKILL)

    there = firesim.study(RIVERSIDE, 60_000, seed=SEED, scheduler=cluster, progress=kill)
    assert len(killed) == 2
    assert np.array_equal(here.outcomes, there.outcomes)
    assert np.array_equal(here.counts.counts, there.counts.counts)


# ----------------------------------------------------------------------------------------------------- no such cluster
@pytest.fixture
def deaf() -> Iterator[str]:
    """An address that takes calls and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}"


@pytest.fixture
def rude() -> Iterator[str]:
    """An address where something else answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            caller, _ = server.accept()
            caller.sendall(b"HTTP/1.1 400 Bad Request\r\n" * 10)
            caller.close()

        threading.Thread(target=answer, daemon=True).start()
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}"


@pytest.mark.parametrize("address", ["deaf", "rude", "tcp://127.0.0.1:9", "nonsense", ""])
def test_a_scheduler_that_does_not_answer_is_told_within_ten_seconds(
    address: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    pytest.importorskip("distributed", reason="distributed is not installed: Dask was not tried")
    where = request.getfixturevalue(address) if address in ("deaf", "rude") else address
    began = perf_counter()
    end = command("study", RIVERSIDE, "--scheduler", where, "--out", tmp_path / "new", before=(sys.executable,))
    assert perf_counter() - began < 10
    assert (end.returncode, end.stdout) == (2, "")
    (line,) = end.stderr.splitlines()
    assert line.startswith(f"no Dask scheduler answers at '{where}' within ")
    assert line.endswith("; leave --scheduler out to burn on the threads of this machine")
    assert not (tmp_path / "new").exists()


def test_a_cluster_without_workers_is_told() -> None:
    distributed = pytest.importorskip("distributed", reason="distributed is not installed: Dask was not tried")
    quiet = {"dashboard_address": ":0", "silence_logs": 50}
    with distributed.LocalCluster(n_workers=0, processes=False, protocol="tcp", **quiet) as made:
        began = perf_counter()
        with pytest.raises(InputError, match="has no workers: expected one that runs `dask worker tcp"):
            firesim.study(RIVERSIDE, 20, seed=SEED, scheduler=made.scheduler_address)
        assert perf_counter() - began < 10


def test_workers_of_another_firesim_are_refused(cluster: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from firesim.studies.engines import dask_cluster

    def other() -> str:
        return "other"

    monkeypatch.setattr(dask_cluster, "expected_rules", other)
    with pytest.raises(InputError, match="has other rules"):
        firesim.study(RIVERSIDE, 20, seed=SEED, scheduler=cluster)


def test_a_scheduler_and_workers_are_not_asked_for_together() -> None:
    with pytest.raises(InputError, match="both workers and a scheduler are given"):
        firesim.study(RIVERSIDE, 20, scheduler="tcp://127.0.0.1:9", workers=2)


def test_threads_are_as_many_as_the_processors_that_this_process_may_use(monkeypatch: pytest.MonkeyPatch) -> None:
    for allowed in ({3}, {0, 2, 5}):
        monkeypatch.setattr(os, "sched_getaffinity", lambda pid, allowed=allowed: allowed, raising=False)
        with threads(None) as engine:
            assert engine.in_words == f"{len(allowed)} thread{'s' * (len(allowed) > 1)}"
        with on_threads(plan(str(RIVERSIDE), replicates=1), None, 100) as engine:
            assert engine.workers == len(allowed)
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 7)
    assert processors() == 7
