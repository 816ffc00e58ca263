"""Whole-number maps and curves of many fires, and the same of one block as it is sent and stored."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from firesim.rules.base import Prepared

Array = np.ndarray[Any, Any]

KEPT = ("maps", "curves")
"""What may be kept beside the outcome rows."""

CURVE_STEPS = 4096
"""A curve's length at most: what happens in this step or later is counted in the last place."""

PACKED_MOST = 1 << 31
"""Bytes of a block's maps once unpacked: more are no maps of ours."""


@dataclass
class Maps:
    """Of `fires` fires: counts and sums (records, cells), curves (records, steps), all int64.

    counts: how often each record was set; sums: the sum of its steps; curves: how often in each step.
    """

    counts: Array
    sums: Array
    curves: Array
    fires: int = 0

    @staticmethod
    def empty(records: int, cells: int) -> Maps:
        """The maps of no fire; their curves grow as far as they are wanted."""
        counts, sums, curves = (np.zeros((records, n), np.int64) for n in (cells, cells, 0))
        return Maps(counts, sums, curves)

    @staticmethod
    def blank(ready: Prepared) -> Maps:
        """The maps of no fire, with room for every step that a kernel may write to."""
        records, cells = len(ready.system.records), int(np.prod(ready.shape)) + 1
        steps = min(ready.horizon + 1, CURVE_STEPS)
        counts, sums = (np.zeros((records, cells), np.int64, order="F") for _ in range(2))  # a cell's lie together
        return Maps(counts, sums, np.zeros((records, steps), np.int64))

    def add(self, other: Touched) -> None:
        """Add the maps of a block; ValueError where they are not of this map."""
        records, steps = other.curves.shape
        inside = not len(other.cells) or 0 <= other.cells.min() <= other.cells.max() < self.counts.shape[1]
        if records != len(self.counts) or not inside or steps > CURVE_STEPS:
            raise ValueError("maps of another scenario")
        self.counts[:, other.cells] += other.counts
        self.sums[:, other.cells] += other.sums
        if steps > self.curves.shape[1]:
            self.curves = np.pad(self.curves, ((0, 0), (0, steps - self.curves.shape[1])))
        self.curves[:, :steps] += other.curves
        self.fires += other.fires

    def take(self) -> Touched:
        """What has been added since the last time; the maps are zero again."""
        cells = np.flatnonzero(self.counts.any(axis=0))
        steps = np.flatnonzero(self.curves.any(axis=0))
        length = int(steps[-1]) + 1 if len(steps) else 0
        taken = Touched(cells, self.counts[:, cells], self.sums[:, cells], self.curves[:, :length].copy(), self.fires)
        self.counts[:, cells] = 0
        self.sums[:, cells] = 0
        self.curves[:, :length] = 0
        self.fires = 0
        return taken


@dataclass
class Touched:
    """Maps of some fires, of the cells alone that they touched.

    cells: their numbers; counts, sums: (records, cells); curves: (records, steps), as far as anything happened.
    """

    cells: Array
    counts: Array
    sums: Array
    curves: Array
    fires: int

    def kept(self, keep: Sequence[str]) -> Touched:
        """The same without what is not kept."""
        cells = slice(None) if "maps" in keep else slice(0)
        steps = slice(None) if "curves" in keep else slice(0)
        return Touched(self.cells[cells], self.counts[:, cells], self.sums[:, cells], self.curves[:, steps], self.fires)

    def packed(self) -> bytes:
        """As bytes: five sizes, then the arrays, little-endian, compressed (with zlib's check sum)."""
        head = np.array([len(self.counts), len(self.cells), self.curves.shape[1], self.fires], "<i8")
        arrays = (head, self.cells, self.counts, self.sums, self.curves)
        return zlib.compress(b"".join(np.ascontiguousarray(a, "<i8").tobytes() for a in arrays), 1)

    @staticmethod
    def unpacked(data: bytes) -> Touched:
        """From bytes that may come from anywhere; ValueError where they are no maps."""
        reader = zlib.decompressobj()
        try:
            raw = reader.decompress(data, PACKED_MOST)
        except zlib.error as error:
            raise ValueError("damaged maps") from error
        if not reader.eof or len(raw) < 32 or len(raw) % 8:
            raise ValueError("damaged maps")
        numbers = np.frombuffer(raw, "<i8").astype(np.int64)
        records, cells, steps, fires = (int(n) for n in numbers[:4])
        sizes = [cells, records * cells, records * cells, records * steps]
        if min(records, cells, steps, fires) < 0 or sum(sizes) != len(numbers) - 4:
            raise ValueError("damaged maps")
        where, counts, sums, curves = np.split(numbers[4:], np.cumsum(sizes)[:-1])
        return Touched(
            where, counts.reshape(records, cells), sums.reshape(records, cells), curves.reshape(records, steps), fires
        )


def joined(parts: Iterable[Touched]) -> Touched:
    """The maps of several blocks together."""
    several = list(parts)
    cells = np.unique(np.concatenate([p.cells for p in several]))
    records, steps = len(several[0].counts), max(p.curves.shape[1] for p in several)
    counts, sums, curves = (np.zeros((records, n), np.int64) for n in (len(cells), len(cells), steps))
    total = Touched(cells, counts, sums, curves, 0)
    for part in several:
        places = np.searchsorted(cells, part.cells)
        total.counts[:, places] += part.counts
        total.sums[:, places] += part.sums
        total.curves[:, : part.curves.shape[1]] += part.curves
        total.fires += part.fires
    return total
