"""Which fire of a study folder is meant: by its key, or the median, worst or best of an outcome."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from firesim.core.problems import InputError, Problem, listed, nearest
from firesim.studies.folder import read_frozen
from firesim.studies.plan import Plan
from firesim.studies.store import NAME, quoted, read_only

RANKS = ("median", "worst", "best")


@dataclass(frozen=True)
class Chosen:
    """One fire of a study. why: in words, empty where it was named by its key. row: its outcome as it is stored."""

    plan: Plan
    case: int
    replicate: int
    why: str = ""
    row: Mapping[str, int] | None = None


def chosen(
    folder: Path, case: int | None = None, replicate: int | None = None, rank: str = "", outcome: str = ""
) -> Chosen:
    """The fire that is meant.

    rank: `median`, `worst` (most of an outcome) or `best` (least); case: among its fires alone. Of several fires with
    the same outcome, the one with the lowest key. Raises InputError for a folder that is none, and for a case or an
    outcome that there is not.
    """
    if not folder.exists():
        raise InputError(Problem("there is no such folder", "a study folder", file=str(folder)))
    if not folder.is_dir():
        raise InputError(Problem("this is a file", "a study folder", file=str(folder)))
    plan = read_frozen(folder)
    if case is not None and not 0 <= case < len(plan.cases):
        raise InputError(
            Problem(f"there is no case {case}", f"a case from 0 to {len(plan.cases) - 1}", file=str(folder))
        )
    if not rank:
        place = case or 0, _in_study(plan, plan.first_replicate if replicate is None else replicate, folder)
        return Chosen(plan, *place, row=_stored(folder / NAME, plan, *place))
    if outcome not in plan.columns:
        raise InputError(Problem(f"no outcome '{outcome}'", listed(plan.columns, 30), nearest(outcome, plan.columns)))
    found_case, found, value = _ranked(folder / NAME, rank, outcome, case)
    stored = _stored(folder / NAME, plan, found_case, found)
    return Chosen(plan, found_case, found, f"{rank} {outcome}: {value}", stored)


def _stored(path: Path, plan: Plan, case: int, replicate: int) -> dict[str, int] | None:
    """The outcome of a fire as the store has it; None where it has none that can be read."""
    if not path.is_file():
        return None
    names = ", ".join(quoted(column) for column in plan.columns)
    with suppress(sqlite3.Error):
        connection = read_only(path)
        try:
            row = connection.execute(
                f'SELECT {names} FROM fires WHERE "case" = ? AND "replicate" = ? AND error IS NULL', (case, replicate)
            ).fetchone()
        finally:
            connection.close()
        return None if row is None else dict(zip(plan.columns, row, strict=True))
    return None


def _in_study(plan: Plan, replicate: int, folder: Path) -> int:
    end = plan.first_replicate + plan.replicates
    if not plan.first_replicate <= replicate < end:
        expected = f"a replicate from {plan.first_replicate:,} to {end - 1:,}"
        raise InputError(Problem(f"replicate {replicate:,} is not in this study", expected, file=str(folder)))
    return replicate


def _ranked(path: Path, rank: str, outcome: str, case: int | None) -> tuple[int, int, int]:
    """Case, replicate and value of the fire in a rank; without those that failed, or in which a time never came."""
    column = quoted(outcome)
    where = f"WHERE error IS NULL AND {column} >= 0" + ("" if case is None else f' AND "case" = {int(case)}')
    if not path.is_file():
        raise InputError(Problem("there is no store", "a study folder with fires in it", file=str(path)))
    try:
        connection = read_only(path)
        try:
            (fires,) = connection.execute(f"SELECT COUNT(*) FROM fires {where}").fetchone()
            place = {"median": (fires - 1) // 2, "worst": 0, "best": 0}[rank]
            order = "DESC" if rank == "worst" else "ASC"
            row = connection.execute(
                f'SELECT "case", "replicate", {column} FROM fires {where} '
                f'ORDER BY {column} {order}, "case", "replicate" LIMIT 1 OFFSET {max(place, 0)}'
            ).fetchone()
        finally:
            connection.close()
    except sqlite3.Error as error:
        hint = "go on with the study: what can be saved is saved"
        raise InputError(Problem(f"the store cannot be read ({error})", "", hint, file=str(path))) from None
    if row is None:
        raise InputError(Problem(f"no fire has a {outcome} to rank", "a study with fires in it", file=str(path)))
    return int(row[0]), int(row[1]), int(row[2])
