"""A CSV of what the user knows better than the defaults: one building a line, by its number or its name."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from pathlib import Path

from firesim.core.problems import InputError, Problem, listed, nearest
from firesim.mapfiles.coordinates import PROBLEMS_MOST
from firesim.mapfiles.defaults import FLOORS_MOST, MATERIALS, ROOFS, ST_MOST
from firesim.mapfiles.sniff import read_bytes

COLUMNS = ("index", "name", "material", "roof", "floors", "st")
Given = dict[str, str | int]


def read_overrides(path: str | Path, numbers: Mapping[str, int]) -> dict[int, Given]:
    """What a CSV gives for each building, by its number in the map file (from 1).

    `numbers` maps every building's name to its number. The first line names the columns: `index` (the number) or
    `name`, and any of `material, roof, floors, st` (ST of each of its hexes). An empty field leaves the default.
    All problems of the file are raised together.
    """
    content = read_bytes(path)
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        raise InputError(Problem("this is not UTF-8 text", "a CSV in UTF-8", file=str(path))) from None
    first = text.split("\n", 1)[0]
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=";" if ";" in first and "," not in first else ",")
    reader = _Reader(str(path), numbers)
    try:
        for fields in lines:
            reader.line = lines.line_num
            reader.read([field.strip() for field in fields])
    except csv.Error as error:
        reader.problem(1, f"this is not CSV ({error})", "fields separated by commas")
    if reader.problems:
        raise InputError(reader.problems)
    return reader.given


class _Reader:
    def __init__(self, file: str, numbers: Mapping[str, int]) -> None:
        self.file = file
        self.numbers = numbers
        self.known = set(numbers.values())
        self.columns: list[str] | None = None
        self.given: dict[int, Given] = {}
        self.problems: list[Problem] = []
        self.line = 1

    def problem(self, column: int, what: str, expected: str = "", hint: str = "") -> None:
        """Note a problem in field number `column` (from 1) of the current line."""
        self.problems.append(
            Problem(what=what, expected=expected, hint=hint, file=self.file, line=self.line, column=column)
        )
        if len(self.problems) >= PROBLEMS_MOST:
            raise InputError(self.problems)

    def read(self, fields: list[str]) -> None:
        """Read one line: the header first, then a building each; blank lines and `#` comments are passed over."""
        if not any(fields) or fields[0].startswith("#"):
            return
        if self.columns is None:
            self.columns = [field.lower() for field in fields]
            self.check_header(self.columns)
        elif not any(p.line and p.what.startswith(("unknown column", "no column")) for p in self.problems):
            if len(fields) > len(self.columns):
                self.problem(len(fields), f"{len(fields)} fields", f"{len(self.columns)}, as in the first line")
            else:
                self.building(dict(zip(self.columns, fields, strict=False)))

    def check_header(self, columns: list[str]) -> None:
        """Known columns only, each once, and one that says which building."""
        for place, column in enumerate(columns, start=1):
            if column not in COLUMNS:
                self.problem(place, f"unknown column '{column}'", listed(COLUMNS), nearest(column, COLUMNS))
            elif column in columns[: place - 1]:
                self.problem(place, f"column '{column}' stands twice", "each column once")
        if not {"index", "name"} & set(columns):
            self.problem(1, "no column says which building", "a column 'index' or 'name'")

    def building(self, row: dict[str, str]) -> None:
        """The words of one line for its building."""
        number = self.number_of(row)
        given: Given = {}
        for key, words in (("material", MATERIALS), ("roof", ROOFS)):
            word = row.get(key, "").lower()
            if word and word not in words:
                self.problem(self.column(key), f"unknown {key} '{row[key]}'", listed(words), nearest(word, words))
            elif word:
                given[key] = word
        for key, most in (("floors", FLOORS_MOST), ("st", ST_MOST)):
            word = row.get(key, "")
            if word and not (word.isascii() and word.isdigit() and len(word) < 10 and 1 <= int(word) <= most):
                self.problem(self.column(key), f"{key} '{word}'", f"a whole number from 1 to {most:,}")
            elif word:
                given[key] = int(word)
        if number is not None:
            if number in self.given:
                self.problem(1, f"building {number} stands twice", "each building once")
            self.given[number] = given

    def number_of(self, row: dict[str, str]) -> int | None:
        """Which building a line speaks of; None with a problem noted."""
        index, name = row.get("index", ""), row.get("name", "")
        if not index and not name:
            self.problem(1, "the line names no building", "an index or a name")
            return None
        if index:
            number = int(index) if index.isascii() and index.isdigit() and len(index) < 10 else 0
            if number not in self.known:
                most = max(self.known, default=0)
                self.problem(self.column("index"), f"there is no building {index}", f"a number from 1 to {most}")
                return None
            if name and self.numbers.get(name) != number:
                self.problem(
                    self.column("name"), f"'{name}' is not building {number}", "index and name of one building"
                )
                return None
            return number
        if name not in self.numbers:
            self.problem(
                self.column("name"),
                f"there is no building '{name}'",
                "a name of the imported map",
                nearest(name, self.numbers),
            )
            return None
        return self.numbers[name]

    def column(self, key: str) -> int:
        """The number of a column, from 1."""
        return 1 + (self.columns or [key]).index(key)
