"""From pydantic's errors to kind problems, one for each thing wrong, in the words of TOML."""

from __future__ import annotations

import datetime
import math
import types
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, BeforeValidator, ValidationError

from firesim.core.problems import Problem, Where, dotted, listed, nearest


@dataclass(frozen=True, slots=True)
class Said:
    """Put into an `Annotated` type: how messages name one and several of its values."""

    one: str
    many: str


FromList = BeforeValidator(lambda value: tuple(value) if isinstance(value, list) else value)
"""Put into an `Annotated` tuple type: TOML's lists are taken, though numbers in them stay as strict as ever."""


@dataclass(frozen=True, slots=True)
class _Fault:
    """One error of pydantic, seen from the document.

    `arms`: for each union passed on the way, how many keys lie before it and which alternative was tried; `spot`: the
    type expected at `where` (None = unknown); `around`: the type of the table or list that holds it.
    """

    where: Where
    arms: tuple[tuple[int, str], ...]
    spot: Any
    around: Any
    kind: str
    value: object
    message: str


def problems_of(error: ValidationError, model: type[BaseModel]) -> list[Problem]:
    """One problem for each thing wrong with a document that `model` refused, in the model's order.

    A union's errors (one for each alternative tried) become those of the alternative that was meant.
    """
    found: dict[tuple[Where, str], Problem] = {}
    for fault in _collapsed([_fault(e, model) for e in error.errors(include_url=False)], 0):
        problem = _problem(fault)
        found.setdefault((problem.where, problem.what), problem)
    return list(found.values())


def names_in(spot: Any) -> list[str] | None:
    """The keys that a table of type `spot` may hold; None where any name will do (or it is no table)."""
    names: list[str] = []
    for arm in _alternatives(spot):
        if not _is_model(arm):
            return None
        names += [field.alias or name for name, field in arm.model_fields.items()]
    return names


def inside(around: Any, key: str | int) -> Any:
    """The type expected under `key` of a value of type `around`; None = unknown."""
    for arm in _alternatives(around):
        bare = _bare(arm)
        origin, inner = get_origin(bare), get_args(bare)
        if _is_model(bare):
            for name, field in bare.model_fields.items():
                if key == (field.alias or name):
                    return _made(Annotated, (field.annotation, *field.metadata)) if field.metadata else field.annotation
        elif origin is dict:
            return inner[1]
        elif origin is list and isinstance(key, int):
            return inner[0]
        elif origin is tuple and isinstance(key, int):
            return inner[min(key, len(inner) - 1)]
    return None


# --- from pydantic's places to the document's ---------------------------------------------------------------------


def _fault(error: Any, model: type[BaseModel]) -> _Fault:
    """Follows pydantic's path through the types: which steps are keys, which are alternatives of a union."""
    where: Where = ()
    arms: tuple[tuple[int, str], ...] = ()
    spot: Any = model
    around: Any = None
    for step in error["loc"]:
        alternatives = _alternatives(spot)
        if step == "[key]":
            return _Fault(where, arms, str, around, "invalid_key", where[-1], "")
        if len(alternatives) > 1:
            arms += ((len(where), str(step)),)
            spot = _named(alternatives, str(step))
        else:
            around, spot, where = spot, inside(spot, step), (*where, step)
    reason = error.get("ctx", {}).get("error")
    return _Fault(where, arms, spot, around, error["type"], error["input"], str(reason or error["msg"]))


def _collapsed(faults: list[_Fault], depth: int) -> Iterator[_Fault]:
    """The faults without union noise: at each union, those of the alternative that comes nearest."""
    groups: dict[object, list[_Fault]] = {}
    for number, fault in enumerate(faults):
        has_arm = len(fault.arms) > depth
        groups.setdefault(fault.where[: fault.arms[depth][0]] if has_arm else number, []).append(fault)
    for group in groups.values():
        if len(group[0].arms) <= depth:
            yield group[0]
            continue
        by_arm: dict[str, list[_Fault]] = {}
        for fault in group:
            by_arm.setdefault(fault.arms[depth][1], []).append(fault)
        start = group[0].arms[depth][0]
        fitting = [each for each in by_arm.values() if any(len(f.where) > start or not _is_type(f) for f in each)]
        if fitting:
            yield from _collapsed(min(fitting, key=len), depth + 1)
        else:
            first = group[0]
            spot = _made(Union, tuple(each[0].spot or Any for each in by_arm.values()))
            yield _Fault(first.where, first.arms, spot, first.around, first.kind, first.value, first.message)


