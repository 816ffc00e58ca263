"""State as arrays, declared once: what each field is, how large, and what part it plays.

A system's state is a NamedTuple of a few arrays. What every cell has is one array of records (all that a cell is lies
together in memory, and a kernel is handed ten arrays rather than forty: passing forty by value from function to
function made the town's kernels eight times slower and ten times slower to compile). Each field carries a `Field`;
allocation, copies, saved files, documentation and the contract tests all derive from these declarations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any, Literal, TypeVar, get_type_hints

import numpy as np

Role = Literal["state", "tally", "record", "scratch", "derived"]
Array = np.ndarray[Any, Any]
Records = Any
"""An array of records whose fields are read and written as attributes (numpy.recarray)."""

ALIGNED = 16
"""Arrays in a packed state begin at multiples of so many bytes."""

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


def declared(owner: type) -> Mapping[str, Field]:
    """The fields of a state or record class by name, in order."""
    return _declared(owner)


@cache
def _declared(owner: Any) -> Mapping[str, Field]:
    """`declared`, which takes a millisecond a class to find out."""
    hints = get_type_hints(owner, include_extras=True)
    found = {n: [m for m in getattr(h, "__metadata__", ()) if isinstance(m, Field)] for n, h in hints.items()}
    return MappingProxyType({name: fields[0] for name, fields in found.items() if fields})


@cache
def record_type(owner: Any) -> np.dtype[Any]:
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


def packed(state: State) -> tuple[Array, State]:
    """A copy of `state` whose arrays are views into one buffer of bytes, which is returned with it."""
    offsets, end = [], 0
    for array in state:
        offsets.append(end)
        end += -(-array.nbytes // ALIGNED) * ALIGNED
    buffer = np.zeros(end, np.uint8)
    views = []
    for array, offset in zip(state, offsets, strict=True):
        view = buffer[offset : offset + array.nbytes].view(array.dtype).reshape(array.shape)
        view[...] = array
        views.append(view.view(np.recarray) if array.dtype.names else view)
    return buffer, type(state)(*views)


def bytes_of(owner: type[State], state: State, wanted: Callable[[str, str, Field], bool]) -> Array:
    """Which bytes of `packed(state)`'s buffer belong to wanted fields: (bytes,) bool.

    wanted: called with the array's name, the record field's name ("" where the array holds no records) and its Field.
    """
    marks, marked = packed(type(state)(*(np.zeros_like(array) for array in state)))
    for name, field in declared(owner).items():
        array = getattr(marked, name)
        inner = declared(field.kind) if isinstance(field.kind, type) else {"": field}
        for column, part in inner.items():
            if wanted(name, column, part):
                target = array[column] if column else array
                target[...] = np.frombuffer(b"\xff" * target.dtype.itemsize, target.dtype)[0]
    return np.asarray(marks == 0xFF)
