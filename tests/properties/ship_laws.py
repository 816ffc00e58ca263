"""What holds after every phase of any ship's fire, counted anew from modules, people and events by plain loops."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

import firesim
from firesim.api import prepared
from firesim.play import Fire, frames
from firesim.rules.base import TOUCHED
from firesim.rules.ship import state as s
from tests.properties.held import held

Document = dict[str, Any]
Array = np.ndarray[Any, Any]

KEPT = ("crew", "items", "ship", "tally", "counts", "lists", "touched_list")
DOOR_DICE = ("door die", "door fails", "held door die", "held door fails")
FIRE_DICE = tuple(f"{name}{dice}" for name in ("burns", "splash hits", "occupant") for dice in ("", ", two dice"))
"""Events of the one die of fire damage that a person may take in a phase."""


@dataclass
class Phase:
    """The ship after a phase, and the phase's events. cells: without the rim."""

    cells: Array
    crew: Array
    items: Array
    ship: Array
    tally: Array
    counts: Array
    lists: Array
    touched_list: Array
    events: list[Any]


@dataclass
class Watched:
    """A fire played to its end, all its phases kept. health: of each person."""

    document: Document
    seed: int
    health: Array
    phases: list[Phase]
    outcome: dict[str, int]

    def option(self, name: str, default: object) -> Any:
        """An option as the scenario has it."""
        return self.document.get("options", {}).get(name, default)

    def happened(self) -> list[Any]:
        """All events of the fire."""
        return [event for phase in self.phases for event in phase.events]


def watch(document: Document, seed: int) -> Watched:
    """Play a fire with keyed dice, phase by phase."""
    ready = prepared(firesim.load(document))
    fire = Fire(ready, seed)
    phases: list[Phase] = []
    for frame in frames(fire, ready.horizon):
        kept = {name: getattr(frame.state, name).copy() for name in KEPT}
        phases.append(Phase(frame.state.cells[:-1].copy(), events=frame.events, **kept))
        assert frame.state.cells[-1] == ready.first.cells[-1], "the rim changed"
    health = np.array([person["health"] for person in document.get("crew", [])])
    return Watched(document, seed, health, phases, fire.outcome())


# ------------------------------------------------------------------------------------------------------------- the laws
def hull_points_are_sixes(fire: Watched) -> None:
    """Hull points = sixes of modules, of weapons, and (person6_breaks) of people; without hull_repeat at most those."""
    hit = {"module", "weapon"} | ({"sets module on fire"} if fire.option("person6_breaks", False) else set())
    points = 0
    for phase in fire.phases:
        points += sum(event.event in hit and event.face == 6 for event in phase.events)
        assert phase.tally[s.HULL_DAMAGE] == phase.ship[s.HULL_DAMAGE_NOW]
        if fire.option("hull_repeat", True):
            assert phase.tally[s.HULL_DAMAGE] == points
        else:
            assert phase.tally[s.HULL_DAMAGE] <= min(points, len(phase.cells))


def what_is_done_is_done(fire: Watched) -> None:
    """Damage never falls; what is broken or damaged, and who is outside, stays so; records are written once."""
    for before, after in pairwise(fire.phases):
        assert (after.crew["damage"] >= before.crew["damage"]).all()
        assert (after.crew["outside"] >= before.crew["outside"]).all()
        assert (after.items["damaged"] >= before.items["damaged"]).all()
        assert (after.cells["broken"] >= before.cells["broken"]).all()
        assert (after.tally >= before.tally).all()
        for place in (s.LIT_AT, s.BROKEN_AT):
            was, now = before.cells["at"][:, place], after.cells["at"][:, place]
            assert ((was == now) | (was == -1)).all()


def nobody_takes_two_fire_dice(fire: Watched) -> None:
    """One die of fire damage a person and phase at most, and none of anybody outside."""
    people = len(fire.phases[0].cells) + 1
    for phase in fire.phases:
        taken = Counter(event.cell for event in phase.events if event.event in FIRE_DICE)
        assert all(count == 1 for count in taken.values()), taken
    for before, after in pairwise(fire.phases):
        taken = Counter(event.cell for event in after.events if event.event in FIRE_DICE)
        outside = np.flatnonzero(before.crew["outside"])
        assert not {int(person) + people for person in outside} & set(taken)


def damage_is_what_the_dice_did(fire: Watched) -> None:
    """Damage of a phase, from its events; the tallies of damage and of deaths, from the people."""
    people = len(fire.phases[0].cells) + 1
    for before, after in pairwise(fire.phases):
        taken = np.zeros(len(fire.health), int)
        for event in after.events:
            if event.event in (*FIRE_DICE, "chokes"):
                taken[event.cell - people] += event.after - event.before
        assert (after.crew["damage"] - before.crew["damage"] == taken).all()
    for phase in fire.phases:
        assert phase.tally[s.DAMAGE] == phase.crew["damage"].sum()
        assert phase.tally[s.DEATHS] == (phase.crew["damage"] >= fire.health).sum()


