"""The exact chain against the book's exact values, and what it does at a horizon, without an end, and in parts."""

import math
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

import firesim
from firesim.api import load, prepared
from firesim.exact.chain import chain_of
from firesim.exact.distribution import Distribution
from firesim.exact.odds import later

ROOT = Path(__file__).resolve().parents[2]


def house(st: int, armour: int = 0, **more: object) -> dict:
    """A lone house, attacked until it catches."""
    legend = {"h": {"st": st, "armour": armour}}
    return {"system": "town", "map": {"rows": ["h"], "legend": legend}, "ignite": [{"cell": [0, 0]}], **more}


def simple(st: int) -> dict:
    return house(st, options={"mode": "simple"})


@pytest.fixture
def written(tmp_path):
    """Write a scenario's document as a file, as a user has it."""

    def write(document: dict) -> Path:
        h, options = document["map"]["legend"]["h"], document.get("options", {})
        told = [f"{k} = {str(v).lower() if isinstance(v, bool) else repr(v)}" for k, v in options.items()]
        path = tmp_path / "house.toml"
        path.write_text(
            f'system = "town"\noptions = {{ {", ".join(told)} }}\n'
            f'map = {{ rows = ["h"], legend = {{ h = {{ st = {h["st"]}, armour = {h["armour"]} }} }} }}\n'
            "ignite = [{ cell = [0, 0] }]\n"
        )
        return path

    return write


# --- the book's values ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("st", [*range(1, 11), 15, 20, 30, 50])
def test_turns_of_a_simple_fire(written, st):
    means = {n: Fraction(7, 6) ** (n - 1) for n in range(1, 8)}
    for n in range(8, st + 1):
        means[n] = 1 + sum(means[n - i] for i in range(1, 7)) / 6
    printed = {8: 2.775230767, 9: 3.043324784, 15: 4.760008377, 20: 6.190195199, 30: 9.047634594, 50: 14.761904780}
    found = firesim.odds(written(simple(st)))
    assert found.mean == pytest.approx(float(means[st]), abs=1e-12)
    assert found.distribution.mean == pytest.approx(float(means[st]), abs=1e-11)
    assert found.mean == pytest.approx(printed.get(st, found.mean), abs=6e-10)


def test_distribution_of_a_simple_fire(written):
    found = firesim.odds(written(simple(10)))
    expected = [Fraction(1, 6), Fraction(11, 24), Fraction(5, 18), Fraction(35, 432), Fraction(7, 486)]
    expected += [Fraction(13, 7776), Fraction(23, 186624), Fraction(53, 10077696), Fraction(1, 10077696)]
    assert found.values.tolist() == list(range(2, 11))
    assert found.probabilities == pytest.approx([float(p) for p in expected], abs=1e-15)
    assert found.variance == pytest.approx(0.8233947416, abs=6e-11)
    assert found.quantile(0.5) == 3


GRITTY = [Fraction(33495175, 10077696), Fraction(30828007, 8398080), Fraction(25049143, 5598720)]
GRITTY += [Fraction(3295955, 559872), Fraction(7881859, 933120), Fraction(2197957, 155520)]


@pytest.mark.parametrize("armour", range(6))
def test_turns_of_a_gritty_fire(written, armour):
    assert firesim.odds(written(house(10, armour))).mean == pytest.approx(float(GRITTY[armour]), abs=1e-11)


@pytest.mark.parametrize(("armour", "printed"), [(3, 8.747057097), (5, 17.03420886)])
def test_turns_of_a_large_gritty_house(written, armour, printed):
    assert firesim.odds(written(house(20, armour))).mean == pytest.approx(printed, abs=6e-9)


def test_distribution_of_a_gritty_fire(written):
    found = firesim.odds(written(house(10, 3)))
    expected = [Fraction(5, 108), Fraction(85, 432), Fraction(1931, 7776), Fraction(148, 729), Fraction(37583, 279936)]
    expected += [Fraction(133099, 1679616), Fraction(221033, 5038848), Fraction(1413811, 60466176)]
    assert found.values[:8].tolist() == list(range(3, 11))
    assert found.probabilities[:8] == pytest.approx([float(p) for p in expected], abs=1e-15)
    assert found.distribution.at_most(8) == pytest.approx(float(Fraction(1524925, 1679616)), abs=1e-14)
    assert 0 < found.missing < 1e-13
    assert found.never == 0


