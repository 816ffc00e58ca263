"""Where the keys of a TOML text stand: line and column of every key, table and item of an array."""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from contextlib import suppress

from firesim.core.problems import Where

_SKIP = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*")
_KEY = re.compile(r"""[ \t]*(?:(?P<bare>[\w-]+)|(?P<double>"(?:[^"\\\n]|\\.)*")|'(?P<single>[^'\n]*)')[ \t]*""")
STRING = (
    r'''"""[^"\\]*+(?:(?:\\.|"{1,2}(?!"))[^"\\]*+)*+"{3,5}'''
    r"""|'''[^']*+(?:'{1,2}(?!')[^']*+)*+'{3,5}"""
    r"""|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"|'[^'\n]*+\'"""
)
"""Every kind of text in quotes; no part ever gives back what it took, so that a hostile text costs no more time."""

_STRING = re.compile(STRING, re.DOTALL)
_OTHER = re.compile(r"[^,\]}\n#]+")


class _LostError(Exception):
    """The text is no TOML from here on."""


class Positions:
    """The places of the keys of a TOML text, which tomllib has read without complaint.

    >>> Positions('[map]\\nrows = [\\n  "h .",\\n]').of(("map", "rows", 0))
    (3, 3)
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._marks: dict[Where, int] = {}
        self._counts: dict[Where, int] = {}
        self._line_starts = [0, *(found.end() for found in re.finditer("\n", text))]
        with suppress(_LostError, RecursionError):  # the nearest key around stands in for what was not found
            self._document()

    def of(self, where: Where) -> tuple[int, int]:
        """Line and column (from 1) of a key or item, or of the nearest one around it; (1, 1) when there is none."""
        while where and where not in self._marks:
            where = where[:-1]
        offset = self._marks[where] if where else 0
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def is_row(self, where: Where) -> bool:
        """Whether exactly this item stands there as a text on one line without escapes, column by column."""
        if where not in self._marks or not (found := _STRING.match(self._text, self._marks[where])):
            return False
        return "\\" not in found[0] and not found[0].startswith(('"""', "'''"))

    def _document(self) -> None:
        table: Where = ()
        self._skip()
        while self._at < len(self._text):
            if self._text[self._at] == "[":
                table = self._header()
            else:
                self._pair(table)
            self._skip()

    def _header(self) -> Where:
        """`[a.b]` or `[[a.b]]`: the path of the table that follows, the last item of each array of tables on it."""
        array = self._text.startswith("[[", self._at)
        self._at += 2 if array else 1
        names = self._names()
        self._at += 2 if array else 1
        table: Where = ()
        for i, (name, offset) in enumerate(names):
            table += (name,)
            self._marks.setdefault(table, offset)
            if array and i == len(names) - 1:
                self._counts[table] = self._counts.get(table, 0) + 1
            if table in self._counts:
                table += (self._counts[table] - 1,)
                self._marks.setdefault(table, offset)
        return table

    def _pair(self, table: Where) -> None:
        """`a.b = value`, its keys marked below `table`."""
        for name, offset in self._names():
            table += (name,)
            self._marks.setdefault(table, offset)
        self._expect("=")
        self._skip()
        self._value(table)

    def _names(self) -> list[tuple[str, int]]:
        """The parts of a dotted key, each with its offset."""
        names = []
        while True:
            if not (part := _KEY.match(self._text, self._at)):
                raise _LostError
            kind = part.lastgroup or ""
            offset = part.start(kind) - (kind == "single")
            name = part[kind]
            names.append((_unquoted(name) if kind == "double" else name, offset))
            self._at = part.end()
            if not self._text.startswith(".", self._at):
                return names
            self._at += 1

    def _value(self, where: Where) -> None:
        """Steps over one value, marking what lies inside arrays and inline tables."""
        start = self._text[self._at : self._at + 1]
        if start == "[":
            self._at += 1
            number = 0
            while not self._closed("]"):
                self._marks[(*where, number)] = self._at
                self._value((*where, number))
                number += 1
                self._comma()
        elif start == "{":
            self._at += 1
            while not self._closed("}"):
                self._pair(where)
                self._comma()
        else:
            found = (_STRING if start in ('"', "'") else _OTHER).match(self._text, self._at)
            if not found:
                raise _LostError
            self._at = found.end()

    def _closed(self, bracket: str) -> bool:
        """Whether the list or table ends here; steps over its bracket if so."""
        self._skip()
        ends = self._text.startswith(bracket, self._at)
        self._at += ends
        return ends

    def _comma(self) -> None:
        self._skip()
        if self._text.startswith(",", self._at):
            self._at += 1

    def _expect(self, mark: str) -> None:
        if not self._text.startswith(mark, self._at):
            raise _LostError
        self._at += 1

    def _skip(self) -> None:
        """Steps over blanks, line ends and comments."""
        found = _SKIP.match(self._text, self._at)
        self._at = found.end() if found else self._at


def _unquoted(text: str) -> str:
    """A quoted key with its escapes read; text that is not TOML ends the search for positions."""
    try:
        return str(tomllib.loads(f"key = {text}")["key"])
    except tomllib.TOMLDecodeError:
        raise _LostError from None
