"""From the words of a scenario to what the kernel knows: names to codes, tables to numbers, the map to links."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from firesim.core.fields import Records, allocate, records
from firesim.core.maps import OPEN, symbols
from firesim.core.tables import Tables
from firesim.grid.hexes import HEADINGS, SIDES, HexLinks, heading_between, hex_links
from firesim.rules.town import params as p
from firesim.rules.town import state as s
from firesim.rules.town.happenings import pass_over_done_ignitions, set_alight, welcome_the_new
from firesim.rules.town.look import GROUND_CODES, MATERIAL_CODES, ROOF_CODES
from firesim.rules.town.names import book, canonical, wind
from firesim.rules.town.words import Event, Legend, Placed, Town

TILES = ("clay tile", "slate")
"""Roofs that lose a point only every other time [TN-40]."""

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Kind:
    """What one symbol of the legend stands for, in numbers."""

    ground: int = 0
    name: str = ""
    building: bool = False
    st: int = 0
    armour: int = 0
    roof: int = 0
    tile: bool = False
    floors: int = 1
    setback: int = 0
    moisture: int = 0
    material: int = 0
    roof_code: int = 0
    accelerants: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Look:
    """What pictures and sentences need of the map: codes per cell (see `look`), and names of buildings by number."""

    ground: Array
    material: Array
    roof: Array
    names: dict[int, str]


@dataclass(frozen=True)
class Layout:
    """The map in numbers: the kind of every cell, the kinds, and the number of every cell's building."""

    kinds: list[Kind]
    kind_of: Array
    building: Array
    names: dict[int, str]

    def each(self, what: str, dtype: str) -> Array:
        """One figure of every cell and, last, of the rim, where nothing stands."""
        values = np.array([getattr(kind, what) for kind in self.kinds], dtype)
        return np.append(values[self.kind_of], np.zeros(1, dtype))


def tables_of(words: Town) -> Tables:
    """The book's numbers with the scenario's own."""
    return book().with_overrides(words.tables)[0]


def kind_of_legend(entry: Legend, tables: Tables, simple: bool) -> Kind:
    """Names, left-out words and short forms of a legend entry become numbers [D-W14]."""
    if entry.ground is not None:
        return Kind(ground=GROUND_CODES[canonical("ground", entry.ground) or "open"])
    material = canonical("material", entry.material or "wooden") or "wooden"
    roof = canonical("roof", entry.roof or "thatch") or "thatch"
    armour = tables.value("material", material) if entry.armour is None else entry.armour
    protection = tables.value("roof", roof) if entry.roof_protection is None else entry.roof_protection
    if entry.armour is not None and entry.material is None:
        material = next((m for m, value in book()["material"].values.items() if value == armour), "unknown3")
    return Kind(
        name=entry.building or "",
        building=True,
        st=10 * entry.floors if entry.st is None else entry.st,  # [A1-18]
        armour=0 if simple else armour,  # [D-W10]
        roof=0 if simple else protection,
        tile=roof in TILES,
        floors=entry.floors,
        setback=entry.setback,
        moisture=p.MOISTURES.index(entry.moisture) if entry.moisture else 0,
        material=MATERIAL_CODES[material],
        roof_code=ROOF_CODES[roof],
        accelerants=tuple(accelerants_of(entry.accelerant, tables)),
    )


def accelerants_of(words: str | list[str | Placed] | None, tables: Tables) -> Iterable[tuple[int, int]]:
    """Code and turns of each accelerant: one turn, or two in several melee hexes [TN-42, TN-50]."""
    for word in [words] if isinstance(words, str) else words or []:
        placed = Placed(kind=word) if isinstance(word, str) else word
        yield accelerant_code(placed.kind, tables), 2 if placed.several else 1


def accelerant_code(word: str, tables: Tables) -> int:
    """The code of an accelerant: its place among the table's names."""
    return list(tables["accelerant"].values).index(canonical("accelerant", word) or word)


def layout_of(words: Town, tables: Tables) -> Layout:
    """Kinds and buildings of all cells; hexes of one building name are one building [D-W14]."""
    simple = words.options.mode == "simple"
    kinds = [Kind()] + [kind_of_legend(entry, tables, simple) for entry in words.map.legend.values()]
    code = {OPEN: 0} | {symbol: i for i, symbol in enumerate(words.map.legend, start=1)}
    rows, _ = symbols(words.map.rows)
    kind_of = np.fromiter((code[symbol] for row in rows for symbol in row), np.int32)
    names: dict[str, int] = {}
    number = np.array([names.setdefault(k.name, len(names) + 1) if k.name else 0 for k in kinds], np.int32)
    stands = np.array([k.building for k in kinds])
    building = number[kind_of]
    alone = stands[kind_of] & (building == 0)
    building[alone] = len(names) + 1 + np.arange(int(alone.sum()), dtype=np.int32)
    return Layout(kinds, kind_of, np.append(building, np.int32(0)), {n: name for name, n in names.items()})


