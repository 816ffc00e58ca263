"""The order of a phase's acts [A2-01, D-S1, D-S6; rulebook section 6].

One act is one actor's rolls and effects in one sub-step; the cursor in `clock` says which comes next, and all that a
later act needs lies in the state.
"""

from __future__ import annotations

import numpy as np

from firesim.grid.lists import copy_entries
from firesim.jit import jit
from firesim.rules.base import PHASE, POSITION, STEP, TOUCHED
from firesim.rules.kernels import first_lit, kernel_of, write_tallies
from firesim.rules.ship import params as p
from firesim.rules.ship import state as s
from firesim.rules.ship.happenings import events_due, ignite, next_event, pass_over_done_ignitions
from firesim.rules.ship.modules import catch_modules, door_dice, hull_check, keep_alight, module_die, phase_of
from firesim.rules.ship.orders import carry_out
from firesim.rules.ship.people import (
    air_lost_aboard,
    all_occupants,
    catch_people,
    gather,
    hold_out,
    occupants,
    own_die,
    splash,
)


@jit
def act(params, state, key, tape, log):
    """Do the act at the cursor and move the cursor."""
    phase = phase_of(state)
    part, position = part_at(params, state.clock[PHASE]), state.clock[POSITION]
    if position >= acts_in(params, state, phase, part):
        state.clock[PHASE], state.clock[POSITION] = state.clock[PHASE] + 1, 0
        return
    state.clock[POSITION] = position + 1
    if part == s.EVENTS:
        next_event(params, state, key, tape, log, phase)
    elif part == s.IGNITE:
        ignite(params, state, key, tape, log, phase, state.counts[s.OPEN_IGNITION] + position)
    elif part == s.ORDERS:
        carry_out(params, state, key, tape, log, phase, position)
    elif part == s.GATHER:
        gather(state, key, tape, phase)
    elif part == s.OWN:
        own_die(params, state, key, tape, log, phase, position)
    elif part == s.SPLASH:
        state.clock[POSITION] = splash(params, state, key, tape, log, phase, position)
    elif part == s.MODULES:
        module_die(params, state, key, tape, log, phase, position)
    elif part == s.OCCUPANTS:
        state.clock[POSITION] = occupants(params, state, key, tape, log, phase, position)
    elif part == s.CATCH:
        catch_modules(params, state, log, phase)
        catch_people(state)
    elif part == s.DOORS:
        door_dice(params, state, key, tape, log, phase, position)
    elif part == s.HULL:
        hull_check(params, state, key, tape, log, phase)
    elif part == s.AIR:
        hold_out(params, state, key, tape, log, phase, position, air_lost_aboard(params, state, phase))
    elif part == s.END:
        end(params, state, phase)


@jit
def step(params, state, key):
    """A whole phase of a fire in a batch: the acts of `act` in their order, without a cursor."""
    phase, people = phase_of(state), state.crew.shape[0]
    while events_due(params, state, phase):
        next_event(params, state, key, None, None, phase)
    for ignition in range(state.counts[s.OPEN_IGNITION], params.ignitions.shape[0]):
        ignite(params, state, key, None, None, phase, ignition)
    for person in range(people):
        carry_out(params, state, key, None, None, phase, person)
    gather(state, key, None, phase)
    for place in range(s.OWN, s.OCCUPANTS + 1):
        fire_part(params, state, key, phase, part_at(params, place))
    catch_modules(params, state, None, phase)
    catch_people(state)
    for place in range(state.counts[s.OPENED]):
        door_dice(params, state, key, None, None, phase, place)
    hull_check(params, state, key, None, None, phase)
    lost_aboard = air_lost_aboard(params, state, phase)
    for person in range(people):
        hold_out(params, state, key, None, None, phase, person, lost_aboard)
    end(params, state, phase)


@jit
def fire_part(params, state, key, phase, part):
    """One of the four sub-steps of the fire step that roll, for a fire in a batch."""
    if part == s.OWN:
        for place in range(state.counts[s.BURNERS]):
            own_die(params, state, key, None, None, phase, place)
    elif part == s.SPLASH:
        position, end = 0, state.counts[s.BURNERS] * (state.crew.shape[0] + state.items.shape[0])
        while position < end:
            position = splash(params, state, key, None, None, phase, position)
    elif part == s.MODULES:
        for place in range(state.counts[s.ALIGHT]):
            module_die(params, state, key, None, None, phase, place)
    else:
        all_occupants(params, state, key, phase)


