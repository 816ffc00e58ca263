"""The fires of a study: outcome rows, maps, and what they say with how much certainty."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from firesim.core.extras import extra
from firesim.rules.base import Prepared
from firesim.studies.summary import Summary, summarize


@dataclass
class Maps:
    """Whole-number maps (records, cells): how often each record was set, and the sum of its steps; of `fires` fires."""

    counts: np.ndarray[Any, Any]
    sums: np.ndarray[Any, Any]
    fires: int

    @staticmethod
    def summed(parts: Iterable[Maps]) -> Maps:
        """Maps of all fires together."""
        total: Maps | None = None
        for part in parts:
            if total is None:
                total = Maps(part.counts, part.sums, part.fires)
            else:
                total.counts += part.counts
                total.sums += part.sums
                total.fires += part.fires
        assert total is not None
        return total


class BurnMaps(Mapping[str, np.ndarray[Any, Any]]):
    """Maps by name, each an array (case, row, col) of floats.

    `burn_probability`: the share of fires in which the cell was lit; `consumed_probability`, `external_probability`,
    `out_probability` likewise. `lit_at_mean`, `consumed_at_mean`, ...: the mean step of the fires in which it happened,
    nan where it never did.
    """

    def __init__(self, ready: Prepared, maps: Maps) -> None:
        self._maps, self._shape = maps, ready.shape
        self._names: dict[str, tuple[int, bool]] = {}
        for place, record in enumerate(ready.system.records):
            short = record.removesuffix("_at")
            self._names["burn_probability" if short == "lit" else f"{short}_probability"] = (place, False)
            self._names[f"{record}_mean"] = (place, True)

    def __getitem__(self, name: str) -> np.ndarray[Any, Any]:
        if name not in self._names:
            raise KeyError(f"no map {name!r}; there are {', '.join(self._names)}")
        place, mean = self._names[name]
        counts = self._maps.counts[place, :-1]
        if mean:
            values = np.full(counts.shape, np.nan)
            np.divide(self._maps.sums[place, :-1], counts, out=values, where=counts > 0)
        else:
            values = counts / self._maps.fires
        return values.reshape(1, *self._shape)

    def __iter__(self) -> Any:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def to_xarray(self) -> Any:
        """All maps as an xarray.Dataset with dimensions case, row, col (extra `lab`)."""
        xarray = extra("xarray", "lab")
        return xarray.Dataset({name: (("case", "row", "col"), self[name]) for name in self})


class Fires:
    """Many fires of one scenario.

    outcomes: structured array, one row per replicate: `case` (0: there is but one), `replicate`, then the outcome
    columns. maps: see `BurnMaps`. seed: with a row's replicate, the key of that fire.
    """

    def __init__(
        self, ready: Prepared, seed: int, first_replicate: int, rows: np.ndarray[Any, Any], maps: Maps
    ) -> None:
        self.prepared, self.scenario, self.seed = ready, ready.scenario, seed
        self.outcomes = np.zeros(
            len(rows), [("case", np.int64), ("replicate", np.int64), *((c, np.int64) for c in ready.columns)]
        )
        self.outcomes["replicate"] = first_replicate + np.arange(len(rows))
        for place, column in enumerate(ready.columns):
            self.outcomes[column] = rows[:, place]
        self.counts = maps
        self.maps = BurnMaps(ready, maps)

    def __len__(self) -> int:
        return len(self.outcomes)

    def __repr__(self) -> str:
        return f"<{len(self)} fires of {self.scenario.title or self.scenario.system!r}, seed {self.seed}>"

    def summary(self) -> Summary:
        """Mean, spread and quantiles of every outcome, each mean with its 95 % interval."""
        return summarize(self.outcomes, self.prepared.columns)

    def to_pandas(self) -> Any:
        """The outcomes as a pandas.DataFrame (extra `lab`)."""
        pandas = extra("pandas", "lab")
        return pandas.DataFrame(self.outcomes)

    def to_csv(self, path: str | Path) -> None:
        """The outcomes as CSV, one row per fire, written whole or not at all."""
        from firesim.core.files import writing

        with writing(path, (".csv",)) as target:
            names = self.outcomes.dtype.names or ()
            np.savetxt(
                target,
                np.column_stack([self.outcomes[n] for n in names]),
                "%d",
                ",",
                header=",".join(names),
                comments="",
            )
