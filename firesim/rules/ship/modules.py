"""Modules on fire: catching, burning, spreading, breaking, hull damage, doors, the hull check.

The functions that hold a rule take and return small numbers; those that read and write the arrays call them.
"""

from __future__ import annotations

import numpy as np

from firesim.dice.rolls import roll, roll_own
from firesim.events.log import note
from firesim.jit import jit
from firesim.rules.base import STEP
from firesim.rules.kernels import touch
from firesim.rules.ship import state as s

LAST_HULL_NUMBER = 13
"""Two dice cannot reach it [A2-06]."""


# --------------------------------------------------------------------------------------------- rules on small numbers
@jit
def goes_out(face):
    """Whether a fire goes out by its own die [SH-05, SH-15]."""
    return face == 1


@jit
def direction_of(face):
    """Forward, starboard, aft or port for a face 2 to 5 [SH-10, SH-15, SH-41]."""
    return face - 2


@jit
def breaks_module(face):
    """Whether a module's own die breaks it [SH-15], or a person's sets it on fire [SH-05]."""
    return face == 6


@jit
def space_puts_out(face, out_to):
    """Whether a door die puts out all fires of the module [SH-34]."""
    return face <= out_to


@jit
def hull_number(damage, hull_from):
    """The number that two dice must reach, for this hull damage; 1: no check is due [A2-06, D-S5]."""
    number = np.int64(1)
    for k in range(hull_from.shape[0]):
        if damage >= hull_from[k]:
            number = np.int64(k + 2)
    return number


# ------------------------------------------------------------------------------------------------------------- records
@jit
def who_is(state, person):
    """The number by which dice and log know a person: modules come first, then the rim."""
    return np.int64(state.cells.shape[0] + person)


@jit
def what_is(state, item):
    """The number by which dice and log know an item: after the people."""
    return np.int64(state.cells.shape[0] + state.crew.shape[0] + item)


@jit
def phase_of(state):
    """The phase under way.

    A die in a loop that few of its rounds roll reads it anew: of a die whose whole key is known before the loop,
    compiled code works out the bits there, rolled or not.
    """
    return state.clock[STEP] + 1


@jit
def enlist(state, row, cell):
    """Put a module into an ascending list, once."""
    place = state.counts[row]
    for i in range(state.counts[row]):
        if state.lists[row, i] == cell:
            return
    while place > 0 and state.lists[row, place - 1] > cell:
        state.lists[row, place] = state.lists[row, place - 1]
        place -= 1
    state.lists[row, place] = cell
    state.counts[row] += 1


@jit
def strike(state, row, cell):
    """Take a module out of an ascending list."""
    kept = 0
    for i in range(state.counts[row]):
        if state.lists[row, i] != cell:
            state.lists[row, kept] = state.lists[row, i]
            kept += 1
    state.counts[row] = kept


# ------------------------------------------------------------------------------------------------- catching, going out
@jit
def set_on_fire(params, state, log, phase, cell):
    """A module begins to burn, at once [SH-08, SH-44]; ignitions that were to set it on fire are over [D-S12]."""
    touch(state, cell)
    for i in range(state.counts[s.OPEN_IGNITION], params.ignitions.shape[0]):
        if params.ignitions[i].cell == cell and params.ignitions[i].step <= phase:
            state.ignited[i] = 1
    if state.cells[cell].burning:
        return
    state.cells[cell].burning = 1
    enlist(state, s.ALIGHT, cell)
    state.cells[cell].at[s.OUT_AT] = -1
    if not state.cells[cell].burnt:  # [D-S13]
        state.cells[cell].burnt = 1
        state.cells[cell].at[s.LIT_AT] = phase
        state.tally[s.MODULES_LIT] += 1
    note(log, phase, s.E_LIT, cell, cell, 0, 0, 0, 0, 0, 1)


