"""What a study leaves behind in pictures: every chart and map that its outcomes, curves and maps allow."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from firesim.core.scenario import Scenario
from firesim.outputs import any_script, make_folder, title_of
from firesim.rules.base import Prepared
from firesim.studies.columns import is_time, rows_of
from firesim.studies.intervals import share_difference_interval
from firesim.studies.summary import Row, Summary
from firesim.studies.words import case_names, short_names, value_words, with_stems

Array = np.ndarray[Any, Any]

COMPARED_LEAST = 30
"""A cell's mean arrival in two cases is compared where it burnt in so many fires of both."""

LATE = 0.98
"""The scale of arrival ends where this share of the cells has been reached: a few late ones would take all colours."""

NAME_ROOM = 46
"""Characters of a case's name in a picture."""

Job = tuple[str, Callable[[Path], None]]
"""The name of a picture's file, without its ending, and what draws it."""


class Studied(Protocol):
    """Of `studies.fires.Fires`, what its pictures are made from."""

    @property
    def outcomes(self) -> Array: ...

    @property
    def cases(self) -> tuple[Mapping[str, Any], ...]: ...

    @property
    def curves(self) -> Mapping[str, Array]: ...

    @property
    def maps(self) -> Mapping[str, Array]: ...

    @property
    def scenario(self) -> Scenario: ...

    @property
    def seed(self) -> int: ...

    def prepared_of(self, case: int) -> Prepared: ...

    def map_of(self, case: int, name: str) -> Array: ...

    def summary(self) -> Summary: ...


def write_pictures(fires: Studied, folder: Path, progress: Callable[[int, int], None] | None = None) -> list[Path]:
    """Every picture of a study into a folder, which is made; returns the files.

    Outcomes that are the same in every fire have no picture, nor have maps and curves that the study did not keep; of
    more than 12 cases, 12 are shown. progress: called with (drawn, all) after each. Raises InputError when a file
    cannot be written.
    """
    make_folder(folder)
    names = short_names(case_names(fires.cases), NAME_ROOM)
    jobs = list(Pictures(fires, fires.summary(), names).jobs())
    written = []
    for name, draw in jobs:
        written.append(folder / f"{name}.png")
        with any_script():
            draw(written[-1])
        if progress:
            progress(len(written), len(jobs))
    return written


