"""What a kernel may ask of dice: `roll`."""

from __future__ import annotations

from firesim.dice.keyed import face, word
from firesim.dice.tape import next_face
from firesim.jit import jit


@jit
def roll(key, tape, step, purpose, actor, target, sides):
    """One die with `sides` sides: the keyed face, or with a tape the given one; what is absent compiles away."""
    shown = face(word(key, step, purpose, actor, target), sides)
    if tape is None:
        return shown
    return next_face(tape, shown, step, purpose, actor, target, sides)
