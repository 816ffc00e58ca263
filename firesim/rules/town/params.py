"""What the town's kernel may know: the map, the options as integers, the book's numbers."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from firesim.core.fields import Field, Records
from firesim.grid.links import HexLinks

Array = np.ndarray[Any, Any]

GRITTY, SIMPLE = 0, 1
ONCE, EACH_TURN = 0, 1
FLAG, FLOORS, DEBRIS = range(3)
NET, DIE = 0, 1
MELEE, VILLAGE = 0, 1
UP_TO, EXACT = 0, 1
LAYER, LAYER_BURNS, REPLACES = range(3)
GAP3_JUMP, GAP3_FLARE, GAP3_PER_THREE = range(3)
SUM, MAX = 0, 1
SECOND_HIT, PER_TWO_TURNS = 0, 1
ONE, ARC, ALL = range(3)

CHOICES: dict[str, tuple[str, ...]] = {
    "mode": ("gritty", "simple"),
    "collapse": ("once", "each_turn"),
    "collapse_effect": ("flag", "floors", "debris"),
    "flare_by": ("net", "die"),
    "spark_unit": ("melee", "village"),
    "spark_reach": ("up_to", "exact"),
    "roof_mode": ("layer", "layer_burns", "replaces"),
    "gap3": ("jump", "flare", "per_three"),
    "accel_stack": ("sum", "max"),
    "tile_mode": ("second_hit", "per_two_turns"),
    "jump": ("one", "arc", "all"),
}
"""Options with words: the code is the place in the tuple."""

MOISTURES = ("", "wet", "damp", "normal", "arid")
"""Moisture words by code; 0 in a hex means the weather's."""

EV_WIND, EV_MOISTURE, EV_WET, EV_ACCELERANT, EV_DEMOLISH, EV_IGNITE, EV_DOUSE = range(7)
"""Kinds of events in `TownEvents.kind`."""


class TownSite:
    """The building in one hex, as it was built."""

    building: Annotated[int, Field("int32", (), "state", "number of the building, from 1; 0 = open ground")]
    st0: Annotated[int, Field("int32", (), "state", "ST before the fire", "ST")]
    floors: Annotated[int, Field("int16", (), "state", "floors [TN-33]")]
    setback: Annotated[int, Field("int16", (), "state", "added to every gap [D-W14]", "melee hexes")]
    tile: Annotated[int, Field("uint8", (), "state", "the roof loses a point every other time [A1-13]")]
    paired: Annotated[int, Field("uint8", (), "state", "some gap of this hex is given pair by pair")]
    sparks: Annotated[int, Field("uint8", (), "state", "sparks of a flare-up here could land somewhere [TN-33]")]


class TownPair:
    """A gap given pair by pair, from one of its sides; sorted by edge."""

    edge: Annotated[int, Field("int64", (), "state", "cell * 6 + heading")]
    gap: Annotated[int, Field("int32", (), "state", "the gap", "melee hexes")]


class TownBook:
    """Numbers of `tables.toml`."""

    accelerant: Annotated[Array, Field("int64", (9,), "state", "by kind, in the table's order [TN-43..TN-48]")]
    moisture: Annotated[Array, Field("int64", (5,), "state", "by code of MOISTURES [TN-51..TN-54]")]
    inferno: Annotated[int, Field("int64", (), "state", "[TN-55]")]
    collapse_from: Annotated[int, Field("int64", (), "state", "[TN-21]")]
    collapse_percent: Annotated[int, Field("int64", (), "state", "[TN-21]")]
    external_percent: Annotated[int, Field("int64", (), "state", "[TN-23]")]
    flare_net: Annotated[int, Field("int64", (), "state", "[TN-33]")]
    reach_per_floor: Annotated[int, Field("int64", (), "state", "[TN-33]")]
    gap_default: Annotated[int, Field("int64", (), "state", "of neighbouring hexes [A1-26]")]
    gap_jump: Annotated[int, Field("int64", (), "state", "[TN-29]")]
    gap_protected: Annotated[int, Field("int64", (), "state", "[TN-32]")]
    gap_hex: Annotated[int, Field("int64", (), "state", "of a village hex between [A1-26]")]


