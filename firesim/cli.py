"""The command line: it parses, calls one function, prints. Results go to stdout, all else to stderr.

Heavy libraries are imported inside the commands that need them, so that `--help` answers at once.
"""

from __future__ import annotations

import json
import shlex
import sys
import traceback
from collections.abc import Callable
from functools import partial, wraps
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from firesim import cli_play
from firesim.cli_run import (
    Fps,
    Gif,
    Json,
    Log,
    Mp4,
    Out,
    Player,
    Png,
    Sheets,
    Size,
    Spread,
    burn_one,
    print_run,
    wanted_of,
)  # fmt: skip
from firesim.cli_study import register
from firesim.cli_terminal import (
    cell_of,
    compiling,
    fires_bar,
    frames_bar,
    hear_interrupts,
    interrupted,
    say,
    say_problems,
    settings,
    silence,
    tell,
)

DONE, BUG, WRONG_INPUT, INTERRUPTED = 0, 1, 2, 130

Command = TypeVar("Command", bound=Callable[..., Any])

app = typer.Typer(
    name="firesim",
    help="Fire in tabletop games: burn a map, step by step or a thousand times over.",
    epilog="Begin with: firesim demo. Exit codes: 0 done, 1 our bug, 2 wrong input, 130 interrupted.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main() -> None:
    """The `firesim` command."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a name that the terminal's alphabet lacks is no error
    hear_interrupts()
    app()


def kindly(command: Command) -> Command:
    """Problems of the user's input become one line each and exit 2; Ctrl-C exits 130; our bugs exit 1."""

    @wraps(command)
    def wrapper(*args: Any, **kwargs: Any) -> None:
        from firesim.core.problems import InputError

        try:
            command(*args, **kwargs)
            tell("", end="")
        except InputError as error:
            say_problems(error.problems)
            raise typer.Exit(WRONG_INPUT) from None
        except (KeyboardInterrupt, EOFError):
            interrupted()
            say("interrupted")
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:  # the reader of our output has gone, as `head` does
            silence(sys.stdout)
            raise typer.Exit(DONE) from None
        except (typer.Exit, typer.Abort):
            raise
        except OSError as error:
            say(f"cannot write: {error.strerror or error}")
            silence(sys.stdout)
            raise typer.Exit(WRONG_INPUT) from None
        except MemoryError:
            say("this takes more memory than there is: expected a smaller map, fewer steps, fires or workers")
            raise typer.Exit(WRONG_INPUT) from None
        except Exception:
            if interrupted():  # and made into another error on its way here
                say("interrupted")
                raise typer.Exit(INTERRUPTED) from None
            traceback.print_exc()
            say("this is a bug of firesim; please report it with the lines above")
            raise typer.Exit(BUG) from None

    return wrapper  # type: ignore[return-value]


# ----------------------------------------------------------------------------------------------------------------
# options
ScenarioFile = Annotated[Path, typer.Argument(metavar="SCENARIO", help="A scenario file (TOML).", show_default=False)]
Seed = Annotated[
    int | None, typer.Option(help="Key of all dice; the same seed is the same fire. Default: a fresh one.")
]
Changes = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Change a key of the scenario: weather.moisture=damp. Repeatable."),
]


@app.callback(invoke_without_command=True)
def firesim(version: Annotated[bool, typer.Option("--version", help="Print the version and leave.")] = False) -> None:
    """Fire in tabletop games: burn a map, step by step or a thousand times over."""
    if version:
        import firesim as package

        print(f"firesim {package.__version__}")
        raise typer.Exit(DONE)


# ---------------------------------------------------------------------------------------------------------------
# commands
@app.command(epilog="Example: firesim run maps/street.toml --seed 7 --log - --png street.png")
@kindly
def run(
    scenario: ScenarioFile,
    seed: Seed = None,
    replicate: Annotated[int, typer.Option(help="Which fire of this seed.")] = 0,
    steps: Annotated[int | None, typer.Option(help="Stop after so many steps.")] = None,
    changes: Changes = None,
    dice: Annotated[
        str | None, typer.Option(help='Faces in the order of the rules ("3 4 1"), a file of them, or "ask".')
    ] = None,
    log: Log = None,
    png: Png = None,
    gif: Gif = None,
    mp4: Mp4 = None,
    fps: Fps = None,
    size: Size = None,
    out: Out = None,
    spread: Spread = None,
    sheets: Sheets = None,
    player: Player = False,
    as_json: Json = False,
) -> None:
    """Burn one fire from start to end: a summary, and on request the log, pictures, an animation."""
    from firesim import api

    wanted = wanted_of(
        as_json, log=log, png=png, gif=gif, mp4=mp4, out=out, spread=spread, sheets=sheets, for_players=player,
        fps=fps, size=size,
    )  # fmt: skip
    checked = api.load(scenario, settings(changes))
    burn_one(checked, wanted, seed=seed, replicate=replicate, steps=steps, dice=dice, as_json=as_json)


