"""Log: what it costs to tell a fire (log and record of dice), against the same acts in silence and against a batch."""

from __future__ import annotations

from benchmarks.harness import DisagreementError, Row, Settings, side_by_side
from benchmarks.town.peers import SEED, SIZE, ready_town
from firesim.core.fields import copied
from firesim.play import OVER, Fire, play_on
from firesim.rules.base import Prepared
from firesim.studies.study import burn


def told(ready: Prepared, replicate: int) -> Fire:
    """A fire played with log and tape, as `firesim run` does."""
    fire = Fire(ready, SEED, replicate)
    fire.play_to(ready.horizon)
    return fire


def silent(ready: Prepared, replicate: int) -> None:
    """The same acts one after another, with neither."""
    state = copied(ready.first)
    why = play_on(ready.params, state, SEED, replicate, None, None, ready.horizon, 0, 0, False)
    if why != OVER:
        raise DisagreementError("a fire without log and tape did not come to its end")


def measure(settings: Settings) -> list[Row]:
    """Time of fires told over the same fires untold; then of the sentences."""
    fires = max(settings.fires // 20, 2)
    ready = ready_town(SIZE)

    def tell() -> list[int]:
        return [told(ready, replicate).outcome()["consumed"] for replicate in range(fires)]

    def batch() -> list[int]:
        consumed: list[int] = burn(ready, SEED, 0, fires, workers=1).outcomes["consumed"].tolist()
        return consumed

    if tell() != batch():
        raise DisagreementError("a told fire is not the untold one")
    last = told(ready, fires - 1)
    timings = side_by_side(
        {
            "told": tell,
            "silent": lambda: [silent(ready, replicate) for replicate in range(fires)],
            "batch": batch,
            "records": lambda: last.events(),
        },
        settings.rounds,
    )
    events, dice = len(last.events()), len(last.faces)
    note = f"{fires} fires of {SIZE} x {SIZE} houses, one after another"
    return [
        timings.ratio("log", "a run with its log over the same acts without", "told", "silent", note),
        timings.ratio("log", "a run with its log over a fire in a batch", "told", "batch", note),
        timings.per("log", "a run with its log", "told", fires, "ms", 1e3, f"{events:,} events, {dice:,} dice"),
        timings.per("log", "the same acts without", "silent", fires, "ms", 1e3),
        timings.per("log", "a fire in a batch", "batch", fires, "ms", 1e3),
        timings.per("log", "records of one fire's events, in Python", "records", 1, "ms", 1e3),
    ]
