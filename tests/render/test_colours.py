"""Swatches are told apart: by anyone, under colour-vision deficiencies, and on a grey print by their marks."""

from itertools import combinations

import numpy as np
import pytest

from firesim.render import palette
from firesim.render.marks import shapes
from firesim.rules.base import Scene
from firesim.rules.town import look

# Machado, Oliveira and Fernandes 2009, severity 1.0
MACHADO = {
    "normal": np.eye(3),
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritan": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
DESIGN = ["#4575b4", "#f5f5f5", "#bdbdbd", "#9c7a52", "#cbb885", "#ffe800", "#ff8c00", "#d7191c", "#1a1a1a", "#7a8791"]
FIRST_FIRE = look.INSIDE


def lab(colours, sight):
    """CIE L*a*b* (D65) of colours as a kind of sight sees them."""
    values = np.array([[int(c[i : i + 2], 16) / 255 for i in (1, 3, 5)] for c in colours])
    linear = np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)
    seen = np.clip(linear @ np.array(MACHADO[sight]).T, 0, 1)
    to_xyz = np.array(
        [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.072175], [0.0193339, 0.119192, 0.9503041]]
    )
    xyz = seen @ to_xyz.T / np.array([0.95047, 1, 1.08883])
    f = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.stack([116 * f[:, 1] - 16, 500 * (f[:, 0] - f[:, 1]), 200 * (f[:, 1] - f[:, 2])], axis=1)


def apart(colours, sight):
    seen = lab(colours, sight)
    return np.sqrt(((seen[:, None] - seen[None]) ** 2).sum(axis=2))


@pytest.mark.parametrize("sight", MACHADO)
def test_the_designs_ten_colours_are_told_apart(sight):
    away = apart(DESIGN, sight)[np.triu_indices(len(DESIGN), 1)]
    assert away.min() >= 14.7
    assert {swatch.colour for swatch in look.SWATCHES} >= set(DESIGN)


@pytest.mark.parametrize("sight", MACHADO)
def test_fire_is_told_from_everything(sight):
    away = apart([swatch.colour for swatch in look.SWATCHES], sight)
    for code in range(FIRST_FIRE, look.BURNT + 1):
        assert np.delete(away[code], code).min() >= 14.5, look.SWATCHES[code].label


@pytest.mark.parametrize("sight", MACHADO)
def test_materials_are_told_apart(sight):
    away = apart([swatch.colour for swatch in look.MATERIALS], sight)
    assert away[np.triu_indices(len(away), 1)].min() >= 8


@pytest.mark.parametrize("sight", MACHADO)
def test_no_two_swatches_look_the_same(sight):
    colours = [swatch.colour for swatch in look.SWATCHES]
    assert len(set(colours)) == len(colours)
    away = apart(colours, sight)
    assert away[np.triu_indices(len(away), 1)].min() >= 6


def test_a_grey_print_tells_swatches_by_their_marks():
    greys = np.array([palette.rgb(s.colour) @ np.array([0.299, 0.587, 0.114]) for s in look.SWATCHES])
    for one, other in combinations(range(len(greys)), 2):
        same_mark = look.SWATCHES[one].hatch == look.SWATCHES[other].hatch
        if same_mark:
            assert abs(greys[one] - greys[other]) >= 35, (look.SWATCHES[one].label, look.SWATCHES[other].label)


def test_every_mark_that_a_swatch_names_is_drawn():
    for swatch in (*look.SWATCHES, *look.ROOF_MARKS):
        assert bool(shapes(swatch.hatch)) == bool(swatch.hatch)


def test_the_codes_name_their_swatches():
    one, no = np.array([1]), np.array([0])

    def label(
        ground=no, material=no, building=one, burning=no, external=no, armour=one, collapsed=no, consumed=no, gone=no
    ):
        code = look.codes(ground, material, building, burning, external, armour, collapsed, consumed, gone)
        assert code.dtype == np.uint8
        return look.SWATCHES[code[0]].label

    assert label() == "light, flimsy"
    assert label(material=one) == "wooden"
    assert label(material=np.array([200])) == "unnamed material"
    assert label(building=no, ground=np.array([4])) == "river"
    assert label(building=no, burning=one) == "open ground, street"
    assert label(burning=one) == "burning inside"
    assert label(burning=one, armour=no) == "burning inside"
    assert label(burning=one, external=one) == "burning"
    assert label(burning=one, external=one, armour=no) == "burning fiercely (armour 0)"
    assert label(burning=one, external=one, collapsed=one) == "collapsed, burning"
    assert label(consumed=one, collapsed=one, external=one) == "burnt out"
    assert label(building=no, gone=one, consumed=one) == "demolished"


def test_a_legend_names_what_occurs_and_a_films_what_may_come():
    scene = Scene(np.array([0, 3, 3], np.uint8), "")
    assert palette.occurring(scene, look.SWATCHES) == [0, 3]
    assert palette.with_changes([0, 3], look.SWATCHES) == [0, 3, *range(FIRST_FIRE, len(look.SWATCHES))]


def test_a_palette_has_room_for_a_sheet():
    assert palette.has_shades(look.SWATCHES)
    assert len(palette.inked(look.SWATCHES)) <= 216
    many = look.SWATCHES * 8
    assert not palette.has_shades(many)
    assert len(palette.inked(many)) == len(many) + 1
