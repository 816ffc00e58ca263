"""The public functions: load, run, game, study, odds, import_map."""

from __future__ import annotations

import os
import secrets
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from firesim.core.problems import InputError, Problem, listed, nearest
from firesim.core.scenario import Scenario, checked
from firesim.mapfiles.toml import Document, is_study, locate, read, read_mapping, with_map_file
from firesim.rules.base import STEPS_MOST, SYSTEMS, Prepared, system_named
from firesim.runs import Run

if TYPE_CHECKING:
    from firesim.events.records import Record
    from firesim.exact.expression import RollOdds
    from firesim.exact.forecast import Forecast
    from firesim.exact.moments import Moments
    from firesim.exact.odds import Odds
    from firesim.mapfiles.import_map import ImportedMap
    from firesim.studies.fires import Fires
    from firesim.table.game import Game

SEED_END = 2**63

STEPS_A_CALL = 16
"""Steps played between two looks at the clock, so that Ctrl-C is heard."""

Source = str | os.PathLike[str] | Mapping[str, Any] | Scenario


def load(source: Source, changes: Mapping[str, Any] | None = None) -> Scenario:
    """A scenario from a TOML file or a dict of the same shape, checked.

    source: path or dict. changes: dotted keys to new values, `{"weather.moisture": "damp"}`, applied before checking;
    `map` may be the name of a map's file. Raises InputError with every problem at once.

    >>> scenario = load({"system": "town", "map": {"rows": ["h"], "legend": {"h": {"st": 10}}}})
    >>> scenario.system
    'town'
    """
    changes = checked_changes(changes)
    if isinstance(source, Scenario):
        if not changes:
            return source
        document = Document(source.document, source.file)
    else:
        if not isinstance(source, (str, os.PathLike, Mapping)):
            raise InputError(
                Problem(f"a {type(source).__name__} is no scenario", "a path, or a dict shaped like a scenario file")
            )
        document = read_mapping(source) if isinstance(source, Mapping) else read(source)
    return scenario_of(document, changes)


def problems_in(source: Source) -> list[Problem]:
    """Every problem of a scenario, map or study file; an empty list when there is none."""
    try:
        if isinstance(source, (Mapping, Scenario)):
            load(source)
        elif is_study((document := read(source)).data):
            from firesim.studies.asked import Asked, plan_of

            plan_of(document, Asked(), scenario_of)
        else:
            scenario_of(document)
    except InputError as error:
        return error.problems
    return []


def scenario_of(document: Document, changes: Mapping[str, Any] | None = None) -> Scenario:
    """A checked scenario from a document already read."""
    name = document.data.get("system")
    if is_study(document.data):
        hint = "burn it with: firesim study FILE"
        raise InputError(locate([Problem("this is a study file", "a scenario", hint)], document))
    if not isinstance(name, str) or name not in SYSTEMS:
        what = "no system is named" if name is None else f"unknown system {name!r}"
        hint = nearest(name, SYSTEMS) if isinstance(name, str) else 'write system = "town" at the top'
        raise InputError(
            locate(
                [Problem(what, listed([f'"{s}"' for s in SYSTEMS]), hint, ("system",) if name is not None else ())],
                document,
            )
        )
    system = system_named(name)
    if changes and isinstance(changes.get("map"), str):
        document = with_map_file(document, Path(changes["map"]))
        changes = {key: value for key, value in changes.items() if key != "map"}
    if changes:
        document = document.with_changes(changes, system.words)
    made, problems = checked(system, document.data, document.file)
    if made is None:
        raise InputError(locate(problems, document))
    return made


def prepared(scenario: Scenario) -> Prepared:
    """The scenario made ready for its kernel."""
    return system_named(scenario.system).prepare(scenario)


def a_seed(scenario: Scenario, seed: int | None) -> int:
    """The seed asked for, else the scenario's, else a fresh one."""
    if seed is None:
        seed = scenario.seed
    if seed is None:
        return secrets.randbelow(10**9)
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or not 0 <= seed < SEED_END:
        raise InputError(Problem(f"seed {seed!r}", "a whole number from 0 below 2**63"))
    return int(seed)


