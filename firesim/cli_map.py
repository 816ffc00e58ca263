"""The map in a terminal: a letter and a colour for each cell, at 80 columns."""

from __future__ import annotations

import sys
import textwrap
from typing import Any

import numpy as np

LETTERS = {
    "flame": "*", "flames": "&", "ember": "i", "ruin": "x", "rubble": "%", "dots": ":", "grid": "+", "waves": "~",
    "grass": '"', "furrows": "=", "tree": "T", "crenels": "H", "planks": "-", "rocks": "^",
}  # fmt: skip
"""What stands for a mark of pictures; a mark that is a letter stands for itself."""

GONE, PLAIN, STANDS, NOTHING = "#", ".", "o", " "
"""What has no mark: something that the fire left, the ground, what else stands on it; and what has no name either."""

COLUMNS_MOST = 80
ROWS_MOST = 40


def letters(swatches: Any) -> list[str]:
    """The letter of each swatch; of those without a mark the first is the ground, on which the others stand."""
    made: list[str] = []
    for swatch in swatches:
        if not swatch.label:
            made.append(NOTHING)
        elif len(swatch.hatch) == 1:
            made.append(str(swatch.hatch))
        elif swatch.hatch in LETTERS or swatch.changes:
            made.append(LETTERS.get(swatch.hatch, GONE))
        else:
            made.append(PLAIN if PLAIN not in made else STANDS)
    return made


def terminal_map(prepared: Any, scene: Any, around: list[int], columns: int = COLUMNS_MOST) -> Any:
    """The scene as rich's Text: the map, or the part of it around some cells where it is too large, and its letters."""
    from rich.text import Text

    rows, cols = prepared.shape[-2:]
    flat = getattr(getattr(prepared.scenario.words, "map", None), "orientation", "pointy") == "flat"
    hexes = getattr(prepared.scenario.words.map, "grid", "hex") == "hex"
    codes = np.asarray(scene.codes).reshape(rows, cols)
    edge = len(str(rows - 1)) + 1
    wide = min(cols, (columns - edge - 2) // 2)
    tall = min(rows, ROWS_MOST // (2 if flat else 1))
    top, left = _window(around, rows, cols, tall, wide)
    swatches = prepared.system.swatches
    shown = letters(swatches)
    made = Text(no_wrap=True, overflow="crop")
    made.append(scene.caption + "\n", "bold")
    if (tall, wide) != (rows, cols):
        made.append(f"rows {top} to {top + tall - 1} of {rows}, columns {left} to {left + wide - 1} of {cols}\n")
    made.append(" " * edge + _header(left, wide) + "\n", "dim")
    for row in range(top, top + tall):
        for half in range(2 if flat else 1):
            made.append(f"{row if not half else '':>{edge - 1}} ", "dim")
            if hexes and not flat and row % 2:
                made.append(" ")
            for col in range(left, left + wide):
                if flat and col % 2 != half:
                    made.append("  ")
                    continue
                swatch = swatches[codes[row, col]]
                made.append(shown[codes[row, col]], _style(swatch))
                made.append(" ")
            made.append("\n")
    seen = sorted(set(codes[top : top + tall, left : left + wide].ravel().tolist()))
    _legend(made, [(shown[code], swatches[code]) for code in seen if swatches[code].label], columns)
    for line in aboard(prepared, scene):
        made.append("\n" + textwrap.fill(line, columns, subsequent_indent="  "))
    return made


def aboard(prepared: Any, scene: Any) -> list[str]:
    """Who is where, a line for each cell in which people are: `the helm (0, 1): Juno, Kest (person, burning)`."""
    people: dict[int, list[str]] = {}
    for piece in scene.pieces:
        if piece.name:
            swatch = prepared.system.piece_swatches[piece.code]
            people.setdefault(piece.cell, []).append(piece.name + (f" ({swatch.label})" if swatch.changes else ""))
    return [f"{prepared.system.cell_name(prepared, cell)}: {', '.join(people[cell])}" for cell in sorted(people)]


def _window(around: list[int], rows: int, cols: int, tall: int, wide: int) -> tuple[int, int]:
    """The first row and column of a window of the map, with some cells in its middle."""
    at = np.divmod(np.array(around or [0], np.int64), cols)
    middle = [int(part.min() + part.max()) // 2 for part in at]
    return max(0, min(middle[0] - tall // 2, rows - tall)), max(0, min(middle[1] - wide // 2, cols - wide))


def _header(left: int, wide: int) -> str:
    """Numbers over every fifth column."""
    line = ""
    for col in range(left, left + wide):
        if col % 5 == 0 and len(line) <= 2 * (col - left):
            line = line.ljust(2 * (col - left)) + str(col)
    return line


def _style(swatch: Any) -> str:
    from firesim.render.palette import ink_on

    if not swatch.label:
        return ""
    return f"{'bold ' if swatch.changes else ''}{ink_on(swatch.colour)} on {swatch.colour}"


def _legend(made: Any, entries: list[tuple[str, Any]], columns: int) -> None:
    """The letters and what they stand for, as many to a line as fit."""
    used = 0
    for letter, swatch in entries:
        size = len(swatch.label) + 4
        if used and used + size > columns:
            made.append("\n")
            used = 0
        made.append(letter, _style(swatch))
        made.append(f" {swatch.label}  ")
        used += size
    made.rstrip()


def print_map(prepared: Any, scene: Any, around: list[int]) -> None:
    """Print the map on stdout: in colours on a terminal that has them, else in letters alone."""
    from rich.console import Console

    console = Console(file=sys.stdout, highlight=False, width=None if sys.stdout.isatty() else COLUMNS_MOST)
    console.print(terminal_map(prepared, scene, around, min(console.width, 200)))
