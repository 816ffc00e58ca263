"""Who lit whom: the tree of a fire holds all that ever burnt, each lit by something that burnt then."""

from __future__ import annotations

import numpy as np

import firesim
from firesim.events.records import EventKind, Record
from firesim.events.spread import NOBODY, Lit, lit_by, spread
from tests.oracles.random_ships import random_ship
from tests.oracles.random_towns import random_town

KINDS = (
    EventKind("jump", "", target="cell", source="other"),
    EventKind("lit", "", target="cell", lights=True),
    EventKind("catches", "", target="cell", source="other", lights=True),
    EventKind("burns", ""),
)


def record(step: int, event: str, cell: int, other: int = 0) -> Record:
    return Record(step, event, cell, other, 0, 0, 0, 0, 0, 0, "")


def test_what_is_lit_has_the_last_that_reached_it_in_its_step_as_source() -> None:
    jumps = [record(3, "jump", 5, 1), record(3, "jump", 5, 2), record(3, "jump", 6, 9)]
    lit = record(3, "lit", 5)
    assert spread([*jumps, lit], KINDS) == [Lit(3, 5, 2, jumps[1])]


def test_what_reached_it_in_an_earlier_step_did_not_light_it() -> None:
    assert spread([record(2, "jump", 5, 1), record(3, "lit", 5)], KINDS) == [Lit(3, 5, NOBODY, None)]


def test_what_lights_by_itself_names_its_source() -> None:
    catches = record(1, "catches", 7, 3)
    assert spread([catches], KINDS, [3]) == [Lit(0, 3), Lit(1, 7, 3, catches)]


def test_the_chain_leads_back_to_the_beginning_and_not_to_what_came_later() -> None:
    lit = [Lit(0, 1), Lit(1, 2, 1), Lit(2, 3, 2), Lit(3, 2, 3), Lit(4, 1, 2)]
    assert lit_by(lit, 3) == [lit[2], lit[1], lit[0]]
    assert lit_by(lit, 1) == [lit[4], lit[3], lit[2], lit[1], lit[0]]
    assert lit_by(lit, 8) == []


def test_every_hex_of_a_town_that_burnt_is_lit_once_by_one_that_burnt() -> None:
    told, sources = 0, set()
    for seed in range(120):
        run = firesim.run(random_town(seed), seed=seed, steps=40)
        at = run.state.cells.at[:, 0]
        first = sorted({lit.cell: lit.step for lit in reversed(run.spread)}.items())  # one doused may be lit again
        assert first == [(c, at[c]) for c in np.flatnonzero(at >= 0)], seed
        assert len(first) == len(run.spread) or any(event.event == "doused" for event in run.events), seed
        for lit in run.spread:
            if lit.source != NOBODY:
                assert 0 <= at[lit.source] <= lit.step, seed
                assert lit.how is not None
                assert lit.how.step == lit.step
                sources.add(lit.how.event)
        told += len(run.spread)
    assert told > 300
    assert sources == {"jump", "spark", "next hex"}


def test_every_module_of_a_ship_that_burnt_is_in_the_tree_from_its_first_phase() -> None:
    events, people = set(), 0
    for seed in range(200):
        run = firesim.run(random_ship(seed), seed=seed, steps=30)
        rim = len(run.state.cells)
        first: dict[int, int] = {}
        for lit in run.spread:
            first.setdefault(lit.cell, lit.step)
        at = run.state.cells.at[:, 0]
        assert {c: s for c, s in first.items() if c < rim} == {int(c): int(at[c]) for c in np.flatnonzero(at >= 0)}, (
            seed
        )
        people += sum(lit.cell >= rim for lit in run.spread)
        events |= {lit.how.event for lit in run.spread if lit.how}
    assert people > 50
    assert events == {"spreads", "catches", "weapon", "sets module on fire"}
