"""Chain against simulator on small towns of every option, and chain against the oracle's every sequence of faces."""

import re
from collections import defaultdict
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import firesim
from firesim.exact.agreement import AGREES_FROM, agreement
from firesim.exact.distribution import Distribution
from tests.oracles import ship, town

FOLDER = Path(__file__).with_name("chain_scenarios")
SCENARIOS = sorted(FOLDER.glob("*.toml"))
SEED = 20261129
"""Fixed before the first look."""


def tally_of(path: Path) -> str:
    """The outcome, beside steps, that the first line of a scenario names."""
    (name,) = re.findall(r"\A# Compared with sampled fires: steps and (\w+)\.", path.read_text(encoding="utf-8"))
    return name


def compare(path: Path, fires: int) -> None:
    sampled = firesim.study(path, fires, seed=SEED).outcomes
    for outcome in ("steps", tally_of(path)):
        exact = firesim.odds(path, outcome)
        assert exact.never == 0
        assert len(exact.values) > 1, "an outcome that is sure compares nothing"
        found = agreement(exact.distribution, sampled[outcome])
        print(f"{path.stem} {outcome}: {exact.states} states, {exact.seconds:.2f} s; {found}")
        assert found.freedom > 0
        assert found.p >= AGREES_FROM, (path.stem, outcome, str(found))


def test_there_are_enough_small_towns():
    assert len(SCENARIOS) >= 15


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_sampled_fires_agree_with_the_chain(path):
    compare(path, 20_000)


@pytest.mark.long
@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_two_hundred_thousand_sampled_fires_agree_with_the_chain(path):
    compare(path, 200_000)


# --- the test itself ------------------------------------------------------------------------------------------------


def test_the_comparison_sees_fires_of_another_rule():
    town = FOLDER / "lone_house.toml"
    other = firesim.study(town, 20_000, seed=SEED, changes={"map.legend.h.armour": 2}).outcomes["steps"]
    assert agreement(firesim.odds(town).distribution, other).p < 1e-30


def test_values_that_cannot_be_and_fires_without_an_end_are_seen():
    exact = Distribution.of({1: 0.5, 3: 0.25}, never=0.25)
    assert agreement(exact, np.array([1, 1, 2])).p == 0
    assert agreement(exact, np.array([1, 1, 4])).p == 0
    fair = agreement(exact, np.repeat([1, 3], [50, 25]), endless=25)
    assert (fair.fires, fair.freedom, fair.p) == (100, 2, 1.0)
    assert agreement(exact, np.repeat([1, 3], [50, 50])).p < 1e-6
    assert agreement(Distribution.constant(2), np.array([2, 2]), endless=1).p == 0
    assert agreement(Distribution.constant(2), np.array([2, 2])).p == 1


def test_p_values_are_even_where_the_odds_are_right():
    exact = Distribution.of({0: 0.4, 1: 0.3, 2: 0.2, 3: 0.0999, 9: 0.0001})
    draw = np.random.default_rng(SEED)
    found = [agreement(exact, draw.choice(exact.values, 2000, p=exact.probabilities)).p for _ in range(400)]
    assert 0.44 < np.mean(found) < 0.56
    assert 0.02 < np.mean(np.array(found) < 0.05) < 0.09


# --- the oracle -----------------------------------------------------------------------------------------------------


class MoreFacesError(Exception):
    """A die was asked for beyond those laid out."""

    def __init__(self, sides: int) -> None:
        self.sides = sides


def every_fire(document: dict) -> list[tuple[Fraction, dict]]:
    """Every sequence of faces that the oracle can ask for: its probability and the outcome."""
    play = {"town": town.play, "ship": ship.play}[document["system"]]
    found = []
    laid: list[list[int]] = []  # face, sides
    while True:
        used = 0

        def faces(sides: int, purpose: str, actor: int, target: int) -> int:
            nonlocal used
            if used == len(laid):
                raise MoreFacesError(sides)
            used += 1
            return laid[used - 1][0]

        try:
            outcome = play(document, faces).outcome
        except MoreFacesError as more:
            laid.append([1, more.sides])
            continue
        chance = Fraction(1)
        for _, sides in laid:
            chance /= sides
        found.append((chance, outcome))
        while laid and laid[-1][0] == laid[-1][1]:
            laid.pop()
        if not laid:
            return found
        laid[-1][0] += 1


def pair(rows: list[str], steps: int, ignite: list[dict], gap: int = 1, wind: str = "none", **options: object) -> dict:
    legend = {
        "h": {"st": 7, "armour": 1},
        "g": {"st": 5, "armour": 1, "roof": "wood shingles"},
        "t": {"st": 6, "armour": 0, "floors": 2, "roof": "clay tile"},
    }
    return {
        "system": "town",
        "steps": steps,
        "map": {"rows": rows, "legend": legend, "gaps": {"default": gap}},
        "weather": {"wind": wind},
        "options": options,
        "ignite": ignite,
    }


