"""A random scenario of any system that has them: `random_towns.random_town`, `random_ships.random_ship`."""

from __future__ import annotations

import importlib
from typing import Any


def draw(system: str, seed: int, *, options: bool = True) -> dict[str, Any]:
    """The random scenario of a system with this seed; with `options`, its readings are drawn too."""
    drawer = importlib.import_module(f"tests.oracles.random_{system}s")
    document: dict[str, Any] = getattr(drawer, f"random_{system}")(seed, options=options)
    return document
