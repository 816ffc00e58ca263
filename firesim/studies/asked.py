"""What a person asks for, in a study file, in Python or on the command line, made into one plan."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from firesim.core.problems import InputError, Problem, listed
from firesim.core.scenario import Scenario, parse_key, read_value
from firesim.mapfiles.toml import Document, is_study, read, read_mapping
from firesim.studies import sequential
from firesim.studies.designs import Dimension, dimension, steps_of
from firesim.studies.folder import is_study_folder, read_frozen
from firesim.studies.plan import REPLICATES_MOST, SEED_END, Base, Check, Plan, make_plan, whole
from firesim.studies.study_file import StudyFile, read_study
from firesim.studies.tally import KEPT

REPLICATES = 1000
"""Replicates of each case where nobody says how many."""

REPLICATES_UNTIL = 1_000_000
"""The most of each case where a stopping rule says when it is enough."""


ALONE_MOST = 20
"""Values of each key that are checked alone where the study cannot be."""


@dataclass
class Asked:
    """What is asked for beyond the scenario; None: the study file's word, else the default.

    vary: keys with lists or ranges, a grid; pairs: keys whose lists go together, several times; compare: further
    scenarios to compare with.
    """

    replicates: int | None = None
    seed: int | None = None
    first_replicate: int | None = None
    vary: Mapping[str, Any] = field(default_factory=dict)
    pairs: Sequence[Mapping[str, Any]] = ()
    compare: Sequence[Any] = ()
    changes: Mapping[str, Any] = field(default_factory=dict)
    until: str | None = None
    until_decided: str | None = None
    keep: Sequence[str] | None = None
    out: Path | None = None


def plan_of(source: Any, asked: Asked, check: Check, progress: Callable[[int, int], None] | None = None) -> Plan:
    """The plan of a study file, a scenario (path, dict or Scenario) or a study folder. InputError with all problems."""
    if isinstance(source, (str, os.PathLike)) and Path(source).is_dir() and is_study_folder(Path(source)):
        return from_folder(Path(source), asked)
    check_kinds(asked)
    begun = begin(source)
    problems = list(begun.problems)
    for other in asked.compare:
        try:
            begun.bases.append(Base(document_of(other), name_of(other, len(begun.bases))))
        except InputError as error:
            problems += error.problems
    problems += same_twice(begun.bases)
    for values in [{key: value} for key, value in asked.vary.items()] + list(asked.pairs):
        try:
            begun.dimensions.append(dimension(values))
        except InputError as error:
            problems += error.problems
    varied = {key for each in begun.dimensions for key in each.keys}
    problems += [Problem(f"'{key}' is set and varies too", "one of them") for key in asked.changes if key in varied]
    if problems:
        raise InputError([*problems, *further(begun, asked, check)])
    words = begun.words
    until, decided = asked.until or words.get("until"), asked.until_decided or words.get("until_decided")
    if until and decided:
        raise InputError(Problem("two stopping rules, until and until_decided", "one of them"))
    replicates = first_of(
        asked.replicates, words.get("replicates"), REPLICATES_UNTIL if until or decided else REPLICATES
    )
    first = first_of(asked.first_replicate, words.get("first_replicate"), 0)
    replicates = whole("replicates", replicates, 1, REPLICATES_MOST)
    first = whole("replicate", first, 0, SEED_END - replicates)
    plan = make_plan(
        begun.bases, begun.dimensions, check, seed=seed_of(asked, begun), replicates=replicates, first_replicate=first,
        design=begun.design, folder=begun.folder, changes=begun.changes | dict(asked.changes), until=until,
        until_decided=decided, keep=kept(first_of(asked.keep, words.get("keep"), KEPT)), progress=progress,
    )  # fmt: skip
    rule_of(plan)
    return replace(plan, title=str(words.get("title") or plan.title))


def same_twice(bases: Sequence[Base]) -> list[Problem]:
    """Scenarios that are compared with themselves."""
    problems = []
    for place, base in enumerate(bases):
        first = next(i for i, each in enumerate(bases) if each.document.data == base.document.data)
        if first < place:
            same = bases[first].name
            what = "is given twice" if same == base.name else f"is the same scenario as {same}"
            problems.append(Problem(f"{base.name} {what}", "each scenario once"))
    return problems


def check_kinds(asked: Any) -> None:
    """InputError for what varies, goes together or is compared in a shape that it cannot have."""
    problems = []
    if not isinstance(asked.vary, Mapping):
        problems.append(Problem(f"vary is {asked.vary!r:.60}", 'a dict, as {"weather.wind": ["none", "E"]}'))
    listed_ones = isinstance(asked.pairs, Sequence) and not isinstance(asked.pairs, str)
    if not listed_ones or not all(isinstance(pair, Mapping) and pair for pair in asked.pairs):
        problems.append(Problem(f"pairs is {asked.pairs!r:.60}", "a list of dicts of keys and lists"))
    if not isinstance(asked.compare, Sequence) or isinstance(asked.compare, str):
        problems.append(Problem(f"compare is {asked.compare!r:.60}", "a list of scenarios"))
    keep = asked.keep
    if keep is not None and (isinstance(keep, str) or not isinstance(keep, Sequence)):
        problems.append(Problem(f"keep is {keep!r:.60}", f"a list of {listed(KEPT)}"))
    for name in ("until", "until_decided"):
        word = getattr(asked, name)
        if word is not None and not isinstance(word, str):
            problems.append(Problem(f"{name} is {word!r:.60}", "a text"))
    if problems:
        raise InputError(problems)


def further(begun: StudyFile, asked: Asked, check: Check) -> list[Problem]:
    """What else is wrong, of a study that cannot be: the problems of what varies, key by key."""
    found: dict[tuple[Any, ...], Problem] = {}
    for each in begun.dimensions if begun.bases else []:
        few = range(min(len(each), ALONE_MOST))
        alone = Dimension(each.keys, tuple([values[place] for place in few] for values in each.values))
        try:
            make_plan(
                begun.bases, [alone], check, seed=0, replicates=1, folder=begun.folder,
                changes=begun.changes | dict(asked.changes), keep=(),
            )  # fmt: skip
        except InputError as error:
            for problem in error.problems:
                found.setdefault((problem.what, problem.file, problem.line, problem.column), problem)
    return list(found.values())


def rule_of(plan: Plan) -> sequential.Until | sequential.UntilDecided | None:
    """The stopping rule of a plan, None where there is none. InputError where it is none."""
    if plan.until is not None:
        return sequential.until_of(plan.until, plan.columns)
    if plan.until_decided is not None:
        if len(plan.cases) < 2:
            raise InputError(Problem("one case: nothing to decide", "--vary or --compare"))
        return sequential.until_decided_of(plan.until_decided, plan.columns)
    return None


def from_folder(folder: Path, asked: Asked) -> Plan:
    """The plan of a study folder, to go on with it; only how long it goes on may be asked anew."""
    for name in ("vary", "pairs", "compare", "changes", "first_replicate", "seed", "keep"):
        if getattr(asked, name):
            raise InputError(
                Problem(
                    f"{name.replace('_', ' ')} cannot be changed in a study folder",
                    "the scenario or study file",
                    file=str(folder),
                )
            )
    plan = read_frozen(folder)
    if asked.replicates is not None:
        plan = replace(plan, replicates=whole("replicates", asked.replicates, 1, REPLICATES_MOST))
    if asked.until or asked.until_decided:
        plan = replace(plan, until=asked.until, until_decided=asked.until_decided)
    rule_of(plan)
    return plan


def begin(source: Any) -> StudyFile:
    """The study of a file, or one of a scenario alone."""
    document = document_of(source)
    if is_study(document.data):
        return read_study(document)
    return StudyFile([Base(document, name_of(source, 0))], [], None)


def document_of(source: Any) -> Document:
    """The document of a scenario or study: a path, a dict, or a scenario already read."""
    if isinstance(source, Document):
        return source
    if isinstance(source, Scenario):
        return Document(source.document, source.file)
    if isinstance(source, Mapping):
        return read_mapping(source)
    if isinstance(source, (str, os.PathLike)):
        return read(source)
    raise InputError(
        Problem(f"a {type(source).__name__} is no scenario", "a path, or a dict shaped like a scenario file")
    )


def name_of(source: Any, place: int) -> str:
    """What a scenario is called in a comparison."""
    if isinstance(source, (str, os.PathLike)):
        return str(source)
    title = source.title if isinstance(source, Scenario) else source.get("title") if isinstance(source, Mapping) else ""
    return str(title or f"scenario {place + 1}")


def seed_of(asked: Asked, begun: StudyFile) -> int:
    """The seed asked for, else the study's, that of the folder gone on with, the scenario's, or a fresh one."""
    seed = first_of(asked.seed, begun.words.get("seed"), None)
    if seed is None and asked.out is not None and is_study_folder(asked.out):
        seed = read_frozen(asked.out).seed
    if seed is None:
        found = begun.bases[0].document.data.get("seed")
        seed = found if isinstance(found, int) and not isinstance(found, bool) else secrets.randbelow(10**9)
    try:
        return whole("seed", seed, 0, SEED_END - 1)
    except InputError:
        raise InputError(Problem(f"seed {seed!r}", "a whole number from 0 below 2**63")) from None


def first_of(*values: Any) -> Any:
    """The first value that is not None."""
    return next((value for value in values if value is not None), None)


def kept(words: Sequence[str]) -> tuple[str, ...]:
    """What is kept, in the order of `KEPT`. InputError for a word that is none of them."""
    if strange := [word for word in words if word not in KEPT]:
        raise InputError([Problem(f"unknown word {word!r:.60} in keep", listed(KEPT)) for word in strange])
    return tuple(word for word in KEPT if word in words)


# ------------------------------------------------------------------------------------------------ on the command line
_RANGE = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s*:\s*(?:(-?\d+(?:\.\d+)?)\s*:\s*)?(-?\d+(?:\.\d+)?)\s*")


def parse_vary(text: str) -> tuple[str, Any]:
    """`key=a,b,c`, or a range `key=from:to` or `key=from:step:to`, as a key and its values. InputError otherwise."""
    quoted = re.match(r"""(?:[^"'=]|"(?:[^"\\]|\\.)*"|'[^']*')*=""", text)
    if not quoted:
        raise InputError(Problem(f"--vary {text}", "key=a,b,c", "as weather.wind=none,E or tables.material.light=1:4"))
    key, written = quoted[0][:-1].strip(), text[quoted.end() :]
    parse_key(key)
    if not written.strip():
        raise InputError(Problem(f"'{key}' varies over an empty list", "at least one value"))
    if found := _RANGE.fullmatch(written):
        start, step, end = (None if part is None else read_value(part) for part in found.groups())
        return key, steps_of(key, start, 1 if step is None else step, end)
    values = [read_value(part.strip()) if part.strip() else None for part in split(written)]
    if None in values:
        raise InputError(Problem(f"'{key}' varies over an empty value", "values with a comma between each"))
    if len(values) == 1 and isinstance(values[0], (list, dict)) and written.lstrip()[0] in "[{":
        return key, values[0]
    return key, values


def split(text: str) -> list[str]:
    """A list at its commas, those within quotes and brackets left alone."""
    parts, depth, quote, begun = [], 0, "", 0
    for place, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        elif letter in "[{":
            depth += 1
        elif letter in "]}":
            depth -= 1
        elif letter == "," and depth <= 0:
            parts.append(text[begun:place])
            begun = place + 1
    return [*parts, text[begun:]]


__all__ = ["Asked", "Dimension", "parse_vary", "plan_of", "rule_of"]