def _is_type(fault: _Fault) -> bool:
    """Whether the value was of the wrong type altogether; a list or table can be none of several words."""
    return fault.kind.endswith("_type") or (fault.kind == "literal_error" and isinstance(fault.value, (list, dict)))


def _named(alternatives: list[Any], tag: str) -> Any:
    """The alternative of a union that pydantic calls `tag` (a type's name, or a word that tells the kinds apart)."""
    words = tag.lower().replace("[", " ").replace("-", " ").split()
    names = [(getattr(get_origin(_bare(arm)) or _bare(arm), "__name__", "").lower(), arm) for arm in alternatives]
    for name, arm in sorted(names, key=lambda named: named[0] != words[0]):  # a list of texts is a list first of all
        if name and name in words:
            return arm
    for arm in alternatives:
        if _is_model(arm) and any(tag in get_args(_bare(f.annotation)) for f in arm.model_fields.values()):
            return arm
    return None


def _bare(spot: Any) -> Any:
    """A type without its annotations."""
    while get_origin(spot) is Annotated:
        spot = get_args(spot)[0]
    return spot


def _alternatives(spot: Any) -> list[Any]:
    """The alternatives of a union, None apart; a type alone is its own only one."""
    if get_origin(_bare(spot)) not in (Union, types.UnionType):
        return [spot if _notes(spot) else _bare(spot)] if not _is_model(_bare(spot)) else [_bare(spot)]
    return [each for arm in get_args(_bare(spot)) if arm is not type(None) for each in _alternatives(arm)]


def _made(form: Any, inner: tuple[Any, ...]) -> Any:
    """`form[inner]`, for types known only when the program runs."""
    return form[inner]


def _is_model(spot: Any) -> bool:
    return isinstance(spot, type) and issubclass(spot, BaseModel)


# --- in words -----------------------------------------------------------------------------------------------------


def _problem(fault: _Fault) -> Problem:
    """One fault in words."""
    where, key = fault.where, fault.where[-1] if fault.where else ""
    if fault.kind == "missing" and isinstance(key, int):
        return Problem(f"{_label(where[:-1])} is too short", said(fault.around), where=where[:-1])
    if fault.kind == "missing":
        return Problem(f"the key '{key}' is missing", said(fault.spot), where=where)
    if fault.kind == "invalid_key":
        return Problem(f"the key {shown(key)} is not a text", "a name", where=where)
    if fault.kind == "extra_forbidden":
        names = names_in(fault.around) or []
        return Problem(f"unknown key '{key}'", listed(names), nearest(str(key), names), where)
    if fault.kind in ("too_long", "too_short"):
        many = f" has {len(fault.value)} items" if isinstance(fault.value, (list, tuple)) else f" is {fault.kind[4:]}"
        return Problem(f"{_label(where)}{many}", said(fault.spot), where=where)
    if fault.spot is None or not fault.kind.endswith(_PLAIN):
        return Problem(f"{_label(where)} is {shown(fault.value)}", hint=fault.message, where=where)
    return Problem(f"{_label(where)} is {shown(fault.value)}", said(fault.spot), _hint(fault), where)


_PLAIN = ("_type", "literal_error", "_than", "_than_equal", "finite_number")
"""Kinds of errors of which the type expected says all that is to be said."""


def _hint(fault: _Fault) -> str:
    """How to mend a value of the wrong kind, where the writer's intention can be guessed."""
    value, bare = fault.value, [_bare(arm) for arm in _alternatives(fault.spot)]
    origins = [get_origin(arm) for arm in bare]
    key = fault.where[-1] if fault.where else ""
    if isinstance(value, str):
        words = [str(w) for arm in bare if get_origin(arm) is Literal for w in get_args(arm)]
        if words:
            return nearest(value, words)
        number = value.strip().removeprefix("-").isdecimal() and (int in bare or float in bare)
        return "write it without quotes" if number or (bool in bare and value in ("true", "false")) else ""
    if isinstance(value, float) and int in bare and value.is_integer() and abs(value) < 2**53:
        return f"write {int(value)}"
    if isinstance(value, (int, float)) and str in bare:
        return "put it in quotes"
    if isinstance(key, str) and isinstance(value, dict) and list in origins:
        return f"write [[{key}]] with two brackets"
    if isinstance(key, str) and isinstance(value, list) and any(map(_is_model, bare)) and key:
        return f"write [{key}] with one bracket"
    return ""


