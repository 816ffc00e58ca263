"""A turn of a fire in a batch, burning hexes laid out as a stream: the rules of the acts in another order of work.

The acts (`kernel.act`) visit one hex after another and look everything up on the map. Here what the own attack and the
collapse die of a burning hex need lies in rows of `state.stream` (see `stream_layout`), in any order, and one loop
without branches goes over all of them; what is rare (sparks, a hex consumed, a jump that finds a target) is listed and
done afterwards by the functions that the acts use. Dice are keyed, so their order is free; where one effect meets
another (jumps at one victim, hexes of one building, sparks) it is taken by cell, as in the acts. The same bits as the
acts on random towns is what `tests/rules/town/test_stream.py` holds. Not laid out so: simple mode, jumps other than one
by die, roofs that burn with the house, and `stall_jump` (`params.streams`).
"""

from __future__ import annotations

import numpy as np

from firesim.dice.keyed import face
from firesim.dice.rolls import roll_ahead, roll_pairs_ahead
from firesim.grid.lists import copy_entries, sort_by, sort_cells
from firesim.jit import jit
from firesim.rules.base import PHASE, POSITION, STEP
from firesim.rules.kernels import touch
from firesim.rules.town import params as p
from firesim.rules.town import state as s
from firesim.rules.town.building import consume, reach_outside
from firesim.rules.town.fire import armour_left, burn_accelerants, end_rests, modifiers, net_damage, st_left
from firesim.rules.town.happenings import blow, do_events, ignite, pass_over_done_ignitions, set_alight
from firesim.rules.town.spread import edge_gap, flare, heading_of_face, is_legal, jump_crosses, land
from firesim.rules.town.stream_layout import (
    ARMOUR,
    AT,
    AT_A_TIME,
    AT_ZERO,
    BARE,
    BONUS,
    CHECKED,
    COLLAPSE,
    COLLAPSE_AT,
    ENDING,
    FALLEN,
    FOUND,
    FROM,
    GOES_TO,
    HEAP,
    NO_DIE,
    ORDERED,
    OUTSIDE,
    SPARKS_MAY_LAND,
    ST,
    THROWS_SPARKS,
    become_inferno,
    bonus_changes,
    close_up,
    drop_the_dead,
    look_up,
    outside,
    part_with,
    take_up,
    tell_collapse,
    welcome,
)

WAYS = 8
"""A jump in one number: cell * WAYS + heading."""


@jit
def stream_turn(params, state, key):
    """A whole turn, in the order of the acts [TN-59, A1-16]."""
    turn = state.clock[STEP] + 1
    begin(params, state, key, turn)
    burn(params, state)
    ending = burn_out(params, state)
    for ignition in range(state.counts[s.OPEN_IGNITION], params.ignitions.shape[0]):
        ignite(params, state, key, None, None, turn, ignition)
    consume_all(params, state, key, turn)
    jump(params, state, key, turn)
    throw_sparks(params, state, key, turn)
    consume_all(params, state, key, turn)
    go_external(params, state, turn)
    end(params, state, turn, ending)


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
    welcome(params, state, 0)
    if state.counts[s.NEXT_EVENT] > before or bonus_changes(params, state):
        for place in range(state.counts[s.BURNING]):
            state.stream[BONUS, place] = modifiers(params, state, np.int64(state.lists[s.BURNING, place]))
    blow(params, state, key, None, None, turn)
    roll_ahead(key, turn, state.lists[s.BURNING], state.counts[s.BURNING], state.words)


