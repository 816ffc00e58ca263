"""A digest of a game's state, by which a save proves that it was played again rightly."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

import numpy as np

from firesim.core.fields import declared

if TYPE_CHECKING:
    from firesim.table.game import Game


def state_digest(game: Game) -> str:
    """A digest of the state, the outcome and every die: of all fields that decide the future, count or are told."""
    made = hashlib.sha256(json.dumps([game.steps, game.outcome, game.faces], sort_keys=True).encode())
    for name, array in fields_of(game.state):
        made.update(name.encode())
        made.update(np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<")).tobytes())
    return made.hexdigest()[:32]


def fields_of(state: Any) -> list[tuple[str, np.ndarray[Any, Any]]]:
    """The fields of a state by name, those apart that are rebuilt, cleared, or mean nothing beyond a length."""
    found = []
    for name, field in declared(type(state)).items():
        array = getattr(state, name)
        if field.role in ("scratch", "derived") or name == "lists":
            continue
        if not isinstance(field.kind, type):
            found.append((name, array))
            continue
        inner = declared(field.kind)
        found += [(f"{name}.{part}", array[part]) for part, each in inner.items() if each.role != "derived"]
    return found
