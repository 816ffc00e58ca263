"""The oracle of the ship rules: slow, plain, and written from the rulebook alone.

`play(document, faces)` plays one fire aboard, asking `faces(sides, purpose, actor, target)` for every die in the exact
order of rulebook section 6, and keeps the whole history.  It shares no code with the package, so that the two can be
compared face by face.  Rule ids (SH-15), readings (A2-04) and details (D-S7) are those of the rulebook.

Numbers of things: a module is its flat cell row * cols + col; person i is rows * cols + 1 + i; item j is
rows * cols + 1 + number of people + j.

| purpose                              | actor                       | target                                         |
|--------------------------------------|-----------------------------|------------------------------------------------|
| order (two dice)                     | the person                  | module, person, or himself (`extinguish all`)  |
| grapple                              | the grappler                | the one grappled                               |
| own, own second                      | the burning person          | himself                                        |
| splash, splash second                | the splasher                | the person or item hit                         |
| shared splash                        | the splasher                | himself                                        |
| module                               | the module                  | itself                                         |
| occupant, occupant second            | the module                  | the person or item                             |
| door, door extra                     | the module                  | itself                                         |
| hull (two dice)                      | 0                           | 0                                              |
| life support (two), ... damage       | the person                  | himself                                        |
| weapon, ignite                       | index of the file's entry   | the module                                     |

Events are dicts: step, what, and who and whom by these numbers, face where a die spoke.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

Faces = Callable[[int, str, int, int], int]

# [SH-10, SH-15, SH-41] forward is the bow, row 0: the step (row, column) of each face.
DIRECTIONS = {2: (-1, 0), 3: (0, 1), 4: (1, 0), 5: (0, -1)}

OPTION_DEFAULTS: dict[str, Any] = {  # section 6, options table
    "modules_first": False,
    "new_fire_hurts": False,
    "relight": True,
    "splash_walls": False,
    "hull_repeat": True,
    "person6_breaks": False,
    "adjacent": 8,
    "side": 5,
    "shared_splash": False,
    "toolkit_at_station": False,
    "tentac_ignites": "first",
    "grapple_each_phase": False,
}
OPTION_VALUES: dict[str, tuple[Any, ...]] = {"adjacent": (8, 4), "tentac_ignites": ("first", "chosen")}

DOOR_ORDERS = ("open door", "hold door")
OTHER_ORDERS = (
    "none",
    "extinguish module",
    "extinguish person",
    "extinguish all",
    "station module",
    "station all",
    "move",
    "grapple",
    "carry",
    "spacewalk",
)
EVENT_KINDS = ("weapon", "douse", "demolish", "door")  # [D-S12]

BOOK: dict[str, dict[str, int]] = {  # the numbers that a scenario's [tables] may set
    "extinguish": {"difficulty": 8, "all": 3, "toolkit": -1, "remote": 3},  # [SH-21, SH-23, SH-24, SH-26, SH-53]
    "door": {"out_to": 2},  # [SH-34, SH-35]
    "weapon": {"from_face": 6},  # [SH-06]
    "item": {"from_face": 6},  # [SH-09]
    "life_support": {"difficulty": 11, "phases": 6},  # [SH-40, D-S8]
    "hull_check": {str(k): k * (k + 1) // 2 for k in range(2, 14)},  # [A2-06, section 4]
}


# ----------------------------------------------------------------------------------------------------------------------
# What comes out, and what is kept


@dataclass
class Result:
    states: list[dict[str, Any]]  # one dict per step 0..steps
    outcome: dict[str, int]
    lit_at: list[int]
    broken_at: list[int]
    out_at: list[int]
    events: list[dict[str, Any]]


@dataclass(eq=False)
class Module:
    cell: int
    row: int
    col: int
    name: str
    external_door: bool = False
    on_fire: bool = False
    broken: bool = False
    lit_at: int = -1
    broken_at: int = -1
    out_at: int = -1
    door_opened: bool = False  # in this phase [SH-33]
    door_holders: set[int] = field(default_factory=set)  # people, by number [SH-35]


@dataclass(eq=False)
class Person:
    number: int
    name: str
    module: Module
    square: tuple[int, int]
    health: int
    engineering: int = 0
    athletics: int = 0
    toolkit: bool = False
    tentac: bool = False
    eva: bool = False
    orders: list[str] = field(default_factory=list)
    aim: Any = None  # the key `target`: a name or a cell
    path: list[int] = field(default_factory=list)
    steps_made: int = 0
    held: Person | None = None  # the one grappled or carried
    damage: int = 0
    burning: bool = False
    outside: bool = False
    burned_this_phase: bool = False

    def able(self) -> bool:
        """[D-S2]"""
        return self.damage < self.health


@dataclass(eq=False)
class Item:
    number: int
    module: Module
    square: tuple[int, int]
    damaged: bool = False


@dataclass(eq=False)
class Ignition:
    index: int
    module: Module
    step: int
    alight: bool
    done: bool = False


def play(document: dict[str, Any], faces: Faces, limit: int = 100_000) -> Result:
    """Play the ship fire of `document`, one call of `faces` per die."""
    return Ship(document, faces, limit).play()


# ----------------------------------------------------------------------------------------------------------------------


class Ship:
    def __init__(self, document: dict[str, Any], faces: Faces, limit: int):
        self.faces = faces
        self.horizon = min(int(document.get("steps", limit)), limit)
        self.phase = 0
        self.hull_damage = 0
        self.ship_lost = False
        self.hull_points_now = 0  # fire hull points of this phase [SH-51]
        self.events: list[dict[str, Any]] = []
        self.ignitions: list[Ignition] = []
        self.read_options(document.get("options", {}))
        tables = document.get("tables", {})
        self.book = {name: {**numbers, **tables.get(name, {})} for name, numbers in BOOK.items()}
        self.read_map(document["map"])
        self.read_people(document.get("crew", []))
        self.read_items(document.get("item", []))
        self.read_events(document)
        self.watches = document.get("watch", [])

    # ------------------------------------------------------------------------------------------------- reading the file

    def read_options(self, given: dict[str, Any]) -> None:
        for name, value in given.items():
            assert name in OPTION_DEFAULTS, f"unknown option {name}"
            if name in OPTION_VALUES:
                assert value in OPTION_VALUES[name], f"unknown value {value} of {name}"
            elif name == "side":
                assert value in range(1, 1000), f"unknown value {value} of side"
            else:
                assert isinstance(value, bool), f"unknown value {value} of {name}"
        self.options = {**OPTION_DEFAULTS, **given}
        self.side = self.options["side"]

    def read_map(self, ship_map: dict[str, Any]) -> None:
        rows = [row.split() for row in ship_map["rows"]]
        legend = ship_map.get("legend", {})
        self.rows = len(rows)
        self.cols = max(len(row) for row in rows)
        self.modules: dict[int, Module] = {}  # by cell, ascending
        for r in range(self.rows):
            for c in range(len(rows[r])):
                token = rows[r][c]
                if token not in legend:
                    assert token == ".", f"symbol {token} is not in the legend"
                    continue
                entry = legend[token]
                module = Module(
                    r * self.cols + c, r, c, entry.get("module", ""), bool(entry.get("external_door", False))
                )
                if entry.get("broken", False):
                    module.broken, module.broken_at = True, 0
                self.modules[module.cell] = module

    def read_people(self, crew: list[dict[str, Any]]) -> None:
        self.people: list[Person] = []
        for i, entry in enumerate(crew):
            person = Person(
                number=self.rows * self.cols + 1 + i,
                name=entry.get("name", ""),
                module=self.module_at(entry["cell"]),
                square=self.square_of(entry),
                health=entry["health"],
                engineering=entry.get("engineering", 0),
                athletics=entry.get("athletics", 0),
                toolkit=entry.get("toolkit", False),
                tentac=entry.get("tentac", False),
                eva=entry.get("eva", False),
                orders=self.orders_of(entry),
                aim=entry.get("target"),
                path=[place[0] * self.cols + place[1] for place in entry.get("path", [])],
                burning=entry.get("on_fire", False),
                outside=entry.get("spacewalking", False),
            )
            if person.outside:
                person.burning = False  # [SH-30, D-S11] outside: fire out at once
            self.people.append(person)

    def orders_of(self, entry: dict[str, Any]) -> list[str]:
        """A word, or a list: door orders and at most one other [D-S9]."""
        given = entry.get("order", "none")
        orders = [given] if isinstance(given, str) else list(given)
        for order in orders:
            assert order in DOOR_ORDERS or order in OTHER_ORDERS, f"unknown order {order}"
        assert sum(order in OTHER_ORDERS for order in orders) <= 1, f"more than one order: {orders}"
        return orders

    def read_items(self, items: list[dict[str, Any]]) -> None:
        first = self.rows * self.cols + 1 + len(self.people)
        self.items = [
            Item(first + j, self.module_at(entry["cell"]), self.square_of(entry)) for j, entry in enumerate(items)
        ]

    def square_of(self, entry: dict[str, Any]) -> tuple[int, int]:
        """[D-S2]"""
        r, c = entry.get("square", [self.side // 2, self.side // 2])
        assert {r, c} <= set(range(self.side)), f"square {[r, c]} is not within the side"
        return r, c

    def read_events(self, document: dict[str, Any]) -> None:
        self.file_events = document.get("event", [])
        for event in self.file_events:
            assert event["kind"] in EVENT_KINDS, f"unknown event {event['kind']}"
        for index, entry in enumerate(document.get("ignite", [])):
            # CHOICE: an entry with `cells` is one ignition per cell, in the order given, all with the entry's index.
            for module in self.modules_named(entry):
                alight = bool(entry.get("alight", True))
                self.ignitions.append(Ignition(index, module, entry.get("step", 1), alight))

    def module_at(self, place: Any) -> Module:
        return self.modules[place[0] * self.cols + place[1]]

    def modules_named(self, entry: dict[str, Any]) -> list[Module]:
        places = entry["cells"] if "cells" in entry else [entry["cell"]]
        return [self.module_at(place) for place in places]

    def person_named(self, name: str) -> Person:
        found = [p for p in self.people if p.name == name]
        assert found, f"nobody is called {name}"
        return found[0]

    # ------------------------------------------------------------------------------------------------- where things are

    def module_beside(self, module: Module, face: int) -> Module | None:
        """The adjacent module in the direction of a face 2-5, None where there is none [SH-15, SH-16]."""
        dr, dc = DIRECTIONS[face]
        r, c = module.row + dr, module.col + dc
        if 0 <= r < self.rows and 0 <= c < self.cols:
            return self.modules.get(r * self.cols + c)
        return None

    def are_neighbours(self, one: Module, cell: int) -> bool:
        """Orthogonally adjacent, and both modules of the ship."""
        beside = [self.module_beside(one, face) for face in DIRECTIONS]
        return any(module is not None and module.cell == cell for module in beside)

    def position(self, thing: Person | Item) -> tuple[int, int]:
        """The square counted over the whole ship."""
        return thing.module.row * self.side + thing.square[0], thing.module.col * self.side + thing.square[1]

    def in_reach(self, one: Person, other: Person) -> bool:
        """In or adjacent to one's square, across module edges too [SH-21, SH-56, A2-11, D-S3]."""
        (r1, c1), (r2, c2) = self.position(one), self.position(other)
        down, across = abs(r1 - r2), abs(c1 - c2)
        if self.options["adjacent"] == 4:
            return down + across <= 1
        return max(down, across) <= 1

    def aboard(self) -> list[Person]:
        """Outside nobody is touched by a fire rule [D-S11]."""
        return [p for p in self.people if not p.outside]

    def people_in(self, module: Module) -> list[Person]:
        return [p for p in self.aboard() if p.module is module]

    def anything_burns(self) -> bool:
        return any(m.on_fire for m in self.modules.values()) or any(p.burning for p in self.aboard())

    # --------------------------------------------------------------------------------------------------------- the play

    def play(self) -> Result:
        for ignition in self.ignitions:
            if ignition.alight and ignition.step <= 1:  # burning from the start
                self.light(ignition.module)
                ignition.done = True
        states = [self.state()]
        while self.phase < self.horizon and self.goes_on():
            self.phase += 1
            self.play_phase()
            states.append(self.state())
        return Result(
            states=states,
            outcome=self.outcome(),
            lit_at=self.by_cell("lit_at", -1),
            broken_at=self.by_cell("broken_at", -1),
            out_at=self.by_cell("out_at", -1),
            events=self.events,
        )

    def goes_on(self) -> bool:
        """Does anything burn, or is an event or an ignition pending?"""
        if self.anything_burns():
            return True
        if any(event.get("step", 1) > self.phase for event in self.file_events):
            return True
        return any(not ignition.done for ignition in self.ignitions)

    def play_phase(self) -> None:
        """The ship phase of section 6, in its order [D-S1]."""
        self.hull_points_now = 0
        for module in self.modules.values():  # doors stay open for one phase only [D-S9]
            module.door_opened = False
            module.door_holders = set()
        self.act_events()
        self.act_ignitions()
        self.carry_out_orders()
        self.fire_step()
        self.door_dice()
        self.hull_check()
        self.life_support()

    def by_cell(self, name: str, hole: int) -> list[int]:
        values = [hole] * (self.rows * self.cols)
        for module in self.modules.values():
            values[module.cell] = int(getattr(module, name))
        return values

    def state(self) -> dict[str, Any]:
        return {
            "burning": self.by_cell("on_fire", 0),
            "broken": self.by_cell("broken", 0),
            "person.cell": [p.module.cell for p in self.people],
            "person.square": [list(p.square) for p in self.people],
            "person.damage": [p.damage for p in self.people],
            "person.burning": [int(p.burning) for p in self.people],
            "person.outside": [int(p.outside) for p in self.people],
            "item.damaged": [int(item.damaged) for item in self.items],
            "hull_damage": self.hull_damage,
            "ship_lost": int(self.ship_lost),
        }

    def outcome(self) -> dict[str, int]:
        """[D-S13]"""
        modules = list(self.modules.values())
        columns = {
            "steps": self.phase,
            "burning": sum(m.on_fire for m in modules) + sum(p.burning for p in self.people),
            "modules_lit": sum(m.lit_at >= 0 for m in modules),
            "modules_broken": sum(m.broken for m in modules),
            "hull_damage": self.hull_damage,
            "damage": sum(p.damage for p in self.people),
            "deaths": sum(p.damage >= p.health for p in self.people),
            "ship_lost": int(self.ship_lost),
        }
        for watch in self.watches:
            watched = self.modules_named(watch)
            columns[f"{watch['name']}_lit_at"] = min((m.lit_at for m in watched if m.lit_at >= 0), default=-1)
            columns[f"{watch['name']}_lost"] = int(all(m.broken for m in watched))
        return columns

    # ---------------------------------------------------------------------------------------------- what befalls things

    def die(self, purpose: str, actor: int, target: int) -> int:
        return self.faces(6, purpose, actor, target)

    def note(self, what: str, who: int, whom: int = -1, face: int = 0) -> None:
        self.events.append({"step": self.phase, "what": what, "who": who, "whom": whom, "face": face})

    def light(self, module: Module) -> None:
        """On fire is on fire, no stacking [SH-44]."""
        if not module.on_fire:
            module.on_fire = True
            module.out_at = -1
            if module.lit_at < 0:
                module.lit_at = self.phase
            self.note("module catches fire", module.cell)
        for ignition in self.ignitions:
            # CHOICE: an `alight = false` ignition is done once its module burns at any time from its step on, even if
            # a door puts it out in the same phase; what burnt before its step does not count.
            if ignition.module is module and not ignition.alight and ignition.step <= self.phase:
                ignition.done = True

    def put_out(self, module: Module) -> None:
        if module.on_fire:
            module.on_fire = False
            module.out_at = self.phase
            self.note("module goes out", module.cell)

    def put_out_person(self, person: Person) -> None:
        if person.burning:
            person.burning = False
            self.note("person goes out", person.number)

    def break_module(self, module: Module) -> None:
        if not module.broken:
            module.broken = True
            module.broken_at = self.phase
            self.note("module breaks", module.cell)

    def break_and_hull_point(self, module: Module) -> None:
        """A six breaks the module and deals a hull point [SH-07, SH-15]; on a broken one again [SH-43, A2-08]."""
        if not module.broken or self.options["hull_repeat"]:
            self.hull_damage += 1
            self.hull_points_now += 1
        # CHOICE (settled): weapon sixes and person6_breaks follow hull_repeat too [A2-22].
        self.break_module(module)

    def weapon_die(self, module: Module, purpose: str, index: int) -> None:
        """Only a six has an effect: breaks, catches, hull point [SH-06, SH-07, A2-22, D-S12]."""
        face = self.die(purpose, index, module.cell)
        self.note(purpose, index, module.cell, face)
        if face >= self.book["weapon"]["from_face"]:
            self.break_and_hull_point(module)
            self.light(module)

    # --------------------------------------------------------------------------------------------- events and ignitions

    def act_events(self) -> None:
        """Events of this phase in file order [D-S1, D-S12]."""
        for index, event in enumerate(self.file_events):
            if event.get("step", 1) != self.phase:
                continue
            for module in self.modules_named(event):
                if event["kind"] == "weapon":
                    self.weapon_die(module, "weapon", index)
                elif event["kind"] == "douse":
                    self.put_out(module)  # CHOICE (settled): a douse counts as going out
                elif event["kind"] == "demolish":
                    self.break_module(module)
                elif event["kind"] == "door" and module.external_door:
                    # CHOICE (settled): only a module with an external door.
                    module.door_opened = True

    def act_ignitions(self) -> None:
        """Pending `[[ignite]]` in file order [D-S1, D-S12]."""
        for ignition in self.ignitions:
            if ignition.done or ignition.step > self.phase:
                continue
            if ignition.alight:  # burning from the start of its phase
                ignition.done = True
                self.light(ignition.module)
            elif ignition.module.on_fire:
                ignition.done = True
            else:
                self.weapon_die(ignition.module, "ignite", ignition.index)

    # ----------------------------------------------------------------------------------------------------------- orders

    def carry_out_orders(self) -> None:
        """In file order, each finished before the next; the dead and those outside have none [D-S1, D-S2, D-S11]."""
        for person in self.people:
            # CHOICE: the orders of a list are carried out in the order of the list.
            for order in person.orders:
                if person.able() and not person.outside:
                    self.carry_out(person, order)

    def carry_out(self, person: Person, order: str) -> None:
        if order == "extinguish module":
            self.extinguish_module(person)
        elif order == "extinguish person":
            self.extinguish_person(person)
        elif order == "extinguish all":
            self.extinguish_all(person)
        elif order in ("station module", "station all"):
            self.man_station(person, order)
        elif order in DOOR_ORDERS:
            self.open_door(person, order)
        elif order == "move":
            self.move(person)
        elif order in ("grapple", "carry"):
            self.grapple(person, order)
        elif order == "spacewalk":
            self.spacewalk(person)

    def skill_check(self, purpose: str, actor: int, target: int, difficulty: int, skill: int) -> bool:
        """2d6 against the difficulty less skill; natural 2 fails; none without hope [SH-38, SH-39]."""
        needed = difficulty - skill
        if needed > 12:
            return False
        total = self.die(purpose, actor, target) + self.die(purpose, actor, target)
        return total >= needed and total != 2

    def difficulty_by_hand(self, person: Person) -> int:
        """[SH-21, SH-24]"""
        return self.book["extinguish"]["difficulty"] + (self.book["extinguish"]["toolkit"] if person.toolkit else 0)

    def extinguish_module(self, person: Person) -> None:
        """The module one is in [SH-21, SH-22, SH-24]."""
        module = person.module
        if not module.on_fire:
            return
        difficulty = self.difficulty_by_hand(person)
        if self.skill_check("order", person.number, module.cell, difficulty, person.engineering):
            self.put_out(module)

    def extinguish_person(self, person: Person) -> None:
        """Self if burning, else the first in file order within reach, the dead included [SH-21, SH-24, D-S3]."""
        targets = [person] if person.burning else self.burning_in_reach(person)
        if not targets:
            return
        difficulty = self.difficulty_by_hand(person)
        if self.skill_check("order", person.number, targets[0].number, difficulty, person.engineering):
            self.put_out_person(targets[0])

    def burning_in_reach(self, person: Person) -> list[Person]:
        return [p for p in self.aboard() if p.burning and self.in_reach(person, p)]

    def extinguish_all(self, person: Person) -> None:
        """+3 always: the own module's fire and the burning people in reach, self included [SH-23, SH-24, D-S3]."""
        targets = self.burning_in_reach(person)
        if not person.module.on_fire and not targets:
            return
        difficulty = self.difficulty_by_hand(person) + self.book["extinguish"]["all"]
        if self.skill_check("order", person.number, person.number, difficulty, person.engineering):
            self.put_out(person.module)
            for target in targets:
                self.put_out_person(target)

    def man_station(self, person: Person, order: str) -> None:
        """[SH-25, SH-26, SH-27, SH-53, A2-14, D-S4]"""
        # CHOICE: "the own module" of a station order without target is the one the person is in at that moment.
        module = person.module if person.aim is None else self.module_at(person.aim)
        targets = []
        if order == "station all":
            targets = [p for p in self.people_in(module) if p.burning]
        if module.broken or (not module.on_fire and not targets):
            return
        difficulty = self.book["extinguish"]["difficulty"]
        if order == "station all":
            difficulty += self.book["extinguish"]["all"]
        if module is not person.module:
            difficulty += self.book["extinguish"]["remote"]
        if person.toolkit and self.options["toolkit_at_station"]:
            difficulty += self.book["extinguish"]["toolkit"]
        if self.skill_check("order", person.number, module.cell, difficulty, person.engineering):
            self.put_out(module)
            for target in targets:
                self.put_out_person(target)

    def open_door(self, person: Person, order: str) -> None:
        """Anyone in a module with an external door is next to it [SH-32, SH-35, SH-36, D-S9]."""
        if person.module.external_door:
            person.module.door_opened = True
            if order == "hold door":
                person.module.door_holders.add(person.number)

    def leave_module(self, person: Person) -> None:
        """[SH-37]"""
        # CHOICE: who held the door and leaves the module later in the phase holds it no longer, so brings no extra
        # die; the door stays opened "at any point in the phase" [SH-33].
        person.module.door_holders.discard(person.number)

    def step_along_path(self, person: Person, with_him: Person | None) -> None:
        """One orthogonally adjacent module a phase, the square kept; what cannot be made waits [D-S11]."""
        if person.steps_made >= len(person.path):
            return
        cell = person.path[person.steps_made]
        # CHOICE (settled): judged from the present module of the one who moves or carries.
        if not self.are_neighbours(person.module, cell):
            return
        person.steps_made += 1
        for mover in [person] if with_him is None else [person, with_him]:
            if mover.module.cell != cell:
                self.leave_module(mover)
                mover.module = self.modules[cell]
        self.note("moves", person.number, cell)

    def move(self, person: Person) -> None:
        # CHOICE: a person who is held by another may still move of his own.
        self.step_along_path(person, None)

    def grapple(self, person: Person, order: str) -> None:
        """[SH-28, SH-29, A2-19, D-S11]"""
        target = self.person_named(person.aim)
        assert target is not person, "nobody grapples himself"
        if target.outside:
            return  # CHOICE (settled): a hold ends, and none begins, with one who is outside
        begins = person.held is None
        if begins:
            if not self.in_reach(person, target):
                return
            person.held = target
            self.note(order, person.number, target.number)
        # CHOICE: with `grapple_each_phase` the die of a later phase is rolled at the holder's order, so a holder who
        # can carry out no orders rolls none.
        if (begins or self.options["grapple_each_phase"]) and target.burning and not person.burning:
            face = self.die("grapple", person.number, target.number)
            if face % 2 == 0:
                person.burning = True  # at once
                self.note("person catches fire", person.number, target.number, face)
        # CHOICE (settled): in the phase a carry begins the die comes first, then both make the first step.
        if order == "carry":
            self.step_along_path(person, target)

    def spacewalk(self, person: Person) -> None:
        """[SH-30, D-S11]"""
        if not person.module.external_door:
            return  # CHOICE (settled): waits
        person.module.door_opened = True
        self.leave_module(person)
        person.outside = True
        self.put_out_person(person)
        self.note("goes outside", person.number)

    # ---------------------------------------------------------------------------------------------------- the fire step

    def fire_step(self) -> None:
        """Steps 1-4, or 3, 4, 1, 2 [A2-01, D-S6]; then what caught fire burns."""
        self.people_burning_first = [p for p in self.aboard() if p.burning]
        self.modules_burning_first = [m for m in self.modules.values() if m.on_fire]
        self.people_catching: list[Person] = []  # catching fire counts after the four steps
        self.modules_catching: list[Module] = []
        self.splashes: list[tuple[Person, int]] = []
        for person in self.people:
            person.burned_this_phase = False
        if self.options["modules_first"]:
            self.module_dice()
            self.occupant_dice()
            self.own_dice()
            self.splash_dice()
        else:
            self.own_dice()
            self.splash_dice()
            self.module_dice()
            self.occupant_dice()
        for module in self.modules_catching:
            self.light(module)
        for person in self.people_catching:
            person.burning = True
            self.note("person catches fire", person.number)

    def own_dice(self) -> None:
        """Step 1: burning people by module cell, then file order [SH-04, SH-05, SH-10]."""
        for person in sorted(self.people_burning_first, key=lambda p: (p.module.cell, p.number)):
            face = self.die("own", person.number, person.number)
            damage = face
            if person.tentac:  # [SH-12] only the first die counts for spread
                damage = min(face, self.die("own second", person.number, person.number))
            person.damage += damage  # [SH-45, A2-16]
            person.burned_this_phase = True  # [SH-46]
            self.note("own", person.number, person.number, face)
            if face == 1:
                self.put_out_person(person)
            else:
                self.splashes.append((person, face))
            if face == 6:
                self.person_six(person.module)

    def person_six(self, module: Module) -> None:
        """A person's 6 is a spread onto its module [SH-05, A2-09, D-S7]."""
        if self.options["person6_breaks"]:
            self.break_and_hull_point(module)
        self.spread_onto(module)

    def spread_onto(self, module: Module) -> None:
        """The module catches fire after the steps; `relight` decides on one alight at first [A2-04, D-S7]."""
        if module in self.modules_burning_first and not self.options["relight"]:
            return
        if module not in self.modules_catching:
            self.modules_catching.append(module)

    def splash_dice(self) -> None:
        """Step 2: per splasher the people in the splash square, then the items [SH-13, SH-14, A2-02, A2-23]."""
        for splasher, face in self.splashes:
            people, items = self.splashed(splasher, face)
            shared = None
            if self.options["shared_splash"] and (people or items):  # [D-S10]
                shared = self.die("shared splash", splasher.number, splasher.number)
            for person in people:
                self.person_takes_die("splash", splasher.number, person, shared)
            for item in items:
                self.item_takes_die("splash", splasher.number, item, shared)

    def splashed(self, splasher: Person, face: int) -> tuple[list[Person], list[Item]]:
        """The unburned people and undamaged items of the splash square, whatever module it is in [SH-42, A2-07]."""
        r, c = self.position(splasher)
        if face != 6:
            dr, dc = DIRECTIONS[face]
            r, c = r + dr, c + dc
        # `position` tells squares of the whole ship apart, so a square outside the hull holds nobody.
        people = [p for p in self.aboard() if self.position(p) == (r, c) and not p.burned_this_phase]
        items = [i for i in self.items if self.position(i) == (r, c) and not i.damaged]
        if self.options["splash_walls"]:  # [D-S9]
            people = [p for p in people if p.module is splasher.module]
            items = [i for i in items if i.module is splasher.module]
        return people, items

    def person_takes_die(self, purpose: str, actor: int, person: Person, shared: int | None = None) -> None:
        """One die of fire damage; even catches fire [SH-03, SH-12, SH-20, A2-15]."""
        face = self.die(purpose, actor, person.number) if shared is None else shared
        damage = face
        if person.tentac:
            # CHOICE: a shared die is the tentac's first; his second follows when he takes it.
            damage = min(face, self.die(f"{purpose} second", actor, person.number))
        person.damage += damage
        person.burned_this_phase = True
        self.note(purpose, actor, person.number, face)
        deciding = damage if self.options["tentac_ignites"] == "chosen" else face
        if deciding % 2 == 0:
            self.people_catching.append(person)

    def item_takes_die(self, purpose: str, actor: int, item: Item, shared: int | None = None) -> None:
        """Damaged on a 6, never on fire; no limit to dice [SH-09, A2-10, D-S10]."""
        face = self.die(purpose, actor, item.number) if shared is None else shared
        self.note(purpose, actor, item.number, face)
        if face >= self.book["item"]["from_face"]:
            item.damaged = True

    def module_dice(self) -> None:
        """Step 3: by cell, those burning when the fire step began [SH-15, SH-16, A2-04]."""
        for module in self.modules_burning_first:
            face = self.die("module", module.cell, module.cell)
            self.note("module", module.cell, module.cell, face)
            if face == 1:
                self.put_out(module)
            elif face == 6:
                self.break_and_hull_point(module)
            else:
                beside = self.module_beside(module, face)
                if beside is not None:
                    self.spread_onto(beside)

    def occupant_dice(self) -> None:
        """Step 4: per burning module by cell the people, then the items [SH-17, SH-20, A2-03, A2-05]."""
        for module in self.modules.values():
            # CHOICE (settled): under new_fire_hurts what caught in the steps before this one hurts too [A2-03 b, D-S6].
            new_fire = self.options["new_fire_hurts"] and module in self.modules_catching
            if not module.on_fire and not new_fire:
                continue
            for person in self.people_in(module):
                # Who burned when the fire step began has his own die [A2-02, D-S6].
                if not person.burned_this_phase and person not in self.people_burning_first:
                    self.person_takes_die("occupant", module.cell, person)
            for item in self.items:
                if item.module is module and not item.damaged:
                    self.item_takes_die("occupant", module.cell, item)

    # ---------------------------------------------------------------------------------------- doors, hull, life support

    def door_dice(self) -> None:
        """Step 5: on 1 or 2 all fires in the module go out [SH-33, SH-34, SH-35, A2-12, D-S9]."""
        for module in self.modules.values():
            burning = [p for p in self.people_in(module) if p.burning]
            if not module.door_opened or not (module.on_fire or burning):
                continue
            out = self.die("door", module.cell, module.cell) <= self.book["door"]["out_to"]
            # CHOICE: who dies of this phase's dice still holds the door in it: his order was carried out.
            if not out and module.door_holders:
                out = self.die("door extra", module.cell, module.cell) <= self.book["door"]["out_to"]
            if out:
                self.put_out(module)
                for person in burning:
                    self.put_out_person(person)

    def hull_number(self) -> int:
        """The largest number whose damage is reached; 1 when none is [A2-06, section 4]."""
        reached = [int(k) for k, damage in self.book["hull_check"].items() if self.hull_damage >= damage]
        return max(reached, default=1)

    def hull_check(self) -> None:
        """Step 6: once, if fire dealt a hull point this phase [SH-19, SH-51, A2-06, D-S5]."""
        number = self.hull_number()
        if self.hull_points_now == 0 or self.ship_lost or number <= 1:
            return
        if number > 12:
            self.ship_lost = True  # without a roll
        else:
            self.ship_lost = self.die("hull", 0, 0) + self.die("hull", 0, 0) < number
        self.note("ship lost" if self.ship_lost else "hull holds", 0)

    def life_support(self) -> None:
        """Athletics 11 or a die of damage, which ignites nobody [SH-31, D-S8]."""
        units = [m for m in self.modules.values() if m.name == "life support"]
        fails_aboard = (
            self.phase % self.book["life_support"]["phases"] == 0 and bool(units) and all(m.broken for m in units)
        )
        for person in self.people:
            if not person.able() or person.eva or not (person.outside or fails_aboard):
                continue
            difficulty = self.book["life_support"]["difficulty"]
            if not self.skill_check("life support", person.number, person.number, difficulty, person.athletics):
                face = self.die("life support damage", person.number, person.number)
                person.damage += face
                self.note("life support", person.number, person.number, face)
