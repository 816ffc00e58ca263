"""Parts of a town that no fire can pass between, so that exact odds may take them one by one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from firesim.core.fields import copied
from firesim.rules.base import Prepared
from firesim.rules.town import params as p
from firesim.rules.town import state as s

Array = np.ndarray[Any, Any]


def parts_of(ready: Prepared) -> list[Prepared]:
    """The scenario once for each part that can burn, everything else in it standing no longer.

    Two hexes belong together when they share a building, or when a jump, a spark or an inferno could reach from one
    to the other whatever the dice. With wind by die all parts share that die, and the town stays whole.
    """
    params, first = ready.params, ready.first
    by_die = first.weather[s.WIND] == s.WIND_BY_DIE
    later = (params.events.kind == p.EV_WIND) & (params.events.value == s.WIND_BY_DIE)
    standing = np.flatnonzero(first.cells.standing)
    fires = {int(c) for c in params.ignitions.cell} | {int(c) for c in np.flatnonzero(first.cells.burning)}
    if by_die or later.any() or len(standing) > STANDING_MOST or not fires:
        return [ready]
    group = groups(params, standing)
    burning = sorted({int(group[np.searchsorted(standing, cell)]) for cell in fires if first.cells.standing[cell]})
    return [replace(ready, first=only(ready, standing[group == number])) for number in burning] or [ready]


STANDING_MOST = 2_000
"""Beyond so many hexes a town is not taken apart: its chain would be too large anyway."""


def groups(params: p.TownParams, standing: Array) -> Array:
    """The number of the part of every standing hex."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    row, col = standing // params.links.cols, standing % params.links.cols
    if params.links.orientation == 0:
        q, r = col - (row - row % 2) // 2, row
    else:
        q, r = col, row - (col - col % 2) // 2
    dq, dr = q[:, None] - q[None, :], r[:, None] - r[None, :]
    distance = (np.abs(dq) + np.abs(dr) + np.abs(dq + dr)) // 2
    building = params.cells.building[standing]
    together = (building[:, None] == building[None, :]) | (distance <= farthest(params, standing))
    return np.asarray(connected_components(csr_array(together), directed=False)[1])


def farthest(params: p.TownParams, standing: Array) -> int:
    """The most hexes that fire or heat can cross in one turn."""
    book, options = params.book, params.options
    reach = int(params.cells.floors[standing].max()) * int(book.reach_per_floor)
    if options.spark_unit == p.VILLAGE:
        reach *= int(book.gap_hex)
    sparks = reach // int(book.gap_hex) + 1 if book.gap_hex > 0 else params.links.rows + params.links.cols
    return max(1, int(options.inferno_radius), sparks)


def only(ready: Prepared, cells: Array) -> s.TownState:
    """The first state with nothing standing or burning outside these cells."""
    first: s.TownState = copied(ready.first)
    outside = np.ones(len(first.cells), bool)
    outside[cells] = False
    first.cells.standing[outside] = 0
    first.cells.burning[outside] = 0
    burning = np.flatnonzero(first.cells.burning)
    first.lists[s.BURNING] = 0
    first.lists[s.BURNING, : len(burning)] = burning
    first.counts[s.BURNING] = len(burning)
    first.tally[s.LIT] = len(burning)
    first.buildings.burning = np.bincount(ready.params.cells.building[burning], minlength=len(first.buildings))
    return first
