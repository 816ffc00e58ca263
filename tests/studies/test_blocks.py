"""Blocks of replicates on threads: their sizes, their independence, and what happens when one is interrupted."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import firesim
from firesim.api import prepared
from firesim.rules.base import Prepared
from firesim.studies import blocks
from firesim.studies.blocks import BLOCK_MOST, BLOCK_SECONDS, burn, next_size
from firesim.studies.fires import Fires
from tests.oracles.random_towns import random_town

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


# ------------------------------------------------------------------------------------------------------------ results
@pytest.mark.parametrize("size", [1, 7, 1000])
@pytest.mark.parametrize("workers", [1, 3])
def test_blocks_of_any_size_give_the_same(
    monkeypatch: pytest.MonkeyPatch, ready: Prepared, fires: Fires, size: int, workers: int
) -> None:
    sizes: list[int] = []
    plain = blocks.Worker.burn

    def seen(self: blocks.Worker, first: int, rows: np.ndarray) -> float:
        sizes.append(len(rows))
        return plain(self, first, rows)

    monkeypatch.setattr(blocks, "next_size", lambda fires, seconds: size)
    monkeypatch.setattr(blocks.Worker, "burn", seen)
    again = burn(ready, SEED, 0, REPLICATES, workers=workers)
    assert max(sizes) == size
    assert sum(sizes) == REPLICATES
    assert len(np.unique(fires.outcomes["steps"])) > 5
    assert np.array_equal(fires.outcomes, again.outcomes)
    assert np.array_equal(fires.counts.counts, again.counts.counts)
    assert np.array_equal(fires.counts.sums, again.counts.sums)
    assert again.counts.fires == REPLICATES


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

    def seen(self: blocks.Worker, first: int, rows: np.ndarray) -> float:
        burnt.append(len(rows))
        return plain(self, first, rows)

    def interrupt(done: int, asked: int) -> None:
        if done >= 20:
            raise KeyboardInterrupt

    monkeypatch.setattr(blocks, "next_size", lambda fires, seconds: 10)
    monkeypatch.setattr(blocks.Worker, "burn", seen)
    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        burn(ready, SEED, 0, 100_000, workers=workers, progress=interrupt)
    assert threading.active_count() == before
    assert sum(burnt) < 1000, "what was begun is finished, nothing more is begun"


@pytest.mark.parametrize("workers", [1, 3])
def test_an_error_in_one_block_comes_through(monkeypatch: pytest.MonkeyPatch, ready: Prepared, workers: int) -> None:
    plain = blocks.burn_block

    def breaks(ready: Prepared, state: Any, seed: int, first: int, *rest: Any) -> np.ndarray:
        if first > 50:
            raise RuntimeError(f"replicate {first}")
        return plain(ready, state, seed, first, *rest)

    monkeypatch.setattr(blocks, "burn_block", breaks)
    before = threading.active_count()
    with pytest.raises(RuntimeError, match="replicate"):
        burn(ready, SEED, 0, 100_000, workers=workers)
    assert threading.active_count() == before
