"""What all maps of one number a cell share: the faint ground, the colours of values, the panel with its colour bar."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from firesim.core.files import writing
from firesim.render import board
from firesim.render.palette import INK, PAPER, blend, rgb
from firesim.render.snapshot import Canvas
from firesim.render.view import View
from firesim.rules.base import Prepared

if TYPE_CHECKING:
    from matplotlib.colors import Colormap, Normalize

Array = np.ndarray[Any, Any]

NEVER = "#a9adb3"
"""Buildings that no fire reached."""


class Sheet(NamedTuple):
    """What is written on a map: above it, below it, and over its colour bar."""

    title: str
    caption: str
    label: str


def ground(prepared: Prepared, seen: View) -> Array:
    """(cells, 3) uint8: the map's own colours, faint; what stands is grey."""
    codes = np.asarray(prepared.system.scene(prepared, prepared.first, (), 0).codes, np.uint8).ravel()
    faint = np.array([rgb(blend(swatch.colour, PAPER, 0.62)) for swatch in seen.swatches], np.uint8)
    made = np.asarray(faint[codes])
    made[seen.stands] = rgb(blend(NEVER, PAPER, 0.5))
    return made


def coloured(colours: Colormap, scale: Normalize, values: Array) -> Array:
    """(n, 3) uint8: the colours of values on a scale; beyond its ends, those of the ends."""
    return np.asarray(np.round(colours(scale(values))[:, :3] * 255), np.uint8)


def panel(
    canvas: Canvas,
    sheet: Sheet,
    colours: Colormap,
    scale: Normalize,
    keys: Sequence[tuple[str, str]],
    written: Callable[..., str] | None = None,
    beyond: str = "neither",
    ticks: Sequence[float] | None = None,
) -> None:
    """Title, caption, scale bar, and in the panel the colour bar with the keys (colour, words) of what has no value.

    written: how the bar's numbers are written. beyond: which ends of the scale some values lie beyond.
    """
    from matplotlib.cm import ScalarMappable
    from matplotlib.patches import Rectangle
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    place, page = canvas.sheet, canvas.page
    board.title(page, place, sheet.title)
    board.caption(page, place, sheet.caption)
    board.scale_bar(page, place, canvas.view, canvas.per_hex)
    left, tall = place.panel_left + 8, min(230, max(place.map_height - 70, 120))
    board.write_text(page, left, place.map_top + 8, sheet.label, 13, board.PANEL - 8, fontweight="bold", va="center")
    upper = place.map_top + 26
    box = (left / place.width, 1 - (upper + tall) / place.height, 18 / place.width, tall / place.height)
    axes = canvas.figure.add_axes(box)
    bar = canvas.figure.colorbar(ScalarMappable(scale, colours), cax=axes, extend=beyond, extendfrac=0.04)
    bar.ax.tick_params(labelsize=12 * board.POINT, color=INK, labelcolor=INK)
    if ticks is None:
        bar.ax.yaxis.set_major_locator(MaxNLocator(nbins=6))
    else:
        bar.set_ticks(list(ticks))
    if written:
        bar.ax.yaxis.set_major_formatter(FuncFormatter(written))
    bar.outline.set_linewidth(0.6)
    for number, (colour, words) in enumerate(keys):
        lower = upper + tall + 16 + number * board.ENTRY
        page.add_patch(Rectangle((left, lower), 18, 14, facecolor=colour, edgecolor=INK, linewidth=0.6))
        board.write_text(page, left + 26, lower + 7, words, 12, board.PANEL - 34, va="center")


def save(canvas: Canvas, path: str | os.PathLike[str], dpi: float) -> None:
    """Write the picture whole, or not at all."""
    with writing(path, (".png",)) as unfinished:
        canvas.figure.savefig(unfinished, format="png", dpi=dpi, metadata={"Software": None})
