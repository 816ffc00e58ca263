"""Doors on the sides of cells, as coloured polygons."""

from __future__ import annotations

from typing import Any

import numpy as np

from firesim.render.outlines import outline
from firesim.render.view import Spots, View
from firesim.rules.base import Door

Array = np.ndarray[Any, Any]

SMALLEST_DOOR = 14
"""Pixels across a cell from which its doors are drawn."""

IN_CELL = np.array([0.07, 0.4])
"""Where a door stands that lies on no side of its cell, from its centre."""


def door_polygons(seen: View, doors: Any, middles: Spots, pitch: float) -> list[tuple[Array, str]]:
    """Polygons (n, 2) in pixels and their colours, the lowest first. middles, pitch: as for `pieces.arrange`."""
    if pitch < SMALLEST_DOOR:
        return []
    made = []
    for door in doors:
        for points, colour in _one(seen, door, pitch):
            made.append((middles[door.cell] + points, colour))
    return made


def _one(seen: View, door: Door, pitch: float) -> list[tuple[Array, str]]:
    long, thick = float(np.clip(0.3 * pitch, 8, 60)), float(np.clip(0.06 * pitch + 2, 3, 14))
    across = np.array([0.0, -1.0])
    centre = IN_CELL * pitch
    if door.heading is not None:
        angle = np.radians(seen.layout.heading_angle(door.heading, len(seen.headings)))
        across = np.array([np.cos(angle), -np.sin(angle)])
        centre = 0.5 * pitch * across
    along = np.array([-across[1], across[0]])
    swatch = seen.doors[door.code]
    made = []
    for part in outline(swatch.shape):
        points = centre + part.points[:, :1] * long * along + part.points[:, 1:] * thick * across
        made.append((points, part.colour(swatch.colour)))
    return made
