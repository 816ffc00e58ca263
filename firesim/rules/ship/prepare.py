"""From the words of a scenario to what the kernel knows: names to codes, tables to numbers, the map to links."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from firesim.core.fields import Records, allocate, records
from firesim.core.maps import OPEN, symbols
from firesim.core.tables import Tables
from firesim.dice.rolls import room_ahead
from firesim.rules.kernels import touch
from firesim.rules.ship import params as p
from firesim.rules.ship import state as s
from firesim.rules.ship.happenings import set_alight_at_start
from firesim.rules.ship.words import Crew, Item, Legend, Ship

LIFE_SUPPORT = "life support"
"""The module whose loss is felt by all aboard [D-S8]."""

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Look:
    """What pictures and sentences need: the module of every cell (None = none), names of modules and all aboard.

    letters: what is written on the people in pictures.
    """

    modules: list[Legend | None]
    crew: list[Crew]
    items: list[Item]
    names: list[str]
    letters: list[str]


def modules_of(words: Ship) -> tuple[list[Legend | None], tuple[int, int]]:
    """The module on every cell, row by row, and the map's rows and columns."""
    rows, _ = symbols(words.map.rows)
    modules = [None if symbol == OPEN else words.map.legend[symbol] for row in rows for symbol in row]
    return modules, (len(rows), len(modules) // len(rows))


def square_of(thing: Crew | Item, side: int) -> tuple[int, int]:
    """The square in which somebody or something begins: the middle unless it is given [D-S2]."""
    return (side // 2, side // 2) if thing.square is None else thing.square


def sites_of(modules: list[Legend | None], shape: tuple[int, int]) -> Records:
    """Modules and their neighbours forward, to starboard, aft and to port [SH-15, SH-41]; the rim last."""
    rows, cols = shape
    rim = rows * cols
    sites = records(p.ShipSite, rim + 1)
    sites.exists[:rim] = [module is not None for module in modules]
    sites.external_door[:rim] = [module is not None and module.external_door for module in modules]
    sites.life_support[:rim] = [module is not None and module.module == LIFE_SUPPORT for module in modules]
    row, col = np.divmod(np.arange(rim), cols)
    for heading in range(4):
        to_row, to_col = row + p.ROW_STEPS[heading], col + p.COL_STEPS[heading]
        on_map = (to_row >= 0) & (to_row < rows) & (to_col >= 0) & (to_col < cols)
        target = np.where(on_map, to_row * cols + to_col, rim)
        sites.to[:rim, heading] = np.where(sites.exists[target] > 0, target, rim)
    sites.to[rim] = rim
    return sites


def orders_of(words: Ship, cols: int) -> tuple[Records, Array, list[tuple[int, int]]]:
    """All orders, their paths, and for each person first and end of his orders; what follows a spacewalk is idle."""
    numbers = {person.name: i for i, person in enumerate(words.crew)}
    rows: list[tuple[int, int, int, int, int]] = []
    path: list[int] = []
    spans = []
    for person in words.crew:
        first = len(rows)
        for order in [person.order] if isinstance(person.order, str) else person.order:
            if order == "none":
                continue
            way = [row * cols + col for row, col in person.path] if order in ("move", "carry") else []
            whom = numbers[person.target] if isinstance(person.target, str) else p.NOBODY
            aim = person.target[0] * cols + person.target[1] if isinstance(person.target, tuple) else p.OWN_MODULE
            rows.append((p.ORDERS.index(order), whom, aim, len(path), len(path) + len(way)))
            path += way
        spans.append((first, len(rows)))
    made = records(p.ShipOrder, len(rows))
    for record, row in zip(made, rows, strict=True):
        record.kind, record.person, record.cell, record.first, record.end = row
    return made, np.array(path, np.int32), spans


def crew_of(words: Ship, spans: list[tuple[int, int]]) -> Records:
    """The people as the kernel knows them."""
    made = records(p.ShipCrew, len(words.crew))
    for record, person, (first, end) in zip(made, words.crew, spans, strict=True):
        record.row, record.col = square_of(person, words.options.side)
        record.health, record.engineering, record.athletics = person.health, person.engineering, person.athletics
        record.toolkit, record.tentac, record.eva = person.toolkit, person.tentac, person.eva
        record.first_order, record.end_order = first, end
    return made


def items_of(words: Ship, cols: int) -> Records:
    """The items as the kernel knows them."""
    made = records(p.ShipThing, len(words.item))
    for record, item in zip(made, words.item, strict=True):
        record.row, record.col = square_of(item, words.options.side)
        record.cell = item.cell[0] * cols + item.cell[1]
    return made


def events_of(words: Ship, cols: int) -> Records:
    """Events by phase, then in file order, one for each module [D-S1, D-S12]."""
    codes = {"weapon": p.EV_WEAPON, "douse": p.EV_DOUSE, "demolish": p.EV_DEMOLISH, "door": p.EV_DOOR}
    numbered = sorted(enumerate(words.event), key=lambda pair: pair[1].step)
    rows = [
        (event.step, codes[event.kind], row * cols + col, number)
        for number, event in numbered
        for row, col in event.cells or ([event.cell] if event.cell else [])
    ]
    made = records(p.ShipEvent, len(rows))
    for record, row in zip(made, rows, strict=True):
        record.step, record.kind, record.cell, record.number = row
    return made


def ignitions_of(words: Ship, cols: int) -> Records:
    """Ignitions in file order."""
    made = records(p.ShipIgnition, len(words.ignite))
    for record, ignition in zip(made, words.ignite, strict=True):
        record.cell = ignition.cell[0] * cols + ignition.cell[1]
        record.step, record.alight = ignition.step, ignition.alight
    return made


def options_of(words: Ship) -> Records:
    """The options as one record of integers."""
    options = records(p.ShipOptions, 1)
    for name, value in words.options.model_dump().items():
        options[name] = p.CHOICES[name].index(value) if name in p.CHOICES else int(value)
    return options[0]


def book_of(tables: Tables) -> Records:
    """The book's numbers as the kernel wants them, in one record."""
    made = records(p.ShipBook, 1)
    made.difficulty = tables.value("extinguish", "difficulty")
    made.every_fire = tables.value("extinguish", "all")
    made.toolkit = tables.value("extinguish", "toolkit")
    made.remote = tables.value("extinguish", "remote")
    made.door_out_to = tables.value("door", "out_to")
    made.weapon_from = tables.value("weapon", "from_face")
    made.item_from = tables.value("item", "from_face")
    made.air_difficulty = tables.value("life_support", "difficulty")
    made.air_phases = tables.value("life_support", "phases")
    made.hull_from = list(tables["hull_check"].values.values())
    return made[0]


def params_of(words: Ship, tables: Tables, modules: list[Legend | None], shape: tuple[int, int]) -> p.ShipParams:
    """Everything the kernel may know."""
    cols = shape[1]
    sites = sites_of(modules, shape)
    orders, path, spans = orders_of(words, cols)
    watches = [[row * cols + col for row, col in watch.cells] for watch in words.watch]
    return p.ShipParams(
        cells=sites,
        crew=crew_of(words, spans),
        items=items_of(words, cols),
        orders=orders,
        path=path,
        options=options_of(words),
        book=book_of(tables),
        events=events_of(words, cols),
        ignitions=ignitions_of(words, cols),
        life_support=np.flatnonzero(sites.life_support).astype(np.int32),
        watch_first=np.cumsum([0] + [len(cells) for cells in watches]).astype(np.int64),
        watch_cells=np.array([cell for cells in watches for cell in cells], np.int32),
        cols=cols,
    )


def first_state(words: Ship, params: p.ShipParams, modules: list[Legend | None]) -> s.ShipState:
    """The ship before the first phase: what is broken, who and what is on fire from the start [D-S11, D-S12]."""
    state = allocate(s.ShipState, {
        "cell": len(params.cells),
        "person": len(words.crew),
        "item": len(words.item),
        "ignition": max(len(words.ignite), 1),
        "entry": room_ahead(max(len(modules), len(words.crew) + len(words.item))),
    })  # fmt: skip
    for cell, module in enumerate(modules):
        if module is not None and module.broken:
            touch(state, cell)
            state.cells.broken[cell] = 1
            state.cells.at[cell, s.BROKEN_AT] = 0
            state.tally[s.MODULES_BROKEN] += 1
    for record, person in zip(state.crew, words.crew, strict=True):
        record.cell = person.cell[0] * params.cols + person.cell[1]
        record.outside = person.spacewalking
        record.burning = person.on_fire and not person.spacewalking  # [SH-30]
    set_alight_at_start(params, state, None)
    return state


def names_of(modules: list[Legend | None], cols: int, words: Ship) -> list[str]:
    """Names by the numbers of dice and log: the modules, the rim, the people, the items."""
    names = []
    for cell, module in enumerate(modules):
        place = f"({cell // cols}, {cell % cols})"
        known = module.module if module else ""
        names.append(f"the {known} {place}" if known else f"the module {place}" if module else f"space {place}")
    names.append("space")
    names += [person.name for person in words.crew]
    for item in words.item:
        called = item.name or {"barrel": "barrel", "cargo": "cargo", "personal": "personal thing"}[item.kind]
        names.append(f"the {called} in {names[item.cell[0] * cols + item.cell[1]]}")
    return names


def most_per_act(words: Ship) -> tuple[int, int]:
    """The most dice one act may roll, and the most rows it may log."""
    aboard = len(words.crew) + len(words.item)
    return 2 * aboard + 4, 4 * aboard + len(words.map.rows) * 4 + 3 * len(words.ignite) + 64
