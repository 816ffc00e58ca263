"""Log: what it costs to tell one fire (log and record of dice) against burning it in silence."""

from __future__ import annotations

from benchmarks.harness import DisagreementError, Row, Settings, side_by_side
from benchmarks.town.peers import SEED, SIZE, ready_town
from firesim.play import Fire
from firesim.studies.blocks import Worker
from firesim.studies.study import burn


def measure(settings: Settings) -> list[Row]:
    """Time of fires told over the same fires untold; then of the sentences."""
    fires = max(settings.fires // 20, 2)
    ready = ready_town(SIZE)
    silent = Worker(ready, SEED)

    def tell() -> list[Fire]:
        told = [Fire(ready, SEED, replicate) for replicate in range(fires)]
        for fire in told:
            fire.play_to(ready.horizon)
        return told

    def untold():
        return silent.ready and burn(ready, SEED, 0, fires, workers=1).outcomes

    told = tell()
    if [fire.outcome()["consumed"] for fire in told] != untold()["consumed"].tolist():
        raise DisagreementError("a told fire is not the untold one")
    last = told[-1]
    timings = side_by_side({"told": tell, "untold": untold, "records": lambda: last.events()}, settings.rounds)
    events, dice = len(last.events()), len(last.faces)
    return [
        timings.ratio(
            "log", "a fire told over untold", "told", "untold", note=f"{fires} fires of {SIZE} x {SIZE} houses"
        ),
        timings.per("log", "a fire told", "told", fires, "ms", 1e3, f"{events:,} events, {dice:,} dice"),
        timings.per("log", "a fire untold", "untold", fires, "ms", 1e3),
        timings.per("log", "records of one fire's events, in Python", "records", 1, "ms", 1e3),
    ]
