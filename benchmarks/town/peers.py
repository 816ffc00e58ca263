"""Peers: a town burning out, our kernel on one thread against the same rules in other libraries and in plain Python."""

from __future__ import annotations

import importlib
import time
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType

import numpy as np

from benchmarks.harness import Row, Settings, check_same_means, installed, side_by_side
from benchmarks.town.scenes import houses
from firesim.api import load, prepared
from firesim.rules.base import Prepared
from firesim.studies.study import burn

SIZE = 64
EARLY = 60
SEED = 20


@dataclass(frozen=True)
class Peer:
    """A rival; its program is `peer_<name>.py`, with `burn(size, fires, seed, early)`.

    what: its name in the rows. one_in: it burns one fire where we burn so many. library: what has to be installed.
    on_the_wall: it uses all processors, so that the clock on the wall is the one that counts.
    """

    name: str
    what: str
    one_in: int = 1
    library: str = ""
    on_the_wall: bool = False

    @property
    def program(self) -> ModuleType:
        """Its module."""
        return importlib.import_module(f"benchmarks.town.peer_{self.name}")

    def fires(self, ours: int) -> int:
        """How many fires it burns where we burn `ours`."""
        return max(2, ours // self.one_in)

    def burn(self, size: int, fires: int, seed: int, early: int = EARLY) -> dict[str, np.ndarray]:
        """Outcomes of its fires by name."""
        found: dict[str, np.ndarray] = self.program.burn(size, fires, seed, early)
        return found


PEERS = {
    peer.name: peer
    for peer in (
        Peer("mesa_agents", "Mesa, all agents asked each turn", 50, "mesa"),
        Peer("mesa", "Mesa, a list of the burning agents", 20, "mesa"),
        Peer("list", "plain Python, a list of burning hexes", 20),
        Peer("numpy_one", "numpy, one fire at a time", 10),
        Peer("numpy_first", "numpy, fires in batches, as first written", 2),
        Peer("numpy", "numpy, fires in batches, tuned"),
        Peer("numba_first", "numba, dense, as first written"),
        Peer("numba", "numba, dense, tuned"),
        Peer("jax", "JAX vmap, all cores", library="jax", on_the_wall=True),
        Peer("taichi", "Taichi, a list for each fire", library="taichi"),
    )
}


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


def check(peers: list[Peer], size: int, fires: int, early: int = EARLY) -> None:
    """Raise DisagreementError unless every peer has our means."""
    ours = our_outcomes(size, fires, early)
    for peer in peers:
        check_same_means(peer.what, ours, peer.burn(size, peer.fires(fires), SEED, early))


def measure(settings: Settings) -> Iterator[Row]:
    """Time of each peer over ours, fire for fire."""
    peers = [peer for peer in PEERS.values() if not peer.library or installed(peer.library, peer.what)]
    check(peers, SIZE, settings.fires)
    ready = ready_town(SIZE)
    yield from timed([peer for peer in peers if not peer.on_the_wall], ready, settings, "one thread, processor time")
    if walled := [peer for peer in peers if peer.on_the_wall]:
        yield from timed(walled, ready, settings, "its threads against our one, clock on the wall")


def timed(peers: list[Peer], ready: Prepared, settings: Settings, how: str) -> Iterator[Row]:
    """The rows of peers that are measured by the same clock."""
    fires = settings.fires
    clock = time.perf_counter if peers[0].on_the_wall else time.process_time
    contestants = {peer.name: lambda peer=peer: peer.burn(SIZE, peer.fires(fires), SEED) for peer in peers}
    timings = side_by_side(
        {"ours": lambda: burn(ready, SEED, 0, fires, workers=1), **contestants}, settings.rounds, clock
    )
    for peer in peers:
        note = f"{SIZE} x {SIZE} houses burning out, {peer.fires(fires):,} fires against {fires:,}; {how}"
        counts = (peer.fires(fires), fires)
        yield timings.ratio("peers", f"{peer.what} over firesim", peer.name, "ours", note, counts)
    yield timings.per("peers", "a fire of firesim", "ours", fires, "ms", 1e3, how)
    for peer in peers:
        yield timings.per("peers", f"a fire of {peer.what}", peer.name, peer.fires(fires), "ms", 1e3, how)
