"""Turn sheets: printable pages, one a step: the map, the rolls spelled out, what changed; for the GM or for players."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from PIL import Image

from firesim.core.files import writing
from firesim.core.problems import InputError, Problem
from firesim.events.records import Record
from firesim.render import board
from firesim.render.palette import FAINT_INK, INK, PAPER
from firesim.render.snapshot import figure_of
from firesim.rules.base import Prepared, Scene

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PAGE = (8.27, 11.69)
"""A4 upright, in inches."""

SHEETS_MOST = 400
"""The most pages of one run: a longer one is printed in parts, or not at all."""

MARGIN = 0.06
MAP_SHARE = 0.56
"""The part of the page's height that the map may take; the words follow below it, and go on overleaf."""

LINE = 0.0165
COLUMNS = 92
PRINT_DPI = 150


@dataclass(frozen=True)
class Turn:
    """One step for its sheet: the scenario as it then stood, the picture, what people did before it, what happened."""

    prepared: Prepared
    step: int
    scene: Scene
    events: list[Record]
    deeds: tuple[str, ...] = ()


def words_of(turn: Turn, before: Scene | None, for_players: bool) -> list[tuple[str, list[str]]]:
    """The paragraphs of a sheet, each with its heading: the rolls (for the GM alone), and what looks different now."""
    changes: list[str] = []
    if before:
        changes = changed_cells(turn.prepared, before, turn.scene) + changed_pieces(turn.prepared, before, turn.scene)
    found: list[tuple[str, list[str]]] = []
    if not for_players:
        done = [_capital(text) for text in turn.deeds]
        found += [("What was done", done)] if done else []
        found.append(("What was rolled", [_capital(record.text) for record in turn.events] or ["Nothing."]))
    return [*found, ("What looks different" if for_players else "What changed", changes or ["Nothing."])]


def changed_cells(prepared: Prepared, before: Scene, now: Scene) -> list[str]:
    """What shows otherwise than a step before, a sentence each."""
    system = prepared.system
    old, new = np.asarray(before.codes).ravel(), np.asarray(now.codes).ravel()
    return [
        f"{_capital(system.cell_name(prepared, int(c)))}: {system.swatches[new[c]].label}"
        for c in np.flatnonzero(old != new)
    ]


def changed_pieces(prepared: Prepared, before: Scene, now: Scene) -> list[str]:
    """Who and what aboard shows otherwise, or elsewhere, than a step before; pieces keep their order."""
    system = prepared.system
    made = []
    for old, new in zip(before.pieces, now.pieces, strict=False):
        place = system.cell_name(prepared, new.cell)
        found = [f"now in {place}"] if old.cell != new.cell else []
        found += [system.piece_swatches[new.code].label] if old.code != new.code else []
        if found:
            made.append(f"{_capital(new.name or f'in {place}')}: {', '.join(found)}")
    return made


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def pages(turns: Iterable[Turn], title: str, for_players: bool) -> Iterator[tuple[int, int, Figure]]:
    """The pages one after another: the step, which of its pages, the figure."""
    before: Scene | None = None
    for turn in turns:
        lines = _lines(words_of(turn, before, for_players))
        before = turn.scene
        number = 0
        while number == 0 or lines:
            figure, room = _page(turn, title, number)
            _write(figure, lines[: int(room / LINE)], room)
            lines = lines[int(room / LINE) :]
            yield turn.step, number, figure
            number += 1


def _lines(paragraphs: list[tuple[str, list[str]]]) -> list[tuple[str, bool]]:
    """Lines of text that fit the page's width, and whether each is a heading."""
    made: list[tuple[str, bool]] = []
    for heading, sentences in paragraphs:
        made.append((heading, True))
        for sentence in sentences:
            wrapped = textwrap.wrap(sentence, COLUMNS, subsequent_indent="   ", break_long_words=True)
            made += [(line, False) for line in wrapped]
        made.append(("", False))
    return made[:-1]


def _page(turn: Turn, title: str, number: int) -> tuple[Figure, float]:
    """A page with its map, or only its heading where it continues another; and the room left for words."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=PAGE, dpi=PRINT_DPI, facecolor=PAPER)
    FigureCanvasAgg(figure)
    if number:
        head = f"{title}: {turn.prepared.system.step_word.lower()} {turn.step}, page {number + 1}"
        figure.text(MARGIN, 1 - MARGIN, head.replace("$", r"\$"), fontsize=12, fontweight="bold", color=INK, va="top")
        return figure, 1 - 2 * MARGIN - 0.03
    drawn = board.pixels(figure_of(turn.prepared, turn.scene, title=title, dpi=PRINT_DPI))
    tall, wide = drawn.shape[:2]
    across = 1 - 2 * MARGIN
    high = across * PAGE[0] * tall / wide / PAGE[1]
    if high > MAP_SHARE:
        across, high = across * MAP_SHARE / high, MAP_SHARE
    axes = figure.add_axes((MARGIN, 1 - MARGIN - high, across, high))
    # Pillow makes it as large as it is printed, twenty times as fast as matplotlib would on the page.
    size = round(across * PAGE[0] * PRINT_DPI), round(high * PAGE[1] * PRINT_DPI)
    axes.imshow(
        np.asarray(Image.fromarray(drawn).resize(size, Image.Resampling.LANCZOS)), interpolation="none", aspect="auto"
    )
    axes.set_axis_off()
    return figure, 1 - 2 * MARGIN - high - 0.02


def _write(figure: Figure, lines: list[tuple[str, bool]], room: float) -> None:
    y = MARGIN + room
    for line, heading in lines:
        weight = "bold" if heading else "normal"
        text = line.replace("$", r"\$")
        figure.text(MARGIN, y, text, fontsize=9, color=INK if heading else FAINT_INK, fontweight=weight, va="top")
        y -= LINE


def sheets(
    turns: Iterable[Turn],
    path: str | os.PathLike[str],
    *,
    title: str,
    for_players: bool = False,
    progress: Callable[[int], None] | None = None,
) -> list[Path]:
    """Write the sheets: into one PDF, or as PNGs into a folder that is there already; returns the files written.

    for_players: without rolls; the turns' scenes should be those that players may see. progress: called with the
    number of pages done. Raises InputError when a file cannot be written, and for more than 400 pages.
    """
    target = Path(path)
    written: list[Path] = []
    with _printer(target) as save:
        for done, (step, number, figure) in enumerate(pages(turns, title, for_players), start=1):
            if done > SHEETS_MOST:
                hint = "print fewer steps (steps), or draw an animation"
                raise InputError(Problem(f"there are more than {SHEETS_MOST} sheets", "a shorter fire", hint))
            name = f"step-{step:04d}{chr(ord('a') + number) if number else ''}.png"
            written.append(save(figure, name))
            if progress:
                progress(done)
    return sorted(set(written))


@contextmanager
def _printer(target: Path) -> Iterator[Callable[[Any, str], Path]]:
    """A function that prints a figure into a PDF, whole or not at all, or into a folder."""
    if target.suffix.lower() != ".pdf":

        def draw(figure: Any, name: str) -> Path:
            with writing(target / name, (".png",)) as unfinished:
                figure.savefig(unfinished, format="png", dpi=PRINT_DPI, metadata={"Software": None})
            return target / name

        yield draw
        return
    from matplotlib.backends.backend_pdf import PdfPages

    with writing(target, (".pdf",)) as unfinished, PdfPages(unfinished) as book:

        def bind(figure: Any, _: str) -> Path:
            book.savefig(figure, dpi=PRINT_DPI)
            return target

        yield bind
