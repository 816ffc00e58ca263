"""What `firesim odds` prints, draws and compares."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from firesim.cli_terminal import compiling, fires_bar, say, tell
from firesim.core.problems import InputError, Problem

if TYPE_CHECKING:
    from firesim.exact.agreement import Agreement
    from firesim.exact.odds import Odds

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
ROWS_MOST = 60
"""Rows of the comparison with sampled fires; the likeliest values are told."""


def odds_command(
    target: str,
    outcome: str | None,
    against: int | None,
    seed: int | None,
    changes: dict[str, Any],
    png: Path | None,
    most: int | None,
    mean: bool,
    as_json: bool,
) -> None:
    """Tell the exact odds of a scenario's outcome or of a roll."""
    from firesim.core.files import writable
    from firesim.exact.expression import is_roll

    if png:
        writable(png, (".png",))
    if is_roll(target):
        only_for_fires = {"--outcome": outcome, "--against": against, "--set": changes or None, "--most": most,
                          "--mean": mean or None}  # fmt: skip
        if problems := [
            Problem(f"{name} is of no use with the roll '{target}'", "a scenario, or the roll alone")
            for name, value in only_for_fires.items()
            if value is not None
        ]:
            raise InputError(problems)
        tell_roll(target, png, as_json)
    elif mean:
        only_for_all = {"--against": against, "--png": png}
        if problems := [
            Problem(f"{name} wants the whole distribution, and --mean leaves it out", "one of the two")
            for name, value in only_for_all.items()
            if value is not None
        ]:
            raise InputError(problems)
        tell_mean(target, outcome or "steps", changes, most, as_json)
    else:
        tell_fire(target, outcome or "steps", against, seed, changes, png, most, as_json)


def tell_roll(target: str, png: Path | None, as_json: bool) -> None:
    """The odds of a roll."""
    from firesim.exact.expression import odds_of_roll

    found = odds_of_roll(target)
    title = str(found.expression)
    if png:
        draw(found.distribution, png, title, "total", None)
    if as_json:
        facts = {"roll": title, "notes": list(found.notes), "target": found.target, "chance": found.chance}
        tell(json.dumps(facts | figures(found.distribution, found.distribution.mean, found.distribution.variance)))
    else:
        tell(found.text())
    if png:
        say(f"wrote {png}")


def tell_fire(
    target: str,
    outcome: str,
    against: int | None,
    seed: int | None,
    changes: dict[str, Any],
    png: Path | None,
    most: int | None,
    as_json: bool,
) -> None:
    """The odds of a fire's outcome, beside sampled fires where they are asked for."""
    from firesim import api

    checked = api.load(target, changes)
    api.a_seed(checked, seed)
    with compiling(checked, "exact"), states_bar() as found:
        odds: Any = api.odds(checked, outcome, states_most=most, progress=found, foretell=lambda f: say(str(f)))
    title = checked.title or checked.file or checked.system
    sampled = None if against is None else sample(checked, odds, against, seed)
    shares = None if sampled is None else share_of(odds.values, sampled[0], sampled[2].fires)
    if png:
        draw(odds.distribution, png, title, label_of(checked, outcome), shares)
    if as_json:
        facts = {
            "title": title, "system": checked.system, "departures": list(checked.departures), "outcome": outcome,
            "horizon": odds.horizon, "states": odds.states, "parts": odds.parts, "seconds": odds.seconds,
        }  # fmt: skip
        facts |= figures(odds.distribution, odds.mean, odds.variance)
        if sampled is not None and shares is not None:
            _, used_seed, test = sampled
            facts["sampled"] = {
                "fires": test.fires,
                "seed": used_seed,
                "shares": shares.tolist(),
                "chi_square": finite(test.chi_square),
                "degrees_of_freedom": test.freedom,
                "p": test.p,
                "agrees": test.agrees,
            }
        tell(json.dumps(facts))
    else:
        tell(f"{title} ({checked.system})")
        tell(odds.text())
        if sampled is not None and shares is not None:
            tell(f"\n{beside(odds, shares)}\n{sampled[2]}; seed {sampled[1]}")
        for departure in checked.departures:
            tell(f"departs from the book: {departure}")
    if png:
        say(f"wrote {png}")


