"""One step of a fire being rolled: dice given, asked for or keyed; slips taken back; nothing half done is left."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from firesim.core.fields import copied, restore
from firesim.core.problems import InputError, Problem
from firesim.dice import tape as tapes
from firesim.events.records import Record
from firesim.play import Ask, Fire

Tell = Callable[[list[Record]], None]
"""Told what has happened, in pieces, as a step is rolled."""


class TakeBack(Exception):  # noqa: N818
    """Raised by an `ask` to take back the face given last."""


class RollTheRest(Exception):  # noqa: N818
    """Raised by an `ask` to have the rest of the step rolled by keyed dice."""


class Mark:
    """Where a fire stands between two steps, to come back to."""

    def __init__(self, fire: Fire) -> None:
        self.fire, self.state = fire, copied(fire.state)
        self.used, self.rows = int(fire.tape.counts[tapes.USED]), int(fire.log.counts[0])

    def back(self) -> None:
        """Bring the fire back here."""
        counts = self.fire.tape.counts
        counts[tapes.USED] = counts[tapes.GIVEN] = self.used
        counts[tapes.SHORT] = counts[tapes.MISFIT] = 0
        counts[tapes.KEYED] = 1
        self.fire.log.counts[0] = self.rows
        self.fire.ask = self.fire.tell = None
        restore(self.fire.state, self.state)


def a_face(face: Any, sides: int | None = None) -> int:
    """A face as people give it, a whole number that the die shows; InputError for anything else."""
    whole = isinstance(face, (int, np.integer)) and not isinstance(face, bool)
    if not whole or not 1 <= int(face) <= (sides or FACE_MOST):
        raise InputError(Problem(f"{face!r} is no face", f"a whole number from 1 to {sides or FACE_MOST}", file="dice"))
    return int(face)


def faces_of(faces: Any) -> list[int]:
    """The first faces of a step as people give them; None: none. InputError for anything that is no list of faces."""
    if faces is None:
        return []
    if isinstance(faces, str) or not isinstance(faces, Iterable):
        raise InputError(Problem(f"{faces!r} is no list of faces", "a list of whole numbers, as [3, 4]", file="dice"))
    return [a_face(face) for face in faces]


FACE_MOST = 100
"""No die of any game has more sides."""


def roll_step(
    fire: Fire,
    typed: list[int],
    ask: Ask | None = None,
    tell: Tell | None = None,
    typing: Callable[[], None] | None = None,
    earlier: int = 0,
) -> None:
    """Play one step: its first dice show `typed`, the others are asked for, or keyed where nobody is to be asked.

    Faces asked for are added to `typed`, and `typing` is called after each change of it. tell: called with what has
    happened since the last die, before each question and at the end. earlier: how many of `typed` were given before and
    are good. Whatever is raised, the fire is afterwards where it was before: InputError for faces that do not exist or
    are left over, TakeBack when there is nothing to take back, and what `ask` raises.
    """
    mark = Mark(fire)
    fire.told = mark.rows
    asked_at: list[int] = []

    def ask_and_keep(prompt: str, sides: int) -> int:
        assert ask is not None
        asked_at.append(fire.told)
        face = a_face(ask(prompt, sides), sides)
        typed.append(face)
        if typing:
            typing()
        return face

    rest_keyed = ask is None
    while True:
        try:
            _give(fire, mark.used, typed)
            fire.tape.counts[tapes.KEYED] = rest_keyed
            fire.ask, fire.tell = (None if rest_keyed else ask_and_keep), tell
            fire.play_to(fire.step + 1)
            _check_all_used(fire, mark.used)
            break
        except TakeBack:
            mark.back()
            asked_at.pop()
            if not typed:
                raise
            typed.pop()
            fire.told = asked_at.pop() if asked_at else mark.rows
            if typing:
                typing()
        except RollTheRest:
            mark.back()
            rest_keyed = True
        except InputError as error:
            misfit = _misfit(fire, mark.used + earlier)
            mark.back()
            if misfit:
                raise InputError(replace(problem, what=misfit) for problem in error.problems) from None
            raise
        except BaseException:
            mark.back()
            raise
    rows = int(fire.log.counts[0])
    if tell and rows > fire.told:
        tell(fire.events(fire.told, rows))
    fire.ask = fire.tell = None
    fire.tape.counts[tapes.KEYED] = 1
    fire.tape.counts[tapes.GIVEN] = fire.tape.counts[tapes.USED]


def _give(fire: Fire, used: int, faces: list[int]) -> None:
    """Put given faces on the tape after those used."""
    if len(fire.tape.faces) < used + len(faces):
        fire.tape = tapes.longer(fire.tape, len(faces))
    fire.tape.faces[used : used + len(faces)] = faces
    fire.tape.counts[tapes.GIVEN] = used + len(faces)


def _misfit(fire: Fire, before: int) -> str:
    """Which face its die does not show, counted from the first one given; empty when something else is wrong."""
    if not fire.tape.counts[tapes.MISFIT]:
        return ""
    place = int(fire.tape.counts[tapes.USED])
    face, sides = int(fire.tape.faces[place]), int(fire.tape.asked[place, tapes.SIDES])
    return f"face {place - before + 1} is {face}, which a d{sides} does not show"


def _check_all_used(fire: Fire, used_before: int) -> None:
    """Raise InputError when faces were given that no die of the step wanted."""
    used, given = int(fire.tape.counts[tapes.USED]), int(fire.tape.counts[tapes.GIVEN])
    if given > used:
        over, wanted = given - used, used - used_before
        what = f"{over} face{'s' * (over > 1)} left over: {fire.prepared.system.step_word.lower()} {fire.step} rolls"
        raise InputError(Problem(f"{what} {wanted} {'die' if wanted == 1 else 'dice'}", f"{wanted} faces", file="dice"))


def carried(state: Any, first: Any) -> Any:
    """A copy of `state` in the sizes of `first`, the first state of a scenario that says more."""
    made = copied(first)
    for new, old in zip(made, state, strict=True):
        shared = tuple(slice(0, min(a, b)) for a, b in zip(new.shape, old.shape, strict=True))
        new[shared] = old[shared]
    return made
