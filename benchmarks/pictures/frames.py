"""Frames: a hundred frames of a fire as a GIF, each kind of map in a process of its own; nothing to compare with."""

from __future__ import annotations

import json
import subprocess
from statistics import median

from benchmarks.harness import Row, Settings, python

MAPS = {
    "a town of 60 x 60 hexes": "burning_town(60)",
    "a town of 500 x 500 hexes": "burning_town(500)",
    "the freighter": "burning_freighter()",
}

SEED = 15

DRAW = """
import json, resource, sys, tempfile, time
from pathlib import Path
from benchmarks.pictures import scenes
from firesim import api, outputs
made, seed, rounds = json.loads(sys.argv[1])
fire = api.run(eval(made, vars(scenes)), seed=seed)
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
frames, seconds, wall = [], [], []
with tempfile.TemporaryDirectory() as folder:
    before = peak()
    for _ in range(rounds):
        done = []
        began, clock = time.process_time(), time.perf_counter()
        outputs.write_animation(fire, Path(folder) / "fire.gif", done.append)
        seconds.append(time.process_time() - began)
        wall.append(time.perf_counter() - clock)
        frames.append(len(done))
    size = (Path(folder) / "fire.gif").stat().st_size / 2**20
print(json.dumps([frames[0], seconds, wall, before, peak(), size]))
"""


def measure(settings: Settings) -> list[Row]:
    """Seconds of processor time, the kernel's replay of the fire included, frames and peak memory."""
    rows = []
    for name, made in MAPS.items():
        done = subprocess.run(
            [python(), "-c", DRAW, json.dumps([made, SEED, settings.rounds])],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        frames, seconds, wall, before, peak, size = json.loads(done.stdout)
        low, high = min(seconds), max(seconds)
        note = f"a GIF of {size:.1f} MiB; {median(wall):.2f} s on the wall"
        rows += [
            Row("frames", f"frames of {name}", frames, "frames"),
            Row("frames", f"seconds for {name}", median(seconds), "s", low, high, note),
            Row("frames", f"peak memory of {name}", peak, "MiB", note=f"{before:.0f} MiB before the first frame"),
        ]
    return rows
