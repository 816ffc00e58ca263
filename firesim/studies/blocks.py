"""Blocks of replicates: what a worker is told, what it burns, what it gives back.

A worker, be it a thread here or a process on another machine, is told plain data alone (documents, a seed, numbers of
replicates), prepares each scenario once, and gives back whole numbers. Each fire depends on its key alone.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from time import perf_counter
from typing import Any

import numpy as np

from firesim.core.fields import copied
from firesim.core.problems import InputError
from firesim.core.scenario import checked
from firesim.play import burn_block, team_for
from firesim.rules.base import Prepared, system_named
from firesim.studies.tally import KEPT, Array, Maps, Touched

BLOCK_SECONDS = 0.5
"""Blocks are sized to take about so long: long enough to cost nothing, short enough for progress and Ctrl-C."""

BLOCK_MOST = 100_000

PREPARED_MOST, CELLS_MOST = 64, 4_000_000
"""Scenarios that a worker keeps prepared, and their cells together."""


@dataclass(frozen=True)
class Piece:
    """Consecutive replicates of one case; digest: of the case's document."""

    case: int
    digest: str
    first: int
    count: int


@dataclass(frozen=True)
class Block:
    """What one task burns: pieces, and by digest the documents they need; what of maps and curves is wanted."""

    pieces: tuple[Piece, ...]
    documents: Mapping[str, Mapping[str, Any]]
    seed: int
    keep: tuple[str, ...] = KEPT

    @property
    def fires(self) -> int:
        """How many fires it holds."""
        return sum(piece.count for piece in self.pieces)


@dataclass(frozen=True)
class Burnt:
    """A piece burnt: outcome rows (fires, columns), the maps, and which replicates failed, with the error of each.

    A failed replicate's row is zero, and it is in no map.
    """

    piece: Piece
    columns: tuple[str, ...]
    rows: Array
    maps: Touched
    seconds: float
    failed: dict[int, str] = field(default_factory=dict)


class Worker:
    """One thread's own state and maps of one scenario; blocks of fires go through it one after another.

    threads: how many may burn one fire together, where that is quicker.
    """

    def __init__(self, ready: Prepared, seed: int, threads: int = 1) -> None:
        self.ready, self.seed, self.threads = ready, seed, threads
        self.begin_anew()

    def burn(self, first: int, rows: Array) -> None:
        """Burn replicates from `first` on into `rows`; their maps are added to the worker's."""
        maps = self.maps
        rows[:] = burn_block(
            self.ready, self.state, self.seed, first, len(rows), maps.counts, maps.sums, maps.curves, self.team
        )
        maps.fires += len(rows)

    def burn_piece(self, piece: Piece, keep: Sequence[str] = KEPT) -> Burnt:
        """Burn a piece. When a fire fails, all others are burnt all the same."""
        began = perf_counter()
        rows = np.zeros((piece.count, len(self.ready.columns)), np.int64)
        failed: dict[int, str] = {}
        try:
            self.burn(piece.first, rows)
        except Exception:
            self.begin_anew()
            rows[:] = 0
            self._burn_one_by_one(piece.first, rows, failed)
        return Burnt(piece, self.ready.columns, rows, self.maps.take().kept(keep), perf_counter() - began, failed)

    def begin_anew(self) -> None:
        """Make state and maps those of no fire, whatever one that failed left behind."""
        self.state, self.maps = copied(self.ready.first), Maps.blank(self.ready)
        self.team = team_for(self.ready, self.state, self.threads)

    def _burn_one_by_one(self, first: int, rows: Array, failed: dict[int, str]) -> None:
        sound = self.maps
        self.maps = Maps.blank(self.ready)
        for i in range(len(rows)):
            try:
                self.burn(first + i, rows[i : i + 1])
            except Exception as error:
                self.begin_anew()
                rows[i] = 0
                failed[first + i] = f"{type(error).__name__}: {error}"[:500]
            else:
                sound.add(self.maps.take())
        self.maps = sound


