"""What can be wrong with a town's map: its rows, legend and gaps, and the places that other keys name on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from firesim.core.maps import OPEN, cell_name, symbols
from firesim.core.meaning import NAME_MOST, as_far_as_valid, off_map_problems, symbol_problems, text_problems
from firesim.core.problems import Problem, Where, listed, nearest
from firesim.grid.links import HEADINGS, heading_between
from firesim.rules.town.names import SHORT_FORMS, WIND_WORDS, Kind, canonical, known, wind
from firesim.rules.town.words import Between, Legend


@dataclass(frozen=True)
class Plan:
    """A town's map as far as its words are valid.

    `tokens`: symbols by row, empty when the rows cannot be read; `legend`: an entry for each symbol, None where its
    words are of no use; `whole`: whether every building that the legend names could be read; `hexes`: how many hexes
    of the map belong to each named building; `orientation`: None when it is no word that is known; `problems`: those
    of the rows.
    """

    tokens: list[list[str]]
    legend: dict[str, Legend | None]
    whole: bool
    hexes: Counter[str]
    orientation: str | None
    problems: list[Problem]

    @classmethod
    def of(cls, block: object) -> Plan:
        """The plan of a `[map]`, whatever it holds."""
        whole = isinstance(block, Mapping) and isinstance(block.get("legend", {}), Mapping)
        block = block if isinstance(block, Mapping) else {}
        entries = block.get("legend", {}) if whole else {}
        rows, orientation = block.get("rows"), block.get("orientation", "pointy")
        legend = {s: as_far_as_valid(Legend, e) for s, e in entries.items() if isinstance(s, str)}
        for symbol, entry in legend.items():
            whole &= entry is not None and (entry.building is not None or "building" not in entries[symbol])
        tokens: list[list[str]] = []
        problems: list[Problem] = []
        if isinstance(rows, list) and all(isinstance(row, str) for row in rows):
            tokens, problems = symbols(rows, legend if isinstance(block.get("legend", {}), Mapping) else None)
        hexes: Counter[str] = Counter()
        for symbol, count in Counter(symbol for row in tokens for symbol in row).items():
            entry = legend.get(symbol)
            if entry and entry.building is not None:
                hexes[entry.building] += count
        facing = orientation if isinstance(orientation, str) and orientation in HEADINGS else None
        return cls(tokens, legend, whole, hexes, facing, problems)

    def place_problems(self, cell: tuple[int, int], where: Where) -> list[Problem]:
        """What is wrong with a cell that should be a hex of a building; nothing where the map cannot tell."""
        row, col = cell
        if not self.tokens or (off := off_map_problems(cell, self.tokens, where)):
            return off if self.tokens else []
        if col >= len(self.tokens[row]):
            return []
        symbol = self.tokens[row][col]
        entry = self.legend.get(symbol)
        if symbol != OPEN and (entry is None or entry.ground is None):
            return []
        ground = canonical("ground", entry.ground) if symbol != OPEN and entry and entry.ground else None
        what = f"cell {cell_name(row, col)} is {'open ground' if ground in (None, 'open') else ground} ('{symbol}')"
        return [Problem(what, "a hex of a building", "", where)]

    def building_problems(self, name: str, where: Where) -> list[Problem]:
        """What is wrong with a building that should stand on the map."""
        named = sorted({entry.building for entry in self.legend.values() if entry and entry.building is not None})
        if name not in named:
            if not self.whole:
                return []
            hint = nearest(name, named) if named else 'name one in the legend: building = "..."'
            return [Problem(f"there is no building '{name}'", listed(named) if named else "", hint, where)]
        if self.tokens and not self.hexes[name]:
            return [Problem(f"building '{name}' has no hex on the map", "its symbol in a row", "", where)]
        return []


def map_problems(block: object, plan: Plan) -> list[Problem]:
    """What is wrong with the meaning of a `[map]`."""
    if not isinstance(block, Mapping):
        return []
    found = list(plan.problems)
    entries = block.get("legend", {})
    for symbol, entry in plan.legend.items():
        found += symbol_problems(symbol, "open ground on every map")
        if entry:
            found += _entry_problems(entry, entries[symbol], ("map", "legend", symbol))
    gaps = block.get("gaps")
    between = gaps.get("between") if isinstance(gaps, Mapping) else None
    return found + (_between_problems(between, plan) if isinstance(between, list) else [])


def name_problems(kind: Kind, word: str, where: Where) -> list[Problem]:
    """What is wrong with the name of a material, roof, accelerant or ground."""
    if canonical(kind, word) is not None:
        return []
    names = known(kind)
    return [Problem(f"there is no {kind} '{word}'", listed(names), nearest(word, [*names, *SHORT_FORMS[kind]]), where)]


def wind_problem(word: str, orientation: str | None, where: Where) -> list[Problem]:
    """What is wrong with a word for the wind on a map of this orientation (None = not known)."""
    if any(wind(word, each) for each in ([orientation] if orientation else HEADINGS)):
        return []
    expected = listed([*WIND_WORDS, *HEADINGS[orientation or "pointy"]])
    other = next((each for each in HEADINGS if wind(word, each)), None)
    if other:
        what = f"'{word}' is a heading of {other} maps, and this map is {orientation}"
        return [Problem(what, expected, f'take one of these, or write orientation = "{other}" in [map]', where)]
    headings = HEADINGS[orientation or "pointy"]
    near = nearest(word, [*WIND_WORDS, *(heading.lower() for heading in headings)])
    near = next((f"did you mean '{each}'?" for each in headings if f"'{each.lower()}'" in near), near)
    return [Problem(f"there is no wind '{word}'", expected, near, where)]


def _entry_problems(entry: Legend, written: Mapping[str, Any], where: Where) -> list[Problem]:
    """What is wrong with one entry of the legend."""
    found: list[Problem] = []
    others = [key for key in written if key in Legend.model_fields and key != "ground" and written[key] is not None]
    if entry.ground is not None:
        found += name_problems("ground", entry.ground, (*where, "ground"))
        if others:
            what = f"'{where[-1]}' is both ground ({entry.ground}) and a building ({', '.join(others)})"
            found.append(Problem(what, "one of the two", "leave out ground, or the other words", where))
    if entry.material is not None:
        found += name_problems("material", entry.material, (*where, "material"))
    if entry.roof is not None:
        found += name_problems("roof", entry.roof, (*where, "roof"))
    if entry.building is not None:
        found += text_problems(entry.building, NAME_MOST, (*where, "building"))
    seen: set[str] = set()
    for word, place in _accelerants(entry, (*where, "accelerant")):
        found += name_problems("accelerant", word, place)
        name = canonical("accelerant", word)
        if name in seen:
            found.append(Problem(f"'{name}' is listed twice", "each accelerant once for a hex", "", place))
        seen |= {name} if name else set()
    return found


def _accelerants(entry: Legend, where: Where) -> Iterator[tuple[str, Where]]:
    """The names of an entry's accelerants, as written, and where."""
    if isinstance(entry.accelerant, str):
        yield entry.accelerant, where
    elif entry.accelerant is not None:
        for i, each in enumerate(entry.accelerant):
            yield (each, (*where, i)) if isinstance(each, str) else (each.kind, (*where, i, "kind"))


