"""Study files: what varies, how often, from which seed, when to stop; TOML, every problem at its line and column.

A list under `[vary]` is always a list of values, three numbers or not; a range is a table `{ from, step, to }` there,
or `[from, step, to]` under `[range]`. The end of a range is included where its steps come to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from firesim.core.problems import InputError, Problem, Where, listed, nearest
from firesim.core.scenario import parse_key
from firesim.mapfiles.toml import Document, below, locate, read, read_mapping
from firesim.studies.designs import Design, Dimension, checked_design, design_problems, dimension, steps_of
from firesim.studies.plan import REPLICATES_MOST, SEED_END, Base, whole
from firesim.studies.tally import KEPT

WORDS = (
    "scenario", "compare", "title", "replicates", "first_replicate", "seed", "until", "until_decided", "keep",
    "set", "vary", "range", "pair", "design",
)  # fmt: skip

MOVE = "copy the scenario there, or put the study file into a folder around both"

KINDS: dict[str, tuple[type | tuple[type, ...], str]] = {
    "scenario": ((str, Mapping), "the name of a scenario file, or a table [scenario]"),
    "compare": (list, "a list of scenario files"),
    "title": (str, "a text"),
    "replicates": (int, "a whole number"),
    "first_replicate": (int, "a whole number"),
    "seed": (int, "a whole number"),
    "until": (str, '"OUTCOME:HALFWIDTH", as "buildings_lost:0.5"'),
    "until_decided": (str, 'an outcome, as "buildings_lost"'),
    "keep": (list, f"a list of {listed(KEPT)}"),
    "set": (Mapping, "a table of keys and values"),
    "vary": (Mapping, "a table of keys and lists"),
    "range": (Mapping, "a table of keys and [from, step, to]"),
    "pair": (list, "[[pair]] tables"),
    "design": (Mapping, 'a table: kind = "sobol", cases = 64'),
}


@dataclass
class StudyFile:
    """A study file as read: where to begin, what varies, the rest of its words; and what is wrong with it."""

    bases: list[Base]
    dimensions: list[Dimension]
    folder: Path | None
    design: Design = field(default_factory=Design)
    words: dict[str, Any] = field(default_factory=dict)
    changes: dict[str, Any] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


def read_study(document: Document) -> StudyFile:
    """A study from its document, with every problem of the file in its place; what is sound is read all the same."""
    data = dict(document.data)
    folder = Path(document.file).parent if document.file else None
    problems = [
        Problem(f"unknown key '{key}'", listed(WORDS, 20), nearest(key, WORDS), (key,))
        for key in data
        if key not in WORDS
    ]
    for key, (kind, expected) in KINDS.items():
        if key in data and (not isinstance(data[key], kind) or isinstance(data[key], bool)):
            problems.append(Problem(f"{key} is {data.pop(key)!r:.60}", expected, "", (key,)))
    read_file = StudyFile([], [], folder)
    for part in (_bases, _dimensions, _rest):
        try:
            part(data, read_file, document)
        except InputError as error:
            problems += error.problems
    read_file.problems = locate([p for p in problems if not p.file], document) + [p for p in problems if p.file]
    return read_file


def _bases(data: Mapping[str, Any], made: StudyFile, document: Document) -> None:
    """The scenarios to begin from."""
    problems: list[Problem] = []
    if "scenario" in data and "compare" in data:
        raise InputError(Problem("both scenario and compare are given", "one of them", "", ("compare",)))
    if "scenario" not in data and "compare" not in data:
        if {"scenario", "compare"} & set(document.data):
            return  # it is told already
        raise InputError(Problem("a study file without scenario", 'scenario = "FILE.toml", or compare = [...]'))
    names = data.get("compare", [data.get("scenario")])
    if not names or ("compare" in data and len(names) < 2):
        raise InputError(Problem(f"compare names {len(names)} scenarios", "two or more", "", ("compare",)))
    folder = made.folder or Path()
    for place, name in enumerate(names):
        where: Where = ("compare", place) if "compare" in data else ("scenario",)
        try:
            if isinstance(name, str):
                path = (
                    below(name, folder, folder, "scenario", owner="study file", hint=MOVE)
                    if made.folder
                    else Path(name)
                )
                made.bases.append(Base(read(path), name))
            elif isinstance(name, Mapping):
                made.bases.append(Base(read_mapping(name, root=folder), f"scenario {place + 1}"))
            else:
                problems.append(Problem(f"{name!r:.60} is no scenario", "the name of a file", "", where))
        except InputError as error:
            problems += [p if p.file else replace(p, where=where) for p in error.problems]
    if problems:
        raise InputError(problems)


def _dimensions(data: Mapping[str, Any], made: StudyFile, document: Document) -> None:
    """What varies: `[vary]`, `[range]`, `[[pair]]`, in this order."""
    problems: list[Problem] = []

    def attempt(make: Any) -> None:
        try:
            made.dimensions.append(make())
        except InputError as error:
            problems.extend(error.problems)

    for where, key, value in leaves(data.get("vary", {}), ("vary",)):
        attempt(lambda key=key, value=value, where=where: _located(dimension, {key: value}, where))
    for where, key, value in leaves(data.get("range", {}), ("range",)):
        if not isinstance(value, list) or len(value) != 3:
            problems.append(Problem(f"the range of '{key}' is {value!r:.60}", "[from, step, to]", "", where))
        else:
            attempt(lambda key=key, v=value, where=where: Dimension((key,), (steps_of(key, v[0], v[1], v[2], where),)))
    for place, table in enumerate(data.get("pair", [])):
        if not isinstance(table, Mapping) or not table:
            problems.append(Problem("a pair of nothing", "keys and lists that go together", "", ("pair", place)))
            continue
        values = {key: value for _, key, value in leaves(table, ())}
        attempt(lambda values=values, place=place: _located(dimension, values, ("pair", place)))
    if problems:
        raise InputError(problems)


def _located(make: Any, values: Mapping[str, Any], where: Where) -> Any:
    """Make a dimension; its problems stand where its key does."""
    try:
        return make(values)
    except InputError as error:
        raise InputError([Problem(p.what, p.expected, p.hint, where) for p in error.problems]) from None


def _rest(data: Mapping[str, Any], made: StudyFile, document: Document) -> None:
    """Replicates, seed, stopping rule, what is kept, the design."""
    made.words = {
        k: v for k, v in data.items() if k not in ("scenario", "compare", "vary", "range", "pair", "design", "set")
    }
    made.changes = {key: value for _, key, value in leaves(data.get("set", {}), ("set",))}
    problems = [
        Problem(f"unknown word {k!r}", listed(KEPT), "", ("keep",)) for k in data.get("keep", []) if k not in KEPT
    ]
    bounds = (("replicates", 1, REPLICATES_MOST), ("first_replicate", 0, SEED_END - 1), ("seed", 0, SEED_END - 1))
    for name, least, most in bounds:
        try:
            if name in data:
                whole(name, data[name], least, most)
        except InputError as error:
            problems += [replace(p, where=(name,)) for p in error.problems]
    if "until" in data and "until_decided" in data:
        problems.append(Problem("two stopping rules, until and until_decided", "one of them", "", ("until_decided",)))
    for key in made.changes:
        if any(key in each.keys for each in made.dimensions):
            problems.append(Problem(f"'{key}' is set and varies too", "one of them", "", ("set",)))
    try:
        made.design = _design(data.get("design", {}), made.dimensions)
    except InputError as error:
        problems += error.problems
    if problems:
        raise InputError(problems)


def _design(table: Mapping[str, Any], dimensions: list[Dimension]) -> Design:
    """The design of `[design]`. InputError with all that is wrong with it."""
    words = ("kind", "cases", "seed")
    problems = [
        Problem(f"unknown key '{k}'", listed(words), nearest(k, words), ("design", k)) for k in table if k not in words
    ]
    seed = table.get("seed", 0)
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        problems.append(Problem(f"seed is {seed!r}", "a whole number from 0", "", ("design", "seed")))
        seed = 0
    made = Design(str(table.get("kind", "grid")), table.get("cases", 0), seed)
    problems += design_problems(made)
    if problems:
        raise InputError(problems)
    checked_design(made, dimensions)
    return made


def leaves(table: Mapping[str, Any], around: Where) -> list[tuple[Where, str, Any]]:
    """The dotted keys of nested tables with their values; a table with `from` or `to` is a range, no table of keys."""
    found: list[tuple[Where, str, Any]] = []

    def walk(inner: Mapping[str, Any], where: Where, names: tuple[str, ...]) -> None:
        for key, value in inner.items():
            here = (*where, key)
            below = isinstance(value, Mapping) and value and not {"from", "to"} & set(value)
            name = key if not names and not below and _is_dotted(key) else _quoted(key) if names or below else key
            if below:
                walk(value, here, (*names, _quoted(key)))
            else:
                found.append((here, ".".join((*names, name)), value))

    walk(table, around, ())
    return found


def _is_dotted(key: str) -> bool:
    try:
        return len(parse_key(key)) > 1
    except InputError:
        return False


def _quoted(key: str) -> str:
    """A part of a dotted key, in quotes where it needs them."""
    plain = key.replace("_", "").replace(" ", "").isalnum()
    return key if plain or (_is_dotted(key) and "[" in key) else f'"{key}"'
