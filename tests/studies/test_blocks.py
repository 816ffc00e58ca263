"""Blocks of replicates: their sizes, their independence, fires that fail, workers that are lost, interrupts."""

from __future__ import annotations

import threading
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import firesim
from firesim.api import prepared
from firesim.core.problems import InputError
from firesim.rules.base import Prepared
from firesim.studies import blocks
from firesim.studies.blocks import BLOCK_MOST, BLOCK_SECONDS, Block, Burnt, Sizes, next_size
from firesim.studies.engines.base import LOST_MOST, Engine
from firesim.studies.engines.threads import threads
from firesim.studies.fires import Fires
from firesim.studies.study import burn, burn_plan
from tests.oracles.random_towns import random_town
from tests.studies.plans import same_fires, sweep

SEED = 20261129
REPLICATES = 2500


@pytest.fixture(scope="module")
def ready() -> Prepared:
    return prepared(firesim.load(random_town(3)))


@pytest.fixture(scope="module")
def fires(ready: Prepared) -> Fires:
    return burn(ready, SEED, 0, REPLICATES, workers=1)


# ------------------------------------------------------------------------------------------------------------- sizes
@pytest.mark.parametrize(
    ("fires", "seconds", "size"),
    [
        (1, BLOCK_SECONDS, 1),
        (10, BLOCK_SECONDS, 10),
        (10, 2 * BLOCK_SECONDS, 5),
        (10, BLOCK_SECONDS / 4, 40),
        (10, BLOCK_SECONDS / 100, 80),  # at most eight times the last
        (1, 100.0, 1),  # never none
        (10, 1e9, 1),
        (10, 0.0, 80),  # a clock that did not move
        (BLOCK_MOST, 1e-3, BLOCK_MOST),
    ],
)
def test_the_next_block_is_sized_by_the_last(fires: int, seconds: float, size: int) -> None:
    assert next_size(fires, seconds) == size


def piece_burnt(case: int, count: int, seconds: float) -> Burnt:
    nothing: Any = None
    return Burnt(blocks.Piece(case, "", 0, count), (), nothing, nothing, seconds)


def test_a_case_learns_its_own_size_and_a_new_one_begins_carefully() -> None:
    sizes = Sizes()
    assert sizes.of(0) == 1
    sizes.learn(piece_burnt(0, 100, BLOCK_SECONDS / 4))
    assert (sizes.of(0), sizes.of(1)) == (400, 50)
    sizes.learn(piece_burnt(0, 3, BLOCK_SECONDS / 200))  # the rest of a case: fast enough to leave the size alone
    assert sizes.of(0) == 400
    sizes.learn(piece_burnt(0, 3, BLOCK_SECONDS))  # and slow enough to shrink it
    assert sizes.of(0) == 3


# ------------------------------------------------------------------------------------------------------------ results
@pytest.mark.parametrize("size", [1, 7, 1000])
@pytest.mark.parametrize("workers", [1, 3])
def test_blocks_of_any_size_give_the_same(
    monkeypatch: pytest.MonkeyPatch, ready: Prepared, fires: Fires, size: int, workers: int
) -> None:
    sizes: list[int] = []
    plain = blocks.Worker.burn

    def seen(self: blocks.Worker, first: int, rows: np.ndarray) -> None:
        sizes.append(len(rows))
        plain(self, first, rows)

    monkeypatch.setattr(blocks.Worker, "burn", seen)
    again = burn(ready, SEED, 0, REPLICATES, workers=workers, block_fires=size)
    assert max(sizes) == size
    assert sum(sizes) == REPLICATES
    assert len(np.unique(fires.outcomes["steps"])) > 5
    same_fires(fires, again)
    assert again.counts.fires == REPLICATES


