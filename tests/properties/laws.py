"""What holds after every turn of any town fire, counted anew from the cells and the events by plain loops and sums."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

import firesim
from firesim.api import prepared
from firesim.play import Fire, frames
from firesim.rules.town import state as s
from tests.properties.geometry import axial_of, steps_apart
from tests.properties.held import held

Document = dict[str, Any]
Array = np.ndarray[Any, Any]

MOST_STEPS = 100_000
FLAGS = (
    *("standing", "burning", "fresh", "external", "consumed", "demolished", "collapsed", "collapse_checked"),
    *("through_roof", "stalled", "inferno", "touched", "roof_hits"),
)
KEPT = ("buildings", "fuel", "counts", "lists", "touched_list", "tally")
ATTACKS = ("attack", "stalled", "ignite", "jump", "spark")


@dataclass
class Turn:
    """The town after a turn, and the turn's events. cells: without the rim."""

    cells: Array
    buildings: Array
    fuel: Array
    counts: Array
    lists: Array
    touched_list: Array
    tally: Array
    events: list[Any]

    def burning(self) -> list[int]:
        """Cells on fire, ascending."""
        return [int(cell) for cell in np.flatnonzero(self.cells["burning"])]

    def listed(self, name: int) -> list[int]:
        """The entries of one of the state's lists."""
        return [int(cell) for cell in self.lists[name, : self.counts[name]]]


@dataclass
class Watched:
    """A fire played to its end, all its turns kept. building: number of the building on each cell, 0 = open ground."""

    document: Document
    seed: int
    building: Array
    turns: list[Turn]
    outcome: dict[str, int]

    def option(self, name: str, default: object) -> Any:
        """An option as the scenario has it."""
        return self.document.get("options", {}).get(name, default)

    @property
    def simple(self) -> bool:
        """Whether the simple rules are played."""
        return bool(self.option("mode", "gritty") == "simple")


def watch(document: Document, seed: int) -> Watched:
    """Play a fire with keyed dice, turn by turn."""
    ready = prepared(firesim.load(document))
    fire = Fire(ready, seed)
    turns: list[Turn] = []
    for frame in frames(fire, ready.horizon):
        state = frame.state
        assert frame.step == state.clock[0] == len(turns)
        kept = {name: getattr(state, name).copy() for name in KEPT}
        turns.append(Turn(state.cells[:-1].copy(), events=frame.events, **kept))
        assert state.cells[-1] == ready.first.cells[-1], "the rim changed"
    return Watched(document, seed, buildings_of(document), turns, fire.outcome())


def buildings_of(document: Document) -> Array:
    """Numbers of the buildings from the scenario's words: a name, or each hex its own."""
    numbers: dict[object, int] = {}
    found = []
    for cell, symbol in enumerate(symbol for row in document["map"]["rows"] for symbol in row.split()):
        entry = document["map"]["legend"].get(symbol, {"ground": "open"})
        if "ground" in entry:
            found.append(0)
        else:
            found.append(numbers.setdefault(entry.get("building", cell), len(numbers) + 1))
    return np.array(found)


def wide(cells: Array, name: str) -> Array:
    """A field in 64 bits, so that no sum or difference below wraps."""
    return np.asarray(cells[name]).astype(np.int64)


# ------------------------------------------------------------------------------------------------------------- the laws
def nothing_is_built_up(fire: Watched) -> None:
    """ST, armour and roof never increase: no event raises them."""
    for before, after in pairwise(fire.turns):
        for name in ("st", "armour", "roof"):
            assert (wide(after.cells, name) <= wide(before.cells, name)).all(), name
        for name in ("consumed", "demolished", "collapse_checked"):
            assert (wide(after.cells, name) >= wide(before.cells, name)).all(), name
        for place, record in enumerate(s.RECORDS):
            was, now = before.cells["at"][:, place], after.cells["at"][:, place]
            assert ((was == now) | (was == -1)).all(), f"{record} was written twice"


def nothing_is_below_nothing(fire: Watched) -> None:
    """No figure is negative or beyond what it began with."""
    first = fire.turns[0].cells
    for turn in fire.turns:
        for name in ("st", "armour", "roof"):
            assert (wide(turn.cells, name) >= 0).all(), name
            assert (wide(turn.cells, name) <= wide(first, name)).all(), name
        for name in FLAGS:
            assert np.isin(turn.cells[name], (0, 1)).all(), name
        assert (wide(turn.cells, "heat") >= 0).all()
        assert (wide(turn.cells, "heat") < max(len(turn.cells), 2)).all()
        assert np.isin(turn.cells["roof_rests"], (0, 1, 2)).all()
        assert np.isin(turn.cells["fuel"], (0, 1, 2)).all()
        assert np.isin(turn.fuel["turns"], (0, 1, 2)).all()
        assert (turn.tally >= 0).all()
        assert (turn.counts >= 0).all()
    for earlier, later in pairwise(fire.turns):
        assert (later.tally >= earlier.tally).all()


