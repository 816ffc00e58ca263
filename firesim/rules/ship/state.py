"""The ship's state, declared once; its event codes, dice purposes and outcome columns.

Who does something, or to whom it is done, is one number wherever dice or the log want it: a module is its cell, the
people follow the rim, and the items follow the people (`who_is`).
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from firesim.core.fields import Field, Records
from firesim.events.records import EventKind
from firesim.rules.base import Column

Array = np.ndarray[Any, Any]

# Phases of the clock within a phase of the game, in their order unless `modules_first` [A2-01, D-S6]
BEGIN, EVENTS, IGNITE, ORDERS, GATHER, OWN, SPLASH, MODULES, OCCUPANTS, CATCH, DOORS, HULL, AIR, END = range(14)

# Rows of `lists`, and places of their lengths in `counts`: modules on fire, modules that catch in this fire step,
# modules whose occupants burn (all ascending); people who burn, by module, then file; modules whose door was opened
ALIGHT, CAUGHT, HOT, BURNERS, OPENED = range(5)
# Further places in `counts`: how far events and ignitions are worked off (and base.TOUCHED)
NEXT_EVENT, OPEN_IGNITION = 5, 6

# Places in `ship`
HULL_DAMAGE_NOW, HULL_HIT, LOST = range(3)

# Columns of `at`
LIT_AT, BROKEN_AT, OUT_AT = range(3)
RECORDS = ("lit_at", "broken_at", "out_at")

# Places in `tally`
MODULES_LIT, MODULES_BROKEN, HULL_DAMAGE, DAMAGE, DEATHS, SHIP_LOST = range(6)


class ShipModule:
    """What the fire knows of one module."""

    at: Annotated[
        Array, Field("int32", (3,), "record", "phase first lit, first broken, last out; -1 = never", "phase", fill=-1)
    ]
    burning: Annotated[int, Field("uint8", (), "state", "on fire", history=True)]
    burnt: Annotated[int, Field("uint8", (), "state", "burns or has burnt: it counts as lit once [D-S13]")]
    caught: Annotated[int, Field("uint8", (), "state", "catches fire in this fire step [SH-18, A2-04]")]
    out: Annotated[int, Field("uint8", (), "state", "went out in this fire step, and must not be relit [A2-04 b]")]
    broken: Annotated[int, Field("uint8", (), "state", "no longer functioning [SH-15, SH-25]", history=True)]
    door: Annotated[int, Field("uint8", (), "state", "its external door was opened in this phase [SH-33]")]
    touched: Annotated[int, Field("uint8", (), "derived", "differs from the start, and is in touched_list")]


class ShipPerson:
    """What the fire knows of one person."""

    damage: Annotated[int, Field("int32", (), "state", "damage taken; goes on past health [D-S2]")]
    cell: Annotated[int, Field("int32", (), "state", "the module where he is, or last was")]
    path: Annotated[int, Field("int32", (), "state", "steps made of the path of a move or carry [D-S11]")]
    burning: Annotated[int, Field("uint8", (), "state", "on fire [SH-04]")]
    caught: Annotated[int, Field("uint8", (), "state", "catches fire in this fire step [A2-20]")]
    burned: Annotated[int, Field("uint8", (), "state", "his one die of this phase is rolled or his own [SH-20, SH-46]")]
    splash: Annotated[int, Field("uint8", (), "state", "face of his own die that still has to splash; 0 = none")]
    outside: Annotated[int, Field("uint8", (), "state", "spacewalking: touched by no fire rule [SH-30]")]
    holds_door: Annotated[int, Field("uint8", (), "state", "held a door in this phase, as long as he stays [SH-35]")]
    holding: Annotated[int, Field("uint8", (), "state", "his grapple or carry has begun [SH-28]")]


class ShipItem:
    """What the fire knows of one item."""

    damaged: Annotated[int, Field("uint8", (), "state", "damaged; nothing more can happen to it [SH-50]")]


class ShipState(NamedTuple):
    """All that a ship's fire is, between any two acts.

    Sizes: cell (all cells of the map and the rim), person, item, ignition, entry (the longest list).
    """

    clock: Annotated[Array, Field("int64", (3,), "state", "phases completed, sub-step, position in it")]
    counts: Annotated[Array, Field("int64", (9,), "state", "lengths of the lists; next event; first open ignition")]
    ship: Annotated[Array, Field("int64", (3,), "state", "hull damage, whether fire did some this phase, ship lost")]
    tally: Annotated[
        Array, Field("int64", (6,), "tally", "modules lit, modules broken, hull damage, damage, deaths, ship lost")
    ]
    cells: Annotated[Records, Field(ShipModule, ("cell",), "state", "the modules")]
    crew: Annotated[Records, Field(ShipPerson, ("person",), "state", "the people")]
    items: Annotated[Records, Field(ShipItem, ("item",), "state", "the items")]
    ignited: Annotated[Array, Field("uint8", ("ignition",), "state", "an ignition that is over")]
    lists: Annotated[Array, Field("int32", (5, "entry"), "state", "modules on fire, catching, ...; people who burn")]
    words: Annotated[
        Array,
        Field("uint32", (5, "entry"), "scratch", "random bits of the own dice of people, then modules, on fire"),
    ]
    rollers: Annotated[
        Array, Field("int32", (2, "entry"), "scratch", "who has dice rolled ahead, and in which burning modules")
    ]
    touched_list: Annotated[Array, Field("int32", ("cell",), "derived", "modules that differ from the start")]


# Dice: what each is rolled for. Four purposes in a row share one block of the generator.
(
    OWN_DIE, OWN_SECOND, AIR_ONE, AIR_TWO, MODULE_DIE, DOOR_DIE, DOOR_EXTRA, AIR_DAMAGE, ORDER_ONE, ORDER_TWO,
    GRAPPLE_DIE, SHARED_SPLASH, SPLASH_DIE, SPLASH_SECOND, OCCUPANT_DIE, OCCUPANT_SECOND, WEAPON_DIE, IGNITE_DIE,
    HULL_ONE, HULL_TWO,
) = range(20)  # fmt: skip
PURPOSES = (
    "the fire on {who}",
    "the second die of {who}, of which the lower is the damage",
    "the first die of {who} against the lack of life support",
    "the second die of {who} against the lack of life support",
    "the fire in {who}",
    "the open door of {who}",
    "the door of {who} that is held open",
    "the damage to {who} without life support",
    "the first die of {who}, putting out {whom}",
    "the second die of {who}, putting out {whom}",
    "whether {who} catches fire from {whom}",
    "the splash from {who} on all it reaches",
    "the splash from {who} on {whom}",
    "the second die of {whom} in the splash from {who}",
    "the fire in {who} and {whom}",
    "the second die of {whom} in the fire of {who}",
    "the weapon that fires on {whom}",
    "the weapon that is to set {whom} on fire",
    "the first die of the hull check",
    "the second die of the hull check",
)

(
    E_WEAPON, E_NO_EFFECT, E_LIT, E_BROKEN, E_HULL, E_DOUSED, E_DOOR_OPEN, E_DOOR_OPENS, E_DOOR_HELD,
    E_PUT_OUT, E_FAILED, E_PUT_OUT_ALL, E_FAILED_ALL, E_STATION_ALL, E_STATION_FAILED, E_OUT,
    E_BURNS, E_BURNS_TWO, E_SPLASH, E_SPLASH_HITS, E_SPLASH_HITS_TWO, E_ITEM, E_DAMAGED, E_MODULE, E_SPREADS,
    E_NOTHING_THERE, E_OCCUPANT, E_OCCUPANT_TWO, E_CATCHES, E_DOOR_DIE, E_DOOR_FAILS, E_HELD_DIE, E_HELD_FAILS,
    E_HULL_HOLDS, E_SHIP_LOST, E_BREATHES, E_CHOKES, E_MOVES, E_GRAPPLES, E_OUTSIDE, E_DIES, E_GRAPPLE_DIE,
    E_SPREADS_BELOW,
) = range(43)  # fmt: skip

EVENT_KINDS = (
    EventKind("weapon", "weapon fire hits {who}: {face} [SH-07]", target="cell"),
    EventKind("no effect", "weapon fire hits {who}: {face}, to no effect [SH-06]"),
    EventKind("lit", "{who} begins to burn", target="cell", lights=True),
    EventKind("broken", "{who} breaks"),
    EventKind("hull", "the ship takes a point of hull damage in {who}: {change}"),
    EventKind("doused", "{who} is doused"),
    EventKind("door open", "{whom} opens the external door of {who} [SH-32]"),
    EventKind("door opens", "the external door of {who} opens"),
    EventKind("door held", "{whom} holds the external door of {who} open [SH-35]"),
    EventKind("put out", "{who} rolls {face} + {bonus} against {need} and puts out {whom} [SH-21]"),
    EventKind("not put out", "{who} rolls {face} + {bonus} against {need} and does not put out {whom} [SH-21]"),
    EventKind("put out all", "{who} rolls {face} + {bonus} against {need} and puts out all fires in reach [SH-23]"),
    EventKind("not put out all", "{who} rolls {face} + {bonus} against {need} and puts out no fire in reach [SH-23]"),
    EventKind(
        "station puts out all", "{who} rolls {face} + {bonus} against {need} and puts out all fires in {whom} [SH-26]"
    ),
    EventKind(
        "station fails at all", "{who} rolls {face} + {bonus} against {need} and puts out no fire in {whom} [SH-26]"
    ),
    EventKind("out", "the fire on {who} goes out"),
    EventKind("burns", "{who} burns: {face}, damage {change} [SH-04]"),
    EventKind("burns, two dice", "{who} burns: {face} and {bonus}, the lower counts, damage {change} [SH-04, SH-12]"),
    EventKind("splash", "the fire on {who} splashes {heading} (rolled {face}) [SH-05]"),
    EventKind("splash hits", "the splash from {whom} hits {who}: {face}, damage {change} [SH-13]"),
    EventKind(
        "splash hits, two dice",
        "the splash from {whom} hits {who}: {face} and {bonus}, the lower counts, damage {change} [SH-12, SH-13]",
    ),
    EventKind("item holds", "the fire reaches {who}: {face}, no harm [SH-09]"),
    EventKind("item damaged", "the fire reaches {who}: {face}, and it is damaged [SH-09]"),
    EventKind("module", "{who} burns: {face} [SH-15]"),
    EventKind("spreads", "the fire in {who} spreads {heading} (rolled {face}) [SH-15]", target="other", source="cell"),
    EventKind("nothing there", "there is nothing there that could burn [SH-16, SH-42]"),
    EventKind("occupant", "{who} burns in {whom}: {face}, damage {change} [SH-17]"),
    EventKind(
        "occupant, two dice",
        "{who} burns in {whom}: {face} and {bonus}, the lower counts, damage {change} [SH-12, SH-17]",
    ),
    EventKind("catches", "{who} catches fire (rolled {face}) [SH-03]", target="cell", source="other", lights=True),
    EventKind("door die", "the air rushes out of {who} (rolled {face}): all fires in it go out [SH-34]"),
    EventKind("door fails", "the door of {who} stands open (rolled {face}): its fires burn on [SH-34]"),
    EventKind("held door die", "the door of {who} is held open (rolled {face}): all fires in it go out [SH-35]"),
    EventKind("held door fails", "the door of {who} is held open (rolled {face}): its fires burn on [SH-35]"),
    EventKind("hull holds", "the hull holds: {face} against {need} [SH-19]"),
    EventKind("ship lost", "the hull gives way ({face} against {need}): the ship is lost [SH-19]"),
    EventKind("holds out", "{who} holds out without life support: {face} + {bonus} against {need} [D-S8]"),
    EventKind(
        "chokes",
        "{who} fails to hold out without life support: {face} + {bonus} against {need}, damage {change} [D-S8]",
    ),
    EventKind("moves", "{who} moves to {whom}"),
    EventKind("grapples", "{who} takes hold of {whom}"),
    EventKind("outside", "{who} goes outside; no fire burns there [SH-30]"),
    EventKind("dies", "{who} is out of action, with damage {after}"),
    EventKind("grapple die", "{who} holds {whom}, who burns: {face} [SH-28]"),
    EventKind(
        "sets module on fire",
        "the fire on {who} takes hold of {whom} (rolled {face}) [SH-05]",
        target="other",
        source="cell",
    ),
)

OUTCOME_COLUMNS = (
    Column("steps", "phases", "phases played"),
    Column("burning", "fires", "modules and people still on fire at the end"),
    Column("modules_lit", "modules", "modules that ever burnt"),
    Column("modules_broken", "modules", "modules broken at the end"),
    Column("hull_damage", "points", "hull damage by fire and weapons"),
    Column("damage", "points", "damage to people, that for want of life support included"),
    Column("deaths", "people", "people whose damage reached their health"),
    Column("ship_lost", "ships", "1 when a hull check failed [A2-06: the check is not in the book]"),
)
