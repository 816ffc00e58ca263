"""What the ship's kernel may know: the map, crew, items and orders, the options as integers, the book's numbers."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from firesim.core.fields import Field, Records

Array = np.ndarray[Any, Any]

EIGHT, FOUR = 0, 1
FIRST, CHOSEN = 0, 1

CHOICES: dict[str, tuple[Any, ...]] = {"adjacent": (8, 4), "tentac_ignites": ("first", "chosen")}
"""Options with words or fixed numbers: the code is the place in the tuple."""

FORWARD, STARBOARD, AFT, PORT = range(4)
"""Directions by code; a die's 2 to 5 in this order [SH-10, SH-15]."""

DIRECTIONS = ("forward", "starboard", "aft", "port")
ROW_STEPS, COL_STEPS = np.array([-1, 0, 1, 0]), np.array([0, 1, 0, -1])

EV_WEAPON, EV_DOUSE, EV_DEMOLISH, EV_DOOR = range(4)
"""Kinds of events in `ShipEvent.kind`."""

(
    EXTINGUISH_MODULE, EXTINGUISH_PERSON, EXTINGUISH_ALL, STATION_MODULE, STATION_ALL, OPEN_DOOR, HOLD_DOOR, MOVE,
    GRAPPLE, CARRY, SPACEWALK,
) = range(11)  # fmt: skip
"""Orders in `ShipOrder.kind`; `none` is no order at all."""

ORDERS = (
    "extinguish module", "extinguish person", "extinguish all", "station module", "station all", "open door",
    "hold door", "move", "grapple", "carry", "spacewalk",
)  # fmt: skip
"""Words of the orders by code."""

NOBODY = -1
OWN_MODULE = -1


class ShipSite:
    """What stands on one cell of the map."""

    exists: Annotated[int, Field("uint8", (), "state", "a module")]
    external_door: Annotated[int, Field("uint8", (), "state", "it has a door to space [SH-33]")]
    life_support: Annotated[int, Field("uint8", (), "state", "a module named `life support` [D-S8]")]
    to: Annotated[Array, Field("int32", (4,), "state", "module forward, starboard, aft, port; the rim where none")]


class ShipCrew:
    """One person, as the scenario has him."""

    row: Annotated[int, Field("int32", (), "state", "row of the square in the module", "squares")]
    col: Annotated[int, Field("int32", (), "state", "column of the square in the module", "squares")]
    health: Annotated[int, Field("int32", (), "state", "damage at which he is out of action [D-S2]")]
    engineering: Annotated[int, Field("int32", (), "state", "skill of extinguishing [SH-21]")]
    athletics: Annotated[int, Field("int32", (), "state", "skill of holding out without life support [D-S8]")]
    toolkit: Annotated[int, Field("uint8", (), "state", "in hand [SH-24]")]
    tentac: Annotated[int, Field("uint8", (), "state", "each fire die is followed by a second [SH-12]")]
    eva: Annotated[int, Field("uint8", (), "state", "a suit against the lack of life support [SH-31]")]
    first_order: Annotated[int, Field("int32", (), "state", "first of his orders")]
    end_order: Annotated[int, Field("int32", (), "state", "one past the last of his orders")]


class ShipThing:
    """One item: where it lies."""

    cell: Annotated[int, Field("int32", (), "state", "its module")]
    row: Annotated[int, Field("int32", (), "state", "row of its square in the module", "squares")]
    col: Annotated[int, Field("int32", (), "state", "column of its square in the module", "squares")]


class ShipOrder:
    """A standing order [D-S1]; its path is `path[first:end]`."""

    kind: Annotated[int, Field("int32", (), "state", "EXTINGUISH_MODULE, ...")]
    person: Annotated[int, Field("int32", (), "state", "whom a grapple is for; NOBODY")]
    cell: Annotated[int, Field("int32", (), "state", "the module a station aims at; OWN_MODULE")]
    first: Annotated[int, Field("int32", (), "state", "first module of its path")]
    end: Annotated[int, Field("int32", (), "state", "one past the last module of its path")]


class ShipEvent:
    """An event on one module; sorted by step, then in file order."""

    step: Annotated[int, Field("int64", (), "state", "phase at whose start it happens")]
    kind: Annotated[int, Field("int64", (), "state", "EV_WEAPON, ...")]
    cell: Annotated[int, Field("int64", (), "state", "the module")]
    number: Annotated[int, Field("int64", (), "state", "place of the event in the file, which keys its die")]


class ShipIgnition:
    """A module to be set on fire."""

    cell: Annotated[int, Field("int64", (), "state", "the module")]
    step: Annotated[int, Field("int64", (), "state", "from this phase on")]
    alight: Annotated[int, Field("int64", (), "state", "burning without a die [D-S12]")]


class ShipBook:
    """Numbers of `tables.toml`."""

    difficulty: Annotated[int, Field("int64", (), "state", "[SH-21]")]
    every_fire: Annotated[int, Field("int64", (), "state", "added for all legal targets at once [SH-23, SH-26]")]
    toolkit: Annotated[int, Field("int64", (), "state", "[SH-24]")]
    remote: Annotated[int, Field("int64", (), "state", "[SH-53]")]
    door_out_to: Annotated[int, Field("int64", (), "state", "[SH-34]")]
    weapon_from: Annotated[int, Field("int64", (), "state", "[SH-06]")]
    item_from: Annotated[int, Field("int64", (), "state", "[SH-09]")]
    air_difficulty: Annotated[int, Field("int64", (), "state", "[D-S8]")]
    air_phases: Annotated[int, Field("int64", (), "state", "[SH-40, D-S8]")]
    hull_from: Annotated[Array, Field("int64", (12,), "state", "hull damage from which 2, 3, ... 13 is due [A2-06]")]


class ShipOptions:
    """The readings in force: codes above, flags as 0 or 1."""

    modules_first: Annotated[int, Field("int64", (), "state", "[A2-01]")]
    new_fire_hurts: Annotated[int, Field("int64", (), "state", "[A2-03]")]
    relight: Annotated[int, Field("int64", (), "state", "[A2-04]")]
    splash_walls: Annotated[int, Field("int64", (), "state", "[A2-07]")]
    hull_repeat: Annotated[int, Field("int64", (), "state", "[A2-08]")]
    person6_breaks: Annotated[int, Field("int64", (), "state", "[A2-09]")]
    adjacent: Annotated[int, Field("int64", (), "state", "[A2-11]")]
    side: Annotated[int, Field("int64", (), "state", "[A2-18]")]
    shared_splash: Annotated[int, Field("int64", (), "state", "[A2-23]")]
    toolkit_at_station: Annotated[int, Field("int64", (), "state", "[A2-14]")]
    tentac_ignites: Annotated[int, Field("int64", (), "state", "[A2-15]")]
    grapple_each_phase: Annotated[int, Field("int64", (), "state", "[A2-19]")]


class ShipParams(NamedTuple):
    """All of it. The cells of watch i are `watch_cells[watch_first[i]:watch_first[i + 1]]`."""

    cells: Records  # ShipSite, one per cell and the rim
    crew: Records  # ShipCrew
    items: Records  # ShipThing
    orders: Records  # ShipOrder
    path: Array  # int32
    options: Records  # one ShipOptions
    book: Records  # one ShipBook
    events: Records  # ShipEvent
    ignitions: Records  # ShipIgnition
    life_support: Array  # int32, the modules of that name
    watch_first: Array  # int64
    watch_cells: Array  # int32
    cols: int
