"""What each system may forget between two steps: changed at random it must be forgotten, and nothing else be left."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from firesim.rules.ship import state as s

WORN = ("armour", "roof", "moisture", "external", "collapsed", "collapse_checked", "through_roof", "roof_hits")

PASSING = ("caught", "burned", "splash", "holds_door")


def muddle_town(params: Any, state: Any) -> None:
    """Change what no longer matters: all of a hex that is gone, whether an attack stalled, the wind's last die."""
    gone = state.cells.standing == 0
    state.cells.stalled = 1
    state.weather[2] = 3
    for name in WORN:
        state.cells[name][gone] = 1


def check_town(state: Any) -> None:
    """Heat and infernos are worked out anew in each turn, and nothing lies on what is gone."""
    assert not state.cells.heat.any()
    assert not state.cells.inferno.any()
    assert not state.buildings.alight.any()
    assert not state.cells.fuel[state.cells.standing == 0].any()


def muddle_ship(params: Any, state: Any) -> None:
    """Change what no longer matters: damage past health, and the hull damage of a lost ship."""
    dead = state.crew.damage >= params.crew.health
    state.crew.damage[dead] += 7
    if state.ship[s.LOST]:
        state.ship[s.HULL_DAMAGE_NOW] += 5


def check_ship(state: Any) -> None:
    """A lost ship has no hull damage left to tell, and of a phase that is over only its outcome is left."""
    assert not state.ship[s.LOST] or not state.ship[s.HULL_DAMAGE_NOW]
    assert not state.ship[s.HULL_HIT]
    for records, names in ((state.cells, ("caught", "out", "door")), (state.crew, PASSING)):
        for name in names:
            assert not records[name].any(), name
    assert not state.counts[[s.CAUGHT, s.HOT, s.BURNERS, s.OPENED]].any()
    assert state.counts[s.ALIGHT] == state.cells.burning.sum()


Muddle = Callable[[Any, Any], None]
FORGOTTEN: dict[str, tuple[Muddle, Callable[[Any], None]]] = {
    "town": (muddle_town, check_town),
    "ship": (muddle_ship, check_ship),
}
"""For each system: changes what may be forgotten (params, state), and looks at what is left (state)."""
