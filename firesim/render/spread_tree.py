"""The tree of a fire over its map: who lit whom, as arrows, and when, as colours."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from firesim.core.files import writable, writing
from firesim.events.spread import Lit
from firesim.render import board
from firesim.render.aboard import draw_labels
from firesim.render.palette import INK, PAPER, blend, rgb
from firesim.render.snapshot import Canvas
from firesim.render.view import view
from firesim.rules.base import Arrow, Prepared

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array = np.ndarray[Any, Any]

COLOURS = "cividis_r"
"""Light is early, dark is late; told apart by anyone, and on a grey print."""


def tree_of(
    prepared: Prepared, lit: Sequence[Lit], *, title: str, size: int | None = None, dpi: float = board.DPI
) -> Figure:
    """The picture of a spread tree as a matplotlib figure; arguments as for `spread_tree`."""
    seen = view(prepared)
    when = first_lit(lit, seen.cells)
    last = int(max([1, *when.values()]))
    canvas = Canvas(seen, size, 8, dpi)
    canvas.paint(colours_of(prepared, when, last), None)
    canvas.names()
    draw_labels(canvas, [])
    canvas.arrows(arrows_of(lit, seen.cells))
    page, sheet, step = canvas.page, canvas.sheet, prepared.system.step_word.lower()
    board.title(page, sheet, title)
    steps = f"{last} {step}{'' if last == 1 else 's'}"
    board.caption(page, sheet, f"{len(when)} lit within {steps}; arrows lead from what burnt to what it lit")
    _bar(canvas, f"{step} in which it was lit", last)
    board.scale_bar(page, sheet, seen, canvas.per_hex)
    return canvas.figure


def spread_tree(
    prepared: Prepared, lit: Sequence[Lit], path: str | os.PathLike[str], *, title: str, size: int | None = None
) -> None:
    """Write who lit whom and when as a PNG; `lit`: `run.spread` or `game.spread`. size as for `snapshot`.

    A cell lit more than once shows its first time, with all arrows. People have no place on the map and are left out.
    Raises InputError when the file cannot be written.
    """
    writable(path, (".png",))
    figure = tree_of(prepared, lit, title=title, size=size)
    with writing(path, (".png",)) as unfinished:
        figure.savefig(unfinished, format="png", dpi=board.DPI, metadata={"Software": None})


def first_lit(lit: Sequence[Lit], cells: int) -> dict[int, int]:
    """The step in which each cell of the map was first lit."""
    when: dict[int, int] = {}
    for each in lit:
        if each.cell < cells:
            when.setdefault(each.cell, each.step)
    return when


def arrows_of(lit: Sequence[Lit], cells: int) -> list[Arrow]:
    """From what burnt to what it lit, each pair once."""
    pairs = {(each.source, each.cell): True for each in lit if 0 <= each.source < cells and each.cell < cells}
    return [Arrow(origin, target, True) for origin, target in pairs]


def colours_of(prepared: Prepared, when: dict[int, int], last: int) -> Array:
    """(cells, 3) uint8: the colour of the step where a cell burnt, the map's own colour faintly elsewhere."""
    from matplotlib import colormaps

    codes = np.asarray(prepared.system.scene(prepared, prepared.first, (), 0).codes, np.uint8).ravel()
    quiet = [PAPER if swatch.changes else swatch.colour for swatch in prepared.system.swatches]
    made = np.array([rgb(blend(colour, PAPER, 0.62)) for colour in quiet], np.uint8)[codes]
    for cell, step in when.items():
        made[cell] = np.round(np.array(colormaps[COLOURS](step / last)[:3]) * 255)
    return made


def _bar(canvas: Canvas, label: str, last: int) -> None:
    """The colour bar in the panel."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize
    from matplotlib.ticker import MaxNLocator

    sheet, page = canvas.sheet, canvas.page
    left, tall = sheet.panel_left + 8, min(230, max(sheet.map_height - 70, 120))
    board.write_text(page, left, sheet.map_top + 8, label, 13, board.PANEL - 8, fontweight="bold", va="center")
    upper = sheet.map_top + 26
    box = (left / sheet.width, 1 - (upper + tall) / sheet.height, 18 / sheet.width, tall / sheet.height)
    bar = canvas.figure.colorbar(ScalarMappable(Normalize(0, last), COLOURS), cax=canvas.figure.add_axes(box))
    bar.ax.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=6))
    bar.ax.invert_yaxis()
    bar.ax.tick_params(labelsize=12 * board.POINT, color=INK, labelcolor=INK)
    bar.outline.set_linewidth(0.6)
