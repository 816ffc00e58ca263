"""Philox4x32-10 against the published vectors and against itself written once more in Python's own integers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firesim.dice.philox import philox

WORDS = st.integers(0, 2**32 - 1)

# Random123's kat_vectors, the lines "philox4x32 10": counter, key, result
PUBLISHED = [
    ("00000000 00000000 00000000 00000000", "00000000 00000000", "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ("ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff", "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    ("243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0", "d16cfe09 94fdcceb 5001e420 24126ea1"),
]


def hexes(text: str) -> list[int]:
    return [int(word, 16) for word in text.split()]


def ours(counter: list[int], key: list[int]) -> list[int]:
    return [int(word) for word in philox(*(np.uint64(word) for word in (*counter, *key)))]


def in_plain_integers(counter: list[int], key: list[int]) -> list[int]:
    """The generator as its authors' paper describes it: ten rounds, the key raised by the Weyl constants after each."""
    for n in range(10):
        high_0, low_0 = divmod(0xD2511F53 * counter[0], 2**32)
        high_1, low_1 = divmod(0xCD9E8D57 * counter[2], 2**32)
        first, second = (key[0] + n * 0x9E3779B9) % 2**32, (key[1] + n * 0xBB67AE85) % 2**32
        counter = [high_1 ^ counter[1] ^ first, low_1, high_0 ^ counter[3] ^ second, low_0]
    return counter


@pytest.mark.parametrize(("counter", "key", "result"), PUBLISHED)
def test_the_published_vectors_are_met(counter: str, key: str, result: str) -> None:
    assert ours(hexes(counter), hexes(key)) == hexes(result)
    assert in_plain_integers(hexes(counter), hexes(key)) == hexes(result)


@settings(max_examples=500, deadline=None)
@given(st.lists(WORDS, min_size=4, max_size=4), st.lists(WORDS, min_size=2, max_size=2))
def test_any_counter_and_key_give_what_plain_integers_give(counter: list[int], key: list[int]) -> None:
    assert ours(counter, key) == in_plain_integers(counter, key)


def test_neighbouring_counters_differ_in_about_half_of_their_bits() -> None:
    flipped = []
    for bit in range(128):
        counter = [0, 0, 0, 0]
        counter[bit // 32] = 1 << bit % 32
        pairs = zip(ours([0, 0, 0, 0], [7, 0]), ours(counter, [7, 0]), strict=True)
        flipped.append(sum((a ^ b).bit_count() for a, b in pairs))
    assert 64 - 2 < np.mean(flipped) < 64 + 2  # standard error 0.5
    assert min(flipped) > 30  # six standard deviations of one
