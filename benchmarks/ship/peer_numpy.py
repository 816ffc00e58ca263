"""The peer in numpy: fires aboard many ships side by side, vectorized over replicates.

Written as somebody would who knows numpy well and wants many fires of one ship fast. It plays what the ships of this
benchmark need: own dice and splashes, modules, occupants, held doors, hull checks and life support, and the crew's
orders to put out, to move, and to see to a door; no weapons, events, grapples or walks outside, no readings but the
default ones, no log, no maps. Arrays are (module or person, ship), so that what all ships do alike is one row.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from firesim.rules.base import Prepared
from firesim.rules.ship import params as p

BATCH = 100_000
"""Ships burnt together: the fastest of 1,000 to 100,000 on the machine of the README's table."""

ORDERS = (p.EXTINGUISH_MODULE, p.EXTINGUISH_PERSON, p.EXTINGUISH_ALL, p.STATION_MODULE, p.MOVE, p.HOLD_DOOR)
COLUMNS = (
    "steps", "burning", "modules_lit", "modules_broken", "hull_damage", "damage", "deaths", "ship_lost",
)  # fmt: skip
SIDE, ROW_STEPS, COL_STEPS = 5, np.array([-1, 0, 1, 0]), np.array([0, 1, 0, -1])

Array = np.ndarray[Any, Any]


@dataclass
class Person:
    """One of the crew: where he stands, what he can do, his orders (kind, module aimed at) and the way he goes."""

    module: int
    square: tuple[int, int]
    health: int
    engineering: int
    athletics: int
    toolkit: bool
    tentac: bool
    eva: bool
    orders: list[tuple[int, int]]
    way: list[int]


class Ship:
    """A scenario as arrays: modules are numbered without the space between them; `len(cells)` is space."""

    def __init__(self, ready: Prepared) -> None:
        params, first = ready.params, ready.first
        self.cells = np.flatnonzero(params.cells.exists)
        self.modules, self.horizon = len(self.cells), ready.horizon
        number = np.full(len(params.cells), self.modules)
        number[self.cells] = np.arange(self.modules)
        self.to = number[params.cells.to[self.cells]].T.astype(np.int32)
        self.rows, self.cols = (SIDE * part for part in np.divmod(self.cells, params.cols))
        self.alight = number[np.flatnonzero(first.cells.burning)]
        self.doors = np.flatnonzero(params.cells.external_door[self.cells])
        self.life_support = number[params.life_support]
        self.hull_from = params.book.hull_from
        self.items = number[params.items.cell]
        self.item_squares = list(zip(params.items.row.tolist(), params.items.col.tolist(), strict=True))
        self.crew = [self._person(params, first, number, i) for i in range(len(params.crew))]
        self.pairs = [(i, j) for i in range(len(self.crew)) for j in range(len(self.crew)) if self._may_touch(i, j)]
        self.exposed = [(i, j) for i in range(len(self.crew)) for j in range(len(self.items)) if self._may_spoil(i, j)]

    @staticmethod
    def _person(params: Any, first: Any, number: Array, i: int) -> Person:
        me = params.crew[i]
        orders = params.orders[me.first_order : me.end_order]
        if not set(orders.kind.tolist()) <= set(ORDERS) or first.crew.burning[i] or first.crew.outside[i]:
            raise ValueError(f"person {i} does what this peer does not play")
        aims = [int(number[cell]) if cell >= 0 else -1 for cell in orders.cell]
        way = [int(number[cell]) for order in orders for cell in params.path[order.first : order.end]]
        return Person(
            int(number[first.crew.cell[i]]), (int(me.row), int(me.col)), int(me.health), int(me.engineering),
            int(me.athletics), bool(me.toolkit), bool(me.tentac), bool(me.eva),
            list(zip(orders.kind.tolist(), aims, strict=True)), way,
        )  # fmt: skip

    def places(self, person: int) -> set[tuple[int, int]]:
        """Squares of the whole ship where a person can ever be."""
        me = self.crew[person]
        return {(self.rows[m] + me.square[0], self.cols[m] + me.square[1]) for m in [me.module, *me.way]}

    def _may_touch(self, i: int, j: int) -> bool:
        return i != j and any(abs(r - R) <= 1 and abs(c - C) <= 1 for r, c in self.places(i) for R, C in self.places(j))

    def _may_spoil(self, i: int, item: int) -> bool:
        row, col = self.item_squares[item]
        row, col = self.rows[self.items[item]] + row, self.cols[self.items[item]] + col
        return any(abs(row - r) + abs(col - c) <= 1 for r, c in self.places(i))


