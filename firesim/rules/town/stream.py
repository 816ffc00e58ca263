"""A turn of a fire in a batch, burning hexes laid out as a stream: the rules of the acts in another order of work.

The acts (`kernel.act`) visit one hex after another and look everything up on the map. Here what the own attack of a
burning hex needs lies in rows of `state.stream`, in any order, and one loop without branches goes over all of them;
what is rare (a collapse die, a flare-up, a hex consumed, a jump that finds a target) is flagged and done afterwards by
the functions that the acts use. Dice are keyed, so their order is free; where one effect meets another (jumps at one
victim, hexes of one building, sparks) it is taken by cell, as in the acts. The same bits as the acts on random towns is
what `tests/rules/town/test_stream.py` holds. Not laid out so: simple mode, jumps other than one by die, roofs that burn
with the house, and `stall_jump` (`params.streams`).
"""

from __future__ import annotations

import numpy as np

from firesim.dice.keyed import face
from firesim.dice.rolls import roll_ahead, roll_pairs_ahead
from firesim.grid.hexes import SIDES
from firesim.grid.lists import sort_cells
from firesim.jit import jit
from firesim.rules.base import PHASE, POSITION, STEP
from firesim.rules.kernels import touch
from firesim.rules.town import params as p
from firesim.rules.town import state as s
from firesim.rules.town.building import consume, reach_outside
from firesim.rules.town.fire import (
    armour_left,
    await_consumption,
    burn_accelerants,
    collapse_threshold,
    end_rests,
    modifiers,
    net_damage,
    st_left,
)
from firesim.rules.town.happenings import (
    ALL_SIDES,
    blow,
    close_sides,
    do_events,
    ignite,
    pass_over_done_ignitions,
    set_alight,
    spread_heat,
)
from firesim.rules.town.spread import edge_gap, flare, heading_of_face, is_legal, jump_target, land, rim

# Rows of `state.stream`: structure, armour, modifiers of the own attack, the ST at which a collapse die is due, the
# figure from which an attack is a flare-up, and the sides over which fire may jump (none while it is inside)
ST, ARMOUR, BONUS, COLLAPSE_AT, FLARES_FROM, SIDES_OPEN = range(6)

# Bits of `state.flags`
COLLAPSES, FLARES_UP, AT_ZERO, BARE = 1, 2, 4, 8

NEVER = np.int32(1 << 30)
NO_DIE = np.int32(-1)


@jit
def stream_turn(params, state, key):
    """A whole turn, in the order of the acts [TN-59, A1-16]."""
    turn = state.clock[STEP] + 1
    begin(params, state, key, turn)
    burn(params, state)
    look_at_flagged(params, state, turn)
    for ignition in range(state.counts[s.OPEN_IGNITION], params.ignitions.shape[0]):
        ignite(params, state, key, None, None, turn, ignition)
    consume_all(params, state, key, turn)
    jump(params, state, key, turn)
    throw_sparks(params, state, key, turn)
    consume_all(params, state, key, turn)
    go_external(params, state, turn)
    end(params, state, turn)


# --------------------------------------------------------------------------------------------- who is in the stream
@jit
def take_up(params, state, place, cell):
    """A burning hex enters the stream at a place; it is alight for its building, and may be an inferno at once."""
    hex_ = state.cells[cell]
    state.lists[s.BURNING, place] = cell
    state.stream[ST, place] = hex_.st
    state.stream[ARMOUR, place] = hex_.armour
    state.stream[COLLAPSE_AT, place] = NO_DIE
    if not hex_.collapsed and (not hex_.collapse_checked or params.options.collapse == p.EACH_TURN):
        state.stream[COLLAPSE_AT, place] = collapse_threshold(
            np.int64(params.cells[cell].st0), params.book.collapse_percent, params.options.collapse_strict
        )
    if not bonus_changes(params, state):
        state.stream[BONUS, place] = modifiers(params, state, cell)
    reach_out(params, state, place, hex_.external)
    state.buildings[params.cells[cell].building].alight = 1
    if hex_.armour == 0:
        become_inferno(params, state, cell)


@jit
def bonus_changes(params, state):
    """Whether the modifiers of a burning hex may change from turn to turn: by infernos nearby or by accelerants."""
    return params.options.inferno_radius > 0 or state.fuel.shape[0] > 1


@jit
def reach_out(params, state, place, external):
    """A fire on the outside may jump and flare up; one inside may not [TN-23, TN-28]."""
    by_die = params.options.flare_by == p.DIE
    state.stream[FLARES_FROM, place] = (5 if by_die else params.book.flare_net) if external else NEVER
    state.stream[SIDES_OPEN, place] = ALL_SIDES if external else 0


