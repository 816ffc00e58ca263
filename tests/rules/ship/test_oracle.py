"""The kernel against the oracle: the same dice, asked for in the same order, and the same ship after every phase."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import firesim
from firesim.api import prepared
from firesim.play import Fire, frames
from tests.examples.replay import PURPOSES
from tests.oracles import random_ships
from tests.oracles import ship as oracle

RECORDS = ("lit_at", "broken_at", "out_at")


def snapshot(state: Any, cells: int) -> dict[str, Any]:
    """What the oracle keeps of a state."""
    return {
        "burning": state.cells.burning[:cells].tolist(),
        "broken": state.cells.broken[:cells].tolist(),
        "person.cell": state.crew.cell.tolist(),
        "person.damage": state.crew.damage.tolist(),
        "person.burning": state.crew.burning.tolist(),
        "person.outside": state.crew.outside.tolist(),
        "item.damaged": state.items.damaged.tolist(),
        "hull_damage": int(state.ship[0]),
        "ship_lost": int(state.ship[2]),
    }


def compare(document: dict[str, Any], seed: int) -> None:
    """Play the fire by the kernel with keyed dice, then by the oracle with the faces it rolled."""
    fire = Fire(prepared(firesim.load(document)), seed)
    cells = len(fire.state.cells) - 1
    states = [snapshot(frame.state, cells) for frame in frames(fire, document["steps"])]
    asked = [
        (int(sides), PURPOSES["ship"][purpose], int(actor), int(target))
        for sides, _, purpose, actor, target in fire.tape.asked[: len(fire.faces)]
    ]
    told: list[tuple[int, str, int, int]] = []

    def face(sides: int, purpose: str, actor: int, target: int) -> int:
        told.append((sides, purpose, actor, target))
        assert told[-1] == asked[len(told) - 1], (
            f"die {len(told)}: oracle {told[-1]}, kernel {asked[len(told) - 1 :][:1]}"
        )
        return fire.faces[len(told) - 1]

    result = oracle.play(document, face)
    assert len(told) == len(asked), f"the oracle rolled {len(told)} dice, the kernel {len(asked)}"
    assert len(result.states) == len(states)
    for step, (ours, theirs) in enumerate(zip(states, result.states, strict=True)):
        for name, value in ours.items():
            assert np.array_equal(value, np.array(theirs[name]).astype(int)), f"phase {step}, {name}"
    for place, name in enumerate(RECORDS):
        assert fire.state.cells["at"][:cells, place].tolist() == list(getattr(result, name)), name
    ours = fire.outcome()
    assert {k: ours[k] for k in result.outcome} == result.outcome


@pytest.mark.parametrize("block", range(10))
def test_oracle_and_kernel_agree_on_random_ships(block: int) -> None:
    for seed in range(100 * block, 100 * block + 100):
        document = random_ships.random_ship(seed, options=seed % 4 > 0)
        try:
            compare(document, seed)
        except AssertionError as error:
            raise AssertionError(f"random_ship({seed}): {error}") from error