def a_hex_is_in_one_state(fire: Watched) -> None:
    """Consumed, burning, standing, demolished, external, collapsed: which of them go together."""
    built = fire.building > 0
    for turn in fire.turns:
        on = {name: turn.cells[name] != 0 for name in FLAGS}
        st = wide(turn.cells, "st")
        lit = turn.cells["at"][:, s.LIT_AT] >= 0
        assert not (on["consumed"] & (on["burning"] | on["demolished"])).any()
        assert (st[on["consumed"]] == 0).all()
        assert (on["standing"] == (built & ~on["consumed"] & ~on["demolished"])).all()
        assert (st[on["standing"]] > 0).all()
        assert not (on["burning"] & ~on["standing"]).any()
        assert not ((on["external"] | on["collapsed"] | on["through_roof"] | on["stalled"]) & ~lit).any()
        assert not (on["external"] & ~on["burning"] & ~on["consumed"]).any()
        assert not on["fresh"].any()
        for name in ("armour", "roof"):
            assert (wide(turn.cells, name)[on["demolished"]] == 0).all(), name
            assert not fire.simple or (wide(turn.cells, name) == 0).all(), name
        assert not (on["demolished"] & (on["external"] | on["collapsed"] | (st != 0))).any()
        assert not fire.simple or (on["external"] == (on["burning"] | on["consumed"])).all()
        assert not fire.simple or not on["collapsed"].any()


def one_hex_of_a_building_burns(fire: Watched) -> None:
    """With one_hex at most one; of open ground none."""
    for turn in fire.turns:
        alight = np.bincount(fire.building, turn.cells["burning"])
        assert alight[0] == 0
        assert not fire.option("one_hex", True) or (alight <= 1).all()


def buildings_are_the_sum_of_their_hexes(fire: Watched) -> None:
    """The counters of each building, from its cells; nobody counts where every building is a single hex."""
    params = prepared(firesim.load(fire.document)).params
    kept = params.cells.building[:-1]
    same = fire.building[:, None] == fire.building
    assert ((kept[:, None] == kept) == same).all(), "buildings are other hexes than the scenario says"
    for turn in fire.turns:
        for name, here in (
            ("hexes", np.ones(len(kept))),
            ("burning", turn.cells["burning"]),
            ("consumed", turn.cells["consumed"]),
            ("gone", turn.cells["consumed"] + turn.cells["demolished"]),
        ):
            counted = np.bincount(kept, here, minlength=len(turn.buildings))
            assert params.lone == (counted[1:].max() <= 1) or name != "hexes"
            if params.lone and name != "hexes":
                continue
            assert (turn.buildings[name][1:] == counted[1:]).all(), name  # number 0 is open ground


def tallies_are_what_happened(fire: Watched) -> None:
    """The tallies, from the records of the cells and from the events."""
    seen = {"flare up": 0, "jumps": 0}
    fell: set[int] = set()
    for turn in fire.turns:
        attack = None
        for event in turn.events:
            if event.event == "flare up":
                seen["flare up"] += 1
            elif event.event == "collapsed":
                fell.add(event.cell)
            elif event.event in ("jump", "spark"):
                attack = event
            elif event.event == "lit" and attack is not None and attack.cell == event.cell:
                seen["jumps"] += fire.building[attack.other] != fire.building[event.cell]
            if event.event not in ("jump", "spark", "roof", "roof holds"):
                attack = None
        at, consumed = turn.cells["at"], turn.cells["consumed"] != 0
        lost = 0
        for number in range(1, int(fire.building.max()) + 1):
            here = (fire.building == number) & (turn.cells["demolished"] == 0)
            lost += bool(here.any() and consumed[here].all())
        tally = [int(count) for count in turn.tally]
        assert tally[s.LIT] == (at[:, s.LIT_AT] >= 0).sum()
        assert tally[s.CONSUMED] == consumed.sum() == (at[:, s.CONSUMED_AT] >= 0).sum()
        assert tally[s.BUILDINGS_LOST] == lost
        assert tally[s.COLLAPSED] == len(fell)
        assert tally[s.FLARE_UPS] == seen["flare up"]
        assert tally[s.JUMPS] == seen["jumps"]


