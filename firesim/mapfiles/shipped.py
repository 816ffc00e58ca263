"""The maps that come with firesim: in a source checkout `maps/`, in an installed package `firesim/shipped_maps/`."""

from __future__ import annotations

from pathlib import Path

from firesim.core.problems import InputError, Problem, listed, nearest

PACKAGE = Path(__file__).resolve().parent.parent

SMALLEST = {"town": "house", "ship": "scout"}
"""Of each system the shipped map that takes the least time to burn, and to know exactly."""


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
