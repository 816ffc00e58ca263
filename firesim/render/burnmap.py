"""The map of many fires: how likely each hex is to burn, over the town in faint colours."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from firesim.core.files import writable, writing
from firesim.render import board
from firesim.render.aboard import draw_labels
from firesim.render.palette import INK, PAPER, blend, rgb
from firesim.render.snapshot import Canvas
from firesim.render.view import view
from firesim.rules.base import Prepared

Array = np.ndarray[Any, Any]

NEVER = "#a9adb3"
"""Buildings that no fire reached."""

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
    writable(path, (".png",))
    seen = view(prepared)
    numbers = np.asarray(values, np.float64).ravel()
    town = np.asarray(prepared.system.scene(prepared, prepared.first, (), 0).codes, np.uint8).ravel()
    stands = seen.stands
    told = stands & np.isfinite(numbers)
    largest = float(numbers[told].max(initial=0.0))
    top = most if most is not None else (1.0 if largest <= 1 else largest)
    canvas = Canvas(seen, size, 7, dpi)
    canvas.paint(_colours(seen.swatches, town, numbers, stands, told, top), None)
    canvas.names()
    draw_labels(canvas, ())
    page, sheet = canvas.page, canvas.sheet
    board.title(page, sheet, title)
    board.caption(page, sheet, caption)
    _bar(canvas, label, top, never=bool((told & (numbers <= 0)).any()))
    board.scale_bar(page, sheet, seen, canvas.per_hex)
    with writing(path, (".png",)) as unfinished:
        canvas.figure.savefig(unfinished, format="png", dpi=dpi, metadata={"Software": None})


def _colours(swatches: Any, town: Array, numbers: Array, stands: Array, told: Array, top: float) -> Array:
    """(cells, 3) uint8: the value's colour, grey where it is 0, the town's own colour faintly elsewhere."""
    from matplotlib import colormaps

    faint = np.array([rgb(blend(swatch.colour, PAPER, 0.62)) for swatch in swatches], np.uint8)
    made = faint[town]
    made[stands] = rgb(blend(NEVER, PAPER, 0.5))
    made[told] = rgb(NEVER)
    burnt = told & (numbers > 0)
    made[burnt] = np.round(colormaps[COLOURS](np.clip(numbers[burnt] / top, 0, 1))[:, :3] * 255).astype(np.uint8)
    return made


def _bar(canvas: Canvas, label: str, top: float, never: bool) -> None:
    """The colour bar in the panel, and the key of what never burnt."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize
    from matplotlib.patches import Rectangle

    sheet, page = canvas.sheet, canvas.page
    left, tall = sheet.panel_left + 8, min(230, max(sheet.map_height - 70, 120))
    board.write_text(page, left, sheet.map_top + 8, label, 13, board.PANEL - 8, fontweight="bold", va="center")
    upper = sheet.map_top + 26
    box = (left / sheet.width, 1 - (upper + tall) / sheet.height, 18 / sheet.width, tall / sheet.height)
    axes = canvas.figure.add_axes(box)
    bar = canvas.figure.colorbar(ScalarMappable(Normalize(0, top), COLOURS), cax=axes)
    bar.ax.tick_params(labelsize=12 * board.POINT, color=INK, labelcolor=INK)
    bar.outline.set_linewidth(0.6)
    if top == 1:
        bar.set_ticks([0, 0.25, 0.5, 0.75, 1], labels=["0 %", "25 %", "50 %", "75 %", "100 %"])
    if never:
        lower = upper + tall + 16
        page.add_patch(Rectangle((left, lower), 18, 14, facecolor=NEVER, edgecolor=INK, linewidth=0.6))
        board.write_text(
            page, left + 26, lower + 7, f"{canvas.view.terms.standing}, never burnt", 12, board.PANEL - 34, va="center"
        )
