"""The words a town scenario may use, with their defaults [D-W14, D-W15]; `prepare` gives them their meaning."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from firesim.core.checking import FromList, Said
from firesim.core.words import Cell, Horizon, Overrides, Seed, Step, Words

ST_MOST = 1_000_000
"""The largest structure a hex may have: far above any building, far below where the kernel's integers end."""

FLOORS_MOST = 100
ARMOUR_MOST = 1000
GAP_MOST = 10_000

Moisture = Literal["wet", "damp", "normal", "arid"]
Sixths = Annotated[int, Field(ge=0, le=6)]


class Placed(Words):
    """An accelerant in a hex; `several`: in more than one melee hex, so that it burns two turns [TN-50]."""

    kind: str
    several: bool = False


class Legend(Words):
    """What a symbol of the map stands for: one hex of a building, or open ground when `ground` is given."""

    ground: str | None = None
    building: str | None = None
    material: str | None = None
    armour: Annotated[int, Field(ge=0, le=ARMOUR_MOST)] | None = None
    roof: str | None = None
    roof_protection: Annotated[int, Field(ge=0, le=ARMOUR_MOST)] | None = None
    floors: Annotated[int, Field(ge=1, le=FLOORS_MOST)] = 1
    st: Annotated[int, Field(ge=1, le=ST_MOST)] | None = None
    setback: Annotated[int, Field(ge=0, le=GAP_MOST)] = 0
    moisture: Moisture | None = None
    accelerant: str | list[str | Placed] | None = None


class Between(Words):
    """The gap between two neighbouring hexes, in melee hexes; replaces default and setbacks."""

    cells: Annotated[tuple[Cell, Cell], FromList, Said("two cells [[row, col], [row, col]]", "pairs of cells")]
    gap: Annotated[int, Field(ge=0, le=GAP_MOST)]


class Gaps(Words):
    """Distances between the buildings of neighbouring hexes, in melee hexes [A1-26]."""

    default: Annotated[int, Field(ge=0, le=GAP_MOST)] = 1
    between: list[Between] = []


class Map(Words):
    """The map: rows of symbols separated by blanks, and what they stand for."""

    grid: Literal["hex"] = "hex"
    orientation: Literal["pointy", "flat"] = "pointy"
    rows: list[str]
    legend: dict[str, Legend] = {}
    gaps: Gaps = Gaps()
    title: str = ""


class Weather(Words):
    """Moisture and the heading the wind blows towards (`none`, a heading, or `die`: a d6 each turn)."""

    moisture: Moisture = "normal"
    wind: str = "none"


class Options(Words):
    """The readings of the rulebook's table of options; the default comes first."""

    mode: Literal["gritty", "simple"] = "gritty"
    collapse: Literal["once", "each_turn"] = "once"
    collapse_strict: bool = False
    collapse_effect: Literal["flag", "floors", "debris"] = "flag"
    flare_by: Literal["net", "die"] = "net"
    spark_unit: Literal["melee", "village"] = "melee"
    spark_all: bool = False
    spark_reach: Literal["up_to", "exact"] = "up_to"
    roof_mode: Literal["layer", "layer_burns", "replaces"] = "layer"
    gap3: Literal["jump", "flare", "per_three"] = "jump"
    inferno_radius: Annotated[int, Field(ge=0, le=50)] = 1
    inferno_count: Annotated[int, Field(ge=1, le=1000)] = 1
    inferno_exclusive: bool = False
    accel_needs_fire: bool = False
    accel_stack: Literal["sum", "max"] = "sum"
    tile_mode: Literal["second_hit", "per_two_turns"] = "second_hit"
    one_hex: bool = True
    wind_weights: Annotated[list[Sixths], Field(min_length=6, max_length=6)] = [4, 1, 0, 0, 0, 1]
    jump: Literal["one", "arc", "all"] = "one"
    stall_jump: bool = False
    simple_mods: bool = False


class Ignite(Words):
    """A fire attack on `cell` every turn from `step` until it catches; `alight`: burning from `step` on instead."""

    cell: Cell
    step: Step = 1
    inside: bool = False
    alight: bool = False


class Event(Words):
    """Something that happens at the start of turn `step`; the value's key is the kind [D-W15]."""

    step: Step
    kind: Literal["wind", "moisture", "wet", "accelerant", "demolish", "douse", "ignite"]
    cell: Cell | None = None
    cells: list[Cell] | None = None
    building: str | None = None
    wind: str | None = None
    moisture: Moisture | None = None
    accelerant: str | None = None
    several: bool = False
    inside: bool = False
    alight: bool = False


class Watch(Words):
    """A place to watch: adds the columns `<name>_lit_at` and `<name>_lost`."""

    name: str
    building: str | None = None
    cells: list[Cell] | None = None


class Town(Words):
    """A whole town scenario."""

    system: Literal["town"]
    title: str = ""
    seed: Seed | None = None
    steps: Horizon | None = None
    map: Map
    weather: Weather = Weather()
    options: Options = Options()
    ignite: list[Ignite] = []
    event: list[Event] = []
    watch: list[Watch] = []
    tables: Overrides = {}
