"""Fires of a hundred frames."""

from __future__ import annotations

from typing import Any

from benchmarks.town.scenes import houses
from firesim.api import load
from firesim.core.scenario import Scenario
from firesim.mapfiles.shipped import shipped

STEPS = 99
"""Steps after the first frame."""


def burning_town(size: int) -> Scenario:
    """A square town of houses, alight in nine places, for 99 turns: fire crosses much of the smaller one."""
    document: dict[str, Any] = houses(size) | {"steps": STEPS}
    places = [size * k // 4 for k in (1, 2, 3)]
    return load(document | {"ignite": [{"cell": [r, c], "alight": True} for r in places for c in places]})


def burning_freighter() -> Scenario:
    """The shipped freighter under fire every phase, for 99 phases."""
    ship = load(shipped("freighter"))
    holds = [[2, 0], [2, 2], [3, 0], [3, 2], [1, 1], [4, 1]]
    hits = [{"step": phase, "kind": "weapon", "cell": holds[phase % len(holds)]} for phase in range(1, STEPS + 1)]
    return load(ship.document | {"steps": STEPS, "event": hits})
