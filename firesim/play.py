"""Playing a fire: step by step with a log and a tape, or many at once without; the only place that loops over steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from firesim.core.fields import copied, declared, restore
from firesim.core.problems import InputError, Problem
from firesim.dice import tape as tapes
from firesim.dice.keyed import fire_key, key_of
from firesim.events import log as logs
from firesim.events.records import Record, records
from firesim.jit import PACKAGE, compiled_before, jit, note_compiled, sources
from firesim.rules.base import PHASE, POSITION, STEP, TOUCHED, Prepared, Team
from firesim.rules.kernels import act, can_share, mostly_touched, outcome, over, reset, step

Array = np.ndarray[Any, Any]

OVER, NO_ROOM, NO_FACE, ACTED = range(4)
"""Why `play_on` stopped: the fire or its steps are over, tape or log is full, a face is missing, one act is done."""

MANY_CELLS = 100_000
"""Cells touched by a fire from which on several threads add up its maps quicker than one."""


# ----------------------------------------------------------------------------------------------------------- jitted
# loops
@jit
def between_steps(state):
    """Whether no step is under way."""
    return state.clock[PHASE] == 0 and state.clock[POSITION] == 0


@jit
def play_on(params, state, seed, replicate, tape, log, last_step, dice_per_act, rows_per_act, one_act):
    """Do acts until the fire is over or `last_step` is complete, or until something is wanted of the caller."""
    key = fire_key(seed, replicate)
    while True:
        if between_steps(state) and (state.clock[STEP] >= last_step or over(params, state)):
            return OVER
        if tape is not None:
            if tapes.room_left(tape) < dice_per_act:
                return NO_ROOM
        if log is not None:
            if logs.room_left(log) < rows_per_act:
                return NO_ROOM
        act(params, state, key, tape, log)
        if tape is not None:
            if tape.counts[tapes.SHORT]:
                return NO_FACE
        if one_act:
            return ACTED


@jit
def play_block(params, first, state, seed, replicate, rows, last_step, counts, sums, curves):
    """Burn fires `replicate`, `replicate + 1`, ... one for each of `rows` (fires, columns); add up their maps.

    counts, sums (cells, records) int64: how often each record was set, and the sum of its steps. curves (records,
    steps) int64: how often each record was set in each step, those past the end in the last place.
    `state` equals `first` before and after.
    """
    for i in range(rows.shape[0]):
        key = fire_key(seed, replicate + i)
        while not (state.clock[STEP] >= last_step or over(params, state)):
            step(params, state, key)
        outcome(params, state, rows[i])
        add_maps(state, 0, 1, counts, sums, curves)
        reset(params, first, state)


@jit
def play_alone(params, state, key, last_step, least):
    """Play steps until the fire is over or `last_step` complete, or until several threads are of use (True)."""
    while not (state.clock[STEP] >= last_step or over(params, state)):
        if can_share(params, state, least):
            return True
        step(params, state, key)
    return False


@jit
def add_maps(state, share, shares, counts, sums, curves):
    """Add one of so many equal shares of a fire's records to maps and curves.

    Only the cells it touched are visited, or all if those are many.
    """
    last = curves.shape[1] - 1
    everywhere = mostly_touched(state)
    visited = state.cells.shape[0] if everywhere else state.counts[TOUCHED]
    for i in range(visited * share // shares, visited * (share + 1) // shares):
        cell = i if everywhere else np.int64(state.touched_list[i])
        at = state.cells[cell].at
        for record in range(at.shape[0]):
            when = at[record]
            if when >= 0:
                counts[cell, record] += 1
                sums[cell, record] += when
                curves[record, min(when, last)] += 1


# -----------------------------------------------------------------------------------------------------------------
# one fire
Ask = Callable[[str, int], int]
"""Asks a person for a face: (what is rolled, sides) -> the face shown."""


class Fire:
    """One fire under way: its state, the tape of its dice and its log.

    faces: None for keyed dice; otherwise faces given by a person, in the order of the rulebook's section 6. ask:
    asked for every face beyond those given. tell: where set, called before each question, and at the end, with what
    has happened since; told: rows of the log told so far.
    """

    def __init__(
        self,
        prepared: Prepared,
        seed: int,
        replicate: int = 0,
        faces: Sequence[int] | None = None,
        ask: Ask | None = None,
    ) -> None:
        self.prepared, self.seed, self.replicate, self.ask = prepared, seed, replicate, ask
        self.tell: Callable[[list[Record]], None] | None = None
        self.told = 0
        self.state = copied(prepared.first)
        self.tape = tapes.blank([] if ask and faces is None else faces)
        self.log = logs.blank()

    @property
    def step(self) -> int:
        """Steps completed."""
        return int(self.state.clock[STEP])

    @property
    def faces(self) -> list[int]:
        """Every face rolled so far, in order."""
        return [int(f) for f in self.tape.faces[: self.tape.counts[tapes.USED]]]

    def play_to(self, last_step: int) -> bool:
        """Play to the end of `last_step`, or to the fire's end; returns whether there is more to play after it.

        Raises InputError when a given face is missing or does not exist on its die.
        """
        while True:
            saved = copied(self.state) if self.ask else None
            used, rows = int(self.tape.counts[tapes.USED]), int(self.log.counts[0])
            why = play_on(
                self.prepared.params, self.state, self.seed, self.replicate, self.tape, self.log, last_step,
                self.prepared.dice_per_act, self.prepared.rows_per_act, self.ask is not None,
            )  # fmt: skip
            if why == OVER:
                if self.ask:
                    self._tell_to(int(self.log.counts[0]))
                return not self.over()
            if why == NO_ROOM:
                self._make_room()
            elif why == NO_FACE:
                if self.ask is None or saved is None or self.tape.counts[tapes.MISFIT]:
                    raise InputError(self._face_problem())
                self._ask_for_face(saved, used, rows)

    def _make_room(self) -> None:
        """A longer tape or log, whichever an act of the kernel might not fit on."""
        counts = self.tape.counts
        written = int(max(counts[tapes.USED], counts[tapes.GIVEN]))
        if len(self.tape.faces) - written < self.prepared.dice_per_act:
            self.tape = tapes.longer(self.tape, self.prepared.dice_per_act)
        if len(self.log.rows) - int(self.log.counts[0]) < self.prepared.rows_per_act:
            self.log = logs.longer(self.log, self.prepared.rows_per_act)

    def over(self) -> bool:
        """Whether nothing burns and nothing is pending."""
        return bool(between_steps(self.state) and over(self.prepared.params, self.state))

    def _ask_for_face(self, saved: Any, used: int, rows: int) -> None:
        assert self.ask is not None
        wanted = int(self.tape.counts[tapes.USED])
        self._tell_to(rows)
        prompt, sides = self.describe_die(wanted), int(self.tape.asked[wanted, tapes.SIDES])
        face = self.ask(prompt, sides)
        self.tape.faces[self.tape.counts[tapes.GIVEN]] = face
        self.tape.counts[tapes.GIVEN] += 1
        self.tape.counts[tapes.USED] = used
        self.tape.counts[tapes.SHORT] = 0
        self.log.counts[0] = rows
        restore(self.state, saved)

    def _tell_to(self, rows: int) -> None:
        """Tell the person who rolls what has happened since the last die."""
        if self.tell and rows > self.told:
            self.tell(self.events(self.told, rows))
            self.told = rows

    def describe_die(self, place: int) -> str:
        """What the die at `place` (from 0) was rolled for, in words."""
        asked = self.tape.asked[place]
        system = self.prepared.system
        purpose = system.purposes[asked[tapes.PURPOSE]]
        named = {"who": int(asked[tapes.ACTOR]), "whom": int(asked[tapes.TARGET])}
        words = purpose.format(
            **{k: system.cell_name(self.prepared, c) for k, c in named.items() if f"{{{k}}}" in purpose}
        )
        return f"{system.step_word} {int(asked[tapes.STEP])}: d{int(asked[tapes.SIDES])} for {words}"

    def _face_problem(self) -> Problem:
        place = int(self.tape.counts[tapes.USED])
        given = int(self.tape.counts[tapes.GIVEN])
        if self.tape.counts[tapes.MISFIT]:
            sides = int(self.tape.asked[place, tapes.SIDES])
            return Problem(
                f"face {place + 1} is {int(self.tape.faces[place])}, which a d{sides} does not show",
                f"a face from 1 to {sides}",
                f"it was wanted in {self.describe_die(place)}",
                file="dice",
            )
        return Problem(
            f"too few faces: {given} given, and one more is wanted for {self.describe_die(place)}",
            "every die of the fire in order",
            "give more faces, or stop earlier with --steps",
            file="dice",
        )

    def check_all_faces_used(self) -> None:
        """Raise InputError when faces were given that no die wanted."""
        left = int(self.tape.counts[tapes.GIVEN] - self.tape.counts[tapes.USED])
        if left > 0:
            used, word = int(self.tape.counts[tapes.USED]), self.prepared.system.step_word.lower()
            steps = f"{self.step} {word} rolls" if self.step == 1 else f"{self.step} {word}s roll"
            dice = "1 die" if used == 1 else f"{used} dice"
            why = f"the fire is over after {used}" if self.over() else f"{steps} {dice}"
            raise InputError(
                Problem(
                    f"{left} face{'s' * (left > 1)} left over: {why}",
                    f"{used} face{'s' * (used != 1)}",
                    "leave the rest out",
                    file="dice",
                )
            )

    def outcome(self) -> dict[str, int]:
        """The outcome columns as the fire stands."""
        row = np.zeros(len(self.prepared.columns), np.int64)
        outcome(self.prepared.params, self.state, row)
        return {name: int(value) for name, value in zip(self.prepared.columns, row, strict=True)}

    def events(self, from_row: int = 0, end_row: int | None = None, told: bool = True) -> list[Record]:
        """What happened, from one row of the log to another; told: in sentences too."""
        system = self.prepared.system
        rows = self.log.rows[from_row : int(self.log.counts[0]) if end_row is None else end_row]
        return records(
            rows, system.event_kinds, lambda cell: system.cell_name(self.prepared, cell), self.prepared.headings, told
        )


@dataclass(frozen=True)
class Frame:
    """The fire after one step, and what it brought; `state` must not be kept, it changes with the next frame."""

    step: int
    state: Any
    events: list[Record]


def frames(fire: Fire, last_step: int, told: bool = True) -> Iterator[Frame]:
    """Step 0, then every step to the fire's end or `last_step`; told: what happened in sentences too."""
    seen = 0
    yield Frame(0, fire.state, fire.events(told=told))
    more = fire.step < last_step and not fire.over()
    while more:
        more = fire.play_to(fire.step + 1) and fire.step < last_step
        yield Frame(fire.step, fire.state, fire.events(seen, told=told))
        seen = int(fire.log.counts[0])


