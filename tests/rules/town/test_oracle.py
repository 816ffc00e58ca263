"""The kernel against the oracle: the same dice, asked for in the same order, and the same town after every turn."""

from __future__ import annotations

from typing import Any

import pytest

from tests.oracles import town
from tests.oracles.random_towns import random_town
from tests.rules.against_oracle import compare

PURPOSES = ("collapse", "attack", "jump direction", "flare direction", "jump", "spark", "ignite", "next hex", "wind")
AT_ITSELF = ("collapse", "attack", "jump direction", "flare direction", "next hex", "wind")
"""Dice whose target is the one who rolls."""

FIELDS = ("st", "armour", "roof", "burning", "external", "consumed", "collapsed", "demolished")
RECORDS = ("lit_at", "consumed_at", "external_at", "out_at")


def snapshot(state: Any, cells: int) -> dict[str, Any]:
    """What the oracle keeps of a state."""
    return {name: state.cells[name][:cells].copy() for name in FIELDS}


@pytest.mark.parametrize("block", range(10))
def test_oracle_and_kernel_agree_on_random_towns(block: int) -> None:
    for seed in range(100 * block, 100 * block + 100):
        document = random_town(seed, options=seed % 4 > 0)
        try:
            compare(document, seed, town.play, PURPOSES, snapshot, RECORDS, AT_ITSELF)
        except AssertionError as error:
            raise AssertionError(f"random_town({seed}): {error}") from error
