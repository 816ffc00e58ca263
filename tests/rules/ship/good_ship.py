"""A ship with something of every kind, without a problem: what its checks are tried on."""

from tests.rules.documents import Good

GOOD = Good(
    {
        "system": "ship",
        "title": "The Gull",
        "steps": 60,
        "map": {
            "grid": "modules",
            "rows": [". h .", "c l q", ". e ."],
            "legend": {
                "h": {"module": "helm"},
                "c": {"module": "cargo", "external_door": True},
                "l": {"module": "life support"},
                "q": {"module": "quarters"},
                "e": {"module": "engine", "broken": True},
            },
        },
        "options": {"adjacent": 4, "side": 3},
        "ignite": [{"cell": [1, 1]}, {"cell": [2, 1], "step": 3, "alight": False}],
        "event": [
            {"step": 2, "kind": "weapon", "cell": [0, 1]},
            {"step": 3, "kind": "douse", "cells": [[1, 1], [1, 2]]},
            {"step": 4, "kind": "demolish", "cell": [1, 2]},
            {"step": 4, "kind": "door", "cell": [1, 0]},
        ],
        "crew": [
            {
                "name": "Ada",
                "cell": [1, 1],
                "square": [0, 2],
                "health": 8,
                "toolkit": True,
                "order": "extinguish module",
            },
            {"name": "Bo", "cell": [0, 1], "health": 6, "order": "station all", "target": [2, 1]},
            {"name": "Cyl", "cell": [1, 0], "health": 7, "order": ["hold door", "grapple"], "target": "Ada"},
            {"name": "Dor", "cell": [2, 1], "health": 7, "order": "move", "path": [[1, 1], [1, 2]]},
            {"name": "Eff", "cell": [1, 2], "health": 7, "order": "carry", "target": "Bo", "path": [[1, 1], [0, 1]]},
        ],
        "item": [
            {"name": "rum", "kind": "barrel", "cell": [1, 0], "square": [2, 2]},
            {"kind": "personal", "cell": [1, 2]},
        ],
        "watch": [{"name": "bow", "cells": [[0, 1]]}],
        "tables": {"extinguish": {"difficulty": 9}},
    }
)
