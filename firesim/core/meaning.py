"""What can be wrong with the meaning of words that every system has: texts, places, names of watches, tables."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from firesim.core.maps import cell_name, width_of
from firesim.core.problems import Problem, Where
from firesim.core.tables import Tables

Model = TypeVar("Model", bound=BaseModel)

TITLE_MOST = 200
"""The most characters of a title."""

NAME_MOST = 100
"""The most characters of a name: it stands in every sentence of the log."""

_STEERING = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069\\ud800-\\udfff]")
"""Characters that steer a terminal, break the line or turn the direction of reading, and stand for nothing."""


def as_far_as_valid(model: type[Model], block: object, **needed: Any) -> Model | None:
    """A block of words without the keys that are wrong, `needed` standing in for those; None if that is not enough."""
    if not isinstance(block, Mapping):
        return None
    kept = dict(block)
    for _ in range(2):
        try:
            return model.model_validate(kept)
        except ValidationError as error:
            wrong = {e["loc"][0] for e in error.errors(include_url=False, include_input=False) if e["loc"]}
            kept = {**needed, **{key: value for key, value in kept.items() if key not in wrong}}
    return None


def valid_items(model: type[Model], items: object, needed: dict[str, Any]) -> Iterator[tuple[int, Model, set[str]]]:
    """Each item of a list that is valid enough: its number, its words, and the keys that stand in the file."""
    for i, item in enumerate(items if isinstance(items, list) else ()):
        if words := as_far_as_valid(model, item, **needed):
            yield i, words, {k for k, v in item.items() if v is not None} if isinstance(item, Mapping) else set()


def text_problems(text: object, most: int, where: Where) -> list[Problem]:
    """What is wrong with a text that is shown to people: too long, or with characters that steer a terminal.

    What is no text at all has been told of before.
    """
    found: list[Problem] = []
    if not isinstance(text, str):
        return found
    if len(text) > most:
        found.append(Problem(f"{where[-1]} has {len(text):,} characters", f"at most {most}", where=where))
    if strange := _STEERING.search(text):
        code = strange[0].encode("unicode_escape").decode()
        found.append(Problem(f"{where[-1]} holds the control character {code}", "plain text on one line", where=where))
    return found


def off_map_problems(cell: tuple[int, int], tokens: Sequence[Sequence[str]], where: Where) -> list[Problem]:
    """What is wrong with a cell that lies off a map of these symbols; nothing where the map cannot tell."""
    row, col = cell
    if not tokens:
        return []
    rows, cols = len(tokens), width_of(tokens)
    if row < rows and col < max(cols, len(tokens[row])):
        return []
    expected = f"a row from 0 to {rows - 1} and a column from 0 to {cols - 1}"
    hint = f"the map has {rows} x {cols} cells, counted from 0"
    if col < rows and row < cols:
        hint += f"; did you mean [{col}, {row}]? the row comes first"
    return [Problem(f"cell {cell_name(row, col)} lies off the map", expected, hint, where)]


def symbol_problems(symbol: str, what_open_is: str) -> list[Problem]:
    """What is wrong with a symbol of a legend itself."""
    where = ("map", "legend", symbol)
    if symbol == ".":
        hint = "take another symbol for what you describe here"
        return [Problem(f"'.' is {what_open_is}", "no '.' in the legend", hint, where)]
    if symbol.split() != [symbol]:
        what = f"the symbol '{symbol}' holds a blank" if symbol else "a symbol of the legend is empty"
        return [Problem(what, "a symbol without blanks", "blanks part the symbols of a row", where)]
    return []


def watch_name_problems(
    name: str, where: Where, columns: Collection[str], system: str, things: str, earlier: dict[str, int]
) -> list[Problem]:
    """What is wrong with a watch's name, which becomes the beginning of two columns.

    columns: of the system itself. earlier: names so far and their places, to which this one is added.
    """
    found: list[Problem] = []
    if not (name.isidentifier() and name.isascii()):
        better = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_")
        hint = f"did you mean '{better}'?" if better.isidentifier() else ""
        expected = "letters, digits and _, no digit first: it names columns"
        found.append(Problem(f"'{name}' cannot name a watch", expected, hint, where))
    elif taken := [c for c in (name.lower(), f"{name}_lit_at".lower(), f"{name}_lost".lower()) if c in columns]:
        what = f"'{name}' cannot name a watch: every {system} has a column '{taken[0]}'"
        found.append(Problem(what, "another name", f"as {name}_{things}", where))
    place = where[-2]
    first = earlier.setdefault(name.casefold(), int(place))
    if first != place:
        what = f"watch[{first}] is called '{name}' too"
        found.append(Problem(what, "a name of its own", "capitals do not count", where))
    return found


def table_problems(overrides: object, book: Tables) -> list[Problem]:
    """What is wrong with `[tables]`, values of the wrong type apart: the words have told of those."""
    if not isinstance(overrides, Mapping):
        return []
    numbers = {
        name: {k: v for k, v in values.items() if isinstance(v, int) and not isinstance(v, bool) and abs(v) <= 10**6}
        for name, values in overrides.items()
        if isinstance(values, Mapping)
    }
    return book.problems(numbers)
