"""Several threads burn a town in bands of rows: the same outcomes, maps and last state as one thread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import firesim
from firesim import play
from firesim.api import prepared
from firesim.core.fields import copied
from firesim.core.hands import Hands
from firesim.dice.keyed import key_of
from firesim.grid.hexes import hex_distance
from firesim.play import burn_block, play_alone, team_for
from firesim.rules.base import STEP, TOUCHED, Prepared
from firesim.rules.kernels import outcome, over, step
from firesim.rules.town import state as s
from firesim.rules.town import team as teams
from firesim.rules.town.stream_layout import BONUS
from firesim.rules.town.team import Team, owners, rims_of, room_of
from firesim.studies import study
from tests.oracles.random_towns import tall_town
from tests.rules.town.test_stream import EAST, streamed

Array = np.ndarray[Any, Any]


TINY = {"LARGE": 1, "ROWS_OF_A_BAND": 2, "SEAMS_OF_A_BAND": 0, "KEPT_TURNS": 3}
"""Figures of `team` with which the smallest fire is one for several threads, and the map divided anew often."""


@pytest.fixture(autouse=True)
def small_fires(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let several threads burn small fires."""
    for name, value in TINY.items():
        monkeypatch.setattr(teams, name, value)
    monkeypatch.setattr(play, "MANY_CELLS", 1)


TILED_ROOFS = EAST | {
    "system": "town",
    "steps": 12,
    "map": {
        "rows": ["f e"] * 24,
        "legend": {"f": {"armour": 0, "st": 90}, "e": {"armour": 1, "st": 40, "roof": "clay tile"}},
    },
    "options": EAST["options"] | {"tile_mode": "per_two_turns"},
    "ignite": [{"cell": [row, 0], "alight": True} for row in range(24)],
    "event": [{"step": step, "kind": "moisture", "moisture": "normal"} for step in (4, 6, 9)],
}
"""Roofs rest in every band when an event brings the fire together."""


@dataclass(frozen=True)
class Burnt:
    """A fire: its outcome, its last state, and how many of its turns were several threads' to play."""

    row: list[int]
    state: s.TownState
    divided: int


def quiet(ready: Prepared, state: s.TownState) -> bool:
    """Whether something burns since an earlier turn, and no event or ignition comes in the next."""
    turn = int(state.clock[STEP]) + 1
    events, ignitions = ready.params.events.step, ready.params.ignitions.step[state.ignited == 0]
    return turn > 1 and state.counts[s.BURNING] > 0 and turn not in events and not (ignitions <= turn).any()


def burnt(ready: Prepared, seed: int) -> Burnt:
    """A fire by one thread."""
    state, row, key, divided = copied(ready.first), np.zeros(len(ready.columns), np.int64), key_of(seed, 0), 0
    while state.clock[STEP] < ready.horizon and not over(ready.params, state):
        divided += quiet(ready, state)
        step(ready.params, state, key)
    outcome(ready.params, state, row)
    return Burnt(row.tolist(), state, divided)


def burnt_in_bands(ready: Prepared, seed: int, bands: int, hands: Hands) -> Burnt:
    """The same in so many bands."""
    state, key, divided = copied(ready.first), key_of(seed, 0), 0
    team, row = Team(ready, state, hands, bands), np.zeros(len(ready.columns), np.int64)
    while play_alone(ready.params, state, key, ready.horizon, 1):
        team.divide()
        while state.clock[STEP] < ready.horizon and team.goes_on():
            team.step(key)
            divided += 1
        team.gather()
    outcome(ready.params, state, row)
    return Burnt(row.tolist(), state, divided)


