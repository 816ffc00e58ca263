"""Big: one fire on 1,024 x 1,024 houses, lit at one hex or at one in a hundred, against the same rules elsewhere."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import numpy as np

from benchmarks.harness import DisagreementError, Row, Settings, check_same_means, installed, side_by_side
from benchmarks.town.scenes import houses
from firesim.api import load, prepared
from firesim.rules.base import Prepared
from firesim.studies.blocks import Worker
from firesim.studies.engines.threads import processors

SIZE = 1024
SEED = 23
COMPARED = ("steps", "consumed", "collapsed", "flare_ups")
RIVALS = {
    "numpy_one": "numpy, a list of burning hexes",
    "numba": "numba, dense",
    "taichi": "Taichi, a list of burning hexes",
    "jax": "JAX, all cores",
}
OPTIONAL = ("taichi", "jax")
ON_THE_WALL = "jax"


@dataclass(frozen=True)
class Scene:
    """A fire: what it is called, how many turns it burns, the hexes alight, and how many fires the means are of."""

    what: str
    turns: int
    alight: Sequence[int]
    fires: int


def scenes() -> list[Scene]:
    """One hex in the middle; one hex in a hundred, drawn once."""
    cells = SIZE * SIZE
    drawn = np.random.default_rng(SEED).choice(cells, cells // 100, replace=False)
    return [
        Scene("one ignition", 100, [(SIZE // 2) * SIZE + SIZE // 2], 24),
        Scene("1 % alight", 20, sorted(drawn.tolist()), 8),
    ]


@dataclass
class Ours:
    """Our kernel, one fire after another of one scene, each of another replicate."""

    worker: Worker
    replicates: Iterator[int] = field(default_factory=count)

    def burn(self) -> dict[str, int]:
        """The outcomes of the next fire."""
        row = np.zeros((1, len(self.worker.ready.columns)), np.int64)
        self.worker.burn(next(self.replicates), row)
        return dict(zip(self.worker.ready.columns, row[0].tolist(), strict=True))


@dataclass
class Rival:
    """A rival's town, which is made good before each fire."""

    town: Any
    scene: Scene

    def burn(self) -> dict[str, int]:
        """The outcomes of the next fire."""
        found: dict[str, int] = self.town.burn(self.scene.alight, self.scene.turns, self.scene.turns)
        return found

    def burn_another(self) -> dict[str, int]:
        """The same with the making good."""
        self.town.stand_again()
        return self.burn()

    def warm_up(self) -> None:
        """Burn one beforehand and make good, so that the town is as near at hand as it is in a run of many fires."""
        self.burn_another()
        self.town.stand_again()


def ready_of(scene: Scene) -> Prepared:
    """A scene made ready for our kernel."""
    fires = [{"cell": list(divmod(cell, SIZE)), "alight": True} for cell in scene.alight]
    return prepared(load(houses(SIZE) | {"steps": scene.turns, "ignite": fires}))


def measure(settings: Settings) -> Iterator[Row]:
    """Time of each rival's fire over ours, maps and state made beforehand."""
    names = [name for name in RIVALS if name not in OPTIONAL or installed(name, f"{RIVALS[name]}, on the big town")]
    towns = {name: importlib.import_module(f"benchmarks.town.peer_{name}").Town(SIZE, SEED) for name in names}
    for scene in scenes():
        ready = ready_of(scene)
        ours, together = Ours(Worker(ready, SEED)), Ours(Worker(ready, SEED, processors()))
        rivals = {name: Rival(town, scene) for name, town in towns.items()}
        outcomes = several(ours.burn, scene.fires)
        for name, rival in rivals.items():
            check_same_means(f"{RIVALS[name]}, {scene.what}", outcomes, several(rival.burn_another, scene.fires))
        if Ours(ours.worker).burn() != Ours(together.worker).burn():
            raise DisagreementError(f"{scene.what}: several threads do not burn the fire of one")
        yield from timed(ours, {n: r for n, r in rivals.items() if n != ON_THE_WALL}, scene, settings)
        if processors() > 1:
            yield from timed_on_the_wall(ours, together, rivals.get(ON_THE_WALL), scene, settings)


def several(burn: Callable[[], dict[str, int]], fires: int) -> dict[str, list[int]]:
    """The outcomes compared of so many fires."""
    rows = [burn() for _ in range(fires)]
    return {name: [row[name] for row in rows] for name in COMPARED}


HOW = "after another fire"


def timed(ours: Ours, rivals: dict[str, Rival], scene: Scene, settings: Settings) -> Iterator[Row]:
    """The rows of rivals on one thread, by processor time, one fire of each in a round."""
    timings = side_by_side(
        {"ours": ours.burn, **{name: rival.burn for name, rival in rivals.items()}},
        settings.rounds,
        before={name: rival.warm_up for name, rival in rivals.items()} | {"ours": ours.burn},
    )
    how = f"one thread, processor time, {HOW}"
    note = f"{SIZE:,} x {SIZE:,} houses, {scene.turns} turns, one fire each; {how}"
    for name in rivals:
        yield timings.ratio("big", f"{scene.what}: {RIVALS[name]} over firesim", name, "ours", note)
    yield timings.per("big", f"{scene.what}: a fire of firesim", "ours", 1, "ms", 1e3, how)
    for name in rivals:
        yield timings.per("big", f"{scene.what}: a fire of {RIVALS[name]}", name, 1, "ms", 1e3, how)


def timed_on_the_wall(
    ours: Ours, together: Ours, rival: Rival | None, scene: Scene, settings: Settings
) -> Iterator[Row]:
    """The rows for which the clock on the wall counts: our own threads, and a rival that uses all cores."""
    contestants: dict[str, Callable[[], object]] = {"one": ours.burn, "all": together.burn}
    before: dict[str, Callable[[], object]] = dict(contestants)
    if rival is not None:
        contestants[ON_THE_WALL], before[ON_THE_WALL] = rival.burn, rival.warm_up
    timings = side_by_side(contestants, settings.rounds, time.perf_counter, before)
    how, name = f"{processors()} threads, clock on the wall, {HOW}", RIVALS[ON_THE_WALL]
    yield timings.ratio("big", f"{scene.what}: firesim on one thread over all cores", "one", "all", how)
    yield timings.per("big", f"{scene.what}: a fire of firesim on all cores", "all", 1, "ms", 1e3, how)
    if rival is not None:
        yield timings.ratio("big", f"{scene.what}: {name}, over firesim on one thread", ON_THE_WALL, "one", how)
        yield timings.ratio("big", f"{scene.what}: {name} over firesim", ON_THE_WALL, "all", f"on all cores too; {how}")
        yield timings.per("big", f"{scene.what}: a fire of {name}", ON_THE_WALL, 1, "ms", 1e3, how)
