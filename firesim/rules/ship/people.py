"""People on fire and people in the way of fire, and the things that lie about: own dice, splashes, occupants' dice."""

from __future__ import annotations

import numpy as np

from firesim.dice.keyed import face as face_of
from firesim.dice.rolls import roll, roll_ahead, roll_own, roll_pairs_ahead, rolls_ahead
from firesim.events.log import note
from firesim.jit import jit
from firesim.rules.ship import params as p
from firesim.rules.ship import state as s
from firesim.rules.ship.modules import (
    break_module,
    breaks_module,
    direction_of,
    goes_out,
    keep_alight,
    phase_of,
    spread_to,
    what_is,
    who_is,
)

NOWHERE = np.int64(-1)

# Rows of `state.rollers`
WHOM, WITHIN = range(2)


# --------------------------------------------------------------------------------------------- rules on small numbers
@jit
def ignites(face):
    """Whether a die of fire damage sets a person on fire [SH-03, SH-14, SH-47]."""
    return face % 2 == 0


@jit
def damages_item(face, from_face):
    """Whether a die of fire damages a thing; it never burns [SH-09, SH-17, A2-10]."""
    return face >= from_face


@jit
def damage_of(face, second):
    """The damage of a fire die [SH-10, A2-16]; of a tentac's two the lower [SH-12, D-S11]."""
    return min(face, second) if second else face


@jit
def igniting_die(tentac_ignites, face, damage):
    """The die that decides whether a tentac catches fire: the first, or the one chosen as damage [A2-15]."""
    return damage if tentac_ignites == p.CHOSEN else face


# ------------------------------------------------------------------------------------------------------------ wounds
@jit
def out_of_action(params, state, person):
    """Whether a person's damage has reached his health [D-S2]."""
    return state.crew[person].damage >= params.crew[person].health


@jit
def hurt(params, state, log, phase, person, amount):
    """Damage, which goes on past health [A2-21, D-S2]."""
    before = out_of_action(params, state, person)
    state.crew[person].damage += amount
    state.tally[s.DAMAGE] += amount
    if not before and out_of_action(params, state, person):
        state.tally[s.DEATHS] += 1
        me = who_is(state, person)
        note(log, phase, s.E_DIES, me, me, 0, 0, 0, 0, 0, np.int64(state.crew[person].damage))


@jit
def second_die(params, key, tape, phase, purpose, actor, target, person):
    """A tentac's second die, rolled at once; 0 for others [SH-12, A2-15, D-S11]."""
    if params.crew[person].tentac:
        return roll(key, tape, phase, purpose, actor, target, 6)
    return np.int64(0)


@jit
def burn_once(params, state, key, tape, log, phase, face, second_purpose, actor, person, event):
    """The one die of fire damage of a person who does not burn: damage, and fire on an even face.

    event: its code; the next is the same with a tentac's two dice. [SH-03, SH-11..SH-14, SH-17, SH-20, SH-47, A2-02,
    A2-20]
    """
    me = who_is(state, person)
    second = second_die(params, key, tape, phase, second_purpose, actor, me, person)
    damage = damage_of(face, second)
    before = np.int64(state.crew[person].damage)
    state.crew[person].burned = 1
    told = event + 1 if second else event
    note(log, phase, told, me, actor, face, second, 0, damage, before, before + damage)
    hurt(params, state, log, phase, person, damage)
    if ignites(igniting_die(params.options.tentac_ignites, face, damage)):
        state.crew[person].caught = 1
        note(log, phase, s.E_CATCHES, me, actor, face, 0, 0, 0, 0, 1)


@jit
def strike_item(params, state, log, phase, face, actor, item):
    """Fire reaches a thing that is still whole [SH-09, SH-13, SH-17, SH-50, A2-02, D-S10]."""
    if damages_item(face, params.book.item_from):
        state.items[item].damaged = 1
        note(log, phase, s.E_DAMAGED, what_is(state, item), actor, face, 0, 0, 0, 0, 1)
    else:
        note(log, phase, s.E_ITEM, what_is(state, item), actor, face, 0, 0, 0, 0, 0)