def same(one: s.TownState, other: s.TownState) -> None:
    """Assert that two states are one, but for the order of their lists and for what only one turn needs."""
    for name in ("clock", "weather", "tally", "fuel", "ignited", "counts"):
        assert np.array_equal(getattr(one, name), getattr(other, name)), name
    standing = one.cells.standing != 0
    for name in one.cells.dtype.names:
        cells = standing if name == "heat" else slice(None)  # of ashes nobody asks how hot they are
        assert np.array_equal(one.cells[name][cells], other.cells[name][cells]), name
    for name in one.buildings.dtype.names:
        assert np.array_equal(one.buildings[name], other.buildings[name]), name
    assert np.array_equal(one.open_sides[:-1], other.open_sides[:-1]), "open_sides"  # nobody reads the rim's
    for list_ in (s.BURNING, s.FUELLED, s.RESTING):
        lists = [sorted(state.lists[list_, : state.counts[list_]].tolist()) for state in (one, other)]
        assert lists[0] == lists[1], f"list {list_}"
    touched = [sorted(state.touched_list[: state.counts[TOUCHED]].tolist()) for state in (one, other)]
    assert touched[0] == touched[1], "touched"
    burning = one.counts[s.BURNING]
    orders = [np.argsort(state.lists[s.BURNING, :burning]) for state in (one, other)]
    for row in set(range(len(one.stream))) - {BONUS}:  # which may be worked out anew every turn
        assert np.array_equal(one.stream[row, orders[0]], other.stream[row, orders[1]]), f"stream, row {row}"


def compare_bands(document: dict[str, Any], seed: int, hands: Hands) -> None:
    """Assert that a tall town burns in bands as it does by one thread."""
    ready = prepared(firesim.load(streamed(document)))
    alone, together = burnt(ready, seed), burnt_in_bands(ready, seed, 2 + seed % 4, hands)
    assert together.row == alone.row
    same(alone.state, together.state)
    assert together.divided == alone.divided, "turns in bands"


@pytest.mark.parametrize("block", range(6))
def test_bands_burn_a_town_as_one_thread_does(block: int) -> None:
    hands = Hands(2)
    for seed in range(40 * block, 40 * block + 40):
        try:
            compare_bands(tall_town(seed, 26, 7, options=seed % 4 > 0), seed, hands)
        except AssertionError as error:
            raise AssertionError(f"tall_town({seed}, 26, 7): {error}") from error


@pytest.mark.parametrize("seed", range(4))
def test_what_bands_remember_is_not_lost_when_the_fire_is_brought_together(seed: int) -> None:
    compare_bands(TILED_ROOFS, seed, Hands(2))


def test_a_block_of_fires_by_several_threads_is_that_of_one() -> None:
    ready = prepared(firesim.load(streamed(tall_town(5, 26, 7))))
    shape = (len(ready.system.records), len(ready.first.cells))
    found = []
    for threads in (1, 3):
        state, maps = copied(ready.first), [np.zeros(shape, np.int64, order="F") for _ in range(2)]
        curves, team = np.zeros((shape[0], ready.horizon + 1), np.int64), team_for(ready, state, threads)
        assert (team is not None) == (threads > 1)
        rows = burn_block(ready, state, 5, 10, 20, maps[0], maps[1], curves, team)
        found.append((rows, *maps, curves))
        for name, array in ready.first._asdict().items():
            if name not in ("words", "stream", "flags", "work", "heaps", "lists", "touched_list"):
                now, first = getattr(state, name), array
                assert np.array_equal(now[:-1], first[:-1]) if name == "open_sides" else np.array_equal(now, first), (
                    name
                )
    assert found[0][3].sum() > 1000
    for one, other in zip(*found, strict=True):
        assert np.array_equal(one, other)


def ready_of(rows: list[str], **options: Any) -> Prepared:
    """A town of houses h, a hall H, and open ground, which burns as a stream."""
    legend = {"h": {"armour": 1}, "H": {"armour": 1, "building": "hall"}}
    return prepared(
        firesim.load(
            {
                "system": "town",
                "map": {"rows": rows, "legend": {k: v for k, v in legend.items() if k in "".join(rows)}},
                "options": {"jump": "one", **options},
                "ignite": [{"cell": [0, 0]}],
            }
        )
    )


def numbers(ready: Prepared, burning: list[int], bands: int) -> list[list[int]]:
    """The owner of each cell, row by row."""
    owner = owners(ready, np.array(burning, np.int32), bands)
    assert owner[-1] == bands  # the rim
    return owner[:-1].reshape(ready.shape).tolist()


def test_bands_get_as_many_burning_hexes_and_the_seam_the_rows_between() -> None:
    ready = ready_of(["h h"] * 12, inferno_radius=0)
    assert numbers(ready, [0, 2, 4, 18, 20, 22], 2) == [[0, 0]] * 8 + [[2, 2]] * 2 + [[1, 1]] * 2
    assert numbers(ready, list(range(24)), 2) == [[0, 0]] * 5 + [[2, 2]] * 2 + [[1, 1]] * 5
    wide = ready_of(["h h"] * 12, inferno_radius=2)
    assert numbers(wide, list(range(24)), 2) == [[0, 0]] * 4 + [[2, 2]] * 4 + [[1, 1]] * 4


