"""The ship against exact consequences of the rules, worked out by hand with rational numbers.

Exactly by the chain; and every simulated figure has to lie within its 99.9 % interval, with one seed for all, fixed
before the first look.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest

import firesim
from firesim.api import prepared
from firesim.exact import walk
from firesim.exact.chain import chain_of
from firesim.play import Fire
from tests.rules.figures import assert_mean, assert_share

SEED = 20261129
FIRES = 200_000


def ship(rows: list[str], cell: tuple[int, int], **more: Any) -> dict[str, Any]:
    """Modules where an M stands, one of them on fire."""
    plan = {"rows": rows, "legend": {"M": {}}}
    return {"system": "ship", "map": plan, "ignite": [{"cell": list(cell)}]} | more


def block(rows: int, cols: int, cell: tuple[int, int] = (0, 0), **options: Any) -> dict[str, Any]:
    return ship([" ".join("M" * cols)] * rows, cell, options=options)


LONE = ship(["M"], (0, 0))
STARS = {
    1: ship(["M M"], (0, 0)),
    2: ship(["M M M"], (0, 1)),
    3: ship([". M .", "M M M"], (1, 1)),
    4: ship([". M .", "M M M", ". M ."], (1, 1)),
}
"""A burning module with so many neighbours."""


@cache
def sampled(name: str, column: str) -> np.ndarray:
    documents = {"lone": LONE} | {f"star {k}": star for k, star in STARS.items()}
    documents |= {f"{r}x{c}": block(r, c) for r, c in ((1, 2), (1, 3), (2, 2), (2, 3))}
    documents |= {"2x2 stays out": block(2, 2, relight=False)}
    values = firesim.study(documents[name], FIRES, seed=SEED).outcomes[column]
    assert len(set(values.tolist())) > 1
    return values


# ---------------------------------------------------------------------------------------------------- V2-01, V2-02
def test_v2_01_a_module_by_itself() -> None:
    exact = firesim.odds(LONE)
    assert exact.mean == pytest.approx(6, abs=1e-12)
    assert sum(exact.distribution.exactly(k) for k in (1, 2, 3)) == pytest.approx(91 / 216, abs=1e-12)
    assert exact.distribution.at_least(7) == pytest.approx(15625 / 46656, abs=1e-12)
    assert firesim.odds(LONE, "hull_damage").mean == pytest.approx(1, abs=1e-12)
    assert firesim.odds(LONE, "modules_broken").mean == pytest.approx(1 / 2, abs=1e-12)
    once = firesim.odds(LONE, "hull_damage", changes={"options.hull_repeat": False})
    assert once.mean == pytest.approx(1 / 2, abs=1e-12)


def test_v2_01_sampled() -> None:
    assert_mean(sampled("lone", "steps"), 6)
    assert_share(sampled("lone", "steps") <= 3, 91 / 216)
    assert_share(sampled("lone", "steps") > 6, 15625 / 46656)
    assert_mean(sampled("lone", "hull_damage"), 1)
    assert_share(sampled("lone", "modules_broken") == 1, 1 / 2)


@pytest.mark.parametrize("neighbours", [1, 2, 3, pytest.param(4, marks=pytest.mark.long)])
def test_v2_02_it_spreads_before_it_goes_out(neighbours: int) -> None:
    alone = firesim.odds(STARS[neighbours], "modules_lit").distribution.exactly(1)
    assert 1 - alone == pytest.approx(neighbours / (neighbours + 1), abs=1e-12)


@pytest.mark.parametrize("neighbours", STARS)
def test_v2_02_sampled(neighbours: int) -> None:
    spreads = neighbours / (neighbours + 1)
    assert_share(sampled(f"star {neighbours}", "modules_lit") > 1, spreads)


# ----------------------------------------------------------------------------------------------------------- V2-03
BLOCKS = {
    (1, 2): (Fraction(9), Fraction(21, 10)),
    (1, 3): (Fraction(17061, 1546), Fraction(9551, 3092)),
    (2, 2): (Fraction(14537, 707), Fraction(11645, 1414)),
    (2, 3): (38.690233302, 22.279666354),
}


@pytest.mark.parametrize("size", BLOCKS, ids=str)
def test_v2_03_blocks_of_modules(size: tuple[int, int]) -> None:
    digits = 1e-11 if isinstance(BLOCKS[size][0], Fraction) else 5e-10
    for outcome, exact in zip(("steps", "hull_damage"), BLOCKS[size], strict=True):
        assert firesim.odds(block(*size), outcome, mean_only=True).mean == pytest.approx(float(exact), abs=digits)


@pytest.mark.parametrize("size", BLOCKS, ids=str)
def test_v2_03_sampled(size: tuple[int, int]) -> None:
    for outcome, exact in zip(("steps", "hull_damage"), BLOCKS[size], strict=True):
        assert_mean(sampled(f"{size[0]}x{size[1]}", outcome), float(exact))


def test_a2_04_a_module_that_stays_out() -> None:
    document = block(2, 2, relight=False)
    assert firesim.odds(document, mean_only=True).mean == pytest.approx(16.155977, abs=5e-7)
    assert_mean(sampled("2x2 stays out", "steps"), 16.155977)


@pytest.mark.long
@pytest.mark.parametrize(
    ("cell", "steps", "hull"), [((0, 0), 126.784978714, None), ((1, 1), 167.028735323, 156.610221648)]
)
def test_v2_03_three_by_three(cell: tuple[int, int], steps: float, hull: float | None) -> None:
    document = block(3, 3, cell)
    assert firesim.odds(document, mean_only=True).mean == pytest.approx(steps, abs=5e-10)
    fires = firesim.study(document, 20_000, seed=SEED).outcomes
    assert_mean(fires["steps"], steps)
    if hull is not None:
        assert firesim.odds(document, "hull_damage", mean_only=True).mean == pytest.approx(hull, abs=5e-10)
        assert_mean(fires["hull_damage"], hull)


# ----------------------------------------------------------------------------------------------------------- V2-05
BURNING = {
    "system": "ship",
    "map": {"rows": ["M"], "legend": {"M": {}}},
    "crew": [{"name": "Kest", "cell": [0, 0], "health": 1000, "on_fire": True}],
}
BELOW = {6: (55, 216), 8: (433, 1296), 10: (2977, 7776), 12: (20359, 46656), 15: (142111, 279936)}
BELOW |= {20: (36725239, 60466176)}


def until_out() -> tuple[np.ndarray, np.ndarray]:
    """Chances of the phase in which a burning person first goes out, and of his damage then, by the chain."""
    chain = chain_of(prepared(firesim.load(BURNING | {"steps": 400})), "damage")
    desk = chain.space.desk
    out = np.zeros(chain.nodes, bool)
    for node in np.flatnonzero(chain.graph.rank[: chain.nodes] == 0):
        walk.load(chain.graph, node, desk)
        out[node] = desk.state.crew.burning[0] == 0
    mass, after = np.zeros((2, chain.nodes))
    mass[0] = 1.0
    phases, total = np.zeros(401), np.zeros(chain.values.max() + 1)
    for phase in range(401):
        phases[phase] = mass[out].sum()
        total += np.bincount(chain.values[out], mass[out], len(total))[: len(total)]
        mass[out] = 0.0
        walk.one_step(chain.order, chain.graph, mass, after)
        mass, after = after, mass
    return phases, total


def test_v2_05_a_burning_person() -> None:
    phases, total = until_out()
    assert phases.sum() == pytest.approx(1, abs=1e-12)
    assert phases @ np.arange(len(phases)) == pytest.approx(6, abs=1e-9)
    points = np.arange(len(total))
    assert total @ points == pytest.approx(21, abs=1e-9)
    assert total @ points**2 - (total @ points) ** 2 == pytest.approx(490, abs=1e-6)
    for health, (above, below) in BELOW.items():
        assert total[:health].sum() == pytest.approx(above / below, abs=1e-12), health


def test_v2_05_sampled() -> None:
    ready = prepared(firesim.load(BURNING))
    phases, damage = [], []
    for replicate in range(10_000):
        fire = Fire(ready, SEED, replicate)
        while fire.state.crew.burning[0]:
            fire.play_to(fire.step + 1)
        phases.append(fire.step)
        damage.append(int(fire.state.crew.damage[0]))
    assert_mean(np.array(phases), 6)
    assert_mean(np.array(damage), 21)
    for health, (above, below) in BELOW.items():
        assert_share(np.array(damage) < health, above / below)


# ----------------------------------------------------------------------------------------------------------- V2-08
CHECKS = {
    8: (Fraction(5, 12), Fraction(7, 12), Fraction(13, 18), Fraction(5, 6), Fraction(11, 12), Fraction(35, 36)),
    11: (Fraction(1, 12), Fraction(1, 6), Fraction(5, 18), Fraction(5, 12), Fraction(7, 12), Fraction(13, 18)),
}


def engineer(order: str, skill: int, toolkit: bool = False) -> dict[str, Any]:
    """One phase of a lone burning module and an engineer."""
    person = {"name": "Kest", "cell": [0, 0], "health": 9, "engineering": skill, "toolkit": toolkit, "order": order}
    return LONE | {"crew": [person], "steps": 1}


def unhurt(success: Fraction) -> float:
    """Nobody is hurt when the check succeeds, or when it fails and the module's own die shows a 1."""
    return float(success + (1 - success) / 6)


def unhurt_by_chain(document: dict[str, Any]) -> float:
    return firesim.odds(document, "damage").distribution.exactly(0)


@pytest.mark.parametrize(("order", "need"), [("extinguish module", 8), ("station module", 8), ("extinguish all", 11)])
@pytest.mark.parametrize("skill", range(6))
def test_v2_08_checks_by_skill(order: str, need: int, skill: int) -> None:
    assert unhurt_by_chain(engineer(order, skill)) == pytest.approx(unhurt(CHECKS[need][skill]), abs=1e-12)


@pytest.mark.parametrize("skill", range(5))
def test_v2_08_a_toolkit_shifts_by_one(skill: int) -> None:
    with_toolkit = engineer("extinguish module", skill, toolkit=True)
    assert unhurt_by_chain(with_toolkit) == pytest.approx(unhurt(CHECKS[8][skill + 1]), abs=1e-12)


def test_v2_08_a_natural_two_fails_whatever_the_skill() -> None:
    capped = engineer("extinguish module", 40, toolkit=True)
    assert unhurt_by_chain(capped) == pytest.approx(unhurt(Fraction(35, 36)), abs=1e-12)
