"""What a ship looks like: a swatch for each thing a module can show, and the code that each module shows."""

from __future__ import annotations

from typing import Any

import numpy as np

from firesim.rules.base import Swatch

Array = np.ndarray[Any, Any]

SWATCHES: tuple[Swatch, ...] = (
    Swatch("space", "#f5f5f5"),
    Swatch("module", "#cfd8dc"),
    Swatch("burning", "#ff8c00", "flame", changes=True),
    Swatch("broken, burning", "#d7191c", "flames", changes=True),
    Swatch("broken", "#7a8791", "rubble", changes=True),
    Swatch("burnt, out", "#8d6e63", "dots", changes=True),
)
"""All swatches; a picture's codes are places in this tuple."""

SPACE, MODULE, BURNING, BROKEN_BURNING, BROKEN, OUT = range(len(SWATCHES))


def codes(exists: Array, burning: Array, broken: Array, lit_at: Array) -> Array:
    """The swatch that each module shows: (cells,) uint8, places in `SWATCHES`; all arguments have one entry per cell.

    >>> one = np.array([1])
    >>> SWATCHES[codes(one, one, one, one)[0]].label
    'broken, burning'
    """
    there = np.asarray(exists) != 0
    on_fire, broke = np.asarray(burning) != 0, np.asarray(broken) != 0
    shown = np.where(there, MODULE, SPACE).astype(np.uint8)
    shown[there & (np.asarray(lit_at) >= 0)] = OUT
    shown[there & broke] = BROKEN
    shown[there & on_fire] = BURNING
    shown[there & on_fire & broke] = BROKEN_BURNING
    return shown
