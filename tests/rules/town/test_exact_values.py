"""The town against exact consequences of the rules, worked out by hand with rational numbers.

Every simulated figure has to lie within its 99.9 % interval. All tests use one seed, fixed before the first look.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

import firesim
from tests.rules.figures import assert_mean, assert_share

SEED = 20261129
FIRES = 200_000


def lone_house(st: int, armour: int = 0, **options: Any) -> dict[str, Any]:
    """One house and a fire set to it from inside until it catches, the first attack counting [A1-01]."""
    return {
        "system": "town",
        "map": {"rows": ["h"], "legend": {"h": {"st": st, "armour": armour}}},
        "ignite": [{"cell": [0, 0], "inside": True}],
        "options": options,
    }


def outcomes(column: str, st: int, armour: int = 0, **options: Any) -> np.ndarray:
    return firesim.study(lone_house(st, armour, **options), FIRES, seed=SEED).outcomes[column]


def assert_distribution(values: np.ndarray, first: int, chances: list[Fraction]) -> None:
    """Chi-square over `first`, `first + 1`, ...; the last class takes the rest and all expected less than 10 times."""
    expected = [float(chance) * len(values) for chance in chances]
    rest = len(values) - sum(expected)
    while expected[-1] < 10:
        rest += expected.pop()
    expected[-1] += rest
    counts = np.bincount(np.clip(values, None, first + len(expected) - 1), minlength=first + len(expected))
    assert counts[:first].sum() == 0, "shorter than is possible"
    assert chisquare(counts[first:], expected).pvalue > 0.001, (counts[first:], expected)


def simple_steps(st: int) -> Fraction:
    """V1-01: e(n) = 1 + (1/6) sum of e(n - i) over the faces i."""
    e = [Fraction(0)]
    for n in range(1, st + 1):
        e.append(1 + sum((e[max(n - i, 0)] for i in range(1, 7)), Fraction(0)) / 6)
    return e[st]


def test_the_recursion_is_the_one_of_the_published_values() -> None:
    assert [simple_steps(n) for n in range(1, 8)] == [Fraction(7, 6) ** (n - 1) for n in range(1, 8)]
    assert simple_steps(8) == Fraction(776887, 279936)
    assert simple_steps(10) == Fraction(33495175, 10077696)
    assert float(simple_steps(15)) == pytest.approx(4.760008377, abs=1e-9)
    assert float(simple_steps(20)) == pytest.approx(6.190195199, abs=1e-9)


@pytest.mark.parametrize("st", [*range(1, 11), 15, 20])
def test_v1_01_turns_to_consume_a_simple_house(st: int) -> None:
    assert_mean(outcomes("steps", st, mode="simple"), float(simple_steps(st)))


def test_v1_01_a_house_of_one_point_is_gone_in_one_turn() -> None:
    assert (outcomes("steps", 1, mode="simple") == 1).all()


V1_02 = [
    Fraction(1, 6), Fraction(11, 24), Fraction(5, 18), Fraction(35, 432), Fraction(7, 486), Fraction(13, 7776),
    Fraction(23, 186624), Fraction(53, 10077696), Fraction(1, 10077696),
]  # fmt: skip


def test_v1_02_how_long_a_simple_house_of_10_burns() -> None:
    assert sum(V1_02) == 1
    steps = outcomes("steps", 10, mode="simple")
    assert_distribution(steps, 2, V1_02)
    squares = (steps - float(simple_steps(10))) ** 2
    assert_mean(squares, 0.8233947416)


@pytest.mark.parametrize(
    ("st", "armour", "exact"),
    [
        (10, 0, 3.323693729),
        (10, 1, 30828007 / 8398080),
        (10, 2, 25049143 / 5598720),
        (10, 3, 3295955 / 559872),
        (10, 4, 7881859 / 933120),
        (10, 5, 2197957 / 155520),
        (20, 3, 8.747057097),
        (20, 5, 17.03420886),
    ],
)
def test_v1_04_turns_to_consume_a_gritty_house(st: int, armour: int, exact: float) -> None:
    values = firesim.study(lone_house(st, armour), FIRES, seed=SEED).outcomes
    assert (values["consumed"] == 1).all()
    assert_mean(values["steps"], exact)


@pytest.mark.parametrize("armour", [6, 8])
def test_v1_04_a_wall_of_six_or_more_is_never_lit(armour: int) -> None:
    values = firesim.study(lone_house(10, armour), 3, seed=SEED).outcomes
    assert (values["steps"] == 100_000).all()
    assert (values["lit"] == 0).all()
    assert (values["burning"] == 0).all()


V1_05 = [
    Fraction(5, 108), Fraction(85, 432), Fraction(1931, 7776), Fraction(148, 729), Fraction(37583, 279936),
    Fraction(133099, 1679616), Fraction(221033, 5038848), Fraction(1413811, 60466176),
]  # fmt: skip


def test_v1_05_how_long_a_gritty_house_of_10_and_3_burns() -> None:
    steps = outcomes("steps", 10, 3)
    assert_distribution(steps, 3, [*V1_05, 1 - sum(V1_05, Fraction(0))])
    assert sum(V1_05[:6]) == Fraction(1524925, 1679616)
    assert_share(steps <= 8, 1524925 / 1679616)


@pytest.mark.parametrize(
    ("armour", "collapse", "strict", "exact"),
    [
        (3, "once", False, 19369 / 51840),
        (3, "each_turn", False, 20490979 / 49268736),
        (3, "once", True, 124783 / 466560),
        (3, "each_turn", True, 3127351 / 11197440),
        (0, "once", False, 62785 / 186624),
        (0, "each_turn", False, 29656549 / 80621568),
    ],
)
def test_v1_08_how_often_a_house_of_10_falls_in(armour: int, collapse: str, strict: bool, exact: float) -> None:
    assert_share(outcomes("collapsed", 10, armour, collapse=collapse, collapse_strict=strict), exact)


def test_flare_ups_of_a_house_of_10_and_3() -> None:
    # by net damage and by the die [A1-05]; a fire set inside does not flare up before it has come out
    for inside, by_net, by_die in (
        (False, 5002399 / 8398080, 2176211 / 1679616),
        (True, 4862431 / 8398080, 7801759 / 8398080),
    ):
        for flare_by, exact in (("net", by_net), ("die", by_die)):
            document = lone_house(10, 3, flare_by=flare_by) | {"ignite": [{"cell": [0, 0], "inside": inside}]}
            assert_mean(firesim.study(document, FIRES, seed=SEED).outcomes["flare_ups"], exact)