def tell_mean(target: str, outcome: str, changes: dict[str, Any], most: int | None, as_json: bool) -> None:
    """Mean and variance of a fire's outcome."""
    from firesim import api

    checked = api.load(target, changes)
    with compiling(checked, "exact"), states_bar() as found:
        mean: Any = api.odds(
            checked, outcome, mean_only=True, states_most=most, progress=found, foretell=lambda f: say(str(f))
        )
    title = checked.title or checked.file or checked.system
    if as_json:
        facts = {
            "title": title, "system": checked.system, "departures": list(checked.departures), "outcome": outcome,
            "horizon": mean.horizon, "states": mean.states, "seconds": mean.seconds,
            "mean": finite(mean.mean), "variance": finite(mean.variance),
        }  # fmt: skip
        tell(json.dumps(facts))
        return
    tell(f"{title} ({checked.system})")
    tell(mean.text())
    for departure in checked.departures:
        tell(f"departs from the book: {departure}")


def sample(checked: Any, odds: Odds, fires: int, seed: int | None) -> tuple[np.ndarray[Any, Any], int, Agreement]:
    """Outcomes of sampled fires, the seed, and the test.

    Fires that never end are left where all others are over, and not among the outcomes.
    """
    from firesim import api
    from firesim.exact.agreement import agreement

    never = odds.outcome == "steps" and odds.never > 0
    last = int(odds.values[-1]) + 1 if never and len(odds.values) else 1
    key = api.a_seed(checked, seed)
    with compiling(checked, "fast"), fires_bar(fires) as burnt:
        many = api.study(checked, fires, seed=key, changes={"steps": last} if never else None, progress=burnt)
    column = many.outcomes[odds.outcome]
    endless = (column >= last) if never else np.zeros(len(column), bool)
    return column[~endless], key, agreement(odds.distribution, column[~endless], int(endless.sum()))


def share_of(values: np.ndarray[Any, Any], sampled: np.ndarray[Any, Any], fires: int) -> np.ndarray[Any, Any]:
    """The share of the fires that had each value."""
    return np.array([np.count_nonzero(sampled == value) for value in values]) / fires


def beside(odds: Odds, shares: np.ndarray[Any, Any]) -> str:
    """Exact and sampled chances in a table, the least likely values left out."""
    told = np.sort(np.argsort(-odds.probabilities, kind="stable")[:ROWS_MOST])
    told = told[(odds.probabilities[told] >= 5e-5) | (shares[told] > 0)]
    rows = [f"{'value':>7}  {'exact':>9}  {'sampled':>9}"]
    rows += [f"{odds.values[i]:>7}  {100 * odds.probabilities[i]:>7.3f} %  {100 * shares[i]:>7.3f} %" for i in told]
    return "\n".join(rows)


def figures(distribution: Any, mean: float, variance: float) -> dict[str, Any]:
    """A distribution as JSON holds it: null where a number is infinite."""
    return {
        "mean": finite(mean),
        "variance": finite(variance),
        "quantiles": {str(q): finite(distribution.quantile(q)) for q in QUANTILES},
        "never": distribution.never,
        "missing": distribution.missing,
        "values": distribution.values.tolist(),
        "probabilities": distribution.probabilities.tolist(),
    }


def finite(number: float) -> float | None:
    """The number, or None where JSON has no word for it."""
    return number if math.isfinite(number) else None


def label_of(checked: Any, outcome: str) -> str:
    """What the values of an outcome are: `steps (turns)`."""
    from firesim.rules.base import system_named

    units = {column.name: column.unit for column in system_named(checked.system).outcome_columns}
    return f"{outcome} ({units[outcome]})" if outcome in units else outcome


def draw(distribution: Any, path: Path, title: str, label: str, sampled: np.ndarray[Any, Any] | None) -> None:
    """The chart of a distribution."""
    from firesim.outputs import any_script
    from firesim.render.charts import odds_chart

    with any_script():
        odds_chart(distribution.values, distribution.probabilities, path, title=title, label=label, sampled=sampled)


@contextmanager
def states_bar() -> Iterator[Callable[[int], None] | None]:
    """How many states are found so far, on a terminal; nothing elsewhere."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("looking for states", total=None)
        yield lambda states: bar.update(task, description=f"{states:,} states")