def lists_hold_what_they_say(fire: Watched) -> None:
    """Burning cells, ascending; nothing left in the lists of a turn; running accelerants, resting and touched cells."""
    first = fire.turns[0].cells
    for turn in fire.turns:
        assert turn.listed(s.BURNING) == turn.burning()
        for name in (s.FRESH, s.ASHES, s.FLARES):
            assert turn.counts[name] == 0
        fuelled = turn.listed(s.FUELLED)
        assert sorted(fuelled) == [int(cell) for cell in np.flatnonzero(turn.cells["fuel"] == s.FUEL_BURNS)]
        if len(turn.fuel) > 1:
            lies = np.any(np.asarray(turn.fuel["turns"][: len(turn.cells)]) > 0, axis=1)
            assert (lies == (turn.cells["fuel"] != s.NO_FUEL)).all()
        assert sorted(turn.listed(s.RESTING)) == [int(cell) for cell in np.flatnonzero(turn.cells["roof_rests"])]
        touched = [int(cell) for cell in turn.touched_list[: turn.counts[8]]]
        assert len(set(touched)) == len(touched)
        untouched = np.setdiff1d(np.arange(len(first)), touched)
        for name in first.dtype.names:
            assert (turn.cells[name][untouched] == first[name][untouched]).all(), f"{name} of a cell not touched"


def heat_is_the_infernos_nearby(fire: Watched) -> None:
    """Heat of every standing hex: others within the radius that burn, and burnt without protection at turn start."""
    radius, mode = fire.option("inferno_radius", 1), fire.option("roof_mode", "layer")
    orientation = fire.document["map"].get("orientation", "pointy")
    cols = len(fire.document["map"]["rows"][0].split())
    where = [axial_of(*divmod(cell, cols), orientation) for cell in range(len(fire.building))]
    assert (fire.turns[0].cells["heat"] == 0).all()
    for before, after in pairwise(fire.turns):
        alight = set(before.burning()) | {event.cell for event in after.events if event.event == "alight"}
        infernos = []
        for cell in sorted(alight & set(after.burning())):
            hexagon = before.cells[cell]
            roof_holds = mode == "replaces" or (mode == "layer_burns" and hexagon["roof"] > 0)
            if fire.simple or hexagon["roof" if hexagon["through_roof"] and roof_holds else "armour"] == 0:
                infernos.append(cell)
        assert infernos == [int(cell) for cell in np.flatnonzero(after.cells["inferno"])]
        for cell in np.flatnonzero(after.cells["standing"]):
            near = sum(other != cell and steps_apart(where[other], where[cell]) <= radius for other in infernos)
            assert after.cells["heat"][cell] == near, f"heat of cell {cell}"


def records_are_in_order(fire: Watched) -> None:
    """Lit, then external, then out; consumed is a way of being out; and each says what the cell's flags say."""
    for step, turn in enumerate(fire.turns):
        lit, consumed, external, out = (turn.cells["at"][:, place].astype(np.int64) for place in range(4))
        assert (turn.cells["at"] <= step).all()
        assert ((turn.cells["burning"] != 0) == ((lit >= 0) & (out < 0))).all()
        assert ((turn.cells["consumed"] != 0) == (consumed >= 0)).all()
        assert (out[consumed >= 0] == consumed[consumed >= 0]).all()
        assert (lit[out >= 0] >= 0).all()
        assert (out[out >= 0] >= lit[out >= 0]).all()
        assert ((external >= 0) | (turn.cells["external"] == 0)).all()
        assert ((external < 0) | (external >= lit)).all()
        assert ((external < 0) | (lit >= 0)).all()
        assert ((external < 0) | (out < 0) | (external < out) | (external == lit)).all(), (
            "consumed, then external [TN-66]"
        )
        assert ((turn.cells["demolished"] != 0) | (out == consumed)).all()


