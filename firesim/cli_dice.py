"""Real dice at the table: a person types what they show, and may take a slip back."""

from __future__ import annotations

import sys

from firesim.cli_terminal import Person, printable, say


def ask_line(prompt: str) -> str:
    """A line from the person; echoed where nobody's keyboard did. Raises EOFError and KeyboardInterrupt."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        return input(printable(prompt))
    say(prompt, end="")
    line = input()
    if not sys.stdin.isatty():
        say(line)
    return line


class StopRolling(Exception):  # noqa: N818
    """The person leaves a step that is not finished."""


class RealDice(Person):
    """A person who types what the real dice show, and may take a slip back."""

    def __call__(self, prompt: str, sides: int) -> int:
        """Ask until a face is typed, or one of the words at a prompt."""
        from firesim.table.rolling import RollTheRest, TakeBack

        words = {"back": TakeBack, "rest": RollTheRest, "stop": StopRolling}
        while True:
            if not self._typed:
                self._typed = ask_line(f"  {prompt}: ").replace(",", " ").split()
                if not self._typed:
                    continue
            typed = self._typed.pop(0)
            if typed.lower() in words:
                self._typed.clear()
                raise words[typed.lower()]
            if typed.isascii() and typed.isdigit() and len(typed) < 10 and 1 <= int(typed) <= sides:
                return int(typed)
            self._typed.clear()
            say(f"  '{typed[:40]}': a d{sides} shows a whole number from 1 to {sides} (or: back, rest, stop)")

    def type_ahead(self, faces: list[str]) -> None:
        """Faces for the dice that come next."""
        self._typed = faces

    def forget_typed(self) -> None:
        """Faces typed ahead count for the step under way alone."""
        if self._typed:
            say(f"  not needed: {' '.join(self._typed)[:60]}")
        self._typed.clear()