@jit
def put_out(state, log, phase, cell, source):
    """A module's fire goes out at once; the list of modules on fire is put right at the next sub-step that reads it."""
    if state.cells[cell].burning:
        touch(state, cell)
        state.cells[cell].burning = 0
        state.cells[cell].at[s.OUT_AT] = phase
        note(log, phase, s.E_OUT, cell, source, 0, 0, 0, 0, 1, 0)


@jit
def keep_alight(state):
    """Leave only modules that burn in the list of those on fire."""
    kept = 0
    for i in range(state.counts[s.ALIGHT]):
        cell = state.lists[s.ALIGHT, i]
        if state.cells[cell].burning:
            state.lists[s.ALIGHT, kept] = cell
            kept += 1
    state.counts[s.ALIGHT] = kept


@jit
def break_module(params, state, log, phase, cell, hull):
    """A module breaks, with a point of hull damage unless `hull` is 0 [SH-07, SH-15, SH-43, A2-08, A2-22]."""
    touch(state, cell)
    before = np.int64(state.cells[cell].broken)
    if not before:
        state.cells[cell].broken = 1
        state.tally[s.MODULES_BROKEN] += 1
        if state.cells[cell].at[s.BROKEN_AT] < 0:
            state.cells[cell].at[s.BROKEN_AT] = phase
        note(log, phase, s.E_BROKEN, cell, cell, 0, 0, 0, 0, 0, 1)
    if hull and (params.options.hull_repeat or not before):
        state.ship[s.HULL_DAMAGE_NOW] += 1
        state.ship[s.HULL_HIT] = 1
        state.tally[s.HULL_DAMAGE] += 1
        after = state.ship[s.HULL_DAMAGE_NOW]
        note(log, phase, s.E_HULL, cell, cell, 0, 0, 0, 0, after - 1, after)


@jit
def spread_to(params, state, cell, read):
    """A fire spreads onto a module in the fire step: a new fire after occupants' dice [SH-18, SH-44, A2-04, D-S7].

    read: whether the module's own die of this phase is already read. One that burns on has nothing to catch.
    """
    if state.cells[cell].out or (read and state.cells[cell].burning):
        return
    touch(state, cell)
    state.cells[cell].caught = 1
    enlist(state, s.CAUGHT, cell)
    if params.options.new_fire_hurts:
        enlist(state, s.HOT, cell)


@jit
def leave_alone(state, cell):
    """What spread onto this module in the fire step no longer counts."""
    if state.cells[cell].caught:
        state.cells[cell].caught = 0
        strike(state, s.CAUGHT, cell)


@jit
def module_die(params, state, key, tape, log, phase, place):
    """The die of a module that burnt when the fire step began [SH-15, SH-16, A2-04, A2-08]."""
    cell = np.int64(state.lists[s.ALIGHT, place])
    face = roll_own(key, tape, phase, s.MODULE_DIE, cell, state.words, place, 6)
    if goes_out(face):
        note(log, phase, s.E_MODULE, cell, cell, face, 0, 0, 0, 1, 0)
        put_out(state, log, phase, cell, cell)
        if not params.options.relight:
            state.cells[cell].out = 1
            leave_alone(state, cell)
        return
    leave_alone(state, cell)  # it burns on: there is nothing to relight
    if state.crew.shape[0] + state.items.shape[0] > 0:
        enlist(state, s.HOT, cell)
    if breaks_module(face):
        note(log, phase, s.E_MODULE, cell, cell, face, 0, 0, 0, 1, 1)
        break_module(params, state, log, phase, cell, 1)
        return
    heading = direction_of(face)
    target = np.int64(params.cells[cell].to[heading])
    note(log, phase, s.E_SPREADS, cell, target, face, 0, 0, heading, 1, 1)
    if params.cells[target].exists:
        spread_to(params, state, target, target <= cell)
    else:
        note(log, phase, s.E_NOTHING_THERE, cell, cell, 0, 0, 0, 0, 0, 0)


