"""Files that are wanted of a run: how they are to look is checked before anything is burnt."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from typer.testing import CliRunner

from firesim.cli import app
from firesim.core.problems import InputError
from firesim.outputs import Wanted

STREET = str(Path(__file__).resolve().parent.parent / "maps" / "street.toml")


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"gif": Path("a.gif"), "fps": 0.0}, "0 frames per second"),
        ({"gif": Path("a.gif"), "size": 7}, "a picture of 7 pixels"),
        ({"png": Path("a.png"), "fps": 5.0}, "--fps goes with an animation"),
        ({"log": "a.txt", "size": 500}, "--size goes with a picture"),
        ({"png": Path("a.png"), "spread": Path("./a.png")}, "a.png: --png and --spread name the same file"),
        ({"out": Path("new"), "sheets": Path("new")}, "--out and --sheets name the same file"),
        ({"png": Path("a.png"), "for_players": True}, "--player goes with --sheets"),
    ],
)
def test_what_does_not_go_together_is_told(how: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Wanted(**how).check()


def test_speed_and_size_of_what_run_draws(tmp_path: Path) -> None:
    def widths(*more: str) -> list[int]:
        files = ["--png", str(tmp_path / "a.png"), "--gif", str(tmp_path / "a.gif")]
        result = CliRunner().invoke(app, ["run", STREET, "--seed", "15", "--steps", "2", *files, *more])
        assert result.exit_code == 0, result.stderr
        with Image.open(tmp_path / "a.gif") as image:
            assert image.info["duration"] == (125 if "8" in more else 250) // 10 * 10
        return [Image.open(tmp_path / name).size[0] for name in ("a.png", "a.gif")]

    small, usual = widths("--size", "300", "--fps", "8"), widths()
    assert all(a < b - 200 for a, b in zip(small, usual, strict=True))