def params_of(words: Town, tables: Tables, layout: Layout, shape: tuple[int, int]) -> p.TownParams:
    """Everything the kernel may know."""
    sites = records(p.TownSite, len(layout.building))
    sites.building = layout.building
    sites.st0 = layout.each("st", "int32")
    sites.floors = layout.each("floors", "int16")
    sites.setback = layout.each("setback", "int16")
    sites.tile = layout.each("tile", "uint8")
    pairs = pairs_of(words, shape)
    sites.paired[pairs.edge // SIDES] = 1
    links = hex_links(*shape, words.map.orientation)
    book = book_of(tables, words.map.gaps.default)
    sites.sparks = sparks_can_land(words, sites, pairs, links, book)
    events, event_cells = events_of(words, tables, layout, shape)
    ignitions = ignitions_of(words, layout, shape)
    watches = [places(watch, layout, shape) for watch in words.watch]
    lone = int(np.bincount(layout.building)[1:].max(initial=0)) <= 1
    return p.TownParams(
        links=links,
        cells=sites,
        pairs=pairs,
        options=options_of(words),
        book=book,
        events=events,
        event_cells=event_cells,
        ignitions=ignitions,
        watch_first=np.cumsum([0] + [len(cells) for cells in watches]).astype(np.int64),
        watch_cells=np.array([cell for cells in watches for cell in cells], np.int32),
        in_file=sum(len(places(i, layout, shape)) for i in words.ignite),
        inside=int(ignitions.inside.any()),
        streams=int(streams(words)),
        lone=int(lone),
        by_cell=int(words.options.one_hex and not lone),
        even_gaps=int(not sites.setback.any() and not len(pairs)),
    )


def sparks_can_land(words: Town, sites: Records, pairs: Records, links: HexLinks, book: Records) -> Array:
    """From which hexes sparks could reach another building at all, whatever burns: (cells,) uint8.

    Beyond the neighbours where the reach is a village hex or more, else where some neighbour's gap lies between a
    jump and the reach.
    """
    if words.options.collapse_effect == "debris":  # gaps change
        return np.ones(len(sites), np.uint8)
    reach = sites.floors.astype(np.int64) * book.reach_per_floor
    if words.options.spark_unit == "village":
        reach *= book.gap_hex
    gap = book.gap_default + sites.setback[:, None].astype(np.int64) + sites.setback[links.to]
    gap.reshape(-1)[pairs.edge] = pairs.gap
    lands = (gap > book.gap_jump) & (gap <= reach[:, None]) & (sites.building[links.to] > 0)
    return np.asarray((reach >= book.gap_hex) | lands.any(axis=1), np.uint8)


def open_sides(params: p.TownParams, standing: Array) -> Array:
    """Of every hex, in which headings a building stands: (cells,) uint8, a bit for each heading."""
    return np.asarray((standing[params.links.to] << np.arange(SIDES)).sum(axis=1), np.uint8)


def streams(words: Town) -> bool:
    """Whether a batch may burn the scenario as a stream of burning hexes: see `stream` for what it leaves out."""
    options = words.options
    usual = options.mode == "gritty" and options.jump == "one"
    return usual and options.roof_mode == "layer" and not options.stall_jump


def ignitions_of(words: Town, layout: Layout, shape: tuple[int, int]) -> Records:
    """Ignitions in file order, those of events after the file's [D-W15]."""
    listed = [(i, cell) for i in words.ignite for cell in places(i, layout, shape)]
    listed += [(e, cell) for e in words.event if e.kind == "ignite" for cell in places(e, layout, shape)]  # type: ignore[misc]
    made = records(p.TownIgnition, len(listed))
    for row, (ignition, cell) in zip(made, listed, strict=True):
        row.cell, row.step, row.inside, row.alight = cell, ignition.step, ignition.inside, ignition.alight
    return made


def places(item: Any, layout: Layout, shape: tuple[int, int]) -> list[int]:
    """Flat indices of what an ignition, event or watch names by cell, cells or building; none for the whole map."""
    if getattr(item, "building", None) is not None:
        number = next(n for n, name in layout.names.items() if name == item.building)
        return [int(c) for c in np.flatnonzero(layout.building == number)]
    cells = list(getattr(item, "cells", None) or []) + ([item.cell] if getattr(item, "cell", None) is not None else [])
    return [row * shape[1] + col for row, col in cells]


def pairs_of(words: Town, shape: tuple[int, int]) -> Records:
    """Gaps given pair by pair, seen from both sides, sorted."""
    gaps: dict[int, int] = {}
    for between in words.map.gaps.between:
        for one, other in (between.cells, between.cells[::-1]):
            heading = heading_between(one, other, words.map.orientation)
            if heading is not None:
                gaps[(one[0] * shape[1] + one[1]) * SIDES + heading] = between.gap
    made = records(p.TownPair, len(gaps))
    made.edge = sorted(gaps)
    made.gap = [gaps[edge] for edge in sorted(gaps)]
    return made


def options_of(words: Town) -> Records:
    """The options as one record of integers."""
    chosen = words.options.model_dump()
    weights = chosen.pop("wind_weights")
    options = records(p.TownOptions, 1)
    options.wind_turn = [turn for turn, weight in enumerate(weights) for _ in range(weight)]
    for name, value in chosen.items():
        options[name] = p.CHOICES[name].index(value) if name in p.CHOICES else int(value)
    return options[0]


def book_of(tables: Tables, gap_default: int) -> Records:
    """The book's numbers as the kernel wants them, in one record."""
    book = records(p.TownBook, 1)
    book.accelerant = list(tables["accelerant"].values.values())
    book.moisture = [0] + [tables.value("moisture", word) for word in p.MOISTURES[1:]]
    book.inferno = tables.value("inferno", "bonus")
    book.collapse_from = tables.value("collapse", "from_face")
    book.collapse_percent = tables.value("collapse", "percent")
    book.external_percent = tables.value("external", "percent")
    book.flare_net = tables.value("flare", "from_net")
    book.reach_per_floor = tables.value("flare", "reach_per_floor")
    book.gap_default = gap_default
    book.gap_jump = tables.value("gap", "jump")
    book.gap_protected = tables.value("gap", "protected")
    book.gap_hex = tables.value("gap", "hex")
    return book[0]


def wind_code(word: str, orientation: str) -> int:
    """A wind word as the state holds it."""
    known = wind(word, orientation)
    if known in (None, "none", "die"):
        return s.WIND_BY_DIE if known == "die" else s.NO_WIND
    return HEADINGS[orientation].index(known)


def events_of(words: Town, tables: Tables, layout: Layout, shape: tuple[int, int]) -> tuple[Records, Array]:
    """Events by step, then file order, and their cells one after another."""
    codes = {"wind": p.EV_WIND, "moisture": p.EV_MOISTURE, "wet": p.EV_MOISTURE, "accelerant": p.EV_ACCELERANT,
             "demolish": p.EV_DEMOLISH, "ignite": p.EV_IGNITE, "douse": p.EV_DOUSE}  # fmt: skip
    made = records(p.TownEvent, len(words.event))
    cells: list[int] = []
    for row, event in zip(made, sorted(words.event, key=lambda e: e.step), strict=True):
        here = [] if event.kind == "ignite" else places(event, layout, shape)
        row.step, row.kind, row.several = event.step, codes[event.kind], event.several
        row.value = event_value(event, tables, words.map.orientation)
        row.first, row.end = len(cells), len(cells) + len(here)
        cells += here
    return made, np.array(cells, np.int32)


def event_value(event: Event, tables: Tables, orientation: str) -> int:
    """The value of an event as a code [D-W15]."""
    if event.kind == "wind":
        return wind_code(event.wind or "none", orientation)
    if event.kind in ("moisture", "wet"):
        return p.MOISTURES.index(event.moisture or "wet")
    if event.kind == "accelerant":
        return accelerant_code(event.accelerant or "", tables)
    return 0


def first_state(words: Town, params: p.TownParams, layout: Layout) -> s.TownState:
    """The town before the first turn, fires alight from the start burning [D-W6]."""
    cells, standing = len(layout.building), layout.building > 0
    fuelled = any(k.accelerants for k in layout.kinds) or bool((params.events.kind == p.EV_ACCELERANT).any())
    state = allocate(s.TownState, {
        "cell": cells,
        "building": int(layout.building.max()) + 1,
        "hex": max(int(standing.sum()), 1),
        "fuel": cells if fuelled else 1,
        "accelerant": len(params.book.accelerant),
        "ignition": max(len(params.ignitions), 1),
    })  # fmt: skip
    state.cells.st = params.cells.st0
    state.cells.armour = layout.each("armour", "int16")
    state.cells.roof = layout.each("roof", "int16")
    state.cells.moisture = layout.each("moisture", "int8")
    state.cells.standing = standing
    state.buildings.hexes = np.bincount(layout.building)
    state.weather[:] = (
        wind_code(words.weather.wind, words.map.orientation), p.MOISTURES.index(words.weather.moisture), s.NO_WIND
    )  # fmt: skip
    for number, kind in enumerate(layout.kinds):
        if kind.accelerants:
            here = np.flatnonzero(layout.kind_of == number)
            state.cells.fuel[here] = s.FUEL_LIES
            for code, turns in kind.accelerants:
                state.fuel.turns[here, code] = turns
    state.open_sides[:] = open_sides(params, standing)
    set_alight(params, state, None, 0, params.in_file)
    welcome_the_new(params, state)
    pass_over_done_ignitions(params, state)
    return state


def most_per_act(words: Town, params: p.TownParams) -> tuple[int, int]:
    """The most dice one act may roll, and the most rows it may log."""
    attacks = SIDES
    if words.options.spark_all:
        floors = int(params.cells.floors.max())
        reach = (
            floors * params.book.reach_per_floor * (params.book.gap_hex if words.options.spark_unit == "village" else 1)
        )
        wide = reach // params.book.gap_hex + 2 if params.book.gap_hex else max(params.links.rows, params.links.cols)
        attacks = min((2 * wide + 1) ** 2, len(params.cells))
    at_start = 2 * (len(params.event_cells) + len(params.events) + int(params.ignitions.alight.sum())) + 2
    return attacks + 2, max(4 * attacks + 4, at_start)