@pytest.mark.parametrize(
    ("armour", "options", "expected"),
    [
        (3, {}, Fraction(19369, 51840)),
        (3, {"collapse": "each_turn"}, Fraction(20490979, 49268736)),
        (3, {"collapse_strict": True}, Fraction(124783, 466560)),
        (3, {"collapse": "each_turn", "collapse_strict": True}, Fraction(3127351, 11197440)),
        (0, {}, Fraction(62785, 186624)),
        (0, {"collapse": "each_turn"}, Fraction(29656549, 80621568)),
    ],
)
def test_collapse(written, armour, options, expected):
    found = firesim.odds(written(house(10, armour, options=options)), "collapsed")
    assert found.distribution.exactly(1) == pytest.approx(float(expected), abs=1e-13)


def flares(st: int, armour: int) -> list[Fraction]:
    """P(k flare-ups) of a house that burns on the outside, by the recursion of the rules [TN-33]."""
    if st <= 0:
        return [Fraction(1)]
    total = [Fraction(0)] * (st + 2)
    stays = 0
    for face in range(1, 7):
        net = face - armour
        if net <= 0:
            stays += 1
            continue
        for k, p in enumerate(flares(st - net, max(armour - 1, 0))):
            total[k + (net >= 5)] += p
    return [p / (6 - stays) for p in total]


@pytest.mark.parametrize(("st", "armour"), [(6, 0), (10, 0), (8, 1), (10, 2)])
def test_flare_ups(st, armour):
    # Lit from outside: the attack that lights it is none of its own [A1-25], each later one may flare up.
    lit = [face - armour for face in range(1, 7) if face > armour]
    expected = [Fraction(0)] * (st + 8)
    for net in lit:
        for k, p in enumerate(flares(st - net, max(armour - 1, 0))):
            expected[k] += p / len(lit)
    found = firesim.odds(house(st, armour), "flare_ups").distribution
    for k, p in enumerate(expected):
        assert found.exactly(k) == pytest.approx(float(p), abs=1e-13), k


# --- no end, a horizon, parts ---------------------------------------------------------------------------------------

BRICK = {"system": "town", "map": {"rows": ["h . g"], "legend": {"h": {"st": 10, "armour": 6}, "g": {"armour": 9}}}}


def test_a_fire_that_never_ends_has_an_infinite_mean_and_still_a_number_of_burning_hexes():
    burning = BRICK | {"ignite": [{"cell": [0, 0], "alight": True}]}
    steps = firesim.odds(burning)
    assert (steps.mean, steps.never, len(steps.values)) == (math.inf, 1.0, 0)
    assert "never ends: 1" in steps.text()
    for outcome, value in (("lit", 1), ("burning", 1), ("consumed", 0)):
        found = firesim.odds(burning, outcome)
        assert found.distribution.exactly(value) == pytest.approx(1, abs=1e-12), outcome
        assert found.never == 0


def test_a_fire_that_ends_only_if_it_comes_through_before_the_rain_stops_it():
    town = house(2, 5, event=[{"step": 2, "kind": "moisture", "moisture": "wet"}])
    found = firesim.odds(town)
    assert found.never == pytest.approx(1, abs=1e-12)  # lit by a 6 or not, ST 1 stays or it is never lit
    town = house(1, 5, event=[{"step": 3, "kind": "moisture", "moisture": "wet"}])
    found = firesim.odds(town)
    assert found.never == pytest.approx(25 / 36, abs=1e-12)
    assert found.values.tolist() == [3]  # the fire is not over before the rain has come
    assert found.probabilities == pytest.approx([11 / 36], abs=1e-12)
    assert found.mean == math.inf
    assert firesim.odds(town, "consumed").mean == pytest.approx(11 / 36, abs=1e-12)


def test_at_the_horizon_a_fire_is_left_as_it_stands():
    whole = firesim.odds(house(10, 3)).distribution
    for steps in (0, 1, 5):
        cut = firesim.odds(house(10, 3, steps=steps))
        assert cut.distribution.exactly(steps) == pytest.approx(whole.at_least(steps), abs=1e-12)
        assert cut.missing == 0
        assert firesim.odds(house(10, 3, steps=steps), "consumed").mean == pytest.approx(
            whole.at_most(steps), abs=1e-12
        )
        lit = 1 - 0.5**steps
        burning = firesim.odds(house(10, 3, steps=steps), "burning").mean
        assert burning == pytest.approx(lit - whole.at_most(steps), abs=1e-12)
    assert chain_of(prepared(load(house(10, 3, steps=1)))).nodes < chain_of(prepared(load(house(10, 3)))).nodes


