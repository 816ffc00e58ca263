"""Designs: which values are tried together. Lists, ranges, pairs, full grids, Latin hypercubes, Sobol points.

A dimension is one key with its values, or several keys whose lists go together (a pair). Values of a range are counted,
never built, so that a grid of 10^12 cases is refused at once.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np

from firesim.core.problems import InputError, Problem, Where, listed, nearest
from firesim.core.scenario import plain

CASES_MOST = 10_000
"""Cases of a study at most."""

KINDS = ("grid", "latin hypercube", "sobol")

Values = Sequence[Any]


@dataclass(frozen=True)
class Steps(Sequence[Any]):
    """`start`, `start + step`, ... so many of them; whole where both are whole, else exact to the last decimal."""

    start: Decimal
    step: Decimal
    many: int
    end: Decimal

    @property
    def missed(self) -> str:
        """What to say where the steps do not come to the end that was named: empty where they do."""
        last = self.start + self.step * (self.many - 1)
        return "" if last == self.end else f"ends at {last}: steps of {self.step} from {self.start} miss {self.end}"

    def __len__(self) -> int:
        return min(self.many, 2**62)

    def __getitem__(self, place: Any) -> Any:
        if not 0 <= place < self.many:
            raise IndexError(place)
        value = self.start + self.step * place
        whole = self.start == self.start.to_integral_value() and self.step == self.step.to_integral_value()
        return int(value) if whole else float(value)


@dataclass(frozen=True)
class Dimension:
    """Keys that change together, each with its values; all have the same number."""

    keys: tuple[str, ...]
    values: tuple[Values, ...]

    def __len__(self) -> int:
        return len(self.values[0])

    @property
    def notes(self) -> tuple[str, ...]:
        """A line for each range that misses its end."""
        pairs = zip(self.keys, self.values, strict=True)
        return tuple(f"the range of '{key}' {v.missed}" for key, v in pairs if isinstance(v, Steps) and v.missed)

    def at(self, place: int) -> dict[str, Any]:
        """The values in one place."""
        return {key: values[place] for key, values in zip(self.keys, self.values, strict=True)}


@dataclass(frozen=True)
class Design:
    """How cases are made of the dimensions. cases, seed: of a Latin hypercube or Sobol points."""

    kind: str = "grid"
    cases: int = 0
    seed: int = 0


GRID = Design()


def dimension(values: Mapping[str, Any], where: Where = ()) -> Dimension:
    """Keys and their values (lists or ranges) as one dimension. InputError with all problems."""
    made: dict[str, Values] = {}
    problems: list[Problem] = []
    for key, written in values.items():
        try:
            if not isinstance(key, str):
                raise InputError(Problem(f"{key!r:.60} varies", 'a dotted key, as "weather.wind"', "", where))
            made[key] = values_of(key, written, (*where, key))
        except InputError as error:
            problems += error.problems
    if not problems and len({len(v) for v in made.values()}) > 1:
        told = ", ".join(f"{key} has {len(v):,}" for key, v in made.items())
        problems.append(
            Problem(f"lists that go together are not equally long: {told}", "one value for each", "", where)
        )
    if problems:
        raise InputError(problems)
    return Dimension(tuple(made), tuple(made.values()))


def values_of(key: str, written: Any, where: Where = ()) -> Values:
    """The values of one key: a list as it stands, or a range, see `range_of`."""
    if isinstance(written, range):
        written = list(written[: CASES_MOST + 1])
    elif isinstance(written, Steps):
        return written
    if isinstance(written, Mapping):
        return range_of(key, written, where)
    written, problems = plain(written, where)
    if problems:
        raise InputError(problems)
    if not isinstance(written, list):
        hint = f"write {key} = [{written!r}]" if isinstance(written, (int, float)) else ""
        raise InputError(Problem(f"'{key}' varies over no list", "a list, or { from, step, to }", hint, where))
    if not written:
        raise InputError(Problem(f"'{key}' varies over an empty list", "at least one value", "", where))
    seen: set[str] = set()
    for value in written:
        if repr(value) in seen:
            raise InputError(Problem(f"'{key}' varies over {value!r:.60} twice", "each value once", "", where))
        seen.add(repr(value))
    return list(written)


def range_of(key: str, written: Mapping[str, Any], where: Where = ()) -> Steps:
    """A range `{ from = 0, step = 0.5, to = 2 }`, its end included where the steps come to it; step 1 if left out."""
    problems = [
        Problem(
            f"unknown word '{word}' in the range of '{key}'",
            "from, step and to",
            nearest(word, ("from", "step", "to")),
            where,
        )
        for word in written
        if word not in ("from", "step", "to")
    ]
    problems += [
        Problem(f"the range of '{key}' has no '{word}'", "from and to", "", where)
        for word in ("from", "to")
        if word not in written
    ]
    if problems:
        raise InputError(problems)
    return steps_of(key, written["from"], written.get("step", 1), written["to"], where)


def steps_of(key: str, start: Any, step: Any, end: Any, where: Where = ()) -> Steps:
    """`[from, step, to]`, the end included where the steps come to it; InputError where that is no range."""
    numbers = []
    for word, value in (("from", start), ("step", step), ("to", end)):
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
            raise InputError(Problem(f"'{word}' of the range of '{key}' is {value!r}", "a number", "", where))
        numbers.append(Decimal(repr(value)))
    first, by, last = numbers
    if by == 0:
        raise InputError(
            Problem(f"the range of '{key}' has step 0", "a step that leads from one end to the other", "", where)
        )
    count = int((last - first) / by) + 1 if (last - first) / by >= 0 else 0
    if not count:
        raise InputError(
            Problem(
                f"the range of '{key}' leads away: from {start} by {step} never to {end}",
                "a range with at least one value",
                "",
                where,
            )
        )
    return Steps(first, by, count, last)


def count_of(design: Design, dimensions: Sequence[Dimension]) -> int:
    """How many cases a design has, without building one."""
    return math.prod(len(d) for d in dimensions) if design.kind == "grid" else design.cases


def design_problems(design: Design) -> list[Problem]:
    """What is wrong with a design whatever varies."""
    if design.kind not in KINDS:
        hint = nearest(design.kind, KINDS)
        return [Problem(f"there is no design '{design.kind}'", listed(KINDS), hint, ("design", "kind"))]
    if design.kind == "grid":
        return []
    if isinstance(design.cases, bool) or not isinstance(design.cases, int) or design.cases < 1:
        what = f"a {design.kind} of {design.cases!r} cases"
        return [Problem(what, "a whole number from 1", "", ("design", "cases"))]
    if design.kind == "sobol" and design.cases & (design.cases - 1):
        near = 2 ** round(math.log2(design.cases))
        return [Problem(f"{design.cases} Sobol points", "a power of 2", f"take {near}", ("design", "cases"))]
    return []


def checked_design(design: Design, dimensions: Sequence[Dimension], others: int = 1) -> None:
    """InputError for a design that cannot be or has too many cases. others: times so many."""
    problems = design_problems(design)
    if not problems and design.kind != "grid" and not dimensions:
        problems.append(Problem(f"a {design.kind} of nothing", "at least one key under [vary]", "", ("design",)))
    keys = [key for d in dimensions for key in d.keys]
    problems += [
        Problem(f"'{key}' varies twice", "each key once") for key in sorted({k for k in keys if keys.count(k) > 1})
    ]
    if not problems and (count := count_of(design, dimensions) * others) > CASES_MOST:
        hint = 'vary fewer keys or values, or take a design: [design] kind = "latin hypercube", cases = 100'
        problems.append(Problem(f"this makes {in_figures(count)} cases", f"at most {CASES_MOST:,}", hint))
    if problems:
        raise InputError(problems)


def in_figures(count: int) -> str:
    """A number as read: all its figures up to a thousand million, else a power of ten."""
    return f"{count:,}" if count < 10**9 else f"about 10^{math.log10(count):.0f}"


def cases(design: Design, dimensions: Sequence[Dimension]) -> Iterator[dict[str, Any]]:
    """The cases, each as keys and values. In a grid the last dimension changes fastest."""
    if design.kind == "grid":
        for places in np.ndindex(*(len(d) for d in dimensions)):
            yield {k: v for d, place in zip(dimensions, places, strict=True) for k, v in d.at(place).items()}
        return
    for point in points(design, len(dimensions)):
        yield {
            key: value
            for d, share in zip(dimensions, point, strict=True)
            for key, value in d.at(min(int(share * len(d)), len(d) - 1)).items()
        }


def points(design: Design, dimensions: int) -> np.ndarray[Any, Any]:
    """Points (case, dimension) in the unit cube, by scipy's quasi-Monte Carlo, the same for the same seed."""
    from scipy.stats import qmc

    kind = qmc.LatinHypercube if design.kind == "latin hypercube" else qmc.Sobol
    luck = np.random.default_rng(design.seed)
    try:
        sampler = kind(dimensions, rng=luck)
    except TypeError:  # scipy before 1.15
        sampler = kind(dimensions, seed=luck)
    return np.asarray(sampler.random(design.cases))