@jit
def become_inferno(params, state, cell):
    """A burning hex without protection counts as an inferno from the next turn on [TN-61, A1-10]."""
    if not state.cells[cell].inferno:
        state.cells[cell].inferno = 1
        spread_heat(params, state, cell, 1)


@jit
def welcome(params, state):
    """Hexes lit since the last time enter the stream; their neighbours lose a side."""
    for i in range(state.counts[s.FRESH]):
        cell = np.int64(state.lists[s.FRESH, i])
        state.cells[cell].fresh = 0
        if state.cells[cell].burning:
            take_up(params, state, state.counts[s.BURNING], cell)
            state.counts[s.BURNING] += 1
            close_sides(params, state, cell)
    state.counts[s.FRESH] = 0


@jit
def leave(params, state, place):
    """A hex that burns no longer leaves the stream; the last one takes its place."""
    cell = np.int64(state.lists[s.BURNING, place])
    building = params.cells[cell].building
    state.buildings[building].alight = state.buildings[building].burning > 0
    if state.cells[cell].standing:  # doused: what the stream knows better goes back to the map
        state.cells[cell].st, state.cells[cell].armour = state.stream[ST, place], state.stream[ARMOUR, place]
    if state.cells[cell].inferno:
        state.cells[cell].inferno = 0
        spread_heat(params, state, cell, -1)
    last = state.counts[s.BURNING] - 1
    state.lists[s.BURNING, place] = state.lists[s.BURNING, last]
    for row in range(state.stream.shape[0]):
        state.stream[row, place] = state.stream[row, last]
    state.counts[s.BURNING] = last


@jit
def drop_the_dead(params, state):
    """All hexes that burn no longer leave the stream."""
    for place in range(state.counts[s.BURNING] - 1, -1, -1):
        if not state.cells[state.lists[s.BURNING, place]].burning:
            leave(params, state, place)


# ------------------------------------------------------------------------------------------------------- the turn
@jit
def begin(params, state, key, turn):
    """Events, fires alight from now on, the wind, and the random bits of the turn."""
    if turn == 1:
        for place in range(state.counts[s.BURNING]):
            cell = np.int64(state.lists[s.BURNING, place])
            touch(state, cell)
            take_up(params, state, place, cell)
    before = state.counts[s.NEXT_EVENT]
    do_events(params, state, None, turn)
    if state.counts[s.NEXT_EVENT] > before:
        drop_the_dead(params, state)
    set_alight(params, state, None, turn, params.ignitions.shape[0])
    welcome(params, state)
    if state.counts[s.NEXT_EVENT] > before or bonus_changes(params, state):
        for place in range(state.counts[s.BURNING]):
            state.stream[BONUS, place] = modifiers(params, state, np.int64(state.lists[s.BURNING, place]))
    blow(params, state, key, None, None, turn)
    roll_ahead(key, turn, state.lists[s.BURNING], state.counts[s.BURNING], state.words)


@jit
def burn(params, state):
    """Every burning hex's own fire attack at once [TN-11, TN-16..TN-20]; what follows from it is flagged."""
    stream, words, flags = state.stream, state.words, state.flags
    by_die = params.options.flare_by == p.DIE
    for i in range(state.counts[s.BURNING]):
        shown = face(np.uint64(words[s.ATTACK_DIE, i]), 6)
        st, armour = np.int64(stream[ST, i]), np.int64(stream[ARMOUR, i])
        net = net_damage(shown, np.int64(stream[BONUS, i]), armour)
        left, worn = st_left(st, net), armour_left(armour, net)
        stream[ST, i], stream[ARMOUR, i] = left, worn
        flags[i] = (
            COLLAPSES * (st <= stream[COLLAPSE_AT, i])
            + FLARES_UP * ((shown if by_die else net) >= stream[FLARES_FROM, i])
            + AT_ZERO * (left == 0)
            + BARE * (worn == 0 and armour > 0)
        )


@jit
def look_at_flagged(params, state, turn):
    """Collapse dice, flare-ups and hexes at ST 0, as the own attacks left them [TN-21, TN-27, TN-33]."""
    for place in range(state.counts[s.BURNING]):
        flag = state.flags[place]
        if flag == 0:
            continue
        cell = np.int64(state.lists[s.BURNING, place])
        if flag & COLLAPSES:
            throw_collapse_die(params, state, place, cell)
        if flag & FLARES_UP:
            state.tally[s.FLARE_UPS] += 1
            if params.cells[cell].sparks:
                enlist_by_cell(state, place)
        if flag & AT_ZERO:
            state.cells[cell].st = 0
            state.stream[SIDES_OPEN, place] = 0
            await_consumption(state, cell)


