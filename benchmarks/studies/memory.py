"""Memory: ten million fires of the lone house, in memory and into a folder, each in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.harness import Row, Settings

HOUSE = Path(__file__).resolve().parents[2] / "maps" / "house.toml"
SEED = 25
FIRES_EACH = 10_000
"""With the default of 1,000 fires asked for these are ten million."""

BURN = """
import json, resource, sys, time
import firesim
source, fires, seed, out = json.loads(sys.argv[1])
firesim.study(source, 10, seed=seed)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
began = time.perf_counter()
made = firesim.study(source, fires, seed=seed, out=out)
seconds = time.perf_counter() - began
print(json.dumps([
    seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, before / 1024, made.outcomes.nbytes / 2**20
]))
"""


def measure(settings: Settings) -> list[Row]:
    """Peak memory and time; the rows alone beside it."""
    fires = FIRES_EACH * settings.fires
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for where, out in (("in memory", None), ("into a folder", str(Path(folder) / "study"))):
            done = subprocess.run(
                [sys.executable, "-c", BURN, json.dumps([str(HOUSE), fires, SEED, out])],
                capture_output=True, text=True, check=True,
            )  # fmt: skip
            seconds, peak, before, outcomes = json.loads(done.stdout)
            note = f"{fires:,} fires; {before:.0f} MiB before, {outcomes:.0f} MiB of outcome rows"
            rows.append(Row("memory", f"peak memory of the lone house, {where}", peak, "MiB", note=note))
            rows.append(Row("memory", f"and its time, {where}", seconds, "s", note=note))
        if out:
            size = sum(path.stat().st_size for path in Path(out).rglob("*") if path.is_file())
            rows.append(Row("memory", "and the folder", size / 2**20, "MiB"))
    return rows
