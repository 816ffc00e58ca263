"""The study folder: the frozen study and its store; who may go on with it, and how it is mended."""

from __future__ import annotations

import json
import platform
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from firesim.core.files import writing
from firesim.core.problems import InputError, Problem
from firesim.studies import salvage
from firesim.studies.blocks import Piece, Worker
from firesim.studies.designs import CASES_MOST
from firesim.studies.ledger import DONE, Ledger
from firesim.studies.plan import REPLICATES_MOST, SEED_END, Case, Plan, digest_of, whole
from firesim.studies.rules_code import kernels
from firesim.studies.store import NAME, DamagedError, Store, kindly, read_only
from firesim.studies.tally import KEPT

FROZEN = "study.json"
FORMAT = 1
LOCK = ".writing"
"""An empty file that whoever writes holds locked; it stays, so that all who come lock the same one."""

Say = Callable[[str], None]


def is_study_folder(path: Path) -> bool:
    """Whether a folder holds a study."""
    return (path / FROZEN).is_file() or (path / NAME).is_file()


# ------------------------------------------------------------------------------------------------------ frozen studies
def frozen(plan: Plan, version: str) -> str:
    """A study as one JSON document: all scenarios, what varies, how often, from which seed, with which versions."""
    data = {
        "format": FORMAT,
        "digest": plan.digest,
        "firesim": version,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "kernels": kernels(),
        "title": plan.title,
        "seed": plan.seed,
        "first_replicate": plan.first_replicate,
        "replicates": plan.replicates,
        "until": plan.until,
        "until_decided": plan.until_decided,
        "keep": list(plan.keep),
        "keys": list(plan.keys),
        "columns": list(plan.columns),
        "left_out": list(plan.left_out),
        "files": list(plan.files),
        "cases": [
            {"document": c.base, "changes": dict(c.changes), "values": dict(c.values), "digest": c.digest}
            for c in plan.cases
        ],
        "documents": list(plan.documents),
    }
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def thawed(text: str, where: str) -> Plan:
    """A plan from its frozen form; InputError where it is none, or was changed by hand."""
    try:
        data = json.loads(text)
        cases = tuple(
            Case(int(c["document"]), dict(c["changes"]), dict(c["values"]), str(c["digest"])) for c in data["cases"]
        )
        plan = Plan(
            documents=tuple(dict(d) for d in data["documents"]),
            files=tuple(map(str, data["files"])),
            cases=cases,
            keys=tuple(map(str, data["keys"])),
            columns=tuple(map(str, data["columns"])),
            seed=whole("seed", data["seed"], 0, SEED_END - 1),
            first_replicate=whole("first_replicate", data["first_replicate"], 0, SEED_END - 1),
            replicates=whole("replicates", data["replicates"], 1, REPLICATES_MOST),
            title=str(data["title"]),
            until=None if data["until"] is None else str(data["until"]),
            until_decided=None if data["until_decided"] is None else str(data["until_decided"]),
            left_out=tuple(map(str, data["left_out"])),
            kernels=str(data["kernels"]),
            keep=tuple(word for word in KEPT if word in data["keep"]),
        )
        sound = data["format"] == FORMAT and plan.digest == data["digest"]
        sound = sound and 0 < len(cases) <= CASES_MOST and set(plan.columns) <= set(plan.prepared(0).columns)
        sound = sound and all(digest_of(plan.document(c)) == case.digest for c, case in enumerate(cases))
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError) as error:
        raise InputError(Problem(f"this is no frozen study ({str(error)[:100]})", file=where)) from None
    if not sound:
        raise InputError(
            Problem("the frozen study does not have the digest written in it", "the file as it was written", file=where)
        )
    return plan


def read_frozen(folder: Path, say: Say = lambda line: None) -> Plan:
    """The plan of a study folder, from its frozen study or else from the copy in its store. say: told of the latter."""
    problem: InputError | None = None
    path, fate = folder / FROZEN, "gone"
    with suppress(FileNotFoundError):
        try:
            return thawed(path.read_text("utf-8"), str(path))
        except InputError as error:
            problem, fate = error, "damaged"
        except UnicodeDecodeError:
            problem, fate = InputError(Problem("this is no frozen study (no UTF-8)", file=str(path))), "damaged"
    text = frozen_in_store(folder / NAME)
    if text is not None:
        plan = thawed(text, str(folder / NAME))
        say(f"{path} is {fate}: it is written anew from the copy in {NAME}")
        return plan
    raise problem or InputError(Problem("this is no study folder", f"a folder with {FROZEN}", file=str(folder)))


