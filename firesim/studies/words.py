"""Words for the figures of a study: numbers, shares and cases as a sentence has them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import takewhile
from pathlib import PurePath
from typing import Any

from firesim.core.telling import short

SHARE_OF = (10, 20, 100, 1000)
"""A share is told as so many of the first of these that is near enough."""


def number(value: float) -> str:
    """A figure to three digits, without an exponent.

    >>> [number(x) for x in (1234.5, 12.345, 0.01234, -0.5, 7)]
    ['1,234', '12.3', '0.0123', '-0.5', '7']
    """
    if not math.isfinite(value):
        return "unknown" if math.isnan(value) else f"{value}"
    if abs(value) >= 100 or value == 0:
        return f"{value:,.0f}"
    digits = 2 - math.floor(math.log10(abs(value)))
    return f"{value:.{digits}f}".rstrip("0").rstrip(".")


def span(low: float, high: float) -> str:
    """An interval: `1.2 to 3.4`, rounded finely enough that its ends differ."""
    if not (math.isfinite(low) and math.isfinite(high)):
        return f"{number(low)} to {number(high)}"
    width = high - low
    digits = 0 if width <= 0 else max(0, 1 - math.floor(math.log10(width)))
    ends = [f"{bound:,.{digits}f}" if width > 0 else number(bound) for bound in (low, high)]
    return " to ".join("0" if not end.strip("-0.") else end for end in ends)


def about(count: float) -> str:
    """A large count rounded up to one or two digits: `about` stands before it.

    >>> [about(n) for n in (7, 431, 3940, 18_200)]
    ['10', '440', '4,000', '19,000']
    """
    if count <= 10:
        return "10"
    unit = 10 ** (math.floor(math.log10(count)) - 1)
    return f"{math.ceil(count / unit) * unit:,.0f}"


def share(part: float, whole: int, what: str = "fires") -> str:
    """How many of all: `9 fires of 10`, `1 fire of 100`, `no fire`, `every fire`.

    >>> [share(p, 1000) for p in (0, 3, 10, 310, 900, 999, 1000)]
    ['no fire', '3 fires of 1,000', '1 fire of 100', '31 fires of 100', '9 fires of 10', '999 fires of 1,000', 'every fire']
    """  # noqa: E501
    one = what.removesuffix("s")
    if part <= 0:
        return f"no {one}"
    if part >= whole:
        return f"every {one}"
    for of in SHARE_OF:
        if of > whole:
            break
        count = round(part / whole * of)
        if 0 < count < of and abs(count / of - part / whole) <= 0.03 * min(count, of - count) / of:
            return f"{count:,} {one if count == 1 else what} of {of:,}"
    return f"{part:,.0f} {one if part == 1 else what} of {whole:,}"


def case_names(cases: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """A name for each case from what it varies: `wind E, moisture damp`; `case 2` for what varies nothing.

    A dotted key is told by its last word, by the whole key where two end alike; a scenario by its
    file's stem alone. What all cases share is left out.
    """
    cases = without_shared(with_stems(cases))
    keys = list(dict.fromkeys(key for case in cases for key in case))
    last = [key.rpartition(".")[2] for key in keys]
    last_words = {key: word if last.count(word) == 1 else key for key, word in zip(keys, last, strict=True)}
    last_words["scenario"] = ""
    return tuple(
        ", ".join(f"{last_words[key]} {value_words(value)}".lstrip() for key, value in case.items()) or f"case {place}"
        for place, case in enumerate(cases)
    )


def without_shared(cases: Sequence[Mapping[str, Any]]) -> tuple[Mapping[str, Any], ...]:
    """The cases without the keys, and the entries of tables, that have the same value in all of them.

    >>> without_shared(
    ...     [{"steps": 9, "wind": {"from": "E", "force": 1}}, {"steps": 9, "wind": {"from": "W", "force": 1}}]
    ... )
    ({'wind': {'from': 'E'}}, {'wind': {'from': 'W'}})
    """
    if len(cases) < 2 or all(_same(case, cases[0]) for case in cases):
        return tuple(cases)
    shared = {key for key in cases[0] if all(key in case and _same(case[key], cases[0][key]) for case in cases)}
    tables = {key for key in cases[0] if all(isinstance(case.get(key), Mapping) for case in cases)} - shared
    left = {key: without_shared([case[key] for case in cases]) for key in tables}
    return tuple(
        {key: left[key][place] if key in left else value for key, value in case.items() if key not in shared}
        for place, case in enumerate(cases)
    )


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and repr(one) == repr(other)


def with_stems(cases: Sequence[Mapping[str, Any]]) -> tuple[Mapping[str, Any], ...]:
    """The cases, those of scenario files told by the files' stems, from the folder on in which they part.

    >>> with_stems([{"scenario": "maps/a.toml"}, {"scenario": "maps/b.toml"}])
    ({'scenario': 'a'}, {'scenario': 'b'})
    >>> with_stems([{"scenario": "maps/old/a.toml"}, {"scenario": "maps/new/a.toml"}])
    ({'scenario': 'old/a'}, {'scenario': 'new/a'})
    """
    files = {case["scenario"] for case in cases if str(case.get("scenario", "")).endswith(".toml")}
    stems = {file: PurePath(file).stem for file in files}
    if len(set(stems.values())) < len(stems):
        parts = [PurePath(file).parts[:-1] for file in files]
        shared = sum(1 for _ in takewhile(lambda names: len(set(names)) == 1, zip(*parts, strict=False)))
        stems = {file: PurePath(*PurePath(file).parts[shared:]).with_suffix("").as_posix() for file in files}
        if len(set(stems.values())) < len(stems):
            return tuple(cases)
    return tuple(
        {**case, "scenario": stems[case["scenario"]]} if case.get("scenario") in stems else case for case in cases
    )


def value_words(value: Any) -> str:
    """A varied value as a name has it."""
    value = value.item() if hasattr(value, "item") and getattr(value, "ndim", 0) == 0 else value
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key} {value_words(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(value_words(inner) for inner in value) + "]"
    return str(value)


def cut(text: str, room: int) -> str:
    """Text that fits into so many characters."""
    return text if len(text) <= room else text[: room - 1].rstrip() + "…"


def short_names(names: Sequence[str], room: int) -> list[str]:
    """Names of at most so many characters that differ wherever the whole names do: by a number if need be.

    >>> short_names(["the long first night", "the long other night"], 12)
    ['the long fi…', 'the long ot…']
    """
    whole = list(dict.fromkeys(names))
    made: dict[str, str] = {}
    for way in (short, cut, _ending):
        left = [name for name in whole if name not in made]
        told = {name: way(name, room) for name in left}
        counts = Counter([*made.values(), *told.values()])
        made |= {name: text for name, text in told.items() if counts[text] == 1}
    for number, name in enumerate((name for name in whole if name not in made), 1):
        made[name] = f"{cut(name, room - len(str(number)) - 3)} ({number})"
    return [made[name] for name in names]


def _ending(text: str, room: int) -> str:
    return text if len(text) <= room else "…" + text[len(text) - room + 1 :].lstrip()
