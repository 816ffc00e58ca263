"""Colours: from a system's swatches to tables that a picture looks its pixels up in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from firesim.rules.base import Scene, Swatch

Array = np.ndarray[Any, Any]

PAPER = "#ffffff"
INK = "#1f1f24"
FAINT_INK = "#6b6b73"
SPARK = "#7a0177"
"""Arrows of sparks and jumps: apart from every flame, also on a grey print (with a white edge)."""

PLAIN, FAINT, SOFT, MARK, OUTLINE, THIN_WALL, WALL = range(7)
"""Shades of a swatch in a raster: bare; ink of a mark, from its edge to its middle; the lines between hexes."""

SHADES = 7


def rgb(colour: str) -> Array:
    """`#rrggbb` as three bytes.

    >>> rgb("#ff8c00").tolist()
    [255, 140, 0]
    """
    return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)], np.uint8)


def text_of(colour: Array) -> str:
    """Three bytes as `#rrggbb`."""
    return "#" + "".join(f"{int(part):02x}" for part in colour)


def ink_on(colour: str) -> str:
    """Black or white, whichever reads on the colour."""
    red, green, blue = rgb(colour) / 255
    return INK if 0.299 * red + 0.587 * green + 0.114 * blue > 0.42 else "#ffffff"


def blend(colour: str, other: str, share: float) -> str:
    """`colour` with `share` (0..1) of `other` laid over it."""
    return text_of(np.round(rgb(colour) * (1 - share) + rgb(other) * share))


def shades_of(colour: str) -> list[str]:
    """The shades of a colour, in the order of PLAIN .. WALL.

    >>> shades_of("#ff8c00")[PLAIN]
    '#ff8c00'
    """
    ink = ink_on(colour)
    line = INK if rgb(colour).max() > 0x40 else "#ffffff"
    wall = (0.55, 0.85) if line == INK else (0.15, 0.3)
    lines = [blend(colour, line, share) for share in (0.2, *wall)]
    return [colour, *(blend(colour, ink, share) for share in (0.2, 0.42, 0.85)), *lines]


def has_shades(swatches: Sequence[Swatch]) -> bool:
    """Whether a palette of 255 colours has room for all shades of these swatches beside those of the sheet."""
    return (len(swatches) + 1) * SHADES <= 216


def inked(swatches: Sequence[Swatch]) -> Array:
    """(n, 3) uint8: each swatch, then the paper off the map, in all its shades if there is room, else plain."""
    if not has_shades(swatches):
        return np.array([*(rgb(swatch.colour) for swatch in swatches), rgb(PAPER)], np.uint8)
    table = [shade for swatch in swatches for shade in shades_of(swatch.colour)]
    return np.array([*(rgb(colour) for colour in table), *[rgb(PAPER)] * SHADES], np.uint8)


def occurring(scene: Scene, swatches: Sequence[Swatch]) -> list[int]:
    """The codes that a scene shows and a legend names, ascending."""
    seen = np.bincount(np.asarray(scene.codes).ravel(), minlength=len(swatches))
    return [code for code in range(len(swatches)) if seen[code] and swatches[code].label]


def with_changes(codes: Iterable[int], swatches: Sequence[Swatch]) -> list[int]:
    """Codes with those added that come and go during a fire: what the legend of an animation names."""
    return sorted({*codes, *(code for code, swatch in enumerate(swatches) if swatch.changes)})


def with_others(codes: Iterable[int], swatches: Sequence[Swatch]) -> list[int]:
    """Codes of pieces or doors with all that may take their places: what the legend of an animation names."""
    lasting = [max((i for i in range(code + 1) if not swatches[i].changes), default=0) for code in range(len(swatches))]
    kinds = {lasting[code] for code in codes}
    return [code for code in range(len(swatches)) if lasting[code] in kinds]


def nearest(image: Array, palette: Array) -> Array:
    """The palette place nearest in colour to each pixel of (height, width, 3); the first of equals."""
    wide = image.astype(np.int32)
    packed = (wide[..., 0] << 16) | (wide[..., 1] << 8) | wide[..., 2]
    paper = 0xFFFFFF
    drawn = packed != paper
    colours, which = np.unique(np.append(packed[drawn], paper), return_inverse=True)
    parts = np.stack([colours >> 16, (colours >> 8) & 255, colours & 255], axis=1)
    away = ((parts[:, None, :] - palette[None].astype(np.int32)) ** 2).sum(axis=2)
    place = away.argmin(axis=1).astype(np.uint8)
    made = np.full(image.shape[:2], place[which[-1]], np.uint8)
    made[drawn] = place[which[:-1]]
    return made
