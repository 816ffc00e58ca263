"""What every rule system must be and do; a new one is found through the registry and by its examples and maps."""

from __future__ import annotations

import copy
import inspect
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_type_hints

import numpy as np
import pytest

import firesim
from firesim.api import prepared, problems_in
from firesim.core.fields import Role, allocate, copied, declared, restore
from firesim.core.tables import Tables
from firesim.dice import tape as tapes
from firesim.events.log import COLUMNS, blank
from firesim.events.records import records
from firesim.mapfiles import toml
from firesim.play import Fire, burn_block, frames, history_fields, play_on
from firesim.rules import base
from firesim.rules.base import STEP, SYSTEMS, Prepared, System, system_named
from firesim.rules.kernels import reset
from tests.dice.keyed_faces import keyed_faces

ROOT = Path(__file__).resolve().parents[2]
RULE = re.compile(r"\b(TN|FD|SH|TK|EX|X)-\d\d\b")
FILES = ("tables.toml", "params.py", "state.py", "kernel.py", "system.py")
MEMBERS = [n for n in (*get_type_hints(System), *vars(System)) if not n.startswith("_")]
METHODS = [n for n in MEMBERS if inspect.isfunction(vars(System).get(n))]
LISTS = "lists"
"""A field of a state whose entries beyond the lengths in `counts` mean nothing."""

every_system = pytest.mark.parametrize("name", SYSTEMS)


@cache
def documents(name: str) -> dict[str, dict[str, Any]]:
    """Scenarios of a system by name: those of its examples, and the shipped ones."""
    examples = sorted((ROOT / "tests" / "examples" / name).glob("*.toml"))
    found = {f"example {p.stem}": tomllib.loads(p.read_text(encoding="utf-8"))["scenario"] for p in examples}
    for path in sorted((ROOT / "maps").glob("*.toml")):
        document = toml.read(path).data
        if document.get("system") == name:
            found[f"map {path.stem}"] = document
    assert found, f"system {name} has neither an example nor a shipped scenario"
    return found


