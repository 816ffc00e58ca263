"""How large a chain will be: what is counted apart, in every system."""

import numpy as np
import pytest

import firesim
from firesim.api import prepared
from firesim.exact.forecast import parts_of
from firesim.mapfiles.shipped import SMALLEST, shipped


@pytest.mark.parametrize("name", SMALLEST.values())
def test_every_cell_has_a_number(name):
    ready = prepared(firesim.load(shipped(name)))
    assert parts_of(ready).shape == (len(ready.params.cells),)


def test_hexes_of_one_building_count_together_and_modules_each_by_itself():
    legend = {"m": {"building": "mill"}, "s": {"building": "shed"}}
    town = prepared(firesim.load({"system": "town", "map": {"rows": ["m m s"], "legend": legend}}))
    mill, mill_too, shed = parts_of(town)[:3]
    assert mill == mill_too != shed
    ship = prepared(firesim.load({"system": "ship", "map": {"rows": ["h h h"], "legend": {"h": {}}}}))
    assert len(np.unique(parts_of(ship))) == len(ship.params.cells)


def test_a_ship_whose_chain_takes_a_while_is_foretold_and_its_odds_are_those_of_its_fires():
    told = []
    scout = firesim.load(shipped("scout"), {"crew": [], "item": [], "steps": 6})
    odds = firesim.odds(scout, "modules_broken", foretell=told.append)
    assert [forecast.nodes > 1000 for forecast in told] == [True]
    fires = firesim.study(scout, 20_000, seed=1).summary()["modules_broken"]
    assert fires.low - 0.02 < odds.mean < fires.high + 0.02
