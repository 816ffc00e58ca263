"""Maps of many fires beside that of burn probability: when fire comes, and what differs between two cases."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from firesim.core.files import writable, writing
from firesim.render import board
from firesim.render.aboard import draw_labels
from firesim.render.burnmap import NEVER
from firesim.render.case_colours import arrival, diverging
from firesim.render.palette import INK, PAPER, blend, ink_on, rgb, text_of
from firesim.render.pieces import Box
from firesim.render.snapshot import Canvas
from firesim.render.view import View, view
from firesim.rules.base import Prepared

if TYPE_CHECKING:
    from matplotlib.colors import Colormap, Normalize

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
    colours = _ground(prepared, seen, stands)
    colours[stands & ~told] = rgb(NEVER)
    colours[told] = _coloured(arrival(), scale, numbers[told])
    canvas = Canvas(seen, size, 7, dpi)
    canvas.paint(colours, None)
    canvas.names()
    draw_labels(canvas, ())
    keys = [(NEVER, f"{seen.terms.standing}, never reached")] if (stands & ~told).any() else []
    later = "max" if (numbers[told] > top).any() else "neither"
    _sheet(canvas, title, caption, label, arrival(), scale, keys, None, later)
    _save(canvas, path, dpi)


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
    colours = _ground(prepared, seen, stands)
    unsure = known & ~sure & stands
    colours[stands & ~known] = rgb(NEVER)
    colours[unsure] = rgb(UNDECIDED)
    colours[sure] = _coloured(diverging(), scale, numbers[sure])
    canvas = Canvas(seen, size, 7, dpi)
    canvas.paint(colours, None)
    signs = _signs(canvas, numbers, sure & (np.abs(numbers) > top / 4), colours)
    canvas.names()
    draw_labels(canvas, signs)
    keys = [(UNDECIDED, "no more than chance")] if unsure.any() else []
    keys += [(NEVER, "nothing to compare")] if (stands & ~known).any() else []
    beyond = "both" if (np.abs(numbers[sure]) > top).any() else "neither"
    _sheet(canvas, title, caption, label, diverging(), scale, keys, "percent" if percent else "signed", beyond)
    _save(canvas, path, dpi)


def _ground(prepared: Prepared, seen: View, stands: Array) -> Array:
    """(cells, 3) uint8: the map's own colours, faint."""
    codes = np.asarray(prepared.system.scene(prepared, prepared.first, (), 0).codes, np.uint8).ravel()
    faint = np.array([rgb(blend(swatch.colour, PAPER, 0.62)) for swatch in seen.swatches], np.uint8)
    made = np.asarray(faint[codes])
    made[stands] = rgb(blend(NEVER, PAPER, 0.5))
    return made


def _coloured(colours: Colormap, scale: Normalize, values: Array) -> Array:
    return np.asarray(np.round(colours(scale(values))[:, :3] * 255), np.uint8)


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


def _sheet(
    canvas: Canvas,
    title: str,
    caption: str,
    label: str,
    colours: Colormap,
    scale: Normalize,
    keys: Sequence[tuple[str, str]],
    numbers: str | None,
    beyond: str = "neither",
) -> None:
    """Title, caption, scale bar, and in the panel the colour bar with the keys of what has no value."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.patches import Rectangle
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    sheet, page = canvas.sheet, canvas.page
    board.title(page, sheet, title)
    board.caption(page, sheet, caption)
    board.scale_bar(page, sheet, canvas.view, canvas.per_hex)
    left, tall = sheet.panel_left + 8, min(230, max(sheet.map_height - 70, 120))
    board.write_text(page, left, sheet.map_top + 8, label, 13, board.PANEL - 8, fontweight="bold", va="center")
    upper = sheet.map_top + 26
    box = (left / sheet.width, 1 - (upper + tall) / sheet.height, 18 / sheet.width, tall / sheet.height)
    axes = canvas.figure.add_axes(box)
    bar = canvas.figure.colorbar(ScalarMappable(scale, colours), cax=axes, extend=beyond, extendfrac=0.04)
    bar.ax.tick_params(labelsize=12 * board.POINT, color=INK, labelcolor=INK)
    bar.ax.yaxis.set_major_locator(MaxNLocator(nbins=6))
    if numbers:
        bar.ax.yaxis.set_major_formatter(FuncFormatter(_percent_points if numbers == "percent" else _signed))
    bar.outline.set_linewidth(0.6)
    for place, (colour, words) in enumerate(keys):
        lower = upper + tall + 16 + place * board.ENTRY
        page.add_patch(Rectangle((left, lower), 18, 14, facecolor=colour, edgecolor=INK, linewidth=0.6))
        board.write_text(page, left + 26, lower + 7, words, 12, board.PANEL - 34, va="center")


def _signed(value: float, _: float = 0) -> str:
    return "0" if abs(value) < 1e-12 else f"{value:+.6g}".replace("-", "−")


def _percent_points(value: float, _: float = 0) -> str:
    return f"{_signed(round(100 * value, 6))} %"


def _save(canvas: Canvas, path: str | os.PathLike[str], dpi: float) -> None:
    with writing(path, (".png",)) as unfinished:
        canvas.figure.savefig(unfinished, format="png", dpi=dpi, metadata={"Software": None})
