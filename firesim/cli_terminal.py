"""The terminal: lines that are safe to print, Ctrl-C, the dice that a person gives, progress."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

PROBLEMS_MOST = 50
"""How many problems of one file are told; of the rest there is a count."""

HARMLESS = "\n\t\u00a0\u200c\u200d\u3000"
"""Characters that are not printable by Python's reckoning, and yet may go to a terminal."""


# ---------------------------------------------------------------------------------------------------------------- lines
def say(text: str, end: str = "\n") -> None:
    """A line for the person at the terminal, on stderr."""
    try:
        print(printable(text), file=sys.stderr, end=end, flush=True)
    except OSError:
        silence(sys.stderr)


def say_problems(problems: Iterable[Any]) -> None:
    """Problems, one a line; past 50 they are only counted."""
    told = list(problems)
    for problem in told[:PROBLEMS_MOST]:
        say(str(problem))
    if len(told) > PROBLEMS_MOST:
        say(f"... and {len(told) - PROBLEMS_MOST:,} more")


def tell(text: str, end: str = "\n") -> None:
    """A result, on stdout. When its reader has gone the command goes on to its end; InputError for a full disk."""
    from firesim.core.problems import InputError, Problem

    try:
        print(printable(text), end=end, flush=True)
    except BrokenPipeError:  # as `head` does
        silence(sys.stdout)
    except OSError as error:
        silence(sys.stdout)
        reason = (error.strerror or str(error)).lower()
        raise InputError(Problem(f"the output cannot be written: {reason}", "a place that can be written to")) from None


def printable(text: str) -> str:
    """Text with its control characters spelled out, so that a stranger's map cannot command the terminal."""
    if text.replace("\n", "").isprintable():
        return text
    return "".join(c if c.isprintable() or c in HARMLESS else c.encode("unicode_escape").decode() for c in text)


def silence(stream: Any) -> None:
    """What is still written to a stream that is of no use any more goes nowhere."""
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


# --------------------------------------------------------------------------------------------------------------- Ctrl-C
_presses: list[int] = []


