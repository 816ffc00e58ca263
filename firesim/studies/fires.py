"""The fires of a study: outcome rows, maps, curves, and what they say with how much certainty."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from firesim.core.extras import extra
from firesim.core.problems import InputError, Problem
from firesim.rules.base import Prepared
from firesim.studies.ledger import Ledger
from firesim.studies.plan import Plan
from firesim.studies.summary import Summary, summarize
from firesim.studies.tally import Array, Maps

__all__ = ["BurnMaps", "Curves", "Fires", "Maps"]


class BurnMaps(Mapping[str, Array]):
    """Maps by name, each an array (case, row, col) of floats.

    `burn_probability`: the share of fires in which the cell was lit; `consumed_probability`, `external_probability`,
    `out_probability` likewise. `lit_at_mean`, `consumed_at_mean`, ...: the mean step of the fires in which it happened,
    nan where it never did. KeyError where the study kept no maps; InputError where the cases' maps differ in size.
    """

    def __init__(self, records: tuple[str, ...], maps: list[Maps | None], shapes: list[tuple[int, ...]]) -> None:
        self._maps, self.shapes = maps, shapes
        self._names: dict[str, tuple[int, bool]] = {}
        for place, record in enumerate(records if maps else ()):
            short = record.removesuffix("_at")
            self._names["burn_probability" if short == "lit" else f"{short}_probability"] = (place, False)
            self._names[f"{record}_mean"] = (place, True)

    def __getitem__(self, name: str) -> Array:
        if name not in self._names:
            raise KeyError(f"no map {name!r}; there are {', '.join(self._names) or 'none'}")
        if len(set(self.shapes)) > 1:
            hint = "fires.map_of(case, name) gives one case's"
            raise InputError(Problem("the cases have maps of different sizes", "one size", hint))
        return np.stack([self.of(case, name) for case in range(len(self._maps))])

    def of(self, case: int, name: str) -> Array:
        """One case's map (row, col)."""
        place, mean = self._names[name]
        shape, maps = self.shapes[case], self._maps[case]
        if maps is None:
            return np.full(shape, np.nan)
        counts = maps.counts[place, :-1]
        if mean:
            values = np.full(counts.shape, np.nan)
            np.divide(maps.sums[place, :-1], counts, out=values, where=counts > 0)
        else:
            values = counts / max(maps.fires, 1)
        return values.reshape(shape)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def to_xarray(self) -> Any:
        """All maps as an xarray.Dataset with dimensions case, row, col (extra `lab`)."""
        xarray = extra("xarray", "lab")
        return xarray.Dataset({name: (("case", "row", "col"), self[name]) for name in self})


class Curves(Mapping[str, Array]):
    """Curves by record (`lit`, `consumed`, ...), each an array (case, step + 1) int64.

    In how many pairs of a fire and a cell it had happened by the end of the step. All end with the last step in which
    anything happened in any case, at 4,095 at most, which then holds all later ones too.
    """

    def __init__(self, records: tuple[str, ...], maps: list[Maps | None]) -> None:
        self._maps = maps
        self._places = {record.removesuffix("_at"): place for place, record in enumerate(records if maps else ())}

    def __getitem__(self, name: str) -> Array:
        if name not in self._places:
            raise KeyError(f"no curve {name!r}; there are {', '.join(self._places) or 'none'}")
        ends = [np.flatnonzero(maps.curves.any(axis=0)) for maps in self._maps if maps is not None]
        length = max((int(end[-1]) + 1 for end in ends if len(end)), default=1)
        made = np.zeros((len(self._maps), length), np.int64)
        for case, maps in enumerate(self._maps):
            if maps is not None:
                steps = maps.curves[self._places[name], :length]
                made[case, : len(steps)] = steps
        return np.cumsum(made, axis=1)

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


class Fires:
    """Many fires of one scenario, or of several cases of it.

    outcomes: structured array, one row per (case, replicate) in key order: `case`, `replicate`, what varies where there
    are several cases, then the outcome columns. cases: what varies, case by case. maps: see `BurnMaps`; curves: see
    `Curves`. seed: with a row's replicate, the key of that fire. failures: (case, replicate) and the error of each fire
    that failed, which has no row. stopped: what the stopping rule said, where there was one.
    """

    def __init__(self, plan: Plan, ledger: Ledger, replicates: int, stopped: str = "") -> None:
        self.plan, self.seed, self.stopped = plan, plan.seed, stopped
        self.outcomes = ledger.outcomes(replicates)
        self.cases: tuple[Mapping[str, Any], ...] = plan.values
        self.failures = dict(sorted(ledger.failures.items()))
        self.tallies = ledger.maps
        self.prepared = plan.prepared(0)
        self.scenario = self.prepared.scenario
        records = self.prepared.system.records
        kept_maps = ledger.maps if "maps" in plan.keep else []
        self.maps = BurnMaps(records, kept_maps, [plan.shape(case) for case in range(len(plan.cases))])
        self.curves = Curves(records, ledger.maps if "curves" in plan.keep else [])

    @property
    def columns(self) -> tuple[str, ...]:
        """The outcome columns."""
        return self.plan.columns

    @property
    def counts(self) -> Maps:
        """Whole-number maps of the first case."""
        found = self.tallies[0]
        return found if found is not None else Maps.empty(len(self.prepared.system.records), 0)

    def prepared_of(self, case: int) -> Prepared:
        """A case as its kernel sees it."""
        return self.plan.prepared(case)

    def map_of(self, case: int, name: str) -> Array:
        """One case's map (row, col); see `BurnMaps`."""
        return self.maps.of(case, name)

    def __len__(self) -> int:
        return len(self.outcomes)

    def __repr__(self) -> str:
        cases = f" in {len(self.cases)} cases" if len(self.cases) > 1 else ""
        return f"<{len(self)} fires{cases} of {self.plan.title!r}, seed {self.seed}>"

    def summary(self) -> Summary:
        """Mean, spread and quantiles of every outcome, case by case, each mean with its 95 % interval."""
        system = self.prepared.system
        units = {column.name: column.unit for column in system.outcome_columns}
        return summarize(self.outcomes, self.columns, self.cases, units=units, step_word=system.step_word.lower())

    def to_pandas(self) -> Any:
        """The outcomes as a pandas.DataFrame (extra `lab`)."""
        pandas = extra("pandas", "lab")
        return pandas.DataFrame(self.outcomes)

    def to_csv(self, path: str | Path) -> None:
        """The outcomes as CSV, one row per fire, written whole or not at all."""
        from firesim.studies.exports import write_csv

        write_csv(path, self.outcomes, self.outcomes.dtype.names or ())
