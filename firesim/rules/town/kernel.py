"""The order of a turn's acts [TN-59, A1-16; rulebook section 6].

One act is one actor's rolls and effects in one phase; the cursor in `clock` says which comes next, and all that a later
act needs lies in the state.
"""

from __future__ import annotations

import numpy as np

from firesim.dice.rolls import roll_ahead, roll_own, rolls_ahead
from firesim.events.log import note
from firesim.grid.hexes import SIDES
from firesim.grid.lists import copy_entries
from firesim.jit import jit
from firesim.rules.base import PHASE, POSITION, STEP, TOUCHED
from firesim.rules.kernels import first_lit, kernel_of, mostly_touched, write_tallies
from firesim.rules.town import params as p
from firesim.rules.town import state as s
from firesim.rules.town.bands import can_share
from firesim.rules.town.building import collapse, consume, reach_outside
from firesim.rules.town.fire import attack, burn_accelerants, end_rests, flares_up
from firesim.rules.town.happenings import (
    blow,
    do_events,
    forget_the_dead,
    ignite,
    pass_over_done_ignitions,
    set_alight,
    take_snapshot,
    welcome_the_new,
)
from firesim.rules.town.spread import flare, jump, ways_of_jumping
from firesim.rules.town.stream import stream_turn


@jit
def act(params, state, key, tape, log):
    """Do the act at the cursor and move the cursor."""
    turn = state.clock[STEP] + 1
    phase, position = state.clock[PHASE], state.clock[POSITION]
    if position >= acts_in(params, state, phase):
        state.clock[PHASE], state.clock[POSITION] = phase + 1, 0
        if phase == s.CONSUME or phase == s.CONSUME_AGAIN:
            state.counts[s.ASHES] = 0
        return
    state.clock[POSITION] = position + 1
    if phase == s.BEGIN:
        begin(params, state, key, tape, log, turn)
    elif phase == s.COLLAPSE:
        collapse(params, state, key, tape, log, turn, position)
    elif phase == s.BURN:
        burn(params, state, key, tape, log, turn, position)
    elif phase == s.IGNITE:
        ignite(params, state, key, tape, log, turn, state.counts[s.OPEN_IGNITION] + position)
    elif phase == s.CONSUME or phase == s.CONSUME_AGAIN:
        consume(params, state, key, tape, log, turn, np.int64(state.lists[s.ASHES, position]))
    elif phase == s.JUMP:
        ways = ways_of_jumping(params)
        jump(params, state, key, tape, log, turn, position // ways, position % ways)
    elif phase == s.FLARE:
        flare(params, state, key, tape, log, turn, np.int64(state.lists[s.FLARES, position]))
    elif phase == s.GO_EXTERNAL:
        reach_outside(params, state, log, turn, burning_or_lit(state, position))
    else:
        end(params, state, turn)


@jit
def step(params, state, key):
    """A whole turn of a fire in a batch: as a stream of burning hexes where the rules in force allow it."""
    if params.streams:
        stream_turn(params, state, key)
        return
    turn = state.clock[STEP]
    while state.clock[STEP] == turn:
        act(params, state, key, None, None)


@jit
def acts_in(params, state, phase):
    """How many acts a phase has, as the state stands."""
    if phase == s.COLLAPSE or phase == s.BURN:
        return state.counts[s.BURNING]
    if phase == s.JUMP:
        return state.counts[s.BURNING] * ways_of_jumping(params)
    if phase == s.IGNITE:
        return params.ignitions.shape[0] - state.counts[s.OPEN_IGNITION]
    if phase == s.CONSUME or phase == s.CONSUME_AGAIN:
        return state.counts[s.ASHES]
    if phase == s.FLARE:
        return state.counts[s.FLARES]
    if phase == s.GO_EXTERNAL:
        return state.counts[s.BURNING] + state.counts[s.FRESH] if params.inside else np.int64(0)
    return np.int64(1)


@jit
def begin(params, state, key, tape, log, turn):
    """Events, fires alight from now on, the wind die, the snapshot."""
    do_events(params, state, log, turn)
    forget_the_dead(params, state)  # before fires alight from now on, which may be at a hex just doused
    set_alight(params, state, log, turn, params.ignitions.shape[0])
    welcome_the_new(params, state)
    blow(params, state, key, tape, log, turn)
    take_snapshot(params, state)
    if rolls_ahead(tape):
        roll_ahead(key, turn, state.lists[s.BURNING], state.counts[s.BURNING], state.words)


@jit
def burn(params, state, key, tape, log, turn, place):
    """A burning hex's own fire attack, and whether it is a flare-up [TN-11, TN-16..TN-19, TN-33]."""
    cell = np.int64(state.lists[s.BURNING, place])
    face = roll_own(key, tape, turn, s.ATTACK_DIE, cell, state.words, place, 6)
    net, _ = attack(params, state, log, turn, face, cell, cell, False, np.int64(0), s.E_ATTACK)
    state.cells[cell].stalled = net <= 0
    if state.cells[cell].external and flares_up(params.options.flare_by, face, net, params.book.flare_net):  # [A1-25]
        state.tally[s.FLARE_UPS] += 1
        state.lists[s.FLARES, state.counts[s.FLARES]] = place
        state.counts[s.FLARES] += 1
        note(log, turn, s.E_FLARE_UP, cell, cell, face, 0, 0, net, 0, 0)


@jit
def burning_or_lit(state, position):
    """The hex at a position of those burning at turn start, then those lit since."""
    burning = state.counts[s.BURNING]
    return np.int64(
        state.lists[s.BURNING, position] if position < burning else state.lists[s.FRESH, position - burning]
    )


@jit
def end(params, state, turn):
    """Accelerant clocks, and the lists made ready for the next turn [TN-42]."""
    burn_accelerants(params, state)
    end_rests(state)
    forget_the_dead(params, state)
    welcome_the_new(params, state)
    pass_over_done_ignitions(params, state)
    state.counts[s.FLARES] = 0
    state.clock[STEP], state.clock[PHASE], state.clock[POSITION] = turn, s.BEGIN, 0


@jit
def over(params, state):
    """Before a turn: nothing burns, no event is to come, no ignition is pending [D-W1]."""
    if state.counts[s.BURNING] or state.counts[s.NEXT_EVENT] < params.events.shape[0]:
        return False
    ignitions = params.ignitions
    for i in range(state.counts[s.OPEN_IGNITION], ignitions.shape[0]):
        cell = ignitions[i].cell
        if not state.ignited[i] and state.cells[cell].standing and not state.cells[cell].burning:
            return False
    return True


@jit
def restore_hex(first, state, cell):
    """Make one hex and its accelerants what they were."""
    if state.cells[cell].fuel or first.cells[cell].fuel:
        for kind in range(state.fuel.shape[1]):
            state.fuel[cell, kind] = first.fuel[cell, kind]
    state.cells[cell] = first.cells[cell]


@jit
def reset(params, first, state):
    """Make `state` equal to `first` again; only what the fire touched is visited, or all of a map it mostly burnt."""
    cells = state.cells.shape[0]
    if mostly_touched(state):
        for cell in range(cells):
            restore_hex(first, state, cell)
        for building in range(0 if params.lone else state.buildings.shape[0]):
            state.buildings[building] = first.buildings[building]
        copy_entries(state.open_sides, first.open_sides, cells)
    else:
        for i in range(state.counts[TOUCHED]):
            cell = state.touched_list[i]
            restore_hex(first, state, cell)
            if not params.lone:
                building = params.cells[cell].building
                state.buildings[building] = first.buildings[building]
            for heading in range(SIDES):
                beside = params.links.to[cell, heading]
                state.open_sides[beside] = first.open_sides[beside]
    copy_entries(state.lists[s.BURNING], first.lists[s.BURNING], first.counts[s.BURNING])
    copy_entries(state.touched_list, first.touched_list, first.counts[TOUCHED])
    copy_entries(state.ignited, first.ignited, first.ignited.shape[0])
    copy_entries(state.clock, first.clock, first.clock.shape[0])
    copy_entries(state.weather, first.weather, first.weather.shape[0])
    copy_entries(state.counts, first.counts, first.counts.shape[0])
    copy_entries(state.tally, first.tally, first.tally.shape[0])


@jit
def forget(params, state):
    """Between turns: put what can no longer matter to a fixed value, so that equal futures are equal states.

    Ashes keep only the fact that they are ashes; what the next turn's start works out anew is cleared.
    """
    state.weather[s.THIS_WIND] = s.NO_WIND
    for cell in range(state.cells.shape[0]):
        hex_ = state.cells[cell]
        hex_.stalled = hex_.inferno = hex_.heat = 0
        state.buildings[params.cells[cell].building].alight = 0
        if hex_.standing:
            continue
        hex_.armour = hex_.roof = 0
        state.open_sides[cell] = 0
        hex_.roof_hits = hex_.external = hex_.collapsed = hex_.collapse_checked = hex_.through_roof = 0
        hex_.moisture = 0
        for kind in range(state.fuel.shape[1] if hex_.fuel else 0):
            state.fuel[cell, kind].turns = state.fuel[cell, kind].runs = 0
        hex_.fuel = s.NO_FUEL


@jit
def outcome(params, state, row):
    """The outcome columns: steps, burning, the tallies, then two for each watched place."""
    place = write_tallies(state, state.counts[s.BURNING], row)
    for watch in range(params.watch_first.shape[0] - 1):
        first, end = params.watch_first[watch], params.watch_first[watch + 1]
        lost = np.int64(1)
        for i in range(first, end):
            lost *= state.cells[params.watch_cells[i]].consumed
        row[place + 2 * watch] = first_lit(state, params.watch_cells, first, end)
        row[place + 2 * watch + 1] = lost


kernel_of(
    p.TownParams,
    act=act,
    step=step,
    over=over,
    reset=reset,
    forget=forget,
    outcome=outcome,
    can_share=can_share,
)
