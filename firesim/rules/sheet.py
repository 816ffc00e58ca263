"""The rule sheet of a system: its tables, options, order of dice, readings, and where each rule stands in the code.

What a person wrote lies in the system's `sheet.toml`; everything else is read from `tables.toml`, the words of its
options, `params.py`, `state.py` and the first lines of its functions. `README.md` in the system's folder is `sheet()`.
"""

from __future__ import annotations

import ast
import importlib
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any, Literal, get_args, get_origin

from firesim.core.fields import declared
from firesim.core.tables import Table, Tables
from firesim.rules.base import Column, System, system_named

INVENTED = "[INV]"
"""What marks a figure or a choice that the book does not give."""

_IDS = re.compile(r"\b([A-Z]{2})-(\d{2})\b(?:\.\.(?:\1-)?(\d{2})\b)?")
_BRACKETS = re.compile(r"\[([^\[\]]*-\w[^\[\]]*)\]")
SPAN_MOST = 20
"""A longer range of ids names a whole chapter, not a place."""


@dataclass(frozen=True)
class Option:
    """An option: its values as TOML writes them, the default first (a range in words), and what each means."""

    name: str
    values: tuple[str, ...]
    default: str
    reading: str
    meanings: dict[str, str]
    rules: str


@dataclass(frozen=True)
class Die:
    """One roll in the order of dice. `purpose`: its sentence in the system's purposes, WHO and WHOM for those meant."""

    purpose: str
    when: str
    by: str
    sides: str
    decides: str
    rules: str


@dataclass(frozen=True)
class Step:
    """One sub-step of a step of the system, in order."""

    name: str
    text: str


@dataclass(frozen=True)
class Function:
    """A function of the kernel that holds rules: `place` (file and name) and the first line of its docstring."""

    place: str
    text: str


@dataclass(frozen=True)
class FieldLine:
    """A field of the state or the params: its record, name, numpy type, unit and meaning."""

    record: str
    name: str
    kind: str
    unit: str
    doc: str


@dataclass(frozen=True)
class Sheet:
    """Everything a rule sheet says, in the order of the book. `who`: what WHO and WHOM stand for.

    `example`: a line of TOML that changes a number of the book.
    """

    system: str
    title: str
    line: str
    who: str
    example: str
    preface: tuple[str, ...]
    step_word: str
    tables: tuple[Table, ...]
    options: tuple[Option, ...]
    steps: tuple[Step, ...]
    dice_before: str
    dice: tuple[Die, ...]
    dice_after: str
    readings: dict[str, str]
    details: dict[str, str]
    decided_about: str
    decided: tuple[str, ...]
    outcomes: tuple[Column, ...]
    events: dict[str, str]
    rules: dict[str, str]
    where: dict[str, tuple[str, ...]]
    functions: tuple[Function, ...]
    fields: tuple[FieldLine, ...]


# -------------------------------------------------------------------------------------------------------------- reading
def package_of(name: str) -> Traversable:
    """The folder of a system."""
    return resources.files(f"firesim.rules.{name}")


def starter(name: str) -> str:
    """The commented scenario with which a user of the system begins."""
    return package_of(name).joinpath("starter.toml").read_text(encoding="utf-8")


@lru_cache(maxsize=8)
def written(name: str) -> dict[str, Any]:
    """The hand-written part of a system's sheet."""
    return tomllib.loads(package_of(name).joinpath("sheet.toml").read_text(encoding="utf-8"))


def read(system: System) -> Sheet:
    """The rule sheet of a system. Raises KeyError when `sheet.toml` lacks an option."""
    return _read(system.name)


@lru_cache(maxsize=8)
def _read(name: str) -> Sheet:
    system, own = system_named(name), written(name)
    return Sheet(
        system=system.name,
        title=own["title"],
        line=own["line"],
        who=own["who"],
        example=own["example"],
        preface=tuple(flowing(own[part]) for part in ("scope", "sources", "invented")),
        step_word=system.step_word,
        tables=tuple(Tables.read(f"firesim.rules.{system.name}")),
        options=tuple(options_of(system)),
        steps=tuple(Step(step["name"], flowing(step["text"])) for step in own["step"]),
        dice_before=flowing(own["dice"]["before"]),
        dice=tuple(
            Die(**{k: flowing(v) for k, v in die.items()} | {"purpose": asked(die["purpose"])}) for die in own["die"]
        ),
        dice_after=flowing(own["dice"]["after"]),
        readings=own["reading"],
        details=own["detail"],
        decided_about=own["decided"]["about"],
        decided=tuple(own["decided"]["points"]),
        outcomes=system.outcome_columns,
        events={kind.name: asked(kind.sentence) for kind in system.event_kinds},
        rules=own["rule"],
        where={rule: tuple(places) for rule, places in sorted(places_of_rules(system.name).items())},
        functions=tuple(functions_of(system.name)),
        fields=tuple(fields_of(system.name)),
    )


