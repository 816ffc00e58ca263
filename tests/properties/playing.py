"""Plays towns in a process of its own, so that numba can be set otherwise there: `python -m tests.properties.playing`.

Reads a JSON list of [scenario, seed] and writes, as JSON, how numba was set and a fingerprint of each fire: all its
turns, faces and events, and its outcome.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
from numba import config

import firesim
from firesim.api import prepared
from firesim.play import Fire, frames

ROOT = Path(__file__).resolve().parents[2]
Case = tuple[dict[str, Any], int]


def fingerprint(document: dict[str, Any], seed: int) -> str:
    """A digest of all that a fire did."""
    ready = prepared(firesim.load(document))
    fire = Fire(ready, seed)
    digest = hashlib.sha256()
    for frame in frames(fire, ready.horizon):
        for array in frame.state:
            for name in array.dtype.names or ("",):
                values = np.ascontiguousarray(array[name] if name else array)
                digest.update(values.astype(np.int64).tobytes())
    digest.update(json.dumps([fire.faces, fire.outcome(), [event.as_dict() for event in fire.events()]]).encode())
    return digest.hexdigest()


def played(cases: list[Case]) -> dict[str, Any]:
    """The fingerprints of all cases, the outcomes of three fires of each in a study, and how numba was set."""
    return {
        "disabled": bool(vars(config)["DISABLE_JIT"]),
        "boundscheck": bool(vars(config)["BOUNDSCHECK"]),
        "package": str(Path(firesim.__file__).resolve()),
        "fires": [fingerprint(document, seed) for document, seed in cases],
        "studies": [firesim.study(d, 3, seed=s, workers=1).outcomes.tolist() for d, s in cases],
    }


def played_elsewhere(cases: list[Case], **settings: str) -> dict[str, Any]:
    """The same, from a process of its own with these environment variables."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("NUMBA_")} | settings
    done = subprocess.run(
        [sys.executable, "-m", "tests.properties.playing"],
        input=json.dumps(cases), capture_output=True, text=True, cwd=ROOT, env=environment, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-4000:]
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


if __name__ == "__main__":
    json.dump(played(json.load(sys.stdin)), sys.stdout)
