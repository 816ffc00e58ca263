"""A tape: faces given by a person or a file, and the record of every die a fire rolled."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from firesim.core.problems import InputError, Problem
from firesim.jit import jit

USED, GIVEN, KEYED, SHORT, MISFIT, AHEAD = range(6)
"""Places in `Tape.counts`: faces used, faces given, whether keyed dice follow the given ones, whether a face was wanted
that is not there, whether a given face does not exist on its die, whether an actor's dice at itself are rolled ahead
(which asks for whole steps of one fire)."""

SIDES, STEP, PURPOSE, ACTOR, TARGET = range(5)
"""Columns of `Tape.asked`: what each die was rolled for."""


class Tape(NamedTuple):
    """`faces` (n,) int64: given, then rolled. `asked` (n, 5) int32, `counts` (6,) int64: columns and places above."""

    faces: np.ndarray[Any, Any]
    asked: np.ndarray[Any, Any]
    counts: np.ndarray[Any, Any]


def blank(faces: Sequence[int] | None, room: int = 256) -> Tape:
    """A tape on which `faces` are given; None: none are, and keyed dice are recorded instead."""
    given = np.asarray([] if faces is None else faces, np.int64)
    room = max(room, len(given) + 1)
    tape = Tape(np.zeros(room, np.int64), np.zeros((room, 5), np.int32), np.zeros(6, np.int64))
    tape.faces[: len(given)] = given
    tape.counts[GIVEN] = len(given)
    tape.counts[KEYED] = tape.counts[AHEAD] = faces is None
    return tape


def longer(tape: Tape, room: int) -> Tape:
    """The same tape with room for at least `room` more dice."""
    kept = int(max(tape.counts[USED], tape.counts[GIVEN])) + 1  # what is blank beyond takes no memory until it is used
    size = max(4 * len(tape.faces), kept + room)
    wider = Tape(np.zeros(size, np.int64), np.zeros((size, 5), np.int32), tape.counts)
    wider.faces[: len(tape.faces[:kept])] = tape.faces[:kept]
    wider.asked[: len(tape.asked[:kept])] = tape.asked[:kept]
    return wider


@jit
def room_left(tape):
    """How many more dice fit on the tape."""
    return tape.faces.shape[0] - max(tape.counts[USED], tape.counts[GIVEN])


@jit
def next_face(tape, keyed_face, step, purpose, actor, target, sides):
    """The next given face, else the keyed one (recorded); 1 with SHORT set when a person's faces have run out."""
    used = tape.counts[USED]
    if tape.counts[SHORT]:
        return np.int64(1)
    row = tape.asked[used]
    row[SIDES], row[STEP], row[PURPOSE], row[ACTOR], row[TARGET] = sides, step, purpose, actor, target
    if used < tape.counts[GIVEN]:
        shown = tape.faces[used]
        if shown < 1 or shown > sides:
            tape.counts[MISFIT] = 1
            tape.counts[SHORT] = 1
            return np.int64(1)
    elif tape.counts[KEYED]:
        shown = keyed_face
        tape.faces[used] = shown
    else:
        tape.counts[SHORT] = 1
        return np.int64(1)
    tape.counts[USED] = used + 1
    return shown


def read_faces(text: str, source: str = "--dice") -> list[int]:
    """Faces written as whole numbers separated by blanks, commas or line ends; `#` starts a comment."""
    faces: list[int] = []
    problems: list[Problem] = []
    for number, line in enumerate(text.splitlines(), start=1):
        for found in re.finditer(r"[^\s,]+", line.split("#")[0]):
            token = found.group()
            if token.isascii() and token.isdigit() and len(token) < 10:
                faces.append(int(token))
            else:
                column = found.start() + 1
                problems.append(
                    Problem(
                        f"'{token[:40]}' is not a face",
                        "whole numbers separated by blanks",
                        file=source,
                        line=number,
                        column=column,
                    )
                )
    if problems:
        raise InputError(problems[:20])
    return faces