def burn(ship: Ship, fires: int, seed: int, batch: int = BATCH) -> dict[str, Array]:
    """Outcomes of `fires` fires, by name."""
    rng = np.random.default_rng(seed)
    parts = [Fleet(ship, min(batch, fires - first), rng).burn() for first in range(0, fires, batch)]
    return {name: np.concatenate([part[name] for part in parts]) for name in COLUMNS}


class Fleet:
    """Many fires of one ship under way; those that are over leave the arrays now and then."""

    def __init__(self, ship: Ship, fires: int, rng: np.random.Generator) -> None:
        self.ship, self.rng = ship, rng
        self.number = np.arange(fires)
        crew, items = len(ship.crew), len(ship.items)
        self.on_fire = np.zeros((ship.modules, fires), bool)
        self.on_fire[ship.alight] = True
        self.lit, self.broken = self.on_fire.copy(), np.zeros((ship.modules, fires), bool)
        self.burning, self.damage = np.zeros((crew, fires), bool), np.zeros((crew, fires), np.int16)
        self.steps_made = {i: np.zeros(fires, np.int8) for i, person in enumerate(ship.crew) if person.way}
        self.spoilt = np.zeros((items, fires), bool)
        self.hull, self.lost = np.zeros(fires, np.int16), np.zeros(fires, bool)
        self.playing, self.steps = np.ones(fires, bool), np.zeros(fires, np.int16)
        self.alight = np.flatnonzero(self.on_fire)
        """Places in the flattened `on_fire` that burn."""
        self.health = np.array([person.health for person in ship.crew], np.int16)[:, None]
        self.outcomes = {name: np.zeros(fires, np.int64) for name in COLUMNS}

    def burn(self) -> dict[str, Array]:
        """Phases until all fires are over, or to the horizon."""
        for phase in range(1, self.ship.horizon + 1):
            held = self.orders() if self.ship.crew else []
            self.fire_step(phase)
            for module, by in held:
                self.door(module, by)
            if self.ship.crew and phase % 6 == 0 and len(self.ship.life_support):
                self.air()
            self.finish(phase)
            if not len(self.number):
                break
        self.leave(np.ones(len(self.number), bool))
        return self.outcomes

    def dice(self, count: int) -> Array:
        """So many d6."""
        return self.rng.integers(1, 7, count, dtype=np.int8)

    def succeeds(self, due: Array, need: int) -> Array:
        """Which ships' checks succeed, of those where one is due: two dice that reach a number, but no 2."""
        if need > 12:
            return due[:0]
        return due[self.dice(len(due)) + self.dice(len(due)) >= max(need, 3)]

    def finish(self, phase: int) -> None:
        """Ships where nothing burns any more are over; they are taken out when they are many."""
        fires = len(self.number)
        self.alight = self.alight[self.on_fire.ravel()[self.alight]]
        aflame = np.zeros(fires, bool)
        aflame[self.alight % fires] = True
        aflame |= self.burning.any(axis=0)
        self.steps[self.playing] = phase
        self.playing &= aflame
        if np.count_nonzero(self.playing) < 0.9 * fires:
            self.leave(~self.playing)

    def leave(self, going: Array) -> None:
        """Write the outcomes of some ships and keep the others."""
        out, number, stay = self.outcomes, self.number[going], ~going
        out["steps"][number], out["ship_lost"][number] = self.steps[going], self.lost[going]
        out["hull_damage"][number] = self.hull[going]
        out["burning"][number] = self.on_fire[:, going].sum(axis=0) + self.burning[:, going].sum(axis=0)
        out["modules_lit"][number], out["modules_broken"][number] = (
            self.lit[:, going].sum(axis=0),
            self.broken[:, going].sum(axis=0),
        )
        out["damage"][number] = self.damage[:, going].sum(axis=0)
        out["deaths"][number] = (self.damage[:, going] >= self.health).sum(axis=0)
        for name in ("number", "hull", "lost", "playing", "steps"):
            setattr(self, name, getattr(self, name)[stay])
        for name in ("on_fire", "lit", "broken", "burning", "damage", "spoilt"):
            setattr(self, name, np.compress(stay, getattr(self, name), axis=1))
        self.steps_made = {i: made[stay] for i, made in self.steps_made.items()}
        self.alight = np.flatnonzero(self.on_fire)

    # ------------------------------------------------------------------------------------------------------- the crew
    def orders(self) -> list[tuple[int, Array]]:
        """Everybody's orders in turn; the doors held, and in which ships."""
        held = []
        for i, person in enumerate(self.ship.crew):
            able = self.damage[i] < person.health
            for kind, aim in person.orders:
                if kind == p.HOLD_DOOR:
                    if person.module in self.ship.doors:
                        held.append((person.module, able))
                elif kind == p.MOVE:
                    self.steps_made[i] += able & (self.steps_made[i] < len(person.way))
                elif kind == p.EXTINGUISH_MODULE:
                    self.put_out(person.module, able, 8 - person.toolkit - person.engineering)
                elif kind == p.STATION_MODULE:
                    target = person.module if aim < 0 else aim
                    far = 3 * (target != person.module)
                    self.put_out(target, able & ~self.broken[target], 8 + far - person.engineering)
                elif kind == p.EXTINGUISH_PERSON:
                    self.put_out_person(i, able)
                else:
                    self.put_out_all(i, able)
        return held

    def put_out(self, module: int, able: Array, need: int) -> None:
        """Checks against the fire of one module."""
        done = self.succeeds(np.flatnonzero(able & self.on_fire[module]), need)
        self.on_fire[module, done] = False

    def in_reach(self, i: int) -> list[tuple[int, Array]]:
        """People who may burn beside person `i`, and where they do."""
        return [(j, self.burning[j] & self.beside(i, j)) for one, j in self.ship.pairs if one == i]

    def put_out_person(self, i: int, able: Array) -> None:
        """Oneself, else the first in reach."""
        need, open_ = 8 - self.ship.crew[i].toolkit - self.ship.crew[i].engineering, able.copy()
        for j, there in [(i, self.burning[i].copy()), *self.in_reach(i)]:
            due = open_ & there
            open_ &= ~there
            self.burning[j, self.succeeds(np.flatnonzero(due), need)] = False

    def put_out_all(self, i: int, able: Array) -> None:
        """The own module and everybody in reach, by one check."""
        person = self.ship.crew[i]
        near = [(i, self.burning[i]), *self.in_reach(i)]
        due = self.on_fire[person.module].copy()
        for _, there in near:
            due |= there
        done = self.succeeds(np.flatnonzero(able & due), 11 - person.toolkit - person.engineering)
        self.on_fire[person.module, done] = False
        for j, there in near:
            self.burning[j, done[there[done]]] = False

    # ------------------------------------------------------------------------------------------------- who is where
    def module_of(self, i: int) -> Array | int:
        """The module in which a person is: one for all ships, but where he is on his way."""
        person = self.ship.crew[i]
        return np.array([person.module, *person.way])[self.steps_made[i]] if person.way else person.module

    def square_of(self, i: int) -> tuple[Array, Array]:
        """Row and column of a person's square, from the ship's corner."""
        module, (row, col) = self.module_of(i), self.ship.crew[i].square
        return self.ship.rows[module] + row, self.ship.cols[module] + col

    def beside(self, i: int, j: int) -> Array:
        """Whether two people's squares touch."""
        row, col = self.square_of(i)
        other_row, other_col = self.square_of(j)
        return (abs(row - other_row) <= 1) & (abs(col - other_col) <= 1)

    # --------------------------------------------------------------------------------------------------- the fire step
    def fire_step(self, phase: int) -> None:
        """Own dice, splashes, modules, occupants; what catches fire burns from the next phase on; the hull check."""
        fires, on_fire = len(self.number), self.on_fire.ravel()
        spread = [self.own_dice(fires)] if self.ship.crew else []
        alight = self.alight[on_fire[self.alight]]
        face = self.dice(len(alight))
        out, six = face == 1, alight[face == 6]
        on_fire[alight[out]] = False
        self.broken.ravel()[six] = True
        points = np.bincount(six % fires, minlength=fires)
        self.hull += points.astype(np.int16)
        going = (face >= 2) & (face <= 5)
        module, which = np.divmod(alight[going], fires)
        target = self.ship.to[face[going] - 2, module]
        inside = target < self.ship.modules
        spread.append(target[inside] * fires + which[inside])
        if self.ship.crew:
            self.occupants()
        fresh = np.concatenate(spread)
        fresh = np.unique(fresh[~on_fire[fresh]])
        on_fire[fresh] = True
        self.lit.ravel()[fresh] = True
        self.alight = np.concatenate([alight[~out], fresh])
        self.hull_check(np.flatnonzero((points > 0) & ~self.lost))

    def own_dice(self, fires: int) -> Array:
        """The dice of burning people; whoever has a die in this phase is `burned`. Modules that catch fire."""
        self.burned = self.burning.copy()
        self.caught: list[tuple[int, Array]] = []
        self.splashing = np.zeros(self.burning.shape, np.int8)
        catching = []
        for i, person in enumerate(self.ship.crew):
            who = np.flatnonzero(self.burning[i])
            if not len(who):
                continue
            face = self.dice(len(who))
            self.damage[i, who] += np.minimum(face, self.dice(len(who))) if person.tentac else face
            self.burning[i, who[face == 1]] = False
            self.splashing[i, who] = face
            six, module = who[face == 6], self.module_of(i)
            catching.append((module[six] if isinstance(module, np.ndarray) else module) * fires + six)
        self.splashes()
        return np.concatenate(catching) if catching else np.zeros(0, np.int64)

    def splashes(self) -> None:
        """Splashes on people and things that can ever stand beside somebody on fire."""
        for i, j in self.ship.pairs:
            hit = self.splashed(i, *self.square_of(j), ~self.burned[j])
            self.hurt(j, hit)
        for i, item in self.ship.exposed:
            (row, col), module = self.ship.item_squares[item], self.ship.items[item]
            hit = self.splashed(i, self.ship.rows[module] + row, self.ship.cols[module] + col, ~self.spoilt[item])
            self.spoilt[item, hit[self.dice(len(hit)) == 6]] = True

    def splashed(self, i: int, row: Any, col: Any, open_: Array) -> Array:
        """Ships in which the splash from person `i` goes to a square and finds somebody who may be hit."""
        who = np.flatnonzero((self.splashing[i] > 1) & open_)
        if not len(who):
            return who
        face, (my_row, my_col) = self.splashing[i, who], self.square_of(i)
        heading = np.where(face == 6, 0, face - 2)
        down = np.broadcast_to(row - my_row, open_.shape)[who]
        right = np.broadcast_to(col - my_col, open_.shape)[who]
        same = (face == 6) & (down == 0) & (right == 0)
        return who[same | ((face < 6) & (down == ROW_STEPS[heading]) & (right == COL_STEPS[heading]))]

    def hurt(self, j: int, ships: Array) -> None:
        """The one die of fire damage of a person in some ships; an even face sets him on fire after the fire step."""
        if not len(ships):
            return
        face = self.dice(len(ships))
        self.damage[j, ships] += np.minimum(face, self.dice(len(ships))) if self.ship.crew[j].tentac else face
        self.burned[j, ships] = True
        self.caught.append((j, ships[face % 2 == 0]))

    def occupants(self) -> None:
        """Dice of the people and things in modules that burn on; then people who were set on fire burn."""
        everyone = np.arange(len(self.number))
        for j in range(len(self.ship.crew)):
            module = self.module_of(j)
            hot = self.on_fire[module, everyone] if isinstance(module, np.ndarray) else self.on_fire[module]
            self.hurt(j, np.flatnonzero(hot & ~self.burned[j]))
        for item, module in enumerate(self.ship.items):
            due = np.flatnonzero(self.on_fire[module] & ~self.spoilt[item])
            self.spoilt[item, due[self.dice(len(due)) == 6]] = True
        for j, ships in self.caught:
            self.burning[j, ships] = True

    def hull_check(self, due: Array) -> None:
        """Two dice against a number that rises with the damage; beyond 12 there is no hope."""
        number = np.searchsorted(self.ship.hull_from, self.hull[due], side="right") + 1
        due, number = due[number > 1], number[number > 1]
        self.lost[due[self.dice(len(due)) + self.dice(len(due)) < number]] = True

    # -------------------------------------------------------------------------------------------- doors, life support
    def door(self, module: int, held: Array) -> None:
        """The dice of a door that is held open: two, of which either puts out all that burns in the module."""
        inside = []
        for j in range(len(self.ship.crew)):
            where = self.module_of(j)
            if isinstance(where, np.ndarray) or where == module:
                inside.append((j, self.burning[j] & (where == module)))
        fire = self.on_fire[module].copy()
        for _, there in inside:
            fire |= there
        due = np.flatnonzero(fire & held)
        done = due[np.minimum(self.dice(len(due)), self.dice(len(due))) <= 2]
        self.on_fire[module, done] = False
        for j, there in inside:
            self.burning[j, done[there[done]]] = False

    def air(self) -> None:
        """Athletics checks of all aboard where every life support is broken, and damage where they fail."""
        without = self.broken[self.ship.life_support].all(axis=0) & self.playing
        for i, person in enumerate(self.ship.crew):
            if person.eva:
                continue
            due = np.flatnonzero(without & (self.damage[i] < person.health))
            failed = np.setdiff1d(due, self.succeeds(due, 11 - person.athletics), assume_unique=True)
            self.damage[i, failed] += self.dice(len(failed))
