"""Mutants of the town's rules that change nothing that can be seen, each with the reason why."""

from __future__ import annotations

EQUIVALENT: dict[str, str] = {
    "fire.st_left: `net > 0` -> `net >= 0`": "a net of 0 takes 0",
    "fire.tile_gives_way: `2` -> `3`": "hits are kept modulo 2",
    "fire.hurt_walls: `touch(state, cell)` -> `nothing`": (
        "what it changes burns or is lit at once, and `light` touches it"
    ),
    "fire.hurt_walls: `before > 0` -> `before >= 0`": "`attack` does not come here at ST 0",
    "building.collapse: `touch(state, cell)` -> `nothing`": (
        "only burning hexes come here, and `light` has touched them"
    ),
    "building.consume: `state.buildings[building].gone < state.buildings[building].hexes` -> "
    "`state.buildings[building].gone <= state.buildings[building].hexes`": "with nothing left `move_on` finds no hex",
    "building.weakest_next: `0` -> `1`": "the first candidate sets the lowest armour",
    "spread.jump_target: `0` -> `1`": "without a target nobody looks at the gap",
    "spread.flare: `1` -> `0`": "face 0 stands for face 6, the last heading, which is looked at anyway",
    "spread.heading_to: `0` -> `1`": "it is asked of neighbours only, so the last line is never reached",
    "kernel.burn: `False` -> `True`": "a burning hex meets what its fire came through, whatever this says",
    "spread.flare_all_round: `0` -> `1`": "it looks further than it must, and every hex's gap is measured",
    "happenings.ignite: `state.ignited[ignition] = 1` -> `nothing`": (
        "a hex that burns or is gone never stands unlit again"
    ),
    "happenings.ignite: `1` -> `0`": "a hex that burns or is gone never stands unlit again",
    "happenings.close_sides: `1` -> `0`": "an open side only means that `is_legal` is asked",
    "happenings.close_sides: `state.open_sides[other] &= ALL_SIDES ^ 1 << (heading + SIDES // 2) % SIDES` -> "
    "`nothing`": ("an open side only means that `is_legal` is asked"),
    "stream.take_up: `state.stream[COLLAPSE_AT, place] = NO_DIE` -> `nothing`": (
        "a hex enters the stream once, when its collapse die is not yet thrown"
    ),
    "stream.take_up: `not hex_.collapsed and (not hex_.collapse_checked or params.options.collapse == p.EACH_...` -> "
    "`not hex_.collapsed or (not hex_.collapse_checked or params.options.collapse == p.EACH_T...`": (
        "a hex enters the stream once, when its collapse die is not yet thrown"
    ),
    "stream.take_up: `params.options.collapse == p.EACH_TURN` -> `params.options.collapse != p.EACH_TURN`": (
        "a hex enters the stream once, when its collapse die is not yet thrown"
    ),
    "stream.bonus_changes: `params.options.inferno_radius > 0` -> `params.options.inferno_radius >= 0`": (
        "modifiers that cannot change are worked out anew in each turn"
    ),
    "stream.bonus_changes: `state.fuel.shape[0] > 1` -> `state.fuel.shape[0] >= 1`": (
        "modifiers that cannot change are worked out anew in each turn"
    ),
    "stream.bonus_changes: `0` -> `1` (no. 2)": "modifiers that cannot change are worked out anew in each turn",
    "stream.bonus_changes: `1` -> `0`": "modifiers that cannot change are worked out anew in each turn",
    "stream.welcome: `close_sides(params, state, cell)` -> `nothing`": (
        "an open side only means that `is_legal` is asked"
    ),
    "stream.leave: `0` -> `1`": (
        "asked with one_hex only: of the building one hex burns, and that one enters later and sets it"
    ),
    "stream.leave: `0` -> `1` (no. 2)": "of a hex that is gone nobody asks whether it was an inferno",
    "stream.leave: `state.cells[cell].inferno = 0` -> `nothing`": (
        "of a hex that is gone nobody asks whether it was an inferno"
    ),
    "stream.begin: `touch(state, cell)` -> `nothing`": "`light` has touched what burns from the start",
    "stream.begin: `state.counts[s.NEXT_EVENT] > before` -> `state.counts[s.NEXT_EVENT] >= before`": (
        "without an event nothing has died since the last turn"
    ),
    "stream.begin: `state.counts[s.NEXT_EVENT] > before` -> `state.counts[s.NEXT_EVENT] >= before` (no. 2)": (
        "modifiers that cannot change are worked out anew in each turn"
    ),
    "stream.burn: `COLLAPSES * (st <= stream[COLLAPSE_AT, i]) + FLARES_UP * ((shown if by_die else net) >=...` -> "
    "`COLLAPSES * (st <= stream[COLLAPSE_AT, i]) + FLARES_UP * ((shown if by_die else net) >=...`": (
        "less a bit is that bit and higher ones, which are not read, or not of a hex at ST 0"
    ),
    "stream.burn: `COLLAPSES * (st <= stream[COLLAPSE_AT, i]) + FLARES_UP * ((shown if by_die else net) >=...` -> "
    "`COLLAPSES * (st <= stream[COLLAPSE_AT, i]) + FLARES_UP * ((shown if by_die else net) >=...` (no. 2)": (
        "less a bit is that bit and higher ones, which are not read, or not of a hex at ST 0"
    ),
    "stream.burn: `armour > 0` -> `armour >= 0`": "`become_inferno` leaves an inferno as it is",
    "stream.look_at_flagged: `continue` -> `nothing`": "without a flag nothing is done below either",
    "stream.look_at_flagged: `0` -> `1` (no. 2)": "of a hex that is consumed in this turn nobody asks for the ST",
    "stream.look_at_flagged: `state.cells[cell].st = 0` -> `nothing`": (
        "of a hex that is consumed in this turn nobody asks for the ST"
    ),
    "stream.enlist_by_cell: `state.lists[s.BURNING, state.lists[s.FLARES, at - 1]] > cell` -> "
    "`state.lists[s.BURNING, state.lists[s.FLARES, at - 1]] >= cell`": ("a hex flares up once in a turn"),
    "stream.end: `pass_over_done_ignitions(params, state)` -> `nothing`": (
        "each ignition that is over is passed over in its place as well"
    ),
}
