"""State as arrays, declared once: what each field is, how large, and what part it plays.

A system's state is a NamedTuple of a few arrays. What every cell has is one array of records (all that a cell is lies
together in memory, and a kernel is handed ten arrays rather than forty: passing forty by value from function to
function made the town's kernels eight times slower and ten times slower to compile). Each field carries a `Field`; allocation,
copies, saved files, documentation and the contract tests all derive from these declarations.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeVar, get_type_hints

import numpy as np

Role = Literal["state", "tally", "record", "scratch", "derived"]
Array = np.ndarray[Any, Any]
Records = Any
"""An array of records whose fields are read and written as attributes (numpy.recarray)."""

State = TypeVar("State", bound=tuple[Any, ...])


@dataclass(frozen=True, slots=True)
class Field:
    """One array of a state, or one field of a record.

    kind: numpy's name of a type, or a class that declares a record. shape: names of sizes (`"cell"`) or numbers; in a
    record, of the field itself. role: `state` decides the future, `tally` feeds outcomes only, `record` holds times for
    maps, `scratch` is cleared each step, `derived` is rebuilt. history: kept step by step in `run.history`.
    """

    kind: str | type
    shape: tuple[str | int, ...]
    role: Role
    doc: str
    unit: str = ""
    fill: int = 0
    history: bool = False


def declared(owner: type) -> dict[str, Field]:
    """The fields of a state or record class by name, in order."""
    hints = get_type_hints(owner, include_extras=True)
    found = {n: [m for m in getattr(h, "__metadata__", ()) if isinstance(m, Field)] for n, h in hints.items()}
    return {name: fields[0] for name, fields in found.items() if fields}


def record_type(owner: type) -> np.dtype[Any]:
    """The numpy type of a record class, aligned as C aligns it."""
    columns = [(name, field.kind, field.shape) for name, field in declared(owner).items()]
    return np.dtype([(n, k, s) if s else (n, k) for n, k, s in columns], align=True)


def records(owner: type, count: int) -> Records:
    """`count` records, each field filled with its `fill`; fields can be read and written as attributes."""
    array = np.zeros(count, record_type(owner))
    for name, field in declared(owner).items():
        if field.fill:
            array[name] = field.fill
    return array.view(np.recarray)


def allocate(owner: type[State], sizes: dict[str, int]) -> State:
    """A state with every array filled with its declared `fill`."""
    arrays = []
    for field in declared(owner).values():
        shape = tuple(sizes[n] if isinstance(n, str) else n for n in field.shape)
        if isinstance(field.kind, type):
            arrays.append(records(field.kind, int(np.prod(shape))).reshape(shape))
        else:
            arrays.append(np.full(shape, field.fill, field.kind) if field.fill else np.zeros(shape, field.kind))
    return owner(*arrays)


def copied(state: State) -> State:
    """A deep copy."""
    return type(state)(*(array.copy() for array in state))


def restore(state: State, saved: State) -> None:
    """Write `saved` back into the arrays of `state`."""
    for array, old in zip(state, saved, strict=True):
        array[...] = old
