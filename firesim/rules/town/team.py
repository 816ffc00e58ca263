"""One large fire by several threads: how the map is divided among them, and what they do turn by turn."""

from __future__ import annotations

from typing import Any

import numpy as np

from firesim.core.fields import declared
from firesim.core.hands import Hands
from firesim.dice.rolls import room_ahead
from firesim.grid.links import HexLinks
from firesim.rules.base import Prepared
from firesim.rules.town import bands as b
from firesim.rules.town import state as s
from firesim.rules.town.params import TownParams

LARGE = 40_000
"""Burning hexes from which on several threads are quicker than one, which goes on alone with half as many.

To wake threads three times in a turn takes a fifth of a millisecond; a burning hex takes 3 ns of a turn if nothing
catches fire, 10 in the ring of a fire that grows, 30 where fires are lit all over a large map.
"""

UNEVEN = 1.3
"""The largest band over the mean from which on the map is divided anew."""

KEPT_TURNS = 8
"""Turns for which a division is kept, however uneven."""

ROWS_OF_A_BAND, SEAMS_OF_A_BAND = 16, 4
"""The rows that a map must have for each band, and how many seams must fit into them: those are one thread's."""

BANDS_MOST = 64
"""So many bands and their seam have numbers that fit into a byte."""

Array = np.ndarray[Any, Any]


def band_of(state: s.TownState, hexes: int) -> s.TownState:
    """A state that shares the map with another and has lists of its own, all empty, with room for so many hexes."""
    shared = {name: getattr(state, name) for name in ("cells", "buildings", "fuel", "ignited", "open_sides")}
    room, own = room_ahead(hexes), dict[str, Array]()
    for name, field in declared(s.TownState).items():
        if name not in shared:
            own[name] = np.zeros(tuple(room if isinstance(size, str) else size for size in field.shape), field.kind)
    return s.TownState(**shared, **own)


def room_of(owner: Array, in_row: Array, bands: int, reach: int) -> list[int]:
    """How many hexes each band's lists must hold: those in its rows and in the rows that it reaches beyond.

    owner: (cells), with the rim; in_row: (rows), how many hexes stand in each.
    """
    by_row, room = owner[:-1].reshape(len(in_row), -1), []
    for number in range(bands):
        rows = np.flatnonzero((by_row == number).any(axis=1))
        room.append(int(in_row[max(rows[0] - reach, 0) : rows[-1] + reach + 1].sum()) if len(rows) else 0)
    return room


def reach_of(params: TownParams) -> int:
    """How many hexes away a burning one can change anything, sparks apart."""
    return max(1, int(params.options.inferno_radius))


