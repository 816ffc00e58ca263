"""Outlines of pieces and doors, as stacks of filled polygons: told apart by shape, also on a grey print.

A piece is drawn about its centre, its diameter 1, y down. A door lies along x with its length 1, its wall along y = 0
and its thickness 1.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from firesim.render.palette import INK, PAPER

Array = np.ndarray[Any, Any]


class Part(NamedTuple):
    """A filled polygon (n, 2): in paper, ink, or the swatch's own colour (`face`)."""

    points: Array
    fill: str

    def colour(self, face: str) -> str:
        """The colour of this part of something whose swatch has the colour `face`."""
        return {"paper": PAPER, "ink": INK}.get(self.fill, face)


def _oval(wide: float, tall: float) -> Array:
    turn = np.linspace(0, 2 * np.pi, 33)[:-1]
    return np.stack([wide * np.cos(turn), tall * np.sin(turn)], axis=1)


def _star(size: float, tall: float = 1.0, points: int = 9) -> Array:
    turn = np.linspace(-0.5 * np.pi, 1.5 * np.pi, 2 * points + 1)[:-1]
    reach = size * np.where(np.arange(2 * points) % 2, 0.74, 1.0)
    return np.stack([reach * np.cos(turn), tall * reach * np.sin(turn)], axis=1)


def _box(wide: float, tall: float, x: float = 0.0, y: float = 0.0) -> Array:
    return np.array([(x - wide, y - tall), (x + wide, y - tall), (x + wide, y + tall), (x - wide, y + tall)])


def _broken(size: float) -> Array:
    """A box of which a jagged corner is missing."""
    bite = [(0.1, -1.0), (0.3, -0.5), (0.52, -0.62), (0.6, -0.2), (1.0, -0.1)]
    return np.array([(-1.0, -1.0), *bite, (1.0, 1.0), (-1.0, 1.0)]) * size


def _layers(shape: Callable[[float], Array], *sizes: float) -> list[Part]:
    """One shape in paper, then ink, then the face, each smaller than the last."""
    return [Part(shape(size), fill) for size, fill in zip(sizes, ("paper", "ink", "face"), strict=True)]


def _leaves() -> list[Part]:
    """The two leaves of an open door, at the ends of the gap."""
    return [Part(_box(0.12, 0.5, x), "ink") for x in (-0.38, 0.38)]


_NAMED: dict[str, Callable[[], list[Part]]] = {
    "disc": lambda: _layers(lambda r: _oval(r, r), 0.5, 0.46, 0.39),
    "ring": lambda: [*_layers(lambda r: _oval(r, r), 0.5, 0.48, 0.43)[:2], Part(_oval(0.42, 0.42), "paper"),
                     Part(_oval(0.35, 0.35), "face")],
    "fallen disc": lambda: _layers(lambda r: _oval(r, r - 0.13), 0.54, 0.5, 0.43),
    "burst": lambda: _layers(_star, 0.6, 0.55, 0.46),
    "fallen burst": lambda: _layers(lambda r: _star(r, 0.72), 0.64, 0.59, 0.5),
    "box": lambda: _layers(lambda r: _box(r, r), 0.42, 0.39, 0.32),
    "broken box": lambda: _layers(_broken, 0.42, 0.39, 0.32),
    "shut": lambda: [Part(_box(0.5, 0.5), "ink"), Part(_box(0.44, 0.26), "face")],
    "open": lambda: [Part(_box(0.5, 0.5), "paper"), Part(_box(0.26, 0.3), "face"), *_leaves()],
    "held": lambda: [Part(_box(0.5, 0.5), "paper"), *_leaves(), Part(_box(0.07, 0.75), "face")],
}  # fmt: skip
"""Every outline by the name that a swatch has for it."""

DOOR_SHAPES = ("shut", "open", "held")
"""Those of doors."""


@cache
def outline(shape: str) -> tuple[Part, ...]:
    """The parts of an outline, the lowest first; a name not known is a disc."""
    return tuple(_NAMED.get(shape, _NAMED["disc"])())


def is_known(shape: str) -> bool:
    """Whether there is an outline of this name."""
    return shape in _NAMED
