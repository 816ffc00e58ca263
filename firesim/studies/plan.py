"""Plans: which scenarios a study burns, how often, from which seed, when it may stop. All checked before it burns."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from firesim.core.problems import InputError, Problem
from firesim.core.scenario import Scenario, changed
from firesim.mapfiles.toml import Document, below, with_map_file
from firesim.rules.base import Prepared, system_named
from firesim.studies.blocks import prepared_of
from firesim.studies.designs import GRID, Design, Dimension, cases, checked_design
from firesim.studies.tally import KEPT

REPLICATES_MOST = 10**9
SEED_END = 2**63
MAP_BYTES_MOST = 4 << 30
"""Bytes of all cases' maps together at most."""

DOCUMENTS_MOST, READY_MOST = 64, 8
"""Documents, and cases made ready, that a plan keeps at hand."""

NO_SHAPE = ("map.legend", "map.gaps")
"""Keys of a map that do not change its shape."""

Check = Callable[[Document, Mapping[str, Any]], Scenario]
"""Checks a document with dotted keys changed; InputError with its problems in their places."""


@dataclass(frozen=True)
class Case:
    """One scenario of a study: a document of the plan, by its place, with dotted keys changed.

    values: what varies and its value here, as shown. digest: of the scenario's whole document.
    """

    base: int
    changes: Mapping[str, Any]
    values: Mapping[str, Any]
    digest: str


@dataclass(frozen=True)
class Plan:
    """A study before it burns.

    documents: the scenarios without what varies; files: where they come from. columns: outcome columns of all cases.
    left_out: columns that only some cases have. until: `OUTCOME:HALFWIDTH`, until_decided: an outcome; the stopping
    rule, at most one. kernels: the digest of the rules it was begun with, empty before that. replicates: of each case;
    with a stopping rule, at most. notes: what a person should know of it, in lines.
    """

    documents: tuple[Mapping[str, Any], ...]
    files: tuple[str, ...]
    cases: tuple[Case, ...]
    keys: tuple[str, ...]
    columns: tuple[str, ...]
    seed: int
    first_replicate: int
    replicates: int
    title: str = ""
    until: str | None = None
    until_decided: str | None = None
    left_out: tuple[str, ...] = ()
    kernels: str = ""
    keep: tuple[str, ...] = KEPT
    notes: tuple[str, ...] = field(default=(), compare=False)
    _documents: dict[int, dict[str, Any]] = field(default_factory=dict, compare=False, repr=False)
    _shapes: dict[str, tuple[int, ...]] = field(default_factory=dict, compare=False, repr=False)
    _ready: dict[int, Prepared] = field(default_factory=dict, compare=False, repr=False)

    def document(self, case: int) -> dict[str, Any]:
        """The whole document of a case."""
        if case not in self._documents:
            while len(self._documents) >= DOCUMENTS_MOST:
                del self._documents[next(iter(self._documents))]
            one = self.cases[case]
            base = dict(self.documents[one.base])
            words = system_named(str(base["system"])).words
            self._documents[case] = changed(base, one.changes, words) if one.changes else base
        return self._documents[case]

    def prepared(self, case: int) -> Prepared:
        """A case made ready; a few are kept."""
        if case not in self._ready:
            self.keep_ready(case, prepared_of(self.document(case), self.files[self.cases[case].base]))
        return self._ready[case]

    def shape(self, case: int) -> tuple[int, ...]:
        """The shape of a case's map. Cases whose maps can only differ in their legend or gaps are made ready once."""
        one = self.cases[case]
        on_the_map = {k: v for k, v in one.changes.items() if k.startswith("map") and not k.startswith(NO_SHAPE)}
        key = f"{one.base} {on_the_map}"
        if key not in self._shapes:
            self._shapes[key] = self.prepared(case).shape
        return self._shapes[key]

    def keep_ready(self, case: int, ready: Prepared) -> None:
        """Keep a case that is ready at hand, in place of the one kept longest where there are many."""
        while len(self._ready) >= READY_MOST:
            del self._ready[next(iter(self._ready))]
        self._ready[case] = ready

    @property
    def values(self) -> tuple[dict[str, Any], ...]:
        """What varies, case by case."""
        return tuple(dict(case.values) for case in self.cases)

    @property
    def fires(self) -> int:
        """How many fires it burns, at most."""
        return len(self.cases) * self.replicates

    @property
    def content(self) -> dict[str, Any]:
        """What decides a fire: two studies with the same content may share a folder."""
        return {
            "seed": self.seed,
            "first_replicate": self.first_replicate,
            "columns": list(self.columns),
            "cases": [case.digest for case in self.cases],
        }

    @property
    def digest(self) -> str:
        """The digest of the content."""
        return digest_of(self.content)

    def name_of(self, case: int) -> str:
        """A case in words: `weather.wind E, weather.moisture damp`; the title where nothing varies."""
        values = self.cases[case].values
        return ", ".join(f"{key} {value}" for key, value in values.items()) or self.title


