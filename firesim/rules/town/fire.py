"""The fire attack: what strengthens it, what it meets, and what becomes of walls, roof and structure.

The functions that hold a rule take and return small numbers; those that read and write the arrays call them.
"""

from __future__ import annotations

import numpy as np

from firesim.events.log import note
from firesim.jit import jit
from firesim.rules.kernels import touch
from firesim.rules.town import params as p
from firesim.rules.town import state as s

BELOW_ALL = np.int64(-1_000_000_000)
"""Below every bonus a table may hold."""


# ------------------------------------------------------------------------------------------------ rules on small
# numbers
@jit
def net_damage(face, bonus, protection):
    """What a fire attack does: die and modifiers less armour or roof [TN-16, TN-62]."""
    return face + bonus - protection


@jit
def st_left(st, net):
    """ST after net damage; never below 0 [TN-12, TN-19]."""
    return max(st - net, 0) if net > 0 else st


@jit
def armour_left(armour, net):
    """Walls lose a point to every attack that gets through [TN-19], down to 0 [TN-20]."""
    return max(armour - 1, 0) if net > 0 else armour


@jit
def tile_gives_way(tile_mode, hits, rests):
    """Whether a tile roof loses its point to this successful attack [TN-40, A1-13]."""
    if tile_mode == p.SECOND_HIT:
        return hits % 2 == 1
    return rests == 0


@jit
def flares_up(flare_by, face, net, flare_net):
    """Whether the attack is a flare-up: by net damage before clipping [TN-33, TN-68], or by the die [A1-05, D-W7]."""
    return face >= 5 if flare_by == p.DIE else net >= flare_net


@jit
def goes_external(st, st0, percent):
    """Whether a fire inside has reached the outside: ST at or below 75 % rounded down [TN-23, TN-24, A1-04]."""
    return st <= st0 * percent // 100


@jit
def collapse_due(st, st0, percent, strict):
    """Whether the collapse die is due: ST at or below the threshold [TN-21, A1-03]."""
    return st <= collapse_threshold(st0, percent, strict)


@jit
def collapse_threshold(st0, percent, strict):
    """The ST at which the collapse die is due: 25 % rounded up, or the last strictly below [TN-21, TN-24, A1-03]."""
    return (st0 * percent + 99) // 100 - (1 if strict else 0)


# ---------------------------------------------------------------------------------------------------------------
# modifiers
@jit
def modified(params):
    """Whether modifiers are in force at all [A1-21, TN-65]."""
    return params.options.mode == p.GRITTY or params.options.simple_mods != 0


@jit
def inferno_nearby(params, state, cell):
    """Whether enough other infernos burnt within the radius at turn start [TN-55, TN-61, A1-10, D-W9]."""
    return state.cells[cell].heat >= params.options.inferno_count


@jit
def accelerants(params, state, cell):
    """What the accelerants of a hex add to an attack on it; starts their clocks [TN-42, TN-49, A1-12, D-W8]."""
    if state.cells[cell].fuel == s.NO_FUEL or (params.options.accel_needs_fire and not state.cells[cell].burning):
        return np.int64(0)
    if state.cells[cell].fuel == s.FUEL_LIES:
        state.lists[s.FUELLED, state.counts[s.FUELLED]] = cell
        state.counts[s.FUELLED] += 1
        state.cells[cell].fuel = s.FUEL_BURNS
        touch(state, cell)
    total = np.int64(0)
    most = BELOW_ALL
    for kind in range(params.book.accelerant.shape[0]):
        if state.fuel[cell, kind].turns:
            state.fuel[cell, kind].runs = 1
            total += params.book.accelerant[kind]
            most = max(most, params.book.accelerant[kind])
    return total if params.options.accel_stack == p.SUM else most


