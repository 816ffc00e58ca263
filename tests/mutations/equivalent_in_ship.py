"""Mutants of the ship's rules that change nothing that can be seen, each with the reason why."""

from __future__ import annotations

EQUIVALENT: dict[str, str] = {
    "modules.enlist: `state.lists[row, place - 1] > cell` -> `state.lists[row, place - 1] >= cell`": (
        "a module that is in the list was found before"
    ),
    "modules.module_die: `leave_alone(state, cell)` -> `nothing` (no. 2)": (
        "`set_on_fire` leaves a module that burns as it is"
    ),
    "modules.module_die: `state.crew.shape[0] + state.items.shape[0] > 0` -> "
    "`state.crew.shape[0] + state.items.shape[0] >= 0`": ("with nobody and nothing aboard a hot module asks no dice"),
    "modules.module_die: `target <= cell` -> `target < cell`": "a module is not its own neighbour",
    "modules.catch_modules: `keep_alight(state)` -> `nothing`": "`end` does it too, and `enlist` lists no module twice",
    "modules.open_door: `touch(state, cell)` -> `nothing`": "what it changes is undone at the end of the phase",
    "modules.open_door: `state.cells[cell].door = 1` -> `nothing`": "it only keeps the log from telling of it twice",
    "modules.open_door: `1` -> `0`": "it only keeps the log from telling of it twice",
    "modules.hull_check: `0` -> `1` (no. 2)": "dice that are not rolled are only told of",
    "people.gather: `state.counts[s.BURNERS] = 0` -> `nothing`": "`end` has emptied the list",
    "people.splash: `first == 0 and (not breaks_module(face))` -> `first == 0 or not breaks_module(face)`": (
        "it only decides what is told"
    ),
    "people.splash: `1` -> `0` (no. 4)": "a fire that has splashed is passed over",
    "people.splash_square: `row + side` -> `row - side`": "the same after the remainder",
    "people.splash_square: `col + side` -> `col - side`": "the same after the remainder",
    "people.splash_on: `target < people` -> `target <= people`": (
        "the number after the last person's is the first item's"
    ),
    "people.occupant: `False` -> `True`": "an act without a die changes nothing",
    "people.air_lost_aboard: `working += 1 - state.cells[params.life_support[i]].broken` -> "
    "`working -= 1 - state.cells[params.life_support[i]].broken`": "only whether it is 0 is asked",
    "people.hold_out: `0` -> `1`": "dice that are not rolled are only told of",
    "orders.in_reach: `state.crew[person].outside or state.crew[other].outside` -> "
    "`state.crew[person].outside and state.crew[other].outside`": (
        "who is outside has no orders, and is asked about only when aboard"
    ),
    "orders.in_reach: `False` -> `True`": "who is outside has no orders, and is asked about only when aboard",
    "orders.stand_at_door: `touch(state, cell)` -> `nothing`": "a door that is open was touched when it was opened",
    "happenings.ignite: `state.ignited[ignition] = 1` -> `nothing`": "`set_on_fire` marks it too",
    "happenings.ignite: `1` -> `0`": "`set_on_fire` marks it too",
    "kernel.acts_in: `0` -> `1`": "an act of the sub-step before the events does nothing",
    "modules.put_out: `touch(state, cell)` -> `nothing`": "a module that burns was touched when it caught fire",
    "modules.break_module: `state.cells[cell].at[s.BROKEN_AT] < 0` -> `state.cells[cell].at[s.BROKEN_AT] <= 0`": (
        "0 is only the record of what is broken from the start"
    ),
    "modules.break_module: `0` -> `1`": "0 is only the record of what is broken from the start",
    "modules.spread_to: `touch(state, cell)` -> `nothing`": "`set_on_fire` touches what catches",
}
