"""What a person types at the table as an event or deed: `wet 4 12`, `wind E`, `order Kest "open door"`."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterator, Sequence
from typing import Any, get_args

from pydantic import BaseModel

from firesim.core.problems import InputError, Problem, listed, nearest
from firesim.core.scenario import read_value
from firesim.rules.base import System
from firesim.table.inputs import event_words, kinds_of

NEVER_TYPED = ("kind", "step")
"""Keys that the table fills in."""

INNER = re.compile(r"(?<=\w)'(?=\w)")
"""An apostrophe within a word, as in `Miller's`, opens no quote."""

KEPT = "\0"
"""Stands for such an apostrophe while a line is split."""


def model_of(system: System, kind: str) -> type[BaseModel] | None:
    """The model of events or deeds that has this kind; None when the system has none."""
    if kind in kinds_of(event_words(system.words)):
        return event_words(system.words)
    return system.deeds if kind in kinds_of(system.deeds) else None


def keys_of(system: System, kind: str) -> list[str]:
    """The keys that something of this kind may have."""
    return list(system.takes(kind)) if model_of(system, kind) else []


def event_of(system: System, line: str, names: Collection[str] = ()) -> dict[str, Any]:
    """A typed line as an event or deed; whether it makes sense is for `Game.apply` to find out.

    After the kind: numbers in pairs are cells (the first a cell, more of them cells, or a path where there is one);
    `key=value` sets a key; a bare word is the key of a switch, the value that goes with the kind (`wind E`), a value
    that some key knows (`damp`), or a name. names: all that the map gives; one of several words needs no quotes, nor
    does an order, and the longest that fits is meant. Raises InputError for a word that fits nowhere.
    """
    words = split(line, names)
    kind = words[0]
    model = model_of(system, kind)
    if model is None:
        raise InputError(Problem(f"unknown event '{kind[:40]}'", "a kind that the system knows"))
    made: dict[str, Any] = {"kind": kind}
    numbers: list[int] = []
    for word in together(words[1:], model, names):
        key, equals, value = word.partition("=")
        bare = word.strip("[](),").replace(",", " ").split()
        if equals and key in model.model_fields:
            made[key] = read_value(value)
        elif bare and all(part.isascii() and part.isdigit() and len(part) < 10 for part in bare):
            numbers += map(int, bare)
        elif word.lstrip("+-").isdigit() and "amount" in model.model_fields and len(word) < 10:
            made["amount"] = int(word)
        else:
            _place(made, model, kind, word)
    _place_numbers(made, model, kind, numbers)
    return made


def split(line: str, names: Collection[str] = ()) -> list[str]:
    """A line as words; quotes keep a name or an order together. Raises InputError for quotes left open.

    >>> split('order "First Mate" go'), split("demolish Miller's House")
    (['order', 'First Mate', 'go'], ['demolish', "Miller's", 'House'])
    """
    try:
        return [word.replace(KEPT, "'") for word in shlex.split(INNER.sub(KEPT, line))]
    except ValueError:
        hint = f"did you mean: {_mended(line, names)}"
        raise InputError(Problem("a quote is left open", 'quotes in pairs, as "open door"', hint)) from None


def _mended(line: str, names: Collection[str]) -> str:
    """A line whose last quote is closed: after the name that follows it, or else at its end."""
    at = max(line.rfind('"'), INNER.sub(KEPT, line).rfind("'"))
    quote, rest = line[at], line[at + 1 :]
    named = max((n for n in names if rest.casefold().startswith(n.casefold())), key=len, default=rest.rstrip())
    if named and at:
        return line[:at] + quote + rest[: len(named)] + quote + rest[len(named) :].rstrip()
    return line.replace(quote, "").strip()


def together(words: Sequence[str], model: type[BaseModel], names: Collection[str]) -> list[str]:
    """The words, those joined that make up a name or a value of the model; names as the map writes them."""
    values = {word for key, field in model.model_fields.items() for word in (key, *_choices(field.annotation))}
    known = {name.casefold(): name for name in names} | {word.casefold(): word for word in values}
    made: list[str] = []
    place = 0
    while place < len(words):
        most = next(
            (n for n in range(len(words) - place, 0, -1) if " ".join(words[place : place + n]).casefold() in known), 1
        )
        joined = " ".join(words[place : place + most])
        made.append(joined if joined in names else known.get(joined.casefold(), joined))
        place += most
    return made


def _place(made: dict[str, Any], model: type[BaseModel], kind: str, word: str) -> None:
    """A bare word under the key it must be meant for."""
    forms = {key: field.annotation for key, field in model.model_fields.items() if key not in NEVER_TYPED}
    if forms.get(word) is bool:
        made[word] = True
        return
    if word in _choices(forms.get(kind)) and isinstance(made.get(kind), (str, list)):  # several orders at once
        earlier = made[kind]
        made[kind] = [*([earlier] if isinstance(earlier, str) else earlier), word]
        return
    fitting = [key for key, form in forms.items() if word in _choices(form)]
    for key in ("crew", kind, *fitting, "building", "target"):
        if key in forms and key not in made:
            made[key] = word
            return
    switches = [key for key, form in forms.items() if form is bool]
    raise InputError(
        Problem(f"'{word[:40]}' says nothing about '{kind}'", listed(list(forms)), nearest(word, switches))
    )


def _choices(form: Any) -> Iterator[Any]:
    """The texts among which a value of this type must be."""
    for part in get_args(form):
        if isinstance(part, str):
            yield part
        else:
            yield from _choices(part)


def _place_numbers(made: dict[str, Any], model: type[BaseModel], kind: str, numbers: list[int]) -> None:
    """Numbers as an amount, a cell, several cells or a path."""
    if not numbers:
        return
    fields = model.model_fields
    if len(numbers) == 1 and "amount" in fields:
        made["amount"] = numbers[0]
        return
    if len(numbers) % 2:
        raise InputError(Problem(f"{len(numbers)} numbers are no cells", "a row and a column for each, as 4 12"))
    cells = [numbers[i : i + 2] for i in range(0, len(numbers), 2)]
    if "path" in fields and kind in fields:  # an order: where to
        made["path"] = cells
    elif len(cells) == 1 or "cells" not in fields:
        made["cell"] = cells[0]
        if len(cells) == 2 and "square" in fields:
            made["square"] = cells[1]
    else:
        made["cells"] = cells
