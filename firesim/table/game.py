"""A game at the table: a scenario, a seed, and what people did; the state is what playing that from the start gives."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from pydantic import ValidationError

from firesim.core.checking import problems_of
from firesim.core.problems import InputError, Problem, Where, listed, nearest
from firesim.core.scenario import Scenario, plain
from firesim.events.records import Record
from firesim.events.spread import Lit, spread
from firesim.play import Ask, Fire, Frame
from firesim.rules.base import STEPS_MOST, Prepared, system_named
from firesim.table.inputs import Applied, Done, Input, Stepped, event_words, faces_told, kinds_of, parts
from firesim.table.proof import state_digest
from firesim.table.rolling import Tell, carried, faces_of, roll_step
from firesim.table.why import Why, why


@dataclass
class Stretch:
    """A part of the game between two deeds: the scenario as it then stood, and its fire."""

    prepared: Prepared
    fire: Fire
    first_step: int
    steps: list[tuple[int, int]] = field(default_factory=list)
    """First and end row in the log of each step played."""


class Game:
    """One fire at the table.

    inputs: all that people did, in order; the state is always what playing them from the start gives, so `undo` is
    exact. under_way: faces typed for a step that is not finished. changed: called after every change of these two.

    >>> import firesim
    >>> house = {"rows": ["h"], "legend": {"h": {"armour": 3, "st": 10}}}
    >>> game = firesim.game({"system": "town", "map": house, "ignite": [{"cell": [0, 0]}]}, seed=7)
    >>> [record.text for record in game.step(faces=[6])][0]
    'fire is set to the house (0, 0): 6 - 3 = 3, ST 10 -> 7 [TN-17, TN-19]'
    >>> game.apply({"kind": "demolish", "cell": [0, 0]})
    >>> _ = game.step()
    >>> game.over, game.outcome["lit"]
    (True, 1)
    >>> game.undo(to=0)
    ['turn 2', 'the house (0, 0) is demolished', 'turn 1 with the face 6']
    >>> game.steps, game.faces
    (0, [])
    """

    def __init__(self, scenario: Scenario, seed: int, replicate: int = 0, inputs: Sequence[Input] = ()) -> None:
        self.scenario, self.seed, self.replicate = scenario, seed, replicate
        self.system = system_named(scenario.system)
        self.changed: Callable[[], None] | None = None
        self.under_way: list[int] = []
        self.inputs: list[Input] = list(inputs)
        self._digest = ""
        self._stretches = self._played(self.inputs)

    def __repr__(self) -> str:
        title = self.scenario.title or self.scenario.system
        return f"<Game of {title!r}, seed {self.seed}, after {self.steps} steps: {self.outcome}>"

    # ------------------------------------------------------------------------------------------------- how it stands
    @property
    def _fire(self) -> Fire:
        return self._stretches[-1].fire

    @property
    def prepared(self) -> Prepared:
        """The scenario as it stands, ready for its kernel."""
        return self._stretches[-1].prepared

    @property
    def document(self) -> dict[str, Any]:
        """The scenario as it stands: the events of the table are in it."""
        return copy.deepcopy(self.prepared.scenario.document)

    @property
    def state(self) -> Any:
        """The state of the fire, not to be written to."""
        return self._fire.state

    @property
    def steps(self) -> int:
        """Steps played."""
        return self._fire.step

    @property
    def over(self) -> bool:
        """Whether no step can follow: nothing burns and nothing is to come, or the horizon is reached."""
        return self._fire.over() or self.steps >= self.prepared.horizon

    @property
    def outcome(self) -> dict[str, int]:
        """The outcome columns as the fire stands."""
        return self._fire.outcome()

    @property
    def faces(self) -> list[int]:
        """Every die so far, in order."""
        return [face for stretch in self._stretches for face in stretch.fire.faces]

    @property
    def digest(self) -> str:
        """A digest of the state, the outcome and every die, as of the end of the last step."""
        if not self._digest:
            self._digest = state_digest(self)
        return self._digest

    @property
    def events(self) -> list[Record]:
        """What happened so far."""
        return [record for stretch in self._stretches for record in stretch.fire.events()]

    def events_of(self, step: int) -> list[Record]:
        """What happened in one step."""
        for stretch in self._stretches:
            place = step - stretch.first_step - 1
            if 0 <= place < len(stretch.steps):
                return stretch.fire.events(*stretch.steps[place])
        return []

    def deeds_of(self, step: int) -> list[str]:
        """What people did before a step, in sentences: deeds alone, for events are among what happened in it."""
        return [f"the GM: {self.told(deed)}" for before, deed in self._deeds() if before == step]

    def story(self, step: int | None = None) -> list[tuple[int, str]]:
        """What was done and what happened, in order, each sentence with its step; step: of that one alone."""
        told = [(each, 0, text) for each in range(1, self.steps + 2) for text in self.deeds_of(each)]
        told += [(r.step, 1, r.text) for r in (self.events if step is None else self.events_of(step))]
        in_order = sorted(told, key=lambda each: each[:2])
        return [(each, text) for each, _, text in in_order if step is None or step == each]

    def _deeds(self) -> Iterator[tuple[int, Done]]:
        """The deeds done, each with the step that followed."""
        step = 1
        for given in self.inputs:
            if isinstance(given, Done):
                yield step, given
            step += isinstance(given, Stepped)

    @property
    def spread(self) -> list[Lit]:
        """Who lit whom and when."""
        first = self._stretches[0].prepared
        return spread(self.events, self.system.event_kinds, self.system.alight(first, first.first))

    def why(self, place: Sequence[int] | int | str) -> Why:
        """Why something burnt: who lit whom, by which roll, back to where the fire began.

        place: a cell [row, col] or its flat index, or the name of one of the people. Raises InputError where there is
        no such place.
        """
        return why(self, place)

    def frames(self) -> Iterator[tuple[Prepared, Frame]]:
        """The game once more, from step 0: after each step, and after each deed between two steps.

        With each frame comes the scenario as it then stood. The frame's state must not be kept.
        """
        for stretch, rows in self._plays(self.inputs):
            fire = stretch.fire
            yield stretch.prepared, Frame(fire.step, fire.state, fire.events(*rows) if rows else [])

    # ------------------------------------------------------------------------------------------------- what people do
    def step(
        self, *, faces: Sequence[int] | None = (), ask: Ask | None = None, tell: Tell | None = None
    ) -> list[Record]:
        """Play the next step, and return what happened in it.

        faces: what the first dice of the step show. ask: asked for every further face, `(what is rolled, sides) ->
        face`; it may raise `TakeBack` and `RollTheRest`. Without it the further dice are keyed. tell: called with what
        has happened, before each question and at the end. `under_way` keeps faces typed for a step that was not
        finished; the next call goes on with them. Raises InputError when the fire is over.
        """
        self._check_not_over()
        typed = [*self.under_way, *faces_of(faces)]
        _ = self.digest  # of the state before the step: a save made while it is rolled is of that state
        rows = int(self._fire.log.counts[0])

        def typing() -> None:
            self.under_way = list(typed)
            self._tell_changed()

        roll_step(self._fire, typed, ask, tell, typing, len(self.under_way))
        self._stretches[-1].steps.append((rows, int(self._fire.log.counts[0])))
        self.under_way, self._digest = [], ""
        self.inputs.append(Stepped(tuple(typed)))
        self._tell_changed()
        return self.events_of(self.steps)

    def apply(self, event: Mapping[str, Any]) -> None:
        """An event of the system for the step that follows, as `{"kind": "wet", "cell": [4, 12]}`, or a deed.

        Faces typed for a step that was not finished are given up, for what they were rolled for may have changed; undo
        brings them back. Raises InputError with all that is wrong with the event; nothing has changed then.
        """
        content, problems = plain(event)
        if problems or not isinstance(content, dict):
            raise InputError(problems or Problem("an event is no dict", 'a dict, as {"kind": "wet", "cell": [4, 12]}'))
        if "kind" not in content:
            raise InputError(Problem("the event has no kind", listed(self.kinds)))
        if content["kind"] not in self.kinds:
            word = str(content["kind"])
            raise InputError(Problem(f"unknown event '{word[:40]}'", listed(self.kinds), nearest(word, self.kinds)))
        made: Input
        if content["kind"] in self.deed_kinds:
            made = Done(content, tuple(self.under_way))
        else:
            made = Applied({"step": self.steps + 1} | content, tuple(self.under_way))
            step = made.event["step"]
            if isinstance(step, int) and step <= self.steps:
                raise InputError(Problem(f"step {step} has been played", f"{self.steps + 1} or later", where=("step",)))
            if self.steps >= STEPS_MOST:
                raise InputError(Problem("the game is at its last step", f"at most {STEPS_MOST:,}"))
        self._set([*self.inputs, made])

    def undo(self, count: int = 1, *, to: int | None = None) -> list[str]:
        """Take back what was done last: a step, an event or a deed, or so many of them.

        to: go back to the end of that step instead. Returns what was taken back, in sentences, the last thing first;
        faces that an event or a deed made void are under way again. Raises InputError when there is not so much to take
        back; nothing has changed then.
        """
        keep = self._end_of(to) if to is not None else self._before_last(count)
        gone = self.taken_back(keep)
        first = self.inputs[keep] if keep < len(self.inputs) and to is None else None
        self._set(self.inputs[:keep], () if first is None or isinstance(first, Stepped) else first.given_up)
        return gone

    def _before_last(self, count: int) -> int:
        """How many inputs are left without the last `count`."""
        if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or count < 1:
            raise InputError(Problem(f"cannot take back {count!r} things", "a whole number from 1"))
        if not self.inputs:
            raise InputError(Problem("there is nothing to take back", "a step or an event before it"))
        if count > len(self.inputs):
            raise InputError(Problem(f"cannot take back {count} things", f"at most {len(self.inputs)}: all there are"))
        return len(self.inputs) - int(count)

    def _end_of(self, step: int) -> int:
        """How many inputs there are up to the end of a step."""
        if isinstance(step, bool) or not isinstance(step, (int, np.integer)) or not 0 <= step <= self.steps:
            raise InputError(Problem(f"cannot go back to step {step}", f"a step from 0 to {self.steps}"))
        end, seen = 0, 0
        while seen < step:
            seen += isinstance(self.inputs[end], Stepped)
            end += 1
        return end

    def taken_back(self, keep: int) -> list[str]:
        """What is gone when only the first `keep` inputs are left, in sentences, the last thing first."""
        gone, step = [], 0
        for place, given in enumerate(self.inputs):
            step += isinstance(given, Stepped)
            if place >= keep:
                gone.append(self.told(given, step))
        if self.under_way:
            gone.append(f"{faces_told(self.under_way)} of {self.system.step_word.lower()} {step + 1}")
        return gone[::-1]

    def told(self, given: Input, step: int = 0) -> str:
        """What people did, as a sentence: a step by its number, an event or a deed by what it does."""
        if isinstance(given, Stepped):
            told = f"{self.system.step_word.lower()} {step}"
            return told + (f" with {faces_told(given.faces)}" if given.faces else "")
        if isinstance(given, Done):
            assert self.system.deeds is not None
            return self.system.deed_text(self._stretches[0].prepared, self.system.deeds.model_validate(given.deed))
        return self.system.event_text(self.prepared, event_words(self.system.words).model_validate(given.event))

    def reopen(self) -> None:
        """Take back the last face of the step just played; its other faces stay under way, for the next call of `step`.

        Raises InputError where nothing was done last, or no face was given for it.
        """
        last = self.inputs[-1] if self.inputs else None
        if not isinstance(last, Stepped) or not last.faces:
            raise InputError(Problem("there is no face to take back", "a step with real dice just played"))
        self._set(self.inputs[:-1], last.faces[:-1])

    def save(self, path: Any) -> None:
        """Write the game as a text file; `firesim.game(path)` goes on with it. Raises InputError where it cannot."""
        from firesim.table.saves import write

        write(self, path)

    @property
    def kinds(self) -> list[str]:
        """The kinds of events and deeds that the system declares."""
        return [*kinds_of(event_words(self.system.words)), *self.deed_kinds]

    @property
    def deed_kinds(self) -> list[str]:
        """The kinds of deeds: they change who is where and how, not the scenario."""
        return kinds_of(self.system.deeds)

    # ------------------------------------------------------------------------------------------------- from the start
    def _set(self, inputs: list[Input], under_way: Sequence[int] = ()) -> None:
        """Other inputs: all is played from the start; nothing changes when that is refused."""
        self._stretches = self._played(inputs)
        self.inputs, self.under_way, self._digest = inputs, list(under_way), ""
        self._tell_changed()

    def _tell_changed(self) -> None:
        if self.changed:
            self.changed()

    def _check_not_over(self) -> None:
        if self._fire.over():
            raise InputError(
                Problem("the fire is over: nothing burns and nothing is to come", "an event, or undo, or a new game")
            )
        if self.steps >= self.prepared.horizon:
            raise InputError(Problem(f"the scenario ends with step {self.prepared.horizon}", "a longer one (steps)"))

    def _played(self, inputs: Sequence[Input]) -> list[Stretch]:
        """The game from the start. Raises InputError for inputs that cannot be."""
        return [stretch for stretch, rows in self._plays(inputs) if rows is None]

    def _plays(self, inputs: Sequence[Input]) -> Iterator[tuple[Stretch, tuple[int, int] | None]]:
        """The game from the start: each stretch as it begins, then after each step with that step's rows of the log."""
        document, state = self.scenario.document, None
        for part, deed in parts(inputs):
            events = [given.event for given in part if isinstance(given, Applied)]
            if events:
                document = document | {"event": [*document.get("event", ()), *events]}
            stretch = self._stretch(document, state, len(events))
            yield stretch, None
            for given in part:
                if isinstance(given, Stepped):
                    self._play(stretch, given)
                    yield stretch, stretch.steps[-1]
            if deed is not None:
                state, document = self._did(stretch, deed)

    def _stretch(self, document: dict[str, Any], state: Any, added: int) -> Stretch:
        """The scenario as it now stands, checked, and its fire, going on from a state."""
        scenario = self.scenario
        if document is not scenario.document:
            words, problems = self.system.check(document)
            if problems or words is None:
                raise InputError(replace(p, where=_inner(p.where, document, added)) for p in problems)
            scenario = replace(scenario, words=words, document=document)
        ready = self.system.prepare(scenario)
        fire = Fire(ready, self.seed, self.replicate)
        if state is not None:
            fire.state = carried(state, ready.first)
        return Stretch(ready, fire, fire.step)

    def _play(self, stretch: Stretch, given: Stepped) -> None:
        fire = stretch.fire
        rows = int(fire.log.counts[0])
        if fire.over():
            raise InputError(Problem(f"step {fire.step + 1} cannot be played: the fire is over", "fewer steps"))
        roll_step(fire, list(given.faces))
        stretch.steps.append((rows, int(fire.log.counts[0])))

    def _did(self, stretch: Stretch, given: Done) -> tuple[Any, dict[str, Any]]:
        """The state and the document after a deed."""
        model = self.system.deeds
        assert model is not None
        try:
            deed = model.model_validate(given.deed)
        except ValidationError as error:
            raise InputError(problems_of(error, model)) from None
        state = carried(stretch.fire.state, stretch.prepared.first)
        document = copy.deepcopy(stretch.prepared.scenario.document)
        problems = self.system.do(stretch.prepared, state, deed, document)
        if problems:
            raise InputError(problems)
        return state, document


def _inner(where: Where, document: Mapping[str, Any], added: int) -> Where:
    """Where a problem stands for the person at the table: in the event just given, when it is the last of the file."""
    last = len(document.get("event", ())) - 1
    return where[2:] if added and where[:2] == ("event", last) else where
