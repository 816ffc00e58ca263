"""Reading an example file, playing it, and comparing it with what it expects and with the system's oracle.

An example file (TOML) holds

- `rule`: the id or ids it shows, `title`: a sentence that says what, `dice`: every face rolled, in order;
- `[scenario]`: a whole scenario;
- `[expect]`, each left out where it says nothing: `outcome` (some of the columns), `states` (tables of `step`, `cell`
  and history fields, or of `step`, whatever else the system keeps records of, by name, and their fields:
  `person = "Kest", damage = 3`), `events` (names in order, others may stand in between; `"lit [0, 1]"` names the cell
  too), `no_events` (names of what must not happen), `asks` (what every die is rolled for, in order).
"""

from __future__ import annotations

import importlib
import importlib.util
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

import firesim
from firesim.api import prepared
from firesim.core.fields import declared
from firesim.dice import tape as tapes
from firesim.play import Fire, frames, history_fields
from firesim.rules.base import SYSTEMS

HERE = Path(__file__).parent
RULE = re.compile(r"(TN|FD|SH|TK|EX|X)-\d\d|A[0-4]-\d\d|D-[A-Z]\d+")
CELL = re.compile(r" \[\d+, \d+\]$")
KEYS = {"rule", "title", "dice", "scenario", "expect"}
EXPECTED = {"outcome", "states", "events", "no_events", "asks"}

PURPOSES = {
    "town": ("collapse", "attack", "jump direction", "flare direction", "jump", "spark", "ignite", "next hex", "wind"),
    "ship": (
        *("own", "own second", "life support", "life support", "module", "door", "door extra", "life support damage"),
        *("order", "order", "grapple", "shared splash", "splash", "splash second", "occupant", "occupant second"),
        *("weapon", "ignite", "hull", "hull"),
    ),
}
"""Short names of a system's dice, in the order of its `purposes`; a system that is not here uses those sentences."""


@dataclass(frozen=True)
class Example:
    """One example file, read and checked."""

    path: Path
    system: str
    rules: tuple[str, ...]
    title: str
    scenario: dict[str, Any]
    dice: tuple[int, ...]
    outcome: dict[str, int] = field(default_factory=dict)
    states: tuple[dict[str, Any], ...] = ()
    events: tuple[str, ...] = ()
    no_events: tuple[str, ...] = ()
    asks: tuple[str, ...] | None = None

    @property
    def name(self) -> str:
        return f"{self.system}/{self.path.stem}"


def paths(system: str = "*") -> list[Path]:
    """The example files of a system, or of all."""
    return sorted(HERE.glob(f"{system}/*.toml"))


