"""The tape: faces given by a person, faces recorded, and what goes wrong with them."""

from __future__ import annotations

import numpy as np
import pytest

from firesim.core.problems import InputError
from firesim.dice import tape as tapes
from firesim.dice.tape import Tape, blank, longer, next_face, read_faces, room_left

KEYED_FACE = 4


def ask(tape: Tape, sides: int = 6, step: int = 1, purpose: int = 2, actor: int = 3, target: int = 5) -> int:
    return int(next_face(tape, KEYED_FACE, step, purpose, actor, target, sides))


# ---------------------------------------------------------------------------------------------------------- scripted
def test_given_faces_are_shown_in_their_order() -> None:
    tape = blank([3, 1, 6])
    assert [ask(tape) for _ in range(3)] == [3, 1, 6]
    assert tape.counts[tapes.USED] == 3
    assert not tape.counts[tapes.SHORT]
    assert not tape.counts[tapes.MISFIT]


def test_what_each_die_was_rolled_for_is_written_down() -> None:
    tape = blank([3, 1])
    ask(tape, sides=6, step=7, purpose=1, actor=40, target=41)
    ask(tape, sides=2, step=8, purpose=5, actor=50, target=51)
    asked = tape.asked[:2]
    assert list(asked[:, tapes.SIDES]) == [6, 2]
    assert list(asked[:, tapes.STEP]) == [7, 8]
    assert list(asked[:, tapes.PURPOSE]) == [1, 5]
    assert list(asked[:, tapes.ACTOR]) == [40, 50]
    assert list(asked[:, tapes.TARGET]) == [41, 51]


def test_faces_that_run_out_are_told_once_and_for_all() -> None:
    tape = blank([3])
    ask(tape)
    assert ask(tape, purpose=6) == 1
    assert tape.counts[tapes.SHORT]
    assert not tape.counts[tapes.MISFIT]
    assert ask(tape, purpose=7) == 1
    assert tape.counts[tapes.USED] == 1
    assert tape.asked[1, tapes.PURPOSE] == 6, "the first die without a face is the one to ask for"


def test_no_faces_given_is_not_the_same_as_keyed_dice() -> None:
    nothing, keyed = blank([]), blank(None)
    ask(nothing)
    assert nothing.counts[tapes.SHORT]
    assert ask(keyed) == KEYED_FACE
    assert not keyed.counts[tapes.SHORT]


@pytest.mark.parametrize(("face", "sides"), [(0, 6), (-1, 6), (7, 6), (3, 2), (11, 10)])
def test_a_face_that_its_die_does_not_show_stops_the_tape(face: int, sides: int) -> None:
    tape = blank([2, face, 1])
    ask(tape, sides=sides)
    assert ask(tape, sides=sides) == 1
    assert tape.counts[tapes.MISFIT]
    assert tape.counts[tapes.SHORT]
    assert tape.counts[tapes.USED] == 1
    assert tape.asked[1, tapes.SIDES] == sides


@pytest.mark.parametrize("sides", [2, 6, 10])
def test_the_lowest_and_the_highest_face_fit(sides: int) -> None:
    tape = blank([1, sides])
    assert [ask(tape, sides=sides), ask(tape, sides=sides)] == [1, sides]
    assert not tape.counts[tapes.MISFIT]


# --------------------------------------------------------------------------------------------------------- recording
def test_keyed_faces_are_recorded() -> None:
    tape = blank(None)
    assert [ask(tape) for _ in range(5)] == [KEYED_FACE] * 5
    assert list(tape.faces[:5]) == [KEYED_FACE] * 5
    assert tape.counts[tapes.USED] == 5


# ------------------------------------------------------------------------------------------------------------ growth
def test_room_counts_given_and_used_faces() -> None:
    assert room_left(blank(None, 10)) == 10
    assert room_left(blank([1, 2, 3], 10)) == 7
    tape = blank(None, 10)
    ask(tape)
    assert room_left(tape) == 9
    assert room_left(blank([1] * 20, 10)) == 1


def test_a_longer_tape_keeps_all_and_goes_on() -> None:
    tape = blank([3, 5], room=3)
    ask(tape, purpose=8)
    wider = longer(tape, 50)
    assert room_left(wider) >= 50
    assert list(wider.faces[:2]) == [3, 5]
    assert np.array_equal(wider.asked[:3], tape.asked)
    assert ask(wider) == 5
    ask(wider)
    assert wider.counts[tapes.SHORT]


def test_a_longer_tape_has_room_for_what_is_asked_and_quadruples_at_least() -> None:
    tape = blank(None, 4)
    for _ in range(4):
        ask(tape)
    assert room_left(longer(tape, 1)) == 12
    assert room_left(longer(tape, 1000)) >= 1000


# ----------------------------------------------------------------------------------------------------- faces as text
@pytest.mark.parametrize(
    ("text", "faces"),
    [
        ("", []),
        ("3 4 1", [3, 4, 1]),
        ("3,4 , 1\n\n 6\t2\r\n5", [3, 4, 1, 6, 2, 5]),
        ("# the baker's house\n3 4 # and then the mill\n1 #2\n", [3, 4, 1]),
        ("0 10 007", [0, 10, 7]),
    ],
)
def test_faces_are_read_from_text(text: str, faces: list[int]) -> None:
    assert read_faces(text) == faces


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("3 x 1", [(1, 3)]),
        ("3 4\n1 -2 5.5", [(2, 3), (2, 6)]),
        ("x 3 x", [(1, 1), (1, 5)]),
        ("12x 2x", [(1, 1), (1, 5)]),
        ("1,2,,d6 # d6", [(1, 6)]),
        ("12345678901", [(1, 1)]),
        ("\N{SUPERSCRIPT THREE} \N{ARABIC-INDIC DIGIT THREE}", [(1, 1), (1, 3)]),
    ],
)
def test_what_is_no_face_is_told_with_line_and_column(text: str, places: list[tuple[int, int]]) -> None:
    with pytest.raises(InputError) as caught:
        read_faces(text, "rolls.txt")
    assert [(p.line, p.column) for p in caught.value.problems] == places
    assert all(p.file == "rolls.txt" for p in caught.value.problems)
    line, column = places[0]
    assert str(caught.value).startswith(f"rolls.txt:{line}:{column}: '")
    assert "is not a face" in str(caught.value)


def test_a_file_of_prose_tells_its_first_twenty_problems() -> None:
    with pytest.raises(InputError) as caught:
        read_faces("word " * 100)
    assert len(caught.value.problems) == 20
