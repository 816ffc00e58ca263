"""Standing orders of the crew, carried out in file order each phase [D-S1]: putting out, doors, moving, carrying."""

from __future__ import annotations

import numpy as np

from firesim.dice.rolls import roll
from firesim.events.log import note
from firesim.jit import jit
from firesim.rules.kernels import touch
from firesim.rules.ship import params as p
from firesim.rules.ship import state as s
from firesim.rules.ship.modules import open_door, phase_of, put_out, who_is
from firesim.rules.ship.people import can_succeed, ignites, out_of_action, square_in, succeeds


# --------------------------------------------------------------------------------------------- rules on small numbers
@jit
def extinguish_difficulty(book, everything, toolkit):
    """Of the Engineering check beside the fire [SH-21, SH-23, SH-24]."""
    return book.difficulty + (book.every_fire if everything else 0) + (book.toolkit if toolkit else 0)


@jit
def station_difficulty(book, everything, toolkit, remote):
    """Of the Engineering check from a battlestation [SH-25..SH-27, SH-53, A2-14]."""
    return extinguish_difficulty(book, everything, toolkit) + (book.remote if remote else 0)


@jit
def adjacent(option, rows, cols):
    """Whether squares so far apart touch: eight around, or four [A2-11]."""
    if option == p.FOUR:
        return abs(rows) + abs(cols) <= 1
    return max(abs(rows), abs(cols)) <= 1


# --------------------------------------------------------------------------------------------------------- who is where
@jit
def in_reach(params, state, person, other):
    """Whether one person's square is another's or touches it, across modules too [SH-21, SH-56, A2-11]."""
    if state.crew[person].outside or state.crew[other].outside:
        return False
    mine, his = params.crew[person], params.crew[other]
    row, col = square_in(params, state, np.int64(state.crew[person].cell), mine.row, mine.col)
    his_row, his_col = square_in(params, state, np.int64(state.crew[other].cell), his.row, his.col)
    return adjacent(params.options.adjacent, his_row - row, his_col - col)


@jit
def burns_aboard(state, person):
    """Whether a person is on fire and inside the hull."""
    return state.crew[person].burning != 0 and not state.crew[person].outside


# ----------------------------------------------------------------------------------------------------------- the check
@jit
def check(params, state, key, tape, log, phase, person, target, need, event):
    """The two dice of an Engineering check, unless it cannot succeed [SH-21, SH-38, SH-39, D-S1].

    event: the code of success; the next is that of failure.
    """
    skill = np.int64(params.crew[person].engineering)
    if not can_succeed(need, skill):
        return False
    me, now = who_is(state, person), phase_of(state)
    shown = roll(key, tape, now, s.ORDER_ONE, me, target, 6) + roll(key, tape, now, s.ORDER_TWO, me, target, 6)
    success = succeeds(shown, need, skill)
    note(log, phase, event if success else event + 1, me, target, shown, skill, need, np.int64(success), 0, 0)
    return success


@jit
def put_out_person(state, log, phase, person, source):
    """A person no longer burns."""
    state.crew[person].burning = 0
    note(log, phase, s.E_OUT, who_is(state, person), source, 0, 0, 0, 0, 1, 0)


@jit
def extinguish_module(params, state, key, tape, log, phase, person):
    """Put out the fire of the module in which one is [SH-21, SH-22, A2-13]."""
    cell = np.int64(state.crew[person].cell)
    if not state.cells[cell].burning:
        return
    need = extinguish_difficulty(params.book, False, params.crew[person].toolkit)
    if check(params, state, key, tape, log, phase, person, cell, need, s.E_PUT_OUT):
        put_out(state, log, phase, cell, who_is(state, person))


@jit
def extinguish_person(params, state, key, tape, log, phase, person):
    """Put out oneself if one burns, else the first in the file within reach [SH-21, A2-11, A2-13, A2-21, D-S3]."""
    target = np.int64(p.NOBODY)
    if state.crew[person].burning:
        target = np.int64(person)
    for other in range(state.crew.shape[0]):
        if target == p.NOBODY and burns_aboard(state, other) and in_reach(params, state, person, other):
            target = np.int64(other)
    if target == p.NOBODY:
        return
    need = extinguish_difficulty(params.book, False, params.crew[person].toolkit)
    if check(params, state, key, tape, log, phase, person, who_is(state, target), need, s.E_PUT_OUT):
        put_out_person(state, log, phase, target, who_is(state, person))


@jit
def extinguish_all(params, state, key, tape, log, phase, person):
    """Put out every legal target at once: the own module and all who burn in reach [SH-22, SH-23, A2-13, D-S3]."""
    cell, me = np.int64(state.crew[person].cell), who_is(state, person)
    found = state.cells[cell].burning != 0
    for other in range(state.crew.shape[0]):
        found = found or (burns_aboard(state, other) and in_reach(params, state, person, other))
    need = extinguish_difficulty(params.book, True, params.crew[person].toolkit)
    if not found or not check(params, state, key, tape, log, phase, person, me, need, s.E_PUT_OUT_ALL):
        return
    put_out(state, log, phase, cell, me)
    for other in range(state.crew.shape[0]):
        if burns_aboard(state, other) and in_reach(params, state, person, other):
            put_out_person(state, log, phase, other, me)


