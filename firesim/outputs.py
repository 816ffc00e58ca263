"""What a run leaves behind: log, pictures, animation, saved run. Every file is written whole or not at all."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from firesim.core.files import writable, writing
from firesim.core.problems import InputError, Problem
from firesim.events.records import json_lines, sentences

if TYPE_CHECKING:
    from firesim.core.scenario import Scenario
    from firesim.play import Frame
    from firesim.rules.base import Prepared, Scene
    from firesim.runs import Run
    from firesim.studies.fires import Fires
    from firesim.table.game import Game

LOGS = (".txt", ".log", ".jsonl")
PICTURES = (".png",)
ANIMATIONS = (".gif",)
FILMS = (".mp4",)
PRINTS = (".pdf",)
HOW = ("for_players", "fps", "size")
"""What of `Wanted` names no file."""

SAVED_FORMAT = 1
"""Version of the saved run's `run.json`."""


@dataclass(frozen=True)
class Wanted:
    """Which files of a run are wanted; `-` as a log is standard output. out: a folder for all of them.

    fps, size: frames per second of animations, and pixels on the longer side of the map, of all pictures but sheets.
    """

    log: str | None = None
    png: Path | None = None
    gif: Path | None = None
    mp4: Path | None = None
    out: Path | None = None
    spread: Path | None = None
    sheets: Path | None = None
    for_players: bool = False
    fps: float | None = None
    size: int | None = None

    def check(self) -> None:
        """Refuse names that cannot be written before the fire is burnt. Raises InputError with all problems."""
        problems = self._how_problems() + self._same_problems()
        suffixes = {"log": LOGS, "png": PICTURES, "gif": ANIMATIONS, "mp4": FILMS, "spread": PICTURES, "sheets": PRINTS}
        for field in fields(self):
            path = getattr(self, field.name)
            if path is None or (field.name == "log" and path == "-") or field.name in HOW:
                continue
            try:
                if field.name == "out" or (field.name == "sheets" and not path.suffix):
                    check_folder(path)
                else:
                    writable(path, suffixes[field.name])
                if field.name == "mp4":
                    from firesim.render.film import ffmpeg_program

                    ffmpeg_program()
            except InputError as error:
                problems += error.problems
        if problems:
            raise InputError(problems)

    def _same_problems(self) -> list[Problem]:
        """Outputs that name one file, of which the last would be all that is left."""
        first: dict[str, str] = {}
        problems = []
        for name in (field.name for field in fields(self) if field.name not in HOW):
            path = getattr(self, name)
            if path is None or (name == "log" and path == "-"):
                continue
            other = first.setdefault(os.path.abspath(path), name)
            if other != name:
                problems.append(Problem(f"--{other} and --{name} name the same file", "two files", file=str(path)))
        return problems

    def _how_problems(self) -> list[Problem]:
        """What is wrong with how the files are to look."""
        from firesim.render.asked import fps_problems, size_problems

        problems = fps_problems(self.fps) + size_problems(self.size)
        animated = self.gif or self.mp4 or self.out
        if self.fps is not None and not animated:
            problems.append(Problem("--fps goes with an animation", "--gif, --mp4 or --out"))
        if self.size is not None and not (animated or self.png or self.spread):
            problems.append(Problem("--size goes with a picture", "--png, --gif, --mp4, --spread or --out"))
        if self.for_players and not self.sheets:
            problems.append(Problem("--player goes with --sheets", "--sheets FOLDER or FILE.pdf"))
        return problems


def check_folder(path: Path) -> None:
    """A folder for results must be new or empty, so that nothing there is mixed up or lost."""
    hint = "name another, or empty it first"
    try:
        if path.is_dir() and any(path.iterdir()):
            raise InputError(Problem("the folder is not empty", "a new or empty folder", hint, file=str(path)))
        if path.exists() and not path.is_dir():
            raise InputError(Problem("this is a file", "a folder", file=str(path)))
        above = next((each for each in path.parents if each.exists()), Path())
        if not above.is_dir():
            raise InputError(Problem(f"'{above}' is a file, not a folder", "a folder", file=str(path)))
    except OSError as error:  # a name too long, a folder that may not be looked into
        what = f"the folder cannot be made ({error.strerror or error})"
        raise InputError(Problem(what, "a place to write", file=str(path))) from None


def make_folder(path: Path) -> None:
    """Make a folder and those above it."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            Problem(f"the folder cannot be made ({error.strerror})", "a place to write", file=str(path))
        ) from None


class Titled(Protocol):
    """What has a scenario: a run, the fires of a study."""

    @property
    def scenario(self) -> Scenario: ...


def title_of(run: Titled) -> str:
    """The title of pictures: the scenario's, else its file's name."""
    name = "".join(c if c.isprintable() else " " for c in Path(run.scenario.file).stem)
    return run.scenario.title or name.strip() or run.scenario.system


@contextmanager
def any_script() -> Iterator[None]:
    """Titles may be in any script: a letter that the font lacks is drawn as a box, and needs no warning."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", r"(?s)Glyph .* missing from|Matplotlib currently does not support")
        yield


def steps_of(run: Run | Game, told: bool = True) -> Iterator[tuple[Prepared, Frame]]:
    """A run or a game once more, step by step, each with the scenario as it then stood; told: events with sentences."""
    from firesim.table.game import Game

    if not isinstance(run, Game):
        yield from ((run.prepared, frame) for frame in run.frames(told))
        return
    last = -1
    for ready, frame in run.frames():
        if frame.step > last:  # deeds between two steps have frames of their own
            yield ready, frame
        last = frame.step


