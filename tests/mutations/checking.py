"""Does some check notice that a rule is broken? The examples, then random scenarios against the oracle.

Runs in worker processes that import an uncompiled copy of the package from a temporary folder. There the code of one
function at a time is exchanged, so that every caller sees it broken, and put back afterwards.
"""

from __future__ import annotations

import importlib
import signal
import sys
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from tests.mutations.breaking import Mutant

SECONDS = 10.0
"""Of its own processor time that one check may take: a broken rule may never come to an end."""

REPLICATES = 3
"""Fires of a block that are compared with fires played alone."""

CHECKS: list[tuple[str, Callable[[], None]]] = []


class TooLong(BaseException):
    """A check did not come to an end."""


def make_ready(package: str, system: str, scenarios: int) -> None:
    """Prepare this process: import the copy in the folder `package`, read the examples, draw the scenarios."""
    sys.path.insert(0, package)
    warnings.simplefilter("ignore")
    if hasattr(signal, "SIGVTALRM"):
        signal.signal(signal.SIGVTALRM, _too_long)
    import firesim
    from firesim.jit import disabled

    assert Path(firesim.__file__).is_relative_to(package), "the copy is not what was imported"
    assert disabled(), "compiled functions cannot be exchanged"
    from tests.examples import replay

    for path in replay.paths(system):
        CHECKS.append((f"example {path.stem}", partial(replay.check, replay.read(path))))
    draw = importlib.import_module(f"tests.oracles.random_{system}s")
    judge = replay.oracle(system)
    for seed in range(scenarios):
        document = getattr(draw, f"random_{system}")(seed, options=seed % 4 > 0)
        CHECKS.append((f"random {system} {seed}", partial(_check_random, document, judge, seed)))


def caught_by(system: str, mutant: Mutant | None) -> str:
    """The first check that fails with this mutant in place (None: the package as it is); empty when all pass."""
    if mutant is None:
        return _first_failure()
    module = importlib.import_module(f"firesim.rules.{system}.{Path(mutant.file).stem}")
    function = getattr(module, mutant.function)
    whole = function.__code__
    names = dict(vars(module))
    exec(compile(mutant.source, mutant.file, "exec"), names)
    function.__code__ = names[mutant.function].__code__
    try:
        return _first_failure()
    finally:
        function.__code__ = whole


def _first_failure() -> str:
    for name, check in CHECKS:
        if why := _fails(check):
            return f"{name}: {why}"
    return ""


def _check_random(document: dict[str, Any], judge: Any, seed: int) -> None:
    """One fire step by step against the oracle, and a block of fires against each played alone."""
    import numpy as np

    import firesim
    from firesim.api import prepared
    from firesim.core.fields import copied
    from firesim.play import Fire, burn_block
    from tests.examples import replay

    scenario = firesim.load(document)
    replay.compare(replay.play(scenario, None, seed), judge, document)
    ready = prepared(scenario)
    state, maps = copied(ready.first), np.zeros((2, len(ready.system.records), len(ready.first.cells)), np.int64)
    rows = burn_block(ready, state, seed, 0, REPLICATES, maps[0], maps[1])
    for replicate, row in enumerate(rows):
        alone = Fire(ready, seed, replicate)
        alone.play_to(ready.horizon)
        assert list(row) == list(alone.outcome().values()), f"replicate {replicate} of the block is another fire"
    for name, now, first in zip(state._fields, state, ready.first, strict=True):
        same = name in ("lists", "touched_list") or np.array_equal(now, first)
        assert same, f"after the block {name} is not as at first"


def _fails(check: Callable[[], None]) -> str:
    """Why a check fails; empty when it passes."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        check()
    except (Exception, TooLong) as error:
        return f"{type(error).__name__} {' '.join(str(error).split())}"[:100]
    finally:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return ""


def _too_long(*_: object) -> None:
    raise TooLong(f"no end within {SECONDS:.0f} s")
