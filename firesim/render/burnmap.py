"""The map of many fires: how likely each hex is to burn, over the town in faint colours."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from firesim.core.files import writable
from firesim.render import board
from firesim.render.aboard import draw_labels
from firesim.render.palette import rgb
from firesim.render.snapshot import Canvas
from firesim.render.value_maps import NEVER, Sheet, coloured, ground, panel, save
from firesim.render.view import view
from firesim.rules.base import Prepared

Array = np.ndarray[Any, Any]

COLOURS = "inferno_r"
"""Light is seldom, dark is often: as char on paper."""


def burn_map(
    prepared: Prepared,
    values: Array,
    path: str | os.PathLike[str],
    *,
    title: str,
    label: str = "burn probability",
    caption: str = "",
    size: int | None = None,
    dpi: float = board.DPI,
    most: float | None = None,
) -> None:
    """Write a map of one number per hex as a PNG, with its colour bar.

    values: (rows, cols) or (cells,), NaN = nothing to tell. Buildings at 0 are grey, open ground keeps a faint colour.
    most: the value at the end of the colour bar (left out: 1 for values within 0..1, else the largest). size, dpi as
    for `snapshot`. Raises InputError when the file cannot be written.
    """
    from matplotlib import colormaps
    from matplotlib.colors import Normalize

    writable(path, (".png",))
    seen = view(prepared)
    numbers = np.asarray(values, np.float64).ravel()
    stands = seen.stands
    told = stands & np.isfinite(numbers)
    largest = float(numbers[told].max(initial=0.0))
    top = most if most is not None else (1.0 if largest <= 1 else largest)
    scale = Normalize(0, top, clip=True)
    colours = ground(prepared, seen)
    colours[told] = rgb(NEVER)
    burnt = told & (numbers > 0)
    colours[burnt] = coloured(colormaps[COLOURS], scale, numbers[burnt])
    canvas = Canvas(seen, size, 7, dpi)
    canvas.paint(colours, None)
    canvas.names()
    draw_labels(canvas, ())
    keys = [(NEVER, f"{seen.terms.standing}, never burnt")] if (told & (numbers <= 0)).any() else []
    quarters = (0, 0.25, 0.5, 0.75, 1) if top == 1 else None
    percent = (lambda value, _: f"{100 * value:.0f} %") if top == 1 else None
    panel(canvas, Sheet(title, caption, label), colormaps[COLOURS], scale, keys, percent, ticks=quarters)
    save(canvas, path, dpi)