def _between_problems(items: list[Any], plan: Plan) -> list[Problem]:
    """What is wrong with `between`, the gaps of single pairs of hexes."""
    found: list[Problem] = []
    gaps: dict[frozenset[tuple[int, int]], tuple[int, int]] = {}
    for i, item in enumerate(items):
        where: Where = ("map", "gaps", "between", i)
        pair = as_far_as_valid(Between, item)
        if not pair:
            continue
        first, second = pair.cells
        off = [p for j, cell in enumerate(pair.cells) for p in plan.place_problems(cell, (*where, "cells", j))]
        found += off
        both = f"{cell_name(*first)} and {cell_name(*second)}"
        if first == second:
            what = f"both cells are {cell_name(*first)}"
            found.append(Problem(what, "two cells that touch", "", (*where, "cells")))
        elif not off and plan.orientation and heading_between(first, second, plan.orientation) is None:
            what = f"{both} do not touch on this {plan.orientation} map"
            found.append(Problem(what, "two cells that touch", "", (*where, "cells")))
        earlier, gap = gaps.setdefault(frozenset(pair.cells), (i, pair.gap))
        if gap != pair.gap:
            what = f"the gap between {both} is {pair.gap} here and {gap} in between[{earlier}]"
            found.append(Problem(what, "one gap for a pair", "leave one of them out", (*where, "gap")))
    return found
