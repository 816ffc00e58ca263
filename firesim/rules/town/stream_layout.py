"""Burning hexes as a stream: what its rows hold, and how a hex comes into it and leaves it."""

from __future__ import annotations

import numpy as np

from firesim.grid.hexes import SIDES
from firesim.jit import jit
from firesim.rules.town import params as p
from firesim.rules.town import state as s
from firesim.rules.town.fire import collapse_threshold, modifiers
from firesim.rules.town.happenings import ALL_SIDES, close_sides, spread_heat

# Rows of `state.stream`: structure, armour, modifiers of the own attack, the ST at which a collapse die is due, what
# came of it, and what the fire may do outside
ST, ARMOUR, BONUS, COLLAPSE_AT, COLLAPSE, OUTSIDE = range(6)

# Bits of the row COLLAPSE, and of the row OUTSIDE beside one for each side over which the fire may jump
CHECKED, FALLEN = 1, 2
SPARKS_MAY_LAND = 1 << SIDES

# Bits of `state.flags`
AT_ZERO, THROWS_SPARKS, BARE = 1, 2, 4

# Rows of `state.work`: places of hexes at ST 0; jumps (cell * WAYS + heading) as found, the hex that each goes to and
# its heap; then in the order in which they are made, with that hex and the one from which each goes
ENDING, FOUND, GOES_TO, HEAP, ORDERED, AT, FROM = range(7)

NO_DIE = np.int32(-1)

NEAR = 16_000
"""Hexes of a map so small that its records are always at hand."""

AT_A_TIME = 256
"""Hexes whose records are looked up together: so many that none is waited for alone, so few that all stay at hand."""


@jit
def take_up(params, state, place, cell):
    """A burning hex enters the stream at a place; it is alight for its building, and may be an inferno at once."""
    hex_ = state.cells[cell]
    state.lists[s.BURNING, place] = cell
    state.stream[ST, place] = hex_.st
    state.stream[ARMOUR, place] = hex_.armour
    state.stream[COLLAPSE, place] = CHECKED * hex_.collapse_checked + FALLEN * hex_.collapsed
    state.stream[COLLAPSE_AT, place] = NO_DIE
    if not hex_.collapsed and (not hex_.collapse_checked or params.options.collapse == p.EACH_TURN):
        state.stream[COLLAPSE_AT, place] = collapse_threshold(
            np.int64(params.cells[cell].st0), params.book.collapse_percent, params.options.collapse_strict
        )
    if not bonus_changes(params, state):
        state.stream[BONUS, place] = modifiers(params, state, cell)
    state.stream[OUTSIDE, place] = outside(params, cell) if hex_.external else 0
    if params.by_cell:
        state.buildings[params.cells[cell].building].alight = 1
    if hex_.armour == 0:
        become_inferno(params, state, cell)


@jit
def bonus_changes(params, state):
    """Whether the modifiers of a burning hex may change from turn to turn: by infernos nearby or by accelerants."""
    return params.options.inferno_radius > 0 or state.fuel.shape[0] > 1


@jit
def outside(params, cell):
    """What a fire on the outside may do, and one inside may not: jump and flare up [TN-23, TN-28]."""
    return ALL_SIDES + SPARKS_MAY_LAND * np.int64(params.cells[cell].sparks)


@jit
def become_inferno(params, state, cell):
    """A burning hex without protection counts as an inferno from the next turn on [TN-61, A1-10]."""
    if params.options.inferno_radius > 0 and not state.cells[cell].inferno:
        state.cells[cell].inferno = 1
        spread_heat(params, state, cell, 1)


@jit
def welcome(params, state, free):
    """Hexes lit since the last time enter the stream, on the first `free` places of `ENDING`, then behind the others.

    Their neighbours lose a side. Returns how many places are free still.
    """
    fresh = state.lists[s.FRESH]
    for first in range(0, state.counts[s.FRESH], AT_A_TIME):
        end = min(first + AT_A_TIME, state.counts[s.FRESH])
        look_up(state, fresh, first, end)
        look_up_sites(params, state, fresh, first, end)
        for i in range(first, end):
            cell = np.int64(fresh[i])
            state.cells[cell].fresh = 0
            if state.cells[cell].burning:
                close_sides(params, state, cell)
        for i in range(first, end):
            cell = np.int64(fresh[i])
            if state.cells[cell].burning:
                if free > 0:
                    free -= 1
                    take_up(params, state, np.int64(state.work[ENDING, free]), cell)
                else:
                    take_up(params, state, state.counts[s.BURNING], cell)
                    state.counts[s.BURNING] += 1
    state.counts[s.FRESH] = 0
    return free


@jit
def look_up(state, cells, first, end):
    """Read both ends of the records of some hexes: memory far away answers many questions as soon as one.

    The sum only keeps the compiler from leaving that out.
    """
    total = np.int64(0)
    for i in range(first, end if state.cells.shape[0] > NEAR else first):
        hex_ = state.cells[cells[i]]
        total += hex_.st + hex_.touched
    state.heaps[0] = total


@jit
def look_up_sites(params, state, cells, first, end):
    """The same of what was built there, and of the links to the neighbours."""
    total = np.int64(0)
    for i in range(first, end if state.cells.shape[0] > NEAR else first):
        total += params.cells[cells[i]].st0 + params.links.to[cells[i], 0] + params.links.to[cells[i], SIDES - 1]
    state.heaps[0] = total


@jit
def leave(params, state, place):
    """A hex that burns no longer leaves the stream."""
    part_with(params, state, place)
    close_up(state, place)


@jit
def close_up(state, place):
    """The last hex of the stream takes this place."""
    last = state.counts[s.BURNING] - 1
    state.lists[s.BURNING, place] = state.lists[s.BURNING, last]
    for row in range(state.stream.shape[0]):
        state.stream[row, place] = state.stream[row, last]
    state.counts[s.BURNING] = last


@jit
def part_with(params, state, place):
    """What a hex that burns no longer did to its building and its neighbours ends."""
    cell = np.int64(state.lists[s.BURNING, place])
    if params.by_cell:
        building = params.cells[cell].building
        state.buildings[building].alight = state.buildings[building].burning > 0
    if state.cells[cell].standing:  # doused: what the stream knows better goes back to the map
        state.cells[cell].st, state.cells[cell].armour = state.stream[ST, place], state.stream[ARMOUR, place]
        tell_collapse(state, place, cell)
    if state.cells[cell].inferno:
        state.cells[cell].inferno = 0
        spread_heat(params, state, cell, -1)


@jit
def drop_the_dead(params, state):
    """All hexes that burn no longer leave the stream."""
    for place in range(state.counts[s.BURNING] - 1, -1, -1):
        if not state.cells[state.lists[s.BURNING, place]].burning:
            leave(params, state, place)


@jit
def tell_collapse(state, place, cell):
    """What came of a hex's collapse dice goes back to the map."""
    state.cells[cell].collapse_checked = (state.stream[COLLAPSE, place] & CHECKED) > 0
    state.cells[cell].collapsed = (state.stream[COLLAPSE, place] & FALLEN) > 0
