"""Outcomes made by hand, shaped as a study's."""

from __future__ import annotations

from typing import Any

import numpy as np


def outcomes(*cases: dict[str, Any]) -> np.ndarray[Any, Any]:
    """Rows of cases, each given as its columns; `replicate` counts from 0 unless it is given."""
    names = [name for name in cases[0] if name != "replicate"]
    parts = []
    for number, case in enumerate(cases):
        count = len(case[names[0]])
        rows = np.zeros(count, [(name, np.int64) for name in ("case", "replicate", *names)])
        rows["case"], rows["replicate"] = number, case.get("replicate", np.arange(count))
        for name in names:
            rows[name] = case[name]
        parts.append(rows)
    return np.concatenate(parts)
