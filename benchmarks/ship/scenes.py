"""Ships that the benchmarks burn."""

from __future__ import annotations

from typing import Any

from firesim.api import load, prepared
from firesim.mapfiles.shipped import shipped
from firesim.rules.base import Prepared


def freighter() -> Prepared:
    """The shipped freighter: 12 modules, 8 crew with their orders, barrels; the hold on fire."""
    return prepared(load(shipped("freighter")))


def ring(side: int) -> Prepared:
    """A ring of 4 * (side - 1) modules round a square of so many cells, one of them on fire, nobody aboard."""
    edge, inside = " ".join("M" * side), " ".join("M" + "." * (side - 2) + "M")
    document: dict[str, Any] = {
        "system": "ship",
        "steps": 50,
        "map": {"rows": [edge, *[inside] * (side - 2), edge], "legend": {"M": {}}},
        "ignite": [{"cell": [0, 0]}],
    }
    return prepared(load(document))
