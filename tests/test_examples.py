"""Every example file: played by the kernel with its dice, compared with what it expects, and with the oracle."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import pytest

from firesim.rules.base import SYSTEMS, system_named
from tests.examples import replay

example = cache(replay.read)
EXAMPLES = {f"{path.parent.name}-{path.stem}": path for path in replay.paths()}

# Rules of the town that decide what becomes of a fire. Not here: TN-01, 02, 05..08 (what a map and a turn stand for),
# TN-26 (when a table shows the damage), TN-56..58 (sizes of buildings, which are inputs).
TOWN_RULES = [3, 4, *range(9, 26), *range(27, 56), *range(59, 73)]
TOWN_READINGS = [*range(1, 27), 28, 29]  # 27 is about the sizes
TOWN_DETAILS = range(1, 16)
# Of the ship all are named. Two decide nothing of themselves: SH-54 is a choice at the table, A2-17 one of a scenario's
# words. Their examples show that luck changes nothing, and that the kinds of items are alike.
NAMED = {
    "town": [
        *(f"TN-{n:02}" for n in TOWN_RULES),
        *(f"A1-{n:02}" for n in TOWN_READINGS),
        *(f"D-W{n}" for n in TOWN_DETAILS),
    ],
    "ship": [
        *(f"SH-{n:02}" for n in range(1, 57)),
        *(f"A2-{n:02}" for n in range(1, 24)),
        *(f"D-S{n}" for n in range(1, 14)),
    ],
}
"""What some example of each system has to name."""

GOOD_SHIP = """
rule = "SH-05"
title = "A slip"
dice = [3, 5]
[scenario]
system = "ship"
steps = 1
map.rows = ["m"]
map.legend.m = { module = "cargo" }
crew = [{ name = "Ada", cell = [0, 0], health = 9, on_fire = true }]
item = [{ name = "crate", kind = "cargo", cell = [0, 0], square = [2, 3] }]
[expect]
states = [
  { step = 1, person = "Ada", damage = 3 },
  { step = 1, item = "crate", damaged = false },
]
"""
GOOD = """
rule = "TN-18"
title = "A slip"
dice = [3]
[scenario]
system = "town"
steps = 1
map.rows = ["h"]
map.legend.h = { armour = 3, st = 10 }
ignite = [{ cell = [0, 0], alight = true }]
[expect]
outcome = { burning = 1 }
states = [{ step = 1, cell = [0, 0], st = 10 }]
events = ["stalled"]
asks = ["attack"]
"""


def slip(folder: Path, old: str, new: str, system: str = "town") -> replay.Example:
    """The good example of a system with one thing changed."""
    good = {"town": GOOD, "ship": GOOD_SHIP}[system]
    assert old in good
    path = folder / system / "slip.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(good.replace(old, new), encoding="utf-8")
    return replay.read(path)


@pytest.mark.parametrize("name", EXAMPLES)
def test_example(name: str) -> None:
    replay.check(example(EXAMPLES[name]))


def test_examples_begin_with_their_reckoning() -> None:
    assert [name for name, path in EXAMPLES.items() if not path.read_text(encoding="utf-8").startswith("# ")] == []


def test_examples_have_titles_of_their_own() -> None:
    titles = [example(path).title for path in EXAMPLES.values()]
    assert sorted(titles) == sorted(set(titles))


@pytest.mark.parametrize("system", NAMED)
def test_example_of_every_rule(system: str) -> None:
    shown = {rule for path in replay.paths(system) for rule in example(path).rules}
    assert [rule for rule in NAMED[system] if rule not in shown] == []


def options_of(system: str) -> Any:
    """The model of a system's options."""
    return system_named(system).words.model_fields["options"].annotation


def values_of(system: str, name: str) -> list[Any]:
    """The values of an option that an example has to set: every choice, both truths; [] for a number or list."""
    kind = options_of(system).model_fields[name].annotation
    if get_origin(kind) is Literal:
        return list(get_args(kind))
    return [False, True] if kind is bool else []


def test_every_system_has_its_examples() -> None:
    assert sorted(NAMED) == sorted(SYSTEMS)


@pytest.mark.parametrize(("system", "name"), [(s, name) for s in SYSTEMS for name in options_of(s).model_fields])
def test_example_of_every_value_of_an_option(system: str, name: str) -> None:
    scenarios = [example(path).scenario for path in replay.paths(system)]
    given = [s["options"][name] for s in scenarios if name in s.get("options", {})]
    if wanted := values_of(system, name):
        assert [value for value in wanted if value not in given] == []
    else:  # two different numbers or lists, the default among them
        assert len({str(value) for value in given}) >= 2, f"{name} is set to {given} only"
        assert options_of(system)().model_dump()[name] in given


def test_example_file_that_is_right_is_taken(tmp_path: Path) -> None:
    replay.check(slip(tmp_path, "A slip", "No slip"))
    replay.check(slip(tmp_path, "A slip", "No slip", "ship"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("title =", "titel ="),
        ("dice =", "dices ="),
        ("outcome =", "outcomes ="),
        ("burning = 1", "burnin = 1"),
        ("st = 10 }]", "sst = 10 }]"),
        (", st = 10 }]", " }]"),
        ("step = 1,", ""),
        ('"stalled"', '"staled"'),
        ('["attack"]', '["atack"]'),
        ('"TN-18"', '"TN18"'),
        ('"TN-18"', "[]"),
        ('system = "town"', 'system = "squares"'),
        (GOOD[GOOD.index("outcome") :], ""),
        ('events = ["stalled"]', "events = []"),
        ('events = ["stalled"]', 'no_events = ["staled"]'),
    ],
)
def test_example_file_with_a_slip_is_refused(tmp_path: Path, old: str, new: str) -> None:
    with pytest.raises(ValueError, match=r"slip\.toml"):
        slip(tmp_path, old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("burning = 1", "burning = 0"),
        (", st = 10 }]", ", st = 9 }]"),
        ("step = 1,", "step = 2,"),
        ('"stalled"', '"lit"'),
        ('["attack"]', '["attack", "attack"]'),
        ('["attack"]', "[]"),
        ('"stalled"', '"stalled [0, 1]"'),
        ('events = ["stalled"]', 'no_events = ["stalled"]'),
    ],
)
def test_example_that_expects_something_else_fails(tmp_path: Path, old: str, new: str) -> None:
    with pytest.raises(AssertionError):
        replay.check(slip(tmp_path, old, new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('person = "Ada"', 'person = "Bo"'),
        ('person = "Ada"', 'cell = [0, 0], person = "Ada"'),
        ("damage = 3", "damages = 3"),
        (", damage = 3", ""),
        ('item = "crate", damaged', 'person = "crate", damaged'),
        ('item = "crate", damaged', 'item = "barrel", damaged'),
        ('{ step = 1, item = "crate", damaged', "{ step = 1, damaged"),
    ],
)
def test_example_file_with_a_slip_about_people_or_items_is_refused(tmp_path: Path, old: str, new: str) -> None:
    with pytest.raises(ValueError, match=r"slip\.toml"):
        slip(tmp_path, old, new, "ship")


@pytest.mark.parametrize(("old", "new"), [("damage = 3", "damage = 4"), ("damaged = false", "damaged = true")])
def test_example_that_expects_something_else_of_people_or_items_fails(tmp_path: Path, old: str, new: str) -> None:
    with pytest.raises(AssertionError):
        replay.check(slip(tmp_path, old, new, "ship"))
