"""Peers: a town burning out, our kernel on one thread against the same rules in batched numpy and in dense numba."""

from __future__ import annotations

import numpy as np

from benchmarks.harness import Row, Settings, check_same_means, side_by_side
from benchmarks.town import peer_numba, peer_numpy
from benchmarks.town.scenes import houses
from firesim.api import load, prepared
from firesim.rules.base import Prepared
from firesim.studies.study import burn

SIZE = 64
EARLY = 60
SEED = 20
PEERS = {"numpy": peer_numpy, "numba": peer_numba}


def ready_town(size: int, steps: int | None = None) -> Prepared:
    """The town of the benchmark, prepared; steps: stop after so many turns."""
    changes = {} if steps is None else {"steps": steps}
    return prepared(load(houses(size) | changes))


def our_outcomes(size: int, fires: int, early: int) -> dict[str, np.ndarray]:
    """Outcomes of our kernel by the peers' names; the early ones are those of fires stopped there."""
    whole = burn(ready_town(size), SEED, 0, fires, workers=1).outcomes
    part = burn(ready_town(size, early), SEED, 0, fires, workers=1).outcomes
    names = ("steps", "consumed", "collapsed", "flare_ups")
    return {name: whole[name] for name in names} | {"consumed_early": part["consumed"]}


def check(size: int, fires: int, early: int = EARLY) -> None:
    """Raise DisagreementError unless every peer has our means."""
    ours = our_outcomes(size, fires, early)
    for name, peer in PEERS.items():
        check_same_means(name, ours, peer.burn(size, fires, SEED, early))


def measure(settings: Settings) -> list[Row]:
    """Time of each peer over ours, for the same number of fires."""
    fires = settings.fires
    check(SIZE, fires)
    ready = ready_town(SIZE)
    timings = side_by_side(
        {
            "ours": lambda: burn(ready, SEED, 0, fires, workers=1),
            **{name: lambda peer=peer: peer.burn(SIZE, fires, SEED) for name, peer in PEERS.items()},
        },
        settings.rounds,
    )
    town = f"{SIZE} x {SIZE} houses burning out, {fires} fires, one thread"
    return [
        timings.ratio("peers", "batched numpy over firesim", "numpy", "ours", note=town),
        timings.ratio("peers", "dense numba over firesim", "numba", "ours", note=town),
        timings.per("peers", "a fire of firesim", "ours", fires, "ms", 1e3),
        timings.per("peers", "a fire of batched numpy", "numpy", fires, "ms", 1e3),
        timings.per("peers", "a fire of dense numba", "numba", fires, "ms", 1e3),
    ]