def fires_are_where_they_may_be(fire: Watched) -> None:
    """Nobody outside burns; only modules burn and break; flags are flags; what holds for one phase only is over."""
    modules = np.array([symbol != "." for row in fire.document["map"]["rows"] for symbol in row.split()])
    for phase in fire.phases:
        assert not (phase.crew["burning"] & phase.crew["outside"]).any()
        assert not ((phase.cells["burning"] | phase.cells["broken"]) & ~modules).any()
        assert modules[phase.crew["cell"]].all()
        for records, names in ((phase.cells, ("caught", "out", "door")), (phase.crew, ("caught", "burned", "splash"))):
            assert not any(records[name].any() for name in names)
        for records, names in ((phase.cells, ("burning", "broken")), (phase.crew, ("burning", "outside"))):
            assert all(np.isin(records[name], (0, 1)).all() for name in names)


def tallies_are_what_happened(fire: Watched) -> None:
    """The tallies of modules, from the records of the cells; a lost ship stays lost."""
    for phase in fire.phases:
        lit, broken = phase.cells["at"][:, s.LIT_AT] >= 0, phase.cells["at"][:, s.BROKEN_AT] >= 0
        assert phase.tally[s.MODULES_LIT] == lit.sum()
        assert phase.tally[s.MODULES_BROKEN] == phase.cells["broken"].sum() == broken.sum()
        assert phase.tally[s.SHIP_LOST] == phase.ship[s.LOST]
        burning = phase.cells["burning"] != 0
        assert not (burning & ~lit).any()
        assert (phase.cells["at"][burning, s.OUT_AT] == -1).all()
        assert (phase.cells["at"][lit & ~burning, s.OUT_AT] >= phase.cells["at"][lit & ~burning, s.LIT_AT]).all()
    assert sum(event.event == "ship lost" for event in fire.happened()) == fire.phases[-1].ship[s.LOST]


def lists_hold_what_they_say(fire: Watched) -> None:
    """Burning modules, ascending; nothing left in the lists of a phase; what is not touched is as at first."""
    first = fire.phases[0].cells
    for phase in fire.phases:
        assert (
            phase.lists[s.ALIGHT, : phase.counts[s.ALIGHT]].tolist() == np.flatnonzero(phase.cells["burning"]).tolist()
        )
        assert not phase.counts[[s.CAUGHT, s.HOT, s.BURNERS, s.OPENED]].any()
        touched = phase.touched_list[: phase.counts[TOUCHED]].tolist()
        assert len(set(touched)) == len(touched)
        untouched = np.setdiff1d(np.arange(len(first)), touched)
        for name in first.dtype.names:
            assert (phase.cells[name][untouched] == first[name][untouched]).all(), f"{name} of a cell not touched"


def doors_open_once_a_phase(fire: Watched) -> None:
    """A door is told to open once a phase, rolls its dice after that, and at most two."""
    for phase in fire.phases:
        opened = Counter(event.cell for event in phase.events if event.event in ("door open", "door opens"))
        rolled = Counter(event.cell for event in phase.events if event.event in DOOR_DICE)
        assert all(count == 1 for count in opened.values())
        assert set(rolled) <= set(opened)
        assert all(count <= 2 for count in rolled.values())


def play_ends_when_nothing_is_to_come(fire: Watched) -> None:
    """Every phase was played for a fire, an event or an ignition to come; the last for none unless cut short."""
    last_event = max((event["step"] for event in fire.document.get("event", [])), default=0)
    last_ignition = max((entry.get("step", 1) for entry in fire.document.get("ignite", [])), default=0)
    for step, phase in enumerate(fire.phases):
        burns = bool(phase.cells["burning"].any() or phase.crew["burning"].any())
        if step == len(fire.phases) - 1:
            assert step == fire.document["steps"] or not (burns or step < last_event)
        elif not burns and step >= max(last_event, last_ignition):
            pending = [entry for entry in fire.document["ignite"] if not entry.get("alight", True)]
            assert pending, f"phase {step + 1} was played for nothing"


def the_outcome_is_the_last_phase(fire: Watched) -> None:
    """The outcome columns, from the last phase and the number of phases."""
    last, outcome = fire.phases[-1], fire.outcome
    assert outcome["steps"] == len(fire.phases) - 1
    assert outcome["burning"] == last.cells["burning"].sum() + last.crew["burning"].sum()
    names = ("modules_lit", "modules_broken", "hull_damage", "damage", "deaths", "ship_lost")
    assert [outcome[name] for name in names] == last.tally.tolist()
    cols = len(fire.document["map"]["rows"][0].split())
    for place in fire.document.get("watch", []):
        cells = [row * cols + col for row, col in place["cells"]]
        times = [int(at) for at in last.cells["at"][cells, s.LIT_AT] if at >= 0]
        assert outcome[f"{place['name']}_lit_at"] == min(times, default=-1)
        assert outcome[f"{place['name']}_lost"] == int(last.cells["broken"][cells].all())


LAWS: tuple[Callable[[Watched], None], ...] = (
    hull_points_are_sixes,
    what_is_done_is_done,
    nobody_takes_two_fire_dice,
    damage_is_what_the_dice_did,
    fires_are_where_they_may_be,
    tallies_are_what_happened,
    lists_hold_what_they_say,
    doors_open_once_a_phase,
    play_ends_when_nothing_is_to_come,
    the_outcome_is_the_last_phase,
)


def check_all(document: Document, seed: int) -> Watched:
    """Play a fire and hold it against every law."""
    return held(watch(document, seed), LAWS)
