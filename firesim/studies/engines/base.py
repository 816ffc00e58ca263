"""What an engine is to a study."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass

from firesim.studies.blocks import Block, Burnt, burn_remotely

LOST_MOST = 3
"""How often a block that was lost is given to another worker."""


@dataclass
class Engine:
    """An executor with so many workers; `burn`: what they are given to do; in_words: `2 threads`;
    local: whether they are threads of this process. alive: whether anything is still to be expected of it.

    reopen: a new executor in place of one that broke; None where the executor mends itself.
    """

    executor: Executor
    workers: int
    in_words: str
    burn: Callable[[Block], list[Burnt]] = burn_remotely
    local: bool = False
    alive: Callable[[], bool] = lambda: True
    reopen: Callable[[], Executor] | None = None

    def submit(self, block: Block) -> Future[list[Burnt]]:
        """Give a block to a worker."""
        return self.executor.submit(self.burn, block)
