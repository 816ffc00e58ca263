"""No document, however strange, makes the check of a town raise."""

from firesim.rules.town.check import check
from firesim.rules.town.words import Town
from tests.rules.documents import Good, anything, check_of_a_change_never_raises, check_of_anything_never_raises

GOOD = Good(
    {
        "system": "town",
        "map": {
            "rows": ["m m . w", " s s s .", "m . . s"],
            "legend": {
                "m": {"building": "mill"},
                "s": {"accelerant": ["oil", {"kind": "pitch"}]},
                "w": {"ground": "water"},
            },
            "gaps": {"between": [{"cells": [[0, 0], [1, 0]], "gap": 3}]},
        },
        "weather": {"wind": "E"},
        "options": {},
        "ignite": [{"cell": [0, 0]}],
        "event": [
            {"step": 2, "kind": "wind", "wind": "die"},
            {"step": 2, "kind": "moisture", "moisture": "damp"},
            {"step": 2, "kind": "wet", "cells": [[0, 0], [1, 1]]},
            {"step": 3, "kind": "accelerant", "accelerant": "oil", "building": "mill"},
            {"step": 3, "kind": "demolish", "cell": [1, 0]},
            {"step": 5, "kind": "ignite", "cell": [2, 3]},
        ],
        "watch": [{"name": "church", "building": "mill"}, {"name": "yard", "cells": [[2, 3]]}],
        "tables": {"material": {"brick": 5}},
    }
)

NAMES = [
    *Town.model_fields,
    "rows",
    "legend",
    "gaps",
    "between",
    "cell",
    "cells",
    "building",
    "kind",
    "name",
    "step",
    "wind",
    "moisture",
    "accelerant",
    "ground",
    "st",
    "orientation",
    "wind_weights",
    "material",
    "brick",
    "m",
    ".",
]
WORDS = ["wind", "wet", "ignite", "demolish", "mill", "m . w", "E", "N", "flat", "oil", "water", "town"]
ANY = anything(NAMES, WORDS)
PATHS = [
    ("map",),
    ("map", "rows"),
    ("map", "rows", 1),
    ("map", "legend"),
    ("map", "legend", "s"),
    ("map", "legend", "s", "accelerant"),
    ("map", "gaps"),
    ("map", "gaps", "between"),
    ("map", "gaps", "between", 0),
    ("map", "gaps", "between", 0, "cells"),
    ("map", "orientation"),
    ("weather",),
    ("weather", "wind"),
    ("options",),
    ("ignite",),
    ("ignite", 0),
    ("ignite", 0, "cell"),
    ("event",),
    *(("event", i) for i in range(6)),
    ("event", 2, "cells"),
    ("watch",),
    ("watch", 1),
    ("watch", 1, "cells"),
    ("tables",),
    ("tables", "material"),
]


def test_no_document_makes_the_check_raise():
    check_of_anything_never_raises(check, NAMES, ANY)


def test_no_change_to_a_good_document_makes_the_check_raise():
    check_of_a_change_never_raises(check, GOOD, PATHS, ANY, 300)


def test_the_good_document_is_good():
    assert check(GOOD.document)[1] == []
