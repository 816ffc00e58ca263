"""Measuring and drawing words in pixels, in the face that matplotlib brings along: every machine writes alike."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

ELLIPSIS = "…"


@cache
def font(size: int, bold: bool = False) -> Any:
    """The face, `size` pixels tall."""
    from matplotlib import get_data_path
    from PIL import ImageFont

    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    return ImageFont.truetype(str(Path(get_data_path()) / "fonts" / "ttf" / name), size)


@cache
def measure(text: str, size: int, bold: bool = False) -> float:
    """Pixels that a line of text takes."""
    return float(font(size, bold).getlength(text))


def shortened(text: str, size: int, room: float, bold: bool = False) -> str:
    """The text, cut where it would take more than `room` pixels; nothing when not even two letters fit.

    >>> shortened("Mara", 10, 100)
    'Mara'
    """
    if measure(text, size, bold) <= room:
        return text
    for end in range(len(text) - 1, 1, -1):
        cut = text[:end].rstrip() + ELLIPSIS
        if measure(cut, size, bold) <= room:
            return cut
    return ""


def cover(text: str, size: int, bold: bool = False) -> Array:
    """How far each pixel of a line of text is covered (height, width) uint8, with two pixels of edge all around."""
    from PIL import Image, ImageDraw

    wide, tall = int(np.ceil(measure(text, size, bold))) + 4, round(1.3 * size) + 4
    image = Image.new("L", (wide, tall), 0)
    ImageDraw.Draw(image).text((wide / 2, tall / 2), text, fill=255, font=font(size, bold), anchor="mm")
    return np.asarray(image)
