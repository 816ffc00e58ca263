"""Small towns to draw: prepared as far as the drawing room asks, and no further."""

import numpy as np

from firesim.grid.hexes import HEADINGS
from firesim.rules.base import Prepared, Scene
from firesim.rules.town import look
from firesim.rules.town.system import TownSystem

NOT_ASKED = dict.fromkeys(("scenario", "params", "first", "columns", "dice_per_act", "rows_per_act", "horizon"))
"""Fields of a prepared scenario that no picture looks at."""


class DrawnTown(TownSystem):
    """A town in which nothing happens."""

    def scene(self, prepared, state, events, step):
        return scene(prepared)


def town(rows, cols, orientation="pointy", building=None, labels=None):
    """A prepared town; buildings wherever (row + col) % 2 unless given, all wooden."""
    row, col = np.divmod(np.arange(rows * cols), cols)
    numbers = np.where((row + col) % 2, np.arange(rows * cols) + 1, 0) if building is None else np.asarray(building)
    return Prepared(
        DrawnTown(), **NOT_ASKED, shape=(rows, cols), headings=HEADINGS[orientation], orientation=orientation,
        buildings=np.append(numbers, 0).astype(np.int32), labels=labels or {},
    )  # fmt: skip


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
