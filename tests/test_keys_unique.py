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
from firesim.rules.town.state import PURPOSES
from tests.oracles.random_towns import random_town

TOWNS = 600


def asked(seed: int) -> np.ndarray:
    """What the dice of one random town were rolled for: rows of sides, step, purpose, actor, target."""
    document = random_town(seed)
    fire = Fire(prepared(firesim.load(document)), seed)
    fire.play_to(document["steps"])
    return fire.tape.asked[: fire.tape.counts[tapes.USED]]


@pytest.fixture(scope="module")
def dice() -> dict[int, np.ndarray]:
    return {seed: asked(seed) for seed in range(TOWNS)}


def test_no_two_dice_of_a_fire_share_a_key(dice: dict[int, np.ndarray]) -> None:
    for seed, rows in dice.items():
        keys = [tuple(row) for row in rows[:, tapes.STEP :].tolist()]
        twice = {key for key in keys if keys.count(key) > 1} if len(set(keys)) < len(keys) else set()
        assert not twice, f"random_town({seed}): (step, purpose, actor, target) {sorted(twice)[:3]}"


def test_the_towns_roll_for_every_purpose_and_often(dice: dict[int, np.ndarray]) -> None:
    counts = np.bincount(np.concatenate([rows[:, tapes.PURPOSE] for rows in dice.values()]), minlength=len(PURPOSES))
    assert len(counts) == len(PURPOSES)
    assert counts.min() >= 30, dict(zip(PURPOSES, counts, strict=True))
    assert counts.sum() > 10_000


def test_every_part_of_a_key_fits_its_word_of_the_counter(dice: dict[int, np.ndarray]) -> None:
    for seed, rows in dice.items():
        assert ((rows >= 0) & (rows < 2**32)).all(), f"random_town({seed})"


def test_each_purpose_has_a_word_of_its_own() -> None:
    key = tuple(np.uint64(part) for part in fire_key(20261129, 0))
    places = {(purpose // 4, purpose % 4) for purpose in range(len(PURPOSES))}
    assert len(places) == len(PURPOSES)
    for step, actor, target in itertools.product((1, 2), (0, 7), (0, 7)):
        words = {int(word(key, step, purpose, actor, target)) for purpose in range(len(PURPOSES))}
        assert len(words) == len(PURPOSES)