def test_small_cases_share_a_block(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    plain = blocks.Workshop.burn

    def counting(self: blocks.Workshop, block: Block) -> list[Burnt]:
        seen.append(len(block.pieces))
        return plain(self, block)

    plan = sweep(replicates=10)
    apart = fires_of(plan, block_fires=1)
    monkeypatch.setattr(blocks.Workshop, "burn", counting)
    together = fires_of(plan, block_fires=25)
    assert max(seen) == 3
    same_fires(apart, together)


def fires_of(plan: Any, **words: Any) -> Fires:
    with threads(2) as engine:
        return burn_plan(plan, engine=engine, version="", **words)


def test_more_workers_than_fires_burn_each_fire_once(ready: Prepared, fires: Fires) -> None:
    few = burn(ready, SEED, 0, 3, workers=16)
    assert np.array_equal(few.outcomes, fires.outcomes[:3])
    assert few.counts.fires == 3


def test_progress_counts_up_to_all_fires(ready: Prepared) -> None:
    calls: list[tuple[int, int]] = []
    burn(ready, SEED, 0, REPLICATES, workers=2, progress=lambda done, asked: calls.append((done, asked)))
    done = [call[0] for call in calls]
    assert done == sorted(set(done))
    assert done[-1] == REPLICATES
    assert {call[1] for call in calls} == {REPLICATES}


# -------------------------------------------------------------------------------------------------------- interrupted
@pytest.mark.parametrize("workers", [1, 2, 4])
def test_an_interrupt_comes_through_and_leaves_no_thread_behind(
    monkeypatch: pytest.MonkeyPatch, ready: Prepared, workers: int
) -> None:
    burnt: list[int] = []
    plain = blocks.Worker.burn

    def seen(self: blocks.Worker, first: int, rows: np.ndarray) -> None:
        burnt.append(len(rows))
        plain(self, first, rows)

    def interrupt(done: int, asked: int) -> None:
        if done >= 20:
            raise KeyboardInterrupt

    monkeypatch.setattr(blocks.Worker, "burn", seen)
    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        burn(ready, SEED, 0, 100_000, workers=workers, progress=interrupt, block_fires=10)
    assert threading.active_count() == before
    assert sum(burnt) < 1000, "what was begun is finished, nothing more is begun"


# -------------------------------------------------------------------------------------------------- fires that fail
def failing(monkeypatch: pytest.MonkeyPatch, wrong: Any) -> None:
    """Every fire for which `wrong` says so raises an error, after it has written into state and maps."""
    plain = blocks.burn_block

    def breaks(ready: Prepared, state: Any, seed: int, first: int, fires: int, *maps: Any) -> np.ndarray:
        for replicate in range(first, first + fires):
            if wrong(replicate):
                state.clock[:] = 99
                maps[0][:] += 7
                raise RuntimeError(f"replicate {replicate}")
        return plain(ready, state, seed, first, fires, *maps)

    monkeypatch.setattr(blocks, "burn_block", breaks)


@pytest.mark.parametrize("workers", [1, 3])
def test_a_fire_that_fails_is_told_and_the_others_are_burnt(
    monkeypatch: pytest.MonkeyPatch, ready: Prepared, fires: Fires, workers: int
) -> None:
    failing(monkeypatch, lambda replicate: replicate in (3, 50, 51, 2499))
    some = burn(ready, SEED, 0, REPLICATES, workers=workers)
    assert some.failures == {(0, r): f"RuntimeError: replicate {r}" for r in (3, 50, 51, 2499)}
    left = np.setdiff1d(np.arange(REPLICATES), [3, 50, 51, 2499])
    assert np.array_equal(some.outcomes, fires.outcomes[left])
    assert some.counts.fires == REPLICATES - 4
    monkeypatch.undo()
    lost = [burn(ready, SEED, r, 1, workers=1).counts for r in (3, 50, 51, 2499)]
    for part in ("counts", "sums", "curves"):
        left_over = getattr(fires.counts, part).copy()
        for one in (some.counts, *lost):
            left_over[:, : getattr(one, part).shape[1]] -= getattr(one, part)
        assert not left_over.any(), part


def test_when_every_fire_fails_the_error_comes_through(monkeypatch: pytest.MonkeyPatch, ready: Prepared) -> None:
    failing(monkeypatch, lambda replicate: True)
    before = threading.active_count()
    with pytest.raises(RuntimeError, match="every fire fails: RuntimeError: replicate"):
        burn(ready, SEED, 0, 100_000, workers=2)
    with pytest.raises(RuntimeError, match="every fire fails: RuntimeError: replicate 0"):
        burn(ready, SEED, 0, 3, workers=2)
    assert threading.active_count() == before


# ------------------------------------------------------------------------------------------------------ lost workers
class Losing(Executor):
    """An executor that loses every third block once, and the first one of case 1 as often as it is asked to."""

    def __init__(self, stubborn: int) -> None:
        self.pool, self.seen, self.stubborn = ThreadPoolExecutor(2), set[Any](), stubborn

    def submit(self, burn: Any, block: Block) -> Future[Any]:  # type: ignore[override]
        first = block.pieces[0]
        if (first.case, first.first) == (1, 0):
            lost, self.stubborn = self.stubborn > 0, self.stubborn - 1
        else:
            lost = block.pieces not in self.seen and len(self.seen) % 3 == 2
        self.seen.add(block.pieces)
        if lost:
            future: Future[Any] = Future()
            future.set_exception(ConnectionError("worker 7 is gone"))
            return future
        return self.pool.submit(burn, block)


def test_a_lost_block_is_burnt_elsewhere() -> None:
    plan = sweep(replicates=300)
    executor = Losing(LOST_MOST)
    lossy = burn_plan(plan, engine=Engine(executor, 2, "two leaky workers"), version="", block_fires=20)
    executor.pool.shutdown()
    assert len(executor.seen) >= 6 * 300 / 20
    assert executor.stubborn <= 0
    same_fires(fires_of(plan), lossy)


def test_a_block_lost_again_and_again_is_told() -> None:
    executor = Losing(10**6)
    with pytest.raises(InputError) as refused:
        burn_plan(sweep(replicates=300), engine=Engine(executor, 2, "two leaky workers"), version="", block_fires=20)
    executor.pool.shutdown()
    told = str(refused.value)
    assert (
        f"a block was lost {LOST_MOST + 1} times (case 1, from replicate 0: ConnectionError: worker 7 is gone)" in told
    )
    assert "expected workers that answer (two leaky workers)" in told


def test_an_engine_that_is_gone_is_told_and_not_waited_for() -> None:
    class Silent(Executor):
        def submit(self, *_: Any) -> Future[Any]:  # type: ignore[override]
            return Future()

    silent = Engine(Silent(), 2, "2 workers of nowhere", alive=lambda: False)
    with pytest.raises(InputError, match="the 2 workers of nowhere are gone: expected an engine that answers"):
        burn_plan(sweep(replicates=30), engine=silent, version="")


def test_an_executor_that_broke_is_opened_anew() -> None:
    class Broken(Executor):
        def submit(self, *_: Any) -> Future[Any]:  # type: ignore[override]
            raise BrokenExecutor

    plan, pool = sweep(replicates=30), ThreadPoolExecutor(2)
    reopened = burn_plan(plan, engine=Engine(Broken(), 2, "", reopen=lambda: pool), version="")
    pool.shutdown()
    same_fires(fires_of(plan), reopened)
