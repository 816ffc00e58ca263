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
        ("wet 4", "1 numbers are no cells"),
        ("wet 4 12 damp arid mill inn", "'mill' says nothing about 'wet'"),
        ('demolish "Old Mill', "a quote is left open"),
        ("drench 4 12", "unknown event 'drench'"),
        ("wet cell=[4,", "does not end as it begins"),
    ],
)
def test_a_line_that_makes_no_sense_is_told(line: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        event_of(system_named("town"), line)


def test_the_keys_of_a_kind_are_its_own() -> None:
    ship, town = system_named("ship"), system_named("town")
    assert keys_of(ship, "hurt") == ["crew", "amount"]
    assert keys_of(ship, "move") == ["crew", "cell", "square"]
    assert keys_of(ship, "weapon") == ["cell", "cells"]
    assert keys_of(town, "wind") == ["wind"]
    assert keys_of(town, "wet") == ["cell", "cells", "building", "moisture"]
    assert keys_of(town, "order") == []
