"""The store of a study folder: outcome rows and the maps of the blocks they came in, in SQLite, one writer.

Rows and maps of a block are committed at one stroke, so that whatever ends the program leaves both or neither. Maps
are kept block by block and joined 64 at a time: each says which replicates it is of, and a damaged store can be saved
as far as it goes. Nothing in it is ever executed: numbers and texts alone.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np

from firesim.core.problems import InputError, Problem
from firesim.studies.blocks import Burnt
from firesim.studies.ledger import DONE, FAILED, Ledger
from firesim.studies.tally import Array, Touched, joined

NAME = "fires.sqlite"
JOINED = 64
"""So many neighbouring maps of one level become one of the next."""

ROWS_AT_ONCE = 50_000
LISTS_AT_ONCE = 2_000
SPECIAL = -1
"""Level of maps of single fires burnt again, which lie within others and are never joined."""


class DamagedError(Exception):
    """The store cannot be read as it should be."""


class Store:
    """An open store. columns: of the outcome rows, in order. reading: nothing is to be written."""

    def __init__(self, path: Path, columns: Sequence[str], first_replicate: int, reading: bool = False) -> None:
        self.path, self.columns, self.first = path, tuple(columns), first_replicate
        self._maps: dict[int, list[tuple[int, int, int]]] = {}
        with kindly(path):
            if reading:
                self.connection = read_only(path)
                return
            self.connection = sqlite3.connect(path, isolation_level=None)
            try:
                self.connection.execute("PRAGMA journal_mode=WAL")
                self.connection.execute("PRAGMA synchronous=NORMAL")
            except BaseException:
                self.connection.close()
                raise

    def close(self) -> None:
        """Close it; what is committed is on the disk."""
        with suppress(sqlite3.Error):
            self.connection.close()

    def create(self, frozen: str) -> None:
        """The tables, and the frozen study."""
        names = "".join(f", {quoted(column)} INTEGER" for column in self.columns)
        with kindly(self.path), self._at_one_stroke() as connection:
            connection.execute("CREATE TABLE study (key TEXT PRIMARY KEY, value TEXT)")
            connection.execute(
                f'CREATE TABLE fires ("case" INTEGER, "replicate" INTEGER{names}, "error" TEXT, '
                'PRIMARY KEY ("case", "replicate")) WITHOUT ROWID'
            )
            connection.execute(
                'CREATE TABLE maps ("case" INTEGER, first INTEGER, count INTEGER, level INTEGER, data BLOB, '
                'PRIMARY KEY ("case", first, count, level))'
            )
            connection.execute("INSERT INTO study VALUES ('frozen', ?)", (frozen,))

    def freeze(self, frozen: str) -> None:
        """The frozen study anew."""
        with kindly(self.path), self._at_one_stroke() as connection:
            connection.execute("INSERT OR REPLACE INTO study VALUES ('frozen', ?)", (frozen,))

    def commit(self, burnt: Sequence[Burnt]) -> None:
        """Keep pieces, rows and maps at one stroke. InputError where the disk is full."""
        with kindly(self.path), self._at_one_stroke() as connection:
            for piece in burnt:
                self._insert(connection, piece)
            for case in {piece.piece.case for piece in burnt}:
                self._join(connection, case)

    @contextmanager
    def _at_one_stroke(self) -> Iterator[sqlite3.Connection]:
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield self.connection
            self.connection.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                self.connection.execute("ROLLBACK")
            raise

    def _insert(self, connection: sqlite3.Connection, burnt: Burnt) -> None:
        piece = burnt.piece
        places = [burnt.columns.index(column) for column in self.columns]
        numbers = np.empty((piece.count, 2 + len(places)), np.int64)
        numbers[:, 0] = piece.case
        numbers[:, 1] = np.arange(piece.first, piece.first + piece.count)
        numbers[:, 2:] = burnt.rows[:, places]
        marks = ",".join("?" * numbers.shape[1])
        again = connection.execute(
            'SELECT 1 FROM fires WHERE "case" = ? AND "replicate" >= ? AND "replicate" < ? LIMIT 1',
            (piece.case, piece.first, piece.first + piece.count),
        ).fetchone()
        sound = numbers if not burnt.failed else numbers[~np.isin(numbers[:, 1], list(burnt.failed))]
        connection.executemany(f"INSERT OR REPLACE INTO fires VALUES ({marks},NULL)", rows_in_turn(sound))
        if burnt.failed:
            empty = ",".join(["NULL"] * len(places))
            connection.executemany(
                f"INSERT OR REPLACE INTO fires VALUES (?,?,{empty},?)",
                [(piece.case, replicate, error) for replicate, error in burnt.failed.items()],
            )
        level = SPECIAL if again else 0
        connection.execute(
            "INSERT OR REPLACE INTO maps VALUES (?,?,?,?,?)",
            (piece.case, piece.first, piece.count, level, burnt.maps.packed()),
        )
        if level == 0:
            self._maps.setdefault(piece.case, []).append((0, piece.first, piece.count))

    def _join(self, connection: sqlite3.Connection, case: int) -> None:
        """Join neighbouring maps of a level, 64 at a time."""
        entries = self._maps.get(case, [])
        if len(entries) < 2 * JOINED:
            return
        entries.sort()
        kept: list[tuple[int, int, int]] = []
        run: list[tuple[int, int, int]] = []
        for entry in entries:
            if run and (entry[0] != run[-1][0] or entry[1] != run[-1][1] + run[-1][2]):
                kept += run
                run = []
            run.append(entry)
            if len(run) == JOINED:
                kept.append(self._joined(connection, case, run))
                run = []
        self._maps[case] = kept + run

    def _joined(
        self, connection: sqlite3.Connection, case: int, run: list[tuple[int, int, int]]
    ) -> tuple[int, int, int]:
        level, first = run[0][:2]
        count = sum(entry[2] for entry in run)
        keys = [(case, f, n, lv) for lv, f, n in run]
        where = 'WHERE "case" = ? AND first = ? AND count = ? AND level = ?'
        parts = [
            Touched.unpacked(connection.execute(f"SELECT data FROM maps {where}", key).fetchone()[0]) for key in keys
        ]
        connection.executemany(f"DELETE FROM maps {where}", keys)
        connection.execute(
            "INSERT INTO maps VALUES (?,?,?,?,?)", (case, first, count, level + 1, joined(parts).packed())
        )
        return level + 1, first, count

    # ------------------------------------------------------------------------------------------------------- reading
    def check(self) -> None:
        """DamagedError where the file is not whole or lacks a table."""
        try:
            said = self.connection.execute("PRAGMA quick_check(1)").fetchone()
            tables = {
                name for (name,) in self.connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            }
            names = tuple(row[1] for row in self.connection.execute("PRAGMA table_info(fires)"))
        except sqlite3.DatabaseError as error:
            raise DamagedError(str(error)) from None
        if said is None or said[0] != "ok":
            raise DamagedError(str(said[0]).replace("\n", " ")[:100] if said else "it is empty")
        if not {"study", "fires", "maps"} <= tables:
            raise DamagedError("its tables are missing")
        if names != ("case", "replicate", *self.columns, "error"):
            raise DamagedError("its columns are others")

    def replicates(self) -> int:
        """How many replicates the case with most of them reaches to."""
        (last,) = self.connection.execute('SELECT MAX("replicate") FROM fires').fetchone()
        return 0 if last is None else int(last) - self.first + 1

    def load(self, ledger: Ledger) -> None:
        """All rows and maps into the ledger, which has room for them. DamagedError where they are no study's."""
        try:
            self.load_rows(ledger)
            if ledger.plan.keep:
                self._load_maps(ledger)
                self._compare_counts(ledger)
        except (sqlite3.DatabaseError, ValueError, IndexError, TypeError, OverflowError) as error:
            raise DamagedError(str(error)) from None

    @staticmethod
    def _compare_counts(ledger: Ledger) -> None:
        """ValueError where a case's maps are not of as many fires as it has rows."""
        for case, maps in enumerate(ledger.maps):
            if (maps.fires if maps else 0) != np.count_nonzero(ledger.marks[case] == DONE):
                raise ValueError(f"rows and maps of case {case} do not belong together")

    def load_rows(self, ledger: Ledger) -> None:
        """All rows into the ledger, which has room for them."""
        cases = len(ledger.plan.cases)
        rows = self.connection.execute('SELECT * FROM fires ORDER BY "case", "replicate"')
        while chunk := rows.fetchmany(ROWS_AT_ONCE):
            errors = {(row[0], row[1]): str(row[-1]) for row in chunk if row[-1] is not None}
            table = np.array(
                [[0 if v is None else v for v in row[:-1]] for row in chunk] if errors else [row[:-1] for row in chunk],
                np.int64,
            )
            marks = np.array([FAILED if row[-1] is not None else DONE for row in chunk], np.uint8)
            places = table[:, 1] - self.first
            if (
                table[:, 0].min() < 0
                or table[:, 0].max() >= cases
                or places.min() < 0
                or places.max() >= ledger.replicates
            ):
                raise ValueError("rows of fires that the study has not")
            breaks = np.flatnonzero((np.diff(table[:, 0]) != 0) | (np.diff(places) != 1)) + 1
            for span in np.split(np.arange(len(table)), breaks):
                a, b = int(span[0]), int(span[-1]) + 1
                values = {c: table[a:b, 2 + i] for i, c in enumerate(self.columns)}
                ledger.set_rows(int(table[a, 0]), int(places[a]), marks[a:b], values)
            ledger.failures.update(errors)

    def _load_maps(self, ledger: Ledger) -> None:
        self._maps.clear()
        for case, first, count, level, data in self.connection.execute(
            'SELECT "case", first, count, level, data FROM maps'
        ):
            ledger.maps_of(case).add(Touched.unpacked(data))
            if level >= 0:
                self._maps.setdefault(case, []).append((level, first, count))