def some(name: str, count: int = 12) -> dict[str, dict[str, Any]]:
    """A few of them, the shipped ones included, spread evenly over the rest."""
    every = documents(name)
    maps = [key for key in every if key.startswith("map")]
    rest = [key for key in every if key not in maps]
    return {key: every[key] for key in (*maps[:3], *rest[:: max(1, len(rest) // count)])}


def ready_one(name: str) -> Prepared:
    return prepared(firesim.load(next(iter(some(name).values()))))


def same_state(one: Any, other: Any) -> list[str]:
    """The fields in which two states differ, as far as their entries mean something."""
    roles = {field: declaration.role for field, declaration in declared(type(one)).items()}
    meant = [field for field in one._fields if field != LISTS and roles[field] not in ("scratch", "derived")]
    return [field for field in meant if not np.array_equal(getattr(one, field), getattr(other, field))]


# ----------------------------------------------------------------------------------------------------------- what it is
@every_system
def test_system_has_its_files(name: str) -> None:
    folder = Path(base.__file__).parent / name
    assert [file for file in FILES if not (folder / file).is_file()] == []


@every_system
def test_system_has_every_member_of_the_protocol(name: str) -> None:
    system = system_named(name)
    assert [member for member in MEMBERS if not hasattr(system, member)] == []
    assert system.name == name
    assert system.step_word
    for method in METHODS:
        ours = list(inspect.signature(getattr(system, method)).parameters)
        theirs = list(inspect.signature(getattr(System, method)).parameters)[1:]
        assert ours == theirs, method


@every_system
def test_every_table_names_its_rule_and_unit(name: str) -> None:
    for table in Tables.read(f"firesim.rules.{name}"):
        assert RULE.search(table.rule), f"{table.name}: {table.rule!r}"
        assert table.unit, table.name
        assert table.values, table.name
        assert all(type(value) is int for value in table.values.values()), table.name


@every_system
def test_every_field_of_the_state_is_declared(name: str) -> None:
    owners: list[type] = [type(ready_one(name).first)]
    while owners:
        owner = owners.pop()
        fields = declared(owner)
        assert list(fields) == list(get_type_hints(owner)), f"{owner.__name__} has fields without a declaration"
        for field_name, field in fields.items():
            assert field.role in get_args(Role), f"{owner.__name__}.{field_name}: role {field.role!r}"
            assert field.doc, f"{owner.__name__}.{field_name} does not say what it is"
            owners += [field.kind] if isinstance(field.kind, type) else []


@every_system
def test_state_has_what_the_loops_read(name: str) -> None:
    ready = ready_one(name)
    assert {"clock", "counts", "touched_list", "cells"} <= set(ready.first._fields)
    assert len(ready.first.counts) > base.TOUCHED
    assert history_fields(ready), "no field is kept in the history"
    assert ready.first.cells["at"].shape[1] == len(ready.system.records)
    assert len(ready.first.cells) == np.prod(ready.shape) + 1, "the cells and the rim"


@every_system
def test_states_are_allocated_copied_and_restored(name: str) -> None:
    for document in some(name).values():
        first = prepared(firesim.load(document)).first
        sizes: dict[str, int] = {}
        for field, array in zip(declared(type(first)).values(), first, strict=True):
            sizes |= {n: size for n, size in zip(field.shape, array.shape, strict=True) if isinstance(n, str)}
        blank = allocate(type(first), sizes)
        assert [(a.dtype, a.shape) for a in blank] == [(a.dtype, a.shape) for a in first]
        other = copied(first)
        assert not any(np.shares_memory(a, b) for a, b in zip(first, other, strict=True))
        assert all(np.array_equal(a, b) for a, b in zip(first, other, strict=True))
        restore(blank, other)
        assert all(np.array_equal(a, b) for a, b in zip(first, blank, strict=True))


@every_system
def test_outcome_begins_with_steps_and_burning(name: str) -> None:
    system, ready = system_named(name), ready_one(name)
    columns = [column.name for column in system.outcome_columns]
    assert columns[:2] == ["steps", "burning"]
    assert list(ready.columns[: len(columns)]) == columns
    assert len(set(ready.columns)) == len(ready.columns)
    assert all(column.unit and column.doc for column in system.outcome_columns)


@every_system
def test_the_cursor_moves_forward_within_a_step(name: str) -> None:
    for document in some(name, 60).values():
        ready = prepared(firesim.load(document))
        fire = Fire(ready, 7)
        before = (0, 0, 0)
        acts = 0
        while not fire.over() and fire.step < min(ready.horizon, 12):
            tape, log = tapes.blank(None, ready.dice_per_act), blank(ready.rows_per_act)
            play_on(
                ready.params, fire.state, 7, 0, tape, log, 12, ready.dice_per_act, ready.rows_per_act, True
            )  # fmt: skip
            now = tuple(fire.state.clock.tolist())
            assert now > before, "the exact chain takes a step's acts in the order of the cursor"
            before, acts = now, acts + 1
        assert acts or fire.over()


@every_system
def test_every_event_makes_a_sentence(name: str) -> None:
    ready = ready_one(name)
    kinds = ready.system.event_kinds
    assert len({kind.name for kind in kinds}) == len(kinds)
    row = {"step": 1, "cell": 0, "other": 0, "face": 3, "bonus": 2, "need": 1, "amount": 4, "before": 9, "after": 5}
    rows = np.array([[number if c == "event" else row[c] for c in COLUMNS] for number in range(len(kinds))])
    told = records(rows, kinds, lambda cell: ready.system.cell_name(ready, cell), ready.headings)
    assert [record.event for record in told] == [kind.name for kind in kinds]
    for record in told:
        assert record.text, record.event
        assert not set("{}") & set(record.text), record.text


@every_system
def test_every_die_says_what_it_is_for(name: str) -> None:
    said = [purpose.format(who="the mill (0, 0)", whom="the inn (0, 1)") for purpose in system_named(name).purposes]
    assert all(said)
    assert len(set(said)) == len(said)


# -------------------------------------------------------------------------------------------------------- its scenarios
@every_system
def test_scenarios_load_without_a_problem(name: str) -> None:
    assert {key: problems_in(document) for key, document in documents(name).items() if problems_in(document)} == {}


@every_system
def test_scenarios_without_tables_do_not_depart_from_the_book(name: str) -> None:
    for key, document in documents(name).items():
        departs = firesim.load(document).departures
        assert bool(departs) == bool(document.get("tables")), f"{key}: {departs}"


@every_system
def test_unknown_keys_are_told_with_the_nearest_name(name: str) -> None:
    document = next(iter(some(name).values()))
    option = next(iter(system_named(name).words.model_fields["options"].annotation.model_fields))  # type: ignore[union-attr]
    for place, wrong, right in (
        ((), "stepss", "steps"),
        (("options",), f"{option}x", option),
        (("map",), "legendd", "legend"),
    ):
        broken = copy.deepcopy(document)
        inner: Any = broken
        for key in place:
            inner = inner.setdefault(key, {})
        inner[wrong] = 1
        problems = problems_in(broken)
        assert [p.where for p in problems] == [(*place, wrong)], wrong
        assert wrong in problems[0].what
        assert right in problems[0].hint


@every_system
def test_pictures_and_stories_of_a_fire(name: str) -> None:
    for key, document in some(name, 4).items():
        run = firesim.run(document, seed=3, steps=20)
        system, cells = run.prepared.system, int(np.prod(run.prepared.shape))
        assert run.summary, key
        assert all(system.cell_name(run.prepared, cell) for cell in range(cells + 1)), key
        for frame in run.frames():
            scene = system.scene(run.prepared, frame.state, run.events, frame.step)
            assert scene.codes.shape == (cells,), key
            assert scene.codes.max() < len(system.swatches), key
            assert scene.caption, key


@every_system
def test_what_players_see_and_what_burns_are_told(name: str) -> None:
    for key, document in some(name, 4).items():
        run = firesim.run(document, seed=3, steps=20)
        system = run.prepared.system
        for frame in run.frames():
            seen = system.players_scene(run.prepared, frame.state, frame.events, frame.step)
            told = system.scene(run.prepared, frame.state, frame.events, frame.step)
            assert seen.codes.shape == told.codes.shape, key
            burning = system.alight(run.prepared, frame.state)
            assert burning == sorted(set(burning)), key
        assert len(burning) == run.outcome["burning"], key
        assert {lit.cell for lit in run.spread} >= set(burning), key


# ------------------------------------------------------------------------------------------------------------ its fires
@every_system
def test_a_fire_played_again_with_its_own_faces_is_the_same(name: str) -> None:
    for key, document in some(name).items():
        run = firesim.run(document, seed=11)
        again = firesim.run(document, seed=0, dice=run.faces)
        assert list(run.outcome) == list(run.prepared.columns), key
        assert (again.outcome, again.events, again.faces) == (run.outcome, run.events, run.faces), key
        assert same_state(run.state, again.state) == [], key
        for field in run.history:
            assert np.array_equal(run.history[field], again.history[field]), f"{key}: {field}"


@every_system
def test_a_fire_in_a_batch_is_the_fire_played_alone(name: str) -> None:
    for key, document in some(name).items():
        ready = prepared(firesim.load(document))
        state = copied(ready.first)
        shape = (len(ready.system.records), len(ready.first.cells))
        counts, sums = (np.zeros(shape, np.int64, order="F") for _ in range(2))
        rows = burn_block(ready, state, 11, 5, 4, counts, sums)
        lit = np.zeros_like(counts)
        for replicate, row in enumerate(rows, start=5):
            alone = firesim.run(document, seed=11, replicate=replicate)
            assert list(row) == list(alone.outcome.values()), f"{key}, replicate {replicate}"
            lit += np.moveaxis(alone.state.cells["at"] >= 0, 0, 1)
        assert np.array_equal(lit, counts), f"{key}: the maps of the block are not those of its fires"
        assert same_state(state, ready.first) == [], f"{key}: the block leaves its state changed"


@every_system
def test_a_fire_step_by_step_is_the_fire_in_one_go(name: str) -> None:
    for key, document in some(name).items():
        run = firesim.run(document, seed=5)
        fire = Fire(run.prepared, 5)
        steps = [frame.step for frame in frames(fire, run.prepared.horizon)]
        assert steps == list(range(run.outcome["steps"] + 1)), key
        assert (fire.outcome(), fire.faces) == (run.outcome, run.faces), key
        assert fire.events() == run.events, key


@every_system
def test_no_two_dice_of_a_fire_share_a_key(name: str) -> None:
    for key, document in some(name).items():
        for seed in range(3):
            fire = Fire(prepared(firesim.load(document)), seed)
            fire.play_to(min(fire.prepared.horizon, 200))
            keys = [tuple(row) for row in fire.tape.asked[: len(fire.faces), tapes.STEP :]]
            assert len(set(keys)) == len(keys), f"{key}, seed {seed}"
            sides = fire.tape.asked[: len(fire.faces), tapes.SIDES]
            assert all(1 <= face <= most for face, most in zip(fire.faces, sides, strict=True)), key


@every_system
def test_every_die_shows_what_its_key_says(name: str) -> None:
    for key, document in some(name).items():
        fire = Fire(prepared(firesim.load(document)), 4, 9)
        fire.play_to(min(fire.prepared.horizon, 100))
        assert fire.faces == keyed_faces(fire), key


@every_system
def test_reset_brings_the_first_state_back_from_any_step(name: str) -> None:
    for key, document in some(name).items():
        ready = prepared(firesim.load(document))
        for last in (1, 4, ready.horizon):
            fire = Fire(ready, 2)
            fire.play_to(last)
            played = (fire.faces, fire.outcome())
            reset(ready.params, ready.first, fire.state)
            assert same_state(fire.state, ready.first) == [], f"{key}, after step {last}"
            assert fire.state.clock[STEP] == 0
            again = Fire(ready, 2)
            again.state = fire.state
            again.play_to(last)
            assert (again.faces, again.outcome()) == played, f"{key}, after step {last}"


@every_system
def test_all_that_bears_a_name_can_be_told_and_every_kind_of_event_has_its_sentence(name: str) -> None:
    named = 0
    for document in some(name).values():
        ready = prepared(firesim.load(document))
        numbers = [number for each in ready.system.named(ready).values() for number in each]
        named += len(numbers)
        assert len(set(numbers)) == len(numbers)
        for number in [*range(len(ready.first.cells) - 1), *numbers][:200]:
            assert ready.system.fares(ready, ready.first, number)
        for called, owned in ready.system.named(ready).items():
            assert all(called in ready.system.cell_name(ready, number) for number in owned)
    assert named > 3
    event = get_args(ready.system.words.model_fields["event"].annotation)[0]
    values = {"wind": "E", "moisture": "arid", "accelerant": "oil", "cell": (0, 0)}
    told = {
        kind: ready.system.event_text(
            ready, event(step=3, kind=kind, **{k: v for k, v in values.items() if k in ready.system.takes(kind)})
        )
        for kind in get_args(event.model_fields["kind"].annotation)
    }
    assert len(set(told.values())) == len(told)
    where = ready.system.cell_name(ready, 0)
    assert [kind for kind, text in told.items() if ("cell" in ready.system.takes(kind)) != (where in text)] == []


@every_system
def test_declarations_are_read_once_and_stay_as_they_are(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ready = ready_one(name)
    monkeypatch.setattr("firesim.core.fields.get_type_hints", lambda *_, **__: pytest.fail("read again"))
    again = prepared(ready.scenario)
    assert again.first._fields == ready.first._fields
    with pytest.raises(TypeError):
        declared(type(ready.first))["clock"] = None  # type: ignore[index]
