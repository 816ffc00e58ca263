"""No document, however strange, makes the check of a town raise."""

import copy

from hypothesis import given, settings
from hypothesis import strategies as st

from firesim.core.problems import Problem
from firesim.rules.town.check import check
from firesim.rules.town.words import Town

GOOD = {
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
LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 9),
    st.just(2**70),
    st.floats(),
    st.text(max_size=3),
    st.sampled_from(["wind", "wet", "ignite", "demolish", "mill", "m . w", "E", "N", "flat", "oil", "water", "town"]),
)
ANY = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES) | st.integers(0, 2), inner, max_size=4)
    ),
    max_leaves=12,
)
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


def holds(at, key):
    return key in at if isinstance(at, dict) else isinstance(at, list) and isinstance(key, int) and key < len(at)


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(st.sampled_from(NAMES) | st.integers(0, 2), ANY, max_size=6) | ANY)
def test_no_document_makes_the_check_raise(document):
    town, problems = check(document)
    assert town is None
    assert problems
    assert all(isinstance(p, Problem) and str(p) for p in problems)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(PATHS), ANY), min_size=1, max_size=2))
def test_no_change_to_a_good_document_makes_the_check_raise(changes):
    document = copy.deepcopy(GOOD)
    for path, value in changes:
        at = document
        for key in path[:-1]:
            at = at[key] if holds(at, key) else None
        if isinstance(at, dict) or holds(at, path[-1]):
            at[path[-1]] = value
    town, problems = check(document)
    assert (town is None) == bool(problems)
    assert all(str(p) for p in problems)


def test_the_good_document_is_good():
    assert check(GOOD)[1] == []