@jit
def catch_modules(params, state, log, phase):
    """Modules that were spread onto begin to burn [SH-18, A2-03, A2-04]."""
    for i in range(state.counts[s.ALIGHT]):
        state.cells[state.lists[s.ALIGHT, i]].out = 0
    keep_alight(state)
    for i in range(state.counts[s.CAUGHT]):
        cell = np.int64(state.lists[s.CAUGHT, i])
        state.cells[cell].caught = 0
        set_on_fire(params, state, log, phase, cell)
    state.counts[s.CAUGHT] = 0


# ------------------------------------------------------------------------------------------------------ doors, hull
@jit
def open_door(params, state, log, phase, cell, source):
    """An external door is opened for this phase [SH-32, SH-33, SH-52, D-S9]."""
    if params.cells[cell].external_door and not state.cells[cell].door:
        touch(state, cell)
        state.cells[cell].door = 1
        enlist(state, s.OPENED, cell)
        told = s.E_DOOR_OPENS if source == cell else s.E_DOOR_OPEN
        note(log, phase, told, cell, source, 0, 0, 0, 0, 0, 1)


@jit
def door_held(state, cell):
    """Whether somebody who held this door is still in its module [SH-35, SH-37, D-S9]."""
    for person in range(state.crew.shape[0]):
        who = state.crew[person]
        if who.holds_door and who.cell == cell and not who.outside:
            return True
    return False


@jit
def fire_in(state, cell):
    """Whether the module or a person in it burns [SH-34, A2-12]."""
    if state.cells[cell].burning:
        return True
    for person in range(state.crew.shape[0]):
        who = state.crew[person]
        if who.burning and who.cell == cell and not who.outside:
            return True
    return False


@jit
def door_dice(params, state, key, tape, log, phase, place):
    """The die of an opened door, and a second if it is held and the first did not do [SH-33..SH-35, A2-12]."""
    cell = np.int64(state.lists[s.OPENED, place])
    if not fire_in(state, cell):
        return
    face = roll(key, tape, phase, s.DOOR_DIE, cell, cell, 6)
    out = space_puts_out(face, params.book.door_out_to)
    note(log, phase, s.E_DOOR_DIE if out else s.E_DOOR_FAILS, cell, cell, face, 0, 0, 0, 0, 0)
    if not out and door_held(state, cell):
        face = roll(key, tape, phase, s.DOOR_EXTRA, cell, cell, 6)
        out = space_puts_out(face, params.book.door_out_to)
        note(log, phase, s.E_HELD_DIE if out else s.E_HELD_FAILS, cell, cell, face, 0, 0, 0, 0, 0)
    if out:
        put_out(state, log, phase, cell, cell)
        for person in range(state.crew.shape[0]):
            who = state.crew[person]
            if who.burning and who.cell == cell and not who.outside:
                who.burning = 0
                note(log, phase, s.E_OUT, who_is(state, person), cell, 0, 0, 0, 0, 1, 0)


@jit
def hull_check(params, state, key, tape, log, phase):
    """The one hull check of a phase in which fire did hull damage [SH-19, SH-51, A2-06, D-S5]."""
    due = state.ship[s.HULL_HIT]
    state.ship[s.HULL_HIT] = 0
    if not due or state.ship[s.LOST]:
        return
    number = hull_number(state.ship[s.HULL_DAMAGE_NOW], params.book.hull_from)
    if number == 1:
        return
    shown = np.int64(0)
    if number < LAST_HULL_NUMBER:
        shown = roll(key, tape, phase, s.HULL_ONE, 0, 0, 6) + roll(key, tape, phase, s.HULL_TWO, 0, 0, 6)
    if shown >= number:
        note(log, phase, s.E_HULL_HOLDS, 0, 0, shown, 0, number, 0, 0, 0)
    else:
        state.ship[s.LOST] = 1
        state.tally[s.SHIP_LOST] = 1
        note(log, phase, s.E_SHIP_LOST, 0, 0, shown, 0, number, 0, 0, 1)
