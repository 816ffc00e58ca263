"""The ship as the rest of firesim sees it: check, prepare, draw, describe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from pydantic import BaseModel

from firesim.core.problems import Problem
from firesim.core.scenario import Scenario
from firesim.core.telling import count_of
from firesim.events.records import EventKind, Record
from firesim.rules.base import STEPS_MOST, Column, Prepared, Scene, Swatch, Team, Terms
from firesim.rules.ship import look
from firesim.rules.ship import params as p
from firesim.rules.ship import state as s
from firesim.rules.ship.book import book
from firesim.rules.ship.check import check
from firesim.rules.ship.deeds import TAKES, Deed, deed_text, do
from firesim.rules.ship.telling import event_text, fares
from firesim.rules.ship.words import Ship


class ShipSystem:
    """Ship, module and person fire [SH-01..SH-56]."""

    name = "ship"
    words: type[BaseModel] = Ship
    step_word = "Phase"
    purposes: tuple[str, ...] = s.PURPOSES
    event_kinds: tuple[EventKind, ...] = s.EVENT_KINDS
    outcome_columns: tuple[Column, ...] = s.OUTCOME_COLUMNS
    swatches: tuple[Swatch, ...] = look.SWATCHES
    roof_marks: tuple[Swatch, ...] = ()
    piece_swatches: tuple[Swatch, ...] = look.PIECES
    door_swatches: tuple[Swatch, ...] = look.DOORS
    terms: Terms = look.TERMS
    records: tuple[str, ...] = s.RECORDS
    deeds: type[BaseModel] | None = Deed

    def check(self, document: dict[str, Any]) -> tuple[Ship | None, list[Problem]]:
        """The checked words of a document (None when they cannot be read), and all problems."""
        return check(document)

    def departures(self, words: Any) -> list[str]:
        """What the scenario's tables change against the book, each in words."""
        return book().with_overrides(words.tables)[1]

    def prepare(self, scenario: Scenario) -> Prepared:
        """Names to codes, tables to params, map to links, and the ship before the first phase."""
        from firesim.rules.ship import kernel  # noqa: F401  (registers the kernel)
        from firesim.rules.ship import prepare as made

        words = scenario.words
        assert isinstance(words, Ship)
        modules, shape = made.modules_of(words)
        params = made.params_of(words, book().with_overrides(words.tables)[0], modules, shape)
        dice, lines = made.most_per_act(words)
        watched = [f"{watch.name}_{what}" for watch in words.watch for what in ("lit_at", "lost")]
        return Prepared(
            system=self,
            scenario=scenario,
            params=params,
            first=made.first_state(words, params, modules),
            columns=(*(column.name for column in s.OUTCOME_COLUMNS), *watched),
            shape=shape,
            dice_per_act=dice,
            rows_per_act=lines,
            horizon=STEPS_MOST if scenario.steps is None else scenario.steps,
            headings=p.DIRECTIONS,
            labels={cell + 1: module.module for cell, module in enumerate(modules) if module and module.module},
            buildings=np.where(params.cells.exists != 0, np.arange(1, len(params.cells) + 1), 0).astype(np.int32),
            grid="modules",
            side=words.options.side,
            look=made.Look(
                modules,
                words.crew,
                words.item,
                made.names_of(modules, shape[1], words),
                look.letters([person.name for person in words.crew]),
            ),
        )

    def last_scheduled_step(self, prepared: Prepared) -> int:
        """The last phase for which an event or the beginning of an ignition is set; 0 when there is none."""
        steps = [0, *prepared.params.events.step.tolist(), *prepared.params.ignitions.step.tolist()]
        return int(max(steps))

    def lively(self, prepared: Prepared) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Which cells can ever change: the modules."""
        return np.asarray(prepared.params.cells.exists != 0)

    def idle(self, prepared: Prepared, column: str) -> set[tuple[str, str]]:
        """Fields that cannot decide what becomes of an outcome column.

        Things never burn. Hull damage matters to the hull check alone, and the check to no fire [D-S5]. A broken module
        burns as any other; stations, life support and a hull hit only once look at it. So do orders at damage.
        """
        params = prepared.params
        kinds = set(params.orders.kind.tolist())
        air = len(params.crew) > 0 and (len(params.life_support) > 0 or p.SPACEWALK in kinds)
        air = air or bool(prepared.first.crew.outside.any())
        hull = column in ("hull_damage", "ship_lost")
        found = {("items", "damaged")}
        if column != "modules_lit":
            found.add(("cells", "burnt"))
        if column != "ship_lost":
            found.add(("ship", ""))
        stations = bool(kinds & {p.STATION_MODULE, p.STATION_ALL})
        counted = column == "modules_broken" or (column.endswith("_lost") and column != "ship_lost")
        if not (counted or stations or air or (hull and not params.options.hull_repeat)):
            found.add(("cells", "broken"))
        if column != "deaths" and not kinds and not air:
            found.add(("crew", "damage"))
        return found

    def parts(self, prepared: Prepared) -> list[Prepared]:
        """The scenario once for each part that burns by itself: a ship is one, for its hull is."""
        return [prepared]

    def team(self, prepared: Prepared, state: Any, threads: int) -> Team | None:
        """A fire on a ship is too small for several threads."""
        return None

    def cell_name(self, prepared: Prepared, cell: int) -> str:
        """How a sentence names a module, `the engine (2, 1)`, or by the numbers that follow, who or what is aboard."""
        name: str = prepared.look.names[cell]
        return name

    def named(self, prepared: Prepared) -> dict[str, list[int]]:
        """Modules, people and things with names, and their numbers."""
        first = len(prepared.first.cells)
        found: dict[str, list[int]] = {}
        for cell, module in enumerate(prepared.look.modules):
            if module and module.module:
                found.setdefault(module.module, []).append(cell)
        for number, item in enumerate(prepared.look.items, first + len(prepared.look.crew)):
            if item.name:
                found.setdefault(item.name, []).append(number)
        return found | {person.name: [first + number] for number, person in enumerate(prepared.look.crew)}

    def fares(self, prepared: Prepared, state: Any, number: int) -> str:
        """How a module, a person or a thing fares."""
        return fares(prepared, state, number, lambda other: self.cell_name(prepared, other))

    def scene(self, prepared: Prepared, state: Any, events: Sequence[Record], step: int) -> Scene:
        """The deck plan with all aboard, and where fire spread and splashed in this phase."""
        cells = prepared.shape[0] * prepared.shape[1]
        now = state.cells
        shown = look.codes(prepared.params.cells.exists, now.burning, now.broken, now.at[:, s.LIT_AT])
        return Scene(
            shown[:cells],
            look.caption(prepared, state, step),
            look.arrows(prepared, state, events, step),
            pieces=look.pieces(prepared, state),
            doors=look.doors(prepared, events, step),
        )

    def players_scene(self, prepared: Prepared, state: Any, events: Sequence[Record], step: int) -> Scene:
        """The deck plan, on which every fire shows; hull damage is the ship's own secret."""
        told = self.scene(prepared, state, events, step)
        burning = int(state.cells.burning.sum())
        return replace(told, caption=f"Phase {step}: {count_of(burning, 'module')} burning")

    def alight(self, prepared: Prepared, state: Any) -> list[int]:
        """The modules and the people that burn."""
        people = np.flatnonzero((state.crew.burning != 0) & (state.crew.outside == 0))
        modules = np.flatnonzero(state.cells.burning)
        return [int(cell) for cell in modules] + [len(state.cells) + int(person) for person in people]

    def do(self, prepared: Prepared, state: Any, deed: Any, document: dict[str, Any]) -> list[Problem]:
        """Order, move, hurt or heal a person."""
        return do(prepared, state, deed, document)

    def takes(self, kind: str) -> tuple[str, ...]:
        """The keys that an event or a deed of a kind may have."""
        return ("crew", *TAKES[kind]) if kind in TAKES else ("cell", "cells")

    def event_text(self, prepared: Prepared, event: Any) -> str:
        """What an event does, `the external door of the hold (1, 2) opens`."""
        return event_text(event, lambda cell: self.cell_name(prepared, cell), prepared.shape[1])

    def deed_text(self, prepared: Prepared, deed: Any) -> str:
        """What was done to a person, `Kest is hurt by 3`."""
        return deed_text(deed, lambda cell: self.cell_name(prepared, cell[0] * prepared.shape[1] + cell[1]))

    def story(self, prepared: Prepared, outcome: dict[str, int]) -> str:
        """The outcome of a fire in a few sentences."""
        modules, crew = int(prepared.params.cells.exists.sum()), len(prepared.params.crew)
        lit, broken = outcome["modules_lit"], outcome["modules_broken"]
        said = [
            f"{lit} of {count_of(modules, 'module')} burnt in {count_of(outcome['steps'], 'phase')}, {broken} "
            f"{'is' if broken == 1 else 'are'} broken; hull damage {outcome['hull_damage']}."
        ]
        if crew:
            people = count_of(crew, "person", "people")
            said.append(f"{outcome['deaths']} of {people} fell, with {outcome['damage']} damage in all.")
        if outcome["ship_lost"]:
            said.append("The ship was lost.")
        if outcome["burning"]:
            said.append(f"{count_of(outcome['burning'], 'fire')} still burning at the end.")
        return " ".join(said)


SYSTEM = ShipSystem()
