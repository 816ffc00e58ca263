"""What a run leaves: outcome, events, faces, and the fire step by step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from firesim.core.extras import extra
from firesim.core.problems import InputError, Problem
from firesim.rules.base import Prepared

if TYPE_CHECKING:
    from firesim.events.records import Record
    from firesim.events.spread import Lit

HISTORY_BYTES = 4 << 30
"""A history larger than this is refused: replay the fire with fewer steps instead."""


class History(Mapping[str, np.ndarray[Any, Any]]):
    """The fire step by step: `history["st"]` is an array (step, row, col); step 0 is before the first step."""

    def __init__(self, arrays: dict[str, np.ndarray[Any, Any]]) -> None:
        self._arrays = arrays

    def __getitem__(self, name: str) -> np.ndarray[Any, Any]:
        if name not in self._arrays:
            raise KeyError(f"no field {name!r}; there are {', '.join(self._arrays)}")
        return self._arrays[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def to_xarray(self) -> Any:
        """The history as an xarray.Dataset with dimensions step, row, col (extra `lab`)."""
        xarray = extra("xarray", "lab")
        return xarray.Dataset({name: (("step", "row", "col"), array) for name, array in self._arrays.items()})


class Run:
    """One fire from start to end.

    outcome: the columns of the system. events: what happened, record by record, with sentences. faces: every die, in
    order; `run(scenario, dice=faces)` plays it again. keyed: whether they were the dice of seed and replicate.
    history: arrays step by step (the fire is replayed for it).
    """

    def __init__(self, ready: Prepared, fire: Any, last_step: int, keyed: bool) -> None:
        self._ready, self._fire, self.last_step, self.keyed = ready, fire, last_step, keyed
        self._history: History | None = None
        self.scenario, self.seed, self.replicate = ready.scenario, fire.seed, fire.replicate
        self.outcome: dict[str, int] = fire.outcome()
        self.state = fire.state

    def __repr__(self) -> str:
        title = self.scenario.title or self.scenario.system
        return f"<Run of {title!r}, seed {self.seed}, replicate {self.replicate}: {self.outcome}>"

    @cached_property
    def events(self) -> list[Record]:
        """What happened, record by record, with sentences; made on first use."""
        return list(self._fire.events())

    @cached_property
    def faces(self) -> list[int]:
        """Every face rolled, in order."""
        return list(self._fire.faces)

    @property
    def summary(self) -> str:
        """The outcome in a few sentences."""
        return self._ready.system.story(self._ready, self.outcome)

    @property
    def prepared(self) -> Prepared:
        """The scenario as its kernel sees it."""
        return self._ready

    @property
    def spread(self) -> list[Lit]:
        """Who lit whom and when, in order: step, cell, source (-1 = no other fire) and the record of how."""
        from firesim.events.spread import spread

        system = self._ready.system
        return spread(self.events, system.event_kinds, system.alight(self._ready, self._ready.first))

    @property
    def history(self) -> History:
        """Fields (step, row, col), step 0 before the first step; made on first use."""
        if self._history is None:
            self._history = History(self._replayed())
        return self._history

    def frames(self, told: bool = True) -> Iterator[Any]:
        """The fire once more, frame by frame (`play.Frame`), at the cost of one state; told: events with sentences."""
        from firesim.play import Fire, frames

        return frames(Fire(self._ready, self.seed, self.replicate, self.faces), self.last_step, told)

    def _replayed(self) -> dict[str, np.ndarray[Any, Any]]:
        from firesim.play import history_fields

        names, shape = history_fields(self._ready), self._ready.shape
        cells, steps = int(np.prod(shape)), self.outcome["steps"] + 1
        size = sum(self.state.cells.dtype[n].itemsize for n in names) * cells * steps
        if size > HISTORY_BYTES:
            raise InputError(
                Problem(
                    f"the history would take {size / 2**30:.0f} GiB",
                    "at most 4 GiB",
                    "run fewer steps, or look at run.frames()",
                )
            )
        kept = {n: np.empty((steps, cells), self.state.cells.dtype[n]) for n in names}
        for frame in self.frames(told=False):
            for name in names:
                kept[name][frame.step] = frame.state.cells[name][:cells]
        return {n: a.reshape(steps, *shape) for n, a in kept.items()}
