"""Coverage: in how many of 400 small studies the 95 % intervals hold what the exact odds say.

The fires are real ones, each study with a seed of its own; the truth is `firesim.odds`. Quantiles of whole numbers
cover more often than they say where one value has much of the chance: their own check breaks ties by lot, and the
intervals as they are (over a house so large that no value has more than 2.5 %) stand beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.harness import Row, Settings
from firesim.api import load, odds, study
from firesim.core.scenario import Scenario
from firesim.studies.intervals import (
    Interval,
    difference_interval,
    mean_interval,
    proportion_interval,
    quantile_interval,
)
from firesim.studies.sequential import Until, UntilDecided, Verdict, replicates_at_look

Array = np.ndarray[Any, Any]

HOUSE = Path(__file__).resolve().parents[2] / "maps" / "house.toml"
STUDIES = 400
FIRES = 50
SEED = 20_261_130
"""Study k of a check has the seed SEED + k: chosen before the first look."""

APART = 10**6
"""Between the seeds of two cases with dice of their own."""

LOOKS = 9
QUANTILES = (0.25, 0.5, 0.75)


def two_houses(wind: str = "E") -> dict[str, Any]:
    """Two houses side by side, the first set alight."""
    legend = {"h": {"st": 12, "armour": 2}, "g": {"st": 9, "armour": 1, "roof": "thatch"}}
    return {
        "system": "town",
        "map": {"rows": ["h g"], "legend": legend},
        "weather": {"wind": wind},
        "ignite": [{"cell": [0, 0]}],
    }


def one_house(st: int) -> dict[str, Any]:
    """A lone house of so much structure, alight from the start."""
    legend = {"h": {"st": st, "armour": 3}}
    return {
        "system": "town",
        "map": {"rows": ["h"], "legend": legend},
        "ignite": [{"cell": [0, 0], "alight": True}],
    }


SCENES: dict[str, Callable[[], Any]] = {
    "house": lambda: HOUSE,
    "two houses": two_houses,
    "two houses, no wind": lambda: two_houses("none"),
    "ST 30": lambda: one_house(30),
    "ST 33": lambda: one_house(33),
    "ST 4000": lambda: one_house(4000),
}


@dataclass(frozen=True)
class Check:
    """One coverage: what it is of, and where nominal 95 % has to lie."""

    what: str
    kind: str
    scene: str
    outcome: str
    other: str = ""
    width: float = 0.0
    least: float = 0.92
    most: float = 0.98


CHECKS = (
    Check("mean: steps of a house", "mean", "house", "steps"),
    Check("mean: flare-ups of a house", "mean", "house", "flare_ups"),
    Check("mean: steps of two houses", "mean", "two houses", "steps"),
    Check("mean: collapsed of two houses", "mean", "two houses", "collapsed"),
    Check("proportion: a house collapses", "proportion", "house", "collapsed"),
    Check("proportion: the fire jumps", "proportion", "two houses", "jumps"),
    Check("proportion: the fire jumps without wind", "proportion", "two houses, no wind", "jumps"),
    Check("quartiles: steps of a house of ST 4,000", "quantile", "ST 4000", "steps"),
    Check("quartiles: steps of a house, ties by lot", "ties", "house", "steps"),
    Check("quartiles: steps of two houses, ties by lot", "ties", "two houses", "steps"),
    Check("quartiles: steps of a house as they are", "quantile", "house", "steps", most=1.0),
    Check("difference: steps, ST 33 and 30", "difference", "ST 33", "steps", "ST 30"),
    Check("difference: flare-ups, ST 33 and 30", "difference", "ST 33", "flare_ups", "ST 30"),
    Check("difference: jumps, wind E and none", "difference", "two houses", "jumps", "two houses, no wind"),
    Check("difference: steps, wind E and none", "difference", "two houses", "steps", "two houses, no wind"),
    Check("until: steps of a house, 0.15", "until", "house", "steps", width=0.15),
    Check("until: collapsed of two houses, 0.06", "until", "two houses", "collapsed", width=0.06),
    Check("until: jumps without wind, 0.03", "until", "two houses, no wind", "jumps", width=0.03),
    Check("until: flare-ups of ST 30, 0.1", "until", "ST 30", "flare_ups", width=0.1),
)


def measure(settings: Settings) -> list[Row]:
    """The coverage of every check, in percent."""
    rows = []
    for check in CHECKS:
        covered = coverage(check)
        within = f"{check.least:.0%} to {check.most:.0%}" if check.most < 1 else f"{check.least:.0%} or more"
        rows.append(Row("coverage", check.what, 100 * covered, "%", note=f"{STUDIES} studies; wanted {within}"))
    told = f"{STUDIES} studies of {LOOKS} looks; wanted below 5 %"
    return [
        *rows,
        Row("coverage", "until decided: a difference where there is none", 100 * false_alarms(), "%", note=told),
    ]


def coverage(check: Check, studies: int = STUDIES) -> float:
    """The share of studies whose interval holds the truth; of all three quartiles together."""
    kinds: dict[str, Callable[[Check, int], Array]] = {
        "mean": of_means,
        "proportion": of_proportions,
        "quantile": of_quantiles,
        "ties": of_quantiles_with_ties_by_lot,
        "difference": of_differences,
        "until": of_until,
    }
    return float(kinds[check.kind](check, studies).mean())


@cache
def exact(scene: str, outcome: str) -> Any:
    """The exact odds."""
    return odds(SCENES[scene](), outcome)


@cache
def fires(scene: str, studies: int, each: int = FIRES) -> Array:
    """Outcome rows (studies, each) of a scene."""
    return np.stack([a_study(scene, k, each) for k in range(studies)])


def a_study(scene: str, k: int, each: int) -> Array:
    """Outcome rows (each,) of study k."""
    return study(loaded(scene), each, seed=SEED + k, workers=1).outcomes


@cache
def loaded(scene: str) -> Scenario:
    """A scene checked."""
    return load(SCENES[scene]())


def holds(interval: Interval, truth: float) -> Array:
    """Whether each interval holds the truth; an undefined one does not."""
    return np.asarray((interval.low <= truth + 1e-12) & (truth <= interval.high + 1e-12))


def of_means(check: Check, studies: int) -> Array:
    """Means of outcomes."""
    values = fires(check.scene, studies)[check.outcome]
    return holds(mean_interval(values, least=0.0), exact(check.scene, check.outcome).mean)


def of_proportions(check: Check, studies: int) -> Array:
    """Proportions: outcomes that are 0 or 1."""
    values = fires(check.scene, studies)[check.outcome]
    if not np.isin(values, (0, 1)).all():
        raise ValueError(f"{check.what}: no proportion")
    return holds(proportion_interval(values.sum(axis=1), values.shape[1]), exact(check.scene, check.outcome).mean)


def of_quantiles(check: Check, studies: int) -> Array:
    """Quartiles as a summary gives them."""
    ascending = np.sort(fires(check.scene, studies)[check.outcome], axis=1)
    truth = exact(check.scene, check.outcome)
    return np.stack([holds(quantile_interval(ascending, q), truth.quantile(q)) for q in QUANTILES])


def of_quantiles_with_ties_by_lot(check: Check, studies: int) -> Array:
    """Quartiles of the outcome and a fraction from 0 to 1 drawn for each fire, which has no ties."""
    values = fires(check.scene, studies)[check.outcome]
    ascending = np.sort(values + np.random.default_rng(SEED).random(values.shape), axis=1)
    truth = exact(check.scene, check.outcome)
    up_to = np.cumsum(truth.probabilities)
    found = []
    for q in QUANTILES:
        place = int(np.searchsorted(up_to, q))
        chance = float(truth.probabilities[place])
        fraction = (q - float(up_to[place]) + chance) / chance
        found.append(holds(quantile_interval(ascending, q), float(truth.values[place]) + fraction))
    return np.stack(found)


def of_differences(check: Check, studies: int) -> Array:
    """Differences of means, pair by pair."""
    one, other = (fires(scene, studies)[check.outcome] for scene in (check.scene, check.other))
    truth = exact(check.scene, check.outcome).mean - exact(check.other, check.outcome).mean
    return holds(difference_interval(one - other), truth)


def of_until(check: Check, studies: int) -> Array:
    """Means when `Until` stops; every study has to stop within `LOOKS` looks."""
    rule = Until(check.outcome, check.width)
    truth = exact(check.scene, check.outcome).mean
    each = replicates_at_look(LOOKS - 1)
    return np.array([stopped(rule, a_study(check.scene, k, each), truth) for k in range(studies)])


def stopped(rule: Until, rows: Array, truth: float) -> bool:
    """Whether the interval at the stop holds the truth."""
    for look in range(LOOKS):
        verdict = rule.look(rows[: replicates_at_look(look)], ({},), look)
        if verdict.done:
            (bounds,) = verdict.intervals
            return bounds.low <= truth <= bounds.high
    raise ValueError(f"{rule} does not stop within {LOOKS} looks")


def false_alarms(studies: int = STUDIES, scene: str = "two houses", outcome: str = "steps") -> float:
    """In what share of studies `UntilDecided` ever finds a difference between two cases that are the same scene.

    The cases roll dice of their own: with the same dice they would be equal fire by fire.
    """
    rule = UntilDecided(outcome)
    each = replicates_at_look(LOOKS - 1)
    found = 0
    for k in range(studies):
        rows = np.concatenate([a_study(scene, k, each), a_study(scene, k + APART, each)])
        rows["case"] = np.repeat([0, 1], each)
        found += any(is_decided(verdict) for verdict in looks_at(rule, rows))
    return found / studies


def looks_at(rule: UntilDecided, rows: Array) -> Iterator[Verdict]:
    """The verdict of each look at two cases."""
    for look in range(LOOKS):
        yield rule.look(rows[rows["replicate"] < replicates_at_look(look)], ({"which": 1}, {"which": 2}), look)


def is_decided(verdict: Verdict) -> bool:
    """Whether an interval leaves out 0."""
    return any(bounds.low > 0 or bounds.high < 0 for bounds in verdict.intervals)
