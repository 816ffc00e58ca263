"""The words a ship scenario may use, with their defaults [D-S2, D-S11, D-S12]; `prepare` gives them their meaning."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from firesim.core.checking import FromList, Said
from firesim.core.words import Cell, Horizon, Overrides, Seed, Step, Whole, Words

SIDE_MOST = 100
"""The most squares along a module's side."""

HEALTH_MOST = 1_000_000
SKILL_MOST = 1000

Square = Annotated[tuple[Whole, Whole], FromList, Said("a square [row, col] of the module", "squares [row, col]")]
Skill = Annotated[int, Field(ge=0, le=SKILL_MOST)]
Order = Literal[
    "none",
    "extinguish module",
    "extinguish person",
    "extinguish all",
    "station module",
    "station all",
    "open door",
    "hold door",
    "move",
    "grapple",
    "carry",
    "spacewalk",
]
DOOR_ORDERS = ("open door", "hold door")
"""Orders that cost no action [SH-36]."""


class Legend(Words):
    """What a symbol of the map stands for: a module."""

    module: str = ""
    external_door: bool = False
    broken: bool = False


class Map(Words):
    """The map: rows of symbols separated by blanks, forward up, and the modules they stand for."""

    grid: Literal["modules"] = "modules"
    rows: list[str]
    legend: dict[str, Legend] = {}
    title: str = ""


class Options(Words):
    """The readings of the rulebook's table of options; the default comes first."""

    modules_first: bool = False
    new_fire_hurts: bool = False
    relight: bool = True
    splash_walls: bool = False
    hull_repeat: bool = True
    person6_breaks: bool = False
    adjacent: Literal[8, 4] = 8
    side: Annotated[int, Field(ge=1, le=SIDE_MOST)] = 5
    shared_splash: bool = False
    toolkit_at_station: bool = False
    tentac_ignites: Literal["first", "chosen"] = "first"
    grapple_each_phase: bool = False


class Ignite(Words):
    """A module on fire from phase `step` on; `alight = false`: weapon fire on it each phase until it burns [D-S12]."""

    cell: Cell
    step: Step = 1
    alight: bool = True


class Event(Words):
    """Something that happens at the start of phase `step` to a module, or to several [D-S12]."""

    step: Step
    kind: Literal["weapon", "douse", "demolish", "door"]
    cell: Cell | None = None
    cells: list[Cell] | None = None


class Crew(Words):
    """A person aboard, and the orders carried out each phase [D-S1, D-S2, D-S11].

    `target`: a module [row, col] for a station, a person's name for a grapple. `path`: modules to move through.
    `luck`: rerolls that a person at the table may use; no rule of the fire looks at it [SH-54].
    """

    name: str
    cell: Cell
    square: Square | None = None
    health: Annotated[int, Field(ge=1, le=HEALTH_MOST)]
    engineering: Skill = 0
    athletics: Skill = 0
    luck: Skill = 0
    toolkit: bool = False
    tentac: bool = False
    eva: bool = False
    on_fire: bool = False
    spacewalking: bool = False
    order: Order | list[Order] = "none"
    target: str | Cell | None = None
    path: list[Cell] = []


class Item(Words):
    """A thing that fire may damage and never burns [SH-09]; the three kinds behave alike [D-S10]."""

    name: str = ""
    kind: Literal["barrel", "cargo", "personal"]
    cell: Cell
    square: Square | None = None


class Watch(Words):
    """Modules to watch: adds the columns `<name>_lit_at` and `<name>_lost` (all of them broken)."""

    name: str
    cells: list[Cell]


class Ship(Words):
    """A whole ship scenario."""

    system: Literal["ship"]
    title: str = ""
    seed: Seed | None = None
    steps: Horizon | None = None
    map: Map
    options: Options = Options()
    crew: list[Crew] = []
    item: list[Item] = []
    ignite: list[Ignite] = []
    event: list[Event] = []
    watch: list[Watch] = []
    tables: Overrides = {}
