"""The kernel against the oracle: the same dice, asked for in the same order, and the same ship after every phase."""

from __future__ import annotations

from typing import Any

import pytest

from tests.examples.replay import PURPOSES
from tests.oracles import random_ships
from tests.oracles import ship as oracle
from tests.rules.against_oracle import compare

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


@pytest.mark.parametrize("block", range(10))
def test_oracle_and_kernel_agree_on_random_ships(block: int) -> None:
    for seed in range(100 * block, 100 * block + 100):
        document = random_ships.random_ship(seed, options=seed % 4 > 0)
        try:
            compare(document, seed, oracle.play, PURPOSES["ship"], snapshot, RECORDS)
        except AssertionError as error:
            raise AssertionError(f"random_ship({seed}): {error}") from error
