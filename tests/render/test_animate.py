"""Animations: what is seen after each frame is the scene, whatever was left transparent."""

import os
import shutil
import tracemalloc

import numpy as np
import pytest
from PIL import Image

from firesim.core.problems import InputError
from firesim.render import film
from firesim.render.animate import Studio, animate, nearest
from firesim.render.gif import TRANSPARENT, GifWriter
from firesim.render.view import view
from firesim.rules.base import Arrow
from tests.render.towns import scene, town


def spread(prepared, count):
    """Scenes of a fire that takes one more hex each turn, with an arrow and a changing wind."""
    cells = np.flatnonzero(prepared.buildings[:-1])
    for turn in range(count):
        flights = [Arrow(int(cells[turn]), int(cells[turn + 1]), turn % 2 == 0)] if turn % 3 == 1 else []
        wind = None if turn % 4 == 0 else turn % 6
        yield scene(prepared, cells[turn // 2 : turn], cells[: turn // 2], f"Turn {turn}", arrows=flights, wind=wind)


def composed(path):
    """The frames as a viewer shows them (n, height, width, 3), and each one's milliseconds."""
    frames, times = [], []
    with Image.open(path) as image:
        for number in range(image.n_frames):
            image.seek(number)
            frames.append(np.asarray(image.convert("RGB")))
            times.append(image.info["duration"])
    return np.array(frames), times


@pytest.mark.parametrize("orientation", ["pointy", "flat"])
@pytest.mark.parametrize(
    ("shape", "size"), [((5, 6), None), ((5, 6), 100), ((30, 20), 170), ((40, 40), 90), ((90, 95), 60)]
)
def test_composed_frames_equal_frames_drawn_directly(tmp_path, shape, size, orientation):
    prepared = town(*shape, orientation)
    scenes = list(spread(prepared, 9))
    assert animate(prepared, iter(scenes), tmp_path / "a.gif", title="A town", size=size) == 9
    shown, _ = composed(tmp_path / "a.gif")
    for number, each in enumerate(scenes):
        if number % 4 == 0:  # a new one now and then: what it drew before must not show
            studio = Studio(view(prepared), scenes[0], "A town", size)
        assert (shown[number] == studio.palette[studio.frame(each)]).all(), number
    assert (shown[3] != shown[4]).any()


def test_frames_times_and_loop(tmp_path):
    prepared = town(4, 5)
    still = scene(prepared)
    done = []
    count = animate(
        prepared, [still, still, *spread(prepared, 3)], tmp_path / "a.gif", title="T", fps=5, progress=done.append
    )
    _, times = composed(tmp_path / "a.gif")
    assert count == len(times) == 5
    assert times == [200, 200, 200, 200, 3000]
    assert done == [1, 2, 3, 4, 5]
    with Image.open(tmp_path / "a.gif") as image:
        assert image.info["loop"] == 0


def test_the_map_in_a_frame_is_the_scenes_colours():
    prepared = town(6, 7)
    shown = scene(prepared, burning=[1], consumed=[3])
    studio = Studio(view(prepared), shown, "A town", 400)
    frame = studio.palette[studio.frame(shown)]
    plan, sheet = studio._plan, studio.sheet
    part = frame[sheet.map_top : sheet.map_top + sheet.map_height, sheet.map_left : sheet.map_left + sheet.map_width]
    for cell, code in enumerate(shown.codes):
        colour = [int(prepared.system.swatches[code].colour[i : i + 2], 16) for i in (1, 3, 5)]
        share = (part[plan.index == cell] == colour).all(axis=1).mean()
        assert share > 0.45, cell
    assert (part[plan.index == plan.rows * plan.cols] == 255).all()


def test_scenes_are_taken_one_by_one_and_memory_stays_bounded(tmp_path):
    prepared = town(500, 500)
    taken = []

    def scenes(count):
        for turn in range(count):
            taken.append(turn)
            yield scene(prepared, burning=range(turn * 50, turn * 50 + 2000), caption=f"Turn {turn}")

    def one_more(done):
        assert len(taken) == done, "a scene was taken before the last one was drawn"

    peaks = []
    for count in (3, 12):
        tracemalloc.start()
        animate(prepared, scenes(count), tmp_path / "a.gif", title="A city", progress=one_more)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        taken.clear()
    assert peaks[1] < 1.2 * peaks[0]
    assert peaks[1] < 150e6


def test_a_failure_among_the_scenes_leaves_no_file(tmp_path):
    prepared = town(3, 3)

    def scenes():
        yield scene(prepared)
        yield scene(prepared, burning=[1])
        raise KeyError("bug")

    with pytest.raises(KeyError):
        animate(prepared, scenes(), tmp_path / "a.gif", title="A town")
    assert os.listdir(tmp_path) == []


def test_what_cannot_be_animated_is_told(tmp_path):
    prepared = town(3, 3)
    with pytest.raises(InputError, match="at least one scene"):
        animate(prepared, [], tmp_path / "a.gif", title="A town")
    with pytest.raises(InputError, match="frames per second"):
        animate(prepared, [scene(prepared)], tmp_path / "a.gif", title="A town", fps=0)
    with pytest.raises(InputError, match=r"\.gif or \.mp4"):
        animate(prepared, [scene(prepared)], tmp_path / "a.avi", title="A town")
    with pytest.raises(InputError, match="there is no folder"):
        animate(prepared, [scene(prepared)], tmp_path / "no" / "a.gif", title="A town")
    assert os.listdir(tmp_path) == []


def test_an_mp4_without_ffmpeg_says_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setitem(__import__("sys").modules, "imageio_ffmpeg", None)
    prepared = town(3, 3)
    with pytest.raises(InputError, match=r"needs the program ffmpeg.*pip install 'firesim\[video\]'"):
        animate(prepared, [scene(prepared)], tmp_path / "a.mp4", title="A town")
    assert os.listdir(tmp_path) == []


STAND_IN = """#!/bin/sh
for last; do :; done
{body}
"""


@pytest.mark.skipif(os.name == "nt", reason="the stand-in for ffmpeg is a shell script")
@pytest.mark.parametrize("works", [True, False])
def test_an_mp4_gets_every_frame_and_a_failing_ffmpeg_is_told(tmp_path, monkeypatch, works):
    stand_in = tmp_path / "ffmpeg"
    stand_in.write_text(
        STAND_IN.format(body='cat > "$last"' if works else "cat > /dev/null; echo no such codec >&2; exit 1")
    )
    stand_in.chmod(0o755)
    monkeypatch.setattr(film, "ffmpeg_program", lambda: str(stand_in))
    monkeypatch.setattr("firesim.render.animate.ffmpeg_program", lambda: str(stand_in))
    prepared, target = town(3, 3), tmp_path / "a.mp4"
    scenes = [scene(prepared, caption="Turn 0"), scene(prepared, burning=[1], caption="Turn 1")]
    if not works:
        with pytest.raises(InputError, match="no such codec"):
            animate(prepared, scenes, target, title="A town")
        assert os.listdir(tmp_path) == ["ffmpeg"]
        return
    assert animate(prepared, scenes, target, title="A town", fps=2) == 2
    studio = Studio(view(prepared), scenes[0], "A town", None)
    frames = [studio.palette[studio.frame(each)].tobytes() for each in scenes]
    assert target.read_bytes() == frames[0] + frames[1] * 6  # two frames a second, the last held for three
    assert studio.sheet.width % 2 == studio.sheet.height % 2 == 0


def test_a_gif_of_random_bytes_comes_back(tmp_path):
    rng = np.random.default_rng(5)
    palette = rng.integers(0, 256, (TRANSPARENT, 3)).astype(np.uint8)
    frames = [rng.integers(0, TRANSPARENT, (23, 31)).astype(np.uint8)]
    for _ in range(6):
        frames.append(frames[-1].copy())
        frames[-1][rng.random((23, 31)) < 0.1] = rng.integers(0, TRANSPARENT)
    with (tmp_path / "a.gif").open("wb") as file:
        writer = GifWriter(file, 23, 31, palette)
        for frame in frames:
            writer.add(frame, 0.1)
        writer.close()
    shown, times = composed(tmp_path / "a.gif")
    assert (shown == palette[np.array(frames)]).all()
    assert times == [100] * 7


def test_nearest_finds_the_nearest_colour():
    rng = np.random.default_rng(2)
    palette = np.concatenate([rng.integers(0, 256, (40, 3)), [[255, 255, 255]]]).astype(np.uint8)
    image = rng.integers(0, 256, (9, 8, 3)).astype(np.uint8)
    image[0, :3] = 255
    expected = ((image[:, :, None].astype(int) - palette.astype(int)) ** 2).sum(-1).argmin(-1)
    assert (nearest(image, palette) == expected).all()


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"fps": 0.0}, "0 frames per second: expected from 0.1 to 50"),
        ({"fps": float("nan")}, "nan frames per second"),
        ({"fps": 50.5}, "50.5 frames per second"),
        ({"size": 49}, "a picture of 49 pixels: expected from 50 to 4,000"),
        ({"size": 4001}, "a picture of 4,001 pixels"),
    ],
)
def test_speed_and_size_have_bounds(tmp_path, how, message):
    prepared = town(2, 3)
    with pytest.raises(InputError, match=message):
        animate(prepared, [scene(prepared)], tmp_path / "a.gif", title="A town", **how)
    assert list(tmp_path.iterdir()) == []


def test_at_the_slowest_speed_the_last_frame_is_held_as_long_as_the_others(tmp_path):
    prepared = town(2, 3)
    animate(prepared, spread(prepared, 3), tmp_path / "a.gif", title="A town", fps=0.1)
    assert composed(tmp_path / "a.gif")[1] == [10_000] * 3
