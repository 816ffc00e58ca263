"""Who lit whom and when: the tree of a fire, made from its records."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from firesim.events.records import EventKind, Record

NOBODY = -1
"""The source of what nothing else set on fire."""


@dataclass(frozen=True, slots=True)
class Lit:
    """Something began to burn. `cell`, `source`: numbers as in the log; `source` is -1 where no other fire lit it.

    step: when; 0 = before the first step. how: the record of the roll, or whatever else brought the fire; None where
    the fire was there from the start, or came as the scenario says.
    """

    step: int
    cell: int
    source: int = NOBODY
    how: Record | None = None


def spread(
    made: Iterable[Record], kinds: Sequence[EventKind], at_start: Iterable[int] = (), step_at_start: int = 0
) -> list[Lit]:
    """Everything that began to burn, in order; what burns again after it went out stands there again.

    at_start: what burns before the first record. A fire that is lit later in a step than it was reached, as a ship's
    modules are, has the last that reached it in this step for its source.
    """
    known = {kind.name: kind for kind in kinds}
    found = [Lit(step_at_start, cell) for cell in at_start]
    reached: dict[int, tuple[Record, int]] = {}
    step = step_at_start
    for record in made:
        if record.step != step:
            reached.clear()
            step = record.step
        kind = known[record.event]
        if not kind.target:
            continue
        target: int = getattr(record, kind.target)
        source: int = getattr(record, kind.source) if kind.source else NOBODY
        if not kind.lights:
            reached[target] = (record, source)
        elif kind.source:
            found.append(Lit(record.step, target, source, record))
        else:
            how, source = reached.pop(target, (None, NOBODY))
            found.append(Lit(record.step, target, source, how))
    return found


def lit_by(lit: Sequence[Lit], cell: int, until: int | None = None) -> list[Lit]:
    """The chain from the last time that `cell` was lit back to where the fire began; empty: it never burnt.

    until: look only at the first so many entries of `lit`.
    """
    chain: list[Lit] = []
    place = len(lit) if until is None else until
    while cell != NOBODY:
        place = next((i for i in reversed(range(place)) if lit[i].cell == cell), NOBODY)
        if place == NOBODY:
            break
        chain.append(lit[place])
        cell = lit[place].source
    return chain
