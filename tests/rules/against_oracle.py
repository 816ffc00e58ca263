"""A fire by the kernel and by an oracle: the same dice in the same order, and the same state after each step."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np

import firesim
from firesim.api import prepared
from firesim.play import Fire, frames

Snapshot = Callable[[Any, int], dict[str, Any]]
"""What an oracle keeps of a state of so many cells."""


def compare(
    document: dict[str, Any],
    seed: int,
    play: Callable[..., Any],
    purposes: Sequence[str],
    snapshot: Snapshot,
    records: Sequence[str],
    at_itself: Collection[str] = (),
) -> None:
    """Play the fire by the kernel with keyed dice, then by the oracle with the faces it rolled.

    purposes: what the oracle calls each die. at_itself: of these, those whose target is the one who rolls.
    """
    fire = Fire(prepared(firesim.load(document)), seed)
    cells = len(fire.state.cells) - 1
    states = [snapshot(frame.state, cells) for frame in frames(fire, document["steps"])]
    asked = [
        (int(sides), purposes[purpose], int(actor), int(target))
        for sides, _, purpose, actor, target in fire.tape.asked[: len(fire.faces)]
    ]
    told: list[tuple[int, str, int, int]] = []

    def face(sides: int, purpose: str, actor: int, target: int) -> int:
        told.append((sides, purpose, actor, actor if purpose in at_itself else target))
        assert told[-1] == asked[len(told) - 1], (
            f"die {len(told)}: oracle {told[-1]}, kernel {asked[len(told) - 1 :][:1]}"
        )
        return fire.faces[len(told) - 1]

    result = play(document, face)
    assert len(told) == len(asked), f"the oracle rolled {len(told)} dice, the kernel {len(asked)}"
    assert len(result.states) == len(states)
    for step, (ours, theirs) in enumerate(zip(states, result.states, strict=True)):
        for name, value in ours.items():
            assert np.array_equal(value, np.array(theirs[name]).astype(int)), f"step {step}, {name}"
    for place, name in enumerate(records):
        assert fire.state.cells["at"][:cells, place].tolist() == list(getattr(result, name)), name
    ours = fire.outcome()
    assert {k: ours[k] for k in result.outcome} == result.outcome
