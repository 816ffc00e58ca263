"""Small towns to draw: what the drawing room asks of a prepared scenario, and no more."""

from types import SimpleNamespace

import numpy as np

from firesim.grid.hexes import HEADINGS
from firesim.rules.base import Scene
from firesim.rules.town import look


def town(rows, cols, orientation="pointy", building=None, labels=None):
    """A prepared town; buildings wherever (row + col) % 2 unless given, all wooden."""
    row, col = np.divmod(np.arange(rows * cols), cols)
    numbers = np.where((row + col) % 2, np.arange(rows * cols) + 1, 0) if building is None else np.asarray(building)
    system = SimpleNamespace(swatches=look.SWATCHES, roof_marks=look.ROOF_MARKS)
    made = SimpleNamespace(
        system=system,
        scenario=SimpleNamespace(words=SimpleNamespace(map=SimpleNamespace(orientation=orientation))),
        params=None,
        buildings=np.append(numbers, 0).astype(np.int32),
        shape=(rows, cols),
        headings=HEADINGS[orientation],
        labels=labels or {},
        first=None,
    )
    system.scene = lambda prepared, state, events, step: scene(made)
    return made


def scene(prepared, burning=(), consumed=(), caption="Turn 0", **more):
    """A scene in which the listed cells burn or are burnt out."""
    building = prepared.buildings[:-1]
    zero = np.zeros(building.shape, np.int32)
    lit, gone = zero.copy(), zero.copy()
    lit[list(burning)] = 1
    gone[list(consumed)] = 1
    codes = look.codes(zero, zero + 1, building, lit, lit, zero + 1, zero, gone, zero)
    return Scene(codes, caption, **more)


def rgb(colour):
    """`#rrggbb` as a tuple."""
    return tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))