def said(spot: Any, many: bool = False) -> str:
    """What a value of type `spot` is called in a message: `a whole number from 0 to 6`, `texts in quotes`."""
    notes = _notes(spot)
    for note in notes:
        if isinstance(note, Said):
            return note.many if many else note.one
    alternatives = _alternatives(spot)
    if len(alternatives) > 1:
        return listed(list(dict.fromkeys(said(arm, many) for arm in alternatives)))
    if alternatives[0] is not spot and _notes(alternatives[0]):
        return said(alternatives[0], many)
    bare = _bare(alternatives[0])
    origin, inner = get_origin(bare), get_args(bare)
    if origin is Literal:
        return listed([str(word) for word in inner])
    if origin in (list, tuple):
        count = len(inner) if origin is tuple else _length(notes)
        return ("lists of " if many else "a list of ") + (f"{count} " if count else "") + said(inner[0], True)
    if origin is dict or _is_model(bare):
        return "tables" if many else "a table"
    if bare in (int, float):
        noun = "whole number" if bare is int else "number"
        return (f"{noun}s" if many else f"a {noun}") + _range(notes, bare is int)
    names = {str: ("a text in quotes", "texts in quotes"), bool: ("true or false", "true or false values")}
    return names.get(bare, ("something else", "something else"))[many]


def shown(value: object) -> str:
    """A value as its writer would recognise it, short: lists and tables are only named."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if abs(value) < 2**63 else "a number too large to hold"
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else f"{value} (not a number to reckon with)"
    if isinstance(value, str):
        return f"'{value}'" if len(value) <= 40 else f"'{value[:37]}...'"
    if isinstance(value, (list, tuple)):
        return "a list" if value else "an empty list"
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, (datetime.date, datetime.time)):
        return f"{value}, a date or time"
    return "nothing" if value is None else f"a Python {type(value).__name__}"


def _label(where: Where) -> str:
    """The last key and the numbers after it: `cell[1]`."""
    start = len(where) - 1
    while start > 0 and isinstance(where[start], int):
        start -= 1
    return dotted(where[max(start, 0) :]) if where else "the scenario"


def _notes(spot: Any) -> list[Any]:
    """The annotations of a type, pydantic's own constraints unpacked, outermost first."""
    notes: list[Any] = []
    while get_origin(spot) is Annotated:
        spot, *extra = get_args(spot)
        for note in extra:
            notes += [note, *getattr(note, "metadata", [])]
    return notes


def _range(notes: list[Any], whole: bool) -> str:
    """Numeric bounds in words: ` from 0 to 6`, ` of at least 1`."""
    bounds = {name: getattr(note, name) for note in notes for name in ("ge", "gt", "le", "lt") if _has(note, name)}
    low = bounds.get("ge", bounds["gt"] + 1 if whole and "gt" in bounds else None)
    high = bounds.get("le", bounds["lt"] - 1 if whole and "lt" in bounds else None)
    words = [f"above {bounds['gt']}"] if low is None and "gt" in bounds else []
    if low is not None and high is not None:
        return f" from {low} to {high}"
    words += [f"of at least {low}"] if low is not None else []
    words += [f"of at most {high}"] if high is not None else []
    words += [f"below {bounds['lt']}"] if high is None and "lt" in bounds else []
    return f" {' and '.join(words)}" if words else ""


def _length(notes: list[Any]) -> int | None:
    """The length a list must have, when only one will do."""
    least = [note.min_length for note in notes if _has(note, "min_length")]
    most = [note.max_length for note in notes if _has(note, "max_length")]
    return int(least[0]) if least and least == most else None


def _has(note: Any, name: str) -> bool:
    return getattr(note, name, None) is not None
