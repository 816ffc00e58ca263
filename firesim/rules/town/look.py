"""What a town looks like: a swatch for each thing a hex can show, and the code that each hex shows.

Colours are told apart under protanopia, deuteranopia and tritanopia: whatever burns or has burnt keeps CIE76 14.5 from
everything else, building materials keep 8 from one another, and a letter, hatch or flame says it again on a grey print.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from firesim.rules.base import Swatch

Array = np.ndarray[Any, Any]

GROUNDS = (
    Swatch("open ground, street", "#f5f5f5"),
    Swatch("road", "#d3d2b6", "dots"),
    Swatch("square", "#e4dfea", "grid"),
    Swatch("water", "#4575b4", "waves"),
    Swatch("river", "#7fb0dc", "waves"),
    Swatch("green", "#b6d99f", "grass"),
    Swatch("field", "#d8e79c", "furrows"),
    Swatch("trees", "#408142", "tree"),
    Swatch("town wall", "#545b6e", "crenels"),
    Swatch("bridge", "#af9fa5", "planks"),
    Swatch("rock", "#94948d", "rocks"),
)
"""Swatches of open ground; a hex's ground code is the place in this tuple."""

MATERIALS = (
    Swatch("light, flimsy", "#e3cce9", "L"),
    Swatch("wooden", "#9c7a52", "W"),
    Swatch("wattle and daub", "#cbb885", "D"),
    Swatch("unnamed material", "#8c8d44", "?"),
    Swatch("earthen or adobe", "#c59765", "E"),
    Swatch("brick", "#a76961", "B"),
    Swatch("stone", "#bdbdbd", "S"),
)
"""Swatches of buildings that do not burn, by material."""

FIRES = (
    Swatch("burning inside", "#ffe800", "ember", changes=True),
    Swatch("burning", "#ff8c00", "flame", changes=True),
    Swatch("burning fiercely (armour 0)", "#d7191c", "flames", changes=True),
    Swatch("collapsed, burning", "#890d4c", "ruin", changes=True),
    Swatch("burnt out", "#1a1a1a", changes=True),
    Swatch("demolished", "#7a8791", "rubble", changes=True),
)
"""Swatches of buildings on fire, or no longer there."""

SWATCHES: tuple[Swatch, ...] = (*GROUNDS, *MATERIALS, *FIRES)
"""All swatches; a picture's codes are places in this tuple."""

FIRST_MATERIAL = len(GROUNDS)
INSIDE, BURNING, FIERCE, COLLAPSED, BURNT, DEMOLISHED = range(len(GROUNDS) + len(MATERIALS), len(SWATCHES))

GROUND_CODES = {
    "open": 0, "street": 0, "ground": 0, "road": 1, "path": 1, "square": 2, "plaza": 2, "market": 2,
    "water": 3, "sea": 3, "lake": 3, "river": 4, "stream": 4, "canal": 4,
    "green": 5, "grass": 5, "park": 5, "garden": 5, "field": 6, "farmland": 6,
    "tree": 7, "trees": 7, "wood": 7, "forest": 7, "wall": 8, "bridge": 9, "rock": 10,
}  # fmt: skip
"""Ground code by the word that a legend uses."""

MATERIAL_CODES = {
    "light": 0, "wooden": 1, "wattle and daub": 2, "unknown3": 3, "earthen": 4, "adobe": 4, "brick": 5, "stone": 6,
}  # fmt: skip
"""Material code by the name of `tables.toml` [TN-34]; earthen and adobe share one."""

ROOF_MARKS: tuple[Swatch, ...] = (
    Swatch("no roof marked", "#1a1a1a"),
    Swatch("thatch", "#1a1a1a", "thatch"),
    Swatch("cloth", "#1a1a1a", "cloth"),
    Swatch("wood shingles", "#1a1a1a", "shingles"),
    Swatch("clay tile", "#1a1a1a", "tiles"),
    Swatch("slate", "#1a1a1a", "slates"),
)
"""Marks of roofs, drawn where hexes are large enough; a hex's roof code is the place in this tuple, 0 = none."""

ROOF_CODES = {"thatch": 1, "cloth": 2, "wood shingles": 3, "clay tile": 4, "slate": 5}
"""Roof code by the name of `tables.toml` [TN-38..TN-40]."""


def ground_code(word: str | None) -> int:
    """The ground code of a legend's word; open ground for None and for words not known.

    >>> ground_code("river"), ground_code("carpet")
    (4, 0)
    """
    return GROUND_CODES.get((word or "").strip().lower(), 0)


def codes(
    ground: Array,
    material: Array,
    building: Array,
    burning: Array,
    external: Array,
    armour: Array,
    collapsed: Array,
    consumed: Array,
    demolished: Array,
) -> Array:
    """The swatch that each hex shows: (cells,) uint8, places in `SWATCHES`.

    All arguments have one entry per hex: `ground` and `material` are codes (a material beyond the table shows as the
    unnamed one), `building` is 0 where none stands, the others are as in the town's state. A hex that burns shows its
    collapse first, then whether the fire is still inside [TN-23], then whether it is an inferno [TN-61].

    >>> one = np.array([1])
    >>> SWATCHES[codes(one * 0, one, one, one, one, one * 0, one * 0, one * 0, one * 0)[0]].label
    'burning fiercely (armour 0)'
    """
    stands = np.asarray(building) > 0
    known = np.asarray(material) < len(MATERIALS)
    shown = np.where(np.asarray(ground) < len(GROUNDS), ground, 0).astype(np.uint8)
    shown[stands] = (FIRST_MATERIAL + np.where(known, material, MATERIAL_CODES["unknown3"])).astype(np.uint8)[stands]
    alight = stands & (np.asarray(burning) != 0)
    shown[alight] = BURNING
    shown[alight & (np.asarray(armour) <= 0)] = FIERCE
    shown[alight & (np.asarray(external) == 0)] = INSIDE
    shown[alight & (np.asarray(collapsed) != 0)] = COLLAPSED
    shown[stands & (np.asarray(consumed) != 0)] = BURNT
    shown[np.asarray(demolished) != 0] = DEMOLISHED
    return shown
