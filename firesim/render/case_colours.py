"""How cases of a study are told apart: lines by colour, dash and marker; maps by scales for every kind of sight."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from firesim.render.palette import blend

if TYPE_CHECKING:
    from matplotlib.colors import Colormap

COLOURS = ("#0072b2", "#ee6677", "#1f1f24", "#8c510a", "#ddaa33", "#66ccee")
"""Of lines, apart for every kind of sight; the seventh case takes the first again, with a dash of its own."""

DASHES: tuple[Any, ...] = ("solid", (0, (5, 1.6)), (0, (1.2, 1.4)))
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p", "h", "*")

CASES_MOST = 12
"""Cases that one picture shows; of more, so many evenly chosen."""

LESS, MIDDLE, MORE = "#542788", "#f2f2f2", "#b35806"
"""Of differences: purple is less, orange more, near-white neither; apart also for the colour-blind."""

SOONER, LATER = "#fde725", "#3b1f52"
"""The ends of the scale of arrival: bright is soon, dark is late."""


class Line(NamedTuple):
    """How a case's line is drawn."""

    colour: str
    dash: Any
    marker: str


def line_of(place: int) -> Line:
    """The line of the case at a place: no two of the first eighteen alike."""
    return Line(
        COLOURS[place % len(COLOURS)],
        DASHES[place // len(COLOURS) % len(DASHES)],
        MARKERS[place % len(MARKERS)],
    )


def shown(count: int) -> list[int]:
    """Which of so many cases a picture shows: all, or `CASES_MOST` from first to last.

    >>> shown(3), shown(100)[:3], shown(100)[-1]
    ([0, 1, 2], [0, 9, 18], 99)
    """
    if count <= CASES_MOST:
        return list(range(count))
    return [place * (count - 1) // (CASES_MOST - 1) for place in range(CASES_MOST)]


@lru_cache(maxsize=1)
def diverging() -> Colormap:
    """The scale of differences: `LESS` over `MIDDLE` to `MORE`."""
    from matplotlib.colors import LinearSegmentedColormap

    stops = [LESS, blend(LESS, MIDDLE, 0.45), MIDDLE, blend(MORE, MIDDLE, 0.4), MORE]
    return LinearSegmentedColormap.from_list("differences", stops)


@lru_cache(maxsize=1)
def arrival() -> Colormap:
    """The scale of arrival: viridis from its bright end."""
    from matplotlib import colormaps

    return colormaps["viridis_r"]
