"""The town's names and their short forms."""

import pytest

from firesim.rules.town.names import GROUNDS, SHORT_FORMS, book, canonical, known, wind


@pytest.mark.parametrize(
    ("kind", "word", "name"),
    [
        ("material", "wood", "wooden"),
        ("material", "Wattle", "wattle and daub"),
        ("material", "wattle-and-daub", "wattle and daub"),
        ("material", "?", "unknown3"),
        ("material", "ADOBE", "adobe"),
        ("roof", "tiles", "clay tile"),
        ("roof", "wood_shingle", "wood shingles"),
        ("accelerant", "powder", "gunpowder"),
        ("accelerant", "Spirits", "spirit alcohol"),
        ("accelerant", "resin", "resins"),
        ("ground", "street", "road"),
        ("material", "thatch", None),
        ("roof", "", None),
    ],
)
def test_short_forms_have_one_meaning(kind, word, name):
    assert canonical(kind, word) == name


def test_every_short_form_means_a_name_of_the_table():
    for kind, forms in SHORT_FORMS.items():
        assert set(forms.values()) <= set(known(kind))
        assert not set(forms) & set(known(kind))
    assert known("material") == list(book()["material"].values)
    assert known("ground") == list(GROUNDS)


def test_wind_words():
    assert [wind(w, "pointy") for w in ("None", "DIE", "ne", "N")] == ["none", "die", "NE", None]
    assert [wind(w, "flat") for w in ("n", "E")] == ["N", None]
