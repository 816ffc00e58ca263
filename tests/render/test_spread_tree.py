"""The spread tree as a picture: colours tell when, arrows tell from whom."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import firesim
from firesim.core.problems import InputError
from firesim.events.spread import Lit
from firesim.render.spread_tree import arrows_of, colours_of, first_lit, spread_tree
from firesim.rules.base import Arrow

RIVERSIDE = Path(__file__).resolve().parents[2] / "maps" / "riverside.toml"
LIT = [Lit(0, 3), Lit(2, 4, 3), Lit(5, 3, 4), Lit(6, 4, 3), Lit(6, 90, 4), Lit(7, 5, 90)]


def test_a_cell_shows_its_first_time_and_each_pair_has_one_arrow() -> None:
    assert first_lit(LIT, 10) == {3: 0, 4: 2, 5: 7}
    assert arrows_of(LIT, 10) == [Arrow(3, 4, True), Arrow(4, 3, True)], "people have no place on the map"


def test_the_later_it_was_lit_the_darker_and_the_rest_keeps_the_faint_map() -> None:
    run = firesim.run(RIVERSIDE, seed=17, steps=14)
    when = first_lit(run.spread, 10_000)
    assert len(when) > 15
    bare, drawn = colours_of(run.prepared, {}, 14), colours_of(run.prepared, when, 14)
    never = np.setdiff1d(np.arange(len(bare)), list(when))
    assert np.array_equal(bare[never], drawn[never])
    light = drawn.astype(int) @ [299, 587, 114]
    order = sorted(when, key=lambda cell: when[cell])
    for one, other in itertools.pairwise(order):
        assert light[one] >= light[other]
    assert light[order[0]] > light[order[-1]] + 100_000


def test_it_is_drawn(tmp_path: Path) -> None:
    run = firesim.run(RIVERSIDE, seed=17, steps=14)
    pictures = []
    for name, lit in (("tree", run.spread), ("none", [])):
        spread_tree(run.prepared, lit, tmp_path / f"{name}.png", title="Riverside")
        pictures.append(np.asarray(Image.open(tmp_path / f"{name}.png").convert("RGB")).astype(int))
    assert (np.abs(pictures[0] - pictures[1]).sum(axis=2) > 60).sum() > 10_000
    with pytest.raises(InputError):
        spread_tree(run.prepared, run.spread, tmp_path / "tree.gif", title="Riverside")
