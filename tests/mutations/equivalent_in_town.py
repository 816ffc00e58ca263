"""Mutants of the town's rules that change nothing that can be seen, each with the reason why."""

from __future__ import annotations

READS_AHEAD = "memory is read ahead and the sum goes nowhere: `heaps` is emptied before its next use"

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
    "building.consume: `state.buildings[building].consumed += 1` -> `state.buildings[building].consumed -= 1`": (
        "it is only asked whether there are any"
    ),
    "building.consume: `state.buildings[building].gone < state.buildings[building].hexes` -> "
    "`state.buildings[building].gone <= state.buildings[building].hexes`": "with nothing left `move_on` finds no hex",
    "building.weakest_next: `0` -> `1`": "the first candidate sets the lowest armour",
    "building.douse: `touch(state, cell)` -> `nothing`": "only burning hexes come here, and `light` has touched them",
    "spread.jump_target: `0` -> `1`": "without a target nobody looks at the gap",
    "spread.flare: `1` -> `0`": "face 0 stands for face 6, the last heading, which is looked at anyway",
    "spread.heading_to: `0` -> `1`": "it is asked of neighbours only, so the last line is never reached",
    "kernel.burn: `False` -> `True`": "a burning hex meets what its fire came through, whatever this says",
    "spread.flare_all_round: `0` -> `1`": "it looks further than it must, and every hex's gap is measured",
    "kernel.reset: `if mostly_touched(state): for cell in range(cells): restore_hex(first, state, cell) for...` -> "
    "`if not mostly_touched(state): for cell in range(cells): restore_hex(first, state, cell)...`": (
        "the whole map and the list of what was touched come to the same; one is quicker"
    ),
    "happenings.forget_the_dead: `continue` -> `nothing`": (
        "before anybody asks, the snapshot tells infernos, heat and buildings alight anew"
    ),
    "kernel.reset: `0` -> `1` (no. 2)": "building 0 is open ground and stays as it is",
    "kernel.reset: `copy_entries(state.touched_list, first.touched_list, first.counts[TOUCHED])` -> `nothing`": (
        "what is touched later is listed behind that, which stays as it is"
    ),
    "happenings.close_sides: `1` -> `0`": "an open side only means that `is_legal` is asked",
    "happenings.close_sides: `state.open_sides[other] &= ALL_SIDES ^ 1 << (heading + SIDES // 2) % SIDES` -> "
    "`nothing`": "an open side only means that `is_legal` is asked",
    "stream.begin: `touch(state, cell)` -> `nothing`": "`light` has touched what burns from the start",
    "stream.begin: `state.counts[s.NEXT_EVENT] > before` -> `state.counts[s.NEXT_EVENT] >= before`": (
        "without an event nothing has died since the last turn"
    ),
    "stream.begin: `state.counts[s.NEXT_EVENT] > before` -> `state.counts[s.NEXT_EVENT] >= before` (no. 2)": (
        "modifiers that cannot change are worked out anew in each turn"
    ),
    "stream.burn: `armour > 0` -> `armour >= 0`": "`become_inferno` leaves an inferno as it is",
    "stream.burn: `0` -> `1` (no. 3)": "without sparks nobody is listed either",
    "stream.burn: `flare_up >= SPARKS_MAY_LAND` -> `flare_up > SPARKS_MAY_LAND`": (
        "what a fire may do outside is never to throw sparks alone"
    ),
    "stream.burn: `0` -> `1` (no. 5)": (
        "a fire that may do anything outside may jump to all sides, which is more than 1"
    ),
    "stream.burn: `throws += sparks` -> `throws -= sparks`": "it is only asked whether there are any",
    "stream.burn: `AT_ZERO * (left == 0) + THROWS_SPARKS * sparks + BARE * (worn == 0 and armour > 0)` -> "
    "`AT_ZERO * (left == 0) + THROWS_SPARKS * sparks - BARE * (worn == 0 and armour > 0)`": (
        "less a bit is that bit and higher ones, which are not read"
    ),
    "stream.burn_out: `state.cells[cell].st = 0` -> `nothing`": (
        "of a hex that is consumed in this turn nobody asks for the ST"
    ),
    "stream.burn_out: `0` -> `1` (no. 3)": "of a hex that is consumed in this turn nobody asks for the ST",
    "stream.make_jumps: `look_up(state, work[AT], first, end)` -> `nothing`": READS_AHEAD,
    "stream.heap_of: `ahead < 0` -> `ahead <= 0`": "a neighbour is never at distance 0",
    "stream.heap_of: `0` -> `1`": "a neighbour is never at distance 0",
    "stream.end: `pass_over_done_ignitions(params, state)` -> `nothing`": (
        "each ignition that is over is passed over in its place as well"
    ),
    "stream.end: `params.options.inferno_radius > 0` -> `params.options.inferno_radius >= 0`": (
        "`become_inferno` asks for the radius as well"
    ),
    "stream_layout.bonus_changes: `params.options.inferno_radius > 0` -> `params.options.inferno_radius >= 0`": (
        "modifiers that cannot change are worked out anew in each turn"
    ),
    "stream_layout.bonus_changes: `state.fuel.shape[0] > 1` -> `state.fuel.shape[0] >= 1`": (
        "modifiers that cannot change are worked out anew in each turn"
    ),
    "stream_layout.bonus_changes: `0` -> `1` (no. 2)": "modifiers that cannot change are worked out anew in each turn",
    "stream_layout.bonus_changes: `1` -> `0`": "modifiers that cannot change are worked out anew in each turn",
    "stream_layout.become_inferno: `params.options.inferno_radius > 0 and (not state.cells[cell].inferno)` -> "
    "`params.options.inferno_radius > 0 or not state.cells[cell].inferno`": (
        "a hex has no protection left, or is lit without any, once only; and no hex is within a radius of 0"
    ),
    "stream_layout.become_inferno: `params.options.inferno_radius > 0` -> `params.options.inferno_radius >= 0`": (
        "no hex is within a radius of 0"
    ),
    "stream_layout.welcome: `look_up(state, fresh, first, end)` -> `nothing`": READS_AHEAD,
    "stream_layout.welcome: `look_up_sites(params, state, fresh, first, end)` -> `nothing`": READS_AHEAD,
    "stream_layout.welcome: `if state.cells[cell].burning: close_sides(params, state, cell)` -> "
    "`if not state.cells[cell].burning: close_sides(params, state, cell)`": (
        "an open side only means that `is_legal` is asked"
    ),
    "stream_layout.welcome: `close_sides(params, state, cell)` -> `nothing`": (
        "an open side only means that `is_legal` is asked"
    ),
    "stream_layout.welcome: `0` -> `1` (no. 3)": "a place that stays free is closed up, and places are in any order",
    "stream_layout.look_up: `0` -> `1`": READS_AHEAD,
    "stream_layout.look_up: `end if state.cells.shape[0] > NEAR else first` -> "
    "`end if not state.cells.shape[0] > NEAR else first`": READS_AHEAD,
    "stream_layout.look_up: `state.cells.shape[0] > NEAR` -> `state.cells.shape[0] >= NEAR`": READS_AHEAD,
    "stream_layout.look_up: `total += hex_.st + hex_.touched` -> `total -= hex_.st + hex_.touched`": READS_AHEAD,
    "stream_layout.look_up: `total += hex_.st + hex_.touched` -> `nothing`": READS_AHEAD,
    "stream_layout.look_up: `hex_.st + hex_.touched` -> `hex_.st - hex_.touched`": READS_AHEAD,
    "stream_layout.look_up: `state.heaps[0] = total` -> `nothing`": READS_AHEAD,
    "stream_layout.look_up: `0` -> `1` (no. 3)": READS_AHEAD,
    "stream_layout.look_up_sites: `0` -> `1`": READS_AHEAD,
    "stream_layout.look_up_sites: `end if state.cells.shape[0] > NEAR else first` -> "
    "`end if not state.cells.shape[0] > NEAR else first`": READS_AHEAD,
    "stream_layout.look_up_sites: `state.cells.shape[0] > NEAR` -> `state.cells.shape[0] >= NEAR`": READS_AHEAD,
    "stream_layout.look_up_sites: `total += params.cells[cells[i]].st0 + params.links.to[cells[i], 0] + "
    "params.links.to[ce...` -> "
    "`total -= params.cells[cells[i]].st0 + params.links.to[cells[i], 0] + params.links.to[ce...`": READS_AHEAD,
    "stream_layout.look_up_sites: `total += params.cells[cells[i]].st0 + params.links.to[cells[i], 0] + "
    "params.links.to[ce...` -> "
    "`nothing`": READS_AHEAD,
    "stream_layout.look_up_sites: `params.cells[cells[i]].st0 + params.links.to[cells[i], 0] + "
    "params.links.to[cells[i], S...` -> "
    "`params.cells[cells[i]].st0 + params.links.to[cells[i], 0] - params.links.to[cells[i], S...`": READS_AHEAD,
    "stream_layout.look_up_sites: `params.cells[cells[i]].st0 + params.links.to[cells[i], 0]` -> "
    "`params.cells[cells[i]].st0 - params.links.to[cells[i], 0]`": READS_AHEAD,
    "stream_layout.look_up_sites: `0` -> `1` (no. 3)": READS_AHEAD,
    "stream_layout.look_up_sites: `SIDES - 1` -> `SIDES + 1`": (
        "on a map of more than NEAR hexes only, where it is read and goes nowhere"
    ),
    "stream_layout.look_up_sites: `1` -> `0`": READS_AHEAD,
    "stream_layout.look_up_sites: `state.heaps[0] = total` -> `nothing`": READS_AHEAD,
    "stream_layout.look_up_sites: `0` -> `1` (no. 4)": READS_AHEAD,
    "stream_layout.part_with: `0` -> `1`": (
        "asked with one_hex only: of the building one hex burns, and that one enters later and sets it"
    ),
    "stream_layout.tell_collapse: `0` -> `1` (no. 2)": "the bit asked for is 2",
    "bands.bring_flares: `state.counts[s.BURNING] + state.counts[s.FLARES] - own` -> "
    "`state.counts[s.BURNING] + state.counts[s.FLARES] + own`": "they lie further behind those that burn in the seam",
}
