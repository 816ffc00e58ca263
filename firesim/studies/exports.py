"""Exports of a study in key order: CSV with units in the header, Parquet, maps and curves as numpy archives."""

from __future__ import annotations

import csv
import heapq
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from firesim.core.extras import extra
from firesim.core.files import writing
from firesim.studies.tally import Array

if TYPE_CHECKING:
    from firesim.studies.fires import Fires

ROWS_AT_ONCE = 2_000
Failures = Mapping[tuple[int, int], str]


def headers(fires: Fires) -> list[str]:
    """The names of the outcome rows' fields, with units: `steps [turns]`."""
    system = fires.prepared.system
    units = {column.name: column.unit for column in system.outcome_columns}
    step = system.step_word.lower()
    return [
        f"{name} [{unit}]"
        if (unit := units.get(name) or (step if name in fires.columns and name.endswith("_at") else ""))
        else name
        for name in fires.outcomes.dtype.names or ()
    ]


def write_csv(path: str | Path, outcomes: Array, header: Sequence[str], failures: Failures | None = None) -> None:
    """Outcome rows as CSV, written whole or not at all.

    failures: fires without an outcome; where there are any, they have rows too, with a last column `error`.
    """
    with writing(path, (".csv",)) as target, open(target, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*header, "error"] if failures else header)
        for rows in row_lists(outcomes, failures or {}):
            writer.writerows(rows)


def row_lists(outcomes: Array, failures: Failures) -> Iterator[Iterable[Sequence[Any]]]:
    """The rows of a CSV, some thousands at a time."""
    parts = (outcomes[at : at + ROWS_AT_ONCE].tolist() for at in range(0, len(outcomes), ROWS_AT_ONCE))
    if not failures:
        yield from parts
        return
    empty = [""] * (len(outcomes.dtype) - 2)
    sound = ((*row, "") for part in parts for row in part)
    lost = ((case, replicate, *empty, error) for (case, replicate), error in sorted(failures.items()))
    yield heapq.merge(sound, lost, key=lambda row: (row[0], row[1]))


def write_parquet(path: str | Path, fires: Fires) -> None:
    """Outcome rows as Parquet (extra `parquet`), written whole or not at all; units stand in the fields' metadata."""
    arrow, parquet = extra("pyarrow", "parquet"), extra("pyarrow.parquet", "parquet")
    outcomes = fires.outcomes
    columns, fields = [], []
    for name, header in zip(outcomes.dtype.names or (), headers(fires), strict=True):
        values = np.ascontiguousarray(outcomes[name])
        array = arrow.array(values.tolist() if values.dtype.kind == "U" else values)
        unit = header.removeprefix(name).strip(" []")
        columns.append(array)
        fields.append(arrow.field(name, array.type, metadata={"unit": unit} if unit else None))
    table = arrow.Table.from_arrays(columns, schema=arrow.schema(fields))
    with writing(path, (".parquet",)) as target:
        parquet.write_table(table, target)


def write_maps(path: str | Path, fires: Fires) -> None:
    """Whole-number maps and curves of all cases as a numpy archive, written whole or not at all.

    For case k and record r: `k/r/count` and `k/r/sum` (row, col), `k/r/by_step` (step), and `k/fires`.
    """
    arrays: dict[str, Array] = {}
    for case, maps in enumerate(fires.tallies):
        if maps is None:
            continue
        shape = fires.maps.shapes[case]
        arrays[f"{case}/fires"] = np.array(maps.fires)
        for place, record in enumerate(fires.prepared.system.records):
            if "maps" in fires.plan.keep:
                arrays[f"{case}/{record}/count"] = maps.counts[place, :-1].reshape(shape)
                arrays[f"{case}/{record}/sum"] = maps.sums[place, :-1].reshape(shape)
            if "curves" in fires.plan.keep:
                arrays[f"{case}/{record}/by_step"] = maps.curves[place]
    save: Any = np.savez_compressed
    with writing(path, (".npz",)) as target:
        save(target, **arrays)


def write_exports(fires: Fires, folder: Path, parquet: bool = False) -> list[Path]:
    """What a finished study leaves in its folder beside the store: rows, maps, summary."""
    written = [folder / "outcomes.csv"]
    write_csv(written[0], fires.outcomes, headers(fires), fires.failures)
    if parquet:
        written.append(folder / "outcomes.parquet")
        write_parquet(written[-1], fires)
    if fires.plan.keep:
        written.append(folder / "maps.npz")
        write_maps(written[-1], fires)
    summary = fires.summary()
    for name, text in (
        ("summary.txt", f"{summary}\n"),
        ("summary.json", json.dumps(summary.as_dict(), indent=1) + "\n"),
    ):
        written.append(folder / name)
        with writing(written[-1]) as target:
            target.write_text(text, encoding="utf-8", newline="\n")
    return written
