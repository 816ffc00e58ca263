"""Keyed dice: fair to a count of words, each part of the key matters, neighbours are strangers."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2, chi2_contingency

from firesim.dice.keyed import face, fire_key, word
from firesim.dice.rolls import roll
from firesim.dice.tape import blank

SEED = 20261129
WHOLE = 2**32
NATURAL = st.integers(0, WHOLE - 1)
LONG = st.integers(0, 2**63 - 1)
PURPOSES = 9


def philox_in_plain_integers(counter: list[int], key: list[int]) -> list[int]:
    for n in range(10):
        high_0, low_0 = divmod(0xD2511F53 * counter[0], WHOLE)
        high_1, low_1 = divmod(0xCD9E8D57 * counter[2], WHOLE)
        first, second = (key[0] + n * 0x9E3779B9) % WHOLE, (key[1] + n * 0xBB67AE85) % WHOLE
        counter = [high_1 ^ counter[1] ^ first, low_1, high_0 ^ counter[3] ^ second, low_0]
    return counter


def key_of(seed: int, replicate: int) -> tuple[np.uint64, np.uint64]:
    k0, k1 = fire_key(seed, replicate)
    return np.uint64(k0), np.uint64(k1)


def d6(key: tuple[Any, Any], step: int, purpose: int, actor: int, target: int) -> int:
    return int(roll(key, None, step, purpose, actor, target, 6))


# ------------------------------------------------------------------------------------------------------- the faces
@pytest.mark.parametrize("sides", range(2, 101))
def test_every_face_has_its_share_of_the_words(sides: int) -> None:
    # face f begins at the first word w with w * sides >= (f - 1) * 2**32; as the face never falls with the word,
    # the words between two beginnings are exactly its share
    begins = [-(-(f * WHOLE) // sides) for f in range(sides + 1)]
    assert face(np.uint64(0), sides) == 1
    for shown, (first, end) in enumerate(itertools.pairwise(begins), start=1):
        assert face(np.uint64(first), sides) == shown
        assert face(np.uint64(end - 1), sides) == shown
    fair = Fraction(1, sides)
    shares = [Fraction(end - first, WHOLE) for first, end in itertools.pairwise(begins)]
    assert sum(shares) == 1
    assert all(abs(share - fair) < Fraction(1, WHOLE) for share in shares)
    assert sum(abs(share - fair) for share in shares) / 2 < Fraction(1, 10**8)


@given(NATURAL, NATURAL, st.integers(2, 100))
@settings(max_examples=300, deadline=None)
def test_a_greater_word_never_shows_a_lower_face(one: int, other: int, sides: int) -> None:
    low, high = sorted((one, other))
    assert 1 <= face(np.uint64(low), sides) <= face(np.uint64(high), sides) <= sides


# --------------------------------------------------------------------------------------------------------- the keys
@given(LONG, LONG)
@settings(max_examples=200, deadline=None)
def test_a_fires_key_is_one_block_of_seed_and_replicate(seed: int, replicate: int) -> None:
    counter = [replicate % WHOLE, replicate // WHOLE, 0x46697265, 0]
    expected = philox_in_plain_integers(counter, [seed % WHOLE, seed // WHOLE])
    assert [int(part) for part in fire_key(seed, replicate)] == expected[:2]


@given(LONG, NATURAL, st.integers(0, 1000), NATURAL, NATURAL)
@settings(max_examples=200, deadline=None)
def test_a_die_is_the_word_of_its_own_counter(seed: int, step: int, purpose: int, actor: int, target: int) -> None:
    key = key_of(seed, 0)
    block, place = divmod(purpose, 4)
    expected = philox_in_plain_integers([actor, target, step, block], [int(key[0]), int(key[1])])
    assert int(word(key, step, purpose, actor, target)) == expected[place]


@given(st.tuples(LONG, LONG, NATURAL, st.integers(0, 1000), NATURAL, NATURAL), st.integers(0, 5), st.data())
@settings(max_examples=300, deadline=None)
def test_a_key_that_differs_in_any_part_gives_another_word(
    parts: tuple[int, int, int, int, int, int], changed: int, data: st.DataObject
) -> None:
    kind = (LONG, LONG, NATURAL, st.integers(0, 1000), NATURAL, NATURAL)[changed]
    other = list(parts)
    other[changed] = data.draw(kind.filter(lambda value: value != parts[changed]))
    # two words of 32 bits agree by chance once in 4.3 thousand million examples
    assert word(key_of(*parts[:2]), *parts[2:]) != word(key_of(*other[:2]), *other[2:])


def test_seeds_and_replicates_that_differ_in_one_bit_have_different_keys() -> None:
    seeds = [0] + [1 << bit for bit in range(63)]
    keys = {fire_key(seed, replicate) for seed in seeds for replicate in seeds}
    assert len(keys) == len(seeds) ** 2


def test_actor_and_target_are_not_interchangeable() -> None:
    key = key_of(SEED, 0)
    words = {int(word(key, 1, 4, actor, target)) for actor in range(20) for target in range(20)}
    assert len(words) == 400


# ------------------------------------------------------------------------------------------------------ statistics
@pytest.mark.parametrize("purpose", range(PURPOSES))
def test_a_six_sided_die_is_fair_over_cells_steps_and_replicates(purpose: int) -> None:
    counts = np.zeros(6, int)
    for replicate in range(20):
        key = key_of(SEED, replicate)
        for step, cell in itertools.product(range(1, 26), range(40)):
            counts[d6(key, step, purpose, cell, cell) - 1] += 1
    expected = counts.sum() / 6
    figure = float(((counts - expected) ** 2 / expected).sum())
    # neither too uneven nor too even
    assert chi2.sf(figure, 5) > 0.0001, counts
    assert chi2.cdf(figure, 5) > 0.0001, counts


NEIGHBOURS = {
    "cells": (0, 0, 0, 1, 1),
    "targets": (0, 0, 0, 0, 1),
    "purposes of one block": (0, 0, 1, 0, 0),
    "purposes of two blocks": (0, 0, 4, 0, 0),
    "steps": (0, 1, 0, 0, 0),
    "replicates": (1, 0, 0, 0, 0),
}


@pytest.mark.parametrize("what", NEIGHBOURS)
def test_neighbouring_dice_know_nothing_of_each_other(what: str) -> None:
    later_replicate, later_step, other_purpose, next_actor, next_target = NEIGHBOURS[what]
    table = np.zeros((6, 6), int)
    for replicate in range(0, 40, 2):
        key, other_key = key_of(SEED, replicate), key_of(SEED, replicate + later_replicate)
        # every die is in one pair only
        for step, cell in itertools.product(range(0, 40, 2), range(0, 80, 2)):
            one = d6(key, step, 1, cell, cell)
            other = d6(other_key, step + later_step, 1 + other_purpose, cell + next_actor, cell + next_target)
            table[one - 1, other - 1] += 1
    assert table.sum() == 16_000
    assert chi2_contingency(table).pvalue > 0.0001, table


def test_neighbouring_seeds_know_nothing_of_each_other() -> None:
    table = np.zeros((6, 6), int)
    for seed in range(SEED, SEED + 40, 2):
        key, other_key = key_of(seed, 0), key_of(seed + 1, 0)
        for step, cell in itertools.product(range(20), range(40)):
            table[d6(key, step, 1, cell, cell) - 1, d6(other_key, step, 1, cell, cell) - 1] += 1
    assert chi2_contingency(table).pvalue > 0.0001, table


def test_a_recorded_die_shows_what_an_unrecorded_one_does() -> None:
    key, tape = key_of(SEED, 3), blank(None)
    shown = [int(roll(key, tape, step, 1, 5, 5, sides)) for step, sides in itertools.product(range(10), (2, 6, 10))]
    bare = [int(roll(key, None, step, 1, 5, 5, sides)) for step, sides in itertools.product(range(10), (2, 6, 10))]
    assert shown == bare
    assert list(tape.faces[:30]) == bare