# ------------------------------------------------------------------------------------------------------- the own die
@jit
def gather(state, key, tape, phase):
    """The fire step begins: who burns rolls his own die, by module, then in file order [SH-46, A2-01, A2-02]."""
    keep_alight(state)
    state.counts[s.BURNERS] = 0
    for person in range(state.crew.shape[0]):
        who = state.crew[person]
        if not who.burning or who.outside:
            continue
        who.burned = 1
        place = state.counts[s.BURNERS]
        while place > 0 and state.crew[state.lists[s.BURNERS, place - 1]].cell > who.cell:
            state.lists[s.BURNERS, place] = state.lists[s.BURNERS, place - 1]
            place -= 1
        state.lists[s.BURNERS, place] = person
        state.counts[s.BURNERS] += 1
    if rolls_ahead(tape):
        roll_fire_step_ahead(state, key, phase)


@jit
def roll_fire_step_ahead(state, key, phase):
    """The bits of all dice that people and modules on fire roll at themselves in this fire step, many at once."""
    for place in range(state.counts[s.BURNERS]):
        state.rollers[WHOM, place] = who_is(state, state.lists[s.BURNERS, place])
    roll_ahead(key, phase, state.rollers[WHOM], state.counts[s.BURNERS], state.words)
    alight = state.lists[s.ALIGHT]
    roll_pairs_ahead(key, phase, s.MODULE_DIE, alight, alight, state.counts[s.ALIGHT], state.words[s.MODULE_DIE])


@jit
def own_die(params, state, key, tape, log, phase, place):
    """A burning person's die: damage, and it goes out, splashes, or sets the module on fire.

    [SH-04, SH-05, SH-10..SH-12, SH-45, A2-09, A2-16, D-S7]
    """
    person = np.int64(state.lists[s.BURNERS, place])
    me = who_is(state, person)
    face, second = roll_own(key, tape, phase, s.OWN_DIE, me, state.words, place, 6), np.int64(0)
    if params.crew[person].tentac:
        second = roll_own(key, tape, phase, s.OWN_SECOND, me, state.words, place, 6)
    damage = damage_of(face, second)
    before = np.int64(state.crew[person].damage)
    told = s.E_BURNS_TWO if second else s.E_BURNS
    note(log, phase, told, me, me, face, second, 0, damage, before, before + damage)
    hurt(params, state, log, phase, person, damage)
    if goes_out(face):
        state.crew[person].burning = 0
        note(log, phase, s.E_OUT, me, me, face, 0, 0, 0, 1, 0)
        return
    state.crew[person].splash = face
    if breaks_module(face):
        cell = np.int64(state.crew[person].cell)
        if params.options.person6_breaks:
            break_module(params, state, log, phase, cell, 1)
        note(log, phase, s.E_SPREADS_BELOW, me, cell, face, 0, 0, 0, 0, 1)
        spread_to(params, state, cell, params.options.modules_first != 0)


# ------------------------------------------------------------------------------------------------------------- splash
@jit
def square_in(params, state, cell, row, col):
    """Row and column, in squares from the map's corner, of a square of a module."""
    side = params.options.side
    return cell // params.cols * side + row, cell % params.cols * side + col


@jit
def splash_square(params, state, person):
    """The square that a person's fire splashes: module, row and column in it; NOWHERE beyond the hull.

    [SH-05, SH-10, SH-14, SH-41, SH-42, A2-07, A2-11]
    """
    side = params.options.side
    cell, face = np.int64(state.crew[person].cell), state.crew[person].splash
    row, col = np.int64(params.crew[person].row), np.int64(params.crew[person].col)
    if breaks_module(face):
        return cell, row, col
    heading = direction_of(face)
    row += p.ROW_STEPS[heading]
    col += p.COL_STEPS[heading]
    if 0 <= row < side and 0 <= col < side:
        return cell, row, col
    if params.options.splash_walls:
        return NOWHERE, row, col
    beyond = np.int64(params.cells[cell].to[heading])
    if not params.cells[beyond].exists:
        return NOWHERE, row, col
    return beyond, (row + side) % side, (col + side) % side


