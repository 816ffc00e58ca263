"""What happens at the start of a turn: events, fires already alight, the wind, and the snapshot of the fire."""

from __future__ import annotations

import numpy as np

from firesim.dice.rolls import roll
from firesim.events.log import note
from firesim.grid.hexes import SIDES, hex_distance
from firesim.grid.lists import sort_cells
from firesim.jit import jit
from firesim.rules.kernels import touch
from firesim.rules.town import params as p
from firesim.rules.town import state as s
from firesim.rules.town.building import demolish, douse, other_hex_burns
from firesim.rules.town.fire import attack, light, own_attack_meets_roof

ALL_SIDES = (1 << SIDES) - 1
"""`open_sides` of a hex with six neighbours that stand and do not burn."""


@jit
def do_events(params, state, log, turn):
    """The events of this turn in file order [D-W15]; events are sorted by step."""
    while state.counts[s.NEXT_EVENT] < params.events.shape[0]:
        event = params.events[state.counts[s.NEXT_EVENT]]
        if event.step > turn:
            return
        state.counts[s.NEXT_EVENT] += 1
        if event.kind == p.EV_WIND:
            state.weather[s.WIND] = event.value
            if event.value >= 0:
                note(log, turn, s.E_WIND, 0, 0, 0, 0, 0, event.value, 0, 0)
        elif event.kind == p.EV_MOISTURE and event.first == event.end:
            state.weather[s.MOISTURE] = event.value
            note(log, turn, s.E_MOISTURE, 0, 0, 0, 0, 0, params.book.moisture[event.value], 0, 0)
        else:
            for i in range(event.first, event.end):
                happen_to(
                    params, state, log, turn, event.kind, event.value, event.several, np.int64(params.event_cells[i])
                )


@jit
def happen_to(params, state, log, turn, kind, value, several, cell):
    """One event in one hex."""
    if kind == p.EV_DEMOLISH:
        demolish(params, state, log, turn, cell)
    elif kind == p.EV_DOUSE:
        douse(params, state, log, turn, cell)
    elif kind == p.EV_MOISTURE:
        touch(state, cell)
        state.cells[cell].moisture = value
        note(log, turn, s.E_WET, cell, cell, 0, 0, 0, params.book.moisture[value], 0, 0)
    elif kind == p.EV_ACCELERANT and state.cells[cell].standing:
        place_accelerant(state, cell, value, several)
        note(log, turn, s.E_ACCELERANT, cell, cell, 0, 0, 0, params.book.accelerant[value], 0, 0)


@jit
def place_accelerant(state, cell, kind, several):
    """An accelerant that burns one turn, or two when it lies in several melee hexes or already here [TN-50, D-W8]."""
    touch(state, cell)
    state.fuel[cell, kind].turns = 2 if several or state.fuel[cell, kind].turns else 1
    if state.cells[cell].fuel == s.NO_FUEL:
        state.cells[cell].fuel = s.FUEL_LIES


@jit
def set_alight(params, state, log, turn, end):
    """Fires alight from this turn on, among the first `end` ignitions [D-W6]; turn 0: before the first turn."""
    ignitions = params.ignitions
    for i in range(state.counts[s.OPEN_IGNITION], end):
        if state.ignited[i] or not ignitions[i].alight or ignitions[i].step > max(turn, 1):
            continue
        state.ignited[i] = 1
        cell = np.int64(ignitions[i].cell)
        if not state.cells[cell].standing or state.cells[cell].burning:
            continue
        if params.options.one_hex and other_hex_burns(params, state, cell):
            continue
        note(log, turn, s.E_ALIGHT, cell, cell, 0, 0, 0, 0, 0, 0)
        light(params, state, log, turn, cell, not ignitions[i].inside)


@jit
def ignite(params, state, key, tape, log, turn, ignition):
    """The attack of a pending ignition, on the wall armour [TN-11, TN-17, D-W1, D-W6]."""
    ignitions = params.ignitions
    if state.ignited[ignition] or ignitions[ignition].step > turn or ignitions[ignition].alight:
        return
    cell = np.int64(ignitions[ignition].cell)
    if not state.cells[cell].standing or state.cells[cell].burning:
        state.ignited[ignition] = 1
        return
    if params.options.one_hex and other_hex_burns(params, state, cell):
        return
    face = roll(key, tape, turn, s.IGNITE_ATTACK, ignition, cell, 6)
    _, catches = attack(params, state, log, turn, face, cell, cell, False, np.int64(0), s.E_IGNITE)
    if catches:
        state.ignited[ignition] = 1
        light(params, state, log, turn, cell, not ignitions[ignition].inside)  # [TN-25]