app.command(epilog=cli_play.EXAMPLE)(kindly(cli_play.play))


@app.command(epilog="Example: firesim check maps/street.toml maps/freighter.toml")
@kindly
def check(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Scenario files.", show_default=False)],
) -> None:
    """Tell all problems of each file at once; nothing is run."""
    from firesim import api

    found = 0
    for file in files:
        problems = api.problems_in(file)
        found += len(problems)
        say_problems(problems)
        if not problems:
            tell(f"{file}: no problems")
    if found:
        raise typer.Exit(WRONG_INPUT)


@app.command("import", epilog="Example: firesim import tests/mapfiles/lookalikes/village.json --out village.toml")
@kindly
def import_(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A map made with another tool (Watabou JSON).", show_default=False)
    ],
    out: Annotated[
        Path | None, typer.Option(help="The scenario to write. Default: FILE's name with .toml, here.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of what the file does not say: material, roof, floors.")] = 0,
    overrides: Annotated[
        Path | None, typer.Option(help="A CSV of buildings whose material, roof, floors or ST are known.")
    ] = None,
    buildings: Annotated[
        Path | None, typer.Option(help="Write such a CSV of all buildings, to edit and give back.")
    ] = None,
    cover: Annotated[float, typer.Option(help="How much of a hex must be built over to be a building's.")] = 0.5,
    gap: Annotated[int | None, typer.Option(help="Melee hexes between the buildings of neighbouring hexes.")] = None,
    ignite: Annotated[str | None, typer.Option(help="The hex where the fire starts, as ROW,COL.")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Refuse to guess.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Write over an existing file.")] = False,
    as_json: Json = False,
) -> None:
    """Make a scenario of a map from another tool, and report what was read, guessed and dropped."""
    from firesim.core.files import writing
    from firesim.core.problems import InputError
    from firesim.mapfiles.import_map import import_map

    target = out or Path(file.stem + ".toml")
    problems = problems_of_new(target, ".toml", force)
    problems += problems_of_new(buildings, ".csv", force) if buildings else []
    if problems and file.is_file():  # of what is no file, the import tells more
        raise InputError(problems)
    made = import_map(
        file,
        seed=seed,
        overrides=overrides,
        cover=cover,
        strict=strict,
        gap=gap,
        ignite=cell_of(ignite) if ignite else None,
    )
    made.write(target, force=force)
    if buildings:
        with writing(buildings, (".csv",)) as unfinished:
            unfinished.write_text(made.overrides(), encoding="utf-8")
    if as_json:
        tell(json.dumps({"written": str(target), "report": made.report.text()}))
        return
    tell(made.report.text().rstrip())
    say(f"wrote {target}; burn it with: firesim run {shlex.quote(str(target))}")


@app.command(epilog="Example: firesim demo --out out")
@kindly
def demo(
    out: Annotated[Path, typer.Option(help="The folder for the pictures.")] = Path("out"),
    seed: Annotated[int, typer.Option(help="Which fire.")] = 17,
    fires: Annotated[int, typer.Option(min=1, help="Fires of the burn-probability map.")] = 1000,
) -> None:
    """Burn a shipped town: a summary, a picture, an animation and a burn-probability map."""
    from firesim import api, outputs
    from firesim.mapfiles.shipped import shipped

    town = api.load(shipped("riverside"))
    outputs.make_folder(out)
    with compiling(town, "told"):
        fire = api.run(town, seed=seed)
    print_run(fire)
    with frames_bar(fire.outcome["steps"] + 1, True) as drawn:
        files = outputs.write(
            fire, outputs.Wanted(str(out / "riverside.txt"), out / "riverside.png", out / "riverside.gif"), drawn
        )
    with compiling(town, "fast"), fires_bar(fires) as burnt:
        many = api.study(town, fires, seed=seed, progress=burnt)
    files.append(outputs.write_burn_map(many, out / "riverside-burn-map.png"))
    tell(f"\nIts twins: {many.summary()}")
    for file, what in zip(
        files, ("what happened", "the end of the fire", "the whole fire", "where fire is likely"), strict=True
    ):
        tell(f"{what:<21} {file}")