def flowing(text: str) -> str:
    """A text without its line breaks."""
    return " ".join(text.split())


def asked(purpose: str) -> str:
    """A sentence of the system with WHO and WHOM in the places of names."""
    return purpose.replace("{who}", "WHO").replace("{whom}", "WHOM")


def said(value: object) -> str:
    """A value as TOML writes it, words without their quotes."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def options_of(system: System) -> Iterator[Option]:
    """The options in the order of the words, each with the rules that its field in `params.py` names."""
    own = written(system.name)["option"]
    block: Any = system.words.model_fields["options"].annotation
    params = importlib.import_module(f"firesim.rules.{system.name}.params")
    codes = next(declared(c) for n, c in vars(params).items() if isinstance(c, type) and n.endswith("Options"))
    for name, info in block.model_fields.items():
        entry = own[name]
        values = values_of(info.annotation, info.default, info.metadata)
        rules = ", ".join(inside for inside in _BRACKETS.findall(codes[entry.get("param", name)].doc))
        yield Option(name, values, said(info.default), entry["reading"], entry.get("values", {}), rules)


def values_of(kind: Any, default: object, bounds: Sequence[Any]) -> tuple[str, ...]:
    """The values an option may have, its default first; of a number, the default and its range in words."""
    if get_origin(kind) is Literal:
        words = [said(word) for word in get_args(kind)]
        return (said(default), *(word for word in words if word != said(default)))
    if isinstance(default, bool):
        return (said(default), said(not default))
    least = next((b.ge for b in bounds if hasattr(b, "ge")), None)
    most = next((b.le for b in bounds if hasattr(b, "le")), None)
    if least is None or most is None:
        return (said(default),)
    return (said(default), f"any whole number from {least} to {most}")


def fields_of(name: str) -> Iterator[FieldLine]:
    """The declared fields of the state, then of the params; the options stand in a table of their own."""
    for module in (importlib.import_module(f"firesim.rules.{name}.{part}") for part in ("state", "params")):
        for record, owner in vars(module).items():
            ours = isinstance(owner, type) and owner.__module__ == module.__name__
            if ours and not record.endswith("Options"):
                for field, what in declared(owner).items():
                    kind = what.kind if isinstance(what.kind, str) else what.kind.__name__
                    yield FieldLine(record, field, kind, what.unit, what.doc)


# ----------------------------------------------------------------------------------------------- where each rule stands
def ids_in(text: str) -> Iterator[str]:
    """The rule ids that a text names, ranges counted through: `TN-38..TN-40` is three."""
    for letters, first, last in _IDS.findall(text):
        span = range(int(first), int(last or first) + 1)
        if len(span) <= SPAN_MOST:
            yield from (f"{letters}-{number:02}" for number in span)


def sources_of(name: str) -> Iterator[tuple[str, str, ast.Module]]:
    """Name, text and syntax tree of each module of a system: the kernel first, then by name."""
    files = {f.name.removesuffix(".py"): f for f in package_of(name).iterdir() if f.name.endswith(".py")}
    for stem in sorted(files, key=lambda stem: (stem != "kernel", stem)):
        text = files[stem].read_text(encoding="utf-8")
        yield stem, text, ast.parse(text)


def functions_of(name: str) -> Iterator[Function]:
    """The compiled functions whose first line cites a rule or a reading."""
    for stem, _, tree in sources_of(name):
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and any(getattr(d, "id", "") == "jit" for d in node.decorator_list):
                first = (ast.get_docstring(node) or "").partition("\n")[0]
                if _BRACKETS.search(first):
                    yield Function(f"{stem}.{node.name}", first)


def places_of_rules(name: str) -> dict[str, list[str]]:
    """For each rule id that code or tables cite, where: `fire.attack`, `state.TownHex`, `tables.roof`."""
    found: dict[str, list[str]] = {}
    for place, text in cited(name):
        for rule in ids_in(text):
            if place not in found.setdefault(rule, []):
                found[rule].append(place)
    return found


def cited(name: str) -> Iterator[tuple[str, str]]:
    """Pieces of the system's code and tables, each with its place."""
    for stem, text, tree in sources_of(name):
        lines = text.splitlines()
        owners = {}
        for node in tree.body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
                owners.update(dict.fromkeys(range(first, (node.end_lineno or first) + 1), f"{stem}.{node.name}"))
        for number, line in enumerate(lines, start=1):
            yield owners.get(number, stem), line
    table = ""
    for line in package_of(name).joinpath("tables.toml").read_text(encoding="utf-8").splitlines():
        if header := re.match(r"\[([^\].]+)", line):
            table = header[1]
        if table:
            yield f"tables.{table}", line