def digest_of(data: Any) -> str:
    """The digest of plain data, whatever the order of its keys."""
    text = json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=str)
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass
class Base:
    """A scenario to begin from: its document, the name it goes by in a comparison, and whether its values are shown."""

    document: Document
    name: str = ""


def make_plan(
    bases: Sequence[Base],
    dimensions: Sequence[Dimension],
    check: Check,
    *,
    seed: int,
    replicates: int,
    first_replicate: int = 0,
    design: Design = GRID,
    folder: Path | None = None,
    changes: Mapping[str, Any] | None = None,
    until: str | None = None,
    until_decided: str | None = None,
    keep: tuple[str, ...] = KEPT,
    progress: Callable[[int, int], None] | None = None,
) -> Plan:
    """A plan of all cases, each checked; InputError with the problems of all of them, each told once.

    folder: where varied map files must lie, None: anywhere. changes: dotted keys changed in all cases. progress: called
    with the cases checked, and all.
    """
    checked_design(design, dimensions, len(bases))
    maker = _Maker(check, folder, dict(changes or {}))
    varied = list(cases(design, dimensions))
    done = 0
    for base in bases:
        for values in varied:
            maker.add(base, values, len(bases) > 1)
            done += 1
            if progress:
                progress(done, len(bases) * len(varied))
    maker.finish()
    keys = (("scenario",) if len(bases) > 1 else ()) + tuple(key for d in dimensions for key in d.keys)
    plan = Plan(
        tuple(maker.documents), tuple(maker.files), tuple(maker.cases), keys, maker.columns, seed, first_replicate,
        replicates, maker.title, until, until_decided, maker.left_out, keep=keep,
        notes=tuple(note for d in dimensions for note in d.notes),
    )  # fmt: skip
    if maker.ready is not None:
        plan.keep_ready(0, maker.ready)
    check_size(plan)
    return plan


