"""What a rule system is to the rest of firesim, and the registry of those that exist."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import numpy as np
from pydantic import BaseModel

from firesim.core.hands import Hands
from firesim.core.problems import Problem
from firesim.core.scenario import Scenario
from firesim.events.records import EventKind, Record

SYSTEMS = ("town", "ship")
"""Names of the systems; each is the module `firesim.rules.<name>.system` with an object `SYSTEM`."""

STEP, PHASE, POSITION = range(3)
"""Places in every state's `clock`: steps completed, phase of the step under way, position in that phase."""

TOUCHED = 8
"""Place in every state's `counts`: how many cells of `touched_list` differ from the start."""

STEPS_MOST = 100_000
"""Where a fire without a horizon is stopped; what still burns then counts as `burning`."""


@dataclass(frozen=True)
class Prepared:
    """A scenario made ready for its kernel.

    params, first: NamedTuples, the initial state never to be written to. columns: the outcome columns in order.
    dice_per_act, rows_per_act: the most dice an act may roll and rows it may log. horizon: the last step.
    labels: for pictures, the names that the map gives, by building number; what has none is left out.
    buildings: for pictures, (cells) the building on each cell, 0 = none; None where there are none at all.
    grid: for pictures, what a cell looks like: a hex of an `orientation`, or a module of `side` x `side` squares.
    look: whatever else the system keeps for its pictures and sentences.
    """

    system: System
    scenario: Scenario
    params: Any
    first: Any
    columns: tuple[str, ...]
    shape: tuple[int, ...]
    dice_per_act: int
    rows_per_act: int
    horizon: int
    headings: tuple[str, ...] = ()
    labels: Mapping[int, str] = field(default_factory=dict)
    buildings: np.ndarray[Any, Any] | None = None
    grid: Literal["hex", "modules"] = "hex"
    orientation: Literal["pointy", "flat"] = "pointy"
    side: int = 1
    look: Any = None


@dataclass(frozen=True)
class Swatch:
    """One entry of a picture's legend: a code's meaning, its colour, and what tells it on a grey print.

    hatch: a letter, or the name of a mark of `render.marks` (`flame`, `waves`); empty = plain. changes: it comes and
    goes during a fire, so that an animation's legend names it from the start. shape: of a piece or a door, the name of
    an outline of `render.outlines`. Among pieces and doors, one that changes takes the place of the last one before it
    that does not. A swatch without a label is left out of the legend.
    """

    label: str
    colour: str
    hatch: str = ""
    changes: bool = False
    shape: str = ""


Place = tuple[float, float]
"""A place in a cell, in its squares: whole numbers are row and column of a square; it may lie beyond the cell."""


@dataclass(frozen=True)
class Arrow:
    """Something that flew from one cell to another in a step (flat indices); `hit`: whether it took hold.

    begin, end: the places in these cells between which it flew; None = the middle.
    """

    origin: int
    target: int
    hit: bool
    begin: Place | None = None
    end: Place | None = None


@dataclass(frozen=True)
class Piece:
    """Somebody or something with a place in a cell; `code` into the system's piece swatches.

    letter: written on it. name: written beside it where there is room. Of several at one place of which only one can
    be shown, the one with the highest code is.
    """

    cell: int
    place: Place
    code: int
    letter: str = ""
    name: str = ""


@dataclass(frozen=True)
class Door:
    """A door on the side of a cell that looks towards `heading` (None: in the cell); `code` into the door swatches."""

    cell: int
    heading: int | None
    code: int


@dataclass(frozen=True)
class Scene:
    """One step as a picture: `codes` (cells) uint8 into the system's swatches, arrows, and the title's words.

    wind: the heading it blows towards, None = no wind. roofs: (cells) uint8 into the system's roof marks, 0 = none.
    pieces, doors: what stands in cells and on their sides.
    """

    codes: np.ndarray[Any, Any]
    caption: str
    arrows: Sequence[Arrow] = ()
    wind: int | None = None
    roofs: np.ndarray[Any, Any] | None = None
    pieces: Sequence[Piece] = ()
    doors: Sequence[Door] = ()


@dataclass(frozen=True)
class Column:
    """An outcome column: its name, unit, and what it counts."""

    name: str
    unit: str
    doc: str


@dataclass(frozen=True)
class Terms:
    """What a system's pictures call things.

    hit, miss: what an arrow that took hold says, and one that did not. standing: what a cell of the map holds, as in
    "building, never burnt". windy: whether there can be wind, so that its absence is worth telling.
    """

    hit: str = "spark or jump, caught"
    miss: str = "spark or jump, no fire"
    standing: str = "building"
    windy: bool = True
    hex_width: tuple[float, str] = (10, "yd")