def history_fields(prepared: Prepared) -> list[str]:
    """Names of the fields kept in a history."""
    cells = declared(type(prepared.first))["cells"].kind
    return [name for name, field in declared(cells).items() if field.history] if isinstance(cells, type) else []


# ---------------------------------------------------------------------------------------------------------------
# many fires
def burn_block(
    prepared: Prepared,
    state: Any,
    seed: int,
    first_replicate: int,
    fires: int,
    counts: Array,
    sums: Array,
    curves: Array | None = None,
    team: Team | None = None,
) -> Array:
    """Outcome rows (fires, columns) int64 of consecutive replicates; their maps are added to counts, sums and curves.

    state: a copy of `prepared.first` that the caller keeps from block to block, one per thread. curves: None where
    nobody wants them. team: of this state, where several threads are to burn each of the fires.
    """
    rows = np.zeros((fires, len(prepared.columns)), np.int64)
    steps = np.zeros((len(counts), 1), np.int64) if curves is None else curves
    if team is not None:
        for i in range(fires):
            burn_together(prepared, state, team, seed, first_replicate + i, rows[i], (counts.T, sums.T, steps))
        return rows
    play_block(
        prepared.params, prepared.first, state, seed, first_replicate, rows, prepared.horizon, counts.T, sums.T, steps
    )
    return rows