@jit
def throw_collapse_die(params, state, place, cell):
    """The collapse die, once or until it falls [TN-21, A1-02]."""
    state.cells[cell].collapse_checked = 1
    if face(np.uint64(state.words[s.COLLAPSE_DIE, place]), 6) >= params.book.collapse_from:
        state.cells[cell].collapsed = 1
        state.tally[s.COLLAPSED] += 1
    if state.cells[cell].collapsed or params.options.collapse == p.ONCE:
        state.stream[COLLAPSE_AT, place] = NO_DIE


@jit
def enlist_by_cell(state, place):
    """Keep the places whose flare-up throws sparks in the order of their cells."""
    at, cell = state.counts[s.FLARES], state.lists[s.BURNING, place]
    while at > 0 and state.lists[s.BURNING, state.lists[s.FLARES, at - 1]] > cell:
        state.lists[s.FLARES, at] = state.lists[s.FLARES, at - 1]
        at -= 1
    state.lists[s.FLARES, at] = place
    state.counts[s.FLARES] += 1


@jit
def consume_all(params, state, key, turn):
    """Hexes at ST 0, by cell, are consumed [TN-27]."""
    for i in range(state.counts[s.ASHES]):
        consume(params, state, key, None, None, turn, np.int64(state.lists[s.ASHES, i]))
    state.counts[s.ASHES] = 0


@jit
def jump(params, state, key, turn):
    """Every external fire's jump [TN-28..TN-31]: those that find a target, by cell, with their dice rolled together."""
    tries, count = state.tries, 0
    for place in range(state.counts[s.BURNING]):
        cell = state.lists[s.BURNING, place]
        heading = heading_of_face(params, state, face(np.uint64(state.words[s.JUMP_HEADING, place]), 6))
        tries[0, count] = cell * SIDES + heading
        count += (state.open_sides[cell] & state.stream[SIDES_OPEN, place]) >> heading & 1
    found = 0
    for i in range(count):
        other, _ = jump_target(params, state, np.int64(tries[0, i]) // SIDES, np.int64(tries[0, i]) % SIDES)
        if other != rim(params):
            tries[0, found] = tries[0, i]
            found += 1
    sort_cells(tries[0], found)
    for i in range(found):
        cell, heading = np.int64(tries[0, i]) // SIDES, np.int64(tries[0, i]) % SIDES
        other = np.int64(params.links.to[cell, heading])
        tries[0, i], tries[1, i], tries[2, i] = cell, other, edge_gap(params, state, cell, heading, other)
    bits = state.words[s.COLLAPSE_DIE]  # those of this turn are read
    roll_pairs_ahead(key, turn, s.JUMP_ATTACK, tries[0], tries[1], found, bits)
    for i in range(found):
        cell, other = np.int64(tries[0, i]), np.int64(tries[1, i])
        if is_legal(params, state, other):  # still: another hex of its building may have caught
            shown = face(np.uint64(bits[i]), 6)
            land(params, state, None, turn, shown, cell, other, np.int64(tries[2, i]))


@jit
def throw_sparks(params, state, key, turn):
    """Sparks of this turn's flare-ups, by cell [TN-33, TN-60]."""
    for i in range(state.counts[s.FLARES]):
        flare(params, state, key, None, None, turn, np.int64(state.lists[s.FLARES, i]))
    state.counts[s.FLARES] = 0


@jit
def go_external(params, state, turn):
    """Fires inside whose hex is down to 75 % reach the outside from the next turn on [TN-23]."""
    if not params.inside:
        return
    for place in range(state.counts[s.BURNING]):
        if state.stream[FLARES_FROM, place] == NEVER:
            cell = np.int64(state.lists[s.BURNING, place])
            state.cells[cell].st = state.stream[ST, place]
            reach_outside(params, state, None, turn, cell)
            if state.cells[cell].external:
                reach_out(params, state, place, 1)
    for i in range(state.counts[s.FRESH]):
        reach_outside(params, state, None, turn, np.int64(state.lists[s.FRESH, i]))


@jit
def end(params, state, turn):
    """Clocks run down, hexes without protection heat the next turn, the dead leave and the new enter the stream."""
    burn_accelerants(params, state)
    end_rests(state)
    for place in range(state.counts[s.BURNING] - 1, -1, -1):
        if state.flags[place] & AT_ZERO:
            leave(params, state, place)
        elif state.flags[place] & BARE:
            become_inferno(params, state, np.int64(state.lists[s.BURNING, place]))
    welcome(params, state)
    pass_over_done_ignitions(params, state)
    state.clock[STEP], state.clock[PHASE], state.clock[POSITION] = turn, s.BEGIN, 0
