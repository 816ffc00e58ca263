"""Running a study: blocks go out to an engine, what comes back is kept at once, what is lost is burnt again."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter
from typing import Protocol

from firesim.core.problems import InputError, Problem
from firesim.studies.blocks import Block, Burnt, Piece, Sizes
from firesim.studies.engines.base import LOST_MOST, Engine
from firesim.studies.ledger import Ledger

FAILED_MOST = 1000
"""When so many fires have failed and none has not, the study stops."""

ALIVE_SECONDS = 1.0
"""So often an engine of which nothing comes in is asked whether it is still there."""

SMALLEST_BLOCK = 1 / 8
"""Towards the end blocks become smaller, to this share of a whole one."""

FIRST_ROUND, ROUND_FACTOR = 100, 10
"""All cases get so many fires before any gets more, then so many times as many: one cut short compares all of them."""


@dataclass(frozen=True)
class Progress:
    """How far a study is. seconds_left: nan before anything has come in. case: the one burnt last."""

    done: int
    asked: int
    fires_per_second: float
    seconds_left: float
    case: int


class Store(Protocol):
    """Keeps what was burnt."""

    def commit(self, burnt: list[Burnt]) -> None:
        """Keep pieces, rows and maps at one stroke."""


class Burning:
    """A study under way. block_fires: fires of every block (None: about half a second's worth)."""

    def __init__(
        self,
        ledger: Ledger,
        engine: Engine,
        store: Store | None = None,
        watch: Callable[[Progress], None] | None = None,
        block_fires: int | None = None,
    ) -> None:
        self.ledger, self.engine, self.store, self.watch = ledger, engine, store, watch
        self.sizes = Sizes(block_fires)
        self.asked = ledger.plan.fires
        self._began, self._before = perf_counter(), ledger.done + ledger.failed
        self._lost: dict[tuple[Piece, ...], int] = {}

    def burn_all(self, replicates: int, failed_too: bool = False) -> None:
        """Burn so many replicates of each case, round by round."""
        if failed_too:
            self.burn_to(min(replicates, self.ledger.replicates), True)
        size = FIRST_ROUND
        while size < replicates:
            self.burn_to(size)
            size *= ROUND_FACTOR
        self.burn_to(replicates)

    def burn_to(self, replicates: int, failed_too: bool = False) -> None:
        """Burn what is missing of so many replicates of each case."""
        self.ledger.make_room(replicates)
        left = self._pieces(replicates, failed_too)
        running: dict[Future[list[Burnt]], Block] = {}
        again: list[Block] = []
        try:
            while True:
                while len(running) < 2 * self.engine.workers:
                    block = again.pop() if again else self._next_block(left)
                    if block is None:
                        break
                    running[self._submit(block)] = block
                if not running:
                    return
                self._take(self._finished(running), running, again)
        except BaseException:
            for future in running:
                future.cancel()
            self._keep_what_is_finished(running)
            raise

    def _finished(self, running: dict[Future[list[Burnt]], Block]) -> set[Future[list[Burnt]]]:
        """Wait for blocks to come in. InputError where the engine is gone, and none will."""
        while True:
            finished, _ = wait(running, timeout=ALIVE_SECONDS, return_when=FIRST_COMPLETED)
            if finished:
                return finished
            if not self.engine.alive():
                what = f"the {self.engine.in_words} are gone"
                raise InputError(Problem(what, "an engine that answers", "the same command goes on from here"))

    def _submit(self, block: Block) -> Future[list[Burnt]]:
        try:
            return self.engine.submit(block)
        except BrokenExecutor:
            if self.engine.reopen is None:
                raise
            self.engine.executor = self.engine.reopen()
            return self.engine.submit(block)

    def _pieces(self, replicates: int, failed_too: bool) -> list[tuple[int, int, int]]:
        return list(self.ledger.missing(replicates, failed_too))[::-1]

    def _next_block(self, left: list[tuple[int, int, int]]) -> Block | None:
        """Pieces worth one block, of one case or of several small ones."""
        pieces: list[Piece] = []
        room = self._room(left)
        plan = self.ledger.plan
        while left and room > 0:
            case, first, count = left.pop()
            size = self.sizes.of(case)
            fires = min(count, max(1, int(room * size)))
            if pieces and fires > room * size:
                left.append((case, first, count))
                break
            if count > fires:
                left.append((case, first + fires, count - fires))
            pieces.append(Piece(case, plan.cases[case].digest, first, fires))
            room -= fires / size
        if not pieces:
            return None
        return Block(tuple(pieces), {p.digest: plan.document(p.case) for p in pieces}, plan.seed, plan.keep)

    def _room(self, left: list[tuple[int, int, int]]) -> float:
        """How much of a whole block the next one is: less towards the end, so that all workers end together."""
        if self.sizes.fixed or len(left) > 4 * self.engine.workers:
            return 1.0
        blocks = sum(count / self.sizes.of(case) for case, _, count in left)
        return min(1.0, max(blocks / (2 * self.engine.workers), SMALLEST_BLOCK))

    def _take(
        self, finished: set[Future[list[Burnt]]], running: dict[Future[list[Burnt]], Block], again: list[Block]
    ) -> None:
        """Keep the blocks that have come in; those that were lost are burnt again."""
        burnt: list[Burnt] = []
        for future in finished:
            block = running.pop(future)
            try:
                burnt += future.result()
            except (Exception, CancelledError) as error:
                self._note_lost(block, error)
                again.append(block)
        self._keep(burnt)

    def _keep(self, burnt: list[Burnt]) -> None:
        if not burnt:
            return
        if self.store:
            self.store.commit(burnt)
        for piece in burnt:
            self.ledger.take(piece)
            self.sizes.learn(piece)
        if not self.ledger.done and self.ledger.failed >= FAILED_MOST:
            raise RuntimeError(f"every fire fails: {self.ledger.first_error()}")
        if self.watch:
            self.watch(self.progress(burnt[-1].piece.case))

    def _note_lost(self, block: Block, error: BaseException) -> None:
        times = self._lost[block.pieces] = self._lost.get(block.pieces, 0) + 1
        if times <= LOST_MOST:
            return
        if self.engine.local:
            raise error
        piece, reason = block.pieces[0], f"{type(error).__name__}: {str(error)[:200]}"
        raise InputError(
            Problem(
                f"a block was lost {times} times (case {piece.case}, from replicate {piece.first}: {reason})",
                f"workers that answer ({self.engine.in_words})",
                "their own logs tell more; the same command goes on from here",
            )
        )

    def _keep_what_is_finished(self, running: dict[Future[list[Burnt]], Block]) -> None:
        """After an interrupt: what was under way here is finished and kept."""
        if not self.store:
            return
        under_way = [f for f in running if not f.cancelled()]
        done = wait(under_way, timeout=5 if self.engine.local else 0)[0]
        burnt = [b for f in done if not f.cancelled() and f.exception() is None for b in f.result()]
        with suppress(InputError):  # the disk may be full, which was the reason to stop
            self.store.commit(burnt)

    def progress(self, case: int) -> Progress:
        """How far it is."""
        done = self.ledger.done + self.ledger.failed
        rate = (done - self._before) / max(perf_counter() - self._began, 1e-6)
        return Progress(done, self.asked, rate, (self.asked - done) / rate if rate else float("nan"), case)
