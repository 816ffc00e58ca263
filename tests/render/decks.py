"""Small ships to draw: prepared as far as the drawing room asks, and no further."""

import numpy as np

from firesim.rules.base import Prepared, Scene
from firesim.rules.ship import look
from firesim.rules.ship.params import DIRECTIONS
from firesim.rules.ship.system import ShipSystem
from tests.render.towns import NOT_ASKED


class DrawnShip(ShipSystem):
    """A ship on which nothing happens."""

    def scene(self, prepared, state, events, step):
        return scene(prepared)


def deck(rows, cols, side=5, space=(), labels=None):
    """A prepared ship: a module on every cell but those of `space`."""
    cells = rows * cols
    numbers = np.arange(1, cells + 1)
    numbers[list(space)] = 0
    return Prepared(
        DrawnShip(), **NOT_ASKED, shape=(rows, cols), headings=DIRECTIONS, grid="modules", side=side,
        buildings=np.append(numbers, 0).astype(np.int32),
        labels={cell + 1: name for cell, name in (labels or {}).items()},
    )  # fmt: skip


def scene(prepared, burning=(), broken=(), caption="Phase 0: hull damage 0", **more):
    """A scene in which the listed modules burn or are broken."""
    exists = prepared.buildings[:-1] > 0
    alight, broke = np.zeros(exists.shape), np.zeros(exists.shape)
    alight[list(burning)] = 1
    broke[list(broken)] = 1
    return Scene(look.codes(exists, alight, broke, np.where(alight, 1, -1)), caption, **more)
