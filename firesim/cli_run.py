"""What `firesim run` and `firesim replay` do with one fire: burn it, write what is wanted, print it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from firesim.cli_terminal import Person, compiling, faces_of, frames_bar, say, say_records, tell

# ------------------------------------------------------------------------------------------------- the files of a run
Log = Annotated[str | None, typer.Option(help="Write what happened: .txt sentences, .jsonl records, - here.")]
Png = Annotated[Path | None, typer.Option(help="Draw the end of the fire.")]
Gif = Annotated[Path | None, typer.Option(help="Draw the whole fire, animated.")]
Mp4 = Annotated[Path | None, typer.Option(help="The same as a film (needs ffmpeg).")]
Fps = Annotated[
    float | None, typer.Option(help="Frames per second of an animation, 0.1 to 50. Default: 4.", show_default=False)
]
Size = Annotated[
    int | None,
    typer.Option(
        help="Pixels on the longer side of the map, 50 to 4000, of all pictures but sheets.", show_default=False
    ),
]
Out = Annotated[Path | None, typer.Option(help="A new folder for the saved run, log and pictures.")]
Spread = Annotated[Path | None, typer.Option(help="Draw who lit whom and when.")]
Sheets = Annotated[Path | None, typer.Option(help="Printable pages, one a step: FILE.pdf, or a new folder.")]
Player = Annotated[bool, typer.Option("--player", help="The sheets as players may see them.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of text.")]


def wanted_of(as_json: bool, **files: Any) -> Any:
    """The files wanted (see `outputs.Wanted`), their names checked. InputError with all problems."""
    from firesim import outputs
    from firesim.core.problems import InputError, Problem

    wanted = outputs.Wanted(**files)
    wanted.check()
    if as_json and wanted.log == "-":
        raise InputError(
            Problem("--json and --log - both want standard output", "one of them", "write the log to a file")
        )
    return wanted


def burn_one(
    checked: Any,
    wanted: Any,
    *,
    seed: int | None,
    replicate: int,
    steps: int | None = None,
    dice: str | None = None,
    as_json: bool = False,
    note: str = "",
    row: Mapping[str, int] | None = None,
) -> None:
    """Burn one fire of a checked scenario, write the files wanted, print its summary.

    note: a line before it. row: what is known to come of it; when something else does, that is told.
    """
    from firesim import api, outputs

    faces: Any = Person() if dice == "ask" else faces_of(dice) if dice is not None else None
    try:
        with compiling(checked, "told"):
            fire = api.run(checked, seed=seed, replicate=replicate, dice=faces, steps=steps, tell=say_records)
    except (KeyboardInterrupt, EOFError):
        if isinstance(faces, Person):
            faces.say_given()
        raise
    with frames_bar(fire.outcome["steps"] + 1, bool(wanted.gif or wanted.mp4 or wanted.out or wanted.sheets)) as drawn:
        files = outputs.write(fire, wanted, drawn)
    if row is not None and any(fire.outcome.get(name) != value for name, value in row.items()):
        say("this is not the fire that the study burnt: the rules have changed since then")
    if as_json:
        tell(json.dumps(outputs.record_of(fire) | {"written": [str(f) for f in files]}))
        return
    if wanted.log == "-":
        tell(outputs.log_text(fire), end="")
    if note:
        tell(note)
    print_run(fire)
    for file in files:
        say(f"wrote {file}")


def print_run(fire: Any) -> None:
    """The summary of a run."""
    scenario = fire.scenario
    how = f"seed {fire.seed}, replicate {fire.replicate}" if fire.keyed else f"{len(fire.faces)} faces given"
    tell(f"{scenario.title or scenario.file or scenario.system} ({scenario.system}, {how})")
    tell(fire.summary)
    tell("  ".join(f"{name} {value}" for name, value in fire.outcome.items()))
    for departure in scenario.departures:
        tell(f"departs from the book: {departure}")
