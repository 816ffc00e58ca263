"""Sorting in compiled code: as numpy does it, and nothing beyond the count is touched."""

from __future__ import annotations

import numpy as np
import pytest

from firesim.grid.lists import sort_by, sort_cells

COUNTS = (0, 1, 2, 3, 4, 5, 13, 40, 121, 500)


@pytest.mark.parametrize("count", COUNTS)
def test_cells_are_sorted(count: int) -> None:
    cells = np.random.default_rng(count).integers(0, 200, count + 3).astype(np.int32)
    before = cells.copy()
    sort_cells(cells, count)
    assert cells[:count].tolist() == sorted(before[:count])
    assert cells[count:].tolist() == before[count:].tolist()


@pytest.mark.parametrize("count", COUNTS)
def test_entries_are_sorted_by_their_keys(count: int) -> None:
    rng = np.random.default_rng(count)
    keys = rng.permutation(600).astype(np.int32)
    entries = rng.choice(600, count + 3, replace=False).astype(np.int32)
    before = entries.copy()
    sort_by(keys, entries, count)
    assert entries[:count].tolist() == sorted(before[:count], key=keys.__getitem__)
    assert entries[count:].tolist() == before[count:].tolist()
