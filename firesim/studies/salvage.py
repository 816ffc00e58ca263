"""Saving what a damaged store still holds: rows whose block has its maps too, read in small runs around the damage."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from firesim.studies.store import Store
from firesim.studies.tally import Touched

RUN = 256
"""Rows read at a time: damage within costs so many."""

MAPS_TRIED = 5_000
"""So many maps in a row are looked for after one that cannot be read."""


def set_aside(path: Path) -> Path:
    """Move a damaged store, and the log of its last writes, to a name of its own."""
    number = 1
    while (aside := path.with_name(f"damaged-{number}.sqlite")).exists():
        number += 1
    for suffix in ("-wal", "-shm"):
        with suppress(FileNotFoundError):
            os.replace(f"{path}{suffix}", f"{aside}{suffix}")
    os.replace(path, aside)
    return aside


def copy_sound(damaged: Path, store: Store, cases: int) -> int:
    """Copy every map whose rows are all there, with its rows; how many rows that were.

    Rows whose maps are lost are left out: they are burnt again, maps and all.
    """
    copied = 0
    with suppress(sqlite3.DatabaseError):
        source = sqlite3.connect(damaged, isolation_level=None)
        source.execute("PRAGMA writable_schema = ON")  # else SQLite reads nothing of a file that is too short
        try:
            spans = list(readable_maps(source))
            for case, first, count, level, data in spans:
                if not valid(case, first, count, data, store, cases):
                    continue
                rows = rows_of(source, case, first, count, len(store.columns))
                if rows is None:
                    continue
                copied += keep(store, rows, (case, first, count, level, data))
        finally:
            source.close()
    return copied


def valid(case: Any, first: Any, count: Any, data: Any, store: Store, cases: int) -> bool:
    """Whether a map could be of this study."""
    if not all(isinstance(n, int) for n in (case, first, count)) or not isinstance(data, bytes):
        return False
    if not 0 <= case < cases or first < store.first or not 0 < count <= 10**9:
        return False
    try:
        Touched.unpacked(data)
    except (ValueError, MemoryError):
        return False
    return True


def readable_maps(source: sqlite3.Connection) -> Iterator[tuple[Any, ...]]:
    """All maps that can be read, one after another; past damage the next thousands are tried one by one."""
    select = 'SELECT rowid, "case", first, count, level, data FROM maps WHERE rowid'
    last = lost = 0
    while lost < MAPS_TRIED:
        with suppress(sqlite3.DatabaseError):
            if lost:
                row = source.execute(f"{select} = ?", (last,)).fetchone()
            else:
                row = source.execute(f"{select} > ? ORDER BY rowid LIMIT 1", (last,)).fetchone()
                if row is None:
                    return
            if row is not None:
                last, lost = row[0], 0
                yield row[1:]
                continue
        last, lost = last + 1, lost + 1


def rows_of(
    source: sqlite3.Connection, case: int, first: int, count: int, columns: int
) -> list[tuple[Any, ...]] | None:
    """All rows of consecutive replicates, None where one is missing or makes no sense."""
    rows: list[tuple[Any, ...]] = []
    try:
        for start in range(first, first + count, RUN):
            end = min(start + RUN, first + count)
            found = source.execute(
                'SELECT * FROM fires WHERE "case" = ? AND "replicate" >= ? AND "replicate" < ?', (case, start, end)
            ).fetchall()
            if len(found) != end - start:
                return None
            rows += found
    except (sqlite3.DatabaseError, OverflowError):
        return None
    sound = all(
        len(row) == columns + 3 and (row[-1] is not None or all(isinstance(v, int) for v in row[:-1])) for row in rows
    )
    return rows if sound else None


def keep(store: Store, rows: list[tuple[Any, ...]], span: tuple[Any, ...]) -> int:
    """Write rows and their map into the new store, unless they are there."""
    marks = ",".join("?" * len(rows[0]))
    connection = store.connection
    connection.execute("BEGIN IMMEDIATE")
    connection.executemany(f"INSERT OR IGNORE INTO fires VALUES ({marks})", rows)
    connection.execute("INSERT OR IGNORE INTO maps VALUES (?,?,?,?,?)", span)
    connection.execute("COMMIT")
    return len(rows)
