"""The town's state, declared once; its event codes, dice purposes and outcome columns."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from firesim.core.fields import Field, Records
from firesim.events.records import EventKind
from firesim.rules.base import Column

Array = np.ndarray[Any, Any]

# Phases of a turn, in the order in which its acts come [TN-59, A1-16]
BEGIN, COLLAPSE, BURN, IGNITE, CONSUME, JUMP, FLARE, CONSUME_AGAIN, GO_EXTERNAL, END = range(10)

# Rows of `lists`, and places of their lengths in `counts`: cells burning at turn start (ascending), lit this turn,
# at ST 0 and to be consumed (ascending); places in the first list that flared up; cells whose accelerants burn,
# whose roof rests
BURNING, FRESH, ASHES, FLARES, FUELLED, RESTING = range(6)
# Further places in `counts`: how far events and ignitions are worked off (and base.TOUCHED)
NEXT_EVENT, OPEN_IGNITION = 6, 7

# Places in `weather`: what the scenario or the last event set, and the heading of this turn's wind
WIND, MOISTURE, THIS_WIND = range(3)
NO_WIND, WIND_BY_DIE = -1, -2
"""Beside the headings 0..5."""

# Columns of `at`
LIT_AT, CONSUMED_AT, EXTERNAL_AT, OUT_AT = range(4)
RECORDS = ("lit_at", "consumed_at", "external_at", "out_at")

# Places in `tally`
LIT, CONSUMED, BUILDINGS_LOST, COLLAPSED, FLARE_UPS, JUMPS = range(6)

# Fuel of a hex: no accelerant, one that lies there, one whose clock runs [TN-42]
NO_FUEL, FUEL_LIES, FUEL_BURNS = range(3)


class TownHex:
    """What the fire knows of one hex."""

    st: Annotated[int, Field("int32", (), "state", "structure left, 0 = consumed [TN-12]", "ST", history=True)]
    at: Annotated[
        Array, Field("int32", (4,), "record", "turn lit, consumed, external, out; -1 = never", "turn", fill=-1)
    ]
    armour: Annotated[int, Field("int16", (), "state", "what walls take off an attack [TN-14]", history=True)]
    roof: Annotated[int, Field("int16", (), "state", "protection from sparks left [TN-36]", history=True)]
    heat: Annotated[int, Field("int16", (), "state", "other infernos nearby at turn start [A1-10]")]
    moisture: Annotated[int, Field("int8", (), "state", "the hex's own moisture, 0 = the weather's [D-W15]")]
    roof_hits: Annotated[int, Field("uint8", (), "state", "successful attacks on a tile roof, modulo 2 [A1-13]")]
    roof_rests: Annotated[int, Field("uint8", (), "state", "turns in which a tile roof loses nothing [A1-13 c]")]
    fuel: Annotated[int, Field("uint8", (), "state", "whether accelerants lie or burn here [TN-42]")]
    standing: Annotated[int, Field("uint8", (), "state", "a building, neither consumed nor demolished")]
    burning: Annotated[int, Field("uint8", (), "state", "on fire", history=True)]
    fresh: Annotated[int, Field("uint8", (), "state", "lit during this turn [A1-16]")]
    burnt: Annotated[int, Field("uint8", (), "state", "burns or has burnt: it counts as lit once")]
    external: Annotated[int, Field("uint8", (), "state", "the fire has reached the outside [TN-23]", history=True)]
    consumed: Annotated[int, Field("uint8", (), "state", "burnt down [TN-27]", history=True)]
    demolished: Annotated[int, Field("uint8", (), "state", "pulled down by an event [D-W13]", history=True)]
    collapsed: Annotated[int, Field("uint8", (), "state", "fallen in; burns on [TN-21]", history=True)]
    collapse_checked: Annotated[int, Field("uint8", (), "state", "the collapse die is thrown [A1-02]")]
    through_roof: Annotated[int, Field("uint8", (), "state", "lit through a roof that burns itself [D-W11]")]
    stalled: Annotated[int, Field("uint8", (), "state", "this turn's attack did nothing [TN-18, A1-28]")]
    inferno: Annotated[int, Field("uint8", (), "state", "burning without protection at turn start [TN-61]")]
    touched: Annotated[int, Field("uint8", (), "derived", "differs from the start, and is in touched_list")]


class TownBuilding:
    """What the fire knows of one building; number 0 is open ground."""

    hexes: Annotated[int, Field("int32", (), "state", "hexes it has")]
    burning: Annotated[int, Field("int32", (), "state", "hexes on fire")]
    consumed: Annotated[int, Field("int32", (), "state", "hexes consumed")]
    gone: Annotated[int, Field("int32", (), "state", "hexes consumed or demolished")]
    alight: Annotated[int, Field("uint8", (), "state", "some hex of it burnt at turn start [D-W5]")]


class TownFuel:
    """One accelerant in one hex."""

    turns: Annotated[int, Field("uint8", (), "state", "turns it has left [TN-50]", "turns")]
    runs: Annotated[int, Field("uint8", (), "state", "its clock runs [A1-12]")]


class TownState(NamedTuple):
    """All that a town fire is, between any two acts.

    Sizes: cell (all hexes and the rim), building, hex (those standing), accelerant, ignition; fuel = cell, or 1
    where no accelerant can come.
    """

    clock: Annotated[Array, Field("int64", (3,), "state", "turns completed, phase, position in the phase")]
    weather: Annotated[
        Array, Field("int64", (3,), "state", "wind, moisture, heading of this turn's wind [TN-31, TN-51]")
    ]
    counts: Annotated[Array, Field("int64", (9,), "state", "lengths of the lists; next event; first open ignition")]
    tally: Annotated[Array, Field("int64", (6,), "tally", "lit, consumed, buildings lost, collapsed, flare-ups, jumps")]
    cells: Annotated[Records, Field(TownHex, ("cell",), "state", "the hexes")]
    buildings: Annotated[Records, Field(TownBuilding, ("building",), "state", "the buildings")]
    fuel: Annotated[Records, Field(TownFuel, ("fuel", "accelerant"), "state", "accelerants by hex and kind [TN-42]")]
    ignited: Annotated[Array, Field("uint8", ("ignition",), "state", "an ignition that is over")]
    lists: Annotated[
        Array, Field("int32", (6, "hex"), "state", "cells: burning at turn start and to be consumed (ascending), ...")
    ]
    open_sides: Annotated[
        Array,
        Field("uint8", ("cell",), "derived", "bit h: the neighbour in heading h stands and did not burn at turn start"),
    ]
    words: Annotated[
        Array, Field("uint32", (4, "hex"), "scratch", "random bits of the own dice of each burning hex this turn")
    ]
    stream: Annotated[Array, Field("int32", (6, "hex"), "scratch", "burning hexes in a batch, see `stream_layout`")]
    flags: Annotated[Array, Field("uint8", ("hex",), "scratch", "what is to be done about a burning hex in a batch")]
    work: Annotated[Array, Field("int32", (7, "hex"), "scratch", "lists of one turn in a batch, see `stream_layout`")]
    heaps: Annotated[Array, Field("int64", (8,), "scratch", "jumps of a turn in a batch, by where they come from")]
    touched_list: Annotated[Array, Field("int32", ("cell",), "derived", "cells that differ from the start")]


# Dice: what each is rolled for. The four of a hex's own turn share one block of the generator.
COLLAPSE_DIE, ATTACK_DIE, JUMP_HEADING, FLARE_HEADING, JUMP_ATTACK, SPARK_ATTACK, IGNITE_ATTACK, NEXT_HEX, WIND_DIE = (
    range(9)
)
PURPOSES = (
    "the collapse of {who}",
    "the fire attack in {who}",
    "the direction of the jump from {who}",
    "the direction of the sparks from {who}",
    "the fire attack of {who}, jumping to {whom}",
    "the fire attack of sparks from {who} on {whom}",
    "the fire attack that is to set {whom} alight",
    "which hex the fire in {who} moves on to",
    "the direction of the wind",
)

(
    E_WIND, E_MOISTURE, E_WET, E_ACCELERANT, E_DEMOLISHED, E_COLLAPSE, E_STANDS, E_ATTACK, E_IGNITE, E_LIT, E_CONSUMED,
    E_NEXT_HEX, E_JUMP, E_SPARK, E_ROOF, E_FLARE_UP, E_EXTERNAL, E_ALIGHT, E_DIRECTION, E_BUILDING_LOST, E_STALLED,
    E_SPARKS_FLY, E_NOTHING_THERE, E_ROOF_HOLDS, E_DOUSED,
) = range(25)  # fmt: skip

EVENT_KINDS = (
    EventKind("wind", "the wind blows towards {heading}"),
    EventKind("moisture", "the weather changes: fire attacks {amount:+d}"),
    EventKind("wet", "{who} is wetted: fire attacks {amount:+d}"),
    EventKind("accelerant", "an accelerant is placed in {who}: fire attacks {amount:+d}"),
    EventKind("demolished", "{who} is demolished"),
    EventKind("collapsed", "{who} rolls {face} and collapses; it burns on [TN-21]"),
    EventKind("stands", "{who} rolls {face} and does not collapse [TN-21]"),
    EventKind("attack", "{who} burns: {sum}, ST {change} [TN-19]"),
    EventKind("ignite", "fire is set to {who}: {sum}, ST {change} [TN-17, TN-19]", target="cell"),
    EventKind("lit", "{who} begins to burn", target="cell", lights=True),
    EventKind("consumed", "{who} is consumed [TN-27]"),
    EventKind("next hex", "the fire moves on from {whom} to {who} [TN-10]", target="cell", source="other"),
    EventKind("jump", "fire jumps from {whom} at {who}: {sum}, ST {change} [TN-30]", target="cell", source="other"),
    EventKind("spark", "sparks from {whom} fall on {who}: {sum}, ST {change} [TN-33]", target="cell", source="other"),
    EventKind("roof", "the roof of {who} is hit: protection {before} -> {after} [TN-37]"),
    EventKind("flare up", "{who} flares up with {amount} [TN-33]"),
    EventKind("external", "the fire in {who} reaches the outside, ST {after} [TN-23]"),
    EventKind("alight", "{who} is alight", target="cell"),
    EventKind("direction", "the fire in {who} reaches out {heading} (rolled {face}) [TN-31]"),
    EventKind("building lost", "all of {who} is lost"),
    EventKind("stalled", "{who} burns in the same spot: {sum} [TN-18]"),
    EventKind("sparks fly", "sparks from {who} fly {heading} (rolled {face}) [TN-31]"),
    EventKind("nothing there", "they find nothing to burn there"),
    EventKind("roof holds", "the roof of {who} takes a first hit and holds, protection {after} [TN-40]"),
    EventKind("doused", "the fire in {who} is put out"),
)

OUTCOME_COLUMNS = (
    Column("steps", "turns", "turns played"),
    Column("burning", "hexes", "hexes still alight at the end"),
    Column("lit", "hexes", "hexes that ever burnt"),
    Column("consumed", "hexes", "hexes burnt down"),
    Column("buildings_lost", "buildings", "buildings with every hex consumed"),
    Column("collapsed", "hexes", "hexes that fell in"),
    Column("flare_ups", "flare-ups", "net damage of 5 or more of an external fire, sparks used or lost"),
    Column("jumps", "hexes", "hexes lit from another building, by jump or spark"),
)
