"""Charts of a study: how outcomes are distributed, what they do over a sweep, how long cells stand."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from firesim.core.files import writable, writing
from firesim.core.telling import short
from firesim.render.case_colours import CASES_MOST, COLOURS, line_of, shown
from firesim.render.charts import plain
from firesim.render.palette import FAINT_INK, INK, PAPER

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Array = np.ndarray[Any, Any]
Path = str | os.PathLike[str]

DPI = 120
WIDTH = 8.0
"""Inches."""

BINS_MOST = 90
FAR = 2.0
"""Values beyond so many times what 99.9 % of the fires stay within are counted, not drawn."""

NAME_ROOM = 46


def distributions(
    values: Sequence[Array],
    path: Path,
    *,
    title: str,
    label: str,
    names: Sequence[str] = ("",),
    intervals: Sequence[tuple[float, float]] | None = None,
    time: bool = False,
) -> None:
    """Write how an outcome is distributed as a PNG, one panel for each case over one axis.

    values: of each case, (fires,) whole numbers. label: what they are, with the unit. intervals: of each case's mean,
    drawn beside it. time: values below 0 are fires in which it never happened; they are counted apart. Of more than 12
    cases, 12 are shown. Raises InputError when the file cannot be written.
    """
    writable(path, (".png",))
    places = shown(len(values))
    kept = [np.asarray(values[place], np.float64) for place in places]
    there = [each[each >= 0] if time else each for each in kept]
    edges, beyond = _bins(np.concatenate(there) if there else np.empty(0))
    shares = [_shares(each, edges, len(all_)) for each, all_ in zip(there, kept, strict=True)]
    tall = 4.4 if len(places) == 1 else 1.15 + 1.1 * len(places)
    figure = _figure(tall)
    panels = figure.subplots(len(places), 1, sharex=True, squeeze=False)[:, 0]
    tops = [max(float(share.max(initial=0.0)), 1e-9) for share in shares]
    alike = max(tops) <= 4 * min(tops)
    for panel, place, each, all_, share, top in zip(panels, places, there, kept, shares, tops, strict=True):
        bounds = intervals[place] if intervals is not None else None
        wide = np.diff(edges) * (0.35 if len(share) <= 3 else 0.8 if len(share) <= 12 else 1.0)
        panel.bar((edges[:-1] + edges[1:]) / 2, share, wide, color=COLOURS[0], edgecolor=PAPER, linewidth=0.5)
        _panel(panel, 1.06 * (max(tops) if alike else top), edges)
        _mean(panel, each, bounds, edges)
        words = [short(names[place], NAME_ROOM)] if len(places) > 1 else []
        _write_over(panel, words, _figures(each, len(all_), bounds, edges, beyond, time))
    panels[-1].set_xlabel(plain(label), color=INK)
    figure.supylabel("share of fires", color=INK, fontsize=10)
    _title(figure, title, len(places), len(values))
    _write(figure, path)


def _bins(values: Array) -> tuple[Array, float]:
    """Edges of bins of a round width about whole numbers, and the value beyond which fires are only counted."""
    if not len(values):
        return np.array([-0.5, 0.5]), np.inf
    low, high = float(values.min()), float(values.max())
    usual = float(np.quantile(values, 0.999, method="inverted_cdf"))
    beyond = np.inf
    if high - low > FAR * max(usual - low, BINS_MOST / 4):
        high = beyond = usual
    widths = (n * 10**power for power in range(18) for n in (1, 2, 5))
    width = next(w for w in widths if (high - low + 1) / w <= BINS_MOST)
    first = low if width == 1 else np.floor(low / width) * width
    count = int((high - first) // width) + 1
    return first - 0.5 + width * np.arange(count + 1), beyond


def _shares(values: Array, edges: Array, fires: int) -> Array:
    counts = np.histogram(values, edges)[0]
    return np.asarray(counts / max(fires, 1))


def _panel(panel: Axes, top: float, edges: Array) -> None:
    from matplotlib.ticker import MaxNLocator

    panel.set_ylim(0, top)
    aside = 0.01 * (edges[-1] - edges[0])
    panel.set_xlim(edges[0] - aside, edges[-1] + aside)
    panel.yaxis.set_major_locator(MaxNLocator(nbins=3, steps=[1, 2, 5, 10]))
    panel.yaxis.set_major_formatter(percent)
    panel.xaxis.set_major_locator(MaxNLocator(integer=True))
    panel.tick_params(colors=INK, labelsize=8.5)
    panel.spines[["top", "right"]].set_visible(False)


def _mean(panel: Axes, values: Array, bounds: tuple[float, float] | None, edges: Array) -> None:
    """The mean as a line, its interval as a band."""
    if not len(values) or not edges[0] <= values.mean() <= edges[-1]:
        return
    if bounds is not None and np.all(np.isfinite(bounds)):
        panel.axvspan(*bounds, color=COLOURS[1], alpha=0.25, linewidth=0)
    panel.axvline(float(values.mean()), color=COLOURS[1], linewidth=1.5)


def _figures(
    values: Array, fires: int, bounds: tuple[float, float] | None, edges: Array, beyond: float, time: bool
) -> str:
    """What a panel says: the mean with its interval, what never happened, what lies beyond."""
    if not fires:
        return "no fire"
    said = []
    if len(values):
        mean = f"mean {_number(float(values.mean()))}"
        if bounds is not None and np.all(np.isfinite(bounds)):
            mean += f" (95 %: {_number(bounds[0])} to {_number(bounds[1])})"
        said.append(mean)
    if time and len(values) < fires:
        said.append(f"never in {fires - len(values):,} of {fires:,} fires")
    if far := int(np.count_nonzero(values > beyond)):
        said.append(f"{far:,} fires beyond {_number(float(edges[-1]) - 0.5)}, up to {_number(float(values.max()))}")
    return "; ".join(said)


def _write_over(panel: Axes, words: Sequence[str], said: str) -> None:
    """The case's name at the left over its panel, its figures at the right."""
    if words:
        panel.set_title(plain(words[0]), loc="left", fontsize=8.5, pad=3, color=INK, fontweight="bold")
    panel.set_title(said, loc="right", fontsize=8.5, pad=3, color=FAINT_INK)


