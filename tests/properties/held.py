"""Fires held against laws, and laws against fires that were falsified: the same for every system."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from typing import TypeVar

import pytest

Watched = TypeVar("Watched")
Law = Callable[[Watched], None]


def held(fire: Watched, laws: Iterable[Law[Watched]]) -> Watched:
    """The fire, held against every law."""
    for law in laws:
        law(fire)
    return fire


def assert_each_law_finds(
    fire: Watched, laws: Iterable[Law[Watched]], wrong: Sequence[tuple[Law[Watched], Callable[[Watched], object]]]
) -> None:
    """Each law, and no other than those in `wrong`, fails on the fire that was falsified for it."""
    for law, falsify in wrong:
        falsified = deepcopy(fire)
        falsify(falsified)
        with pytest.raises(AssertionError):
            law(falsified)
    assert {law for law, _ in wrong} == set(laws)