class _Maker:
    """Cases as they are checked, and the problems found on the way; `ready`: the first case, made ready."""

    def __init__(self, check: Check, folder: Path | None, changes: dict[str, Any]) -> None:
        self.check, self.folder, self.changes = check, folder, changes
        self.documents: list[Mapping[str, Any]] = []
        self.files: list[str] = []
        self.cases: list[Case] = []
        self.ready: Prepared | None = None
        self.title = ""
        self._bases: dict[tuple[int, str], tuple[int, Document]] = {}
        self._problems: dict[str, tuple[Problem, list[str]]] = {}
        self._column_lists: dict[tuple[str, ...], None] = {}
        self._shared_columns: tuple[str, ...] | None = None
        self._systems: dict[str, str] = {}
        self._maps: dict[str, Document | list[Problem]] = {}

    def add(self, base: Base, values: dict[str, Any], compared: bool) -> None:
        """Check one case and take it in."""
        shown = ({"scenario": base.name} if compared else {}) | values
        try:
            dotted = self.changes | values
            place, document = self._base(base, dotted.get("map"))
            dotted = {k: v for k, v in dotted.items() if not (k == "map" and isinstance(v, str))}
            scenario = self.check(document, dotted)
        except InputError as error:
            told = ", ".join(f"{key} = {_short(value)}" for key, value in shown.items())
            for problem in error.problems:
                self._problems.setdefault(str(problem), (problem, []))[1].append(told)
            return
        self._systems.setdefault(scenario.system, base.name or scenario.title)
        self._see_columns(scenario, values)
        self.title = self.title or scenario.title or Path(base.document.file).stem or scenario.system
        self.cases.append(Case(place, dotted, shown, digest_of(scenario.document)))

    def _base(self, base: Base, map_name: Any) -> tuple[int, Document]:
        key = (id(base), map_name if isinstance(map_name, str) else "")
        if key not in self._bases:
            document = with_map_file(base.document, self._map(key[1])) if key[1] else base.document
            self._bases[key] = len(self.documents), document
            self.documents.append(document.data)
            self.files.append(document.file)
        return self._bases[key]

    def _map(self, name: str) -> Path:
        """The file of a varied map: below a study file's folder, anywhere where a person names it."""
        if self.folder is None:
            return Path(name)
        return below(name, self.folder, self.folder, owner="study file", hint="copy the map there")

    def _see_columns(self, scenario: Scenario, values: Mapping[str, Any]) -> None:
        """Columns depend on what is watched alone: one case of each list is made ready to name them."""
        watched = json.dumps(scenario.document.get("watch"), default=str) + scenario.system
        if (watched,) not in self._column_lists:
            self._column_lists[watched,] = None
            ready = system_named(scenario.system).prepare(scenario)
            if not self.cases:
                self.ready = ready
            found = ready.columns
            self._all_columns = dict.fromkeys([*getattr(self, "_all_columns", ()), *found])
            shared = found if self._shared_columns is None else self._shared_columns
            self._shared_columns = tuple(c for c in shared if c in found)

    def finish(self) -> None:
        """InputError with every problem of every case."""
        problems = []
        for problem, told in self._problems.values():
            where = [t for t in told if t]
            more = f", and in {len(where) - 1:,} more case{'s' * (len(where) > 2)}" if len(where) > 1 else ""
            several = len(self._problems) > 1 or len(self.cases) > 0 or len(where) > 1
            note = f"where {where[0]}{more}" if where and several else ""
            hint = "; ".join(part for part in (problem.hint, note) if part)
            problems.append(replace(problem, hint=hint))
        if not problems and len(self._systems) > 1:
            told_systems = ", ".join(f"'{name}' is of {system}" for system, name in self._systems.items())
            problems.append(Problem(f"scenarios of different systems: {told_systems}", "one system in a study"))
        if problems:
            raise InputError(problems)
        self.columns = self._shared_columns or ()
        self.left_out = tuple(c for c in self._all_columns if c not in self.columns)


def check_size(plan: Plan) -> None:
    """InputError for more fires, or more of their maps, than can be held."""
    if plan.fires > REPLICATES_MOST:
        what = f"{len(plan.cases):,} cases of {plan.replicates:,} fires each"
        raise InputError(Problem(what, f"at most {REPLICATES_MOST:,} fires in all", "take fewer replicates"))
    if "maps" in plan.keep:
        ready = plan.prepared(0)
        size = 16 * len(ready.system.records) * (int(np.prod(ready.shape)) + 1) * len(plan.cases)
        if size > MAP_BYTES_MOST:
            what = f"the maps of {len(plan.cases):,} cases would take {size / 2**30:.0f} GiB"
            raise InputError(Problem(what, "at most 4 GiB", 'keep no maps: keep = ["curves"] (--no-maps)'))


def whole(name: str, value: Any, least: int, most: int) -> int:
    """A whole number within bounds, or an InputError."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not least <= value <= most:
        end = f"{most:,}" if most >= 10_000 else f"{most}"
        raise InputError(Problem(f"{name} {value!r}", f"a whole number from {least} to {end}"))
    return int(value)


def _short(value: Any) -> str:
    text = json.dumps(value, default=str, ensure_ascii=False)
    return text if len(text) <= 40 else text[:37] + "..."