def read(path: Path) -> Example:
    """An example file; ValueError for anything in it that would not be looked at, so that a slip cannot pass."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    expect = data.get("expect", {})
    _no_other(data, KEYS, path.name)
    _no_other(expect, EXPECTED, f"{path.name}, [expect]")
    missing = sorted(KEYS - set(data))
    rules = data.get("rule", [])
    rules = (rules,) if isinstance(rules, str) else tuple(rules)
    system = path.parent.name
    wrong = [f"no {key}" for key in missing]
    wrong += [f"rule {rule!r}" for rule in rules if not RULE.fullmatch(rule)] + ([] if rules else ["no rule"])
    wrong += [] if data.get("scenario", {}).get("system") == system else [f"the scenario's system is not {system!r}"]
    wrong += [] if system in SYSTEMS else [f"no system {system!r}"]
    wrong += [] if expect else ["nothing is expected"]
    wrong += [f"{key} expects nothing" for key in EXPECTED - {"asks"} if key in expect and not expect[key]]
    if wrong:
        raise ValueError(f"{path.name}: {'; '.join(wrong)}")
    example = Example(
        path=path,
        system=system,
        rules=rules,
        title=data["title"],
        scenario=data["scenario"],
        dice=tuple(data["dice"]),
        outcome=expect.get("outcome", {}),
        states=tuple(expect.get("states", ())),
        events=tuple(expect.get("events", ())),
        no_events=tuple(expect.get("no_events", ())),
        asks=tuple(expect["asks"]) if "asks" in expect else None,
    )
    _check_expectations(example)
    return example


def _no_other(table: dict[str, Any], known: set[str], where: str) -> None:
    if others := sorted(set(table) - known):
        raise ValueError(f"{where}: unknown {', '.join(others)}; known are {', '.join(sorted(known))}")


def _check_expectations(example: Example) -> None:
    """Columns, fields, events and purposes must exist, and a state must say something."""
    ready = prepared(firesim.load(example.scenario))
    where = example.path.name
    _no_other(example.outcome, set(ready.columns), f"{where}, outcome")
    kinds = {kind: fields for kind, (_, fields) in kept_by_name(ready).items()} | {"cell": set(history_fields(ready))}
    for state in example.states:
        kind = next((kind for kind in kinds if kind in state), "cell")
        _no_other(state, kinds[kind] | {"step", kind}, f"{where}, states")
        if not {"step", kind} < set(state):
            raise ValueError(f"{where}: a state needs step, one of {', '.join(kinds)}, and some field: {state}")
        if kind != "cell" and number_of(example.scenario, ready, kind, state[kind]) is None:
            raise ValueError(f"{where}: {state[kind]!r} is not the name of one {kind}")
        if not all(isinstance(state[name], int) for name in state.keys() - {kind}):
            raise ValueError(f"{where}: a field is a number, true or false: {state}")
    named = [CELL.sub("", event) for event in (*example.events, *example.no_events)]
    _no_other(dict.fromkeys(named), {kind.name for kind in ready.system.event_kinds}, f"{where}, events")
    _no_other(dict.fromkeys(example.asks or ()), set(purposes(ready.system)), f"{where}, asks")


def kept_by_name(ready: Any) -> dict[str, tuple[str, set[str]]]:
    """What a state keeps records of beside its cells: the array's name and its fields, by what one record is."""
    found = {}
    for array, made in declared(type(ready.first)).items():
        if isinstance(made.kind, type) and len(made.shape) == 1 and array != "cells":
            parts = declared(made.kind)
            found[str(made.shape[0])] = (array, {name for name, part in parts.items() if part.role == "state"})
    return found


def number_of(document: dict[str, Any], ready: Any, kind: str, name: str) -> int | None:
    """The place of what alone is so called among the scenario's tables of its kind (`[[crew]]`, `[[item]]`)."""
    tables = document.get(kept_by_name(ready)[kind][0], document.get(kind, []))
    names = [table.get("name") for table in tables]
    return names.index(name) if names.count(name) == 1 else None


def purposes(system: Any) -> tuple[str, ...]:
    """Names of what a system's dice are rolled for."""
    names = PURPOSES.get(system.name, system.purposes)
    assert len(names) == len(system.purposes), f"PURPOSES[{system.name!r}] does not name every die"
    return tuple(names)


@dataclass(frozen=True)
class Played:
    """A fire that was played: what was asked of the dice, and every field of the history after every step."""

    fire: Fire
    asked: list[tuple[int, str, int, int]]
    """Sides, purpose, actor and target of each die."""
    states: list[dict[str, np.ndarray[Any, Any]]]
    """From step 0: the cells (flat) by field, and all else that has records, as `person.damage`."""


def play(scenario: firesim.Scenario, faces: Sequence[int] | None, seed: int = 0) -> Played:
    """Play a fire with the given faces, or with the dice of a seed, and keep it step by step."""
    ready = prepared(scenario)
    fire = Fire(ready, seed, faces=faces)
    cells, names = int(np.prod(ready.shape)), history_fields(ready)
    others = [(f"{kind}.{n}", array, n) for kind, (array, fields) in kept_by_name(ready).items() for n in fields]
    states = [
        {n: frame.state.cells[n][:cells].copy() for n in names}
        | {key: getattr(frame.state, array)[n].copy() for key, array, n in others}
        for frame in frames(fire, ready.horizon)
    ]
    rolled = fire.tape.asked[: len(fire.faces), [tapes.SIDES, tapes.PURPOSE, tapes.ACTOR, tapes.TARGET]]
    known = purposes(ready.system)
    return Played(fire, [(int(s), known[p], int(a), int(t)) for s, p, a, t in rolled], states)