def rows_in_turn(table: Array) -> Iterator[list[int]]:
    """The rows of a table as lists, made some thousands at a time: a million at once would keep the collector busy."""
    for at in range(0, len(table), LISTS_AT_ONCE):
        yield from table[at : at + LISTS_AT_ONCE].tolist()


def read_only(path: Path) -> sqlite3.Connection:
    """A store open for reading alone; nothing is written beside it unless a study is under way there."""
    log = Path(f"{path}-wal")
    still = "" if log.exists() and log.stat().st_size else "&immutable=1"
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro{still}", uri=True)


def quoted(name: str) -> str:
    """A name as SQL wants it."""
    return '"' + name.replace('"', '""') + '"'


@contextmanager
def kindly(path: Path) -> Iterator[None]:
    """A full disk, a file that may not be written, a study under way elsewhere: InputError with what to do."""
    try:
        yield
    except sqlite3.OperationalError as error:
        text = str(error)
        if "full" in text or "disk I/O" in text:
            problem = Problem("the disk is full", "room for the study", "make room; the same command goes on from here")
        elif "locked" in text:
            problem = Problem("another firesim writes into it", "one at a time", "wait for it to end")
        else:
            problem = Problem(f"it cannot be written ({text})", "a place to write")
        raise InputError(Problem(problem.what, problem.expected, problem.hint, file=str(path))) from None
    except sqlite3.DatabaseError as error:
        raise DamagedError(str(error)) from None
