"""What happens at the start of a phase: weapon hits and other events, and modules that are to be set on fire."""

from __future__ import annotations

import numpy as np

from firesim.dice.rolls import roll
from firesim.events.log import note
from firesim.jit import jit
from firesim.rules.ship import params as p
from firesim.rules.ship import state as s
from firesim.rules.ship.modules import break_module, open_door, put_out, set_on_fire


@jit
def weapon_takes_hold(face, from_face):
    """Whether weapon fire does anything to a module [SH-06, SH-07]."""
    return face >= from_face


@jit
def fire_weapon(params, state, key, tape, log, phase, purpose, number, cell):
    """Weapon fire on a module: on a 6 it breaks, burns, and costs a hull point [SH-06..SH-08, A2-22]."""
    face = roll(key, tape, phase, purpose, number, cell, 6)
    if not weapon_takes_hold(face, params.book.weapon_from):
        note(log, phase, s.E_NO_EFFECT, cell, cell, face, 0, 0, 0, 0, 0)
    else:
        note(log, phase, s.E_WEAPON, cell, cell, face, 0, 0, 0, 0, 0)
        break_module(params, state, log, phase, cell, 1)
        set_on_fire(params, state, log, phase, cell)


@jit
def events_due(params, state, phase):
    """Whether another event of this phase is still to happen [D-S1]."""
    following = state.counts[s.NEXT_EVENT]
    return following < params.events.shape[0] and params.events[following].step <= phase


@jit
def next_event(params, state, key, tape, log, phase):
    """One event on one module [SH-06, D-S1, D-S12]."""
    event = params.events[state.counts[s.NEXT_EVENT]]
    state.counts[s.NEXT_EVENT] += 1
    cell = np.int64(event.cell)
    if event.kind == p.EV_WEAPON:
        fire_weapon(params, state, key, tape, log, phase, s.WEAPON_DIE, np.int64(event.number), cell)
    elif event.kind == p.EV_DOUSE:
        if state.cells[cell].burning:
            note(log, phase, s.E_DOUSED, cell, cell, 0, 0, 0, 0, 0, 0)
        put_out(state, log, phase, cell, cell)
    elif event.kind == p.EV_DEMOLISH:
        break_module(params, state, log, phase, cell, 0)
    else:
        open_door(params, state, log, phase, cell, cell)


@jit
def ignite(params, state, key, tape, log, phase, ignition):
    """A module that is to be on fire from now on, or is fired upon until it burns [D-S12]."""
    here = params.ignitions[ignition]
    if state.ignited[ignition] or here.step > phase:
        return
    cell = np.int64(here.cell)
    if state.cells[cell].burning or here.alight:
        state.ignited[ignition] = 1
        set_on_fire(params, state, log, phase, cell)
    else:
        fire_weapon(params, state, key, tape, log, phase, s.IGNITE_DIE, np.int64(ignition), cell)


@jit
def pass_over_done_ignitions(params, state):
    """Move the first open ignition past those that are over."""
    while state.counts[s.OPEN_IGNITION] < params.ignitions.shape[0] and state.ignited[state.counts[s.OPEN_IGNITION]]:
        state.counts[s.OPEN_IGNITION] += 1


@jit
def set_alight_at_start(params, state, log):
    """Modules on fire before the first phase [D-S12]."""
    for i in range(params.ignitions.shape[0]):
        if params.ignitions[i].alight and params.ignitions[i].step <= 1:
            state.ignited[i] = 1
            set_on_fire(params, state, log, 0, np.int64(params.ignitions[i].cell))
    pass_over_done_ignitions(params, state)
