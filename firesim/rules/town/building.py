"""Buildings: collapse, consumption, the fire's way from hex to hex inside one, and its way out."""

from __future__ import annotations

import numpy as np

from firesim.dice.rolls import roll, roll_own
from firesim.events.log import note
from firesim.grid.hexes import SIDES, neighbour_after
from firesim.jit import jit
from firesim.rules.kernels import touch
from firesim.rules.town import params as p
from firesim.rules.town import state as s
from firesim.rules.town.fire import collapse_due, go_external, goes_external, light


@jit
def collapse(params, state, key, tape, log, turn, place):
    """The collapse die, thrown once or until it falls [TN-21, A1-02]; collapsed or not, it burns on [TN-22]."""
    cell = np.int64(state.lists[s.BURNING, place])
    if params.options.mode == p.SIMPLE or state.cells[cell].collapsed:  # [TN-13, D-W7]
        return
    if state.cells[cell].collapse_checked and params.options.collapse == p.ONCE:
        return
    st, st0 = np.int64(state.cells[cell].st), np.int64(params.cells[cell].st0)
    if not collapse_due(st, st0, params.book.collapse_percent, params.options.collapse_strict):
        return
    touch(state, cell)
    state.cells[cell].collapse_checked = 1
    face = roll_own(key, tape, turn, s.COLLAPSE_DIE, cell, state.words, place, 6)
    if face >= params.book.collapse_from:
        state.cells[cell].collapsed = 1
        state.tally[s.COLLAPSED] += 1
        note(log, turn, s.E_COLLAPSE, np.int64(cell), np.int64(cell), face, 0, 0, 0, st, st)
    else:
        note(log, turn, s.E_STANDS, np.int64(cell), np.int64(cell), face, 0, 0, 0, st, st)


@jit
def floors(params, state, cell):
    """Floors that count for the reach of sparks; a collapsed hex may have but one [TN-33, A1-20]."""
    if params.options.collapse_effect == p.FLOORS and state.cells[cell].collapsed:
        return np.int64(1)
    return np.int64(params.cells[cell].floors)


@jit
def other_hex_burns(params, state, cell):
    """Whether another hex of the same building is on fire now [D-W5, D-W6]."""
    if params.lone:
        return False
    return state.buildings[params.cells[cell].building].burning > state.cells[cell].burning


@jit
def put_out(params, state, turn, cell):
    """The hex burns no longer."""
    if state.cells[cell].burning:
        state.cells[cell].burning = 0
        if not params.lone:
            state.buildings[params.cells[cell].building].burning -= 1
        state.cells[cell].at[s.OUT_AT] = turn


@jit
def tell_lost(params, state, log, turn, cell):
    """A building is lost when all its hexes that were not demolished, at least one, are consumed [TN-27, D-W13]."""
    building = params.cells[cell].building
    consumed = state.buildings[building].consumed
    if consumed and state.buildings[building].gone == state.buildings[building].hexes:
        state.tally[s.BUILDINGS_LOST] += 1
        if state.buildings[building].hexes > 1:
            note(log, turn, s.E_BUILDING_LOST, np.int64(cell), np.int64(cell), 0, 0, 0, 0, 0, 0)


@jit
def consume(params, state, key, tape, log, turn, cell):
    """A hex at ST 0 is consumed [TN-12, TN-27]; the fire moves on to the next hex of its building [TN-10]."""
    put_out(params, state, turn, cell)
    state.cells[cell].standing = 0
    state.cells[cell].consumed = 1
    state.cells[cell].at[s.CONSUMED_AT] = turn
    state.tally[s.CONSUMED] += 1
    note(log, turn, s.E_CONSUMED, np.int64(cell), np.int64(cell), 0, 0, 0, 0, 0, 0)
    if params.lone:
        state.tally[s.BUILDINGS_LOST] += 1
        return
    building = params.cells[cell].building
    state.buildings[building].consumed += 1
    state.buildings[building].gone += 1
    tell_lost(params, state, log, turn, cell)
    if params.options.one_hex and state.buildings[building].gone < state.buildings[building].hexes:
        move_on(params, state, key, tape, log, turn, cell)


