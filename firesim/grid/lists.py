"""Small loops over lists that kernels share: numba's own would ask for the memory management kernels lack."""

from __future__ import annotations

from firesim.jit import jit


@jit
def sort_cells(cells, count):
    """Sort the first `count` entries in place, ascending."""
    sort_by(None, cells, count)


@jit
def sort_by(keys, entries, count):
    """Sort the first `count` entries in place by the key of each, ascending: `keys[entry]`, without keys the entry.

    Shell's sort: quick on lists that are nearly in order.
    """
    gap = 1
    while gap < count // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, count):
            entry = entries[i]
            key = key_of_entry(keys, entry)
            j = i
            while j >= gap and key_of_entry(keys, entries[j - gap]) > key:
                entries[j] = entries[j - gap]
                j -= gap
            entries[j] = entry
        gap //= 3


@jit
def key_of_entry(keys, entry):
    """What an entry is sorted by; keys that are absent compile away."""
    if keys is None:
        return entry
    return keys[entry]


@jit
def copy_entries(target, source, count):
    """Write the first `count` entries of `source` into `target`."""
    for i in range(count):
        target[i] = source[i]