@app.command(epilog="Example: firesim warm")
@kindly
def warm() -> None:
    """Compile every kernel once, so that later commands start at once."""
    from firesim import api
    from firesim.mapfiles.shipped import SMALLEST, shipped, town_alight

    for name in SMALLEST.values():
        small = api.load(shipped(name), {"steps": 2})
        for kind, burn in (
            ("told", partial(api.run, small, seed=0)),
            ("fast", partial(api.study, small, 2, seed=0, workers=1)),
            ("exact", partial(api.odds, small)),
        ):
            with compiling(small, kind):
                burn()
    api.study(api.load(town_alight()), 1, seed=0, workers=2)  # what several threads need for one fire
    tell("all kernels are compiled")


@app.command(epilog="Example: firesim rules town --order")
@kindly
def rules(
    system: Annotated[
        str | None, typer.Argument(metavar="[SYSTEM]", help="Left out: which there are.", show_default=False)
    ] = None,
    order: Annotated[bool, typer.Option("--order", help="The exact order of dice alone.")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="As Markdown, with where each rule stands.")] = False,
    as_json: Json = False,
) -> None:
    """The rules: tables, options, readings, roll by roll."""
    from firesim import cli_rules as told
    from firesim.core.problems import InputError, Problem
    from firesim.rules import sheet

    if markdown and as_json:
        raise InputError(Problem("--markdown and --json both want standard output", "one of them"))
    if system is None and not order and not markdown:
        print(json.dumps({"systems": told.systems()}) if as_json else told.systems_text(told.columns_now()).rstrip())
        say("the whole of one: firesim rules SYSTEM; its dice: firesim rules SYSTEM --order")
        return
    chosen = told.known_system(system)
    if as_json:
        print(json.dumps(told.facts(sheet.read(chosen), order)))
    elif markdown:
        print(sheet.order(chosen) if order else sheet.sheet(chosen), end="")
    else:
        text = told.order_text if order else told.rules_text
        print(text(chosen, told.columns_now(), told.bold_wanted()), end="")


@app.command(epilog="Example: firesim new village.toml")
@kindly
def new(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The scenario to write (.toml).", show_default=False)],
    system: Annotated[str, typer.Option(help="The system whose scenario it is: town or ship.")] = "town",
    force: Annotated[bool, typer.Option("--force", help="Write over an existing file.")] = False,
) -> None:
    """Write a commented starter scenario, ready to burn."""
    from firesim.cli_rules import write_starter

    write_starter(file, system, force)
    name = shlex.quote(str(file))
    say(f"wrote {name}")
    say(f"burn it:    firesim run {name} --seed 7 --log -")
    say(f"change it, then see what is wrong: firesim check {name}")


@app.command(epilog="Example: firesim odds maps/house.toml --outcome steps --against 20000 --seed 7")
@kindly
def odds(
    target: Annotated[
        str, typer.Argument(help='A scenario file, or a roll: "5k3", "3d6", "10k5 vs 30".', show_default=False)
    ],
    outcome: Annotated[str | None, typer.Option(help="An outcome column of the system. Default: steps.")] = None,
    against: Annotated[int | None, typer.Option(min=1, help="Compare with so many sampled fires.")] = None,
    seed: Seed = None,
    changes: Changes = None,
    png: Annotated[Path | None, typer.Option(help="Draw the distribution.")] = None,
    most: Annotated[int | None, typer.Option(min=1, help="Refuse chains of more states than this.")] = None,
    mean: Annotated[bool, typer.Option("--mean", help="Mean and variance alone: far larger fires fit.")] = False,
    as_json: Json = False,
) -> None:
    """Exact odds of an outcome by Markov chain, or of a roll."""
    from firesim.cli_odds import odds_command

    odds_command(target, outcome, against, seed, settings(changes), png, most, mean, as_json)


# ----------------------------------------------------------------------------------------------------------------
# helpers
def problems_of_new(path: Path, suffix: str, force: bool) -> list[Any]:
    """Why no file can be written anew under this name: a wrong place, or a file that is there already."""
    from firesim.core.files import refuse, writable
    from firesim.core.problems import InputError

    try:
        if writable(path, (suffix,)).exists() and not force:
            raise refuse(path, "the file exists already", "a new name", "replace it with --force")
    except InputError as error:
        return error.problems
    return []


register(app, kindly)
