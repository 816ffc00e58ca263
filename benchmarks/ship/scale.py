"""Scale: the same fire in a small ring of modules and in rings far larger than any fire in them."""

from __future__ import annotations

import numpy as np

from benchmarks.harness import Row, Settings, check_same_means, side_by_side
from benchmarks.ship.scenes import ring
from firesim.studies.blocks import Worker

SIDES = (14, 51, 201)
"""Rings of 52, 200 and 800 modules; the fire reaches at most some twenty of them within its horizon."""

SEED = 21


def measure(settings: Settings) -> list[Row]:
    """Time of a fire in the larger rings over the smallest, set-up apart."""
    fires = 10 * settings.fires
    workers = {side: Worker(ring(side), SEED) for side in SIDES}
    outcomes = {side: burnt(worker, fires) for side, worker in workers.items()}
    for side in SIDES[1:]:
        check_same_means(f"the ring of {modules(side)}", outcomes[SIDES[0]], outcomes[side])
    timings = side_by_side(
        {str(side): lambda worker=worker: burnt(worker, fires) for side, worker in workers.items()}, settings.rounds
    )
    small = str(SIDES[0])
    rows = [
        timings.ratio("scale", f"a fire in {modules(side)} modules over {modules(SIDES[0])}", str(side), small)
        for side in SIDES[1:]
    ]
    return rows + [timings.per("scale", f"a fire in {modules(s)} modules", str(s), fires, "us", 1e6) for s in SIDES]


def modules(side: int) -> int:
    """How many modules a ring has."""
    return 4 * (side - 1)


def burnt(worker: Worker, fires: int) -> dict[str, np.ndarray]:
    """Outcomes of some fires by column."""
    rows = np.zeros((fires, len(worker.ready.columns)), np.int64)
    worker.burn(0, rows)
    return dict(zip(worker.ready.columns, rows.T, strict=True))