class Workshop:
    """What a process keeps from block to block: scenarios made ready, and workers that are idle.

    threads_of_a_fire: how many may burn one fire together.
    """

    def __init__(self, threads_of_a_fire: int = 1) -> None:
        self.threads_of_a_fire = threads_of_a_fire
        self._ready: OrderedDict[str, Prepared] = OrderedDict()
        self._idle: dict[tuple[str, int], list[Worker]] = {}
        self._lock = Lock()

    def keep(self, digest: str, ready: Prepared) -> None:
        """Keep a scenario that is ready, and forget those unused for longest when there are too many."""
        with self._lock:
            self._ready[digest] = ready
            while len(self._ready) > 1 and (
                len(self._ready) > PREPARED_MOST
                or sum(int(np.prod(r.shape)) for r in self._ready.values()) > CELLS_MOST
            ):
                old, _ = self._ready.popitem(last=False)
                for key in [key for key in self._idle if key[0] == old]:
                    del self._idle[key]

    def ready(self, digest: str, document: Mapping[str, Any]) -> Prepared:
        """A scenario made ready; once per process as a rule."""
        with self._lock:
            if digest in self._ready:
                self._ready.move_to_end(digest)
                return self._ready[digest]
        made = prepared_of(document)
        self.keep(digest, made)
        return made

    def burn(self, block: Block) -> list[Burnt]:
        """Burn a block, piece by piece."""
        return [self._burn_piece(piece, block) for piece in block.pieces]

    def _burn_piece(self, piece: Piece, block: Block) -> Burnt:
        ready, key = self.ready(piece.digest, block.documents[piece.digest]), (piece.digest, block.seed)
        with self._lock:
            idle = self._idle.get(key)
            worker = idle.pop() if idle else None
        if worker is None or worker.ready is not ready:
            worker = Worker(ready, block.seed, self.threads_of_a_fire)
        burnt = worker.burn_piece(piece, block.keep)
        with self._lock:
            if self._ready.get(piece.digest) is ready:
                self._idle.setdefault(key, []).append(worker)
        return burnt


def prepared_of(document: Mapping[str, Any], file: str = "") -> Prepared:
    """A scenario made ready from its document. InputError where it is none."""
    system = system_named(str(document["system"]))
    scenario, problems = checked(system, dict(document), file)
    if scenario is None:
        raise InputError(problems)
    return system.prepare(scenario)


_workshop = Workshop()


def burn_remotely(block: Block) -> list[Burnt]:
    """Burn a block in a process of its own, which keeps its scenarios ready for the blocks that follow."""
    return _workshop.burn(block)


def next_size(fires: int, seconds: float) -> int:
    """How many fires the next block should hold, given how long the last one took; grows by at most eight times."""
    wanted = fires * BLOCK_SECONDS / max(seconds, 1e-6)
    return int(min(max(wanted, 1), 8 * fires, BLOCK_MOST))


class Sizes:
    """How many fires of a case make a block: learnt from block to block; `fixed`: always so many."""

    def __init__(self, fixed: int | None = None) -> None:
        self.fixed, self._of, self._last = fixed, dict[int, int](), 1

    def of(self, case: int) -> int:
        """Fires of this case that take about `BLOCK_SECONDS`; one not yet burnt begins with an eighth of the last."""
        return self.fixed or self._of.get(case) or max(1, self._last // 8)

    def learn(self, burnt: Burnt) -> None:
        """Take note of how long a piece took."""
        case, count = burnt.piece.case, burnt.piece.count
        known = self._of.get(case, 1)
        if count >= known:
            self._of[case] = next_size(count, burnt.seconds)
        else:  # the rest of a case says nothing of how much larger a block could be
            self._of[case] = min(known, max(1, int(count * BLOCK_SECONDS / max(burnt.seconds, 1e-6))))
        self._last = self._of[case]