class Team(Protocol):
    """Several threads that play steps of a fire together: the same bits as one thread.

    least: how many must act for it to be of use.
    """

    hands: Hands
    least: int

    def divide(self) -> None:
        """Share out the state for which the team was made."""

    def goes_on(self) -> bool:
        """Whether the next step can be played as the state is shared out, and is worth it."""

    def step(self, key: Any) -> None:
        """Play a step together."""

    def gather(self) -> None:
        """Bring the state together again."""


class System(Protocol):
    """A rule system as `play`, `studies`, `render` and the command line see it."""

    name: str
    words: type[BaseModel]
    step_word: str
    purposes: tuple[str, ...]
    event_kinds: tuple[EventKind, ...]
    outcome_columns: tuple[Column, ...]
    swatches: tuple[Swatch, ...]
    roof_marks: tuple[Swatch, ...]
    piece_swatches: tuple[Swatch, ...]
    door_swatches: tuple[Swatch, ...]
    terms: Terms
    records: tuple[str, ...]
    deeds: type[BaseModel] | None

    def check(self, document: dict[str, Any]) -> tuple[Any, list[Problem]]:
        """The checked words of a document (None when they cannot be read), and all problems."""

    def departures(self, words: Any) -> list[str]:
        """What the scenario's tables change against the book, each in words."""

    def prepare(self, scenario: Scenario) -> Prepared:
        """Names to codes, tables to params, map to links, and the state before the first step."""

    def last_scheduled_step(self, prepared: Prepared) -> int:
        """The last step for which something is set in the scenario; 0 when there is nothing."""

    def lively(self, prepared: Prepared) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Which cells can ever change (cells,); the others are left out of exact odds."""

    def idle(self, prepared: Prepared, column: str) -> set[tuple[str, str]]:
        """Fields (array, field of its records or "") that can no longer decide what becomes of an outcome column."""

    def parts(self, prepared: Prepared) -> list[Prepared]:
        """The scenario once for each part that burns by itself, whatever the dice."""

    def team(self, prepared: Prepared, state: Any, threads: int) -> Team | None:
        """At most so many threads for the fires of a state; None where one burns them as quickly."""

    def cell_name(self, prepared: Prepared, cell: int) -> str:
        """How a sentence names a cell."""

    def named(self, prepared: Prepared) -> Mapping[str, Sequence[int]]:
        """All that bears a name, with the numbers of its cells, or of the person, as in dice and log."""

    def fares(self, prepared: Prepared, state: Any, number: int) -> str:
        """How a cell or a person fares, for the GM: figures, fire, harm."""

    def scene(self, prepared: Prepared, state: Any, events: Sequence[Record], step: int) -> Scene:
        """The picture of a state."""

    def players_scene(self, prepared: Prepared, state: Any, events: Sequence[Record], step: int) -> Scene:
        """The picture of a state as players may see it: no fire that nobody sees, no figures of the rules."""

    def alight(self, prepared: Prepared, state: Any) -> list[int]:
        """All that burns, by the numbers of dice and log."""

    def do(self, prepared: Prepared, state: Any, deed: Any, document: dict[str, Any]) -> list[Problem]:
        """Do one of the `deeds`, what a person at the table does between steps that is no event of the scenario.

        Writes into `state` and `document`, both copies made for it, what holds from the next step on. Returns what is
        wrong with the deed, having written nothing then.
        """

    def takes(self, kind: str) -> tuple[str, ...]:
        """The keys that an event or a deed of a kind may have, beside its step; what it needs comes first."""

    def event_text(self, prepared: Prepared, event: Any) -> str:
        """What an event does, as a sentence, `the house (0, 1) is wetted`; event: of the model in `words`."""

    def deed_text(self, prepared: Prepared, deed: Any) -> str:
        """A deed as a sentence, `Kest is hurt by 3`."""

    def story(self, prepared: Prepared, outcome: dict[str, int]) -> str:
        """The outcome of a fire in a few sentences."""


def system_named(name: str) -> System:
    """The rule system `name`; its modules are imported on first use. Raises KeyError for an unknown name."""
    if name not in SYSTEMS:
        raise KeyError(name)
    system: System = importlib.import_module(f"firesim.rules.{name}.system").SYSTEM
    return system