def structure_falls_by_the_attacks(fire: Watched) -> None:
    """ST follows from the attacks told, each of them from its die."""
    st = [int(value) for value in fire.turns[0].cells["st"]]
    roof = [int(value) for value in fire.turns[0].cells["roof"]]
    for turn in fire.turns[1:]:
        for event in turn.events:
            if event.event in ATTACKS:
                assert event.amount == event.face + event.bonus - event.need
                assert 1 <= event.face <= 6
                assert event.before == st[event.cell]
                assert event.after in (st[event.cell], max(0, st[event.cell] - max(0, event.amount)))
                assert event.after == event.before or event.amount > 0
                st[event.cell] = event.after
            elif event.event == "roof":
                assert event.before == roof[event.cell] == event.after + 1
                roof[event.cell] = event.after
            elif event.event == "demolished":
                st[event.cell] = roof[event.cell] = 0
        assert st == [int(value) for value in turn.cells["st"]]
        assert roof == [int(value) for value in turn.cells["roof"]]


def play_ends_when_nothing_is_to_come(fire: Watched) -> None:
    """Play goes on exactly as long as something burns, an event is to come, or an ignition is pending [D-W1]."""
    horizon = fire.document.get("steps", MOST_STEPS)
    cols = len(fire.document["map"]["rows"][0].split())
    assert len(fire.turns) - 1 <= horizon
    for step, turn in enumerate(fire.turns):
        waiting = (turn.cells["standing"] != 0) & (turn.cells["burning"] == 0)
        goes_on = bool(turn.burning()) or any(event["step"] > step for event in fire.document.get("event", []))
        for entry in fire.document.get("ignite", []):
            done = entry.get("alight", False) and entry.get("step", 1) <= max(step, 1)
            goes_on |= bool(waiting[entry["cell"][0] * cols + entry["cell"][1]]) and not done
        for event in fire.document.get("event", []):
            if event["kind"] == "ignite" and event["step"] <= step and not event.get("alight", False):
                goes_on |= bool(waiting[event["cell"][0] * cols + event["cell"][1]])
        assert goes_on == (step < len(fire.turns) - 1) or (goes_on and step == horizon), f"after turn {step}"


def the_outcome_is_the_last_turn(fire: Watched) -> None:
    """The outcome columns, from the last turn and the number of turns."""
    last, outcome = fire.turns[-1], fire.outcome
    assert outcome["steps"] == len(fire.turns) - 1
    assert outcome["burning"] == len(last.burning())
    names = ("lit", "consumed", "buildings_lost", "collapsed", "flare_ups", "jumps")
    assert [outcome[name] for name in names] == [int(count) for count in last.tally]
    assert outcome["consumed"] <= outcome["lit"]
    assert outcome["jumps"] <= outcome["lit"]
    assert outcome["collapsed"] <= outcome["lit"]
    assert outcome["buildings_lost"] <= outcome["consumed"]
    cols = len(fire.document["map"]["rows"][0].split())
    for place in fire.document.get("watch", []):
        cells = [row * cols + col for row, col in place["cells"]]
        times = [int(last.cells["at"][cell, s.LIT_AT]) for cell in cells if last.cells["at"][cell, s.LIT_AT] >= 0]
        assert outcome[f"{place['name']}_lit_at"] == min(times, default=-1)
        assert outcome[f"{place['name']}_lost"] == int(all(last.cells["consumed"][cell] for cell in cells))


def many_fires_are_the_same_fires(fire: Watched) -> None:
    """A study's row and its maps are this fire, also after another fire went through the same state."""
    study = firesim.study(fire.document, 2, seed=fire.seed, workers=1)
    other = firesim.run(fire.document, seed=fire.seed, replicate=1)
    for row, outcome in zip(study.outcomes, (fire.outcome, other.outcome), strict=True):
        assert {name: int(row[name]) for name in outcome} == outcome
    last = fire.turns[-1].cells["at"]
    for place, record in enumerate(s.RECORDS):
        times = np.array([last[:, place], other.state.cells["at"][:-1, place]]).astype(np.int64)
        assert (study.counts.counts[place, :-1] == (times >= 0).sum(axis=0)).all(), record
        assert (study.counts.sums[place, :-1] == np.maximum(times, 0).sum(axis=0)).all(), record


LAWS: tuple[Callable[[Watched], None], ...] = (
    nothing_is_built_up,
    nothing_is_below_nothing,
    a_hex_is_in_one_state,
    one_hex_of_a_building_burns,
    buildings_are_the_sum_of_their_hexes,
    tallies_are_what_happened,
    lists_hold_what_they_say,
    heat_is_the_infernos_nearby,
    records_are_in_order,
    structure_falls_by_the_attacks,
    play_ends_when_nothing_is_to_come,
    the_outcome_is_the_last_turn,
    many_fires_are_the_same_fires,
)


def check_all(document: Document, seed: int) -> Watched:
    """Play a fire and hold it against every law."""
    return held(watch(document, seed), LAWS)