def check(example: Example) -> None:
    """Play an example by the public `run`, compare everything that it expects, then let the oracle play it."""
    run = firesim.run(example.scenario, dice=example.dice, seed=0)
    differing = {
        name: (run.outcome[name], wanted) for name, wanted in example.outcome.items() if run.outcome[name] != wanted
    }
    assert not differing, f"outcome (played, expected): {differing}"
    played = play(run.scenario, example.dice)
    for state in example.states:
        _check_state(run, played, state)
    cols = run.prepared.shape[-1]
    _check_events([(r.event, f"{r.event} [{r.cell // cols}, {r.cell % cols}]") for r in run.events], example.events)
    unwanted = {record.event for record in run.events} & set(example.no_events)
    assert not unwanted, f"there should be no {sorted(unwanted)}"
    if example.asks is not None:
        asked = tuple(name for _, name, _, _ in played.asked)
        assert asked == example.asks, f"the dice are for {asked}, expected {example.asks}"
    if judge := oracle(example.system):
        compare(played, judge, example.scenario)


def _check_state(run: firesim.Run, played: Played, state: dict[str, Any]) -> None:
    step, kind = state["step"], next(key for key in (*kept_by_name(run.prepared), "cell") if key in state)
    assert 0 <= step <= run.outcome["steps"], f"there is no step {step}: the fire took {run.outcome['steps']}"
    for name in state.keys() - {"step", kind}:
        if kind == "cell":
            shown = int(run.history[name][(step, *state[kind])])
        else:
            number = number_of(run.scenario.document, run.prepared, kind, state[kind])
            shown = int(played.states[step][f"{kind}.{name}"][number])
        assert shown == int(state[name]), f"step {step}, {state[kind]}: {name} is {shown}, expected {int(state[name])}"


def _check_events(happened: list[tuple[str, str]], expected: Sequence[str]) -> None:
    """The expected events, by name or by name and cell, in this order, others in between."""
    left = iter(happened)
    for name in expected:
        found = any(name in words for words in left)
        assert found, f"no {name!r} in its place: {[words[1] for words in happened]}, expected {list(expected)}"


def oracle(system: str) -> ModuleType | None:
    """The oracle of a system, where there is one."""
    name = f"tests.oracles.{system}"
    return importlib.import_module(name) if importlib.util.find_spec(name) else None


def compare(played: Played, judge: ModuleType, document: dict[str, Any]) -> None:
    """The oracle, given the same faces, must ask for the same dice and arrive at the same states, times and outcome."""
    faces = played.fire.faces
    told: list[str] = []

    def face(sides: int, purpose: str, actor: int, target: int) -> int:
        place = len(told)
        told.append(purpose)
        asked = played.asked[place] if place < len(faces) else None
        wanted = (sides, purpose, actor, target)
        # a die rolled at oneself may name no target
        same = asked is not None and asked[:3] == wanted[:3] and (asked[3] == target or asked[3] == asked[2])
        assert same, f"die {place + 1}: the oracle rolls {wanted}, the kernel {asked}"
        return faces[place]

    result = judge.play(document, face)
    assert len(told) == len(faces), f"the oracle rolls {len(told)} dice, the kernel {len(faces)}"
    assert len(result.states) == len(played.states), (
        f"{len(result.states) - 1} steps by the oracle, {len(played.states) - 1}"
    )
    for step, (ours, theirs) in enumerate(zip(played.states, result.states, strict=True)):
        for name in ours.keys() & theirs.keys():
            assert np.array_equal(ours[name], np.array(theirs[name]).astype(int)), (
                f"step {step}: {name} is not the oracle's"
            )
    cells = played.fire.state.cells
    for place, name in enumerate(played.fire.prepared.system.records):
        ours = [int(when) for when in cells["at"][: len(getattr(result, name)), place]]
        assert ours == list(getattr(result, name)), f"{name} is not the oracle's"
    outcome = played.fire.outcome()
    differing = {name: (outcome[name], value) for name, value in result.outcome.items() if outcome[name] != value}
    assert not differing, f"outcome (kernel, oracle): {differing}"