def test_a_band_has_room_for_its_rows_and_those_that_it_reaches() -> None:
    ready = ready_of(["h h"] * 5 + ["h ."] * 7, inferno_radius=2)
    owner = owners(ready, np.arange(24, dtype=np.int32), 2)  # rows 0 to 3, seam, rows 8 to 11
    in_row = np.array([2] * 5 + [1] * 7)
    assert room_of(owner, in_row, 2, 2) == [2 * 5 + 1, 2 + 4]
    assert room_of(np.full(25, 1, np.uint8), in_row, 2, 2) == [0, 2 * 5 + 7]


def test_a_building_is_never_in_two_parts() -> None:
    rows = ["h h ."] * 12
    rows[0] = rows[4] = "H h ."
    in_the_seam = numbers(ready_of(rows, inferno_radius=1), list(range(36)), 2)
    assert [row for row in range(12) if in_the_seam[row][0] == 2] == [5, 6]
    rows[5] = "h h H"
    in_the_seam = numbers(ready_of(rows, inferno_radius=1), list(range(36)), 2)
    assert [row for row in range(12) if in_the_seam[row][0] == 2] == [0, 4, 5, 6]
    assert [row for row in range(12) if in_the_seam[row][1] == 2] == [5, 6]


@pytest.mark.parametrize("seed", range(12))
def test_no_two_bands_touch_one_cell(seed: int) -> None:
    ready = prepared(firesim.load(streamed(tall_town(seed, 20, 4))))
    bands, cells, links = 3, len(ready.params.cells) - 1, ready.params.links
    owner = owners(ready, np.flatnonzero(ready.first.cells.standing), bands)
    rims = rims_of(links, owner, bands)
    reach = max(1, int(ready.params.options.inferno_radius))
    banded = np.flatnonzero(owner != bands)
    apart = [hex_distance(links, a, b) for a in banded for b in banded if owner[a] < owner[b]]
    assert min(apart) > 2 * reach
    for cell in range(cells):
        beside = [other for other in links.to[cell] if other != cells]
        assert rims[cell] == any(owner[other] != owner[cell] for other in beside), cell


def test_a_team_has_a_band_for_each_thread_if_the_map_is_tall_enough() -> None:
    ready = ready_of(["h h"] * 12)
    for threads, bands in ((2, 2), (6, 6), (9, 6)):
        team = team_for(ready, copied(ready.first), threads)
        assert isinstance(team, Team)
        assert team.seam == bands


@pytest.mark.parametrize(
    ("rows", "threads", "options", "large"),
    [
        (["h h"] * 12, 1, {}, 1),
        (["h h"] * 3, 2, {}, 1),
        (["h h"] * 12, 2, {"jump": "all"}, 1),
        (["h h"] * 12, 2, {}, 1000),
    ],
)
def test_no_team_where_it_would_be_of_no_use(
    monkeypatch: pytest.MonkeyPatch, rows: list[str], threads: int, options: dict[str, Any], large: int
) -> None:
    monkeypatch.setattr(teams, "LARGE", large)
    ready = ready_of(rows, **options)
    assert team_for(ready, copied(ready.first), threads) is None


@pytest.mark.parametrize(("fires", "workers", "bands"), [(1, 1, 0), (1, 3, 3), (1, 9, 4), (2, 5, 2), (3, 5, 0)])
def test_threads_of_a_study_that_are_more_than_its_fires_burn_each_together(
    monkeypatch: pytest.MonkeyPatch, fires: int, workers: int, bands: int
) -> None:
    seen: set[int] = set()
    step_seen = Team.step

    def step_and_look(team: Team, key: Any) -> None:
        seen.add(team.seam)
        step_seen(team, key)

    monkeypatch.setattr(Team, "step", step_and_look)
    monkeypatch.setattr(study, "processors", lambda: 4)
    ready = ready_of(["h h h"] * 40)
    found = study.burn(ready, 3, 7, fires, workers=workers)
    assert seen == ({bands} if bands else set())
    assert np.array_equal(found.outcomes, study.burn(ready, 3, 7, fires, workers=1).outcomes)