# ------------------------------------------------------------------------------------------------------------- markdown
def sheet(system: System) -> str:
    """The whole rule sheet as Markdown: the text of the README in the system's folder."""
    s = read(system)
    parts = [
        f"# {s.title}",
        f"<!-- Made from code and sheet.toml: firesim rules {s.system} --markdown. Change those, not this file. -->",
        *s.preface,
        "## Tables",
        f"A scenario may change any number: `[tables.{s.tables[0].name}]`. Results say what departs from the book.",
        _rows(("Table", "Values", "In", "Ids"), [_table(table) for table in s.tables]),
        "## Options",
        "Set in a scenario under `[options]`; the default comes first.",
        _rows(("Option", "Values", "Reading", "Ids"), [_option(option) for option in s.options]),
        f"## A {s.step_word.lower()}, step by step",
        "\n".join(f"{n}. **{step.name}.** {step.text}" for n, step in enumerate(s.steps, start=1)),
        order(system).rstrip(),
        "## Readings",
        "Where the text can be read in several ways and no option chooses, this is how it is read.",
        _rows(("Id", "Reading"), s.readings.items()),
        "## Details",
        _rows(("Id", "Settled"), s.details.items()),
        "## Decided here",
        s.decided_about,
        "\n".join(f"- {point}" for point in s.decided),
        "## Outcome columns",
        _rows(("Column", "Unit", "Counts"), [(f"`{c.name}`", c.unit, c.doc) for c in s.outcomes]),
        "## Events",
        f"Sentences of the log. WHO and WHOM stand for {s.who}.",
        _rows(("Event", "Sentence"), [(f"`{name}`", sentence) for name, sentence in s.events.items()]),
        "## The rules, and where they stand",
        _rows(
            ("Id", "Rule", "In"), [(i, t, ", ".join(f"`{p}`" for p in s.where.get(i, ()))) for i, t in s.rules.items()]
        ),
        "## The functions",
        _rows(("Function", "What it does"), [(f"`{f.place}`", f.text) for f in s.functions]),
        "## What is kept",
        _rows(
            ("Record", "Field", "Type", "Unit", "Meaning"),
            [(f.record, f"`{f.name}`", f.kind, f.unit, f.doc) for f in s.fields],
        ),
    ]
    return "\n\n".join(parts) + "\n"


def order(system: System) -> str:
    """The exact order of dice as Markdown: one row per roll."""
    s = read(system)
    head = ("", "For", "When", "Rolled by", "Die", "Decides", "Ids")
    rows = [(str(n), d.purpose, d.when, d.by, d.sides, d.decides, d.rules) for n, d in enumerate(s.dice, start=1)]
    return "\n\n".join(["## The order of dice", s.dice_before, _rows(head, rows), s.dice_after]) + "\n"


def _table(table: Table) -> tuple[str, str, str, str]:
    values = ", ".join(f"{name} {value}" for name, value in table.values.items())
    return f"`{table.name}`", values, table.unit, table.rule


def _option(option: Option) -> tuple[str, str, str, str]:
    meanings = "; ".join(f"`{value}`: {meaning}" for value, meaning in option.meanings.items())
    reading = f"{option.reading}: {meanings}" if meanings else option.reading
    values = ", ".join(v if v.startswith("any ") else f"`{v}`" for v in option.values)
    return f"`{option.name}`", values, reading, option.rules


def _places(places: Sequence[str]) -> str:
    return ", ".join(f"`{place}`" for place in places)


def _rows(head: Sequence[str], rows: Any) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)
