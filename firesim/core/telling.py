"""Numbers and lists as sentences have them, and texts cut to the room there is."""

from __future__ import annotations

from collections.abc import Sequence


def count_of(number: int, word: str, plural: str = "") -> str:
    """How many of something; plural: where it is not the word with an `s`.

    >>> count_of(1, "module"), count_of(0, "turn"), count_of(3, "hex", "hexes")
    ('1 module', '0 turns', '3 hexes')
    """
    return f"{number} {word if number == 1 else plural or word + 's'}"


def joined(words: Sequence[str], most: int = 6) -> str:
    """Words as a sentence has them, cut at `most`.

    >>> joined(["a"]), joined(["a", "b", "c"]), joined("abcdefgh", most=3)
    ('a', 'a, b and c', 'a, b, c and 5 more')
    """
    shown = list(words[:most]) + ([f"{len(words) - most} more"] if len(words) > most else [])
    return ", ".join(shown[:-1]) + " and " + shown[-1] if len(shown) > 1 else "".join(shown)


def short(text: str, room: int) -> str:
    """Text of at most so many characters, its middle left out: names often differ at the end.

    >>> short("tables.material.wooden 3", 12)
    'table…oden 3'
    """
    if len(text) <= room:
        return text
    head = (room - 1) // 2
    return f"{text[:head]}…{text[len(text) - (room - 1 - head) :]}"
