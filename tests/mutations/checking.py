"""Does some check notice that a rule is broken? The examples, random scenarios against the oracle, towns as streams.

Runs in worker processes that import an uncompiled copy of the package from a temporary folder. There the code of one
function at a time is exchanged, so that every caller sees it broken, and put back afterwards.
"""

from __future__ import annotations

import importlib
import signal
import sys
import warnings
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from tests.mutations.breaking import Mutant

SECONDS = 10.0
"""Of its own processor time that one check may take: a broken rule may never come to an end."""

CHECKED_BY = {"stream.py": "stream", "stream_layout.py": "stream", "bands.py": "bands"}
"""Files of what only a batch uses, and how the names of checks begin that are enough: the acts know nothing of it."""

TALL_TOWNS, ROWS, COLS = 40, 24, 6
"""Towns that are compared in bands, and their size."""

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
    from firesim.core import fields
    from firesim.jit import disabled

    fields.declared = cache(fields.declared)  # half of a check's time would go into reading the same declarations
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
        if system == "town":
            CHECKS.append((f"stream of random {seed}", partial(_check_stream, document, seed)))
    if system == "town":
        _add_towns()


def _add_towns() -> None:
    """Towns in which a batch does what it seldom does in random ones."""
    from tests.oracles.random_towns import tall_town
    from tests.rules.town import test_bands, test_stream

    for name, town in test_stream.TOWNS.items():
        for seed in range(test_stream.SEEDS):
            CHECKS.append((f"stream of {name}, {seed}", partial(_check_stream, town, seed)))
    for seed in range(TALL_TOWNS):
        town = tall_town(seed, ROWS, COLS, options=seed % 4 > 0)
        CHECKS.append((f"bands of tall town {seed}", partial(_check_bands, town, seed)))
    CHECKS.append(("bands of tiled roofs", partial(_check_bands, test_bands.TILED_ROOFS, 0)))


def caught_by(system: str, mutant: Mutant | None) -> str:
    """The first check that fails with this mutant in place (None: the package as it is); empty when all pass."""
    if mutant is None:
        return _first_failure("")
    module = importlib.import_module(f"firesim.rules.{system}.{Path(mutant.file).stem}")
    function = getattr(module, mutant.function)
    whole = function.__code__
    names = dict(vars(module))
    exec(compile(mutant.source, mutant.file, "exec"), names)
    function.__code__ = names[mutant.function].__code__
    try:
        return _first_failure(CHECKED_BY.get(mutant.file, ""))
    finally:
        function.__code__ = whole


def _first_failure(kind: str) -> str:
    for place, (name, check) in enumerate(CHECKS):
        if name.startswith(kind) and (why := _fails(check)):
            CHECKS.insert(0, CHECKS.pop(place))  # what caught this mutant is likely to catch the next
            return f"{name}: {why}"
    return ""


def _check_example(example: Any) -> None:
    import firesim
    from firesim.api import prepared
    from tests.examples import replay

    replay.check(example)
    ready = prepared(firesim.load(example.scenario))
    _check_acts(ready, example.dice)
    _check_block(ready, 0)


def _check_acts(ready: Any, faces: Sequence[int]) -> None:
    """From these faces, act by act: the dice of an act are one actor's."""
    from firesim.core.fields import copied
    from firesim.dice import tape as tapes
    from firesim.play import ACTED, OVER, play_on

    room = ready.dice_per_act
    state, tape = copied(ready.first), tapes.blank(faces, len(faces) + room)
    used, why = 0, ACTED
    while why == ACTED:
        why = play_on(ready.params, state, 0, 0, tape, None, ready.horizon, room, 0, True)
        before, used = used, int(tape.counts[tapes.USED])
        actors = set(tape.asked[before:used, tapes.ACTOR].tolist())
        assert len(actors) <= 1, f"{sorted(actors)} roll dice in one act"
    assert why == OVER


def _check_random(document: dict[str, Any], judge: Any, seed: int) -> None:
    import firesim
    from tests.examples import replay

    played = replay.play(firesim.load(document), None, seed)
    replay.compare(played, judge, document)
    _check_block(played.fire.prepared, seed)


def _check_bands(document: dict[str, Any], seed: int) -> None:
    """A town in bands against one thread, all in this thread, so that what does not end can be stopped."""
    from firesim.core.hands import Hands
    from firesim.rules.town import team
    from tests.rules.town import test_bands

    for name, value in test_bands.TINY.items():
        setattr(team, name, value)
    test_bands.compare_bands(document, seed, Hands(1))


def _check_stream(document: dict[str, Any], seed: int) -> None:
    """A batch's layout of a town's turn against the acts, every field of the last state."""
    from tests.rules.town import test_stream

    test_stream.compare(test_stream.streamed(document), seed)


def _check_block(ready: Any, seed: int) -> None:
    """A block of fires against each played alone, and the state that it leaves against the first."""
    import numpy as np

    from firesim.core.fields import copied
    from firesim.play import Fire, burn_block
    from tests.dice.keyed_faces import keyed_faces

    state, maps = copied(ready.first), np.zeros((2, len(ready.system.records), len(ready.first.cells)), np.int64)
    rows = burn_block(ready, state, seed, 0, REPLICATES, maps[0], maps[1])
    for replicate, row in enumerate(rows):
        alone = Fire(ready, seed, replicate)
        alone.play_to(ready.horizon)
        assert list(row) == list(alone.outcome().values()), f"replicate {replicate} of the block is another fire"
    assert alone.faces == keyed_faces(alone), "a die shows what its key does not say"
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
