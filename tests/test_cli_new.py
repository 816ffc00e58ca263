"""`firesim new`: a commented scenario that runs as it is and names every key there is."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import BaseModel
from typer.testing import CliRunner, Result

import firesim
from firesim.api import problems_in
from firesim.cli import app
from firesim.rules.base import SYSTEMS
from firesim.rules.sheet import starter
from firesim.rules.town.words import Event, Options, Town


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


def uncommented(text: str) -> str:
    """The text with every `# key = value` and `# [table]` line in force."""
    return re.sub(r"^# (?=\[|\w+ = )", "", text, flags=re.MULTILINE)


def book() -> dict[str, dict[str, int]]:
    """The tables of the town, by name."""
    folder = Path(firesim.__file__).parent / "rules" / "town"
    return {name: block["values"] for name, block in tomllib.loads((folder / "tables.toml").read_text("utf-8")).items()}


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_file_is_the_starter_of_the_system_and_has_no_problems(name, tmp_path):
    file = tmp_path / "fire.toml"
    done = new(str(file), "--system", name)
    assert done.exit_code == 0
    assert file.read_text(encoding="utf-8") == starter(name)
    assert problems_in(file) == []
    assert [path.name for path in tmp_path.iterdir()] == ["fire.toml"]


def test_it_burns_at_once_and_not_all_at_once(tmp_path):
    file = tmp_path / "village.toml"
    new(str(file))
    run = firesim.run(file, seed=7)
    kinds = {record.event for record in run.events}
    assert run.outcome["burning"] == 0
    assert 4 <= run.outcome["consumed"] < 14
    assert {"ignite", "attack", "jump", "roof", "flare up", "spark", "wind", "wet", "consumed"} <= kinds
    assert run.outcome["store_lit_at"] > 0


def test_the_message_says_what_to_try_next_in_words_that_a_shell_takes(tmp_path):
    file = tmp_path / "my village.toml"
    done = new(str(file))
    assert done.stdout == ""
    assert f"firesim run '{file}' --seed 7" in done.stderr
    assert f"firesim check '{file}'" in done.stderr


@pytest.mark.parametrize("model", sorted({model.__name__ for model in models_in(Town)}))
def test_every_key_of_the_words_stands_in_it_as_a_key_or_in_a_comment(model):
    text = starter("town")
    owner = next(found for found in models_in(Town) if found.__name__ == model)
    words = set(re.findall(r"\w+", text))
    assert set(owner.model_fields) - words == set()


def test_the_models_are_all_found():
    names = {model.__name__ for model in models_in(Town)}
    assert names >= {
        "Town",
        "Map",
        "Legend",
        "Placed",
        "Gaps",
        "Between",
        "Weather",
        "Options",
        "Ignite",
        "Event",
        "Watch",
    }


def test_every_kind_of_event_is_named():
    kinds = get_args(Event.model_fields["kind"].annotation)
    events = starter("town").partition(" events\n")[2]
    assert [kind for kind in kinds if not re.search(rf"^#   {kind} ", events, re.MULTILINE)] == []


def test_every_option_stands_in_a_comment_with_its_true_default():
    assert tomllib.loads(uncommented(starter("town")))["options"] == Options().model_dump()


def test_every_other_value_of_an_option_is_named_beside_it():
    text = starter("town")
    for name, info in Options.model_fields.items():
        others = [word for word in get_args(info.annotation) if isinstance(word, str) and word != info.default]
        line = re.search(rf"^# {name} = .*$", text, re.MULTILINE)
        assert line
        assert others == [] or re.findall(r"\w+", line[0].rpartition("#")[2]) == others


def test_the_keys_left_out_run_too_when_they_are_put_in():
    document = tomllib.loads(uncommented(starter("town")))
    assert (document["seed"], document["map"]["grid"], len(document["event"])) == (7, "hex", 3)
    assert firesim.load(document).departures == ("material.brick 5 (book: 6)",)
    assert firesim.run(document).outcome["lit"] > 0


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
        (("fire.toml", "--system", "twon"), "there is no system 'twon': expected town; did you mean 'town'?"),
    ],
)
def test_what_cannot_be_written_is_one_line_and_exit_2(arguments, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = new(*arguments)
    assert done.exit_code == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
