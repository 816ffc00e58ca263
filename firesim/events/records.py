"""From rows of the log to records with sentences."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

COLUMNS = ("step", "event", "cell", "other", "face", "bonus", "need", "amount", "before", "after")
"""What a row of the log holds."""


@dataclass(frozen=True, slots=True)
class EventKind:
    """One kind of event of a system: its name and its sentence.

    `sentence` is a format string over the log's columns, plus `who` and `whom` (the cells' names), `heading`, `change`
    ("20 -> 17", "stays 20"), and `sum` ("5 + 2 - 3 = 4", or "5" where nothing was added or taken off).

    target, source: the columns of whom fire comes at and from whom, empty where there is none; lights: the target
    begins to burn with this event. One that lights without a source has that of the last event that came at its target.
    """

    name: str
    sentence: str
    target: str = ""
    source: str = ""
    lights: bool = False


@dataclass(frozen=True, slots=True)
class Record:
    """One event. `cell`, `other`: flat indices; the rest as in `COLUMNS`; `text`: the sentence."""

    step: int
    event: str
    cell: int
    other: int
    face: int
    bonus: int
    need: int
    amount: int
    before: int
    after: int
    text: str = ""

    def as_dict(self) -> dict[str, Any]:
        """The record as a plain dict, ready for JSON."""
        return {name: getattr(self, name) for name in self.__slots__}


def records(
    rows: np.ndarray[Any, Any],
    kinds: Sequence[EventKind],
    cell_name: Callable[[int], str],
    headings: Sequence[str] = (),
    told: bool = True,
) -> list[Record]:
    """Records of `rows` (n, 10), in the order in which things happened; told: with their sentences, which take time."""
    if not told:
        return [Record(*[row[0], kinds[row[1]].name, *row[2:]]) for row in rows.tolist()]
    made = []
    named = cache(cell_name)
    for row in rows.tolist():
        values: dict[str, Any] = dict(zip(COLUMNS, row, strict=True))
        kind = kinds[values["event"]]
        words = values | {
            "who": named(values["cell"]),
            "whom": named(values["other"]),
            "heading": headings[values["amount"] % len(headings)] if headings else "",
            "sum": _sum(values),
            "change": _change(values["before"], values["after"]),
        }
        made.append(Record(**(values | {"event": kind.name, "text": kind.sentence.format_map(words)})))
    return made


def _change(before: int, after: int) -> str:
    return f"{before} -> {after}" if before != after else f"stays {after}"


def _sum(values: dict[str, Any]) -> str:
    bonus, need = values["bonus"], values["need"]
    text = f"{values['face']}"
    if bonus:
        text += f" {'+' if bonus > 0 else '-'} {abs(bonus)}"
    if need:
        text += f" - {need}"
    return f"{text} = {values['amount']}" if bonus or need else text


def sentences(made: Iterable[Record], step_word: str) -> str:
    """The log as text: one line per event, `Turn 3: ...`."""
    return "".join(f"{step_word} {record.step}: {record.text}\n" for record in made)


def json_lines(made: Iterable[Record]) -> str:
    """The log as JSON, one record per line."""
    return "".join(json.dumps(record.as_dict()) + "\n" for record in made)