@jit
def in_reach_of_splash(params, state, target, cell, row, col):
    """Whether the splash asks a die of this person or, after the people, this item [SH-13, SH-20, SH-46, SH-50]."""
    people = state.crew.shape[0]
    if target < people:
        who, where = state.crew[target], params.crew[target]
        here = who.cell == cell and where.row == row and where.col == col
        return here and not who.outside and not who.burned
    thing = params.items[target - people]
    return thing.cell == cell and thing.row == row and thing.col == col and not state.items[target - people].damaged


@jit
def splash(params, state, key, tape, log, phase, position):
    """The next die of the splashes, in the order of the splashers; returns the position after it.

    Positions count (splasher, person or item) pairs. With `shared_splash` one die serves all [A2-23, D-S10].
    """
    targets = state.crew.shape[0] + state.items.shape[0]
    end = state.counts[s.BURNERS] * targets
    while position < end:
        place, first = position // targets, position % targets
        person = np.int64(state.lists[s.BURNERS, place])
        face = np.int64(state.crew[person].splash)
        if face == 0:
            position = (place + 1) * targets
            continue
        me = who_is(state, person)
        cell, row, col = splash_square(params, state, person)
        if first == 0 and not breaks_module(face):
            note(log, phase, s.E_SPLASH, me, me, face, 0, 0, direction_of(face), 0, 0)
        shared = np.int64(0)
        for target in range(first, targets):
            if cell == NOWHERE or not in_reach_of_splash(params, state, target, cell, row, col):
                continue
            if shared == 0 and params.options.shared_splash:
                shared = roll(key, tape, phase_of(state), s.SHARED_SPLASH, me, me, 6)
            splash_on(params, state, key, tape, log, phase, me, target, shared)
            if not params.options.shared_splash:
                if target + 1 == targets:
                    state.crew[person].splash = 0
                return place * targets + target + 1
        state.crew[person].splash = 0
        position = (place + 1) * targets
        if shared:
            return position
    return position


@jit
def splash_on(params, state, key, tape, log, phase, me, target, shared):
    """A splash on one person or item: its own die, or the shared one [SH-13, SH-14, A2-23]."""
    people = state.crew.shape[0]
    whom = who_is(state, target) if target < people else what_is(state, target - people)
    face = shared if shared else roll(key, tape, phase, s.SPLASH_DIE, me, whom, 6)
    if target < people:
        burn_once(params, state, key, tape, log, phase, face, s.SPLASH_SECOND, me, target, s.E_SPLASH_HITS)
    else:
        strike_item(params, state, log, phase, face, me, target - people)


