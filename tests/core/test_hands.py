"""Threads that do the parts of one thing at once."""

from __future__ import annotations

from threading import Barrier, get_ident

import pytest

from firesim.core.hands import Hands


@pytest.mark.parametrize("parts", [0, 1, 2, 3, 7])
def test_every_part_is_done_once_and_told_in_order(parts: int) -> None:
    did: list[int] = []

    def do(part: int) -> int:
        did.append(part)
        return 10 * part

    assert Hands(3).at_once(do, range(parts)) == [10 * part for part in range(parts)]
    assert sorted(did) == list(range(parts))


def test_parts_are_done_at_once_the_first_and_those_left_over_by_the_caller() -> None:
    meet = Barrier(3, timeout=60)

    def do(part: int) -> int:
        if part < 3:
            meet.wait()
        return get_ident()

    for _ in range(20):
        by = Hands(3).at_once(do, range(5))
        assert by[0] == by[3] == by[4] == get_ident()
        assert len({by[0], by[1], by[2]}) == 3


@pytest.mark.parametrize("fails", [0, 1, 2, 3])
def test_an_error_comes_when_all_are_done(fails: int) -> None:
    other = 1 if fails != 1 else 2
    done: list[int] = []

    def do(part: int) -> None:
        if part == fails:
            raise ZeroDivisionError(part)
        done.append(part)

    with pytest.raises(ZeroDivisionError, match=str(fails)):
        Hands(3).at_once(do, range(4))
    assert other in done