def sweep(
    values: Sequence[Any],
    means: Array,
    lows: Array,
    highs: Array,
    path: Path,
    *,
    title: str,
    key: str,
    label: str,
    series: Sequence[str] = ("",),
) -> None:
    """Write an outcome against what was varied as a PNG, with the 95 % intervals.

    values: (n,) what the key took; numbers make lines with bands, anything else points in rows. means, lows, highs:
    (n,) or (series, n), nan = not there. label: the outcome, with the unit; series: names of a second key's values. Of
    more than 12 series, 12 are shown. Raises InputError when the file cannot be written.
    """
    writable(path, (".png",))
    figures = [np.atleast_2d(np.asarray(each, np.float64)) for each in (means, lows, highs)]
    places = shown(len(series))
    if numeric(values):
        figure = _sweep_lines(np.asarray(values, np.float64), figures, places, series, key, label)
    else:
        figure = _sweep_rows([str(value) for value in values], figures, places, series, key, label)
    if len(places) > 1:
        _legend(figure)
    _title(figure, title, len(places), len(series))
    _write(figure, path)


def numeric(values: Sequence[Any]) -> bool:
    """Whether all values are numbers, at least two of them different."""
    numbers = (int, float, np.integer, np.floating)
    return all(isinstance(v, numbers) and not isinstance(v, bool) for v in values) and len(set(values)) > 1


def _sweep_lines(
    at: Array, figures: Sequence[Array], places: Sequence[int], series: Sequence[str], key: str, label: str
) -> Figure:
    figure = _figure(4.8 + _legend_room(len(places)))
    axes = figure.add_subplot()
    order = np.argsort(at, kind="stable")
    for number, place in enumerate(places):
        line = line_of(number)
        mean, low, high = (each[place][order] for each in figures)
        axes.fill_between(at[order], low, high, color=line.colour, alpha=0.18, linewidth=0)
        style = {"color": line.colour, "linestyle": line.dash, "marker": line.marker, "markersize": 4.5}
        axes.plot(at[order], mean, linewidth=1.5, label=plain(short(series[place], NAME_ROOM)), **style)
    if len(at) <= 12:
        axes.set_xticks(np.unique(at))
    _axes(axes, key, label)
    axes.grid(axis="y", color="#e4e4e8", linewidth=0.7)
    return figure


def _sweep_rows(
    words: Sequence[str], figures: Sequence[Array], places: Sequence[int], series: Sequence[str], key: str, label: str
) -> Figure:
    pitch = max(0.34, 0.16 * len(places) + 0.12)
    figure = _figure(1.5 + pitch * max(len(words), 2) + _legend_room(len(places)))
    axes = figure.add_subplot()
    rows = np.arange(len(words), dtype=np.float64)
    apart = min(0.2, 0.8 / len(places))
    for number, place in enumerate(places):
        line = line_of(number)
        mean, low, high = (each[place] for each in figures)
        at = rows + (number - (len(places) - 1) / 2) * apart
        axes.hlines(at, low, high, color=line.colour, linewidth=2.2, alpha=0.6)
        name = plain(short(series[place], NAME_ROOM))
        axes.plot(mean, at, color=line.colour, linestyle="none", marker=line.marker, markersize=5.5, label=name)
    axes.set_yticks(rows, [plain(short(word, NAME_ROOM)) for word in words])
    axes.set_ylim(len(words) - 0.5, -0.5)
    _axes(axes, label, key)
    axes.grid(axis="x", color="#e4e4e8", linewidth=0.7)
    axes.set_axisbelow(True)
    return figure


