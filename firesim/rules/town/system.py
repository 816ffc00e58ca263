"""The town as the rest of firesim sees it: check, prepare, draw, describe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from pydantic import BaseModel

from firesim.core.fields import copied
from firesim.core.maps import cell_name
from firesim.core.problems import Problem
from firesim.core.scenario import Scenario
from firesim.core.telling import count_of
from firesim.events.records import EventKind, Record
from firesim.rules.base import PHASE, STEPS_MOST, Arrow, Column, Prepared, Scene, Swatch, Team, Terms
from firesim.rules.town import state as s
from firesim.rules.town.check import check
from firesim.rules.town.look import ROOF_MARKS, SWATCHES, codes
from firesim.rules.town.names import book
from firesim.rules.town.telling import event_text, fares
from firesim.rules.town.words import Town

HOUSES = ("shack", "wooden house", "wattle house", "house", "earthen house", "brick house", "stone house")
"""What a sentence calls a building without a name, by material code."""


class TownSystem:
    """Burning down the town [TN-01..TN-72]."""

    name = "town"
    words: type[BaseModel] = Town
    step_word = "Turn"
    purposes: tuple[str, ...] = s.PURPOSES
    event_kinds: tuple[EventKind, ...] = s.EVENT_KINDS
    outcome_columns: tuple[Column, ...] = s.OUTCOME_COLUMNS
    swatches: tuple[Swatch, ...] = SWATCHES
    roof_marks: tuple[Swatch, ...] = ROOF_MARKS
    piece_swatches: tuple[Swatch, ...] = ()
    door_swatches: tuple[Swatch, ...] = ()
    terms: Terms = Terms()
    records: tuple[str, ...] = s.RECORDS
    deeds: type[BaseModel] | None = None

    def check(self, document: dict[str, Any]) -> tuple[Town | None, list[Problem]]:
        """The checked words of a document (None when they cannot be read), and all problems."""
        return check(document)

    def departures(self, words: Any) -> list[str]:
        """What the scenario's tables change against the book, each in words."""
        return book().with_overrides(words.tables)[1]

    def prepare(self, scenario: Scenario) -> Prepared:
        """Names to codes, tables to params, map to links, and the town before the first turn."""
        from firesim.grid.hexes import HEADINGS
        from firesim.rules.town import kernel  # noqa: F401  (registers the kernel)
        from firesim.rules.town import prepare as made

        words = scenario.words
        assert isinstance(words, Town)
        tables = made.tables_of(words)
        layout = made.layout_of(words, tables)
        rows = len(words.map.rows)
        shape = (rows, len(layout.kind_of) // rows)
        params = made.params_of(words, tables, layout, shape)
        dice, lines = made.most_per_act(words, params)
        watched = [f"{watch.name}_{what}" for watch in words.watch for what in ("lit_at", "lost")]
        return Prepared(
            system=self,
            scenario=scenario,
            params=params,
            first=made.first_state(words, params, layout),
            columns=(*(column.name for column in s.OUTCOME_COLUMNS), *watched),
            shape=shape,
            dice_per_act=dice,
            rows_per_act=lines,
            horizon=STEPS_MOST if scenario.steps is None else scenario.steps,
            headings=HEADINGS[words.map.orientation],
            orientation=words.map.orientation,
            buildings=layout.building,
            labels={number: name for number, name in layout.names.items() if not name[-1:].isdigit()},
            look=made.Look(
                layout.each("ground", "uint8"),
                layout.each("material", "uint8"),
                layout.each("roof_code", "uint8"),
                layout.names,
            ),
        )

    def last_scheduled_step(self, prepared: Prepared) -> int:
        """The last turn for which an event or the beginning of an ignition is set; 0 when there is none."""
        steps = [0, *prepared.params.events.step.tolist(), *prepared.params.ignitions.step.tolist()]
        return int(max(steps))

    def lively(self, prepared: Prepared) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Which hexes can ever change: those of buildings."""
        return np.asarray(prepared.first.cells.standing != 0)

    def idle(self, prepared: Prepared, column: str) -> set[tuple[str, str]]:
        """Fields that cannot decide what becomes of an outcome column: none."""
        return set()

    def parts(self, prepared: Prepared) -> list[Prepared]:
        """The scenario once for each part that burns by itself."""
        from firesim.rules.town.parts import parts_of

        return parts_of(prepared)

    def team(self, prepared: Prepared, state: Any, threads: int) -> Team | None:
        """Threads that burn a large fire together."""
        from firesim.rules.town.team import team_of

        return team_of(prepared, state, threads)

    def cell_name(self, prepared: Prepared, cell: int) -> str:
        """`the church (4, 12)`, `the wooden house (4, 13)`, `Dark Fair 7 (4, 14)`; open ground by place alone."""
        cols = prepared.shape[1]
        place = cell_name(cell // cols, cell % cols)
        building = int(prepared.params.cells[cell].building)
        if not building:
            return place
        name = prepared.look.names.get(building)
        if not name:
            return f"the {HOUSES[int(prepared.look.material[cell])]} {place}"
        return f"the {name} {place}" if name[:1].islower() else f"{name} {place}"

    def named(self, prepared: Prepared) -> dict[str, list[int]]:
        """The buildings with names, and their hexes."""
        places = prepared.params.cells.building
        return {name: np.flatnonzero(places == number).tolist() for number, name in prepared.look.names.items()}

    def fares(self, prepared: Prepared, state: Any, number: int) -> str:
        """How a hex fares: structure, protection, fire."""
        return fares(prepared.first.cells[number], state.cells[number])

    def scene(self, prepared: Prepared, state: Any, events: Sequence[Record], step: int) -> Scene:
        """The town as a picture, with what jumped and flew in this turn."""
        cells = prepared.shape[0] * prepared.shape[1]
        now, look = state.cells, prepared.look
        shown = codes(
            look.ground,
            look.material,
            prepared.params.cells.building,
            now.burning,
            now.external,
            now.armour,
            now.collapsed,
            now.consumed,
            now.demolished,
        )
        lit = {(e.step, e.cell) for e in events if e.event == "lit"}
        arrows = [
            Arrow(e.other, e.cell, (e.step, e.cell) in lit)
            for e in events
            if e.event in ("jump", "spark") and e.step == step
        ]
        wind = int(state.weather[s.THIS_WIND if state.clock[PHASE] or step else s.WIND])
        burning, consumed = int(state.cells.burning.sum()), int(state.cells.consumed.sum())
        caption = f"Turn {step}: {burning} burning, {consumed} burnt out"
        return Scene(shown[:cells], caption, arrows, wind if wind >= 0 else None, prepared.look.roof[:cells])

    def players_scene(self, prepared: Prepared, state: Any, events: Sequence[Record], step: int) -> Scene:
        """The town as seen from the street: fires that have not reached the outside, and armour, do not show."""
        seen = copied(state)
        hidden = (seen.cells.burning != 0) & (seen.cells.external == 0)
        seen.cells.burning[hidden] = 0
        seen.cells.armour[:] = 1
        told = self.scene(prepared, seen, events, step)
        out = [arrow for arrow in told.arrows if not (hidden[arrow.origin] or (arrow.hit and hidden[arrow.target]))]
        return replace(told, arrows=out)

    def alight(self, prepared: Prepared, state: Any) -> list[int]:
        """The hexes that burn."""
        return [int(cell) for cell in np.flatnonzero(state.cells.burning)]

    def do(self, prepared: Prepared, state: Any, deed: Any, document: dict[str, Any]) -> list[Problem]:
        """A town has no people: all that can be done there is an event."""
        return [Problem("nothing can be done in a town but events", "an event")]

    def takes(self, kind: str) -> tuple[str, ...]:
        """The keys that an event of a kind may have."""
        from firesim.rules.town.check_happenings import keys_of

        return keys_of(kind)

    def event_text(self, prepared: Prepared, event: Any) -> str:
        """What an event does, `the house (0, 1) is wetted`."""
        return event_text(event, lambda cell: self.cell_name(prepared, cell), prepared.shape[1], self.named(prepared))

    def deed_text(self, prepared: Prepared, deed: Any) -> str:
        """There are no deeds in a town."""
        raise NotImplementedError

    def story(self, prepared: Prepared, outcome: dict[str, int]) -> str:
        """The outcome of a fire in a few sentences."""
        hexes = int(np.count_nonzero(prepared.params.cells.building))
        buildings = len(prepared.first.buildings) - 1
        if not outcome["lit"]:
            return f"Nothing caught fire in {count_of(outcome['steps'], 'turn')}."
        lit, consumed, lost = outcome["lit"], outcome["consumed"], outcome["buildings_lost"]
        turns, jumps = count_of(outcome["steps"], "turn"), count_of(outcome["jumps"], "time")
        flares, fell = count_of(outcome["flare_ups"], "time"), count_of(outcome["collapsed"], "hex", "hexes")
        said = [
            f"{lit} of {count_of(hexes, 'building hex', 'building hexes')} caught fire and {consumed} burnt down in "
            f"{turns};",
            f"{lost} of {count_of(buildings, 'building')} {'was' if lost == 1 else 'were'} lost.",
            f"Fire reached another building {jumps}, flared up {flares}, and {fell} fell in.",
        ]
        if outcome["burning"]:
            said.append(f"{count_of(outcome['burning'], 'hex', 'hexes')} still burning at the end.")
        return " ".join(said)


SYSTEM = TownSystem()