@jit
def use_station(params, state, key, tape, log, phase, person, aim, everything):
    """Put out a functioning module from a battlestation, or all fires in it [SH-25..SH-27, SH-53, A2-14, D-S4]."""
    here, me = np.int64(state.crew[person].cell), who_is(state, person)
    cell = here if aim == p.OWN_MODULE else np.int64(aim)
    found = state.cells[cell].burning != 0
    if everything:
        for other in range(state.crew.shape[0]):
            found = found or (burns_aboard(state, other) and state.crew[other].cell == cell)
    toolkit = params.options.toolkit_at_station and params.crew[person].toolkit
    need = station_difficulty(params.book, everything, toolkit, cell != here)
    told = s.E_STATION_ALL if everything else s.E_PUT_OUT
    if not found or state.cells[cell].broken:
        return
    if not check(params, state, key, tape, log, phase, person, cell, need, told):
        return
    put_out(state, log, phase, cell, me)
    if everything:
        for other in range(state.crew.shape[0]):
            if burns_aboard(state, other) and state.crew[other].cell == cell:
                put_out_person(state, log, phase, other, me)


# --------------------------------------------------------------------------------------------------- moving, carrying
@jit
def next_module(params, state, person, order):
    """The next module of a path if it can be reached from here, else the rim [D-S11]."""
    place = order.first + state.crew[person].path
    rim = np.int64(params.cells.shape[0] - 1)
    if place >= order.end:
        return rim
    wanted = np.int64(params.path[place])
    for heading in range(4):
        if params.cells[state.crew[person].cell].to[heading] == wanted:
            return wanted
    return rim


@jit
def go_to(state, log, phase, person, cell):
    """A person enters a module and keeps his square; a door he held falls shut behind him [SH-37, SH-55, D-S11]."""
    if state.crew[person].cell != cell:
        state.crew[person].holds_door = 0
    state.crew[person].cell = cell
    note(log, phase, s.E_MOVES, who_is(state, person), cell, 0, 0, 0, 0, 0, 0)


@jit
def move(params, state, log, phase, person, carried, order):
    """One module along the path, with whom one carries [D-S11]."""
    cell = next_module(params, state, person, order)
    if not params.cells[cell].exists:
        return
    state.crew[person].path += 1
    go_to(state, log, phase, person, cell)
    if carried != p.NOBODY:
        go_to(state, log, phase, carried, cell)


@jit
def grapple(params, state, key, tape, log, phase, person, order):
    """Take hold of somebody in reach; of one who burns one may catch fire, without damage now [SH-28, SH-29, A2-19].

    Returns whether he is held. One die when it begins, or in each phase; catching counts at once [D-S11].
    """
    other = np.int64(order.person)
    if state.crew[other].outside:
        return False
    begins = not state.crew[person].holding
    me, whom = who_is(state, person), who_is(state, other)
    if begins:
        if not in_reach(params, state, person, other):
            return False
        state.crew[person].holding = 1
        note(log, phase, s.E_GRAPPLES, me, whom, 0, 0, 0, 0, 0, 0)
    if (begins or params.options.grapple_each_phase) and state.crew[other].burning and not state.crew[person].burning:
        face = roll(key, tape, phase, s.GRAPPLE_DIE, me, whom, 6)
        note(log, phase, s.E_GRAPPLE_DIE, me, whom, face, 0, 0, 0, 0, 0)
        if ignites(face):
            state.crew[person].burning = 1
            note(log, phase, s.E_CATCHES, me, whom, face, 0, 0, 0, 0, 1)
    return True


@jit
def go_outside(params, state, log, phase, person):
    """Leave by an external door: fire goes out before it does damage [SH-30, SH-31, D-S11]."""
    cell, me = np.int64(state.crew[person].cell), who_is(state, person)
    if not params.cells[cell].external_door:
        return
    open_door(params, state, log, phase, cell, me)
    state.crew[person].outside = 1
    note(log, phase, s.E_OUTSIDE, me, cell, 0, 0, 0, 0, np.int64(state.crew[person].burning), 0)
    state.crew[person].burning = 0


# ------------------------------------------------------------------------------------------------------------ the order
@jit
def carry_out(params, state, key, tape, log, phase, person):
    """All orders of one person, in his order; nobody outside or out of action has any [SH-36, D-S1, D-S2, D-S9]."""
    for i in range(params.crew[person].first_order, params.crew[person].end_order):
        if state.crew[person].outside or out_of_action(params, state, person):
            return
        order = params.orders[i]
        kind = order.kind
        if kind == p.EXTINGUISH_MODULE:
            extinguish_module(params, state, key, tape, log, phase, person)
        elif kind == p.EXTINGUISH_PERSON:
            extinguish_person(params, state, key, tape, log, phase, person)
        elif kind == p.EXTINGUISH_ALL:
            extinguish_all(params, state, key, tape, log, phase, person)
        elif kind == p.STATION_MODULE or kind == p.STATION_ALL:
            use_station(params, state, key, tape, log, phase, person, order.cell, kind == p.STATION_ALL)
        elif kind == p.OPEN_DOOR or kind == p.HOLD_DOOR:
            stand_at_door(params, state, log, phase, person, kind == p.HOLD_DOOR)
        elif kind == p.MOVE:
            move(params, state, log, phase, person, np.int64(p.NOBODY), order)
        elif kind == p.SPACEWALK:
            go_outside(params, state, log, phase, person)
        elif grapple(params, state, key, tape, log, phase, person, order) and kind == p.CARRY:
            move(params, state, log, phase, person, np.int64(order.person), order)


@jit
def stand_at_door(params, state, log, phase, person, holds):
    """Open the external door of the module one is in, or hold it open, at no cost [SH-26, SH-32, SH-36, D-S9]."""
    cell = np.int64(state.crew[person].cell)
    if not params.cells[cell].external_door:
        return
    open_door(params, state, log, phase, cell, who_is(state, person))
    if holds:
        touch(state, cell)
        state.crew[person].holds_door = 1
        note(log, phase, s.E_DOOR_HELD, cell, who_is(state, person), 0, 0, 0, 0, 0, 1)