def frozen_in_store(path: Path) -> str | None:
    """The frozen study that a store holds; None where it cannot be read."""
    if not path.is_file():
        return None
    with suppress(sqlite3.Error):
        connection = read_only(path)
        try:
            row = connection.execute("SELECT value FROM study WHERE key = 'frozen'").fetchone()
            return str(row[0]) if row else None
        finally:
            connection.close()
    return None


def sqlite_has_tables(path: Path) -> bool:
    """Whether a store holds anything; one that cannot be read may."""
    try:
        connection = read_only(path)
        try:
            return bool(connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone())
        finally:
            connection.close()
    except sqlite3.Error:
        return path.stat().st_size > 0


def rows_there(folder: Path, plan: Plan) -> int:
    """How many fires of a plan its folder holds, those that failed among them; 0 where there is none to be read."""
    path, end = folder / NAME, plan.first_replicate + plan.replicates
    if not path.is_file():
        return 0
    with suppress(sqlite3.Error):
        connection = read_only(path)
        try:
            asked = 'SELECT COUNT(*) FROM fires WHERE "case" < ? AND "replicate" >= ? AND "replicate" < ?'
            return int(connection.execute(asked, (len(plan.cases), plan.first_replicate, end)).fetchone()[0])
        finally:
            connection.close()
    return 0


def differences(plan: Plan, old: Plan) -> list[str]:
    """What makes two studies different ones, in words."""
    told = []
    for name in ("seed", "first_replicate"):
        mine, theirs = getattr(plan, name), getattr(old, name)
        if mine != theirs:
            told.append(f"{name.replace('_', ' ')} {mine}, there {theirs}")
    if len(plan.cases) != len(old.cases):
        told.append(f"{len(plan.cases):,} cases, there {len(old.cases):,}")
    elif wrong := [i for i, (a, b) in enumerate(zip(plan.cases, old.cases, strict=True)) if a.digest != b.digest]:
        case = wrong[0]
        names = differing_keys(plan.document(case), old.document(case))
        told.append(
            f"case {case} has other {', '.join(names[:5])}"
            + (f" (and {len(wrong) - 1:,} cases more)" if len(wrong) > 1 else "")
        )
    if plan.columns != old.columns and not told:
        told.append("other outcome columns")
    return told


def differing_keys(one: Any, other: Any, around: str = "") -> list[str]:
    """The dotted keys in which two documents differ."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        names = [*one, *(key for key in other if key not in one)]
        return [
            found
            for name in names
            if one.get(name) != other.get(name)
            for found in differing_keys(one.get(name), other.get(name), f"{around}.{name}" if around else str(name))
        ]
    return [around]


def held(folder: Path, say: Say = lambda line: None) -> Plan | None:
    """The plan of the study that a folder holds; None where it holds none. InputError where it cannot be read.

    say: told where its frozen study is damaged or gone.
    """
    if not (folder / FROZEN).exists() and frozen_in_store(folder / NAME) is None:
        return None
    return read_frozen(folder, say)


def agreed(plan: Plan, old: Plan, folder: Path) -> Plan:
    """The plan with as many replicates as the folder's own or more. InputError where that is of another study."""
    if told := differences(plan, old):
        raise InputError(
            Problem(
                f"this folder holds another study ({old.title}): {'; '.join(told)}",
                "a new folder, or the study that it holds",
                "name another with --out",
                file=str(folder),
            )
        )
    if plan.until is None and plan.until_decided is None:
        plan = replace(plan, replicates=max(plan.replicates, old.replicates))
    return plan


