"""What a map file does not say of a building: material, roof, floors. Tables by class, drawn with a seed.

All [INV]: the book gives sizes and stories [TN-56], materials and roofs [TN-34, TN-36], but no census. A building's
draws hang on (seed, its number in the file, what is drawn) alone: the same on any machine, and one more building
changes no other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from firesim.mapfiles.hexes_from_polygons import HEX_M2

MATERIALS = ("light", "wooden", "wattle and daub", "unknown3", "earthen", "adobe", "brick", "stone")
ROOFS = ("thatch", "cloth", "wood shingles", "clay tile", "slate")
MASONRY = ("brick", "stone")
FLOORS_MOST = 100
ST_MOST = 1_000_000
ST_PER_FLOOR = 10
"""Structure of a whole hex for each story [A1-18]."""

HUT_ST = 2

MEGAHEX_M2 = HEX_M2 / 7
"""A village hex is seven megahexes [TN-58]."""

Weights = dict[str, int]

MATERIAL_WEIGHTS: dict[str, Weights] = {
    "hut": {"light": 25, "wooden": 25, "wattle and daub": 50},
    "poor": {"light": 10, "wooden": 45, "wattle and daub": 45},
    "common": {"wooden": 50, "wattle and daub": 35, "brick": 8, "stone": 7},
    "rich": {"wooden": 25, "wattle and daub": 10, "brick": 30, "stone": 35},
}
ROOF_WEIGHTS: dict[str, Weights] = {
    "hut": {"thatch": 85, "wood shingles": 15},
    "poor": {"thatch": 70, "wood shingles": 30},
    "common": {"thatch": 35, "wood shingles": 40, "clay tile": 20, "slate": 5},
    "rich": {"wood shingles": 30, "clay tile": 45, "slate": 25},
    "masonry": {"wood shingles": 20, "clay tile": 50, "slate": 30},
}
FLOOR_ROWS: tuple[tuple[float, tuple[int, ...], str], ...] = (
    (4, (1,), "hut"),
    (8, (1, 2), "small"),
    (11, (2,), "medium"),
    (25, (2, 3), "large"),
    (35, (3,), "manor"),
    (float("inf"), (2, 3), "beyond the book's table: a row of houses"),
)
"""Below so many megahexes of footprint: stories to draw from, and the size's name [TN-56]."""

_POOR_WORDS = ("slum", "hovel", "shack", "shant", "beggar", "rats", "mud", "dregs", "gutter", "outcast", "sewer")
_RICH_WORDS = ("castle", "citadel", "fortress", "palace", "noble", "manor", "temple", "cathedral", "upper", "royal")


@dataclass(frozen=True, slots=True)
class Furnished:
    """A building with nothing left open; `st` is the ST of each of its hexes where the user gave one, else 0."""

    name: str
    number: int
    district: str
    area_m2: float
    material: str
    roof: str
    floors: int
    st: int = 0
    given: frozenset[str] = frozenset()


def draw(seed: int, number: int, what: str, weights: Mapping[Any, int] | Sequence[Any]) -> Any:
    """One of the weighted choices, decided by a hash of (seed, building number, what is drawn)."""
    chances = weights if isinstance(weights, Mapping) else dict.fromkeys(weights, 1)
    digest = hashlib.blake2b(f"{seed} {number} {what}".encode(), digest_size=8).digest()
    left = (int.from_bytes(digest, "big") * sum(chances.values())) >> 64
    for choice, weight in chances.items():
        if left < weight:
            return choice
        left -= weight
    raise AssertionError("weights that add up to nothing")


def class_of_district(name: str, areas_m2: Sequence[float], town_median_m2: float) -> str:
    """`poor`, `common` or `rich`: by a word in the district's name, else by buildings half or twice the usual size."""
    words = name.lower().split()
    if any(word.startswith(_POOR_WORDS) for word in words):
        return "poor"
    if any(word.startswith(_RICH_WORDS) for word in words):
        return "rich"
    usual = median(areas_m2)
    if name and len(areas_m2) >= 5:
        if usual < town_median_m2 / 2:
            return "poor"
        if usual > town_median_m2 * 2:
            return "rich"
    return "common"


def size_of(area_m2: float) -> tuple[tuple[int, ...], str]:
    """The stories a footprint may have and the size's name [TN-56].

    >>> size_of(72.4)
    ((1, 2), 'small')
    """
    for most, stories, name in FLOOR_ROWS:
        if area_m2 / MEGAHEX_M2 < most:
            return stories, name
    raise AssertionError("the last row has no end")


def furnish(
    number: int, name: str, district: str, area_m2: float, place: str, seed: int, given: Mapping[str, str | int]
) -> Furnished:
    """A building complete: what is given (`material`, `roof`, `floors`, `st`) stays, the rest is drawn."""
    stories, size = size_of(area_m2)
    row = "hut" if size == "hut" else place
    material = str(given.get("material") or draw(seed, number, "material", MATERIAL_WEIGHTS[row]))
    roofs = ROOF_WEIGHTS["masonry" if material in MASONRY else row]
    roof = str(given.get("roof") or draw(seed, number, "roof", roofs))
    floors = int(given.get("floors") or draw(seed, number, "floors", stories))
    st = int(given.get("st") or 0)
    known = frozenset(key for key, value in given.items() if value)
    return Furnished(name, number, district, area_m2, material, roof, floors, st, known)


def structure(floors: int, cover: float, area_m2: float) -> int:
    """ST of a hex of which a share is covered: 10 for each story of a whole hex [INV, A1-18].

    At least 1, and 2 for a hut, a building whose whole footprint is a megahex or less.

    >>> structure(2, 0.75, 120.0)
    15
    """
    return max(HUT_ST if area_m2 <= MEGAHEX_M2 else 1, round(ST_PER_FLOOR * floors * cover))


def table(classes: Mapping[str, str], seed: int) -> str:
    """The defaults in force, as text: weights in per cent, stories by size, the class of each district."""
    lines = [
        f"seed {seed}; ST of a hex = {ST_PER_FLOOR} x floors x share of the hex covered, at least 1, a hut {HUT_ST}"
    ]
    for row, weights in MATERIAL_WEIGHTS.items():
        lines.append(f"material, {row}: " + ", ".join(f"{word} {w} %" for word, w in weights.items()))
    for row, weights in ROOF_WEIGHTS.items():
        lines.append(f"roof, {row}: " + ", ".join(f"{word} {w} %" for word, w in weights.items()))
    for most, stories, name in FLOOR_ROWS:
        size = f"under {most * MEGAHEX_M2:.0f} m2" if most != float("inf") else "larger"
        lines.append(f"floors, {size} ({name}): " + " or ".join(map(str, stories)))
    for place, kind in classes.items():
        lines.append(f"district {place or '(none)'}: {kind}")
    return "\n".join(lines)
