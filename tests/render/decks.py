"""Small ships to draw: what the drawing room asks of a prepared scenario on modules, and no more."""

from types import SimpleNamespace

import numpy as np

from firesim.rules.base import Scene
from firesim.rules.ship import look
from firesim.rules.ship.params import DIRECTIONS


def deck(rows, cols, side=5, space=(), labels=None):
    """A prepared ship: a module on every cell but those of `space`."""
    cells = rows * cols
    numbers = np.arange(1, cells + 1)
    numbers[list(space)] = 0
    system = SimpleNamespace(
        swatches=look.SWATCHES, piece_swatches=look.PIECES, door_swatches=look.DOORS, terms=look.TERMS
    )
    made = SimpleNamespace(
        system=system,
        scenario=SimpleNamespace(words=SimpleNamespace(map=SimpleNamespace())),
        params=None,
        buildings=np.append(numbers, 0).astype(np.int32),
        shape=(rows, cols),
        headings=DIRECTIONS,
        labels={cell + 1: name for cell, name in (labels or {}).items()},
        grid="modules",
        side=side,
        first=None,
    )
    system.scene = lambda prepared, state, events, step: scene(made)
    return made


def scene(prepared, burning=(), broken=(), caption="Phase 0: hull damage 0", **more):
    """A scene in which the listed modules burn or are broken."""
    exists = prepared.buildings[:-1] > 0
    alight, broke = np.zeros(exists.shape), np.zeros(exists.shape)
    alight[list(burning)] = 1
    broke[list(broken)] = 1
    return Scene(look.codes(exists, alight, broke, np.where(alight, 1, -1)), caption, **more)
