"""What a kernel may ask of dice: `roll`, and for an actor's dice at itself `roll_ahead` and `roll_own`."""

from __future__ import annotations

import numpy as np

from firesim.dice.keyed import WORDS_OF_A_BLOCK, block, face, word
from firesim.dice.tape import AHEAD, next_face
from firesim.jit import jit


@jit
def roll(key, tape, step, purpose, actor, target, sides):
    """One die with `sides` sides: the keyed face, or with a tape the given one; what is absent compiles away."""
    shown = face(word(key, step, purpose, actor, target), sides)
    if tape is None:
        return shown
    return next_face(tape, shown, step, purpose, actor, target, sides)


@jit
def roll_ahead(key, step, actors, count, words):
    """Fill `words` (4, n) with the bits of the dice that the first `count` actors may roll at themselves in `step`.

    One block of the generator serves the purposes 0 to 3, and the loop runs over many actors at once; `roll_own` finds
    the bits by the actor's place.
    """
    for place in range(count):
        words[0, place], words[1, place], words[2, place], words[3, place] = block(
            key, step, 0, actors[place], actors[place]
        )


@jit
def roll_pairs_ahead(key, step, purpose, actors, targets, count, words):
    """Fill `words` (n,) with the bits of one die for each of the first `count` pairs of actor and target.

    purpose: the first of four that share a block of the generator, so that its bits are the block's first word.
    """
    for place in range(count):
        words[place], _, _, _ = block(key, step, purpose // WORDS_OF_A_BLOCK, actors[place], targets[place])


@jit
def roll_own(key, tape, step, purpose, actor, words, place, sides):
    """The die that `actor` rolls at itself, for a purpose 0 to 3: the same face as `roll`, from bits rolled ahead."""
    if tape is None:
        return face(np.uint64(words[purpose, place]), sides)
    if tape.counts[AHEAD]:
        return next_face(tape, face(np.uint64(words[purpose, place]), sides), step, purpose, actor, actor, sides)
    return roll(key, tape, step, purpose, actor, actor, sides)


@jit
def rolls_ahead(tape):
    """Whether `roll_own` will look for bits rolled ahead."""
    return True if tape is None else tape.counts[AHEAD] > 0
