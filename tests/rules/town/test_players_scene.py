"""What players may see of a town: no fire that is still inside, no armour, nothing that tells of either."""

from __future__ import annotations

import numpy as np

import firesim
from firesim.core.fields import copied
from firesim.rules.town import look
from tests.oracles.random_towns import random_town


def test_a_fire_inside_does_not_show_and_one_outside_shows_without_its_armour() -> None:
    hidden, shown, arrows = 0, 0, 0
    for seed in range(150):
        run = firesim.run(random_town(seed), seed=seed, steps=25)
        ready, system = run.prepared, run.prepared.system
        quiet = system.scene(ready, ready.first, (), 0).codes
        for frame in run.frames():
            before = copied(frame.state)
            seen = system.players_scene(ready, frame.state, frame.events, frame.step)
            assert all(np.array_equal(a, b) for a, b in zip(before, frame.state, strict=True)), (
                "looking changes nothing"
            )
            cells = frame.state.cells[: len(seen.codes)]
            inside = (cells.burning != 0) & (cells.external == 0)
            outside = (cells.burning != 0) & (cells.external != 0)
            assert not set(np.unique(seen.codes)) & {look.INSIDE, look.FIERCE}
            assert np.isin(seen.codes[outside], (look.BURNING, look.COLLAPSED)).all()
            assert (seen.codes[inside] >= look.FIRST_MATERIAL).all()
            assert (seen.codes[inside] < look.INSIDE).all()
            assert f"{int(outside.sum())} burning" in seen.caption
            assert not any(inside[arrow.origin] for arrow in seen.arrows)
            hidden += int(inside.sum())
            shown += int(outside.sum())
            arrows += len(seen.arrows)
        assert quiet.shape == seen.codes.shape
    assert min(hidden, shown, arrows) > 100
