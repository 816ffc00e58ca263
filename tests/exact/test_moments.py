"""Means and variances by linear equations: those of the whole distribution, whichever way the equations are set up."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import firesim
from firesim import InputError
from firesim.api import prepared
from firesim.exact import moments
from firesim.exact.chain import chain_of

PAIR = {
    "system": "town",
    "map": {"rows": ["h h"], "legend": {"h": {"st": 6, "armour": 1}}},
    "ignite": [{"cell": [0, 0]}],
}


def ship(rows: int, cols: int, cell: list[int], **more: Any) -> dict[str, Any]:
    """A full rectangle of modules, one of them on fire."""
    plan = {"rows": [" ".join("M" * cols)] * rows, "legend": {"M": {}}}
    return {"system": "ship", "map": plan, "ignite": [{"cell": cell}]} | more


CASES = [(PAIR, "steps"), (PAIR, "lit"), (PAIR, "flare_ups"), (ship(1, 2, [0, 0]), "hull_damage")]
CASES += [(ship(1, 2, [0, 0]), "modules_broken"), (ship(1, 3, [0, 1]), "steps"), (ship(1, 2, [0, 0]), "modules_lit")]


@pytest.mark.parametrize("steps", [None, 4])
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]['system']}-{case[1]}")
def test_mean_and_variance_are_those_of_the_distribution(case: tuple[dict[str, Any], str], steps: int | None) -> None:
    document, outcome = case
    changes = {} if steps is None else {"steps": steps}
    whole = firesim.odds(document, outcome, changes=changes)
    alone = firesim.odds(document, outcome, mean_only=True, changes=changes)
    assert alone.mean == pytest.approx(whole.distribution.mean, abs=1e-10)
    assert alone.variance == pytest.approx(whole.distribution.variance, abs=1e-8)
    assert alone.horizon == steps
    assert str(alone.states) in alone.text().replace(",", "")


@pytest.mark.parametrize("outcome", ["steps", "hull_damage"])
def test_equations_of_steps_and_of_nodes_are_the_same(outcome: str, monkeypatch: pytest.MonkeyPatch) -> None:
    chain = chain_of(prepared(firesim.load(ship(2, 2, [0, 1]))), outcome, gains=outcome != "steps")
    by_nodes = moments.solved(chain)
    monkeypatch.setattr(moments, "SOLVED_DIRECTLY", 0)
    by_steps = moments.solved(chain)
    assert by_nodes == pytest.approx(by_steps, rel=1e-11)
    monkeypatch.setattr(moments, "WORK_MOST", 0)
    assert moments.solved(chain) is None
    with pytest.raises(InputError, match="are too many"):
        firesim.odds(ship(2, 2, [0, 1]), outcome, mean_only=True)


def test_rows_of_the_matrix_add_up() -> None:
    chain = chain_of(prepared(firesim.load(PAIR)))
    assert np.asarray(chain.matrix().sum(axis=1)).ravel() == pytest.approx(1 - chain.ended, abs=1e-12)


def test_an_outcome_that_is_no_sum_has_no_mean_alone() -> None:
    with pytest.raises(InputError, match="'burning' is not the sum of what each step adds"):
        firesim.odds(PAIR, "burning", mean_only=True)


def test_a_fire_that_need_not_end() -> None:
    stuck = PAIR | {"map": {"rows": ["h"], "legend": {"h": {"st": 6, "armour": 6}}}}
    stuck["ignite"] = [{"cell": [0, 0], "alight": True}]
    assert firesim.odds(stuck, mean_only=True).mean == np.inf
    assert "infinite" in firesim.odds(stuck, mean_only=True).text()
    with pytest.raises(InputError, match="need not end"):
        firesim.odds(stuck, "flare_ups", mean_only=True)


def test_a_fire_that_is_over_before_it_begins() -> None:
    found = firesim.odds(PAIR | {"ignite": []}, mean_only=True)
    assert (found.mean, found.variance) == (0.0, 0.0)