def scenes(run: Run | Game) -> Iterator[Scene]:
    """The pictures of a run or a game, step by step."""
    for ready, frame in steps_of(run, told=False):
        yield ready.system.scene(ready, frame.state, frame.events, frame.step)


def last_scene(run: Run) -> Scene:
    """The picture of the end."""
    last = run.outcome["steps"]
    return run.prepared.system.scene(run.prepared, run.state, [e for e in run.events if e.step == last], last)


def write(run: Run, wanted: Wanted, progress: Callable[[int], None] | None = None) -> list[Path]:
    """Write the files wanted and return them; a log on standard output is the caller's to print (`log_text`).

    progress: called with the number of frames drawn of an animation.
    """
    written: list[Path] = []
    if wanted.log and wanted.log != "-":
        written.append(write_log(run, Path(wanted.log)))
    if wanted.png:
        written.append(write_picture(run, wanted.png, wanted.size))
    for animation in (wanted.gif, wanted.mp4):
        if animation:
            written.append(write_animation(run, animation, progress, wanted.fps, wanted.size))
    if wanted.spread:
        written.append(write_spread(run, wanted.spread, wanted.size))
    if wanted.sheets:
        written += write_sheets(run, wanted.sheets, wanted.for_players)
    if wanted.out:
        written += save(run, wanted.out, progress, wanted.fps, wanted.size)
    return written


def log_text(run: Run) -> str:
    """The log as sentences, a line each."""
    return sentences(run.events, run.prepared.system.step_word)


def write_log(run: Run, path: Path) -> Path:
    """The log as sentences, or as records where the name ends in `.jsonl`."""
    text = json_lines(run.events) if path.suffix.lower() == ".jsonl" else log_text(run)
    with writing(path, LOGS) as unfinished:
        unfinished.write_text(text, encoding="utf-8")
    return path


def write_picture(run: Run, path: Path, size: int | None = None) -> Path:
    """The end of the fire as a PNG; size: pixels on the longer side of the map."""
    from firesim.render.snapshot import snapshot

    with any_script():
        snapshot(run.prepared, last_scene(run), path, title=title_of(run), size=size)
    return path


def write_animation(
    run: Run | Game,
    path: Path,
    progress: Callable[[int], None] | None = None,
    fps: float | None = None,
    size: int | None = None,
) -> Path:
    """The whole fire as a GIF or MP4. progress, fps, size: as for `render.animate.animate`, None = as is handy."""
    from firesim.render.animate import animate
    from firesim.render.asked import FPS

    speed = FPS if fps is None else fps
    with any_script():
        animate(run.prepared, scenes(run), path, title=title_of(run), fps=speed, size=size, progress=progress)
    return path


def write_spread(run: Run | Game, path: Path, size: int | None = None) -> Path:
    """Who lit whom and when, as a PNG."""
    from firesim.render.spread_tree import spread_tree

    with any_script():
        spread_tree(run.prepared, run.spread, path, title=title_of(run), size=size)
    return path


def write_sheets(run: Run | Game, path: Path, for_players: bool = False) -> list[Path]:
    """The turn sheets: one PDF, or a folder of PNGs; how many pages there are is not told before they are made."""
    from firesim.render.sheets import Turn, sheets

    system = run.prepared.system
    scene = system.players_scene if for_players else system.scene
    deeds_of: Callable[[int], list[str]] = getattr(run, "deeds_of", lambda _: [])
    turns = (
        Turn(
            ready,
            frame.step,
            scene(ready, frame.state, frame.events, frame.step),
            frame.events,
            tuple(deeds_of(frame.step)),
        )
        for ready, frame in steps_of(run)
    )
    if path.suffix.lower() != ".pdf":
        make_folder(path)
    with any_script():
        return sheets(turns, path, title=title_of(run), for_players=for_players)


def write_burn_map(fires: Fires, path: Path) -> Path:
    """Where fire is likely, as a PNG."""
    from firesim.render.burnmap import burn_map

    caption = f"{len(fires):,} fires, seed {fires.seed}"
    with any_script():
        burn_map(fires.prepared, fires.maps["burn_probability"][0], path, title=title_of(fires), caption=caption)
    return path


def record_of(run: Run) -> dict[str, Any]:
    """A run as one JSON document: what it was, what came of it, and all that is needed to play it again."""
    from firesim import __version__

    return {
        "format": SAVED_FORMAT,
        "firesim": __version__,
        "system": run.scenario.system,
        "title": run.scenario.title,
        "file": run.scenario.file,
        "seed": run.seed,
        "replicate": run.replicate,
        "steps_asked": run.last_step,
        "keyed": run.keyed,
        "outcome": run.outcome,
        "departures": list(run.scenario.departures),
        "summary": run.summary,
        "faces": run.faces,
    }


def save(
    run: Run,
    folder: Path,
    progress: Callable[[int], None] | None = None,
    fps: float | None = None,
    size: int | None = None,
) -> list[Path]:
    """A folder with the run and its scenario (`run.json`), then what is made from them: log, picture, animation."""
    make_folder(folder)
    text = json.dumps(record_of(run) | {"scenario": run.scenario.document}, indent=1)
    with writing(folder / "run.json") as unfinished:
        unfinished.write_text(text, encoding="utf-8")
    return [
        folder / "run.json",
        write_log(run, folder / "log.txt"),
        write_log(run, folder / "log.jsonl"),
        write_picture(run, folder / "end.png", size),
        write_animation(run, folder / "fire.gif", progress, fps, size),
    ]