def owners(prepared: Prepared, burning: Array, bands: int) -> Array:
    """Which band each cell is of (cells,) uint8, the seam's being the last number.

    burning: the cells that burn, shared out evenly among bands of whole rows.
    """
    params, cols = prepared.params, prepared.params.links.cols
    rows = (len(params.cells) - 1) // cols
    so_far = np.cumsum(np.bincount(burning // cols, minlength=rows))
    of_row = (so_far * bands // (len(burning) + 1)).astype(np.uint8)
    reach = reach_of(params)
    for row in np.flatnonzero(np.diff(of_row)) + 1:
        of_row[max(row - reach, 0) : row + reach] = bands
    owner = np.append(np.repeat(of_row, cols), np.uint8(bands))
    if not params.lone:
        owner[in_several_parts(params.cells.building, owner, bands)] = bands
    return owner


def in_several_parts(building: Array, owner: Array, bands: int) -> Array:
    """Which cells have a building that lies in more than one part (cells,) bool; building: its number on each cell."""
    parts = np.zeros(int(building.max()) + 1, np.uint8)
    for number in range(bands + 1):
        lies_in = np.zeros_like(parts)
        lies_in[building[owner == number]] = 1
        parts += lies_in
    parts[0] = 0  # open ground is nobody's building
    return parts[building] > 1


def rims_of(links: HexLinks, owner: Array, seam: int) -> Array:
    """Which cells have a neighbour in another part (cells,) bool; one of the two always lies in the seam."""
    cells = np.flatnonzero(owner == seam)
    beside = links.to[cells]
    across = owner[beside] != seam
    rims = np.zeros(len(owner), np.bool_)
    rims[beside[across]] = True
    rims[cells[across.any(axis=1)]] = True
    return rims


def team_of(prepared: Prepared, state: s.TownState, threads: int) -> Team | None:
    """A band for each thread; None where the map is too small for two, or not burnt as a stream."""
    rows_of_a_band = max(ROWS_OF_A_BAND, SEAMS_OF_A_BAND * 2 * reach_of(prepared.params))
    bands = min(threads, prepared.shape[0] // rows_of_a_band, BANDS_MOST)
    if bands < 2 or not prepared.params.streams or state.lists.shape[1] < LARGE:
        return None
    return Team(prepared, state, Hands(bands))


class Team:
    """So many bands, for the fires of one state, one after another; as a rule one for each thread."""

    def __init__(self, prepared: Prepared, state: s.TownState, hands: Hands, bands: int | None = None) -> None:
        self.prepared, self.state, self.hands = prepared, state, hands
        self.seam = bands or hands.count
        self.in_row = prepared.first.cells.standing[:-1].reshape(prepared.shape).sum(axis=1)
        self.least = LARGE

    def divide(self) -> None:
        """Lay bands and seam so that as much burns in each band, and give each what burns there."""
        state, params = self.state, self.prepared.params
        self.owner = owners(self.prepared, state.lists[s.BURNING, : state.counts[s.BURNING]], self.seam)
        self.rims = rims_of(params.links, self.owner, self.seam)
        room = room_of(self.owner, self.in_row, self.seam, reach_of(params))
        self.bands = [band_of(state, hexes) for hexes in room]
        self.parts = [*self.bands, state]
        self.sent = [np.zeros(part.lists.shape[1], np.int32) for part in self.parts]
        self.turns = 0
        for number, band in enumerate(self.bands):
            b.divide(state, band, self.owner, number)

    def goes_on(self) -> bool:
        """Whether nothing is due but fire, enough burns, and the bands are even or were laid only lately."""
        alight = [int(part.counts[s.BURNING]) for part in self.parts]
        uneven = max(alight) * len(self.bands) > UNEVEN * sum(alight)
        enough = sum(alight) > self.least // 2 and not (uneven and self.turns >= KEPT_TURNS)
        return enough and not b.due(self.prepared.params, self.state)

    def step(self, key: Any) -> None:
        """A turn: in every band up to the jumps, their effects, the sparks of all, the rest; the seam's rest last."""
        params, parts, sent = self.prepared.params, self.parts, self.sent
        numbers = range(len(parts))

        def burn(number: int) -> tuple[int, int, int]:
            ending, stay, leave = b.burn_band(params, parts[number], key, self.owner, self.rims, number, sent[number])
            return ending, stay, leave

        burnt = self.hands.at_once(burn, numbers)

        def land(number: int) -> None:
            count = burnt[number][1]
            for other in numbers[: self.seam] if number == self.seam else numbers[self.seam :]:
                if burnt[other][2]:
                    count = b.take_jumps(params, parts[number], self.owner, number, count, sent[other], burnt[other][2])
            b.land_jumps(params, parts[number], key, count)

        self.hands.at_once(land, numbers)
        self._throw_sparks(key)

        def end(number: int) -> None:
            b.end_band(params, parts[number], key, burnt[number][0])

        self.hands.at_once(end, numbers[: self.seam])
        end(self.seam)
        self.turns += 1

    def gather(self) -> None:
        """All that burns, lies on lists or was counted is the state's again."""
        for band in self.bands:
            b.gather(self.state, band)
        self.bands, self.parts, self.sent = [], [], []

    def _throw_sparks(self, key: Any) -> None:
        own = int(self.state.counts[s.FLARES])
        for band in self.bands:
            if band.counts[s.FLARES]:
                b.bring_flares(self.state, band, own)
        if self.state.counts[s.FLARES]:
            b.throw_all_sparks(self.prepared.params, self.state, key)
            for number, band in enumerate(self.bands):
                b.hand_out(self.state, band, self.owner, number)
