"""A study from its plan to its fires: in memory, or in a folder that is gone on with; on threads, Dask or MPI."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from firesim.core.problems import InputError, Problem
from firesim.play import compiled, compiles_first
from firesim.rules.base import Prepared
from firesim.studies.asked import rule_of
from firesim.studies.blocks import Worker, Workshop
from firesim.studies.engines.base import Engine
from firesim.studies.engines.threads import processors, threads
from firesim.studies.exports import write_exports
from firesim.studies.fires import Fires
from firesim.studies.folder import Folder
from firesim.studies.ledger import Ledger
from firesim.studies.plan import Case, Plan, digest_of
from firesim.studies.run import Burning, Progress
from firesim.studies.sequential import Until, UntilDecided, replicates_at_look
from firesim.studies.store import NAME, DamagedError, Store

Rule = Until | UntilDecided
Watch = Callable[[Progress, Ledger], None]


def burn_plan(
    plan: Plan,
    *,
    engine: Engine,
    version: str,
    out: Path | None = None,
    watch: Watch | None = None,
    say: Callable[[str], None] = lambda line: None,
    retry_failed: bool = False,
    parquet: bool = False,
    block_fires: int | None = None,
) -> Fires:
    """The fires of a plan. out: a folder to keep them in, gone on with where it holds the same study.

    retry_failed: burn those again that failed. parquet: write the rows as Parquet too. watch: called as blocks come
    in. say: told what a person should know. Raises InputError for a folder of another study and for a full disk;
    whatever ends it, what was committed stays.
    """
    for note in plan.notes:
        say(note)
    if out is None:
        return burnt(plan, Ledger(plan), engine, None, watch, retry_failed, block_fires)
    folder = Folder(out, plan, version, say)
    try:
        fires = burnt(folder.plan, folder.ledger, engine, folder.store, watch, retry_failed, block_fires)
        write_exports(fires, out, parquet)
        return fires
    finally:
        folder.close()


def burnt(
    plan: Plan,
    ledger: Ledger,
    engine: Engine,
    store: Any,
    watch: Watch | None,
    retry_failed: bool,
    block_fires: int | None,
) -> Fires:
    """Burn what the ledger lacks, to the last replicate or until the stopping rule is content."""
    compile_first(plan)
    seen = (lambda progress: watch(progress, ledger)) if watch else None
    burning = Burning(ledger, engine, store, seen, block_fires)
    if retry_failed:
        burning.burn_to(ledger.replicates, failed_too=True)
    rule = rule_of(plan)
    if rule is None:
        burning.burn_all(plan.replicates)
        replicates, sentence = max(plan.replicates, ledger.replicates), ""
    else:
        replicates, sentence = burn_until(burning, plan, rule)
    if not ledger.done:
        raise RuntimeError(f"every fire fails: {ledger.first_error()}")
    compiled(plan.prepared(0), "fast")
    return Fires(plan, ledger, replicates, sentence)


def compile_first(plan: Plan) -> None:
    """Burn one fire where kernels have not been compiled yet: never inside workers, of which each would do it."""
    ready = plan.prepared(0)
    if compiles_first(ready, "fast"):
        with suppress(Exception):  # a fire that fails is told of when its turn comes
            Worker(ready, plan.seed).burn(plan.first_replicate, np.zeros((1, len(ready.columns)), np.int64))


def burn_until(burning: Burning, plan: Plan, rule: Rule) -> tuple[int, str]:
    """Burn to each look in turn until the rule says that it is enough; replicates of each case, and what it said."""
    look = 0
    while True:
        replicates = min(replicates_at_look(look), plan.replicates)
        burning.burn_to(replicates)
        end, more = said_at(burning.ledger, plan, rule, look)
        if end:
            return replicates, end
        if more:
            have = burning.ledger.done + burning.ledger.failed
            burning.asked = min(plan.fires, have + more)
        look += 1


def said_at(ledger: Ledger, plan: Plan, rule: Rule, look: int) -> tuple[str, int | None]:
    """What a rule says at a look that ends the study, empty where it goes on; and about how many more fires then."""
    replicates = min(replicates_at_look(look), plan.replicates)
    verdict = rule.look(ledger.outcomes(replicates), plan.values, look)
    if verdict.done:
        return verdict.sentence, 0
    if replicates == plan.replicates:
        return f"{verdict.sentence}; stopped at the {replicates:,} replicates allowed", 0
    return "", verdict.more


def ended_in(folder: Path, plan: Plan) -> str:
    """What the plan's stopping rule says of the fires that a folder holds, where that ends the study; else empty."""
    rule, path = rule_of(plan), folder / NAME
    if rule is None or not path.is_file():
        return ""
    ledger, look = Ledger(plan), 0
    with suppress(DamagedError, sqlite3.Error, ValueError):
        store = Store(path, plan.columns, plan.first_replicate, reading=True)
        try:
            ledger.make_room(store.replicates())
            store.load_rows(ledger)
        finally:
            store.close()
        while (replicates := min(replicates_at_look(look), plan.replicates)) <= ledger.replicates:
            if any(ledger.missing(replicates)):
                return ""
            end, _ = said_at(ledger, plan, rule, look)
            if end:
                return end
            look += 1
    return ""


def burn(
    ready: Prepared,
    seed: int,
    first_replicate: int,
    replicates: int,
    *,
    workers: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    block_fires: int | None = None,
) -> Fires:
    """Outcome rows and maps of `replicates` fires of one scenario that is ready, the same on any number of threads."""
    document = ready.scenario.document
    digest = digest_of(document)
    plan = Plan(
        (document,), (ready.scenario.file,), (Case(0, {}, {}, digest),), (), ready.columns, seed, first_replicate,
        replicates, ready.scenario.title or Path(ready.scenario.file).stem or ready.scenario.system,
    )  # fmt: skip
    plan.keep_ready(0, ready)
    watch = (lambda p, _: progress(p.done, p.asked)) if progress else None
    with on_threads(plan, workers, replicates) as engine:
        return burn_plan(plan, engine=engine, version="", watch=watch, block_fires=block_fires)


@contextmanager
def on_threads(plan: Plan, workers: int | None, fires: int) -> Iterator[Engine]:
    """The threads of this machine, with the first case ready; where they are more than fires, several burn each."""
    allowed = workers or processors()
    count = max(1, min(allowed, fires))
    workshop = Workshop(max(1, min(allowed, processors()) // count))
    workshop.keep(plan.cases[0].digest, plan.prepared(0))
    with threads(count, workshop) as engine:
        yield engine


@contextmanager
def engine_of(plan: Plan, workers: int | None, scheduler: str | None) -> Iterator[Engine]:
    """Where to burn: the Dask cluster asked for, the MPI ranks that this program was started with, else threads."""
    if scheduler is not None:
        from firesim.studies.engines.dask_cluster import dask_cluster

        if workers is not None:
            raise InputError(
                Problem("both workers and a scheduler are given", "one of them", "a cluster has its own workers")
            )
        with dask_cluster(scheduler) as engine:
            yield engine
        return
    from firesim.studies.engines.mpi_ranks import mpi_ranks, started_by_mpi

    if started_by_mpi():
        if workers is not None:
            raise InputError(Problem("workers are given, and MPI ranks too", "one of them", "mpiexec -n says how many"))
        with mpi_ranks() as engine:
            yield engine
        return
    with on_threads(plan, workers, plan.fires) as engine:
        yield engine