@jit
def burn(params, state):
    """Every burning hex's collapse die and fire attack at once [TN-11, TN-16..TN-21, A1-02]; the rest is flagged."""
    stream, words, flags = state.stream, state.words, state.flags
    by_die, once = params.options.flare_by == p.DIE, params.options.collapse == p.ONCE
    falls_from, flares_from = params.book.collapse_from, 5 if by_die else params.book.flare_net
    collapsed, flare_ups, throws = np.int64(0), np.int64(0), np.int64(0)
    for i in range(state.counts[s.BURNING]):
        shown = face(np.uint64(words[s.ATTACK_DIE, i]), 6)
        st, armour = np.int64(stream[ST, i]), np.int64(stream[ARMOUR, i])
        due = np.int64(st <= stream[COLLAPSE_AT, i])
        falls = due & np.int64(face(np.uint64(words[s.COLLAPSE_DIE, i]), 6) >= falls_from)
        stream[COLLAPSE, i] |= CHECKED * due + FALLEN * falls
        stream[COLLAPSE_AT, i] = NO_DIE if due & (falls | once) else stream[COLLAPSE_AT, i]
        collapsed += falls
        net = net_damage(shown, np.int64(stream[BONUS, i]), armour)
        left, worn = st_left(st, net), armour_left(armour, net)
        stream[ST, i], stream[ARMOUR, i] = left, worn
        flare_up = np.int64(stream[OUTSIDE, i] if (shown if by_die else net) >= flares_from else 0)
        sparks = np.int64(flare_up >= SPARKS_MAY_LAND)
        flare_ups += flare_up > 0
        throws += sparks
        flags[i] = AT_ZERO * (left == 0) + THROWS_SPARKS * sparks + BARE * (worn == 0 and armour > 0)
    state.tally[s.COLLAPSED] += collapsed
    state.tally[s.FLARE_UPS] += flare_ups
    if throws:
        list_sparks(state)
    if params.options.collapse_effect != p.FLAG:  # the map is asked who has fallen in
        for place in range(state.counts[s.BURNING]):
            tell_collapse(state, place, state.lists[s.BURNING, place])


@jit
def list_sparks(state):
    """Keep the places whose flare-up throws sparks in the order of their cells [TN-33]."""
    flares, count = state.lists[s.FLARES], 0
    for place in range(state.counts[s.BURNING]):
        flares[count] = place
        count += np.int64((state.flags[place] & THROWS_SPARKS) == THROWS_SPARKS)
    sort_by(state.lists[s.BURNING], flares, count)
    state.counts[s.FLARES] = count


@jit
def burn_out(params, state):
    """Hexes that their own attack brought to ST 0 are to be consumed [TN-27]. Returns how many `ENDING` lists."""
    ending, flags = state.work[ENDING], state.flags
    count = 0
    for place in range(state.counts[s.BURNING]):
        ending[count] = place
        count += np.int64(flags[place] & AT_ZERO)
    for i in range(count):
        cell = state.lists[s.BURNING, ending[i]]
        state.stream[OUTSIDE, ending[i]] = 0
        state.cells[cell].st = 0
        tell_collapse(state, ending[i], cell)
        state.lists[s.ASHES, state.counts[s.ASHES] + i] = cell
    state.counts[s.ASHES] += count
    return count


@jit
def consume_all(params, state, key, turn):
    """Hexes at ST 0 are consumed [TN-27]; no two of them are of one building that minds, so in any order."""
    for i in range(state.counts[s.ASHES]):
        consume(params, state, key, None, None, turn, np.int64(state.lists[s.ASHES, i]))
    state.counts[s.ASHES] = 0


@jit
def jump(params, state, key, turn):
    """Every external fire's jump [TN-28..TN-31]."""
    make_jumps(params, state, key, turn, find_jumps(params, state))


@jit
def make_jumps(params, state, key, turn, count):
    """The jumps that `FOUND` lists, some at a time: their attack dice rolled together, then their effects [TN-30].

    What they go at is looked up beforehand too: memory far away answers many questions as soon as one.
    """
    work, bits = state.work, state.words[s.COLLAPSE_DIE]  # of which those of this turn are read
    if params.by_cell:
        order_by_cell(params, state, count)
    else:
        order_by_victim(params, state, count)
    for i in range(count):
        work[FROM, i] = work[ORDERED, i] // WAYS
    roll_pairs_ahead(key, turn, s.JUMP_ATTACK, work[FROM], work[AT], count, bits)
    for first in range(0, count, AT_A_TIME):
        end = min(first + AT_A_TIME, count)
        look_up(state, work[AT], first, end)
        for i in range(first, end):
            cell, other = np.int64(work[FROM, i]), np.int64(work[AT, i])
            if is_legal(params, state, other):
                gap = edge_gap(params, state, cell, np.int64(work[ORDERED, i]) % WAYS, other)
                if jump_crosses(params.options.gap3, gap, params.book.gap_jump, params.book.gap_protected):
                    land(params, state, None, turn, face(np.uint64(bits[i]), 6), cell, other, gap)


