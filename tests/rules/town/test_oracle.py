"""The kernel against the oracle: the same dice, asked for in the same order, and the same town after every turn."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import firesim
from firesim.api import prepared
from firesim.play import Fire, frames

ORACLES = Path(__file__).parents[2] / "oracles"
PURPOSES = ("collapse", "attack", "jump direction", "flare direction", "jump", "spark", "ignite", "next hex", "wind")
AT_ITSELF = ("collapse", "attack", "jump direction", "flare direction", "next hex", "wind")
"""Dice whose target is the one who rolls."""

FIELDS = ("st", "armour", "roof", "burning", "external", "consumed", "collapsed", "demolished")
RECORDS = ("lit_at", "consumed_at", "external_at", "out_at")


def oracle(name: str) -> ModuleType:
    """A module of tests/oracles, wherever the tests run from."""
    spec = importlib.util.spec_from_file_location(f"oracles_{name}", ORACLES / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


TOWN, RANDOM = oracle("town"), oracle("random_towns")


def compare(document: dict[str, Any], seed: int) -> None:
    """Play the fire by the kernel with keyed dice, then by the oracle with the faces it rolled."""
    scenario = firesim.load(document)
    fire = Fire(prepared(scenario), seed)
    cells = len(fire.state.cells) - 1
    states = [
        {name: frame.state.cells[name][:cells].copy() for name in FIELDS} for frame in frames(fire, document["steps"])
    ]
    asked = [
        (int(sides), PURPOSES[purpose], int(actor), int(target))
        for sides, _, purpose, actor, target in fire.tape.asked[: len(fire.faces)]
    ]
    told: list[tuple[int, str, int, int]] = []

    def face(sides: int, purpose: str, actor: int, target: int) -> int:
        told.append((sides, purpose, actor, actor if purpose in AT_ITSELF else target))
        assert told[-1] == asked[len(told) - 1], (
            f"die {len(told)}: oracle {told[-1]}, kernel {asked[len(told) - 1 :][:1]}"
        )
        return fire.faces[len(told) - 1]

    result = TOWN.play(document, face)
    assert len(told) == len(asked), f"the oracle rolled {len(told)} dice, the kernel {len(asked)}"
    assert len(result.states) == len(states)
    for step, (ours, theirs) in enumerate(zip(states, result.states, strict=True)):
        for name in FIELDS:
            assert np.array_equal(ours[name], np.array(theirs[name]).astype(int)), f"step {step}, {name}"
    for place, name in enumerate(RECORDS):
        assert list(fire.state.cells["at"][:cells, place]) == list(getattr(result, name)), name
    ours = fire.outcome()
    assert {k: ours[k] for k in result.outcome} == result.outcome


@pytest.mark.parametrize("block", range(10))
def test_oracle_and_kernel_agree_on_random_towns(block: int) -> None:
    for seed in range(100 * block, 100 * block + 100):
        document = RANDOM.random_town(seed, options=seed % 4 > 0)
        try:
            compare(document, seed)
        except AssertionError as error:
            raise AssertionError(f"random_town({seed}): {error}") from error
