"""Every example file: played by the kernel with its dice, compared with what it expects, and with the oracle."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, get_args, get_origin

import pytest

from firesim.rules.town.words import Options
from tests.examples import replay

example = cache(replay.read)
EXAMPLES = {f"{path.parent.name}-{path.stem}": path for path in replay.paths()}

# Rules of the town that decide what becomes of a fire. Not here: TN-01, 02, 05..08 (what a map and a turn stand for),
# TN-26 (when a table shows the damage), TN-56..58 (sizes of buildings, which are inputs).
TOWN_RULES = [3, 4, *range(9, 26), *range(27, 56), *range(59, 73)]
TOWN_READINGS = [*range(1, 27), 28, 29]  # 27 is about the sizes
TOWN_DETAILS = range(1, 16)
NAMED = {
    "town": [
        *(f"TN-{n:02}" for n in TOWN_RULES),
        *(f"A1-{n:02}" for n in TOWN_READINGS),
        *(f"D-W{n}" for n in TOWN_DETAILS),
    ],
}
"""What some example of each system has to name."""

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


def slip(folder: Path, old: str, new: str) -> replay.Example:
    """The good example with one thing changed."""
    assert old in GOOD
    path = folder / "town" / "slip.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(GOOD.replace(old, new), encoding="utf-8")
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


def values_of(name: str) -> list[Any]:
    """The values of an option that an example has to set: every word, both truths, two different numbers or lists."""
    kind = Options.model_fields[name].annotation
    if get_origin(kind) is not None and kind is not bool and all(isinstance(word, str) for word in get_args(kind)):
        return list(get_args(kind))
    return [False, True] if kind is bool else [None, None]


@pytest.mark.parametrize("name", Options.model_fields)
def test_example_of_every_value_of_a_town_option(name: str) -> None:
    scenarios = [example(path).scenario for path in replay.paths("town")]
    given = [s["options"][name] for s in scenarios if name in s.get("options", {})]
    wanted = values_of(name)
    if wanted == [None, None]:
        assert len({str(value) for value in given}) >= 2, f"{name} is set to {given} only"
        assert Options().model_dump()[name] in given
    else:
        assert [value for value in wanted if value not in given] == []


def test_example_file_that_is_right_is_taken(tmp_path: Path) -> None:
    replay.check(slip(tmp_path, "A slip", "No slip"))


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
