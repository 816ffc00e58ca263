"""What people do at a table, in order, is the whole of a game: steps with their faces, events, deeds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from pydantic import BaseModel


@dataclass(frozen=True)
class Stepped:
    """A step was played; `faces`: what people's dice showed, in order, the rest of the step's being keyed."""

    faces: tuple[int, ...] = ()


@dataclass(frozen=True)
class Applied:
    """An event was added to the scenario, for the step that follows or a later one.

    given_up: faces typed for the step under way, which the event made void; undoing it brings them back.
    """

    event: dict[str, Any]
    given_up: tuple[int, ...] = ()


@dataclass(frozen=True)
class Done:
    """A deed of the system was done: it holds from the next step on. given_up: as with an event."""

    deed: dict[str, Any]
    given_up: tuple[int, ...] = ()


Input = Stepped | Applied | Done


def parts(inputs: Sequence[Input]) -> Iterator[tuple[list[Stepped | Applied], Done | None]]:
    """The inputs cut after each deed, with the deed; the last part has none."""
    part: list[Stepped | Applied] = []
    for given in inputs:
        if isinstance(given, Done):
            yield part, given
            part = []
        else:
            part.append(given)
    yield part, None


def faces_told(faces: Sequence[int]) -> str:
    """Faces as a sentence names them.

    >>> faces_told([3]), faces_told([3, 4])
    ('the face 3', 'the faces 3 4')
    """
    return f"the face{'s' if len(faces) > 1 else ''} {' '.join(map(str, faces))}"


def event_words(words: type[BaseModel]) -> type[BaseModel]:
    """The model of a system's events."""
    model: type[BaseModel] = get_args(words.model_fields["event"].annotation)[0]
    return model


def kinds_of(model: type[BaseModel] | None) -> list[str]:
    """The kinds that a model of events or deeds knows."""
    return [] if model is None else list(get_args(model.model_fields["kind"].annotation))
