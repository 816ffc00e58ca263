"""Whole-number maps: what a block adds, what is sent, what bytes from anywhere may say."""

from __future__ import annotations

import zlib

import numpy as np
import pytest

from firesim.studies.tally import CURVE_STEPS, Maps, Touched, joined

LUCK = np.random.default_rng(20261129)


def touched(cells: list[int], steps: int = 6, records: int = 2) -> Touched:
    counts, sums = LUCK.integers(0, 9, (2, records, len(cells)))
    return Touched(np.array(cells, np.int64), counts, sums, LUCK.integers(0, 9, (records, steps)), 3)


def added(*parts: Touched, cells: int = 12) -> Maps:
    maps = Maps.empty(2, cells)
    for part in parts:
        maps.add(part)
    return maps


def assert_same(one: Maps, other: Maps) -> None:
    for part in ("counts", "sums", "curves"):
        assert np.array_equal(getattr(one, part), getattr(other, part)), part
    assert one.fires == other.fires


@pytest.mark.parametrize("part", [touched([0, 3, 11]), touched([]), touched([5], steps=0)])
def test_maps_come_back_from_bytes(part: Touched) -> None:
    again = Touched.unpacked(part.packed())
    assert np.array_equal(again.cells, part.cells)
    assert_same(added(part), added(again))


def test_blocks_joined_are_the_blocks_added_in_any_order() -> None:
    parts = [touched([1, 4]), touched([4, 7, 9], steps=9), touched([])]
    assert_same(added(*parts), added(joined(parts)))
    assert_same(added(*parts), added(*parts[::-1]))


def test_what_is_taken_is_gone() -> None:
    maps = added(touched([1, 4]), touched([4]))
    before = added(maps_taken := maps.take())
    assert maps_taken.cells.tolist() == [1, 4]
    assert not maps.counts.any()
    assert not maps.curves.any()
    assert maps.fires == 0
    assert before.fires == 6
    assert len(maps.take().cells) == 0


def test_what_is_not_kept_is_left_out() -> None:
    part = touched([1, 4])
    assert part.kept(("maps", "curves")).packed() == part.packed()
    assert len(part.kept(("curves",)).cells) == 0
    assert part.kept(("maps",)).curves.shape == (2, 0)
    assert part.kept(()).fires == 3


def numbers(*values: int) -> bytes:
    return zlib.compress(np.array(values, "<i8").tobytes())


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"rubbish",
        touched([1, 4]).packed()[:-3],
        touched([1, 4]).packed()[:10] + b"\xff" + touched([1, 4]).packed()[11:],
        zlib.compress(b"seven b"),
        numbers(1, 1, 1),
        numbers(2, -1, 0, 0),
        numbers(2, 2**40, 0, 0),
        numbers(2, 1, 0, 0, 5),
    ],
)
def test_bytes_that_are_no_maps_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="damaged maps"):
        Touched.unpacked(data)


@pytest.mark.parametrize(
    "part",
    [touched([12]), touched([-1]), touched([1], records=3), touched([1], steps=CURVE_STEPS + 1)],
    ids=["cell", "negative", "records", "steps"],
)
def test_maps_of_another_scenario_are_refused(part: Touched) -> None:
    with pytest.raises(ValueError, match="maps of another scenario"):
        added(part)
