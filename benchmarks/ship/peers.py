"""Peers: the freighter and a ring of 200 modules, our kernel on one thread against the same rules in batched numpy."""

from __future__ import annotations

import numpy as np

from benchmarks.harness import Row, Settings, check_same_means, side_by_side
from benchmarks.ship.peer_numpy import COLUMNS, Ship
from benchmarks.ship.peer_numpy import burn as burn_numpy
from benchmarks.ship.scenes import freighter, ring
from firesim.rules.base import Prepared
from firesim.studies.study import burn

SEED = 26
FIRES_EACH = 100
"""A ship's fires are small: so many are burnt for each one asked for, by default 100,000."""

RING_SIDE = 51


def check(ready: Prepared, fires: int) -> None:
    """Raise DisagreementError unless the peer has our means."""
    ours = burn(ready, SEED, 0, fires, workers=1).outcomes
    theirs = burn_numpy(Ship(ready), fires, SEED)
    check_same_means("numpy", {name: ours[name] for name in COLUMNS if np.ptp(ours[name])}, theirs)


def measure(settings: Settings) -> list[Row]:
    """Time of the peer over ours, for the same number of fires of each ship."""
    rows = []
    for name, ready in (("the freighter", freighter()), (f"a ring of {4 * (RING_SIDE - 1)}", ring(RING_SIDE))):
        rows += compared(name, ready, FIRES_EACH * settings.fires, settings.rounds)
    return rows


def compared(name: str, ready: Prepared, fires: int, rounds: int) -> list[Row]:
    """The ratio for one ship, and both times."""
    check(ready, fires)
    ship = Ship(ready)
    timings = side_by_side(
        {
            "ours": lambda: burn(ready, SEED, 0, fires, workers=1),
            "numpy": lambda: burn_numpy(ship, fires, SEED),
        },
        rounds,
    )
    note = f"{fires:,} fires, {len(ship.crew)} crew, one thread; numpy without maps"
    return [
        timings.ratio("peers", f"{name}: batched numpy over firesim", "numpy", "ours", note=note),
        timings.per("peers", f"a fire of {name} in firesim", "ours", fires, "us", 1e6),
        timings.per("peers", f"a fire of {name} in batched numpy", "numpy", fires, "us", 1e6),
    ]
