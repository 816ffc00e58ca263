"""Libraries that are conveniences: imported where used, and missed kindly."""

from __future__ import annotations

import importlib
from typing import Any

from firesim.core.problems import InputError, Problem


def extra(module: str, name: str) -> Any:
    """An optional library; InputError that says how to get it where it is missing.

    >>> extra("math", "lab").floor(1.5)
    1
    """
    try:
        return importlib.import_module(module)
    except ImportError:
        hint = f"pip install {module}, or firesim with its extra '{name}'"
        raise InputError(Problem(f"{module} is not installed", hint=hint)) from None