def run(
    scenario: Source,
    *,
    seed: int | None = None,
    replicate: int = 0,
    dice: Sequence[int] | Callable[[str, int], int] | None = None,
    steps: int | None = None,
    changes: Mapping[str, Any] | None = None,
    progress: Callable[[int], None] | None = None,
    tell: Callable[[list[Record]], None] | None = None,
) -> Run:
    """One fire, start to end.

    seed, replicate: the key of its dice; the same key is the same fire everywhere (default: the scenario's seed, else
    a fresh one, told in `run.seed`). dice: faces in the order of the rulebook's section 6, or a function (prompt,
    sides) -> face that asks a person. steps: stop after so many. changes: dotted keys to new values. progress:
    called now and then with the steps played.
    Raises InputError for wrong input, for faces too few, too many, or not on their die.

    >>> run(
    ...     {"system": "town", "map": {"rows": ["h"], "legend": {"h": {"armour": 3}}}, "ignite": [{"cell": [0, 0]}]},
    ...     dice=[3, 4, 1, 3, 4, 3, 2, 1, 5],
    ... ).outcome["steps"]
    8
    """
    from firesim.play import Fire, compiled

    checked = load(scenario, changes)
    ready = prepared(checked)
    ask = dice if callable(dice) else None
    faces = None if dice is None or ask else whole_faces(dice)
    fire = Fire(ready, a_seed(checked, seed), checked_replicate(replicate), faces, ask)
    fire.tell = tell
    last_step = ready.horizon if steps is None else min(ready.horizon, checked_steps(steps))
    while fire.step < last_step and fire.play_to(min(fire.step + STEPS_A_CALL, last_step)):
        if progress:
            progress(fire.step)
    if faces is not None:
        fire.check_all_faces_used()
    compiled(ready, "told")
    return Run(ready, fire, last_step, dice is None)


def game(
    source: Source, *, seed: int | None = None, replicate: int = 0, changes: Mapping[str, Any] | None = None
) -> Game:
    """A game at the table: one fire step by step, with events, real dice and undo; or a saved one, to go on with.

    source: a scenario as for `load`, or the path of a save. seed, replicate: the key of its keyed dice (default: the
    scenario's seed, else a fresh one); a save has its own. Raises InputError for wrong input, and for a save that was
    cut short, was changed, or leads to another state when it is played again.
    """
    from firesim.table import saves
    from firesim.table.game import Game

    if isinstance(source, (str, os.PathLike)):
        document = saves.read_either(source)
        if saves.is_save(document.data):
            if seed is not None or replicate or changes:
                raise InputError(Problem("a save has its own seed and scenario", "the save alone", file=str(source)))
            save = saves.checked(document)
            return saves.replayed(save, scenario_of(Document(save.scenario, save.file)), document.file)
        checked = scenario_of(document, changes)
    else:
        checked = load(source, changes)
    return Game(checked, a_seed(checked, seed), checked_replicate(replicate))


def checked_steps(steps: int) -> int:
    """A horizon, or an InputError."""
    if isinstance(steps, bool) or not isinstance(steps, (int, np.integer)) or not 0 <= steps <= STEPS_MOST:
        raise InputError(Problem(f"steps {steps!r}", f"a whole number from 0 to {STEPS_MOST:,}"))
    return int(steps)


def checked_replicate(replicate: int) -> int:
    """A replicate's number, or an InputError."""
    if isinstance(replicate, bool) or not isinstance(replicate, (int, np.integer)) or not 0 <= replicate < SEED_END:
        raise InputError(Problem(f"replicate {replicate!r}", "a whole number from 0 below 2**63"))
    return int(replicate)


def whole_faces(dice: Any) -> list[int]:
    """Faces as a list of ints, or an InputError."""
    faces = list(dice) if isinstance(dice, Iterable) and not isinstance(dice, str) else None
    if faces is None or not all(
        isinstance(f, (int, np.integer)) and not isinstance(f, bool) and abs(int(f)) < 2**31 for f in faces
    ):
        raise InputError(Problem("dice", "a list of whole numbers, as [3, 4, 1]"))
    return [int(f) for f in faces]