@dataclass(frozen=True)
class Pictures:
    """A study about to be drawn: its fires, their summary, and its cases' names."""

    fires: Studied
    summary: Summary
    names: Sequence[str]

    def jobs(self) -> Iterator[Job]:
        """All pictures: outcomes, sweeps, survival, maps, differences."""
        yield from self.outcomes()
        yield from self.curves()
        if "burn_probability" in self.fires.maps:
            yield from self.maps()

    @cached_property
    def titles(self) -> tuple[str, ...]:
        """The title of each case's own scenario."""
        if not any({"scenario", "title"} & set(case) for case in self.fires.cases):
            return (title_of(self.fires),) * len(self.names)
        return tuple(title_of(self.fires.prepared_of(case)) for case in range(len(self.names)))

    def title(self, what: str) -> str:
        """The title of a picture of all cases: the scenarios' own where they share one, and what is shown."""
        return f"{self.titles[0]}: {what}" if len(set(self.titles)) == 1 else what

    def title_of_case(self, case: int) -> str:
        """The title of a map of one case: its scenario's own, and its name where others have the same title."""
        alone = self.titles.count(self.titles[case]) == 1
        return self.titles[case] if alone else f"{self.titles[case]}: {self.names[case]}"

    def title_of_pair(self, case: int) -> str:
        """The title of a map of what a case has more of than the first."""
        pair = f"{self.names[case]} against {self.names[0]}"
        return f"{self.titles[0]}: {pair}" if self.titles[case] == self.titles[0] else pair

    @property
    def step_word(self) -> str:
        """What the system calls a step."""
        return self.fires.prepared_of(0).system.step_word.lower()

    @property
    def arrival(self) -> str:
        """What a mean arrival is called."""
        return f"mean {self.step_word} of ignition"

    def burnt(self, case: int) -> int:
        """How many fires a case has."""
        return int(np.count_nonzero(self.fires.outcomes["case"] == case))

    def label(self, column: str) -> str:
        """A column with its unit, for an axis."""
        units = {each.name: each.unit for each in self.fires.prepared_of(0).system.outcome_columns}
        unit = units.get(column, f"{self.step_word}s" if is_time(column) else "")
        return f"{column} ({unit})" if unit else column

    def outcomes(self) -> Iterator[Job]:
        """A distribution, and a sweep where there are several cases, of each outcome that varies."""
        from firesim.render.study_pictures import distributions

        rows = [rows_of(self.fires.outcomes, case) for case in range(len(self.names))]
        for column in dict.fromkeys(row.column for row in self.summary.rows):
            own = [each[column] for each in rows]
            values = np.concatenate(own)
            if not len(values) or values.min() == values.max():
                continue
            told = [row for row in self.summary.rows if row.column == column]
            style: dict[str, Any] = {"title": self.title(column), "label": self.label(column)}
            more = {"names": self.names, "intervals": [(row.low, row.high) for row in told], "time": is_time(column)}
            yield f"distribution-{column}", _later(distributions, own, **style, **more)
            if len(self.names) > 1:
                yield f"sweep-{column}", self.sweep(told, {**style, "label": f"mean of {style['label']}"})

    def sweep(self, rows: Sequence[Row], style: Mapping[str, Any]) -> Callable[[Path], None]:
        """An outcome over what was varied: one key, a full grid of two, else case by case."""
        from firesim.render.study_pictures import sweep

        figures = [np.array([getattr(row, name) for row in rows]) for name in ("mean", "low", "high")]
        cases = with_stems(self.fires.cases)
        keys = list(dict.fromkeys(key for case in cases for key in case))
        if grid := two_keys(cases):
            places, values, series = grid
            return _later(sweep, values, *(each[places] for each in figures), key=keys[0], series=series, **style)
        if len(keys) == 1 and all(keys[0] in case for case in cases):
            return _later(sweep, values_of(cases, keys[0]), *figures, key=keys[0], **style)
        return _later(sweep, list(self.names), *figures, key="case", **style)

    def curves(self) -> Iterator[Job]:
        """What share of the cells that can burn is spared what the study kept curves of, step by step."""
        from firesim.render.study_pictures import standing, survival

        ready = [self.fires.prepared_of(case) for case in range(len(self.names))]
        cells = np.array([np.count_nonzero(each.system.lively(each)) for each in ready])
        burnt = np.array([self.burnt(case) for case in range(len(ready))])
        for name, counts in self.fires.curves.items():
            if name == "out" or not np.any(counts):  # a fire that goes out takes nothing
                continue
            word = "standing" if name == "consumed" else f"not yet {name}"
            style = {"title": self.title(f"share {word}"), "label": f"share {word}", "names": self.names}
            shares = standing(counts, burnt, cells)
            yield f"survival-{name}", _later(survival, shares, step_word=self.step_word, **style)

    def maps(self) -> Iterator[Job]:
        """Burn probability and arrival of each case, and what each has more of than the first."""
        from firesim.render.burnmap import burn_map
        from firesim.render.case_colours import shown
        from firesim.render.case_maps import arrival_map

        places = shown(len(self.names))
        arrivals = np.concatenate([self.fires.map_of(case, "lit_at_mean").ravel() for case in places])
        reached = arrivals[np.isfinite(arrivals)]
        latest = max(float(np.quantile(reached, LATE)), 1.0) if len(reached) else 1.0
        for case in places:
            ready, ending = self.fires.prepared_of(case), f"-case-{case}" if len(self.names) > 1 else ""
            caption = f"{self.burnt(case):,} fires, seed {self.fires.seed}"
            style = {"title": self.title_of_case(case), "caption": caption}
            burning, coming = (self.fires.map_of(case, name) for name in ("burn_probability", "lit_at_mean"))
            yield f"burn-probability{ending}", _map(burn_map, ready, burning, most=1.0, **style)
            yield f"arrival{ending}", _map(arrival_map, ready, coming, label=self.arrival, most=latest, **style)
            if case and ready.shape == self.fires.prepared_of(0).shape:
                yield from self.apart(case, self.title_of_pair(case))

    def apart(self, case: int, title: str) -> Iterator[Job]:
        """Two maps of what a case has more of than the first: burn probability and arrival."""
        from firesim.render.case_maps import difference_map

        n, m = self.burnt(case), self.burnt(0)
        if not n or not m:
            return
        ready = self.fires.prepared_of(case)
        one, first = (self.fires.map_of(each, "burn_probability") for each in (case, 0))
        low, high = share_difference_interval(one * n, n, first * m, m)
        style: dict[str, Any] = {"title": title, "decided": (low > 0) | (high < 0), "label": "burn probability"}
        words = f"orange: more likely to burn; {n:,} and {m:,} fires, seed {self.fires.seed}"
        yield f"difference-case-{case}", _map(difference_map, ready, one - first, caption=words, **style)
        later = self.fires.map_of(case, "lit_at_mean") - self.fires.map_of(0, "lit_at_mean")
        often = (one * n >= COMPARED_LEAST) & (first * m >= COMPARED_LEAST)
        words = f"orange: later, purple: sooner; cells that burnt in {COMPARED_LEAST} fires or more of both"
        style = {"title": title, "caption": words, "label": self.arrival, "percent": False}
        yield f"arrival-difference-case-{case}", _map(difference_map, ready, np.where(often, later, np.nan), **style)


def _later(draw: Callable[..., None], *values: Any, **style: Any) -> Callable[[Path], None]:
    return lambda path: draw(*values, path, **style)


def _map(draw: Callable[..., None], ready: Prepared, values: Array, **style: Any) -> Callable[[Path], None]:
    return lambda path: draw(ready, values, path, **style)


def two_keys(cases: Sequence[Mapping[str, Any]]) -> tuple[Array, list[Any], list[str]] | None:
    """A full grid of two keys: the case at (second's value, first's value), the first's values, the second's names."""
    keys = list(dict.fromkeys(key for case in cases for key in case))
    if len(keys) != 2 or any(len(case) != 2 for case in cases):
        return None
    across, along = (values_of(cases, key) for key in keys)
    columns, rows = list(dict.fromkeys(across)), list(dict.fromkeys(along))
    places = np.full((len(rows), len(columns)), -1)
    for case, (a, b) in enumerate(zip(across, along, strict=True)):
        places[rows.index(b), columns.index(a)] = case
    if len(cases) != places.size or np.any(places < 0):
        return None
    short = keys[1].rpartition(".")[2]
    return places, columns, [f"{short} {value_words(each)}" for each in rows]


def values_of(cases: Sequence[Mapping[str, Any]], key: str) -> list[Any]:
    """What a key took in each case: numbers as they are, anything else in words."""
    found = [case[key] for case in cases]
    plain = all(isinstance(value, (int, float, np.number)) and not isinstance(value, bool) for value in found)
    return found if plain else [value_words(value) for value in found]
