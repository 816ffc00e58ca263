"""Maps of many fires beside that of burn probability: when fire comes, and what differs between two cases."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from firesim.core.files import writable
from firesim.render import board
from firesim.render.aboard import draw_labels
from firesim.render.case_colours import arrival, diverging
from firesim.render.palette import ink_on, rgb, text_of
from firesim.render.pieces import Box
from firesim.render.snapshot import Canvas
from firesim.render.value_maps import NEVER, Sheet, coloured, ground, panel, save
from firesim.render.view import view
from firesim.rules.base import Prepared

Array = np.ndarray[Any, Any]

UNDECIDED = "#c3c6cb"
"""Cells whose difference chance alone would explain."""

SMALLEST_SIGN = 12
"""Pixels across a hex from which a plus or minus tells the side of a difference on a grey print."""


def arrival_map(
    prepared: Prepared,
    values: Array,
    path: str | os.PathLike[str],
    *,
    title: str,
    label: str,
    caption: str = "",
    most: float | None = None,
    size: int | None = None,
    dpi: float = board.DPI,
) -> None:
    """Write when fire comes to each cell, on average over the fires in which it does, as a PNG.

    values: (rows, cols) or (cells,) steps, nan = never. label: what the steps are. most: the end of the scale (left
    out: the latest), for maps that are to be compared; later ones have its colour. Raises InputError when the file
    cannot be written.
    """
    from matplotlib.colors import Normalize

    writable(path, (".png",))
    seen = view(prepared)
    numbers = np.asarray(values, np.float64).ravel()
    stands = seen.stands
    told = np.isfinite(numbers)
    top = most if most is not None else float(numbers[told].max(initial=1.0))
    top = max(top, 1e-9)
    scale = Normalize(0, top)
    colours = ground(prepared, seen)
    colours[stands & ~told] = rgb(NEVER)
    colours[told] = coloured(arrival(), scale, numbers[told])
    canvas = Canvas(seen, size, 7, dpi)
    canvas.paint(colours, None)
    canvas.names()
    draw_labels(canvas, ())
    keys = [(NEVER, f"{seen.terms.standing}, never reached")] if (stands & ~told).any() else []
    later = "max" if (numbers[told] > top).any() else "neither"
    panel(canvas, Sheet(title, caption, label), arrival(), scale, keys, beyond=later)
    save(canvas, path, dpi)


def difference_map(
    prepared: Prepared,
    values: Array,
    path: str | os.PathLike[str],
    *,
    title: str,
    label: str,
    caption: str = "",
    decided: Array | None = None,
    most: float | None = None,
    percent: bool = True,
    size: int | None = None,
    dpi: float = board.DPI,
) -> None:
    """Write what one case has more of than another, cell by cell, as a PNG: orange is more, purple less.

    values: (rows, cols) or (cells,) differences, nan = nothing to tell. decided: which of them are more than chance;
    the others are grey. most: the ends of the scale (left out: the largest difference decided). percent: values are
    differences of shares. Raises InputError when the file cannot be written.
    """
    from matplotlib.colors import Normalize

    writable(path, (".png",))
    seen = view(prepared)
    numbers = np.asarray(values, np.float64).ravel()
    stands = seen.stands
    known = np.isfinite(numbers)
    sure = known & (np.ones(numbers.shape, bool) if decided is None else np.asarray(decided, bool).ravel())
    sure &= stands | (numbers != 0)
    largest = float(np.abs(numbers[sure]).max(initial=0.0))
    top = most if most is not None else largest or 1.0
    scale = Normalize(-top, top)
    colours = ground(prepared, seen)
    unsure = known & ~sure & stands
    colours[stands & ~known] = rgb(NEVER)
    colours[unsure] = rgb(UNDECIDED)
    colours[sure] = coloured(diverging(), scale, numbers[sure])
    canvas = Canvas(seen, size, 7, dpi)
    canvas.paint(colours, None)
    signs = _signs(canvas, numbers, sure & (np.abs(numbers) > top / 4), colours)
    canvas.names()
    draw_labels(canvas, signs)
    keys = [(UNDECIDED, "no more than chance")] if unsure.any() else []
    keys += [(NEVER, "nothing to compare")] if (stands & ~known).any() else []
    beyond = "both" if (np.abs(numbers[sure]) > top).any() else "neither"
    written = _percent_points if percent else _signed
    panel(canvas, Sheet(title, caption, label), diverging(), scale, keys, written, beyond)
    save(canvas, path, dpi)


def _signs(canvas: Canvas, numbers: Array, clear: Array, colours: Array) -> list[Box]:
    """A plus or a minus in each cell whose difference is clear, where cells are large enough; returns their boxes."""
    if not canvas.vector or canvas.per_hex < SMALLEST_SIGN:
        return []
    reach, half = 0.2, float(np.clip(0.06 * canvas.per_hex * board.POINT, 0.7, 2.2))
    from matplotlib.collections import LineCollection

    lines, inks = [], []
    for cell in np.flatnonzero(clear):
        x, y = canvas.at[cell]
        ink = ink_on(text_of(colours[cell]))
        lines.append([(x - reach, y), (x + reach, y)])
        inks.append(ink)
        if numbers[cell] > 0:
            lines.append([(x, y - reach), (x, y + reach)])
            inks.append(ink)
    canvas.map.add_collection(LineCollection(lines, colors=inks, linewidths=half, alpha=0.75, capstyle="butt"))
    wide, tall = reach * canvas.per_hex, half + 2
    spots = [(canvas.middles[cell], tall if numbers[cell] < 0 else wide) for cell in np.flatnonzero(clear)]
    return [(float(x) - wide, float(y) - up, float(x) + wide, float(y) + up) for (x, y), up in spots]


def _signed(value: float, _: float = 0) -> str:
    return "0" if abs(value) < 1e-12 else f"{value:+.6g}".replace("-", "−")


def _percent_points(value: float, _: float = 0) -> str:
    return f"{_signed(round(100 * value, 6))} %"
