"""The drawing room and the town agree on what a prepared scenario holds."""

from pathlib import Path

import numpy as np
from PIL import Image

from firesim.render.burnmap import burn_map
from firesim.render.snapshot import snapshot
from firesim.render.view import view
from firesim.rules.base import system_named
from firesim.rules.town import look

RIVERSIDE = Path(__file__).resolve().parents[2] / "maps" / "riverside.toml"


def riverside():
    import firesim

    scenario = firesim.load(RIVERSIDE)
    assert scenario.system == "town"
    return system_named("town").prepare(scenario)


def test_a_shipped_town_is_seen_with_its_buildings_and_names():
    prepared = riverside()
    seen = view(prepared)
    codes = prepared.system.scene(prepared, prepared.first, (), 0).codes
    assert len(codes) == seen.cells == seen.building.size
    built = (codes >= look.FIRST_MATERIAL) & (codes < look.INSIDE)
    assert built.any()
    assert ((seen.building > 0) == built).all()
    assert "church" in seen.labels.values()
    assert seen.roof_marks == look.ROOF_MARKS


def test_a_shipped_town_is_drawn(tmp_path):
    prepared = riverside()
    scene = prepared.system.scene(prepared, prepared.first, (), 0)
    snapshot(prepared, scene, tmp_path / "a.png", title="Riverside")
    burn_map(prepared, np.linspace(0, 1, len(scene.codes)), tmp_path / "b.png", title="Riverside")
    for name in ("a.png", "b.png"):
        with Image.open(tmp_path / name) as image:
            assert image.width > 900
