"""No document, however strange, makes the check of a ship raise; what it lets pass can be made ready to burn."""

from hypothesis import strategies as st

import firesim
from firesim.api import prepared
from firesim.rules.ship.check import check
from firesim.rules.ship.words import Crew, Item, Options, Ship
from tests.rules.documents import anything, check_of_a_change_never_raises, check_of_anything_never_raises
from tests.rules.ship.good_ship import GOOD

NAMES = [
    *Ship.model_fields,
    *Crew.model_fields,
    *Item.model_fields,
    *Options.model_fields,
    "rows",
    "legend",
    "cells",
    "step",
    "alight",
    "module",
    "external_door",
    "extinguish",
    "difficulty",
    "h",
    ".",
]
WORDS = ["weapon", "ignite", "door", "barrel", "Ada", "c l q", "move", "carry", "grapple", "open door", "ship"]
ANY = anything(NAMES, WORDS)
KEYS = ("order", "target", "path", "cell", "square", "name", "health", "engineering")
PATHS = [
    ("map",),
    ("map", "rows"),
    ("map", "rows", 1),
    ("map", "legend"),
    ("map", "legend", "c"),
    ("map", "legend", "c", "external_door"),
    ("map", "grid"),
    ("options",),
    ("options", "side"),
    ("ignite",),
    ("ignite", 0),
    ("ignite", 0, "cell"),
    ("event",),
    ("event", 0),
    ("event", 0, "kind"),
    ("event", 1, "cells"),
    ("event", 1, "cells", 0),
    ("crew",),
    *(("crew", number) for number in range(5)),
    *(("crew", number, key) for number in range(5) for key in KEYS),
    ("crew", 2, "order", 1),
    ("crew", 3, "path", 1),
    ("item",),
    ("item", 0),
    ("item", 0, "square"),
    ("watch",),
    ("watch", 0),
    ("watch", 0, "cells"),
    ("tables",),
    ("tables", "extinguish"),
]
CLOSE = st.one_of(
    ANY,
    st.sampled_from(["move", "carry", "none", "station all", "spacewalk", "Bo", "Dor", "cargo"]),
    st.lists(st.lists(st.integers(0, 3), min_size=2, max_size=2), max_size=4),
    st.lists(st.sampled_from(["open door", "hold door", "move", "extinguish all"]), max_size=3),
    st.tuples(st.integers(0, 3), st.integers(0, 3)).map(list),
)
"""Values of which many are nearly right."""


def test_no_document_makes_the_check_raise():
    check_of_anything_never_raises(check, NAMES, ANY)


def is_made_ready(document, ship):
    assert len(prepared(firesim.load(document)).params.crew) == len(ship.crew)


def test_no_change_to_a_good_document_makes_the_check_raise():
    check_of_a_change_never_raises(check, GOOD, PATHS, CLOSE, 400, is_made_ready)


def test_the_good_document_is_good():
    assert check(GOOD.document)[1] == []
