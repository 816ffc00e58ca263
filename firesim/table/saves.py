"""A game as a text file: scenario, seed, what people did, and a digest of the state that this leads to."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, ValidationError

from firesim.core.checking import problems_of
from firesim.core.files import writing
from firesim.core.problems import InputError, Problem
from firesim.core.words import Seed, Words
from firesim.mapfiles.toml import Document, locate, read
from firesim.mapfiles.toml_writer import scenario_text

if TYPE_CHECKING:
    from firesim.core.scenario import Scenario
    from firesim.table.game import Game
    from firesim.table.inputs import Input

FORMAT = 1
"""Version of the file's form; it stands under the key `game`, by which a save is known."""

COMMENTS = (
    "A game of firesim: go on with it by `firesim play FILE`.",
    "It is played again when it is read; what is changed here by hand no longer fits its digests.",
)

Face = Annotated[int, Field(ge=1, le=1_000_000)]


class Move(Words):
    """One thing that was done: a step with the faces of real dice, an event, or a deed, with the faces it made void."""

    step: Annotated[int, Field(ge=1)] | None = None
    faces: list[Face] = []  # noqa: RUF012
    event: dict[str, Any] | None = None
    deed: dict[str, Any] | None = None
    given_up: list[Face] = []  # noqa: RUF012


class Save(Words):
    """The words of a save.

    inputs: how many things were done. under_way: faces typed for a step that is not finished. dice: how the table
    rolled last. content: digest of all that is said here; state: digest of the state that it leads to.
    """

    game: int
    firesim: str
    file: str = ""
    seed: Seed
    replicate: Seed = 0
    dice: Literal["real", "keyed"] = "keyed"
    under_way: list[Face] = []  # noqa: RUF012
    inputs: Annotated[int, Field(ge=0)]
    content: str
    state: str
    scenario: dict[str, Any]
    input: list[Move] = []  # noqa: RUF012


def is_save(data: Any) -> bool:
    """Whether a document is a save, and no scenario."""
    return isinstance(data, dict) and "game" in data


# ------------------------------------------------------------------------------------------------------------- writing
def write(game: Game, path: str | os.PathLike[str], dice: str = "keyed") -> None:
    """Write a save whole, or not at all. Raises InputError where it cannot be written."""
    text = text_of(game, dice)
    with writing(path, (".toml",)) as unfinished:
        unfinished.write_text(text, encoding="utf-8")


def text_of(game: Game, dice: str = "keyed") -> str:
    """A game as the text of its save."""
    from firesim import __version__

    told: dict[str, Any] = {
        "game": FORMAT,
        "firesim": __version__,
        "file": game.scenario.file,
        "seed": game.seed,
        "replicate": game.replicate,
        "dice": dice,
        "under_way": game.under_way,
        "inputs": len(game.inputs),
        "content": "",
        "state": game.digest,
        "scenario": game.scenario.document,
        "input": _moves(game.inputs),
    }
    return scenario_text(told | {"content": content_digest(told)}, COMMENTS)


def _moves(inputs: list[Input]) -> list[dict[str, Any]]:
    from firesim.table.inputs import Applied, Stepped

    made: list[dict[str, Any]] = []
    step = 0
    for given in inputs:
        if isinstance(given, Stepped):
            step += 1
            made.append({"step": step} | ({"faces": list(given.faces)} if given.faces else {}))
        else:
            done = {"event": given.event} if isinstance(given, Applied) else {"deed": given.deed}
            made.append(done | ({"given_up": list(given.given_up)} if given.given_up else {}))
    return made


def content_digest(told: dict[str, Any]) -> str:
    """A digest of all that a save says, the digest itself apart."""
    rest = {key: value for key, value in told.items() if key != "content"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()[:32]


# ------------------------------------------------------------------------------------------------------------- reading
def read_either(path: str | os.PathLike[str]) -> Document:
    """A scenario or a save as a document. Raises InputError when it cannot be read; a damaged save is named as one."""
    try:
        document = read(path)
    except InputError as error:
        if begins_as_a_save(path):
            what = "the save is cut short or damaged"
            raise InputError(replace(p, what=f"{what}: {p.what}") for p in error.problems) from None
        raise
    if not is_save(document.data) and begins_as_a_save(path):
        what = "the save is cut short: hardly anything is left of it"
        raise InputError(Problem(what, "the whole file", "take back an older copy of it", file=os.fspath(path)))
    return document


def begins_as_a_save(path: str | os.PathLike[str]) -> bool:
    """Whether a file has the first line of a save, whatever became of the rest."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(len(COMMENTS[0]) + 2) == f"# {COMMENTS[0]}"
    except OSError:
        return False


def checked(document: Document) -> Save:
    """The words of a save, checked against their digest. Raises InputError with all that is wrong."""
    told = document.data
    if told["game"] != FORMAT:
        what = f"this save is of form {str(told['game'])[:20]}, made by firesim {str(told.get('firesim', '?'))[:20]}"
        raise InputError(locate([Problem(what, f"form {FORMAT}", "play it with that version", ("game",))], document))
    try:
        save = Save.model_validate(told)
    except ValidationError as error:
        raise InputError(locate(_cut_short(document) or problems_of(error, Save), document)) from None
    if problems := _cut_short(document):
        raise InputError(locate(problems, document))
    if save.content != content_digest(told):
        what = "the save was changed or cut short after it was written: it does not fit its digest"
        hint = "take the file back as firesim wrote it, or begin a new game of its scenario"
        raise InputError(locate([Problem(what, "the file as it was written", hint, ("content",))], document))
    return save


def _cut_short(document: Document) -> list[Problem]:
    """That there is less in the file than it says, where that is so."""
    told = document.data
    wanted, there = told.get("inputs"), told.get("input", [])
    if "state" in told and isinstance(wanted, int) and isinstance(there, list) and "scenario" in told:
        if len(there) >= wanted:
            return []
        what = f"the save is cut short: {len(there)} of {wanted} things done are left in it"
    elif any(key not in told for key in ("inputs", "content", "state", "scenario")):
        what = "the save is cut short: its end is missing"
    else:
        return []
    return [Problem(what, "the whole file", "take back an older copy of it", ("inputs",))]


def replayed(save: Save, scenario: Scenario, file: str) -> Game:
    """The game of a save, played again and proved by its digest. Raises InputError when it leads elsewhere."""
    from firesim import __version__
    from firesim.table.game import Game

    hint = f"it was made by firesim {save.firesim}, this is {__version__}"
    try:
        game = Game(scenario, save.seed, save.replicate, _inputs(save))
    except InputError as error:
        first = error.problems[0]
        what = f"the save cannot be played again: {first.what}"
        raise InputError(Problem(what, first.expected, hint, file=file)) from None
    game.under_way = list(save.under_way)
    if game.digest != save.state:
        what = "played again, the save leads to another state than the one it was written in"
        raise InputError(Problem(what, f"the digest {save.state}", hint, file=file))
    return game


def _inputs(save: Save) -> list[Input]:
    from firesim.table.inputs import Applied, Done, Stepped

    made: list[Input] = []
    for move in save.input:
        if move.event is not None:
            made.append(Applied(move.event, tuple(move.given_up)))
        elif move.deed is not None:
            made.append(Done(move.deed, tuple(move.given_up)))
        else:
            made.append(Stepped(tuple(move.faces)))
    return made
