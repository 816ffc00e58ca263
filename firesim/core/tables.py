"""The book's numbers: tables of whole numbers, each with its rule and unit, which a scenario may override."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from importlib import resources
from typing import Any

from firesim.core.problems import InputError, Problem, listed, nearest

VALUE_MOST = 1000
"""No number of a book table may be further from zero than this, unless `RANGES` says otherwise."""

RANGES: dict[str, tuple[int, int]] = {
    "percent": (0, 100),
    "from_face": (1, 7),  # of a d6; 7 = never
    "material": (0, VALUE_MOST),
    "roof": (0, VALUE_MOST),
    "protected": (1, VALUE_MOST),
    "out_to": (0, 6),  # of a d6; 0 = never
    "phases": (1, VALUE_MOST),
    "hull_check": (0, VALUE_MOST),
}
"""Ranges of numbers with a meaning of their own: by key, else by table."""


@dataclass(frozen=True, slots=True)
class Table:
    """One table of the book: `values` by name, in `unit`, from `rule`."""

    name: str
    rule: str
    unit: str
    values: dict[str, int]


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables of one rule system, by name.

    >>> Tables.read("firesim.rules.town").value("material", "brick")
    6
    """

    tables: dict[str, Table]

    @classmethod
    def read(cls, package: str, file: str = "tables.toml") -> Tables:
        """The tables of a package's `file`: blocks with `rule`, `unit` and `values`."""
        blocks = tomllib.loads(resources.files(package).joinpath(file).read_text(encoding="utf-8"))
        return cls({name: Table(name, b["rule"], b["unit"], dict(b["values"])) for name, b in blocks.items()})

    def __getitem__(self, name: str) -> Table:
        return self.tables[name]

    def __iter__(self) -> Iterator[Table]:
        return iter(self.tables.values())

    def value(self, table: str, name: str) -> int:
        """One number of one table; a KeyError when there is none."""
        return self.tables[table].values[name]

    def with_overrides(self, overrides: Mapping[str, Mapping[str, int]]) -> tuple[Tables, list[str]]:
        """These tables with a scenario's numbers, and each departure from the book, as `material.brick 5 (book: 6)`.

        Raises InputError, holding every problem, when an override is none that `problems` would let pass.
        """
        if problems := self.problems(overrides):
            raise InputError(problems)
        changed, departures = dict(self.tables), []
        for name, values in overrides.items():
            book = self.tables[name]
            changed[name] = replace(book, values={**book.values, **values})
            for key, value in values.items():
                if value != book.values[key]:
                    departures.append(f"{name}.{_quoted(key)} {value} (book: {book.values[key]})")
        return Tables(changed), departures

    def problems(self, overrides: Mapping[str, Any]) -> list[Problem]:
        """Everything wrong with a scenario's `[tables]`: unknown tables, unknown names, numbers out of range."""
        found = []
        for name, values in overrides.items():
            if name not in self.tables:
                hint = nearest(str(name), self.tables)
                where = ("tables", name)
                found.append(Problem(f"there is no table '{name}'", listed(list(self.tables)), hint, where))
            elif not isinstance(values, Mapping):
                found.append(Problem(f"'{name}' is not a table", "a table of whole numbers", where=("tables", name)))
            else:
                found += [p for key, value in values.items() if (p := self._problem(name, key, value))]
        return found

    def _problem(self, name: str, key: str, value: object) -> Problem | None:
        """What is wrong with one override, if anything."""
        known, where = self.tables[name].values, ("tables", name, key)
        if key not in known:
            return Problem(f"table '{name}' has no '{key}'", listed(list(known)), nearest(str(key), known), where)
        least, most = RANGES.get(key) or RANGES.get(name, (-VALUE_MOST, VALUE_MOST))
        expected = f"a whole number from {least} to {most}"
        if isinstance(value, bool) or not isinstance(value, int):
            return Problem(f"{name}.{_quoted(key)} is not a whole number", expected, where=where)
        if not least <= value <= most:
            said = str(value) if abs(value) < 2**63 else "far too large"
            return Problem(f"{name}.{_quoted(key)} is {said}", expected, where=where)
        return None


def _quoted(key: str) -> str:
    """A name as it must be written in a dotted key: in quotes when it holds blanks or dots."""
    return key if key.replace("_", "").replace("-", "").isalnum() else f'"{key}"'