class TownOptions:
    """The readings in force: codes above, flags as 0 or 1."""

    mode: Annotated[int, Field("int64", (), "state", "[TN-05, TN-07]")]
    collapse: Annotated[int, Field("int64", (), "state", "[A1-02]")]
    collapse_strict: Annotated[int, Field("int64", (), "state", "[A1-03]")]
    collapse_effect: Annotated[int, Field("int64", (), "state", "[A1-20]")]
    flare_by: Annotated[int, Field("int64", (), "state", "[A1-05]")]
    spark_unit: Annotated[int, Field("int64", (), "state", "[A1-06]")]
    spark_all: Annotated[int, Field("int64", (), "state", "[A1-07]")]
    spark_reach: Annotated[int, Field("int64", (), "state", "[A1-06]")]
    roof_mode: Annotated[int, Field("int64", (), "state", "[A1-08]")]
    gap3: Annotated[int, Field("int64", (), "state", "[A1-09]")]
    inferno_radius: Annotated[int, Field("int64", (), "state", "[A1-10]")]
    inferno_count: Annotated[int, Field("int64", (), "state", "[A1-10]")]
    inferno_exclusive: Annotated[int, Field("int64", (), "state", "[A1-11]")]
    accel_needs_fire: Annotated[int, Field("int64", (), "state", "[A1-12]")]
    accel_stack: Annotated[int, Field("int64", (), "state", "[A1-12]")]
    tile_mode: Annotated[int, Field("int64", (), "state", "[A1-13]")]
    one_hex: Annotated[int, Field("int64", (), "state", "[A1-14]")]
    jump: Annotated[int, Field("int64", (), "state", "[A1-17]")]
    stall_jump: Annotated[int, Field("int64", (), "state", "[A1-28]")]
    simple_mods: Annotated[int, Field("int64", (), "state", "[A1-21]")]
    wind_turn: Annotated[Array, Field("int64", (6,), "state", "headings anticlockwise of the wind, by face [A1-15]")]


class TownEvent:
    """An event; sorted by step, then in file order. Its cells are `event_cells[first:end]`."""

    step: Annotated[int, Field("int64", (), "state", "turn at whose start it happens")]
    kind: Annotated[int, Field("int64", (), "state", "EV_WIND, ...")]
    value: Annotated[int, Field("int64", (), "state", "wind, moisture or accelerant code")]
    several: Annotated[int, Field("int64", (), "state", "accelerant in several melee hexes [TN-50]")]
    first: Annotated[int, Field("int64", (), "state", "first of its cells")]
    end: Annotated[int, Field("int64", (), "state", "one past the last of its cells")]


class TownIgnition:
    """An ignition; those of events after the file's."""

    cell: Annotated[int, Field("int64", (), "state", "the hex")]
    step: Annotated[int, Field("int64", (), "state", "from this turn on")]
    inside: Annotated[int, Field("int64", (), "state", "the fire begins inside [TN-25]")]
    alight: Annotated[int, Field("int64", (), "state", "burning without an attack [D-W6]")]


class TownParams(NamedTuple):
    """All of it. The cells of watch i are `watch_cells[watch_first[i]:watch_first[i + 1]]`."""

    links: HexLinks
    cells: Records  # TownSite, one per cell and the rim
    pairs: Records  # TownPair
    options: Records  # one TownOptions
    book: Records  # one TownBook
    events: Records  # TownEvent
    event_cells: Array  # int32
    ignitions: Records  # TownIgnition
    watch_first: Array  # int64
    watch_cells: Array  # int32
    in_file: int  # how many ignitions are the file's own
    inside: int  # whether some fire begins inside
    streams: int  # whether a batch burns it as a stream of burning hexes
    lone: int  # whether every building is a single hex, so that nobody counts the hexes of each
    by_cell: int  # whether hexes of one building get in each other's way, so that those of lower number act first
    even_gaps: int  # whether every gap between neighbours is the default one
