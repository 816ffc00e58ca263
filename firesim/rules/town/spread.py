"""From hex to hex: jumps to neighbours, sparks of a flare-up, gaps, legal targets, directions."""

from __future__ import annotations

import numpy as np

from firesim.dice.rolls import roll, roll_own
from firesim.events.log import note
from firesim.grid.hexes import SIDES, hex_distance, neighbour_after
from firesim.jit import jit
from firesim.rules.town import params as p
from firesim.rules.town import state as s
from firesim.rules.town.building import floors, other_hex_burns
from firesim.rules.town.fire import attack, light


# ------------------------------------------------------------------------------------------------ rules on small
# numbers
@jit
def jump_crosses(gap3, gap, jump, protected):
    """Whether an ordinary jump crosses the gap: within 2 melee hexes, or at exactly 3 [TN-29, TN-32, A1-09]."""
    return gap <= jump or (gap3 == p.GAP3_JUMP and gap == protected)


@jit
def jump_protection(gap3, gap, protected):
    """What a gap of 3 adds to the roof against a jump [TN-32, A1-09]."""
    return 1 if gap3 == p.GAP3_JUMP and gap == protected else 0


@jit
def spark_protection(gap3, gap, protected):
    """What the gap adds to the roof against sparks [TN-32, A1-07, A1-09, D-W7]."""
    if gap3 == p.GAP3_PER_THREE:
        return gap // protected
    return 1 if gap == protected else 0


@jit
def sparks_land(spark_reach, gap, jump, reach):
    """Whether sparks fall at this gap: beyond a jump, up to the reach or exactly there [TN-33, A1-06, A1-07]."""
    return gap > jump and (gap == reach if spark_reach == p.EXACT else gap <= reach)


@jit
def reach_of_sparks(floors, reach_per_floor, spark_unit, gap_hex):
    """How far sparks fly, in melee hexes: 4 times the floors, or as many village hexes [TN-33, A1-06, D-W7]."""
    return floors * reach_per_floor * (gap_hex if spark_unit == p.VILLAGE else 1)


# --------------------------------------------------------------------------------------------------------------
# distances
@jit
def edge_gap(params, state, cell, heading, other):
    """Melee hexes between two neighbouring hexes [A1-26, D-W14, D-W13]; 0 inside one building [TN-71]."""
    if same_building(params, cell, other):
        return np.int64(0)
    gap = np.int64(params.book.gap_default)
    if not params.even_gaps:
        gap += np.int64(params.cells[cell].setback) + params.cells[other].setback
        if params.cells[cell].paired:
            gap = paired_gap(params.pairs, np.int64(cell) * SIDES + heading, gap)
    if params.options.collapse_effect == p.DEBRIS:
        gap -= np.int64(state.cells[cell].collapsed) + np.int64(state.cells[other].collapsed)
    return max(gap, np.int64(0))


@jit
def same_building(params, cell, other):
    """Whether two hexes are of one building."""
    return not params.lone and params.cells[cell].building == params.cells[other].building


@jit
def paired_gap(pairs, edge, otherwise):
    """The gap given for this edge in the sorted `pairs`, else `otherwise`."""
    low, high = 0, pairs.shape[0]
    while low < high:
        middle = (low + high) // 2
        if pairs[middle].edge < edge:
            low = middle + 1
        else:
            high = middle
    if low < pairs.shape[0] and pairs[low].edge == edge:
        return np.int64(pairs[low].gap)
    return otherwise


@jit
def is_legal(params, state, cell):
    """Whether a hex may be attacked from outside: standing, unlit at turn start, and with one_hex no burning building.

    [TN-70, A1-29, D-W5]: no hex of the building burnt at turn start, and no other hex of it burns now.
    """
    if not state.cells[cell].standing or (state.cells[cell].burning and not state.cells[cell].fresh):
        return False
    if not params.by_cell:
        return True
    return not state.buildings[params.cells[cell].building].alight and not other_hex_burns(params, state, cell)


@jit
def jump_target(params, state, cell, heading):
    """The neighbour that a jump in this heading would attack, and the gap; the rim when there is none [A1-17, D-W4]."""
    if not state.open_sides[cell] >> heading & 1:
        return rim(params), np.int64(0)
    other = np.int64(params.links.to[cell, heading])
    if is_legal(params, state, other):
        gap = edge_gap(params, state, cell, heading, other)
        if jump_crosses(params.options.gap3, gap, params.book.gap_jump, params.book.gap_protected):
            return other, gap
    return rim(params), np.int64(0)


