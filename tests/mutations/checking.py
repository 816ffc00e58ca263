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
    from tests.oracles.drawing import draw

    for path in replay.paths(system):
        CHECKS.append((f"example {path.stem}", partial(_check_example, replay.read(path))))
    judge = replay.oracle(system)
    for seed in range(scenarios):
        document = draw(system, seed, options=seed % 4 > 0)
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
    for place, (name, check) in enumerate(CHECKS):
        if why := _fails(check):
            CHECKS.insert(0, CHECKS.pop(place))  # what caught this mutant is likely to catch the next
            return f"{name}: {why}"
    return ""


def _check_example(example: Any) -> None:
    from tests.examples import replay

    replay.check(example)
    _check_block(example.scenario, 0)


def _check_random(document: dict[str, Any], judge: Any, seed: int) -> None:
    import firesim
    from tests.examples import replay

    replay.compare(replay.play(firesim.load(document), None, seed), judge, document)
    _check_block(document, seed)


def _check_block(document: dict[str, Any], seed: int) -> None:
    """A block of fires against each played alone, and the state that it leaves against the first."""
    import numpy as np

    import firesim
    from firesim.api import prepared
    from firesim.core.fields import copied
    from firesim.play import Fire, burn_block

    ready = prepared(firesim.load(document))
    state, maps = copied(ready.first), np.zeros((2, len(ready.system.records), len(ready.first.cells)), np.int64)
    rows = burn_block(ready, state, seed, 0, REPLICATES, maps[0], maps[1])
    for replicate, row in enumerate(rows):
        alone = Fire(ready, seed, replicate)
        alone.play_to(ready.horizon)
        assert list(row) == list(alone.outcome().values()), f"replicate {replicate} of the block is another fire"
    _check_as_at_first(state, ready.first)
    _check_forgetting(ready, seed, alone)


def _check_as_at_first(state: Any, first: Any) -> None:
    """What a block leaves of its state is the first state, but for lists beyond their lengths and what is scratch."""
    import numpy as np

    from firesim.core.fields import declared

    roles = {name: field.role for name, field in declared(type(state)).items()}
    for name, now, before in zip(state._fields, state, first, strict=True):
        same = name == "lists" or roles[name] in ("scratch", "derived") or np.array_equal(now, before)
        assert same, f"after the block {name} is not as at first"


def _check_forgetting(ready: Any, seed: int, fire: Any) -> None:
    """What is forgotten between steps changes nothing that comes, and whatever it was, the same is left."""
    import numpy as np

    from firesim.core.fields import copied
    from firesim.play import Fire
    from firesim.rules.kernels import forget
    from tests.mutations.forgetting import FORGOTTEN

    muddle, check_left = FORGOTTEN[ready.system.name]
    other = Fire(ready, seed, fire.replicate)
    more = True
    while more and other.step < ready.horizon:
        more = other.play_to(other.step + 1)
        muddled = copied(other.state)
        muddle(ready.params, muddled)
        forget(ready.params, other.state)
        forget(ready.params, muddled)
        for name, kept, left in zip(muddled._fields, other.state, muddled, strict=True):
            assert np.array_equal(kept, left), f"after forgetting {name} still tells what was"
        check_left(muddled)
    assert (other.faces, other.outcome()) == (fire.faces, fire.outcome()), "a fire that forgets is another fire"


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