@jit
def modifiers(params, state, cell):
    """Accelerants, moisture and inferno, those of the hex attacked [TN-62, D-W9]."""
    if not modified(params):
        return np.int64(0)
    level = state.cells[cell].moisture if state.cells[cell].moisture else state.weather[s.MOISTURE]
    bonus = params.book.moisture[level]
    if inferno_nearby(params, state, cell):
        bonus = params.book.inferno + (0 if params.options.inferno_exclusive else bonus)  # [A1-11]
    return bonus + accelerants(params, state, cell)


@jit
def burn_accelerants(params, state):
    """At the end of the turn every running clock loses a turn [TN-42, TN-50]."""
    kept = 0
    for i in range(state.counts[s.FUELLED]):
        cell = state.lists[s.FUELLED, i]
        left = False
        for kind in range(params.book.accelerant.shape[0]):
            if state.fuel[cell, kind].runs:
                state.fuel[cell, kind].turns -= 1
                state.fuel[cell, kind].runs = state.fuel[cell, kind].turns > 0
            left = left or state.fuel[cell, kind].turns > 0
        if left:
            state.lists[s.FUELLED, kept] = cell
            kept += 1
        else:
            state.cells[cell].fuel = s.NO_FUEL
    state.counts[s.FUELLED] = kept


# ------------------------------------------------------------------------------------------------------------ what
# it does
@jit
def go_external(state, turn, cell):
    """The fire in a hex is on the outside from now on [TN-23]; the record keeps the first time."""
    state.cells[cell].external = 1
    if state.cells[cell].at[s.EXTERNAL_AT] < 0:
        state.cells[cell].at[s.EXTERNAL_AT] = turn


@jit
def light(params, state, log, turn, cell, external):
    """The hex begins to burn [TN-11, TN-19]; `external`: on the outside from its first turn [TN-67]."""
    touch(state, cell)
    state.cells[cell].burning = 1
    state.cells[cell].fresh = 1
    state.lists[s.FRESH, state.counts[s.FRESH]] = cell
    state.counts[s.FRESH] += 1
    if not params.lone:
        state.buildings[params.cells[cell].building].burning += 1
    if not state.cells[cell].burnt:
        state.cells[cell].burnt = 1
        state.tally[s.LIT] += 1
        state.cells[cell].at[s.LIT_AT] = turn
    state.cells[cell].at[s.OUT_AT] = -1
    if external or params.options.mode == p.SIMPLE:  # [D-W10]
        go_external(state, turn, cell)
    note(log, turn, s.E_LIT, np.int64(cell), np.int64(cell), 0, 0, 0, 0, 0, np.int64(external))


@jit
def await_consumption(state, cell):
    """Keep the list of hexes at ST 0 in ascending order, for the consumption of this turn."""
    place = state.counts[s.ASHES]
    while place > 0 and state.lists[s.ASHES, place - 1] > cell:
        state.lists[s.ASHES, place] = state.lists[s.ASHES, place - 1]
        place -= 1
    state.lists[s.ASHES, place] = cell
    state.counts[s.ASHES] += 1


@jit
def hurt_walls(state, cell, net):
    """Walls and structure after an attack that met the walls [TN-17..TN-19]. Returns whether it got through."""
    touch(state, cell)
    before = state.cells[cell].st
    state.cells[cell].st = st_left(before, net)
    state.cells[cell].armour = armour_left(state.cells[cell].armour, net)
    if before > 0 and state.cells[cell].st == 0:
        await_consumption(state, cell)
    return net > 0


@jit
def wear_roof(params, state, cell, net):
    """The roof loses a point to an attack that gets through; tile, only every other time [TN-37..TN-40, A1-13]."""
    if net <= 0 or state.cells[cell].roof == 0:
        return
    touch(state, cell)
    if params.cells[cell].tile:
        gives_way = tile_gives_way(params.options.tile_mode, state.cells[cell].roof_hits, state.cells[cell].roof_rests)
        state.cells[cell].roof_hits = (state.cells[cell].roof_hits + 1) % 2
        if not gives_way:
            return
        rest_roof(params, state, cell)
    state.cells[cell].roof -= 1


