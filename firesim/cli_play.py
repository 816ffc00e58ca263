"""`firesim play`: a scenario or a save becomes a game in the terminal."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from firesim.cli_terminal import compiling, interrupted, say, settings, tell

if TYPE_CHECKING:
    from firesim.mapfiles.toml import Document

EXAMPLE = "Example: firesim play maps/street.toml --seed 15 --players street.png"


def play(
    source: Annotated[Path, typer.Argument(metavar="SCENARIO|SAVE", help="A scenario, or a game saved earlier.")],
    seed: Annotated[int | None, typer.Option(help="Key of all keyed dice. Default: a fresh one.")] = None,
    replicate: Annotated[int, typer.Option(help="Which fire of this seed.")] = 0,
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Change a key of the scenario: weather.moisture=damp."),
    ] = None,
    dice: Annotated[str | None, typer.Option(help="real: the table rolls; keyed: firesim does (at first).")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the game kept of this scenario.")] = False,
    save: Annotated[Path | None, typer.Option(help="Where to keep the game. Default: NAME.game.toml, here.")] = None,
    png: Annotated[Path | None, typer.Option(help="A picture, written anew after each step.")] = None,
    players: Annotated[Path | None, typer.Option(help="The same as players may see it.")] = None,
) -> None:
    """Play one fire at the table: step by step, with events, real dice, undo; saved as you go."""
    play_command(source, seed, replicate, settings(changes), dice, resume, save, png, players)


def play_command(
    source: Path, seed: int | None, replicate: int, changes: dict[str, Any], dice: str | None,
    resume: bool, save: Path | None, png: Path | None, players: Path | None,
) -> None:  # fmt: skip
    """Play a scenario, or go on with a save."""
    from firesim import api
    from firesim.cli_table import Table
    from firesim.core.problems import InputError, Problem
    from firesim.table import saves

    document = saves.read_either(source)
    continued = saves.is_save(document.data)
    target = save or (source if continued else Path(f"{source.stem}.game.toml"))
    if dice not in (None, "real", "keyed"):
        raise InputError(Problem(f"--dice {dice}", "real or keyed"))
    check_places(target, png, players)
    if not (continued and target.exists() and target.samefile(source)):
        if resume and not continued:
            source, document = target, game_kept_of(document, target)
            continued = True
        elif target.exists():
            refuse_to_write_over(target, not continued)
    game = api.game(source, seed=seed, replicate=replicate, changes=changes)
    kept = document.data["dice"] if continued else "keyed"
    with compiling(game.scenario, "told"):
        ready_to_play(game)
    title = game.scenario.title or game.scenario.file or game.scenario.system
    tell(f"{title} ({game.scenario.system}, seed {game.seed}), kept in {target}")
    table = Table(game, target, dice or kept, png, players)
    try:
        table.play()
    except (KeyboardInterrupt, EOFError):
        interrupted()
        say("")
        say_where(table.save_at)
        raise
    say_where(table.save_at)


def game_kept_of(scenario: Document, target: Path) -> Document:
    """The game kept of a scenario, to go on with. Raises InputError where there is none, or one of another scenario."""
    from firesim import api
    from firesim.core.problems import InputError, Problem
    from firesim.table import saves

    if not target.exists():
        raise InputError(Problem("there is no game to go on with", "a save", "leave --resume out", file=str(target)))
    document = saves.read_either(target)
    if not saves.is_save(document.data):
        raise InputError(Problem("this is no save", "a game saved by firesim", file=str(target)))
    save = saves.checked(document)
    if api.scenario_of(scenario).document != save.scenario:
        begun = Path(save.file) if save.file else None
        if begun is None or not begun.exists() or not begun.samefile(scenario.file):
            other = save.scenario.get("title") or save.file or "untitled"
            what = f"the game kept there is of another scenario, {other}"
            hint = f"go on with it by: firesim play {shlex.quote(str(target))}"
            raise InputError(Problem(what, f"a game of {scenario.file}", hint, file=str(target)))
        tell("the game was begun with other words of this scenario (--set, or changed since); it goes on with those")
    return document


def refuse_to_write_over(target: Path, may_resume: bool) -> None:
    """Say what is at the place where the game was to be kept. Raises InputError always."""
    from firesim.core.problems import InputError, Problem
    from firesim.table import saves

    if saves.begins_as_a_save(target):
        hint = f"{'go on with it by --resume, or ' if may_resume else ''}name another by --save"
        raise InputError(Problem("a game is kept there already", "a new name", hint, file=str(target)))
    raise InputError(Problem("there is a file already", "the name of a new one", file=str(target)))


def say_where(save: Path) -> None:
    """How to go on another time."""
    say(f"nothing is lost; go on with: firesim play {shlex.quote(str(save))}")


def check_places(target: Path, png: Path | None, players: Path | None) -> None:
    """Refuse names that cannot be written before anything is played. Raises InputError with all problems."""
    from firesim.core.files import writable
    from firesim.core.problems import InputError, Problem

    problems: list[Problem] = []
    for path, suffix in ((target, ".toml"), (png, ".png"), (players, ".png")):
        try:
            if path:
                writable(path, (suffix,))
        except InputError as error:
            problems += error.problems
    if png and players and png == players:
        problems.append(Problem("--png and --players name the same file", "two files", file=str(png)))
    if problems:
        raise InputError(problems)


def ready_to_play(game: Any) -> None:
    """Compile the kernels, if this is the first fire of the system on this machine."""
    from firesim.play import Fire, compiled

    Fire(game.prepared, 0).play_to(1)
    compiled(game.prepared, "told")
