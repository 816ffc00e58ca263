"""The names of the town's tables and grounds, their short forms, and the words for the wind [D-W14]."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from firesim.core.tables import Tables
from firesim.grid.links import HEADINGS

Kind = Literal["material", "roof", "accelerant", "ground"]

GROUNDS = ("open", "road", "square", "water", "river", "green", "field", "tree", "wall", "bridge", "rock")
"""What open ground may be; it differs in pictures only."""

WIND_WORDS = ("none", "die")
"""No wind, and a d6 each turn that says where it blows."""

SHORT_FORMS: dict[str, dict[str, str]] = {
    "material": {
        "wood": "wooden",
        "timber": "wooden",
        "wattle": "wattle and daub",
        "daub": "wattle and daub",
        "wattle & daub": "wattle and daub",
        "?": "unknown3",
        "unknown": "unknown3",
        "earth": "earthen",
        "adobe brick": "adobe",
        "bricks": "brick",
        "stones": "stone",
    },
    "roof": {
        "thatched": "thatch",
        "shingle": "wood shingles",
        "shingles": "wood shingles",
        "wood shingle": "wood shingles",
        "wooden shingles": "wood shingles",
        "tile": "clay tile",
        "tiles": "clay tile",
        "clay tiles": "clay tile",
        "slates": "slate",
    },
    "accelerant": {
        "powder": "gunpowder",
        "black powder": "gunpowder",
        "papers": "paper",
        "alcohol": "spirit alcohol",
        "spirit": "spirit alcohol",
        "spirits": "spirit alcohol",
        "resin": "resins",
    },
    "ground": {"street": "road", "fields": "field", "trees": "tree", "rocks": "rock"},
}
"""Short forms of names, written in lower case with single blanks."""


@lru_cache(maxsize=1)
def book() -> Tables:
    """The town's tables as the book has them."""
    return Tables.read("firesim.rules.town")


def known(kind: Kind) -> list[str]:
    """The names of a kind, as the tables have them."""
    return list(GROUNDS) if kind == "ground" else list(book()[kind].values)


def canonical(kind: Kind, word: str) -> str | None:
    """The table's name for a material, roof, accelerant or ground; short forms and capitals are taken; None = unknown.

    >>> canonical("material", "Daub")
    'wattle and daub'
    """
    bare = " ".join(word.lower().replace("_", " ").replace("-", " ").split())
    if bare in known(kind):
        return bare
    return SHORT_FORMS[kind].get(bare)


def wind(word: str, orientation: str) -> str | None:
    """`none`, `die` or the heading that `word` means on a map of this orientation; None when it is none of these.

    >>> wind("ne", "pointy"), wind("N", "pointy")
    ('NE', None)
    """
    bare = word.strip()
    if bare.lower() in WIND_WORDS:
        return bare.lower()
    return bare.upper() if bare.upper() in HEADINGS[orientation] else None
