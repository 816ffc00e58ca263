"""No two dice of a fire share a key."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import firesim
from firesim.api import prepared
from firesim.dice import tape as tapes
from firesim.dice.keyed import fire_key, word
from firesim.play import Fire
from firesim.rules.base import SYSTEMS, system_named
from tests.oracles.drawing import draw

SCENARIOS = 600


def asked(system: str, seed: int) -> np.ndarray:
    """What the dice of one random scenario were rolled for: rows of sides, step, purpose, actor, target."""
    document = draw(system, seed)
    fire = Fire(prepared(firesim.load(document)), seed)
    fire.play_to(document["steps"])
    return fire.tape.asked[: fire.tape.counts[tapes.USED]]


@pytest.fixture(scope="module", params=SYSTEMS)
def dice(request: pytest.FixtureRequest) -> tuple[str, dict[int, np.ndarray]]:
    """A system, and the dice of its random scenarios."""
    return request.param, {seed: asked(request.param, seed) for seed in range(SCENARIOS)}


def test_no_two_dice_of_a_fire_share_a_key(dice: tuple[str, dict[int, np.ndarray]]) -> None:
    system, rolled = dice
    for seed, rows in rolled.items():
        keys = [tuple(row) for row in rows[:, tapes.STEP :].tolist()]
        twice = {key for key in keys if keys.count(key) > 1} if len(set(keys)) < len(keys) else set()
        assert not twice, f"random {system} {seed}: (step, purpose, actor, target) {sorted(twice)[:3]}"


def test_the_scenarios_roll_for_every_purpose_and_often(dice: tuple[str, dict[int, np.ndarray]]) -> None:
    purposes = system_named(dice[0]).purposes
    rolled = np.concatenate([rows[:, tapes.PURPOSE] for rows in dice[1].values()])
    counts = np.bincount(rolled, minlength=len(purposes))
    assert len(counts) == len(purposes)
    assert counts.min() >= 30, dict(zip(purposes, counts, strict=True))
    assert counts.sum() > 10_000


def test_every_part_of_a_key_fits_its_word_of_the_counter(dice: tuple[str, dict[int, np.ndarray]]) -> None:
    for seed, rows in dice[1].items():
        assert ((rows >= 0) & (rows < 2**32)).all(), f"random {dice[0]} {seed}"


@pytest.mark.parametrize("system", SYSTEMS)
def test_each_purpose_has_a_word_of_its_own(system: str) -> None:
    purposes = range(len(system_named(system).purposes))
    key = tuple(np.uint64(part) for part in fire_key(20261129, 0))
    places = {(purpose // 4, purpose % 4) for purpose in purposes}
    assert len(places) == len(purposes)
    for step, actor, target in itertools.product((1, 2), (0, 7), (0, 7)):
        words = {int(word(key, step, purpose, actor, target)) for purpose in purposes}
        assert len(words) == len(purposes)
