"""`firesim new`: a commented scenario that runs as it is and names every key there is."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import pytest
from pydantic import BaseModel
from typer.testing import CliRunner, Result

import firesim
from firesim.api import problems_in
from firesim.cli import app
from firesim.rules.base import SYSTEMS, system_named
from firesim.rules.sheet import starter
from firesim.rules.ship.words import Order

HAPPENS = {
    "town": {"ignite", "attack", "jump", "roof", "flare up", "spark", "wind", "wet", "consumed"},
    "ship": {
        "burns",
        "splash",
        "module",
        "spreads",
        "lit",
        "broken",
        "catches",
        "put out",
        "moves",
        "door held",
        "out",
    },
}
"""Events that the starter's fire of seed 7 has, for one who tries it."""
LEAST_AND_MOST = {"town": ("consumed", 4, 13), "ship": ("modules_lit", 2, 11)}
"""An outcome column of that fire and its bounds: something burns, and not everything."""
WATCHED = {"town": "store", "ship": "drive"}
MODELS = {
    "town": {"Town", "Map", "Legend", "Placed", "Gaps", "Between", "Weather", "Options", "Ignite", "Event", "Watch"},
    "ship": {"Ship", "Map", "Legend", "Options", "Crew", "Item", "Ignite", "Event", "Watch"},
}
CHANGED = {
    "town": (7, "hex", 3, "material.brick 5 (book: 6)"),
    "ship": (7, "modules", 2, "extinguish.difficulty 9 (book: 8)"),
}
"""What the keys left out bring when they are put in: seed, grid, events, departures."""

every_system = pytest.mark.parametrize("name", SYSTEMS)


def new(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["new", *arguments])


def models_in(kind: Any) -> Iterator[type[BaseModel]]:
    """Every model of words that a type leads to."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        yield kind
        for info in kind.model_fields.values():
            yield from models_in(info.annotation)
    for inner in get_args(kind):
        yield from models_in(inner)


def models_of(name: str) -> dict[str, type[BaseModel]]:
    """Every model of a system's words, by its name."""
    return {model.__name__: model for model in models_in(system_named(name).words)}


def uncommented(text: str) -> str:
    """The text with every `# key = value` and `# [table]` line in force."""
    return re.sub(r"^# (?=\[|\w+ = )", "", text, flags=re.MULTILINE)


def book() -> dict[str, dict[str, int]]:
    """The tables of the town, by name."""
    folder = Path(firesim.__file__).parent / "rules" / "town"
    return {name: block["values"] for name, block in tomllib.loads((folder / "tables.toml").read_text("utf-8")).items()}


@every_system
def test_the_file_is_the_starter_of_the_system_and_has_no_problems(name, tmp_path):
    file = tmp_path / "fire.toml"
    done = new(str(file), "--system", name)
    assert done.exit_code == 0
    assert file.read_text(encoding="utf-8") == starter(name)
    assert problems_in(file) == []
    assert [path.name for path in tmp_path.iterdir()] == ["fire.toml"]


def test_without_a_system_it_is_a_town(tmp_path):
    file = tmp_path / "fire.toml"
    assert new(str(file)).exit_code == 0
    assert file.read_text(encoding="utf-8") == starter("town")


@every_system
def test_it_burns_at_once_and_not_all_at_once(name, tmp_path):
    file = tmp_path / "fire.toml"
    new(str(file), "--system", name)
    run = firesim.run(file, seed=7)
    assert run.outcome["burning"] == 0
    column, least, most = LEAST_AND_MOST[name]
    assert least <= run.outcome[column] <= most
    assert HAPPENS[name] - {record.event for record in run.events} == set()
    assert run.outcome[f"{WATCHED[name]}_lit_at"] > 0


def test_the_message_says_what_to_try_next_in_words_that_a_shell_takes(tmp_path):
    file = tmp_path / "my village.toml"
    done = new(str(file))
    assert done.stdout == ""
    assert f"firesim run '{file}' --seed 7" in done.stderr
    assert f"firesim check '{file}'" in done.stderr


@pytest.mark.parametrize(("name", "model"), [(name, model) for name in SYSTEMS for model in sorted(models_of(name))])
def test_every_key_of_the_words_stands_in_it_as_a_key_or_in_a_comment(name, model):
    words = set(re.findall(r"\w+", starter(name)))
    assert set(models_of(name)[model].model_fields) - words == set()


@every_system
def test_the_models_are_all_found(name):
    assert set(models_of(name)) == MODELS[name]


@every_system
def test_every_kind_of_event_is_named(name):
    kinds = get_args(models_of(name)["Event"].model_fields["kind"].annotation)
    events = starter(name).partition(" events\n")[2]
    assert kinds
    assert [kind for kind in kinds if not re.search(rf"^#   {kind} ", events, re.MULTILINE)] == []


def test_every_order_of_a_crew_is_named():
    crew = starter("ship").partition(" crew\n")[2]
    assert [order for order in get_args(Order) if not re.search(rf"^#   {order}  ", crew, re.MULTILINE)] == []


@every_system
def test_every_option_stands_in_a_comment_with_its_true_default(name):
    defaults = models_of(name)["Options"]().model_dump()
    assert tomllib.loads(uncommented(starter(name)))["options"] == defaults


@every_system
def test_every_other_value_of_an_option_is_named_beside_it(name):
    text = starter(name)
    for option, info in models_of(name)["Options"].model_fields.items():
        words = get_args(info.annotation) if get_origin(info.annotation) is Literal else ()
        others = [str(word) for word in words if word != info.default]
        line = re.search(rf"^# {option} = .*$", text, re.MULTILINE)
        assert line
        assert others == [] or re.findall(r"\w+", line[0].rpartition("#")[2]) == others


@every_system
def test_the_keys_left_out_run_too_when_they_are_put_in(name):
    document = tomllib.loads(uncommented(starter(name)))
    seed, grid, events, departure = CHANGED[name]
    assert (document["seed"], document["map"]["grid"], len(document["event"])) == (seed, grid, events)
    assert firesim.load(document).departures == (departure,)
    assert firesim.run(document).outcome["steps"] > 0


def test_numbers_of_the_book_named_in_it_are_those_of_the_book():
    text = starter("town")
    for name in ("material", "roof", "accelerant", "moisture"):
        for word, value in book()[name].items():
            assert re.search(rf"{re.escape(word)} \+?{value}\b", text), f"{name}: {word} {value}"


def test_an_existing_file_stays_as_it_is_unless_forced(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text("mine", encoding="utf-8")
    done = new(str(file))
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == f"{file}: the file exists already: expected a new name; --force writes over it\n"
    assert file.read_text(encoding="utf-8") == "mine"
    assert new(str(file), "--force").exit_code == 0
    assert file.read_text(encoding="utf-8") == starter("town")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("fire.txt",), "a name ending in .toml"),
        (("nowhere/fire.toml",), "there is no folder"),
        (("fire.toml", "--system", "twon"), "there is no system 'twon': expected town or ship; did you mean 'town'?"),
    ],
)
def test_what_cannot_be_written_is_one_line_and_exit_2(arguments, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = new(*arguments)
    assert done.exit_code == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
