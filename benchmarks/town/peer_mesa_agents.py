"""The town of `peer_mesa` as a first model in Mesa would be: in every turn all agents are asked whether they burn."""

from __future__ import annotations

import numpy as np

from benchmarks.town import peer_mesa


def burn(size: int, fires: int, seed: int, early: int = 60) -> dict[str, np.ndarray]:
    """Outcomes of `fires` fires, by name; `consumed_early`: hexes consumed by the end of turn `early`."""
    return peer_mesa.burn(size, fires, seed, early, peer_mesa.TownOfAgents)
