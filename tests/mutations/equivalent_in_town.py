"""Mutants of the town's rules that change nothing that can be seen, each with the reason why."""

from __future__ import annotations

EQUIVALENT: dict[str, str] = {
    "st_left: `net > 0` -> `net >= 0`": "a net of 0 takes 0",
    "tile_gives_way: `2` -> `3`": "hits are kept modulo 2",
    "hurt_walls: `touch(state, cell)` -> `nothing`": "what it changes burns or is lit at once, and `light` touches it",
    "hurt_walls: `before > 0` -> `before >= 0`": "`attack` does not come here at ST 0",
    "collapse: `touch(state, cell)` -> `nothing`": "only burning hexes come here, and `light` has touched them",
    "consume: `state.buildings[building].gone < state.buildings[building].hexes` -> "
    "`state.buildings[building].gone <= state.buildings[building].hexes`": "with nothing left `move_on` finds no hex",
    "weakest_next: `0` -> `1`": "the first candidate sets the lowest armour",
    "jump_target: `0` -> `1`": "without a target nobody looks at the gap",
    "flare: `1` -> `0`": "face 0 stands for face 6, the last heading, which is looked at anyway",
    "heading_to: `0` -> `1`": "it is asked of neighbours only, so the last line is never reached",
    "burn: `False` -> `True`": "a burning hex meets what its fire came through, whatever this says",
    "flare_all_round: `0` -> `1`": "it looks further than it must, and every hex's gap is measured",
    "ignite: `state.ignited[ignition] = 1` -> `nothing`": "a hex that burns or is gone never stands unlit again",
    "ignite: `1` -> `0`": "a hex that burns or is gone never stands unlit again",
    "close_sides: `if state.cells[other].standing: touch(state, other) state.cells[other].open_sides &= AL...` -> "
    "`if not state.cells[other].standing: touch(state, other) state.cells[other].open_sides &...`": (
        "an open side only means that `is_legal` is asked"
    ),
    "close_sides: `1` -> `0`": "an open side only means that `is_legal` is asked",
}
