"""What `firesim rules` prints, for a terminal and as JSON, and what `firesim new` writes."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from firesim.core.files import refuse, writable, writing
from firesim.core.problems import InputError, Problem, listed, nearest
from firesim.rules.base import SYSTEMS, System, system_named
from firesim.rules.sheet import Die, Option, Sheet, read, starter, written

WIDTH, WIDTH_MOST = 80, 100
"""Columns of text: where the output is no terminal, and at most on one."""


def known_system(name: str | None) -> System:
    """The system of this name; InputError names those there are."""
    if name is None:
        raise InputError(Problem("no system is named", listed(SYSTEMS), f"as in: firesim rules {SYSTEMS[0]}"))
    if name not in SYSTEMS:
        raise InputError(Problem(f"there is no system '{name}'", listed(SYSTEMS), nearest(name, SYSTEMS)))
    return system_named(name)


def systems() -> list[dict[str, str]]:
    """Every system: its name, its title and what it is about."""
    return [{"name": name, "title": written(name)["title"], "line": written(name)["line"]} for name in SYSTEMS]


def systems_text(width: int) -> str:
    """One line for each system, longer ones wrapped."""
    return "\n".join(_hung(f"{s['name']:<9}", f"{s['title']}: {s['line']}", width) for s in systems()) + "\n"


def facts(sheet: Sheet, order_only: bool) -> dict[str, Any]:
    """The sheet as a plain dict, ready for JSON: all that the printed text says."""
    dice = {"before": sheet.dice_before, "order": [asdict(die) for die in sheet.dice], "after": sheet.dice_after}
    if order_only:
        return {"system": sheet.system, "dice": dice}
    return {
        "system": sheet.system,
        "title": sheet.title,
        "tables": [asdict(table) for table in sheet.tables],
        "options": [asdict(option) for option in sheet.options],
        "steps": [asdict(step) for step in sheet.steps],
        "dice": dice,
        "readings": sheet.readings,
        "details": sheet.details,
        "decided": list(sheet.decided),
        "outcomes": [asdict(column) for column in sheet.outcomes],
        "rules": sheet.rules,
    }


# ----------------------------------------------------------------------------------------------------------- plain text
def columns_now() -> int:
    """How wide text may be: the terminal's width up to 100, and 80 where there is none."""
    if not sys.stdout.isatty():
        return WIDTH
    return max(40, min(shutil.get_terminal_size((WIDTH, 24)).columns, WIDTH_MOST))


def rules_text(system: System, width: int, bold: bool = False) -> str:
    """The rules of a system: tables, options, a step, roll by roll, readings, details, rules."""
    s = read(system)
    parts = [_heading(s.title, bold, "="), *(_wrapped(text, width) for text in s.preface)]
    parts += [
        _heading("Tables", bold),
        _wrapped(f"A scenario may change any number: {s.example}.", width),
    ]
    for table in s.tables:
        values = ", ".join(f"{name} {value}".replace(" ", "\N{NO-BREAK SPACE}") for name, value in table.values.items())
        title = _hung("  ", f"{table.name}: {table.unit} [{table.rule}]", width)
        parts.append(f"{title}\n{_hung('      ', values, width)}")
    parts += [_heading("Options", bold), _wrapped("Set under [options] in a scenario; the default comes first.", width)]
    parts += [_option(option, width) for option in s.options]
    parts.append(_heading(f"A {s.step_word.lower()}, step by step", bold))
    parts.append("\n".join(_hung(f"{n:>3}. ", f"{x.name}: {x.text}", width) for n, x in enumerate(s.steps, start=1)))
    parts.append(order_text(system, width, bold).rstrip("\n"))
    parts += [_heading("Readings that no option changes", bold), _by_id(s.readings, width)]
    parts += [_heading("Details", bold), _by_id(s.details, width)]
    parts += [_heading("Decided here", bold), _wrapped(s.decided_about, width)]
    parts.append("\n".join(_hung("  - ", point, width) for point in s.decided))
    parts.append(_heading("Outcome columns", bold))
    parts.append("\n".join(_hung(f"  {c.name:<16}", f"{c.doc} ({c.unit})", width) for c in s.outcomes))
    parts += [_heading("The rules", bold), _by_id(s.rules, width)]
    return "\n\n".join(parts) + "\n"


def order_text(system: System, width: int, bold: bool = False) -> str:
    """The exact order of dice, roll by roll."""
    s = read(system)
    parts = [_heading("Roll by roll: the exact order of dice", bold), _wrapped(s.dice_before, width)]
    parts += ["\n".join(_die(n, die, width)) for n, die in enumerate(s.dice, start=1)]
    return "\n\n".join([*parts, _wrapped(s.dice_after, width)]) + "\n"


def _die(number: int, die: Die, width: int) -> Iterator[str]:
    yield _hung(f"{number:>3}. ", f"{die.sides}, for {die.purpose}", width)
    for word, text in (("when", die.when), ("who", die.by), ("what", die.decides), ("ids", die.rules)):
        yield _hung(f"     {word:<6}", text, width)


def _option(option: Option, width: int) -> str:
    lines = [_hung("  ", f"{option.name} = {' | '.join(option.values)}  [{option.rules}]", width, "      ")]
    lines.append(_hung("      ", option.reading, width))
    longest = max(map(len, option.meanings), default=0)
    lines += [_hung(f"      {value:<{longest}}  ", meaning, width) for value, meaning in option.meanings.items()]
    return "\n".join(lines)


def _by_id(texts: dict[str, str], width: int) -> str:
    return "\n".join(_hung(f"  {name:<7}", text, width) for name, text in texts.items())


def _heading(text: str, bold: bool, line: str = "-") -> str:
    return f"\033[1m{text}\033[0m" if bold else f"{text}\n{line * len(text)}"


def _wrapped(text: str, width: int) -> str:
    return _hung("", text, width)


def _hung(first: str, text: str, width: int, later: str | None = None) -> str:
    """A paragraph after `first`, its later lines below where the text begins; no-break spaces keep words together."""
    indent = " " * len(first) if later is None else later
    lines = textwrap.wrap(
        text, width, initial_indent=first, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
    return "\n".join(lines).replace("\N{NO-BREAK SPACE}", " ")


def bold_wanted() -> bool:
    """Whether headings may be set in bold: on a terminal that understands it, unless NO_COLOR asks for plain text."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


# --------------------------------------------------------------------------------------------------- a starter scenario
def write_starter(file: Path, name: str, force: bool) -> None:
    """Write the commented starter scenario of a system, whole or not at all; an existing file only with `force`."""
    text = starter(known_system(name).name)
    target = writable(file, (".toml",))
    if target.exists() and not force:
        raise refuse(target, "the file exists already", "a new name", "--force writes over it")
    with writing(target, (".toml",)) as unfinished:
        unfinished.write_text(text, encoding="utf-8", newline="\n")
