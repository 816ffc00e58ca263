"""What the keys of a fire's dice say that they show, one die at a time and by nothing that was rolled ahead."""

from __future__ import annotations

import numpy as np

from firesim.dice import tape as tapes
from firesim.dice.keyed import face, key_of, word
from firesim.play import Fire


def keyed_faces(fire: Fire) -> list[int]:
    """The face of every die on the tape, from seed, replicate and what it was rolled for."""
    with np.errstate(over="ignore"):
        key = key_of(fire.seed, fire.replicate)
        asked = fire.tape.asked[: len(fire.faces)].tolist()
        return [
            int(
                face(
                    word(key, die[tapes.STEP], die[tapes.PURPOSE], die[tapes.ACTOR], die[tapes.TARGET]),
                    die[tapes.SIDES],
                )
            )
            for die in asked
        ]
