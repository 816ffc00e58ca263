"""firesim: fire in tabletop games on grids.

>>> import firesim
>>> run = firesim.run("maps/street.toml", seed=7)  # doctest: +SKIP
>>> fires = firesim.study("maps/street.toml", 1000, seed=7)  # doctest: +SKIP
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from firesim.api import game, import_map, load, odds, run, study
    from firesim.core.problems import InputError, Problem
    from firesim.core.scenario import Scenario
    from firesim.runs import Run

__version__ = "0.1.0"
__all__ = [
    "InputError",
    "Problem",
    "Run",
    "Scenario",
    "__version__",
    "game",
    "import_map",
    "load",
    "odds",
    "run",
    "study",
]

_HOMES = {"InputError": "core.problems", "Problem": "core.problems", "Scenario": "core.scenario", "Run": "runs"}


def __getattr__(name: str) -> Any:
    """Public names are imported when first used, so that `import firesim` stays light."""
    if name not in __all__:
        raise AttributeError(f"module 'firesim' has no attribute {name!r}")
    import importlib

    value = getattr(importlib.import_module(f"firesim.{_HOMES.get(name, 'api')}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