def study(
    scenario: Source,
    replicates: int | None = None,
    *,
    seed: int | None = None,
    first_replicate: int | None = None,
    vary: Mapping[str, Any] | None = None,
    pairs: Sequence[Mapping[str, Any]] = (),
    compare: Sequence[Source] = (),
    changes: Mapping[str, Any] | None = None,
    until: str | None = None,
    until_decided: str | None = None,
    keep: Sequence[str] | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
    out: str | os.PathLike[str] | None = None,
    retry_failed: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Fires:
    """Many fires: repeats, sweeps and comparisons, of one scenario or of a study file.

    replicates: of each case, `first_replicate`, ... of one seed (default 1,000). vary: keys with the values they take,
    `{"weather.wind": ["none", "E"], "tables.material.light": {"from": 1, "to": 4}}`, a full grid; pairs: keys whose
    lists go together; compare: further scenarios. until: stop when the 95 % interval of an outcome is so narrow in all
    cases, `"buildings_lost:0.5"`; until_decided: stop when every comparison of an outcome is decided. keep: `maps`,
    `curves` (default: both). workers: threads (where they are more than fires, several burn each large one); scheduler:
    the address of a Dask cluster in their place. out: a study folder, gone on with where it holds the same study.
    progress: called with (fires done, fires asked for).

    Row k of a case is the same fire as `run(..., seed=seed, replicate=k)`, on any number of workers, anywhere. Raises
    InputError for wrong input, with the problems of all cases, before anything burns.
    """
    from firesim import __version__
    from firesim.studies.asked import Asked, plan_of
    from firesim.studies.plan import whole
    from firesim.studies.study import burn_plan, engine_of

    if workers is not None:
        whole("workers", workers, 1, 1024)
    folder = None if out is None else Path(out)
    asked = Asked(
        replicates, seed, first_replicate, vary or {}, pairs, compare, checked_changes(changes), until, until_decided,
        keep, folder,
    )  # fmt: skip
    plan = plan_of(scenario, asked, scenario_of)
    watch = (lambda p, _: progress(p.done, p.asked)) if progress else None
    with engine_of(plan, workers, scheduler) as engine:
        return burn_plan(
            plan, engine=engine, version=__version__, out=folder, watch=watch, say=warn, retry_failed=retry_failed
        )


def warn(line: str) -> None:
    """What a person should know, as a warning."""
    warnings.warn(line, stacklevel=3)


def checked_changes(changes: Any) -> Mapping[str, Any]:
    """Dotted keys to new values, or an InputError."""
    if changes is not None and not isinstance(changes, Mapping):
        raise InputError(Problem(f"changes is {type(changes).__name__}", 'a dict, as {"weather.moisture": "damp"}'))
    return changes or {}


def odds(
    scenario: Source,
    outcome: str = "steps",
    *,
    changes: Mapping[str, Any] | None = None,
    mean_only: bool = False,
    states_most: int | None = None,
    progress: Callable[[int], None] | None = None,
    foretell: Callable[[Forecast], None] | None = None,
) -> Odds | RollOdds | Moments:
    """Exact odds: of an outcome of a scenario by Markov chain, or of a roll (`"5k3"`, `"3d6"`, `"10k5 vs 30"`).

    outcome: a column of the system. mean_only: mean and variance alone, by far smaller chains for outcomes that grow
    (`hull_damage`); the result has `.mean`, `.variance` and `.text()`. states_most: refuse larger chains. progress:
    called now and then with the states found. foretell: called with the expected size of a chain that takes more than
    a moment. The other results have `.values`, `.probabilities`, `.mean`, `.variance`, `.quantile(q)` and `.text()`.
    Raises InputError for wrong input and for a scenario that is too large.

    >>> round(
    ...     odds(
    ...         {
    ...             "system": "town",
    ...             "map": {"rows": ["h"], "legend": {"h": {"st": 10, "armour": 3}}},
    ...             "ignite": [{"cell": [0, 0]}],
    ...         }
    ...     ).mean,
    ...     9,
    ... )
    5.886979524
    """
    from firesim.exact.chain import NODES_MOST
    from firesim.exact.expression import is_roll, odds_of_roll
    from firesim.exact.odds import odds_of

    if isinstance(scenario, str) and is_roll(scenario):
        return odds_of_roll(scenario)
    most = NODES_MOST if states_most is None else states_most
    if isinstance(most, bool) or not isinstance(most, int) or most < 1:
        raise InputError(Problem(f"states_most {states_most!r}", "a whole number from 1"))
    ready = prepared(load(scenario, changes))
    if mean_only:
        from firesim.exact.moments import moments_of

        return moments_of(ready, outcome, nodes_most=most, progress=progress, foretell=foretell)
    return odds_of(ready, outcome, nodes_most=most, progress=progress, foretell=foretell)


def import_map(path: str | os.PathLike[str], **options: Any) -> ImportedMap:
    """A map made with another tool as a scenario of ours; see `firesim.mapfiles.import_map.import_map`."""
    from firesim.mapfiles.import_map import import_map as imported

    return imported(Path(path), **options)