# -------------------------------------------------------------------------------------------------------- the folder
class Folder:
    """A study folder open for writing: `plan` (with as many replicates as it holds or more), `store`, `ledger`."""

    def __init__(self, path: Path, plan: Plan, version: str, say: Say) -> None:
        self.path, self.version, self.say = path, version, say
        make(path)
        self.lock = locked(path)
        try:
            self.plan, self.old = self._agreed(plan)
            self.ledger = Ledger(self.plan)
            self.store = self._opened()
            if self.old and self.old.kernels != kernels():
                self._check_rules()
        except BaseException:
            self.lock.close()
            raise

    def _agreed(self, plan: Plan) -> tuple[Plan, Plan | None]:
        """The plan with as many replicates as the folder holds or more, and the folder's own; None: it is new."""
        old = held(self.path, self.say)
        return (plan, None) if old is None else (agreed(plan, old, self.path), old)

    def _check_rules(self) -> None:
        """Begun with other code: some fires are burnt again. InputError where they are other fires now."""
        cases = sorted({round(c) for c in np.linspace(0, len(self.plan.cases) - 1, min(20, len(self.plan.cases)))})
        for case in cases:
            sound = np.flatnonzero(self.ledger.marks[case, :100] == DONE)
            if not len(sound):
                continue
            burnt = Worker(self.plan.prepared(case), self.plan.seed).burn_piece(
                Piece(case, "", self.plan.first_replicate, int(sound[-1]) + 1)
            )
            for column in self.plan.columns:
                here = burnt.rows[sound, burnt.columns.index(column)]
                if not np.array_equal(here, self.ledger.rows[column][case, sound]):
                    what = f"the rules have changed since this study was begun: other {column} in case {case}"
                    hint = "burn it anew into another folder with --out"
                    self.store.close()
                    raise InputError(Problem(what, "the firesim it was begun with", hint, file=str(self.path)))

    def _opened(self) -> Store:
        path = self.path / NAME
        text = frozen(self.plan, self.version)
        if self.old is None and path.exists() and not sqlite_has_tables(path):
            path.unlink()  # of a study that was ended before it began
        if not path.exists():
            if self.old:
                self.say(f"{path} is gone: nothing of the study is left but its plan; it begins anew")
            store = self._new(text)
        else:
            try:
                store = self._checked(path)
                store.freeze(text)
            except DamagedError as error:
                store = self._saved(path, text, str(error))
        with writing(self.path / FROZEN) as unfinished:
            unfinished.write_text(text, encoding="utf-8", newline="\n")
        return store

    def _new(self, text: str) -> Store:
        store = Store(self.path / NAME, self.plan.columns, self.plan.first_replicate)
        store.create(text)
        return store

    def _checked(self, path: Path) -> Store:
        store = Store(path, self.plan.columns, self.plan.first_replicate)
        try:
            store.check()
            self.ledger.make_room(store.replicates())
            store.load(self.ledger)
        except BaseException:
            store.close()
            raise
        return store

    def _saved(self, path: Path, text: str, what: str) -> Store:
        """A new store with all that the damaged one still holds; the damaged one stays beside it."""
        aside = salvage.set_aside(path)
        self.ledger = Ledger(self.plan)
        store = self._new(text)
        rows = salvage.copy_sound(aside, store, len(self.plan.cases))
        try:
            self.ledger.make_room(store.replicates())
            store.load(self.ledger)
        except (DamagedError, InputError):  # what was left makes no sense
            store.close()
            (self.path / NAME).unlink()
            self.ledger, rows = Ledger(self.plan), 0
            store = self._new(text)
        self.say(
            f"{path} is damaged ({what}): {rows:,} fires could be saved and are kept, the others are burnt again; "
            f"the damaged file is now {aside.name}"
        )
        return store

    def close(self) -> None:
        """Close the store and let others write."""
        self.store.close()
        self.lock.close()


def make(path: Path) -> None:
    """Make the folder where it is not there. InputError where it holds other things, or cannot be made."""
    try:
        path.mkdir(parents=True, exist_ok=True)
        strange = not is_study_folder(path) and any(child.name != LOCK for child in path.iterdir())
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(Problem(f"the folder cannot be made: {reason}", "a place to write", file=str(path))) from None
    if strange:
        hint = "name another, or empty it first"
        raise InputError(Problem("the folder is not empty", "a new folder, or one of this study", hint, file=str(path)))


def locked(folder: Path) -> sqlite3.Connection:
    """Keeps others from writing into the folder until it is closed or this process ends. InputError where one does."""
    path = folder / LOCK
    with kindly(folder):
        connection = sqlite3.connect(path, timeout=0.2, isolation_level=None)
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except BaseException:
            connection.close()
            raise
    return connection
