"""Very long, very large and very hot towns; and the same fires with array bounds checked and without compiling."""

from __future__ import annotations

import json
from time import perf_counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import firesim
from tests.properties.playing import Case, played, played_elsewhere
from tests.properties.strategies import LONGER, fixed, towns

SEED = 20261129
Document = dict[str, Any]


def dense(rows: int, cols: int, lit: tuple[int, int], house: Document, **more: Any) -> Document:
    """A town of houses all alike, without a street; those of `lit` burns from the start."""
    weather, options = more.pop("weather", {}), more.pop("options", {})
    return {
        "system": "town",
        "map": {"rows": [" ".join("h" * cols)] * rows, "legend": {"h": house}} | more,
        "weather": weather,
        "options": options,
        "ignite": [{"cell": list(lit), "alight": True}],
    }


def lit_at(document: Document, seed: int = SEED) -> Any:
    """The turn in which each hex was lit, -1 = never, of one fire."""
    state = firesim.run(document, seed=seed).state
    return state.cells["at"][:-1, 0].astype(np.int64)


@pytest.mark.parametrize("orientation", ["pointy", "flat"])
def test_fire_goes_along_a_row_of_2000_houses_from_neighbour_to_neighbour(orientation: str) -> None:
    """One floor: sparks reach 4, and the next but one is 7 away. So no house is lit before the one it was lit from."""
    house = {"armour": 0, "st": 200}
    row = dense(1, 2000, (0, 1000), house, orientation=orientation, options={"jump": "all"})
    when = lit_at(row)
    assert (when >= 0).all(), "houses of ST 200 burn for dozens of turns, in each of which both neighbours are attacked"
    assert when[1000] == 0
    assert (np.diff(when[1000:]) > 0).all()
    assert (np.diff(when[:1001]) < 0).all()


def test_wind_with_all_the_weight_takes_fire_one_way_along_a_row() -> None:
    options = {"wind_weights": [6, 0, 0, 0, 0, 0]}
    row = dense(1, 2000, (0, 1000), {"armour": 0, "st": 200}, weather={"wind": "E"}, options=options)
    when = lit_at(row)
    assert (when[:1000] == -1).all()
    assert (np.diff(when[1000:]) > 0).all()


def test_sparks_of_100_floors_reach_the_end_of_a_row_but_not_beyond_their_reach() -> None:
    """100 floors are 400 melee hexes: 58 hexes on, as (58 - 1) x 7 = 399. All but each 58th hex are open ground."""
    symbols = ["h" if col % 58 == 0 else "." for col in range(2000)]
    options = {"spark_all": True, "flare_by": "die"}
    town = dense(1, 2000, (0, 0), {"armour": 0, "st": 1000, "floors": 100}, options=options)
    town["map"]["rows"] = [" ".join(symbols)]
    when = lit_at(town | {"steps": 3000})[::58]
    assert (when >= 0).all()
    assert (np.diff(when) > 0).all()
    symbols = ["h" if col % 59 == 0 else "." for col in range(2000)]
    town["map"]["rows"] = [" ".join(symbols)]
    when = lit_at(town | {"steps": 3000})[::59]
    assert (when[1:] == -1).all()


def burns_whole(side: int, house: Document, options: Document, fires: int) -> float:
    """A square town burns down to the last hex, in every fire; returns the seconds of the fires."""
    town = dense(side, side, (side // 2, side // 2), house, options=options)
    firesim.study(town, 1, seed=SEED, workers=1)  # whatever has to be compiled is compiled now
    began = perf_counter()
    study = firesim.study(town, fires, seed=SEED)
    took = perf_counter() - began
    assert (study.outcomes["lit"] == side * side).all()
    assert (study.outcomes["consumed"] == side * side).all()
    assert (study.outcomes["buildings_lost"] == side * side).all()
    assert (study.outcomes["jumps"] == side * side - 1).all()
    assert (study.outcomes["burning"] == 0).all()
    assert (study.counts.counts[0, :-1] == fires).all()
    assert (study.counts.counts[1, :-1] == fires).all()
    assert (study.counts.sums[1] >= study.counts.sums[0]).all()
    assert study.counts.counts[:, -1].sum() == 0, "the rim burnt"
    # a hex is lit no sooner than one turn for each step from the middle
    assert study.counts.sums[0, 0] >= fires * (side // 2)
    return took


def test_a_dense_town_of_90000_hexes_burns_down() -> None:
    took = burns_whole(300, {"armour": 1, "st": 20}, {"jump": "all"}, 2)
    assert took < 60, "90,000 hexes burn in well under a second where nothing else runs"


@pytest.mark.long
def test_a_dense_town_with_infernos_felt_50_hexes_away_burns_down() -> None:
    burns_whole(300, {"armour": 1, "st": 20}, {"jump": "all", "inferno_radius": 50}, 2)


def test_infernos_felt_50_hexes_away_heat_every_hex_of_the_disc() -> None:
    """A disc of radius 50 has 7,651 hexes; every other one of them heats the middle: the largest heat there can be."""
    side = 103
    everywhere = [{"cell": [row, col], "alight": True} for row in range(side) for col in range(side)]
    town = dense(side, side, (0, 0), {"armour": 0, "st": 1_000_000}, options={"inferno_radius": 50}) | {"steps": 1}
    state = firesim.run(town | {"ignite": everywhere}, seed=SEED).state
    assert state.cells["heat"][51 * side + 51] == 7650
    assert state.cells["heat"].max() == 7650


def cases(examples: int, largest: int) -> list[Case]:
    """Towns for another process, always the same."""
    found: list[Case] = []

    @fixed(examples)
    @given(towns(largest, (12, 6, 3)), st.integers(0, 2**63 - 1))
    def take(document: Document, seed: int) -> None:
        found.append((document, seed))

    take()
    return found


def assert_the_same_elsewhere(chosen: list[Case], **settings: str) -> dict[str, Any]:
    """Every fire is the same in a process with these settings; returns what that process said of itself."""
    here, there = played(chosen), played_elsewhere(chosen, **settings)
    assert here["package"] == there["package"]
    for case, ours, theirs in zip(chosen, here["fires"], there["fires"], strict=True):
        assert ours == theirs, case
    assert json.loads(json.dumps(here["studies"])) == there["studies"]
    assert len(set(here["fires"])) > len(chosen) // 2, "the towns are all alike"
    return there


def test_the_same_fires_burn_without_compiling() -> None:
    assert assert_the_same_elsewhere(cases(20, 4), NUMBA_DISABLE_JIT="1")["disabled"]


@pytest.mark.long
def test_many_more_of_the_same_fires_burn_without_compiling() -> None:
    assert assert_the_same_elsewhere(cases(LONGER * 20, 6), NUMBA_DISABLE_JIT="1")["disabled"]


@pytest.mark.long
def test_no_index_is_out_of_bounds() -> None:
    """With NUMBA_BOUNDSCHECK an index beyond an array's end raises; it compiles everything anew."""
    assert assert_the_same_elsewhere(cases(LONGER * 20, 8), NUMBA_BOUNDSCHECK="1")["boundscheck"]
