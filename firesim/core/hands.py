"""Threads that do the parts of one thing at once; kernels release the GIL."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Part = TypeVar("Part")
Done = TypeVar("Done")


class Hands:
    """So many threads: the one that calls, and others, which end when this object is forgotten."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._others = ThreadPoolExecutor(max(count - 1, 1), "firesim-hand")

    def at_once(self, do: Callable[[Part], Done], parts: Sequence[Part]) -> list[Done]:
        """What `do` returns for each part, in order.

        The calling thread does the first, and after it those for which there is no other thread. When one fails, the
        error comes after all are done.
        """
        others = [self._others.submit(do, part) for part in parts[1 : self.count]]
        try:
            first = [do(part) for part in parts[:1]]
            rest = [do(part) for part in parts[self.count :]]
        finally:
            done = [other.exception() for other in others]
        for error in done:
            if error is not None:
                raise error
        return [*first, *(other.result() for other in others), *rest]