# ---------------------------------------------------------------------------------------------------------- occupants
@jit
def occupants(params, state, key, tape, log, phase, position):
    """The next die of what is in burning modules: by module, people, then items; returns the position after it.

    Positions count (module, person or item) pairs.
    """
    targets = state.crew.shape[0] + state.items.shape[0]
    end = state.counts[s.HOT] * targets
    while position < end:
        cell, target = np.int64(state.lists[s.HOT, position // targets]), position % targets
        position += 1
        if module_around(params, state, target) == cell and occupant(params, state, key, tape, log, phase, target):
            return position
    return position


@jit
def module_around(params, state, target):
    """The module in which a person or, after the people, an item is."""
    people = state.crew.shape[0]
    return np.int64(state.crew[target].cell if target < people else params.items[target - people].cell)


@jit
def hurts_occupants(params, state, cell):
    """Whether a module, its own die read, burns those in it in this phase [SH-17, A2-03, A2-05]."""
    return (state.cells[cell].burning != 0) | ((state.cells[cell].caught != 0) & (params.options.new_fire_hurts != 0))


@jit
def takes_occupants_die(params, state, target):
    """Whether a person or, after the people, an item takes a die of a burning module round it [SH-17, SH-20, SH-55]."""
    people = state.crew.shape[0]
    if target < people:
        spared = (state.crew[target].outside != 0) | (state.crew[target].burned != 0)
    else:
        spared = state.items[target - people].damaged != 0
    return hurts_occupants(params, state, module_around(params, state, target)) & (not spared)


@jit
def occupant(params, state, key, tape, log, phase, target):
    """The die of a person or, after the people, an item whose module burns; returns whether there is one."""
    if not takes_occupants_die(params, state, target):
        return False
    cell = module_around(params, state, target)
    face = roll(key, tape, phase, s.OCCUPANT_DIE, cell, who_is(state, target), 6)
    burn_occupant(params, state, key, tape, log, phase, cell, target, face)
    return True


@jit
def burn_occupant(params, state, key, tape, log, phase, cell, target, face):
    """What the die of a burning module does to a person or an item in it [SH-17]."""
    people = state.crew.shape[0]
    if target < people:
        burn_once(params, state, key, tape, log, phase, face, s.OCCUPANT_SECOND, cell, target, s.E_OCCUPANT)
    else:
        strike_item(params, state, log, phase, face, cell, target - people)


@jit
def all_occupants(params, state, key, phase):
    """The dice of all that is in burning modules, rolled together; what one does changes nothing about another's."""
    within, whom = state.rollers[WITHIN], state.rollers[WHOM]
    bits = state.words[s.MODULE_DIE]  # of which those of modules are read
    count = 0
    for target in range(state.crew.shape[0] + state.items.shape[0]):
        within[count], whom[count] = module_around(params, state, target), who_is(state, target)
        count += np.int64(takes_occupants_die(params, state, target))
    roll_pairs_ahead(key, phase, s.OCCUPANT_DIE, within, whom, count, bits)
    for i in range(count):
        cell, target = np.int64(within[i]), np.int64(whom[i]) - who_is(state, 0)
        burn_occupant(params, state, key, None, None, phase, cell, target, face_of(np.uint64(bits[i]), 6))


@jit
def catch_people(state):
    """People who caught fire in the fire step burn from now on [SH-18, A2-20]."""
    for person in range(state.crew.shape[0]):
        if state.crew[person].caught:
            state.crew[person].caught = 0
            state.crew[person].burning = 1


# ------------------------------------------------------------------------------------------------------- life support
@jit
def air_lost_aboard(params, state, phase):
    """Whether all aboard must hold out without life support in this phase [SH-40, D-S8]."""
    if not params.life_support.shape[0] or phase % params.book.air_phases:
        return False
    working = 0
    for i in range(params.life_support.shape[0]):
        working += 1 - state.cells[params.life_support[i]].broken
    return working == 0


@jit
def hold_out(params, state, key, tape, log, phase, person, lost_aboard):
    """The Athletics check of one without life support, and the damage of failure, which ignites nobody.

    lost_aboard: whether those aboard have none. [SH-31, D-S8]
    """
    if not (lost_aboard or state.crew[person].outside):
        return
    if out_of_action(params, state, person) or params.crew[person].eva:
        return
    need, skill = params.book.air_difficulty, np.int64(params.crew[person].athletics)
    me = who_is(state, person)
    shown = np.int64(0)
    if can_succeed(need, skill):
        shown = roll(key, tape, phase, s.AIR_ONE, me, me, 6) + roll(key, tape, phase, s.AIR_TWO, me, me, 6)
        if succeeds(shown, need, skill):
            note(log, phase, s.E_BREATHES, me, me, shown, skill, need, 0, 0, 0)
            return
    lost = roll(key, tape, phase, s.AIR_DAMAGE, me, me, 6)
    before = np.int64(state.crew[person].damage)
    note(log, phase, s.E_CHOKES, me, me, shown, skill, need, lost, before, before + lost)
    hurt(params, state, log, phase, person, lost)


@jit
def can_succeed(need, skill):
    """Whether a check may be attempted at all [SH-39]."""
    return need - skill <= 12


@jit
def succeeds(shown, need, skill):
    """Whether two dice and a skill reach the number; a natural 2 never does [SH-38]."""
    return shown > 2 and shown + skill >= need
