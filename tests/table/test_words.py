"""What is typed at the table becomes an event or a deed, by the words of the system."""

from __future__ import annotations

from typing import Any

import pytest

from firesim.core.problems import InputError
from firesim.rules.base import system_named
from firesim.table.words import event_of, keys_of


@pytest.mark.parametrize(
    ("system", "line", "made"),
    [
        ("town", "wet 4 12", {"kind": "wet", "cell": [4, 12]}),
        ("town", "wet [4,12] damp", {"kind": "wet", "cell": [4, 12], "moisture": "damp"}),
        ("town", "wet 4 12 4 13", {"kind": "wet", "cells": [[4, 12], [4, 13]]}),
        ("town", 'demolish "Old Mill"', {"kind": "demolish", "building": "Old Mill"}),
        ("town", "wind E", {"kind": "wind", "wind": "E"}),
        ("town", "moisture arid", {"kind": "moisture", "moisture": "arid"}),
        ("town", "accelerant oil 0 1", {"kind": "accelerant", "accelerant": "oil", "cell": [0, 1]}),
        ("town", "ignite mill inside", {"kind": "ignite", "building": "mill", "inside": True}),
        ("town", "ignite 0 1 alight", {"kind": "ignite", "cell": [0, 1], "alight": True}),
        ("town", "ignite cell=[0,1] inside=true", {"kind": "ignite", "cell": [0, 1], "inside": True}),
        ("ship", "weapon 2 1", {"kind": "weapon", "cell": [2, 1]}),
        ("ship", 'order Kest "open door"', {"kind": "order", "crew": "Kest", "order": "open door"}),
        ("ship", "order Io 'open door' move", {"kind": "order", "crew": "Io", "order": ["open door", "move"]}),
        ("ship", "order Io move 0 1 1 1", {"kind": "order", "crew": "Io", "order": "move", "path": [[0, 1], [1, 1]]}),
        ("ship", "order Kest grapple Io", {"kind": "order", "crew": "Kest", "order": "grapple", "target": "Io"}),
        ("ship", "hurt Kest 3", {"kind": "hurt", "crew": "Kest", "amount": 3}),
        ("ship", "heal Kest 2", {"kind": "heal", "crew": "Kest", "amount": 2}),
        ("ship", "hurt Kest -2", {"kind": "hurt", "crew": "Kest", "amount": -2}),
        ("ship", "move Kest 1 1", {"kind": "move", "crew": "Kest", "cell": [1, 1]}),
        ("ship", "move Kest 1 1 0 4", {"kind": "move", "crew": "Kest", "cell": [1, 1], "square": [0, 4]}),
    ],
)  # fmt: skip
def test_a_line_becomes_an_event(system: str, line: str, made: dict[str, Any]) -> None:
    assert event_of(system_named(system), line) == made


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("wet 4", "1 number is no cell"),
        ("wet 4 5 6", "3 numbers are no cells"),
        ("wet 3 -4", r"cell \(3, -4\) lies off the map"),
        ("wet 3.5 4", "'3.5' is no whole number"),
        ("wet 3 12345678901", "is too large"),
        ("wind 3 4", "'3 4' says nothing about 'wind'"),
        ("wet 4 12 damp arid mill inn", "'mill' says nothing about 'wet'"),
        ('demolish "Old Mill', 'a quote is left open.* did you mean: demolish "Old Mill"$'),
        ("drench 4 12", "unknown event 'drench'"),
        ("wet cell=[4,", "does not end as it begins"),
    ],
)
def test_a_line_that_makes_no_sense_is_told(line: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        event_of(system_named("town"), line)


NAMES = ("Old Mill", "Miller's House", "Marine", "Marine 1", "Dark Fair 7", "Kest")


@pytest.mark.parametrize(
    ("system", "line", "made"),
    [
        ("town", "demolish Old Mill", {"kind": "demolish", "building": "Old Mill"}),
        ("town", "demolish old mill", {"kind": "demolish", "building": "Old Mill"}),
        ("town", "wet Miller's House damp", {"kind": "wet", "building": "Miller's House", "moisture": "damp"}),
        ("town", 'wet "Miller\'s House"', {"kind": "wet", "building": "Miller's House"}),
        ("town", "accelerant oil Dark Fair 7", {"kind": "accelerant", "accelerant": "oil", "building": "Dark Fair 7"}),
        ("town", "ignite Old Mill INSIDE", {"kind": "ignite", "building": "Old Mill", "inside": True}),
        ("town", "wet 4 7", {"kind": "wet", "cell": [4, 7]}),
        ("ship", "hurt Marine 1 2", {"kind": "hurt", "crew": "Marine 1", "amount": 2}),
        ("ship", "move Marine 2 1", {"kind": "move", "crew": "Marine", "cell": [2, 1]}),
        ("ship", "move marine 1 2 1", {"kind": "move", "crew": "Marine 1", "cell": [2, 1]}),
        ("ship", "order Kest extinguish module", {"kind": "order", "crew": "Kest", "order": "extinguish module"}),
        ("ship", "order Kest open door move", {"kind": "order", "crew": "Kest", "order": ["open door", "move"]}),
        ("ship", "order Kest grapple Marine 1", {"kind": "order", "crew": "Kest", "order": "grapple",
                                                  "target": "Marine 1"}),
    ],
)  # fmt: skip
def test_names_of_several_words_need_no_quotes(system: str, line: str, made: dict[str, Any]) -> None:
    assert event_of(system_named(system), line, NAMES) == made


PLACES = {"aft spine": [[4, 1]], "hold": [[1, 0], [1, 2]], "helm": [[0, 1]]}


@pytest.mark.parametrize(
    ("line", "made"),
    [
        ("move Kest Aft Spine", {"kind": "move", "crew": "Kest", "cell": [4, 1]}),
        ("move Kest aft spine 2 2", {"kind": "move", "crew": "Kest", "cell": [4, 1], "square": [2, 2]}),
        ("order Kest move helm aft spine", {"kind": "order", "crew": "Kest", "order": "move",
                                            "path": [[0, 1], [4, 1]]}),
        ("order Kest station module helm", {"kind": "order", "crew": "Kest", "order": "station module",
                                            "target": [0, 1]}),
        ("order Kest station all 4 1", {"kind": "order", "crew": "Kest", "order": "station all", "target": [4, 1]}),
        ("door aft spine", {"kind": "door", "cell": [4, 1]}),
        ("douse hold", {"kind": "douse", "cells": [[1, 0], [1, 2]]}),
    ],
)  # fmt: skip
def test_the_name_of_a_module_is_a_place(line: str, made: dict[str, Any]) -> None:
    assert event_of(system_named("ship"), line, (*NAMES, *PLACES), PLACES) == made


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("hurt Kest lots", "'lots' is no amount: expected a whole number"),
        ("hurt Kest 2.5", "'2.5' is no amount: expected a whole number"),
        ("hurt Kest 2 3", "2 numbers for 'hurt': expected one amount"),
        ("hurt Kest aft spine", "'aft spine' is no amount"),
        ("order Kest", "'order' lacks the order: expected none, extinguish module, .* or spacewalk"),
        ("move Kest hold", "there are 2 places called 'hold': expected 1 0 or 1 2"),
        ("move Kest helmet", "'helmet' is no place: expected a row and a column, as 4 12, or aft spine.*'helm'"),
        ("move Kest 1 2 3 4 5 6", "3 cells for 'move': expected one cell, and a square in it"),
        ("move Kest -1 2", r"cell \(-1, 2\) lies off the map"),
    ],
)
def test_a_deed_that_makes_no_sense_is_told(line: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        event_of(system_named("ship"), line, (*NAMES, *PLACES), PLACES)


@pytest.mark.parametrize(
    ("line", "mended"),
    [
        ('hurt "Marine 1 2', 'hurt "Marine 1" 2'),
        ("hurt 'Marine 1 2", "hurt 'Marine 1' 2"),
        ('order Kest "open door', 'order Kest "open door"'),
        ('hurt Kest 2"', "hurt Kest 2"),
    ],
)
def test_a_quote_left_open_is_told_with_the_line_that_was_meant(line: str, mended: str) -> None:
    with pytest.raises(InputError) as told:
        event_of(system_named("ship"), line, NAMES)
    assert told.value.problems[0].hint == f"did you mean: {mended}"
    assert event_of(system_named("ship"), mended, NAMES), "what is proposed can be typed"


def test_the_keys_of_a_kind_are_its_own() -> None:
    ship, town = system_named("ship"), system_named("town")
    assert keys_of(ship, "hurt") == ["crew", "amount"]
    assert keys_of(ship, "move") == ["crew", "cell", "square"]
    assert keys_of(ship, "weapon") == ["cell", "cells"]
    assert keys_of(town, "wind") == ["wind"]
    assert keys_of(town, "wet") == ["cell", "cells", "building", "moisture"]
    assert keys_of(town, "order") == []
