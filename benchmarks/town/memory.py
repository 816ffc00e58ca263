"""Memory: ten thousand fires in a town of a million houses, a study in memory, in a process of its own."""

from __future__ import annotations

import json
import subprocess

from benchmarks.harness import Row, Settings, python

SIZE, TURNS = 1000, 30
"""A town of SIZE x SIZE houses, each fire of it stopped after so many turns."""

SEED = 27
FIRES_EACH = 10
"""With the default of 1,000 fires asked for these are ten thousand."""

BURN = """
import json, resource, sys, time
from benchmarks.town.scenes import houses
from firesim.api import load, prepared
from firesim.studies.study import burn
size, turns, fires, seed = json.loads(sys.argv[1])
began = time.perf_counter()
ready = prepared(load(houses(size) | {"steps": turns}))
made = time.perf_counter()
burnt = burn(ready, seed, 0, fires)
burnt_at = time.perf_counter()
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps([made - began, burnt_at - made, peak, float(burnt.outcomes["consumed"].mean())]))
"""


def measure(settings: Settings) -> list[Row]:
    """Peak memory and rate; the kernels are compiled by a small town in another process beforehand."""
    fires = FIRES_EACH * settings.fires
    burnt(8, 2)
    making, burning, peak, consumed = burnt(SIZE, fires)
    note = f"{fires:,} fires of {TURNS} turns, {consumed:.0f} houses consumed in each"
    return [
        Row("memory", f"peak memory of a study in {SIZE * SIZE:,} houses", peak, "MiB", note=note),
        Row("memory", "the town checked and made ready", making, "s"),
        Row("memory", "fires a second in it", fires / burning, "", note=note),
    ]


def burnt(size: int, fires: int) -> list[float]:
    """Seconds until the town is ready and of its fires, peak memory in MiB, and how many houses a fire consumed."""
    done = subprocess.run(
        [python(), "-c", BURN, json.dumps([size, TURNS, fires, SEED])], capture_output=True, text=True, check=True
    )
    return [float(figure) for figure in json.loads(done.stdout)]
