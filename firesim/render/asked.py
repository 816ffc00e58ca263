"""What may be asked of a picture or an animation: its size and how fast it plays, within bounds."""

from __future__ import annotations

import math

from firesim.core.problems import Problem

FPS = 4.0
"""Frames per second of an animation when nobody asks otherwise."""

FPS_LEAST, FPS_MOST = 0.1, 50.0
"""A GIF counts in hundredths of a second, and viewers slow down what is shown for less than two of them."""

SIZE_LEAST, SIZE_MOST = 50, 4000
"""Pixels on the longer side of the map: smaller shows nothing, larger takes hundreds of megabytes."""


def fps_problems(fps: float | None) -> list[Problem]:
    """What is wrong with frames per second; None is nothing asked for."""
    if fps is None or (math.isfinite(fps) and FPS_LEAST <= fps <= FPS_MOST):
        return []
    return [Problem(f"{fps:g} frames per second", f"from {FPS_LEAST:g} to {FPS_MOST:g}")]


def size_problems(size: int | None) -> list[Problem]:
    """What is wrong with a size in pixels; None is nothing asked for."""
    if size is None or SIZE_LEAST <= size <= SIZE_MOST:
        return []
    return [Problem(f"a picture of {size:,} pixels", f"from {SIZE_LEAST} to {SIZE_MOST:,} pixels on the longer side")]
