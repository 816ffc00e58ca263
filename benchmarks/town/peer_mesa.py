"""The same town in Mesa: a hex grid with a house as a fixed agent on every cell, as Mesa's own examples lay out cells.

The rules are those named in `peer_numpy`. A town either keeps a list of the houses that burn, or picks them from all
its agents in every step, as the examples go through all agents. Either is built once: between fires its houses are put
back as they were.
"""

from __future__ import annotations

from functools import cache

import mesa
import numpy as np
from mesa.discrete_space import FixedAgent, HexGrid

from benchmarks.town.peer_numpy import COLLAPSE_AT
from benchmarks.town.scenes import ARMOUR, ST


class House(FixedAgent):
    """A house on its cell."""

    def __init__(self, model, cell):
        super().__init__(model)
        self.cell = cell
        self.stand_again()

    def look_round(self):
        """Remember the houses on the cells around, once all stand."""
        self.near = [cell.agents[0] for cell in self.cell.connections.values()]

    def stand_again(self):
        """Nothing has happened."""
        self.st, self.armour, self.unlit, self.tried = ST, ARMOUR, True, False

    def attacked(self):
        """The fire attack on this house; the net damage."""
        net = self.model.d6() - self.armour
        if net > 0:
            self.st -= net
            if self.armour:
                self.armour -= 1
        return net

    def burn(self):
        """Collapse and own attack; whether the house still burns."""
        if self.st <= COLLAPSE_AT and not self.tried:
            self.tried = True
            self.model.collapsed += self.model.d6() >= 4
        if self.attacked() >= 5:
            self.model.flare_ups += 1
        return self.st > 0

    def jump(self):
        """Attack what stands in one direction, where it is unlit."""
        side = self.model.d6() - 1
        if side < len(self.near):  # at the edge of the map fewer than six
            house = self.near[side]
            if house.unlit:
                whole = house.st == ST
                if house.attacked() > 0 and whole:
                    self.model.lit.append(house)


class Town(mesa.Model):
    """The town; one fire after another."""

    def __init__(self, size, seed):
        super().__init__(seed=seed)
        self.draw = self.random.random
        self.grid = HexGrid((size, size), torus=False, capacity=1, random=self.random)
        for cell in self.grid.all_cells:
            House(self, cell)
        self.agents.do("look_round")
        # Mesa's grid is ours in a mirror: there even rows are shifted to the right
        self.middle = self.grid[size - 1 - size // 2, size // 2].agents[0]

    def d6(self):
        """A six-sided die."""
        return int(6 * self.draw()) + 1

    def stand_again(self):
        """All houses as they were, the one in the middle alight."""
        self.agents.do("stand_again")
        self.turn = self.consumed = self.collapsed = self.flare_ups = 0
        self.burning = [self.middle]
        self.middle.unlit = False

    def step(self):
        """One turn."""
        self.turn += 1
        self.lit = []
        still = [house for house in self.burning if house.burn()]
        self.consumed += len(self.burning) - len(still)
        for house in still:
            house.jump()
        for house in self.lit:
            house.unlit = False
        fresh = [house for house in self.lit if house.st > 0]
        self.consumed += len(self.lit) - len(fresh)
        self.burning = still + fresh


class TownOfAgents(Town):
    """The same, as a first model would have it: each turn all agents are asked whether they burn."""

    def step(self):
        """One turn."""
        self.turn += 1
        self.lit = []
        burning = self.agents.select(lambda house: house.st > 0 and not house.unlit)
        burning.do("burn")
        still = burning.select(lambda house: house.st > 0)
        still.do("jump")
        for house in self.lit:
            house.unlit = False
        fresh = [house for house in self.lit if house.st > 0]
        self.consumed += len(burning) - len(still) + len(self.lit) - len(fresh)
        self.burning = [*still, *fresh]


@cache
def built(kind: type[Town], size: int) -> Town:
    """A town, built once."""
    return kind(size, 0)


def burn(size: int, fires: int, seed: int, early: int = 60, kind: type[Town] = Town) -> dict[str, np.ndarray]:
    """Outcomes of `fires` fires, by name; `consumed_early`: hexes consumed by the end of turn `early`."""
    town, rows = built(kind, size), []
    town.random.seed(seed)
    for _ in range(fires):
        town.stand_again()
        consumed_early = 0
        while town.burning:
            town.step()
            if town.turn <= early:
                consumed_early = town.consumed
        rows.append((town.turn, town.consumed, consumed_early, town.collapsed, town.flare_ups))
    names = ("steps", "consumed", "consumed_early", "collapsed", "flare_ups")
    return dict(zip(names, np.array(rows).T, strict=True))
