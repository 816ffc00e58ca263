"""Towns that the benchmarks burn."""

from __future__ import annotations

from typing import Any

ST, ARMOUR = 30, 2


def houses(size: int) -> dict[str, Any]:
    """A square town, a thatched house of ST 30 and armour 2 on every hex, one in the middle alight from the start.

    Gap 1 between neighbours, no wind, one jump a turn, no bonus for infernos nearby.
    """
    rows = [" " * (row % 2) + " ".join("h" * size) for row in range(size)]
    return document(rows, [size // 2, size // 2])


def block_in_the_open(size: int) -> dict[str, Any]:
    """A block of 5 x 5 such houses in the middle of open ground, its middle alight."""
    middle = size // 2
    open_row = " ".join("." * size)
    row_of_houses = " ".join("." * (middle - 2) + "h" * 5 + "." * (size - middle - 3))
    rows = [row_of_houses if abs(row - middle) <= 2 else open_row for row in range(size)]
    return document(rows, [middle, middle])


def document(rows: list[str], start: list[int]) -> dict[str, Any]:
    """A scenario of such houses."""
    return {
        "system": "town",
        "map": {"rows": rows, "legend": {"h": {"armour": ARMOUR, "st": ST, "roof": "thatch"}}, "gaps": {"default": 1}},
        "options": {"inferno_radius": 0, "jump": "one"},
        "ignite": [{"cell": start, "alight": True}],
    }
