"""Plans that several tests burn, and what it means that two studies are the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from firesim.api import scenario_of
from firesim.studies.asked import Asked, plan_of
from firesim.studies.fires import Fires
from firesim.studies.plan import Plan

ROOT = Path(__file__).resolve().parents[2]
STREET, RIVERSIDE = ROOT / "maps" / "street.toml", ROOT / "maps" / "riverside.toml"
SEED = 20261129

SMALL = {
    "system": "town",
    "title": "A row",
    "map": {"rows": ["h h h . h"], "legend": {"h": {"armour": 2, "st": 6}}, "gaps": {"default": 1}},
    "ignite": [{"cell": [0, 0], "alight": True}],
    "watch": [{"name": "last", "cells": [[0, 4]]}],
}


def plan(source: Any = SMALL, **words: Any) -> Plan:
    """The plan of a scenario, as `firesim.study` makes it."""
    return plan_of(source, Asked(**({"replicates": 50, "seed": SEED} | words)), scenario_of)


def sweep(replicates: int = 50, **words: Any) -> Plan:
    """Three armours and two winds of a small row: six cases."""
    vary = {"map.legend.h.armour": [1, 2, 4], "weather.wind": ["none", "E"]}
    return plan(SMALL, replicates=replicates, vary=vary, **words)


def same_fires(one: Fires, other: Fires) -> None:
    """The same rows, maps and curves, bit for bit."""
    assert one.outcomes.dtype == other.outcomes.dtype
    assert np.array_equal(one.outcomes, other.outcomes)
    assert one.failures == other.failures
    for mine, theirs in zip(one.tallies, other.tallies, strict=True):
        assert mine is not None
        assert theirs is not None
        assert mine.fires == theirs.fires
        for part in ("counts", "sums", "curves"):
            assert np.array_equal(getattr(mine, part), getattr(theirs, part)), part