def hear_interrupts() -> None:
    """Hear Ctrl-C also where it gets lost: in callbacks of the compiler, and while numba reads a kernel's arguments."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _press)
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, _press)
        sys.unraisablehook = lambda lost: None if lost.exc_type is KeyboardInterrupt else sys.__unraisablehook__(lost)


def _press(number: int, _: Any) -> None:
    """Raise KeyboardInterrupt, and again a second later should this one get lost."""
    _presses.append(number)
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, 1.0)
    raise KeyboardInterrupt


def interrupted() -> bool:
    """Whether Ctrl-C was pressed; from here on nothing more is heard of it, so that the end is orderly."""
    if _presses:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, signal.SIG_IGN)
    return bool(_presses)


# ----------------------------------------------------------------------------------------------------------------- dice
def faces_of(text: str) -> list[int]:
    """The faces of `--dice`: written out, or in a file."""
    from firesim.core.problems import InputError, Problem
    from firesim.dice.tape import read_faces

    path = Path(text)
    try:
        if re.fullmatch(r"[-+\d\s,]*", text) or (len(text.split()) > 1 and not path.exists()):
            return read_faces(text)
        if path.is_dir():
            raise InputError(Problem("this is a folder", "a file of faces", file=text))
        if not path.exists():
            raise InputError(
                Problem(f"--dice {text}: there is no such file", 'faces as "3 4 1", a file of them, or ask')
            )
        if not path.is_file():
            raise InputError(Problem("this is a device or a pipe", "an ordinary file of faces", file=text))
        if path.stat().st_size > 10_000_000:
            raise InputError(Problem("the file is too large", "at most 10 MB of faces", file=text))
        return read_faces(path.read_text(encoding="utf-8-sig"), text)
    except UnicodeDecodeError:
        raise InputError(Problem("the faces cannot be read (not UTF-8)", "a text file", file=text)) from None
    except OSError as error:
        raise InputError(
            Problem(f"the faces cannot be read ({error.strerror})", "a text file", file=text[:100])
        ) from None


def say_records(records: Any) -> None:
    """What happened, a sentence a line, for a person who rolls the dice."""
    for record in records:
        say(f"  {record.text}")


def cell_of(text: str) -> tuple[int, int]:
    """`ROW,COL` as typed; InputError where it is not two whole numbers."""
    from firesim.core.problems import InputError, Problem

    parts = text.replace(",", " ").split()
    if len(parts) != 2 or not all(p.isascii() and p.isdigit() and len(p) < 10 for p in parts):
        raise InputError(Problem(f"--ignite {text}", "a row and a column, as 12,30"))
    return int(parts[0]), int(parts[1])


def settings(changes: list[str] | None) -> dict[str, Any]:
    """The `--set` options as dotted keys and values; InputError names all that are none."""
    from firesim.core.problems import InputError, Problem
    from firesim.core.scenario import parse_set

    made: dict[str, Any] = {}
    problems: list[Problem] = []
    for text in changes or []:
        try:
            key, value = parse_set(text)
            made[key] = value
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)
    return made


class Person:
    """A person who types what the real dice show; `given`: the faces so far."""

    def __init__(self) -> None:
        self.given: list[int] = []
        self._typed: list[str] = []

    def __call__(self, prompt: str, sides: int) -> int:
        """Ask until a face of the die is typed; several in one line serve the dice that follow."""
        while True:
            if not self._typed:
                say(f"{prompt}: ", end="")
                self._typed = input().replace(",", " ").split() or [""]
                if not sys.stdin.isatty():
                    say(" ".join(self._typed))  # nobody's keyboard echoed it
            typed = self._typed.pop(0)
            if typed.isascii() and typed.isdigit() and len(typed) < 10 and 1 <= int(typed) <= sides:
                self.given.append(int(typed))
                return self.given[-1]
            self._typed.clear()
            say(f"'{typed[:40]}': a d{sides} shows a whole number from 1 to {sides}")

    def say_given(self) -> None:
        """Tell the faces, so that one can go on with them another time."""
        say("")
        if self.given:
            say(f"the faces so far: {' '.join(map(str, self.given))}")
            say("to go on from here, give the same command and type them in one line")


# ------------------------------------------------------------------------------------------------------------- progress
@contextmanager
def compiling(scenario: Any, kind: str) -> Iterator[None]:
    """Say that kernels are being compiled, where they are; with a running clock on a terminal."""
    from firesim.jit import compiled_before

    if compiled_before(f"{scenario.system}-{kind}"):
        yield
        return
    words = f"compiling the {scenario.system}'s kernels, once on this machine: 20 to 60 seconds"
    if not sys.stderr.isatty():
        say(words)
        yield
        return
    with working(words):
        yield


@contextmanager
def working(words: str) -> Iterator[None]:
    """A running clock on a terminal, for what has no count."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

    with bar_of(SpinnerColumn(), TextColumn(words), TimeElapsedColumn()):
        yield


@contextmanager
def bar_of(*columns: Any, total: int | None = None) -> Iterator[Callable[..., None]]:
    """A bar of these columns on the terminal, gone when it is done; yields a function that takes its new figures."""
    from rich.console import Console
    from rich.progress import Progress

    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total, told="")
        yield lambda **figures: bar.update(task, **figures)


@contextmanager
def counting_bar(words: str, total: int, shown: bool) -> Iterator[Callable[[int], None] | None]:
    """A bar with time left on a terminal; nothing elsewhere. Yields a function to call with the number done."""
    if not shown or not sys.stderr.isatty():
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

    with bar_of(TextColumn(words), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), total=total) as show:
        yield lambda done: show(completed=done)


def frames_bar(total: int, shown: bool) -> Any:
    """The bar of an animation."""
    return counting_bar("drawing", total, shown)


@contextmanager
def fires_bar(total: int) -> Iterator[Callable[[int, int], None] | None]:
    """The bar of many fires."""
    with counting_bar("burning", total, True) as bar:
        yield (lambda done, _: bar(done)) if bar else None


@contextmanager
def percent_bar(words: str) -> Iterator[Callable[[int, int], None]]:
    """A bar in percent. Yields a function that takes how many are done, and of how many."""
    with counting_bar(f"{words}, %", 100, True) as bar:
        yield lambda done, of: bar(100 * done // of) if bar else None