@jit
def rest_roof(params, state, cell):
    """A tile roof that lost a point loses none again this turn and the next, under reading c [A1-13, D-W11]."""
    if params.options.tile_mode == p.PER_TWO_TURNS:
        state.cells[cell].roof_rests = 2
        state.lists[s.RESTING, state.counts[s.RESTING]] = cell
        state.counts[s.RESTING] += 1


@jit
def end_rests(state):
    """At the end of the turn the rest of every resting roof is a turn shorter."""
    kept = 0
    for i in range(state.counts[s.RESTING]):
        cell = state.lists[s.RESTING, i]
        state.cells[cell].roof_rests -= 1
        if state.cells[cell].roof_rests > 0:
            state.lists[s.RESTING, kept] = cell
            kept += 1
    state.counts[s.RESTING] = kept


@jit
def meets_roof(params, state, cell):
    """Whether an attack from outside through the roof meets it, or the walls below [TN-36, TN-37, A1-08]."""
    return params.options.roof_mode == p.REPLACES or state.cells[cell].roof > 0


@jit
def own_attack_meets_roof(params, state, cell):
    """Whether a fire's own attack meets the roof through which it came [D-W11]."""
    return state.cells[cell].through_roof != 0 and meets_roof(params, state, cell)


@jit
def hurt_through_roof(params, state, cell, net):
    """An attack that met the roof: it wears it, and under readings b and c hurts the structure [A1-08].

    Returns whether the hex takes fire from it.
    """
    wear_roof(params, state, cell, net)
    if params.options.roof_mode == p.LAYER or net <= 0:
        return False
    touch(state, cell)
    before = state.cells[cell].st
    state.cells[cell].st = st_left(before, net)
    if before > 0 and state.cells[cell].st == 0:
        await_consumption(state, cell)
    return True


@jit
def attack(params, state, log, turn, face, actor, cell, through_roof, extra, event):
    """One fire attack on a hex that stands [TN-04, TN-30, TN-62]: modifiers, protection, effect, log.

    face: the die. through_roof: it comes from outside onto the roof [TN-69]. extra: protection of the gap [TN-32].
    Returns the net damage before clipping [TN-68], and whether an unlit hex takes fire.
    """
    bonus = modifiers(params, state, cell)
    if state.cells[cell].burning and event == s.E_ATTACK:
        on_roof = own_attack_meets_roof(params, state, cell)
    else:
        on_roof = through_roof and meets_roof(params, state, cell)
    protection = np.int64(state.cells[cell].roof if on_roof else state.cells[cell].armour) + extra
    net = net_damage(face, bonus, protection)
    st_before, roof_before = np.int64(state.cells[cell].st), np.int64(state.cells[cell].roof)
    if st_before == 0:  # [D-W3]: struck, and nothing changes
        got_through = False
    elif on_roof:
        got_through = hurt_through_roof(params, state, cell, net)
    else:
        got_through = hurt_walls(state, cell, net)
    st_after, roof_after = np.int64(state.cells[cell].st), np.int64(state.cells[cell].roof)
    told = s.E_STALLED if event == s.E_ATTACK and net <= 0 else event  # [TN-18]
    note(log, turn, told, np.int64(cell), actor, face, bonus, protection, net, st_before, st_after)
    if roof_after < roof_before:
        note(log, turn, s.E_ROOF, np.int64(cell), actor, face, bonus, protection, net, roof_before, roof_after)
    elif on_roof and net > 0 and roof_before > 0 and st_before > 0:
        note(log, turn, s.E_ROOF_HOLDS, np.int64(cell), actor, face, bonus, protection, net, roof_before, roof_after)
    catches = got_through and not state.cells[cell].burning
    if catches:
        state.cells[cell].through_roof = on_roof
    return net, catches
