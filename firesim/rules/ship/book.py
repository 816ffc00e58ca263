"""The ship's tables, apart from the kernel, so that a scenario is checked without compiling anything."""

from __future__ import annotations

from functools import lru_cache

from firesim.core.tables import Tables


@lru_cache(maxsize=1)
def book() -> Tables:
    """The ship's tables as the book has them."""
    return Tables.read("firesim.rules.ship")
