"""Crew: fires of the shipped freighter, eight people with orders aboard, on one thread."""

from __future__ import annotations

from benchmarks.harness import Row, Settings, side_by_side
from benchmarks.ship.scenes import freighter
from firesim.studies.study import burn

SEED = 12


def measure(settings: Settings) -> list[Row]:
    """Seconds for 10,000 fires, and time for a fire and for a phase of one."""
    ready, fires = freighter(), 10 * settings.fires
    phases = float(burn(ready, SEED, 0, fires, workers=1).outcomes["steps"].mean())
    timings = side_by_side({"fires": lambda: burn(ready, SEED, 0, fires, workers=1)}, settings.rounds)
    note = f"12 modules, 8 crew, {fires:,} fires of {phases:.1f} phases"
    return [
        timings.per("crew", "10,000 fires of the freighter", "fires", fires / 10_000, "s", note=note),
        timings.per("crew", "a fire of the freighter", "fires", fires, "us", 1e6),
        timings.per("crew", "a phase of it", "fires", fires * phases, "us", 1e6),
    ]
