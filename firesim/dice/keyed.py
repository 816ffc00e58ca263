"""Keyed dice: the face is a pure function of (seed, replicate, step, purpose, actor, target, die).

The fire's key is one Philox block of seed and replicate; a die's word is one of the four words of the block whose
counter is (actor, target, step, purpose and die). Two dice of one fire differ in at least one part of that key, so
they never share a word. Nothing depends on the order in which dice are asked for, on threads or on machines.

A face is `1 + (word * sides) >> 32`: each face's chance differs from 1/sides by less than 2**-32 = 2.4e-10.
"""

from __future__ import annotations

import numpy as np

from firesim.dice.philox import MASK, WORD, philox
from firesim.jit import jit

FIRE = np.uint64(0x46697265)  # sets the blocks that make keys apart from any other use of the seed
WORDS_OF_A_BLOCK = 4


@jit
def fire_key(seed, replicate):
    """The key (two words as uint64) of one fire. `seed` and `replicate` are whole numbers from 0 below 2**63."""
    seed, replicate = np.uint64(seed), np.uint64(replicate)
    k0, k1, _, _ = philox(replicate & MASK, replicate >> WORD, FIRE, np.uint64(0), seed & MASK, seed >> WORD)
    return k0, k1


def key_of(seed: int, replicate: int) -> tuple[np.uint64, np.uint64]:
    """The same as a kernel wants it that is called from outside of all kernels."""
    k0, k1 = fire_key(seed, replicate)
    return np.uint64(k0), np.uint64(k1)


@jit
def block(key, step, number, actor, target):
    """Four words of 32 random bits (as uint64): those of the purposes 4 * number to 4 * number + 3."""
    return philox(np.uint64(actor), np.uint64(target), np.uint64(step), np.uint64(number), key[0], key[1])


@jit
def word(key, step, purpose, actor, target):
    """The 32 random bits (as uint64) of the die rolled by `actor` at `target` in `step` for `purpose`."""
    w0, w1, w2, w3 = block(key, step, purpose // WORDS_OF_A_BLOCK, actor, target)
    place = purpose % WORDS_OF_A_BLOCK
    if place == 0:
        return w0
    if place == 1:
        return w1
    if place == 2:
        return w2
    return w3


@jit
def face(bits, sides):
    """The face 1..sides that 32 random bits show."""
    return np.int64((bits * np.uint64(sides)) >> WORD) + 1