def survival(
    shares: Array,
    path: Path,
    *,
    title: str,
    step_word: str,
    names: Sequence[str] = ("",),
    label: str = "share still standing",
) -> None:
    """Write what share stands by each step as a PNG, a line for each case.

    shares: (cases, steps + 1), 0..1, step 0 first. The axis ends where nothing changes any more. Of more than 12
    cases, 12 are shown. Raises InputError when the file cannot be written.
    """
    from matplotlib.ticker import MaxNLocator

    writable(path, (".png",))
    curves = np.atleast_2d(np.asarray(shares, np.float64))
    places = shown(len(curves))
    figure = _figure(4.6 + _legend_room(len(places)))
    axes = figure.add_subplot()
    last = _last_change(curves[places])
    steps = np.arange(last + 1)
    every = max(1, last // 12)
    for number, place in sorted(enumerate(places), key=lambda each: -curves[each[1]][last]):
        line = line_of(number)
        style: dict[str, Any] = {"marker": line.marker, "markersize": 4.5, "markevery": (number * every // 12, every)}
        style |= {"color": line.colour, "linestyle": line.dash, "drawstyle": "steps-post"}
        axes.plot(steps, curves[place][: last + 1], linewidth=1.6, label=plain(short(names[place], NAME_ROOM)), **style)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_formatter(percent)
    lowest = float(np.min(curves[places], initial=1.0, where=np.isfinite(curves[places])))
    whole = lowest < 0.6 or lowest > 0.999
    axes.set_ylim(0 if whole else lowest - 0.12 * (1 - lowest), 1 + 0.03 * (1 if whole else 1 - lowest))
    axes.set_xlim(0, max(last, 1))
    _axes(axes, step_word, label)
    axes.grid(axis="y", color="#e4e4e8", linewidth=0.7)
    if len(places) > 1:
        _legend(figure)
    _title(figure, title, len(places), len(curves))
    _write(figure, path)


def standing(counts: Array, fires: Array, cells: Array) -> Array:
    """Shares still standing from counts of what has gone.

    counts: (cases, steps + 1), in how many pairs of a fire and a cell it had gone by the step; fires, cells: (cases,)
    how many fires, and cells that could go. nan for a case without either.
    """
    pairs = np.asarray(fires, np.float64)[:, None] * np.asarray(cells, np.float64)[:, None]
    gone = np.full(np.shape(counts), np.nan)
    np.divide(counts, pairs, out=gone, where=pairs > 0)
    return np.asarray(1.0 - gone)


def _last_change(curves: Array) -> int:
    """The last step worth drawing: where all but a thousandth of the change is done, and a little more."""
    whole = np.nan_to_num(curves[:, :1] - curves)
    left = np.max(np.abs(whole[:, -1:] - whole), axis=0, initial=0.0)
    most = float(np.max(np.abs(whole), initial=0.0))
    changing = np.flatnonzero(left > most / 1000)
    last = int(changing[-1]) + 1 if len(changing) else 0
    return min(int(curves.shape[1]) - 1, last + max(1, last // 20))


def percent(share: float, _: float = 0) -> str:
    """A share as an axis has it.

    >>> percent(0.25)
    '25 %'
    """
    return f"{100 * share:.6g} %"


def _figure(tall: float) -> Figure:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, tall), facecolor=PAPER, layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def _axes(axes: Axes, across: str, up: str) -> None:
    axes.set_xlabel(plain(across), color=INK)
    axes.set_ylabel(plain(up), color=INK)
    axes.tick_params(colors=INK, labelsize=9)
    axes.spines[["top", "right"]].set_visible(False)


def _legend_room(lines: int) -> float:
    """Inches that a legend below takes."""
    return 0.24 * ((lines + 1) // 2) if lines > 1 else 0.0


def _legend(figure: Figure) -> None:
    figure.legend(loc="outside lower center", ncols=2, frameon=False, fontsize=9, handlelength=3.2)


def _title(figure: Figure, title: str, drawn: int, cases: int) -> None:
    words = title if drawn == cases else f"{title} ({CASES_MOST} of {cases:,} cases)"
    lines = textwrap.wrap(words, 70, max_lines=3, placeholder=" …") or [""]
    figure.suptitle(plain("\n".join(lines)), color=INK, fontsize=11.5, fontweight="bold")


def _number(value: float) -> str:
    """A figure to three or four digits."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}" if abs(value) >= 100 else f"{value:.3g}"


def _write(figure: Figure, path: Path) -> None:
    with writing(path, (".png",)) as unfinished:
        figure.savefig(unfinished, format="png", dpi=DPI, metadata={"Software": None})
