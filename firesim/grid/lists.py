"""Small loops over lists that kernels share: numba's own would ask for the memory management kernels lack."""

from __future__ import annotations

from firesim.jit import jit


@jit
def sort_cells(cells, count):
    """Sort the first `count` entries in place, ascending (Shell's sort: quick on lists that are nearly in order)."""
    gap = 1
    while gap < count // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, count):
            cell = cells[i]
            j = i
            while j >= gap and cells[j - gap] > cell:
                cells[j] = cells[j - gap]
                j -= gap
            cells[j] = cell
        gap //= 3


@jit
def sort_by(keys, entries, count):
    """Sort the first `count` entries in place by the key of each, `keys[entry]`, ascending."""
    gap = 1
    while gap < count // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, count):
            entry = entries[i]
            j = i
            while j >= gap and keys[entries[j - gap]] > keys[entry]:
                entries[j] = entries[j - gap]
                j -= gap
            entries[j] = entry
        gap //= 3


@jit
def copy_entries(target, source, count):
    """Write the first `count` entries of `source` into `target`."""
    for i in range(count):
        target[i] = source[i]
