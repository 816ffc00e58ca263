"""What a kernel may ask of dice: `roll`, and for an actor's dice at itself `roll_ahead` and `roll_own`."""

from __future__ import annotations

import numpy as np

from firesim.dice.keyed import block, face, word
from firesim.dice.tape import AHEAD, next_face
from firesim.jit import jit


@jit
def roll(key, tape, step, purpose, actor, target, sides):
    """One die with `sides` sides: the keyed face, or with a tape the given one; what is absent compiles away."""
    shown = face(word(key, step, purpose, actor, target), sides)
    if tape is None:
        return shown
    return next_face(tape, shown, step, purpose, actor, target, sides)


LANES = 4
"""Blocks of the generator that a processor works out together in the time of one."""


@jit
def whole_lanes(count):
    """`count`, or as many more as leave no lane empty: to roll bits that nobody reads takes less than a loop's rest."""
    return (count + LANES - 1) // LANES * LANES


def room_ahead(actors: int) -> int:
    """How many entries arrays must have whose bits are rolled ahead for so many actors."""
    return max(int(whole_lanes(actors)), LANES)


@jit
def roll_ahead(key, step, actors, count, words):
    """Fill `words` (4, n) with the bits of the dice that the first `count` actors may roll at themselves in `step`.

    One block of the generator serves the purposes 0 to 3, and the loop runs over many actors at once; `roll_own` finds
    the bits by the actor's place. Both arrays have `room_ahead(n)` entries for n actors.
    """
    for place in range(whole_lanes(count)):
        words[0, place], words[1, place], words[2, place], words[3, place] = block(
            key, step, 0, actors[place], actors[place]
        )


@jit
def roll_pairs_ahead(key, step, purpose, actors, targets, count, words):
    """Fill `words` (n,) with the bits of one die for each of the first `count` pairs of actor and target.

    All three arrays have `room_ahead(n)` entries for n pairs.
    """
    for place in range(whole_lanes(count)):
        words[place] = word(key, step, purpose, actors[place], targets[place])


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
