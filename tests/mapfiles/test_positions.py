"""The line and column of every key of a TOML text."""

import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firesim.mapfiles.positions import Positions

TEXT = '''\
# a comment with [brackets] and "quotes
system = "town"   # another = one
a.b."c d" = 1

[map]
rows = [
  "h . .",   # a comment
  " . x .", 'lit "" eral', """
  many
""",
]
[map.legend]
h = { st = 3, 'k' = [1, { x = 2 }], note = "}" }
"?" = { st = 4 }
[[ignite]]
cell = [0, 1]
[[ignite]]
  cell = [
    5,
    6 ]
[ignite.more]
deep = 1979-05-27 07:32:00
[[ignite.list]]
z = \'\'\'
[no]
\'\'\'
w = """a \\""" " ""b"""""
last = 1
'''

PLACES = [
    (("system",), (2, 1)),
    (("a",), (3, 1)),
    (("a", "b", "c d"), (3, 5)),
    (("map",), (5, 2)),
    (("map", "rows"), (6, 1)),
    (("map", "rows", 0), (7, 3)),
    (("map", "rows", 1), (8, 3)),
    (("map", "rows", 2), (8, 13)),
    (("map", "rows", 3), (8, 28)),
    (("map", "legend", "h", "st"), (13, 7)),
    (("map", "legend", "h", "k"), (13, 15)),
    (("map", "legend", "h", "k", 1, "x"), (13, 27)),
    (("map", "legend", "h", "note"), (13, 37)),
    (("map", "legend", "?", "st"), (14, 9)),
    (("ignite", 0), (15, 3)),
    (("ignite", 0, "cell", 1), (16, 12)),
    (("ignite", 1), (17, 3)),
    (("ignite", 1, "cell", 1), (20, 5)),
    (("ignite", 1, "more", "deep"), (22, 1)),
    (("ignite", 1, "list", 0, "z"), (24, 1)),
    (("ignite", 1, "list", 0, "w"), (27, 1)),
    (("ignite", 1, "list", 0, "last"), (28, 1)),
    (("map", "legend", "h", "missing"), (13, 1)),
    (("ignite", 1, "cell", 9), (18, 3)),
    (("missing",), (1, 1)),
    ((), (1, 1)),
]


@pytest.mark.parametrize(("where", "place"), PLACES)
def test_every_kind_of_key_is_found(where, place):
    tomllib.loads(TEXT)
    assert Positions(TEXT).of(where) == place


# --- any document: what is written is found where it was written ---

KEYS = st.sampled_from(["a", "b-c", "d_1", "9", '"e f"', "'g.h'", '"i\\"[j"', "'#'", '"é"'])
SPACE = st.sampled_from(["", " ", "  "])
BREAK = st.sampled_from(["", " ", "\n", ' # [c] = "d\n  ', "\n\n"])
SCALARS = st.sampled_from(
    [
        "1",
        "-2.5",
        "true",
        '"a # b"',
        "'c ] d'",
        '"\\" = ["',
        "1979-05-27 07:32:00",
        "'''\n[x]\n'''",
        '"""q\\""" ""r"""""',
        "inf",
    ]
)


class Writer:
    """Writes TOML and notes where each key goes."""

    def __init__(self, draw):
        self.draw, self.text, self.places = draw, "", {}

    def mark(self, where):
        before = self.text
        self.places.setdefault(where, (before.count("\n") + 1, len(before) - before.rfind("\n")))

    def key(self, where, more):
        """A dotted key of one or two parts, none of it used in this table before."""
        name = self.draw(KEYS.filter(lambda k: (*where, plain_key(k)) not in self.places))
        self.text += self.draw(SPACE)
        where += (plain_key(name),)
        self.mark(where)
        self.text += name + self.draw(SPACE)
        if more:
            self.text += "." + self.draw(SPACE)
            where += ("sub",)
            self.mark(where)
            self.text += "sub" + self.draw(SPACE)
        return where

    def pair(self, where, depth):
        where = self.key(where, self.draw(st.booleans()))
        self.text += "=" + self.draw(SPACE)
        self.value(where, depth)

    def value(self, where, depth):
        kind = self.draw(st.integers(0, 4 if depth else 2))
        if kind <= 2:
            self.text += self.draw(SCALARS)
        elif kind == 3:
            self.text += "["
            for i in range(self.draw(st.integers(0, 3))):
                self.text += ("," if i else "") + self.draw(BREAK)
                self.mark((*where, i))
                self.value((*where, i), depth - 1)
                self.text += self.draw(BREAK)
            self.text += "]"
        else:
            self.text += "{"
            for i in range(self.draw(st.integers(0, 2))):
                self.text += "," if i else ""
                self.pair(where, depth - 1)
                self.text += self.draw(SPACE)
            self.text += "}"

    def body(self, where):
        for _ in range(self.draw(st.integers(0, 2))):
            self.pair(where, 2)
            self.text += self.draw(SPACE) + self.draw(st.sampled_from(["\n", " # c\n", "\n\n"]))


def plain_key(name):
    return next(iter(tomllib.loads(f"{name} = 1")))


@st.composite
def documents(draw):
    writer = Writer(draw)
    writer.body(())
    for number in range(draw(st.integers(0, 3))):
        array = draw(st.booleans())
        for i in range(draw(st.integers(1, 2)) if array else 1):
            writer.text += "[[" if array else "["
            where = (f"t{number}",)
            writer.mark(where)
            if array:
                where += (i,)
                writer.mark(where)
            writer.text += f"t{number}" + ("]]\n" if array else "]\n")
            writer.body(where)
            if draw(st.booleans()):
                writer.text += f"[t{number} . "
                writer.mark((*where, "z"))
                writer.text += "z]\n"
                writer.body((*where, "z"))
    return writer.text, writer.places


def paths(data, where=()):
    if where:
        yield where
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        yield from paths(value, (*where, key))


@settings(max_examples=150, deadline=None)
@given(documents())
def test_every_key_of_any_document_is_found_where_it_was_written(document):
    text, places = document
    data = tomllib.loads(text)
    assert set(paths(data)) == set(places)
    found = Positions(text)
    assert {where: found.of(where) for where in places} == places


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="ab.=[]{}'\"\\#\n ,1", max_size=60))
def test_no_text_breaks_the_finder(text):
    line, column = Positions(text).of(("a", "b", 0))
    assert 1 <= line <= text.count("\n") + 1
    assert column >= 1