@jit
def rim(params):
    """The cell on which nothing stands."""
    return np.int64(params.cells.shape[0] - 1)


@jit
def spark_target(params, state, cell, heading):
    """The first legal hex along this ray if sparks fall there, and the gap; the rim when not [TN-33, A1-07, D-W5]."""
    reach = reach_of_sparks(
        floors(params, state, cell), params.book.reach_per_floor, params.options.spark_unit, params.book.gap_hex
    )
    other = np.int64(cell)
    steps = np.int64(0)
    while True:
        here = other
        other = np.int64(params.links.to[here, heading])
        steps += 1
        if other == rim(params) or (steps > 1 and (steps - 1) * params.book.gap_hex > reach):
            return rim(params), np.int64(0)
        if is_legal(params, state, other):
            gap = (steps - 1) * params.book.gap_hex if steps > 1 else edge_gap(params, state, cell, heading, other)
            if sparks_land(params.options.spark_reach, gap, params.book.gap_jump, reach):
                return other, gap
            return rim(params), np.int64(0)


# --------------------------------------------------------------------------------------------------------------
# directions
@jit
def heading_of_face(params, wind, face):
    """The heading that a face of the direction die gives: by the wind's weights, else the face's own [A1-15]."""
    if wind < 0:
        return face - 1
    return (wind + params.options.wind_turn[face - 1]) % SIDES


@jit
def in_arc(state, heading):
    """Whether a heading is the downwind one or next to it; every heading is, without wind [A1-17]."""
    wind = state.weather[s.THIS_WIND]
    if wind < 0:
        return True
    turned = (heading - wind + SIDES) % SIDES
    return turned <= 1 or turned == SIDES - 1


@jit
def strike(params, state, log, turn, face, actor, cell, extra, event):
    """A jump or spark strikes: on the roof, or on the wall of the same building's next hex [TN-69, TN-71, D-W12]."""
    same = same_building(params, actor, cell)
    through_roof = not (same and hex_distance(params.links, actor, cell) == 1)
    if params.options.mode == p.SIMPLE:
        extra = np.int64(0)  # [D-W10]
    _, catches = attack(params, state, log, turn, face, actor, cell, through_roof, extra, event)
    if catches:
        if not same:
            state.tally[s.JUMPS] += 1
        light(params, state, log, turn, cell, 1)


@jit
def jump_at(params, state, key, tape, log, turn, cell, other, gap):
    """The fire attack of a jump [TN-30]."""
    land(params, state, log, turn, roll(key, tape, turn, s.JUMP_ATTACK, cell, other, 6), cell, other, gap)


@jit
def land(params, state, log, turn, face, cell, other, gap):
    """A jump across this gap strikes with a face [TN-30, TN-32]."""
    extra = np.int64(jump_protection(params.options.gap3, gap, params.book.gap_protected))
    strike(params, state, log, turn, face, cell, other, extra, s.E_JUMP)


@jit
def spark_at(params, state, key, tape, log, turn, cell, other, gap):
    """The fire attack of sparks [TN-33]."""
    extra = np.int64(spark_protection(params.options.gap3, gap, params.book.gap_protected))
    face = roll(key, tape, turn, s.SPARK_ATTACK, cell, other, 6)
    strike(params, state, log, turn, face, cell, other, extra, s.E_SPARK)


# --------------------------------------------------------------------------------------------------------------- the
# acts
@jit
def ways_of_jumping(params):
    """How many acts one hex's jumps are: one by die, or one for each side."""
    return 1 if params.options.jump == p.ONE else SIDES


@jit
def jump(params, state, key, tape, log, turn, place, way):
    """One external burning hex tries to jump, in one direction by die or at all of its arc [TN-28..TN-31, A1-17].

    way: which of its neighbours, by ascending cell, where it jumps at all of them.
    """
    cell = np.int64(state.lists[s.BURNING, place])
    if not state.cells[cell].external or not state.cells[cell].standing or not state.open_sides[cell]:
        return
    if params.options.stall_jump and state.cells[cell].stalled:  # [A1-28]
        return
    if params.options.jump == p.ONE:
        jump_one_way(params, state, key, tape, log, turn, cell, place)
    else:
        jump_at_neighbour(params, state, key, tape, log, turn, cell, way)