def burn_together(
    prepared: Prepared, state: Any, team: Team, seed: int, replicate: int, row: Array, maps: tuple[Array, Array, Array]
) -> None:
    """Burn a fire by several threads, as `play_block` burns each of its fires; maps: its counts, sums and curves."""
    counts, sums, curves = maps
    key, last_step = key_of(seed, replicate), prepared.horizon
    while play_alone(prepared.params, state, key, last_step, team.least):
        team.divide()
        while state.clock[STEP] < last_step and team.goes_on():
            team.step(key)
        team.gather()
    outcome(prepared.params, state, row)
    shares = team.hands.count if state.counts[TOUCHED] >= MANY_CELLS else 1
    steps = min(int(state.clock[STEP]) + 1, curves.shape[1])
    curves_of = np.zeros((shares, len(curves), steps), np.int64)

    def add(share: int) -> None:
        add_maps(state, share, shares, counts, sums, curves_of[share])

    team.hands.at_once(add, range(shares))
    curves[:, :steps] += curves_of.sum(axis=0)
    reset(prepared.params, prepared.first, state)


def team_for(prepared: Prepared, state: Any, threads: int) -> Team | None:
    """At most so many threads for the fires of a state; None where one burns them as quickly."""
    return prepared.system.team(prepared, state, threads) if threads > 1 else None


def kernel_sources() -> Iterator[tuple[str, bytes]]:
    """Name and content of every file that decides what a fire does, in order."""
    for path in sources():
        yield path.relative_to(PACKAGE).as_posix(), path.read_bytes()


def compiles_first(prepared: Prepared, kind: str) -> bool:
    """Whether kernels of this system have to be compiled before the first result (kind: `told` or `fast`)."""
    return not compiled_before(f"{prepared.system.name}-{kind}")


def compiled(prepared: Prepared, kind: str) -> None:
    """Note that they are compiled now."""
    note_compiled(f"{prepared.system.name}-{kind}")
