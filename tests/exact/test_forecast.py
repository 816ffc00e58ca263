"""How large a chain will be: what is counted apart, in every system."""

from __future__ import annotations

from typing import Any

import firesim
from firesim.api import prepared
from firesim.exact.forecast import units
from firesim.exact.space import space_of
from firesim.mapfiles.shipped import shipped


def counted_apart(document: dict[str, Any]) -> dict[str, list[int]]:
    """The unit of the first byte of each record that is kept, by the array of the state."""
    space = space_of(prepared(firesim.load(document)), "steps")
    unit_of = units(space)
    found: dict[str, list[int]] = {}
    for name in ("cells", "buildings", "crew"):
        array = getattr(space.desk.state, name, None)
        if array is None:
            continue
        begins = array.ctypes.data - space.desk.buffer.ctypes.data
        row_of = (space.desk.kept - begins) // array.dtype.itemsize
        for row in range(len(array)):
            here = unit_of[(space.desk.kept >= begins) & (row_of == row)]
            assert len(set(here.tolist())) <= 1, f"{name} {row} counts as more than one"
            found.setdefault(name, []).append(int(here[0]) if len(here) else 0)
    return found


def test_hexes_of_one_building_count_together() -> None:
    legend = {"m": {"building": "mill"}, "s": {"building": "shed"}}
    town = {"system": "town", "map": {"rows": ["m m s"], "legend": legend}, "ignite": [{"cell": [0, 0]}]}
    mill, mill_too, shed, rim = counted_apart(town)["cells"]
    assert mill == mill_too != shed
    assert rim == 0, "nothing of the rim is kept"


def test_modules_and_people_count_each_by_itself() -> None:
    crew = [{"name": name, "cell": [0, 0], "health": 9, "order": "extinguish all"} for name in ("Ada", "Bo")]
    ship = {"system": "ship", "map": {"rows": ["h h h"], "legend": {"h": {}}}, "crew": crew}
    found = counted_apart(ship | {"ignite": [{"cell": [0, 0]}]})
    alone = [*found["cells"][:-1], *found["crew"]]
    assert 0 not in alone
    assert len(set(alone)) == 5


def test_a_ship_whose_chain_takes_a_while_is_foretold_and_its_odds_are_those_of_its_fires():
    told = []
    scout = firesim.load(shipped("scout"), {"crew": [], "item": [], "steps": 6})
    odds = firesim.odds(scout, "modules_broken", foretell=told.append)
    assert [forecast.nodes > 1000 for forecast in told] == [True]
    fires = firesim.study(scout, 20_000, seed=1).summary()["modules_broken"]
    assert fires.low - 0.02 < odds.mean < fires.high + 0.02
