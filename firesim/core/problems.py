"""Problems with a user's input: where, what is wrong, what was expected, how to mend it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

Where = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with the input, told in one line (map rows add the row and a caret).

    `where` is the path of keys into the document (`("map", "legend", "h", "st")`); whoever read the document from a
    file turns it into `file`, `line` and `column` (both from 1; 0 = unknown).
    """

    what: str
    expected: str = ""
    hint: str = ""
    where: Where = ()
    file: str = ""
    line: int = 0
    column: int = 0
    excerpt: str = ""

    def __str__(self) -> str:
        place = self.file
        if self.line:
            place += f":{self.line}:{self.column or 1}" if place else f"line {self.line}, column {self.column or 1}"
        elif self.where:
            place = f"{place}: {dotted(self.where)}" if place else dotted(self.where)
        parts = [f"{place}: {self.what}" if place else self.what]
        if self.expected:
            parts.append(f": expected {self.expected}")
        if self.hint:
            parts.append(f"; {self.hint}")
        line = "".join(parts).replace("\n", " ")
        return f"{line}\n{self.excerpt}" if self.excerpt else line

    def at(self, *prefix: str | int) -> Problem:
        """The same problem seen from an enclosing key."""
        return replace(self, where=(*prefix, *self.where))


class InputError(ValueError):
    """The user's input is wrong; `problems` holds every problem found, in the order of the file."""

    def __init__(self, problems: Problem | Iterable[Problem]) -> None:
        self.problems: list[Problem] = [problems] if isinstance(problems, Problem) else list(problems)
        super().__init__("\n".join(str(p) for p in self.problems))


def dotted(where: Where) -> str:
    """`("ignite", 0, "cell")` as a reader writes it: `ignite[0].cell`."""
    text = ""
    for key in where:
        text += f"[{key}]" if isinstance(key, int) else (f".{key}" if text else key)
    return text


def nearest(word: str, known: Iterable[str]) -> str:
    """A hint naming the known word most like `word`, or an empty string when none comes close."""
    close = difflib.get_close_matches(word.lower(), list(known), n=1, cutoff=0.5)
    return f"did you mean '{close[0]}'?" if close else ""


def listed(words: Sequence[str], most: int = 12) -> str:
    """Words as a list in a sentence: `a, b or c`, cut at `most`."""
    shown = list(words[:most]) + ([f"... ({len(words) - most} more)"] if len(words) > most else [])
    return shown[0] if len(shown) == 1 else ", ".join(shown[:-1]) + " or " + shown[-1] if shown else "nothing"
