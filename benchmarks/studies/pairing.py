"""Pairing: by which factor the same dice in both cases narrow the intervals of comparisons of shipped maps."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.harness import Row, Settings
from firesim.api import study
from firesim.studies.pairs import Difference, differences
from firesim.studies.words import number, span

MAPS = Path(__file__).resolve().parents[2] / "maps"
SEED = 61
FIRES_EACH = 10
"""So many fires are burnt for each one asked for: a factor needs more than a time does."""

COMPARISONS: tuple[tuple[str, str, str, tuple[Any, Any]], ...] = (
    ("riverside, wattle and daub of armour 3 against 2", "riverside", "tables.material.wattle and daub", (2, 3)),
    ("riverside, tall thatched houses of ST 21 against 20", "riverside", "map.legend.T.st", (20, 21)),
    ("riverside, wind E against none", "riverside", "weather.wind", ("none", "E")),
    ("riverside, damp against normal", "riverside", "weather.moisture", ("normal", "damp")),
    ("street, the inn of ST 31 against 30", "street", "map.legend.I.st", (30, 31)),
    ("house, ST 11 against 10", "house", "map.legend.h.st", (10, 11)),
)
OUTCOMES = ("steps", "buildings_lost", "collapsed")


def measure(settings: Settings) -> list[Row]:
    """The factor for each comparison and outcome; nan (nothing varies) is left out."""
    rows = []
    for what, name, key, values in COMPARISONS:
        for found in compare(name, key, values, FIRES_EACH * settings.fires):
            if not np.isnan(found.narrowed):
                told = f"{found.pairs:,} pairs; difference {number(found.mean)} ({span(found.low, found.high)})"
                rows.append(Row("pairing", f"{what}: {found.column}", found.narrowed, "times", note=told))
    return rows


def compare(name: str, key: str, values: tuple[Any, Any], fires: int) -> Iterator[Difference]:
    """The differences of `OUTCOMES` between a shipped map with the second value of a key, and with the first."""
    burnt = [study(MAPS / f"{name}.toml", fires, seed=SEED, changes={key: value}).outcomes for value in values]
    burnt[1]["case"] = 1
    yield from differences(np.concatenate(burnt), OUTCOMES, tuple({key: value} for value in values))