def test_an_outcome_without_a_bound_is_cut_off_where_nothing_is_left_of_it():
    found = firesim.odds(house(10, 3, options={"flare_by": "die"}), "flare_ups")
    assert 0 < found.missing < 1e-13
    assert found.mean == pytest.approx(1.2956598413, abs=1e-9)
    with pytest.raises(
        firesim.InputError, match=r"'flare_ups' of this scenario can go on changing for more than 4,096"
    ):
        firesim.odds(
            BRICK | {"ignite": [{"cell": [0, 0], "alight": True}], "options": {"flare_by": "die"}}, "flare_ups"
        )


TWO = {
    "system": "town",
    "map": {"rows": ["h . . . g"], "legend": {"h": {"st": 10, "armour": 3}, "g": {"st": 6, "armour": 1}}},
    "ignite": [{"cell": [0, 0]}, {"cell": [0, 4], "step": 3, "inside": True}],
}


@pytest.mark.parametrize("outcome", ["steps", "flare_ups", "consumed", "collapsed"])
@pytest.mark.parametrize("steps", [None, 6])
def test_parts_put_together_are_the_whole(outcome, steps):
    town = TWO | ({} if steps is None else {"steps": steps})
    apart = firesim.odds(town, outcome)
    ready = prepared(load(town))
    whole = chain_of(ready, outcome).distribution()
    assert apart.parts == 2
    assert apart.states < chain_of(ready, outcome).nodes
    for value in range(30):
        assert apart.distribution.exactly(value) == pytest.approx(whole.exactly(value), abs=1e-12), value
    assert apart.mean == pytest.approx(whole.mean, abs=1e-11)
    assert apart.variance == pytest.approx(whole.variance, abs=1e-10)


def test_the_later_of_two_keeps_what_never_comes():
    one = Distribution.of({1: 0.5, 3: 0.25}, never=0.25)
    other = Distribution.of({2: 1.0})
    both = later(one, other)
    assert {v: both.exactly(v) for v in (1, 2, 3)} == {1: 0.0, 2: 0.5, 3: 0.25}
    assert both.never == 0.25
    assert later(one, one).never == pytest.approx(1 - 0.75**2)


def test_watched_places_are_outcomes_too():
    town = TWO | {"watch": [{"name": "inn", "cells": [[0, 4]]}]}
    found = firesim.odds(town, "inn_lost", changes={"steps": 5})
    assert found.values.tolist() == [0, 1]
    alone = firesim.odds(
        {
            "system": "town",
            "map": {"rows": ["g"], "legend": TWO["map"]["legend"]},
            "ignite": [{"cell": [0, 0], "step": 3, "inside": True}],
            "steps": 5,
        },
        "consumed",
    )
    assert found.mean == pytest.approx(alone.mean, abs=1e-12)


# --- one source -----------------------------------------------------------------------------------------------------

BROKEN = """
import json, sys
from firesim.rules.town import fire
if sys.argv[1] == "broken":
    fire.armour_left = lambda armour, net: armour
import firesim
town = {"system": "town", "map": {"rows": ["h"], "legend": {"h": {"st": 6, "armour": 2}}}, "ignite": [{"cell": [0, 0]}]}
fires = firesim.study(town, 3000, seed=20261129, workers=1).outcomes["steps"]
print(json.dumps([firesim.odds(town).mean, float(fires.mean()), float(fires.std())]))
"""


def turns(st: int, armour: int, wears: bool) -> Fraction:
    """Expected turns to consume, walls wearing or not."""
    if st <= 0:
        return Fraction(0)
    through = range(armour + 1, 7)
    left = max(armour - 1, 0) if wears else armour
    return (6 + sum(turns(st - face + armour, left, wears) for face in through)) / Fraction(len(through))


@pytest.mark.parametrize("kind", ["whole", "broken"])
def test_a_rule_broken_in_the_kernel_breaks_chain_and_simulator_alike(kind):
    import json

    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", BROKEN, kind],
        cwd=ROOT,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    exact, mean, deviation = json.loads(done.stdout)
    expected = float(turns(6, 2, kind == "whole"))
    assert abs(float(turns(6, 2, True)) - float(turns(6, 2, False))) > 0.5
    assert exact == pytest.approx(expected, abs=1e-11)
    assert abs(mean - expected) < 5 * deviation / math.sqrt(3000)