HERE, ALIGHT = [{"cell": [0, 0]}], [{"cell": [0, 0], "alight": True}]
PAIRS = {
    "two_turns_by_die": pair(["h h"], 2, HERE),
    "two_turns_wind": pair(["h t"], 2, HERE, wind="E", wind_weights=[6, 0, 0, 0, 0, 0]),
    "three_turns_all": pair(["h g"], 3, HERE, jump="all"),
    "both_alight": pair(["h t"], 2, [*ALIGHT, {"cell": [0, 1], "alight": True}], collapse="each_turn"),
    "tile_layer_burns": pair(["h t"], 2, ALIGHT, jump="all", roof_mode="layer_burns"),
    "replaces": pair(["h g"], 2, ALIGHT, jump="all", roof_mode="replaces", inferno_radius=0),
    "sparks_over_three": pair(["t h"], 3, ALIGHT, gap=3, spark_all=True, gap3="flare", flare_by="die"),
    "wind_by_die": pair(["h h"], 1, ALIGHT, wind="die"),
    "simple": pair(["h h"], 3, ALIGHT, mode="simple", jump="arc"),
}


def aboard(rows: list[str], steps: int, *, crew: list[dict] | None = None, **more: object) -> dict:
    legend = {"A": {}, "D": {"external_door": True}, "B": {"broken": True}, "L": {"module": "life support"}}
    people = [{"name": name, "health": 4, **person} for name, person in zip("abc", crew or [], strict=False)]
    document = {"system": "ship", "steps": steps, "map": {"rows": rows, "legend": legend}, "crew": people}
    return document | {"ignite": [{"cell": [0, 0]}]} | more


OUTCOMES = {
    "town": ("steps", "burning", "lit", "consumed", "collapsed", "flare_ups", "jumps"),
    "ship": (
        "steps", "burning", "modules_lit", "modules_broken", "hull_damage", "damage", "deaths", "ship_lost",
    ),
}  # fmt: skip

SHIPS = {
    "relit": aboard(["A A"], 3),
    "relit_by_a_weapon": aboard(["A A"], 2, event=[{"step": 2, "kind": "weapon", "cell": [0, 1]}]),
    "stays_out": aboard(["A A"], 3, options={"relight": False, "hull_repeat": False}),
    "burning_person": aboard(["A A"], 2, crew=[{"cell": [0, 1], "on_fire": True}], ignite=[]),
    "splash": aboard(
        ["A"], 1, crew=[{"cell": [0, 0], "on_fire": True}, {"cell": [0, 0]}], item=[{"kind": "cargo", "cell": [0, 0]}]
    ),
    "tentac": aboard(["A"], 1, crew=[{"cell": [0, 0], "tentac": True}], options={"tentac_ignites": "chosen"}),
    "engineer": aboard(["A B"], 1, crew=[{"cell": [0, 0], "engineering": 2, "order": "extinguish all"}]),
    "station": aboard(["A B"], 1, crew=[{"cell": [0, 1], "engineering": 4, "order": "station all", "target": [0, 0]}]),
    "door_held": aboard(["D A"], 1, crew=[{"cell": [0, 0], "order": "hold door"}], options={"modules_first": True}),
    "new_fire_hurts": aboard(["A A"], 2, crew=[{"cell": [0, 1]}], options={"new_fire_hurts": True}),
    "weapon_until_it_burns": aboard(["A"], 3, ignite=[{"cell": [0, 0], "alight": False, "step": 2}]),
    "hull_checks": aboard(
        ["A A"], 1, tables={"hull_check": {"2": 1, "7": 2}}, ignite=[{"cell": [0, n]} for n in (0, 1)]
    ),
}


@pytest.mark.parametrize("name", [*PAIRS, *SHIPS])
def test_the_chain_is_the_sum_over_every_sequence_of_faces(name):
    document = (PAIRS | SHIPS)[name]
    fires = every_fire(document)
    assert 30 < len(fires) < 60_000
    assert sum(chance for chance, _ in fires) == 1
    for outcome in OUTCOMES[document["system"]]:
        expected: dict[int, Fraction] = defaultdict(Fraction)
        for chance, row in fires:
            expected[row[outcome]] += chance
        found = firesim.odds(document, outcome).distribution
        assert found.values.tolist() == sorted(expected), outcome
        for value, chance in expected.items():
            assert found.exactly(value) == pytest.approx(float(chance), abs=1e-12), (outcome, value)
