"""A scenario as read and checked, and how single keys of it are changed."""

from __future__ import annotations

import copy
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from firesim.core.checking import inside, names_in, shown
from firesim.core.problems import InputError, Problem, Where, dotted, listed, nearest

DEPTH_MOST = 64
"""How deeply lists and tables of a document may lie in one another."""

WHOLE_MOST = 2**63 - 1
"""The largest whole number of a document; the least is its opposite less one, as in TOML."""


@dataclass(frozen=True)
class Scenario:
    """A checked scenario: what it says (`words`, the system's own model), and the document it was read from.

    `document` is the plain dict of the file, `[map]` included; `departures` name the numbers that `[tables]` changes
    against the book, as `material.brick 5 (book: 6)`.
    """

    system: str
    title: str
    seed: int | None
    steps: int | None
    words: BaseModel
    document: dict[str, Any] = field(repr=False)
    file: str = ""
    departures: tuple[str, ...] = ()

    def __repr__(self) -> str:
        parts = [f"{self.system} {self.title!r}" if self.title else self.system]
        parts += [f"from {self.file}"] if self.file else []
        parts += [f"seed {self.seed}"] if self.seed is not None else []
        parts += [f"at most {self.steps} steps"] if self.steps is not None else []
        parts += [f"departs from the book: {', '.join(self.departures)}"] if self.departures else []
        return f"<Scenario {', '.join(parts)}>"


def checked(system: Any, document: dict[str, Any], file: str = "") -> tuple[Scenario | None, list[Problem]]:
    """A document checked by its rule system: the scenario (None where something is wrong), and all problems."""
    words, problems = system.check(document)
    if problems or words is None:
        return None, list(problems)
    made = Scenario(
        system=system.name,
        title=words.title,
        seed=words.seed,
        steps=words.steps,
        words=words,
        document=document,
        file=file,
        departures=tuple(system.departures(words)),
    )
    return made, []


def plain(data: object, where: Where = ()) -> tuple[Any, list[Problem]]:
    """A deep copy of a document in plain dicts, lists and numbers (numpy's become Python's), and what it cannot hold.

    Problems: nesting deeper than 64, whole numbers beyond 64 bits, keys that are no texts.
    """
    if len(where) > DEPTH_MOST:
        return None, [Problem("the document nests too deeply", f"at most {DEPTH_MOST} levels", where=where[:3])]
    if not isinstance(data, (dict, list, tuple, str)) and hasattr(data, "tolist"):
        data = data.tolist()
    if isinstance(data, int) and not isinstance(data, bool) and not -WHOLE_MOST - 1 <= data <= WHOLE_MOST:
        return None, [Problem(f"{dotted(where)} is {shown(data)}", "a whole number of 64 bits", where=where)]
    problems: list[Problem] = []
    if isinstance(data, Mapping):
        table: dict[str, Any] = {}
        for key, value in data.items():
            if not isinstance(key, str):
                problems.append(Problem(f"the key {shown(key)} is not a text", "a name", where=where))
                continue
            table[key], found = plain(value, (*where, key))
            problems += found
        return table, problems
    if isinstance(data, (list, tuple)):
        items = [plain(value, (*where, i)) for i, value in enumerate(data)]
        return [item for item, _ in items], [p for _, found in items for p in found]
    return data, problems


def changed(
    document: Mapping[str, Any], changes: Mapping[str, Any], model: type[BaseModel] | None = None
) -> dict[str, Any]:
    """A deep copy of `document` with values set by dotted keys.

    `{"weather.moisture": "damp", "ignite[0].step": 3, 'tables.material."wattle and daub"': 3}`. Keys that are not
    there yet are made, except symbols of a legend and items of a list; with a `model` they must be its words. Raises
    InputError with a problem for each key that cannot be reached, naming the nearest one.
    """
    new = copy.deepcopy(dict(document))
    problems = []
    for key, value in changes.items():
        value, found = plain(value)
        try:
            where = parse_key(key)
            problems += [Problem(f"cannot set '{key}'", p.expected) for p in found]
            _set(new, where, value, model)
        except InputError as error:
            problems += [Problem(f"cannot set '{key}': {p.what}", p.expected, p.hint) for p in error.problems]
    if problems:
        raise InputError(problems)
    return new


_PART = re.compile(r"""\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([^.\[\]"'=\s](?:[^.\[\]"'=]*[^.\[\]"'=\s])?))\s*""")
_INDEX = re.compile(r"\s*\[\s*(\d{1,9})\s*\]\s*")