@jit
def find_jumps(params, state):
    """Who jumps towards a hex that stood unlit at turn start. Returns how many entries `FOUND` lists."""
    found, count, wind = state.work[FOUND], 0, state.weather[s.THIS_WIND]
    for place in range(state.counts[s.BURNING]):
        cell = state.lists[s.BURNING, place]
        heading = heading_of_face(params, wind, face(np.uint64(state.words[s.JUMP_HEADING, place]), 6))
        found[count] = cell * WAYS + heading
        count += (state.open_sides[cell] & state.stream[OUTSIDE, place]) >> heading & 1
    return count


@jit
def order_by_cell(params, state, count):
    """Write the jumps `FOUND` into `ORDERED` by the cells from which they go."""
    ordered, at = state.work[ORDERED], state.work[AT]
    copy_entries(ordered, state.work[FOUND], count)
    sort_cells(ordered, count)
    for i in range(count):
        at[i] = params.links.to[ordered[i] // WAYS, ordered[i] % WAYS]


@jit
def order_by_victim(params, state, count):
    """Write the jumps `FOUND` into `ORDERED` so that those at one hex come by their cells, whatever else lies between.

    They come from neighbours, whose cells lie one of eight distances from the hex's: a heap for each, those of the
    lowest neighbour first.
    """
    found, goes_to, heap = state.work[FOUND], state.work[GOES_TO], state.work[HEAP]
    ordered, at, ends = state.work[ORDERED], state.work[AT], state.heaps
    for i in range(ends.shape[0]):
        ends[i] = 0
    for i in range(count):
        goes_to[i] = params.links.to[found[i] // WAYS, found[i] % WAYS]
    for i in range(count):
        heap[i] = heap_of(np.int64(goes_to[i]) - found[i] // WAYS, params.links.cols)
    for i in range(count):
        ends[heap[i]] += 1
    for i in range(1, ends.shape[0]):
        ends[i] += ends[i - 1]
    for i in range(count - 1, -1, -1):
        ends[heap[i]] -= 1
        ordered[ends[heap[i]]], at[ends[heap[i]]] = found[i], goes_to[i]


@jit
def heap_of(ahead, cols):
    """The place of a distance to a neighbour (its cell less the cell one comes from) among the eight, greatest first.

    To the row below cols + 1, cols, cols - 1; within the row 1, -1; to the row above 1 - cols, -cols, -1 - cols.
    """
    below, above = np.int64(ahead > 1), np.int64(ahead < -1)
    beside = 1 - below - above
    return below * (cols + 1 - ahead) + beside * (3 + (ahead < 0)) + above * (6 - cols - ahead)


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
        if not state.stream[OUTSIDE, place]:
            cell = np.int64(state.lists[s.BURNING, place])
            state.cells[cell].st = state.stream[ST, place]
            reach_outside(params, state, None, turn, cell)
            if state.cells[cell].external:
                state.stream[OUTSIDE, place] = outside(params, cell)
    for i in range(state.counts[s.FRESH]):
        reach_outside(params, state, None, turn, np.int64(state.lists[s.FRESH, i]))


@jit
def end(params, state, turn, ending):
    """Clocks run down, hexes without protection heat the next turn, the dead leave and the new enter the stream."""
    burn_accelerants(params, state)
    end_rests(state)
    if params.options.inferno_radius > 0:
        for place in range(state.counts[s.BURNING]):
            if (state.flags[place] & (BARE | AT_ZERO)) == BARE:
                become_inferno(params, state, np.int64(state.lists[s.BURNING, place]))
    for i in range(ending):
        part_with(params, state, np.int64(state.work[ENDING, i]))
    free = welcome(params, state, ending)
    for i in range(free - 1, -1, -1):  # from the last, since another hex takes the place of each
        close_up(state, np.int64(state.work[ENDING, i]))
    pass_over_done_ignitions(params, state)
    state.clock[STEP], state.clock[PHASE], state.clock[POSITION] = turn, s.BEGIN, 0