@jit
def jump_one_way(params, state, key, tape, log, turn, cell, place):
    """The direction die, if some heading that it can give holds a target; then the attack, if that one does."""
    nothing, wind = rim(params), state.weather[s.THIS_WIND]
    for face in range(1, SIDES + 1):
        other, gap = jump_target(params, state, cell, heading_of_face(params, wind, face))
        if other != nothing:
            break
    else:
        return
    face = roll_own(key, tape, turn, s.JUMP_HEADING, cell, state.words, place, 6)
    heading = heading_of_face(params, wind, face)
    note(log, turn, s.E_DIRECTION, np.int64(cell), np.int64(cell), face, 0, 0, heading, 0, 0)
    other, gap = jump_target(params, state, cell, heading)
    if other != nothing:
        jump_at(params, state, key, tape, log, turn, cell, other, gap)
    else:
        note(log, turn, s.E_NOTHING_THERE, np.int64(cell), np.int64(cell), 0, 0, 0, 0, 0, 0)


@jit
def jump_at_neighbour(params, state, key, tape, log, turn, cell, way):
    """The neighbour of this place, by ascending cell, is attacked if in reach and in the arc; no direction die."""
    other, heading = np.int64(-1), 0
    for _ in range(way + 1):
        other, heading = neighbour_after(params.links, cell, other)
    if other == rim(params) or (params.options.jump == p.ARC and not in_arc(state, heading)):
        return
    target, gap = jump_target(params, state, cell, heading)
    if target != rim(params):
        jump_at(params, state, key, tape, log, turn, cell, target, gap)


@jit
def flare(params, state, key, tape, log, turn, place):
    """The sparks of a flare-up, those of a hex just consumed included [TN-33, TN-60, A1-07, D-W4]."""
    cell = np.int64(state.lists[s.BURNING, place])
    if not params.cells[cell].sparks:
        return
    if params.options.spark_all:
        flare_all_round(params, state, key, tape, log, turn, cell)
        return
    nothing, wind = rim(params), state.weather[s.THIS_WIND]
    for face in range(1, SIDES + 1):
        other, gap = spark_target(params, state, cell, heading_of_face(params, wind, face))
        if other != nothing:
            break
    else:
        return
    face = roll_own(key, tape, turn, s.FLARE_HEADING, cell, state.words, place, 6)
    heading = heading_of_face(params, wind, face)
    note(log, turn, s.E_SPARKS_FLY, np.int64(cell), np.int64(cell), face, 0, 0, heading, 0, 0)
    other, gap = spark_target(params, state, cell, heading)
    if other != nothing:
        spark_at(params, state, key, tape, log, turn, cell, other, gap)
    else:
        note(log, turn, s.E_NOTHING_THERE, np.int64(cell), np.int64(cell), 0, 0, 0, 0, 0, 0)


@jit
def flare_all_round(params, state, key, tape, log, turn, cell):
    """Every legal hex in reach, on a ray or not, by ascending cell [A1-07, D-W4]."""
    links = params.links
    reach = reach_of_sparks(
        floors(params, state, cell), params.book.reach_per_floor, params.options.spark_unit, params.book.gap_hex
    )
    most = reach // params.book.gap_hex + 1 if params.book.gap_hex > 0 else np.int64(links.rows + links.cols)
    row, col = cell // links.cols, cell % links.cols
    wide = most + 1
    for there_row in range(max(row - wide, 0), min(row + wide + 1, links.rows)):
        for there_col in range(max(col - wide, 0), min(col + wide + 1, links.cols)):
            other = np.int64(there_row * links.cols + there_col)
            if other == cell or not is_legal(params, state, other):
                continue
            steps = hex_distance(links, np.int64(cell), other)
            gap = (steps - 1) * params.book.gap_hex
            if steps == 1:
                gap = edge_gap(params, state, cell, heading_to(links, cell, other), other)
            if sparks_land(params.options.spark_reach, gap, params.book.gap_jump, reach):
                spark_at(params, state, key, tape, log, turn, cell, other, gap)


@jit
def heading_to(links, cell, other):
    """The heading from a cell to its neighbour."""
    for heading in range(SIDES):
        if links.to[cell, heading] == other:
            return heading
    return 0
