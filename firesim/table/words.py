"""What a person types at the table as an event or deed: `wet 4 12`, `wind E`, `order Kest "open door"`."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, get_args

from pydantic import BaseModel

from firesim.core.problems import InputError, Problem, listed, nearest
from firesim.core.scenario import read_value
from firesim.rules.base import System
from firesim.table.inputs import event_words, kinds_of

AT_A_PLACE = {"station module", "station all"}
"""Orders whose place is their target; that of every other order is the way to go."""

NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")
"""What was meant for a number, whether it can be one or not."""

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


Places = Mapping[str, Sequence[Sequence[int]]]
"""Names of parts of the map, with their cells [row, col]."""


def event_of(system: System, line: str, names: Collection[str] = (), places: Places | None = None) -> dict[str, Any]:
    """A typed line as an event or deed; whether it makes sense is for `Game.apply` to find out.

    After the kind: numbers in pairs are cells (the first a cell, more of them cells, or a path where there is one);
    `key=value` sets a key; a bare word is the key of a switch, the value that goes with the kind (`wind E`), a value
    that some key knows (`damp`), or a name. names: all that the map gives; one of several words needs no quotes, nor
    does an order, and the longest that fits is meant. places: names that stand for cells where the kind takes no
    building. Raises InputError for a word that fits nowhere.
    """
    words, places = split(line, names), places or {}
    kind = words[0]
    model = model_of(system, kind)
    if model is None:
        raise InputError(Problem(f"unknown event '{kind[:40]}'", "a kind that the system knows"))
    made: dict[str, Any] = {"kind": kind}
    keys = keys_of(system, kind)
    numbers: list[int] = []
    for word in together(words[1:], model, names):
        key, equals, value = word.partition("=")
        parts = word.strip("[](),").replace(",", " ").split()
        if equals and key in model.model_fields:
            made[key] = read_value(value)
        elif parts and all(NUMBER.fullmatch(part) for part in parts):
            numbers += [_whole(part, keys) for part in parts]
        elif word in places and _means_cells(made, keys):
            numbers += [number for cell in _cells_of(places[word], word, keys) for number in cell]
        else:
            _place(made, model, keys, word, places)
    _place_numbers(made, keys, numbers)
    _check_the_value(made, model, keys)
    return made


def _whole(word: str, keys: Collection[str]) -> int:
    """A number as typed, which must be whole and of a size that can be."""
    if not word.lstrip("+-").isdigit():
        what, expected = ("amount", "a whole number") if "amount" in keys else ("whole number", "a cell, as 4 12")
        raise InputError(Problem(f"'{word[:40]}' is no {what}", expected))
    if len(word) >= 10:
        raise InputError(Problem(f"'{word[:40]}' is too large", "at most nine digits"))
    return int(word)


def _means_cells(made: Mapping[str, Any], keys: Collection[str]) -> bool:
    """Whether the name of a part of the map stands for its cells: not where a building or a person is still to come."""
    return "building" not in keys and bool({"cell", "path"} & set(keys)) and ("crew" not in keys or "crew" in made)


def _cells_of(cells: Sequence[Sequence[int]], name: str, keys: Collection[str]) -> Sequence[Sequence[int]]:
    """The cells that a name stands for: one alone, unless the kind takes several."""
    if len(cells) > 1 and "cells" not in keys:
        which = listed([f"{row} {col}" for row, col in cells])
        raise InputError(Problem(f"there are {len(cells)} places called '{name[:40]}'", which))
    return cells


def _check_the_value(made: Mapping[str, Any], model: type[BaseModel], keys: Collection[str]) -> None:
    """Raise InputError where the value is missing that gives the kind its name, and there are only so many."""
    kind = made["kind"]
    values = list(dict.fromkeys(_choices(model.model_fields[kind].annotation))) if kind in keys else []
    if values and kind not in made:
        raise InputError(Problem(f"'{kind}' lacks the {kind}", listed(values)))


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


def _place(made: dict[str, Any], model: type[BaseModel], keys: Sequence[str], word: str, places: Places) -> None:
    """A bare word under the key it must be meant for."""
    if word in model.model_fields and model.model_fields[word].annotation is bool:
        made[word] = True
        return
    kind, forms = made["kind"], {key: model.model_fields[key].annotation for key in keys}
    if word in _choices(forms.get(kind)) and isinstance(made.get(kind), (str, list)):  # several orders at once
        earlier = made[kind]
        made[kind] = [*([earlier] if isinstance(earlier, str) else earlier), word]
        return
    fitting = [key for key, form in forms.items() if word in _choices(form)]
    for key in ("crew", kind, *fitting, "building", "target"):
        if key in forms and key not in made:
            made[key] = word
            return
    if "amount" in keys:
        raise InputError(Problem(f"'{word[:40]}' is no amount", "a whole number"))
    if "cell" in keys and "building" not in keys:
        expected = "a row and a column, as 4 12" + (f", or {listed(list(places))}" if places else "")
        raise InputError(Problem(f"'{word[:40]}' is no place", expected, nearest(word, places)))
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


def _place_numbers(made: dict[str, Any], keys: Collection[str], numbers: list[int]) -> None:
    """Numbers as an amount, a cell, several cells, a path or a target."""
    if not numbers:
        return
    kind = made["kind"]
    if "amount" in keys:
        if len(numbers) > 1:
            raise InputError(Problem(f"{len(numbers)} numbers for '{kind}'", "one amount"))
        made["amount"] = numbers[0]
        return
    if not {"cell", "path"} & set(keys):
        told = " ".join(map(str, numbers))
        raise InputError(Problem(f"'{told[:40]}' says nothing about '{kind}'", listed(list(keys))))
    if len(numbers) % 2:
        what = "1 number is no cell" if len(numbers) == 1 else f"{len(numbers)} numbers are no cells"
        raise InputError(Problem(what, "a row and a column for each, as 4 12"))
    cells = [numbers[i : i + 2] for i in range(0, len(numbers), 2)]
    if off := [f"cell ({row}, {col}) lies off the map" for row, col in cells if row < 0 or col < 0]:
        raise InputError(Problem(what, "a row and a column from 0") for what in off)
    if "path" in keys and kind in keys:
        orders = made.get(kind, ())
        at_a_place = AT_A_PLACE & {*([orders] if isinstance(orders, str) else orders)}
        if at_a_place and len(cells) == 1 and "target" not in made:
            made["target"] = cells[0]
        else:
            made["path"] = cells
    elif len(cells) == 1 or "cells" not in keys:
        made["cell"] = cells[0]
        if len(cells) > 1:
            _place_square(made, keys, cells)
    else:
        made["cells"] = cells


def _place_square(made: dict[str, Any], keys: Collection[str], cells: list[list[int]]) -> None:
    """A second pair of numbers as the square within the cell."""
    if "square" not in keys or len(cells) > 2:
        expected = "one cell, and a square in it" if "square" in keys else "one"
        raise InputError(Problem(f"{len(cells)} cells for '{made['kind']}'", expected))
    made["square"] = cells[1]
