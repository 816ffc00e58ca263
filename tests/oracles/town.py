"""The oracle of the town rules: slow, plain, and written from the rulebook alone.

`play(document, faces)` burns one scenario down, asking `faces(sides, purpose, actor, target)` for every die in the
exact order of rulebook section 6, and keeps the whole history.  It shares no code with the package, so that the two
can be compared face by face.  Rule ids (TN-19), readings (A1-02) and details (D-W3) are those of the rulebook.

Purposes of dice: "wind", "collapse", "attack", "ignite", "next hex", "jump direction", "jump", "flare direction",
"spark".

Events are dicts with the keys step, event, cell, other, face, net:

| event          | cell                | other                   | face | net                      |
|----------------|---------------------|-------------------------|------|--------------------------|
| collapse roll  | the hex             | -1                      | die  | 1 it collapses, 0 stands |
| attack         | the burning hex     | -1                      | die  | net attack               |
| ignite         | the hex attacked    | index of the ignition   | die  | net attack               |
| lit            | the hex lit         | the hex it came from, -1| 0    | 0                        |
| consumed       | the hex             | -1                      | 0    | 0                        |
| next hex       | the consumed hex    | the hex that now burns  | die, 0 if none | 0              |
| jump           | the attacking hex   | the hex attacked        | die  | net attack               |
| spark          | the attacking hex   | the hex attacked        | die  | net attack               |
| flare up       | the hex             | -1                      | die  | net of its own attack    |
| external       | the hex             | -1                      | 0    | 0                        |
| demolished     | the hex             | -1                      | 0    | 0                        |
| roof           | the hex             | -1                      | 0    | protection that remains  |
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor

Faces = Callable[[int, str, int, int], int]

# ----------------------------------------------------------------------------------------------------------------------
# Tables [TN-34..TN-55]

MATERIALS = {  # [TN-34, TN-35, A1-22]
    "light": 0,
    "wooden": 1,
    "wattle and daub": 2,
    "unknown3": 3,
    "earthen": 4,
    "adobe": 4,
    "brick": 6,
    "stone": 8,
}
ROOFS = {"thatch": 0, "cloth": 0, "wood shingles": 2, "clay tile": 4, "slate": 4}  # [TN-38..TN-40]
TILE_ROOFS = ("clay tile", "slate")  # [TN-40]
ACCELERANTS = {  # [TN-43..TN-48]
    "gunpowder": 3,
    "paper": 2,
    "vellum": 2,
    "oil": 2,
    "spirit alcohol": 2,
    "pitch": 1,
    "resins": 1,
    "silk": 1,
    "cotton": 1,
}
MOISTURE = {"wet": -3, "damp": -1, "normal": 0, "arid": 1}  # [TN-51..TN-54]

# CHOICE: the "obvious short forms" of D-W14 are these.
SHORT_FORMS = {
    "flimsy": "light",
    "wood": "wooden",
    "wattle": "wattle and daub",
    "wattle & daub": "wattle and daub",
    "daub": "wattle and daub",
    "earth": "earthen",
    "shingles": "wood shingles",
    "shingle": "wood shingles",
    "wood shingle": "wood shingles",
    "tile": "clay tile",
    "tiles": "clay tile",
    "clay tiles": "clay tile",
    "slates": "slate",
    "powder": "gunpowder",
    "spirit": "spirit alcohol",
    "spirits": "spirit alcohol",
    "alcohol": "spirit alcohol",
    "resin": "resins",
}

OPTION_DEFAULTS = {  # section 6, options table
    "mode": "gritty",
    "collapse": "once",
    "collapse_strict": False,
    "collapse_effect": "flag",
    "flare_by": "net",
    "spark_unit": "melee",
    "spark_all": False,
    "spark_reach": "up_to",
    "roof_mode": "layer",
    "gap3": "jump",
    "inferno_radius": 1,
    "inferno_count": 1,
    "inferno_exclusive": False,
    "accel_needs_fire": False,
    "accel_stack": "sum",
    "tile_mode": "second_hit",
    "one_hex": True,
    "wind_weights": [4, 1, 0, 0, 0, 1],
    "jump": "one",
    "stall_jump": False,
    "simple_mods": False,
}

# Both lists of headings run anticlockwise (interface.md section 3); the step is (row, column).
POINTY_HEADINGS = ["E", "NE", "NW", "W", "SW", "SE"]
POINTY_STEPS = (  # by row % 2; odd rows are shifted right
    {"E": (0, 1), "NE": (-1, 0), "NW": (-1, -1), "W": (0, -1), "SW": (1, -1), "SE": (1, 0)},
    {"E": (0, 1), "NE": (-1, 1), "NW": (-1, 0), "W": (0, -1), "SW": (1, 0), "SE": (1, 1)},
)
FLAT_HEADINGS = ["N", "NW", "SW", "S", "SE", "NE"]
FLAT_STEPS = (  # by column % 2; odd columns are shifted down
    {"N": (-1, 0), "NW": (-1, -1), "SW": (0, -1), "S": (1, 0), "SE": (0, 1), "NE": (-1, 1)},
    {"N": (-1, 0), "NW": (0, -1), "SW": (1, -1), "S": (1, 0), "SE": (1, 1), "NE": (0, 1)},
)


# ----------------------------------------------------------------------------------------------------------------------
# What comes out, and what is kept


@dataclass
class Result:
    states: list  # one dict of flat lists per step 0..steps
    outcome: dict
    events: list
    lit_at: list
    consumed_at: list
    external_at: list
    out_at: list


@dataclass
class Accelerant:
    left: int  # turns left
    running: bool = False  # has its clock been started?


@dataclass
class Hex:
    cell: int
    row: int
    col: int
    building: object = None  # None: open ground
    st0: int = 0
    st: int = 0
    armour: int = 0
    roof: int = 0  # protection that remains
    tile: bool = False
    roof_hits: int = 0  # successful attacks on a tile roof
    roof_lost_at: int = -10  # turn of the last loss
    floors: int = 1
    setback: int = 0
    moisture: object = None  # None: that of the weather
    accelerants: dict = field(default_factory=dict)  # kind -> Accelerant
    burning: bool = False
    through_roof: bool = False  # this fire was lit through the roof [D-W11]
    external: bool = False
    consumed: bool = False
    collapsed: bool = False
    ever_collapsed: bool = False
    collapse_checked: bool = False
    demolished: bool = False
    lit_at: int = -1
    consumed_at: int = -1
    external_at: int = -1
    out_at: int = -1

    def standing(self) -> bool:
        return self.building is not None and not self.consumed and not self.demolished

    def unlit(self) -> bool:
        return self.standing() and not self.burning


@dataclass
class Ignition:
    index: int
    cell: int
    step: int
    inside: bool
    alight: bool
    from_event: bool = False
    known: bool = True  # an event's ignition is known only once the event has happened
    spent: bool = False  # an alight one acts once


def name_of(word: str) -> str:
    plain = " ".join(str(word).lower().replace("_", " ").split())
    return SHORT_FORMS.get(plain, plain)


def table_with(book: dict, overrides: dict) -> dict:
    table = dict(book)
    for key, value in overrides.items():
        table[name_of(key)] = value
    return table


def play(document: dict, faces: Faces, limit: int = 100_000) -> Result:
    """Burn the town of `document`, one call of `faces` per die."""
    return Town(document, faces, limit).play()


# ----------------------------------------------------------------------------------------------------------------------


class Town:
    def __init__(self, document: dict, faces: Faces, limit: int):
        self.faces = faces
        self.horizon = min(int(document.get("steps", limit)), limit)
        self.options = {**OPTION_DEFAULTS, **document.get("options", {})}
        self.gritty = self.options["mode"] == "gritty"
        self.one_hex = bool(self.options["one_hex"])
        weather = document.get("weather", {})
        self.weather_moisture = weather.get("moisture", "normal")
        self.weather_wind = weather.get("wind", "none")  # none, a heading, or die
        self.wind = None  # this turn's heading, as an index into self.headings
        self.read_tables(document.get("tables", {}))
        self.read_map(document["map"])
        self.read_events(document)
        self.turn = 0
        self.events: list = []
        self.flare_ups = 0
        self.jumps = 0

    # ------------------------------------------------------------------------------------------------ reading the file

    def read_tables(self, tables: dict) -> None:
        self.material_table = table_with(MATERIALS, tables.get("material", {}))
        self.roof_table = table_with(ROOFS, tables.get("roof", {}))
        self.accelerant_table = table_with(ACCELERANTS, tables.get("accelerant", {}))
        self.moisture_table = table_with(MOISTURE, tables.get("moisture", {}))
        self.inferno_bonus = tables.get("inferno", {}).get("bonus", 2)  # [TN-55]
        self.collapse_from = tables.get("collapse", {}).get("from_face", 4)  # [TN-21]
        self.collapse_percent = Fraction(tables.get("collapse", {}).get("percent", 25))  # [TN-24]
        self.external_percent = Fraction(tables.get("external", {}).get("percent", 75))  # [TN-24]
        self.flare_from = tables.get("flare", {}).get("from_net", 5)  # [A1-05]
        self.reach_per_floor = tables.get("flare", {}).get("reach_per_floor", 4)  # [TN-33]
        self.gap_jump = tables.get("gap", {}).get("jump", 2)  # [TN-29]
        self.gap_protected = tables.get("gap", {}).get("protected", 3)  # [TN-32]
        self.gap_hex = tables.get("gap", {}).get("hex", 7)  # [A1-26]

    def read_map(self, town_map: dict) -> None:
        rows = [row.split() for row in town_map["rows"]]
        self.rows = len(rows)
        self.cols = max(len(row) for row in rows)
        self.flat = town_map.get("orientation", "pointy") == "flat"
        self.headings = FLAT_HEADINGS if self.flat else POINTY_HEADINGS
        legend = town_map.get("legend", {})
        self.hexes: list[Hex] = []
        for r in range(self.rows):
            for c in range(self.cols):
                token = rows[r][c] if c < len(rows[r]) else "."
                self.hexes.append(self.read_hex(r, c, token, legend))
        gaps = town_map.get("gaps", {})
        self.gap_default = gaps.get("default", 1)  # [D-W14]
        self.gap_between = {}
        for entry in gaps.get("between", []):
            pair = frozenset(self.cell_of(place) for place in entry["cells"])
            self.gap_between[pair] = entry["gap"]

    def read_hex(self, r: int, c: int, token: str, legend: dict) -> Hex:
        """One hex with the defaults of D-W14."""
        hex_ = Hex(cell=r * self.cols + c, row=r, col=c)
        entry = legend.get(token)
        if entry is None or "ground" in entry:
            return hex_  # open ground
        hex_.building = ("named", entry["building"]) if "building" in entry else ("hex", hex_.cell)
        hex_.floors = entry.get("floors", 1)
        hex_.st0 = hex_.st = entry.get("st", 10 * hex_.floors)  # [A1-18]
        roof_name = name_of(entry.get("roof", "thatch"))
        if self.gritty:  # simple mode: armour and roof are 0 [TN-13, D-W10]
            hex_.armour = (
                entry["armour"] if "armour" in entry else self.material_table[name_of(entry.get("material", "wooden"))]
            )
            hex_.roof = entry["roof_protection"] if "roof_protection" in entry else self.roof_table[roof_name]
        hex_.tile = roof_name in TILE_ROOFS
        hex_.setback = entry.get("setback", 0)
        hex_.moisture = entry.get("moisture")
        self.place_accelerants(hex_, entry.get("accelerant", []), False)
        return hex_

    def read_events(self, document: dict) -> None:
        self.ignitions: list[Ignition] = []
        self.file_events = document.get("event", [])
        for entry in document.get("ignite", []):
            self.add_ignitions(entry, None)
        self.event_ignitions: dict[int, list[Ignition]] = {}
        for number, event in enumerate(self.file_events):
            if event["kind"] == "ignite":  # follows the file's ignitions [D-W15]
                self.event_ignitions[number] = self.add_ignitions(event, number)

    def add_ignitions(self, entry: dict, event_number) -> list[Ignition]:
        # CHOICE: an entry with several cells (`cells` or `building`) is one ignition per cell, in the order listed, a
        # building's hexes by cell.
        added = []
        for cell in self.cells_named(entry):
            ignition = Ignition(
                index=len(self.ignitions),
                cell=cell,
                step=entry.get("step", 1),
                inside=bool(entry.get("inside", False)),
                alight=bool(entry.get("alight", False)),
                from_event=event_number is not None,
                known=event_number is None,
            )
            self.ignitions.append(ignition)
            added.append(ignition)
        return added

    def cell_of(self, place) -> int:
        return place[0] * self.cols + place[1]

    def cells_named(self, entry: dict) -> list[int]:
        if "cell" in entry:
            return [self.cell_of(entry["cell"])]
        if "cells" in entry:
            return [self.cell_of(place) for place in entry["cells"]]
        if "building" in entry:
            return [h.cell for h in self.hexes if h.building == ("named", entry["building"])]
        return []

    # ---------------------------------------------------------------------------------------------------- the hex grid

    def step_from(self, cell: int, heading: int):
        """The neighbouring cell on a heading, None off the map."""
        r, c = divmod(cell, self.cols)
        steps = FLAT_STEPS[c % 2] if self.flat else POINTY_STEPS[r % 2]
        dr, dc = steps[self.headings[heading]]
        if 0 <= r + dr < self.rows and 0 <= c + dc < self.cols:
            return (r + dr) * self.cols + c + dc
        return None

    def neighbours(self, cell: int) -> list[int]:
        found = [self.step_from(cell, heading) for heading in range(6)]
        return sorted(n for n in found if n is not None)

    def cube(self, cell: int):
        r, c = divmod(cell, self.cols)
        if self.flat:
            q, s = c, r - (c - c % 2) // 2
        else:
            q, s = c - (r - r % 2) // 2, r
        return q, s, -q - s

    def distance(self, a: int, b: int) -> int:
        return max(abs(x - y) for x, y in zip(self.cube(a), self.cube(b), strict=True))

    def edge_gap(self, a: int, b: int) -> int:
        """Melee hexes between two neighbouring hexes [A1-26, D-W14]."""
        one, two = self.hexes[a], self.hexes[b]
        if one.building == two.building:
            # CHOICE: inside one building the gap is 0 [TN-71] whatever `between` says.
            return 0
        gap = self.gap_between.get(frozenset((a, b)), self.gap_default + one.setback + two.setback)
        if self.options["collapse_effect"] == "debris":  # [A1-20, D-W13]
            gap = max(0, gap - one.collapsed - two.collapsed)
        return gap

    def gap(self, a: int, b: int) -> int:
        """On a ray or off it: 7 for each village hex between, else the edge's gap [section 6, D-W4]."""
        apart = self.distance(a, b)
        return self.edge_gap(a, b) if apart == 1 else self.gap_hex * (apart - 1)

    # ------------------------------------------------------------------------------------------------------- the play

    def play(self) -> Result:
        for ignition in self.ignitions:  # [D-W6] burning in step 0
            # CHOICE: only the file's `[[ignite]]` can burn in step 0; an event of step 1 acts at the start of turn 1.
            if ignition.alight and ignition.step <= 1 and not ignition.from_event:
                self.set_alight(ignition)
        states = [self.state()]
        while self.turn < self.horizon and self.goes_on():
            self.turn += 1
            self.play_turn()
            states.append(self.state())
        return Result(
            states=states,
            outcome=self.outcome(),
            events=self.events,
            lit_at=[h.lit_at for h in self.hexes],
            consumed_at=[h.consumed_at for h in self.hexes],
            external_at=[h.external_at for h in self.hexes],
            out_at=[h.out_at for h in self.hexes],
        )

    def goes_on(self) -> bool:
        """[D-W1] Does anything burn, or is an event or an ignition pending?"""
        if any(h.burning for h in self.hexes):
            return True
        if any(event.get("step", 1) > self.turn for event in self.file_events):
            return True
        for ignition in self.ignitions:
            # CHOICE: an alight ignition that had no effect at its step is spent, and no longer pending.
            if ignition.known and not ignition.spent and self.hexes[ignition.cell].unlit():
                return True
        return False

    def play_turn(self) -> None:
        """The town turn of section 6, in its order."""
        self.act_events()
        self.light_alight()
        self.roll_wind()
        self.take_snapshot()
        self.roll_collapses()
        self.roll_own_attacks()
        self.roll_ignitions()
        self.consume()
        self.make_jumps()
        self.make_flare_ups()
        self.consume()  # [D-W3]
        self.set_external_flags()
        self.run_accelerant_clocks()

    def state(self) -> dict:
        names = ("st", "armour", "roof", "burning", "external", "consumed", "collapsed", "demolished")
        return {name: [getattr(h, name) for h in self.hexes] for name in names}

    def outcome(self) -> dict:
        buildings: dict = {}
        for h in self.hexes:
            if h.building is not None and not h.demolished:  # [D-W13]
                buildings.setdefault(h.building, []).append(h.consumed)
        return {
            "steps": self.turn,
            "burning": sum(h.burning for h in self.hexes),
            # CHOICE: a demolished hex that had burnt, or had collapsed, before stays counted in `lit` and `collapsed`.
            "lit": sum(h.lit_at >= 0 for h in self.hexes),
            "consumed": sum(h.consumed for h in self.hexes),
            "buildings_lost": sum(all(hexes) for hexes in buildings.values()),
            "collapsed": sum(h.ever_collapsed for h in self.hexes),
            "flare_ups": self.flare_ups,
            "jumps": self.jumps,
        }

    def note(self, event: str, cell: int, other: int = -1, face: int = 0, net: int = 0) -> None:
        self.events.append({"step": self.turn, "event": event, "cell": cell, "other": other, "face": face, "net": net})

    # ---------------------------------------------------------------------------------------------------------- events

    def act_events(self) -> None:
        """Events of this turn in file order [D-W15]."""
        for number, event in enumerate(self.file_events):
            if event.get("step", 1) != self.turn:
                continue
            kind = event["kind"]
            if kind == "wind":
                self.weather_wind = event[
                    "wind"
                ]  # CHOICE: `wind = "die"` in an event starts a die each turn, this one included.
            elif kind == "moisture":
                self.moisten(event, event["moisture"])
            elif kind == "wet":
                self.moisten(event, event.get("moisture", "wet"))  # CHOICE: wet, unless the event names a level.
            elif kind == "accelerant":
                for cell in self.cells_named(event):
                    if self.hexes[
                        cell
                    ].standing():  # CHOICE: on ground, consumed or demolished hexes nothing is placed.
                        self.place_accelerants(self.hexes[cell], event["accelerant"], bool(event.get("several", False)))
            elif kind == "demolish":
                for cell in self.cells_named(event):
                    self.demolish(self.hexes[cell])
            elif kind == "douse":
                for cell in self.cells_named(event):
                    self.douse(self.hexes[cell])
            elif kind == "ignite":
                for ignition in self.event_ignitions[number]:
                    ignition.known = True

    def moisten(self, event: dict, level: str) -> None:
        """On cells for good, over the weather; without cells the weather [D-W15]."""
        if any(key in event for key in ("cell", "cells", "building")):
            for cell in self.cells_named(event):
                self.hexes[cell].moisture = level
        else:
            self.weather_moisture = level

    def place_accelerants(self, hex_: Hex, what, several: bool) -> None:
        """A name, a {kind, several}, or a list of these [TN-50, D-W14]; where the kind still lies, 2 turns left

        [D-W8].
        """
        for item in what if isinstance(what, list) else [what]:
            kind, many = item, several
            if isinstance(item, dict):
                kind, many = item["kind"], bool(item.get("several", several))
            kind = name_of(kind)
            if kind in hex_.accelerants:
                # CHOICE: a clock that already runs goes on running, from 2.
                hex_.accelerants[kind].left = 2
            else:
                hex_.accelerants[kind] = Accelerant(left=2 if many else 1)

    def douse(self, hex_: Hex) -> None:
        """Not in the book: the fire is put out, what is left of the hex stands and may catch again."""
        if hex_.burning:
            hex_.out_at = self.turn
            hex_.burning = hex_.external = hex_.through_roof = False

    def demolish(self, hex_: Hex) -> None:
        """[D-W13]"""
        if not hex_.standing():
            return  # CHOICE: a consumed hex stays consumed: nothing stands there that could be pulled down.
        if hex_.burning:
            hex_.out_at = self.turn
        # CHOICE: "becomes open ground": armour and roof show 0, and all the flags of a fire are cleared.
        hex_.st = hex_.armour = hex_.roof = 0
        hex_.burning = hex_.external = hex_.collapsed = False
        hex_.demolished = True
        self.note("demolished", hex_.cell)

    # ------------------------------------------------------------------------------------------------- lighting a hex

    def light(self, hex_: Hex, external: bool, source: int, through_roof: bool = False) -> None:
        hex_.burning = True
        if hex_.lit_at < 0:
            hex_.lit_at = self.turn
        hex_.out_at = -1
        hex_.through_roof = through_roof
        if external or not self.gritty:  # [TN-67]; simple: every fire is external from its lighting [D-W10]
            hex_.external = True
            hex_.external_at = self.turn if hex_.external_at < 0 else hex_.external_at
        self.note("lit", hex_.cell, source)

    def set_alight(self, ignition: Ignition) -> None:
        """Burning without an attack or damage [D-W6]."""
        ignition.spent = True
        hex_ = self.hexes[ignition.cell]
        if hex_.unlit() and not (self.one_hex and self.other_hex_burns(hex_)):
            self.light(hex_, external=not ignition.inside, source=-1)

    def light_alight(self) -> None:
        """`alight` ones of this step, after all events of the turn, the file's first [D-W6]."""
        # CHOICE: an alight `ignite` event too waits for the other events of its turn (a later demolition forestalls
        # it).
        for ignition in self.ignitions:
            if ignition.alight and ignition.step == self.turn and ignition.known and not ignition.spent:
                self.set_alight(ignition)

    def other_hex_burns(self, hex_: Hex) -> bool:
        """Until its consumption a hex at ST 0 counts as burning [D-W3]."""
        return any(h.burning and h.building == hex_.building and h is not hex_ for h in self.hexes)

    # -------------------------------------------------------------------------------------------------- wind, snapshot

    def roll_wind(self) -> None:
        """[TN-31, A1-15, D-W2]"""
        if self.weather_wind == "die":
            self.wind = self.faces(6, "wind", 0, 0) - 1
        elif self.weather_wind == "none":
            self.wind = None
        else:
            self.wind = self.headings.index(self.weather_wind)

    def take_snapshot(self) -> None:
        """[A1-16] What counts at turn start."""
        self.was_burning = [h.burning for h in self.hexes]
        self.was_external = [h.burning and h.external for h in self.hexes]
        self.was_unlit = [h.unlit() for h in self.hexes]
        self.was_inferno = [self.is_inferno(h) for h in self.hexes]
        self.burning_buildings = {h.building for h in self.hexes if h.burning}
        self.own_attack: dict = {}  # cell -> (face, net)
        self.consumed_now: set = set()

    def is_inferno(self, hex_: Hex) -> bool:
        """Armour 0 and burning [TN-20, TN-61]; the protection its own attack meets is 0 [D-W11]; simple: any fire

        [D-W10].
        """
        if not hex_.burning:
            return False
        return not self.gritty or getattr(hex_, self.own_layer(hex_)) == 0

    # -------------------------------------------------------------------------------------------------------- collapse

    def roll_collapses(self) -> None:
        """[TN-21, TN-59, A1-02, A1-03, D-W7]"""
        if not self.gritty:  # [TN-13]
            return
        for h in self.hexes:
            if self.was_burning[h.cell] and self.collapse_due(h):
                face = self.faces(6, "collapse", h.cell, h.cell)
                h.collapse_checked = True
                falls = face >= self.collapse_from
                self.note("collapse roll", h.cell, face=face, net=int(falls))
                if falls:
                    h.collapsed = h.ever_collapsed = True
                    if self.options["collapse_effect"] == "floors":  # [A1-20]
                        h.floors = 1

    def collapse_due(self, h: Hex) -> bool:
        quarter = self.collapse_percent * h.st0 / 100
        if self.options["collapse_strict"]:
            low = h.st < quarter
        else:
            low = h.st <= ceil(quarter)
        if self.options["collapse"] == "once":
            return low and not h.collapse_checked
        return low and not h.collapsed

    # --------------------------------------------------------------------------------------------- the fire attack

    def modifier(self, hex_: Hex) -> int:
        """What is added to a die rolled against this hex [TN-62, D-W9]."""
        if not self.gritty and not self.options["simple_mods"]:  # [A1-21, TN-65]
            return 0
        return self.accelerant_bonus(hex_) + self.air_bonus(hex_)

    def accelerants_work(self, hex_: Hex) -> bool:
        return hex_.burning or not self.options["accel_needs_fire"]  # [A1-12, D-W8]

    def accelerant_bonus(self, hex_: Hex) -> int:
        """[TN-42..TN-50, A1-12]"""
        if not hex_.accelerants or not self.accelerants_work(hex_):
            return 0
        values = [self.accelerant_table[kind] for kind in hex_.accelerants]
        return max(values) if self.options["accel_stack"] == "max" else sum(values)

    def air_bonus(self, hex_: Hex) -> int:
        """Moisture and a nearby inferno [TN-51..TN-55, A1-10, A1-11]."""
        moisture = self.moisture_table[name_of(hex_.moisture if hex_.moisture is not None else self.weather_moisture)]
        if not self.inferno_nearby(hex_):
            return moisture
        return self.inferno_bonus if self.options["inferno_exclusive"] else moisture + self.inferno_bonus

    def inferno_nearby(self, hex_: Hex) -> bool:
        # CHOICE: `inferno_count` counts infernos (not merely burning hexes) within `inferno_radius`.
        near = sum(
            self.was_inferno[h.cell]
            and h is not hex_
            and self.distance(h.cell, hex_.cell) <= self.options["inferno_radius"]
            for h in self.hexes
        )
        return near >= self.options["inferno_count"]

    def start_clocks(self, hex_: Hex) -> None:
        # CHOICE: with accel_needs_fire an attack on an unlit hex does not start the clocks either.
        if self.accelerants_work(hex_):
            for accelerant in hex_.accelerants.values():
                accelerant.running = True

    def run_accelerant_clocks(self) -> None:
        """Consumed in 1 turn, or 2 [TN-42, TN-50, A1-12]."""
        for h in self.hexes:
            for kind, accelerant in list(h.accelerants.items()):
                if accelerant.running:
                    accelerant.left -= 1
                    if accelerant.left <= 0:
                        del h.accelerants[kind]

    def own_layer(self, hex_: Hex) -> str:
        """What a fire's own attack meets: "armour" (the wall) or "roof" [A1-08, D-W11]."""
        mode = self.options["roof_mode"]
        if self.gritty and hex_.through_roof:
            if mode == "replaces" or (mode == "layer_burns" and hex_.roof > 0):
                return "roof"
        return "armour"

    def outside_layer(self, attacker: Hex, victim: Hex) -> str:
        """What a jump or a spark meets: the roof [TN-69], once pierced the wall [TN-37]; inside a building the

        wall [TN-71, D-W12].
        """
        if not self.gritty:
            return "armour"
        if attacker.building == victim.building and self.distance(attacker.cell, victim.cell) == 1:
            return "armour"
        if self.options["roof_mode"] == "replaces":
            return "roof"
        # CHOICE: the roof is met by jumps and sparks also when the victim already burns (lit from a wall this turn).
        return "roof" if victim.roof > 0 else "armour"

    def damage(self, hex_: Hex, net: int, layer: str) -> bool:
        """An attack of this net on wall or roof [TN-16..TN-19]; True if fire has taken hold (ST was lowered)."""
        if net <= 0:
            return False
        if layer == "armour":
            hex_.armour = max(0, hex_.armour - 1)
        else:
            self.ablate_roof(hex_)
            if self.options["roof_mode"] == "layer":  # [A1-08 a]
                return False
        hex_.st = max(0, hex_.st - net)  # [TN-12, A1-23]
        return True

    def ablate_roof(self, hex_: Hex) -> None:
        """[TN-37, TN-40, A1-08, A1-13, D-W11]"""
        if hex_.roof <= 0:
            return
        if hex_.tile:
            hex_.roof_hits += 1
            if self.options["tile_mode"] == "second_hit":
                if hex_.roof_hits % 2:
                    return
            elif self.turn < hex_.roof_lost_at + 2:  # per_two_turns
                return
        hex_.roof -= 1
        hex_.roof_lost_at = self.turn
        self.note("roof", hex_.cell, net=hex_.roof)

    def roll_own_attacks(self) -> None:
        """One attack die per hex burning at turn start [TN-11, TN-16, A1-16]."""
        for h in self.hexes:
            if not self.was_burning[h.cell]:
                continue
            face = self.faces(6, "attack", h.cell, h.cell)
            layer = self.own_layer(h)
            net = face + self.modifier(h) - getattr(h, layer)
            self.start_clocks(h)
            self.own_attack[h.cell] = (face, net)
            self.note("attack", h.cell, face=face, net=net)
            self.damage(h, net, layer)

    def roll_ignitions(self) -> None:
        """Pending ignitions in file order, on the wall [section 6, D-W1, D-W6, A1-01]."""
        for ignition in self.ignitions:
            h = self.hexes[ignition.cell]
            if ignition.alight or not ignition.known or ignition.step > self.turn or ignition.spent:
                continue
            if not h.unlit():
                ignition.spent = True  # CHOICE: until it catches: a hex doused afterwards is not attacked again.
                continue
            if self.one_hex and self.other_hex_burns(h):
                continue  # it waits, without a die
            face = self.faces(6, "ignite", ignition.index, h.cell)
            net = face + self.modifier(h) - h.armour
            self.start_clocks(h)
            self.note("ignite", h.cell, ignition.index, face, net)
            if self.damage(h, net, "armour"):
                ignition.spent = True
                self.light(h, external=not ignition.inside, source=-1)

    def attack_from(self, attacker: Hex, victim: Hex, purpose: str) -> None:
        """A jump's or a spark's attack die, at once resolved [TN-30, A1-08, A1-09]."""
        face = self.faces(6, purpose, attacker.cell, victim.cell)
        layer = self.outside_layer(attacker, victim)
        extra = self.gap_protection(self.gap(attacker.cell, victim.cell), purpose)
        net = face + self.modifier(victim) - getattr(victim, layer) - extra
        self.start_clocks(victim)
        self.note(purpose, attacker.cell, victim.cell, face, net)
        if victim.burning and victim.st == 0:
            return  # [D-W3]
        if self.damage(victim, net, layer) and not victim.burning:
            # CHOICE: a hex lit by a jump is external at once, also one lit from its own building (one_hex = false)
            # [TN-67].
            self.light(victim, external=True, source=attacker.cell, through_roof=layer == "roof")
            if attacker.building != victim.building:  # [D-W12]
                self.jumps += 1

    def gap_protection(self, gap: int, purpose: str) -> int:
        """[TN-32, A1-09, D-W7]; none in simple mode [D-W10]."""
        reading = self.options["gap3"]
        if not self.gritty:
            return 0
        if reading == "per_three":
            # CHOICE: "three" is the table's gap.protected.
            return floor(gap / self.gap_protected) if purpose == "spark" else 0
        # CHOICE: under "flare" a jump never meets the +1, even if the tables make gap.protected a gap within gap.jump.
        if purpose == "jump" and reading == "flare":
            return 0
        return 1 if gap == self.gap_protected else 0

    # ----------------------------------------------------------------------------------------- consumption, next hex

    def consume(self) -> None:
        """[TN-12, TN-27, A1-24] by cell, each with its next hex."""
        for h in self.hexes:
            if not (h.burning and h.st == 0):
                continue
            h.burning = False
            h.consumed = True
            h.consumed_at = h.out_at = self.turn
            self.consumed_now.add(h.cell)
            self.note("consumed", h.cell)
            if self.one_hex:
                self.move_on(h)

    def move_on(self, old: Hex) -> None:
        """One V-hex at a time [TN-10, A1-14, A1-29]."""
        candidates = [
            n for n in self.neighbours(old.cell) if self.hexes[n].unlit() and self.hexes[n].building == old.building
        ]
        if not candidates:
            return  # that fire ends
        face = 0
        downwind = None if self.wind is None else self.step_from(old.cell, self.wind)
        if downwind in candidates:
            new = downwind
        else:
            # CHOICE: "lowest armour" is the wall's present armour, under every roof_mode; in simple mode all are 0.
            lowest = min(self.hexes[n].armour for n in candidates)
            candidates = [n for n in candidates if self.hexes[n].armour == lowest]
            new = candidates[0]
            if len(candidates) > 1:
                face = self.faces(len(candidates), "next hex", old.cell, 0)
                new = candidates[face - 1]
        self.note("next hex", old.cell, new, face)
        # CHOICE: the flag that carries over is that of the hex just consumed; an inside fire starts anew on its own
        # 75 %.
        self.light(self.hexes[new], external=old.external, source=old.cell)

    # ---------------------------------------------------------------------------------------------------------- spread

    def legal(self, victim: Hex) -> bool:
        """May this hex be a target now [TN-70, A1-29, D-W5]?"""
        if not self.was_unlit[victim.cell] or victim.consumed:
            # CHOICE: a hex lit and consumed within this turn is no target, though it stood unlit at turn start [TN-70].
            return False
        if self.one_hex:
            return victim.building not in self.burning_buildings and not self.other_hex_burns(victim)
        return True

    def within_jump(self, gap: int) -> bool:
        """[TN-29, A1-09 a]"""
        # CHOICE: "the ordinary jump still works" at exactly gap.protected; a gap between gap.jump and it is out of
        # reach. CHOICE: that holds in simple mode too, where only the +1 does not apply.
        return gap <= self.gap_jump or (self.options["gap3"] == "jump" and gap == self.gap_protected)

    def within_spark(self, attacker: Hex, gap: int) -> bool:
        """[TN-33, A1-06, A1-07, D-W7]"""
        reach = self.reach_per_floor * attacker.floors
        if self.options["spark_unit"] == "village":
            reach *= self.gap_hex  # CHOICE: the 7 of D-W7 is the table's gap.hex.
        if gap <= self.gap_jump:
            return False
        return gap == reach if self.options["spark_reach"] == "exact" else gap <= reach

    def jump_target(self, attacker: Hex, heading: int):
        """The neighbour that a jump on this heading would attack, or None [D-W4]."""
        n = self.step_from(attacker.cell, heading)
        if n is not None and self.legal(self.hexes[n]) and self.within_jump(self.gap(attacker.cell, n)):
            return self.hexes[n]
        return None

    def spark_target(self, attacker: Hex, heading: int):
        """The hex that sparks on this heading would attack, or None: the first legal one, if in reach [A1-07, D-W5]."""
        n = self.step_from(attacker.cell, heading)
        while n is not None:
            if self.legal(self.hexes[n]):
                return self.hexes[n] if self.within_spark(attacker, self.gap(attacker.cell, n)) else None
            n = self.step_from(n, heading)
        return None

    def heading_of_face(self, face: int) -> int:
        """[A1-15]"""
        if self.wind is None:
            return face - 1
        dealt = 0
        for turned, weight in enumerate(self.options["wind_weights"]):
            dealt += weight
            if face <= dealt:
                return (self.wind + turned) % 6
        raise ValueError("wind_weights do not sum to 6")

    def aim(self, attacker: Hex, target_on, purpose: str):
        """The direction die, only if a heading it can give holds a target; then the target drawn, or None [section

        6].
        """
        possible = {self.heading_of_face(face) for face in range(1, 7)}
        if all(target_on(attacker, heading) is None for heading in possible):
            return None
        face = self.faces(6, purpose, attacker.cell, 0)
        return target_on(attacker, self.heading_of_face(face))

    def make_jumps(self) -> None:
        """[TN-28..TN-30, A1-16, A1-17, A1-28]"""
        for h in self.hexes:
            if not self.was_external[h.cell] or h.cell in self.consumed_now:
                continue
            if self.options["stall_jump"] and self.own_attack[h.cell][1] <= 0:
                continue
            if self.options["jump"] == "one":
                victim = self.aim(h, self.jump_target, "jump direction")
                if victim is not None:
                    self.attack_from(h, victim, "jump")
            else:
                self.jump_many(h)

    def jump_many(self, attacker: Hex) -> None:
        """`all` and `arc`: no direction die, targets by ascending cell, each judged at its moment [A1-17, D-W5]."""
        headings = range(6)
        if self.options["jump"] == "arc" and self.wind is not None:
            headings = [self.wind, (self.wind + 1) % 6, (self.wind - 1) % 6]
        reached = {self.step_from(attacker.cell, heading): heading for heading in headings}
        reached.pop(None, None)
        for cell in sorted(reached):
            victim = self.jump_target(attacker, reached[cell])
            if victim is not None:
                self.attack_from(attacker, victim, "jump")

    def flares_up(self, face: int, net: int) -> bool:
        """[TN-33, A1-05, TN-68, D-W7]"""
        if self.options["flare_by"] == "die":
            return face >= 5  # CHOICE: the table's flare.from_net does not move this one.
        return net >= self.flare_from

    def make_flare_ups(self) -> None:
        """Of fires burning and external at turn start, consumed ones included [TN-60, A1-05, A1-07, A1-25]."""
        for h in self.hexes:
            if not self.was_external[h.cell]:
                continue
            face, net = self.own_attack[h.cell]
            if not self.flares_up(face, net):
                continue
            self.flare_ups += 1
            self.note("flare up", h.cell, face=face, net=net)
            if self.options["spark_all"]:
                self.spark_many(h)
            else:
                victim = self.aim(h, self.spark_target, "flare direction")
                if victim is not None:
                    self.attack_from(h, victim, "spark")

    def spark_many(self, attacker: Hex) -> None:
        """`spark_all`: every legal hex in reach, on a ray or not, by ascending cell [D-W4]."""
        for victim in self.hexes:
            if (
                victim is not attacker
                and self.legal(victim)
                and self.within_spark(attacker, self.gap(attacker.cell, victim.cell))
            ):
                self.attack_from(attacker, victim, "spark")

    # -------------------------------------------------------------------------------------------------- end of the turn

    def set_external_flags(self) -> None:
        """A fire inside reaches the outside at 75 % of ST [TN-23, TN-24, A1-04]; a consumed one never does [TN-66]."""
        # CHOICE: `external_at` is the turn at whose end the flag is set; it counts from the next turn on.
        # CHOICE: looked at once, at the end of the turn, whether or not this turn did damage (differs only at 100 %).
        for h in self.hexes:
            if h.burning and not h.external and h.st <= floor(self.external_percent * h.st0 / 100):
                h.external = True
                h.external_at = self.turn if h.external_at < 0 else h.external_at
                self.note("external", h.cell)