@jit
def acts_in(params, state, phase, part):
    """How many acts a sub-step has, as the state stands."""
    if part == s.BEGIN:
        return np.int64(0)
    if part == s.EVENTS:
        return state.clock[POSITION] + (1 if events_due(params, state, phase) else 0)
    if part == s.IGNITE:
        return params.ignitions.shape[0] - state.counts[s.OPEN_IGNITION]
    if part == s.ORDERS or part == s.AIR:
        return np.int64(state.crew.shape[0])
    if part == s.OWN:
        return state.counts[s.BURNERS]
    if part == s.SPLASH:
        return state.counts[s.BURNERS] * (state.crew.shape[0] + state.items.shape[0])
    if part == s.MODULES:
        return state.counts[s.ALIGHT]
    if part == s.OCCUPANTS:
        return state.counts[s.HOT] * (state.crew.shape[0] + state.items.shape[0])
    if part == s.DOORS:
        return state.counts[s.OPENED]
    return np.int64(1)


@jit
def part_at(params, place):
    """The sub-step at a place of the order: people before modules, or modules first [A2-01, D-S6]."""
    if params.options.modules_first and s.OWN <= place <= s.OCCUPANTS:
        return s.OWN + (place - s.OWN + 2) % 4
    return place


@jit
def end(params, state, phase):
    """What holds for one phase only is over; doors close [SH-37, SH-40, D-S9]."""
    for i in range(state.counts[s.OPENED]):
        state.cells[state.lists[s.OPENED, i]].door = 0
    for person in range(state.crew.shape[0]):
        state.crew[person].burned = 0
        state.crew[person].holds_door = 0
    state.counts[s.OPENED] = state.counts[s.HOT] = state.counts[s.BURNERS] = 0
    keep_alight(state)
    pass_over_done_ignitions(params, state)
    state.clock[STEP], state.clock[PHASE], state.clock[POSITION] = phase, s.BEGIN, 0


@jit
def fires(state):
    """Modules and people aboard that burn."""
    count = state.counts[s.ALIGHT]
    for person in range(state.crew.shape[0]):
        if state.crew[person].burning and not state.crew[person].outside:
            count += 1
    return count


@jit
def over(params, state):
    """Before a phase: nothing burns, no event is to come, no ignition is pending."""
    if state.counts[s.ALIGHT] or state.counts[s.NEXT_EVENT] < params.events.shape[0] or fires(state):
        return False
    return state.counts[s.OPEN_IGNITION] == params.ignitions.shape[0]


@jit
def reset(params, first, state):
    """Make `state` equal to `first` again; only modules that the fire touched are visited."""
    for i in range(state.counts[TOUCHED]):
        cell = state.touched_list[i]
        state.cells[cell] = first.cells[cell]
    for person in range(state.crew.shape[0]):
        state.crew[person] = first.crew[person]
    for item in range(state.items.shape[0]):
        state.items[item] = first.items[item]
    copy_entries(state.lists[s.ALIGHT], first.lists[s.ALIGHT], first.counts[s.ALIGHT])
    copy_entries(state.touched_list, first.touched_list, first.counts[TOUCHED])
    copy_entries(state.ignited, first.ignited, first.ignited.shape[0])
    copy_entries(state.clock, first.clock, first.clock.shape[0])
    copy_entries(state.counts, first.counts, first.counts.shape[0])
    copy_entries(state.ship, first.ship, first.ship.shape[0])
    copy_entries(state.tally, first.tally, first.tally.shape[0])


@jit
def forget(params, state):
    """Between phases: put what can no longer matter to a fixed value, so that equal futures are equal states.

    Damage beyond health changes nothing more, and a lost ship is not lost again; what a fire step works out anew is
    cleared.
    """
    if state.ship[s.LOST]:
        state.ship[s.HULL_DAMAGE_NOW] = 0
    for person in range(state.crew.shape[0]):
        state.crew[person].damage = min(state.crew[person].damage, params.crew[person].health)


@jit
def outcome(params, state, row):
    """The outcome columns: phases, fires still burning, the tallies, then two for each watched place."""
    place = write_tallies(state, fires(state), row)
    for watch in range(params.watch_first.shape[0] - 1):
        first, end = params.watch_first[watch], params.watch_first[watch + 1]
        lost = np.int64(1)
        for i in range(first, end):
            lost *= state.cells[params.watch_cells[i]].broken
        row[place + 2 * watch] = first_lit(state, params.watch_cells, first, end)
        row[place + 2 * watch + 1] = lost


kernel_of(p.ShipParams, act=act, step=step, over=over, reset=reset, forget=forget, outcome=outcome)