@jit
def pass_over_done_ignitions(params, state):
    """Move the first open ignition past those that are over."""
    while state.counts[s.OPEN_IGNITION] < params.ignitions.shape[0] and state.ignited[state.counts[s.OPEN_IGNITION]]:
        state.counts[s.OPEN_IGNITION] += 1


@jit
def blow(params, state, key, tape, log, turn):
    """The heading of this turn's wind: none, the set one, or by a die [TN-31, D-W2]."""
    wind = state.weather[s.WIND]
    if wind == s.WIND_BY_DIE:
        wind = roll(key, tape, turn, s.WIND_DIE, 0, 0, 6) - 1
        note(log, turn, s.E_WIND, 0, 0, wind + 1, 0, 0, wind, 0, 0)
    state.weather[s.THIS_WIND] = wind


@jit
def is_inferno(params, state, cell):
    """Whether a burning hex has no protection left against its own fire [TN-20, TN-61, D-W10, D-W11]."""
    if params.options.mode == p.SIMPLE:
        return True
    if own_attack_meets_roof(params, state, cell):
        return state.cells[cell].roof == 0
    return state.cells[cell].armour == 0


@jit
def take_snapshot(params, state):
    """Who burns and how hot it is at turn start [A1-16, D-W9]: brings heat and buildings up to date."""
    for i in range(state.counts[s.BURNING]):
        cell = np.int64(state.lists[s.BURNING, i])
        if params.by_cell:
            state.buildings[params.cells[cell].building].alight = 1
        if not state.cells[cell].inferno and is_inferno(params, state, cell):
            state.cells[cell].inferno = 1
            spread_heat(params, state, cell, 1)


@jit
def spread_heat(params, state, cell, change):
    """An inferno begins or ends: it counts for every other hex within the radius [TN-61, A1-10]."""
    links, radius = params.links, params.options.inferno_radius
    if radius == 0:
        return
    if radius == 1:
        for heading in range(SIDES):
            feel_heat(state, np.int64(links.to[cell, heading]), change)
        return
    row, col = cell // links.cols, cell % links.cols
    for there_row in range(max(row - radius, 0), min(row + radius + 1, links.rows)):
        for there_col in range(max(col - radius, 0), min(col + radius + 1, links.cols)):
            other = np.int64(there_row * links.cols + there_col)
            if other != cell and hex_distance(links, cell, other) <= radius:
                feel_heat(state, other, change)


@jit
def feel_heat(state, cell, change):
    """One inferno more or less near this hex."""
    if state.cells[cell].standing:
        touch(state, cell)
        state.cells[cell].heat += change


@jit
def forget_the_dead(params, state):
    """Take hexes that burn no longer off the list of burning ones, and their heat away."""
    kept = 0
    for i in range(state.counts[s.BURNING]):
        cell = np.int64(state.lists[s.BURNING, i])
        if state.cells[cell].burning:
            state.lists[s.BURNING, kept] = cell
            kept += 1
            continue
        if params.by_cell:
            state.buildings[params.cells[cell].building].alight = 0
        if state.cells[cell].inferno:
            state.cells[cell].inferno = 0
            spread_heat(params, state, cell, -1)
    state.counts[s.BURNING] = kept


@jit
def close_sides(params, state, cell):
    """No neighbour can jump to a hex that burns at turn start; the others are looked at one by one [D-W5]."""
    for heading in range(SIDES):
        other = np.int64(params.links.to[cell, heading])
        state.open_sides[other] &= ALL_SIDES ^ (1 << (heading + SIDES // 2) % SIDES)


@jit
def welcome_the_new(params, state):
    """Merge the hexes lit this turn into the ascending list of burning ones; their neighbours lose a side."""
    n, m = state.counts[s.BURNING], state.counts[s.FRESH]
    sort_cells(state.lists[s.FRESH], m)
    kept = 0
    for i in range(m):
        cell = state.lists[s.FRESH, i]
        state.cells[cell].fresh = 0
        if state.cells[cell].burning:
            state.lists[s.FRESH, kept] = cell
            kept += 1
            close_sides(params, state, np.int64(cell))
    left, right, end = n - 1, kept - 1, n + kept - 1
    while right >= 0:
        if left >= 0 and state.lists[s.BURNING, left] > state.lists[s.FRESH, right]:
            state.lists[s.BURNING, end] = state.lists[s.BURNING, left]
            left -= 1
        else:
            state.lists[s.BURNING, end] = state.lists[s.FRESH, right]
            right -= 1
        end -= 1
    state.counts[s.BURNING], state.counts[s.FRESH] = n + kept, 0