def parse_key(text: str) -> Where:
    """`ignite[0].step` as `("ignite", 0, "step")`; parts with blanks, dots or brackets may stand in quotes."""
    where: Where = ()
    at = 0
    while True:
        if not (part := _PART.match(text, at)):
            raise InputError(Problem(f"'{text}' is not a key", "names with dots, as weather.wind or ignite[0].step"))
        double, single, bare = part.groups()
        where += (_unescaped(double) if double is not None else single if single is not None else bare,)
        at = part.end()
        while index := _INDEX.match(text, at):
            where += (int(index[1]),)
            at = index.end()
        if at == len(text):
            return where
        if text[at] != ".":
            raise InputError(Problem(f"'{text}' is not a key", "a dot between names", "put names with dots in quotes"))
        at += 1


def parse_set(text: str) -> tuple[str, Any]:
    """`key=value` of the command line: the value as TOML reads it (`3`, `true`, `[0, 1]`), else as a bare text.

    Raises InputError where there is no key or no value, or where a value begins a list, a table or a quoted text and
    does not end it.
    """
    quoted = re.match(r"""(?:[^"'=]|"(?:[^"\\]|\\.)*"|'[^']*')*=""", text)
    if not quoted or not text[quoted.end() :].strip() or not quoted[0][:-1].strip():
        raise InputError(Problem(f"'{text}' sets nothing", "key=value", "as weather.moisture=damp"))
    key = quoted[0][:-1].strip()
    parse_key(key)
    return key, read_value(text[quoted.end() :].strip())


def read_value(text: str) -> Any:
    """One value as TOML reads it, else the text itself; InputError for lists, tables and quotes left open."""
    reason = "it is not TOML"
    read: dict[str, Any] = {}
    try:
        read = tomllib.loads(f"value = {text}")
    except tomllib.TOMLDecodeError as error:
        reason = re.sub(r" \(at .*\)$", "", str(error))
    except (ValueError, RecursionError):
        raise InputError(Problem(f"the value {_cut(text)} is too large", "a number of 64 bits, few brackets")) from None
    value, problems = plain(read.get("value"))
    if problems:
        raise InputError(Problem(f"the value {_cut(text)} cannot be used", problems[0].expected))
    if len(read) == 1 and isinstance(value, (bool, int, float, str, list, dict)):
        return value
    if text[:1] in ("[", "{", '"', "'"):
        raise InputError(Problem(f"the value {_cut(text)} does not end as it begins", "a value of TOML", reason))
    return text


def _set(document: dict[str, Any], where: Where, value: Any, model: type[BaseModel] | None) -> None:
    """Sets one value, making the tables on the way that are not there yet."""
    at: Any = document
    spot: Any = model
    for depth, written in enumerate(where):
        key: Any = written
        if isinstance(at, list):
            key = _place(at, written, where[:depth])
        elif isinstance(at, dict):
            _name(at, written, where[:depth], spot)
        else:
            raise InputError(Problem(f"'{dotted(where[:depth])}' is {shown(at)}, not a table"))
        if depth == len(where) - 1:
            at[key] = value
            return
        at = at[key] if isinstance(at, list) else at.setdefault(key, {})
        spot = inside(spot, key) if spot is not None else None


def _place(items: list[Any], key: str | int, around: Where) -> int:
    """The index that `key` names in a list."""
    index = int(key) if isinstance(key, str) and key.isdecimal() and len(key) < 10 else key
    count = f"'{dotted(around)}' has {len(items)} item{'' if len(items) == 1 else 's'}"
    if not isinstance(index, int):
        raise InputError(Problem(f"{count}, none called '{key}'", f"a number, as {dotted(around)}[0]"))
    if index >= len(items):
        raise InputError(Problem(count, f"[0] to [{len(items) - 1}]" if items else "", "counting begins at 0"))
    return index


def _name(table: dict[str, Any], key: str | int, around: Where, spot: Any) -> None:
    """Refuses a key that is neither in a table nor one of its words."""
    place = f" in '{dotted(around)}'" if around else ""
    if isinstance(key, int):
        raise InputError(Problem(f"'{dotted(around)}' is a table, not a list", "a name after a dot"))
    if key in table:
        return
    names = names_in(spot) if spot is not None else None
    if names is None and around and around[-1] == "legend":
        names = list(table)
    if names is not None and key not in names:
        raise InputError(Problem(f"there is no '{key}'{place}", listed(names), nearest(key, names)))


def _unescaped(text: str) -> str:
    """A quoted part of a key with its escapes read."""
    try:
        return str(tomllib.loads(f'key = "{text}"')["key"])
    except tomllib.TOMLDecodeError:
        return text


def _cut(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."
