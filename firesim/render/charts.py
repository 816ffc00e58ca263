"""Charts: a distribution as bars with its cumulated line."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from firesim.core.files import writable, writing
from firesim.render.palette import FAINT_INK, INK, PAPER

Array = np.ndarray[Any, Any]

BAR, SAMPLED, LINE = "#4575b4", "#ff8c00", "#1f1f24"
LEFT_OUT = 5e-5
"""Values at the ends whose probabilities together stay below this are not drawn."""


def odds_chart(
    values: Array,
    probabilities: Array,
    path: str | os.PathLike[str],
    *,
    title: str,
    label: str,
    sampled: Array | None = None,
) -> None:
    """Write a distribution as a PNG: a bar for each value, and the chance of that or less as a line.

    values: (n,) ascending whole numbers; probabilities: (n,); label: what the values are; sampled: (n,) shares of
    sampled fires, drawn beside. Raises InputError when the file cannot be written.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator, PercentFormatter

    writable(path, (".png",))
    numbers, chances = np.asarray(values), np.asarray(probabilities, float)
    cumulated = np.cumsum(chances)
    shown = (cumulated >= LEFT_OUT) & (np.cumsum(chances[::-1])[::-1] >= LEFT_OUT)
    figure = Figure(figsize=(8, 4.5), facecolor=PAPER, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    beside = sampled is not None
    wide = 0.4 if beside else 0.8
    axes.bar(numbers[shown] - (0.2 if beside else 0), chances[shown], wide, color=BAR, label="exact")
    if sampled is not None:
        axes.bar(
            numbers[shown] + 0.2, np.asarray(sampled, float)[shown], wide, color=SAMPLED, hatch="//", label="sampled"
        )
    axes.set_title(plain(title), color=INK)
    axes.set_xlabel(plain(label), color=INK)
    axes.set_ylabel("chance", color=INK)
    axes.yaxis.set_major_formatter(PercentFormatter(1.0))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.spines[["top", "right"]].set_visible(False)
    line = axes.twinx()
    line.plot(numbers[shown], cumulated[shown], color=LINE, linewidth=1.2, marker=".", label="that or less")
    line.set_ylim(0, 1.05)
    line.yaxis.set_major_formatter(PercentFormatter(1.0))
    line.set_ylabel("that or less", color=FAINT_INK)
    line.spines["top"].set_visible(False)
    handles = [*axes.get_legend_handles_labels()[0], *line.get_legend_handles_labels()[0]]
    figure.legend(handles=handles, loc="outside lower center", ncols=3, frameon=False)
    with writing(path, (".png",)) as unfinished:
        figure.savefig(unfinished, format="png", dpi=120, metadata={"Software": None})


def plain(text: str) -> str:
    """Text that matplotlib draws as it stands: a dollar sign begins no formula."""
    return text.replace("$", r"\$")