@jit
def move_on(params, state, key, tape, log, turn, cell):
    """The next hex burns, its walls whole: downwind, else of the lowest armour, else by a die [A1-14].

    If no adjacent hex of the building stands, that fire ends [A1-29]. The external flag carries over.
    """
    wind = state.weather[s.THIS_WIND]
    chosen = np.int64(params.links.to[cell, wind]) if wind >= 0 else np.int64(cell)
    if not is_next(params, state, cell, chosen):
        armour, count = weakest_next(params, state, cell)
        if count == 0:
            return
        place = roll(key, tape, turn, s.NEXT_HEX, cell, cell, count) if count > 1 else 1
        chosen = nth_next(params, state, cell, armour, place)
    note(log, turn, s.E_NEXT_HEX, chosen, cell, 0, 0, 0, 0, 0, 0)
    light(params, state, log, turn, chosen, state.cells[cell].external)


@jit
def weakest_next(params, state, cell):
    """The lowest armour among the hexes to which the fire could move on, and how many have it."""
    lowest, count = np.int64(0), 0
    for heading in range(SIDES):
        candidate = np.int64(params.links.to[cell, heading])
        if is_next(params, state, cell, candidate):
            armour = np.int64(state.cells[candidate].armour)
            if count == 0 or armour < lowest:
                lowest, count = armour, 0
            count += armour == lowest
    return lowest, count


@jit
def nth_next(params, state, cell, armour, place):
    """The `place`-th such hex of this armour, by ascending cell."""
    found = 0
    candidate = np.int64(-1)
    while True:
        candidate, _ = neighbour_after(params.links, cell, candidate)
        if is_next(params, state, cell, candidate) and state.cells[candidate].armour == armour:
            found += 1
        if found == place:
            return candidate


@jit
def is_next(params, state, cell, candidate):
    """Whether the fire in `cell` could move on to this neighbour: same building, standing, not yet on fire."""
    return (
        state.cells[candidate].standing != 0
        and state.cells[candidate].burning == 0
        and params.cells[candidate].building == params.cells[cell].building
    )


@jit
def reach_outside(params, state, log, turn, cell):
    """A fire inside goes external when ST is down to 75 %, from the next turn on [TN-23, A1-04, A1-25]."""
    if state.cells[cell].burning and not state.cells[cell].external:
        st = np.int64(state.cells[cell].st)
        if goes_external(st, np.int64(params.cells[cell].st0), params.book.external_percent):
            go_external(state, turn, cell)
            note(log, turn, s.E_EXTERNAL, np.int64(cell), np.int64(cell), 0, 0, 0, 0, st, st)


@jit
def douse(params, state, log, turn, cell):
    """The fire in a hex is put out; what is left of it stands and may catch again [INV]."""
    if not state.cells[cell].burning:
        return
    touch(state, cell)
    put_out(params, state, turn, cell)
    state.cells[cell].external = 0
    state.cells[cell].through_roof = 0
    for heading in range(SIDES):
        other = np.int64(params.links.to[cell, heading])
        state.open_sides[other] |= 1 << (heading + SIDES // 2) % SIDES
    note(log, turn, s.E_DOUSED, np.int64(cell), np.int64(cell), 0, 0, 0, 0, 0, 0)


@jit
def demolish(params, state, log, turn, cell):
    """The hex becomes open ground; its fire ends and does not move on [D-W13]."""
    if not state.cells[cell].standing:
        return
    touch(state, cell)
    put_out(params, state, turn, cell)
    state.cells[cell].standing = 0
    state.cells[cell].demolished = 1
    state.cells[cell].st = 0
    state.cells[cell].armour = 0
    state.cells[cell].roof = 0
    state.cells[cell].external = 0
    state.cells[cell].collapsed = 0
    note(log, turn, s.E_DEMOLISHED, np.int64(cell), np.int64(cell), 0, 0, 0, 0, 0, 0)
    if not params.lone:
        state.buildings[params.cells[cell].building].gone += 1
        tell_lost(params, state, log, turn, cell)
