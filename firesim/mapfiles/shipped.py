"""The maps that come with firesim: in a source checkout `maps/`, in an installed package `firesim/shipped_maps/`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from firesim.core.problems import InputError, Problem, listed, nearest

PACKAGE = Path(__file__).resolve().parent.parent

SMALLEST = {"town": "house", "ship": "scout"}
"""Of each system the shipped map that takes the least time to burn, and to know exactly."""


def town_alight(rows: int = 200, cols: int = 200) -> dict[str, Any]:
    """A town of equal houses that all burn, by default so many that several threads share the fire, for two turns."""
    return {
        "system": "town",
        "steps": 2,
        "map": {"rows": [" ".join("h" * cols)] * rows, "legend": {"h": {"armour": 2, "st": 90}}},
        "ignite": [{"cell": [row, col], "alight": True} for row in range(rows) for col in range(cols)],
    }


def folder() -> Path:
    """The folder of shipped maps."""
    installed = PACKAGE / "shipped_maps"
    return installed if installed.is_dir() else PACKAGE.parent / "maps"


def shipped(name: str) -> Path:
    """The file of a shipped map, by its name without `.toml`; InputError names those there are."""
    path = folder() / f"{name}.toml"
    if not path.is_file():
        known = sorted(p.stem for p in folder().glob("*.toml"))
        raise InputError(Problem(f"there is no shipped map '{name}'", listed(known), nearest(name, known)))
    return path
