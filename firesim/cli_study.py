"""`firesim study` and `firesim replay`: what they take, burn, write and print."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from firesim.cli_run import (
    Fps,
    Gif,
    Json,
    Log,
    Mp4,
    Out,
    Player,
    Png,
    Sheets,
    Size,
    Spread,
    burn_one,
    wanted_of,
)  # fmt: skip
from firesim.cli_terminal import bar_of, compiling, interrupted, percent_bar, say, settings, tell

if TYPE_CHECKING:
    from firesim.studies.asked import Asked
    from firesim.studies.fires import Fires
    from firesim.studies.ledger import Ledger
    from firesim.studies.plan import Plan
    from firesim.studies.run import Progress

FEW = 50
"""Cases are checked without a bar where there are no more."""


def register(app: typer.Typer, kindly: Callable[[Any], Any]) -> None:
    """Make `study` and `replay` commands of the app."""
    app.command(epilog="Example: firesim study maps/street.toml --vary weather.wind=none,E --replicates 200 --seed 7")(
        kindly(study)
    )
    app.command(epilog="Example: firesim replay tests/studies/street.study --worst buildings_lost --log -")(
        kindly(replay)
    )


# --------------------------------------------------------------------------------------------------------------- study
def study(
    sources: Annotated[
        list[Path],
        typer.Argument(
            metavar="STUDY_OR_SCENARIO...",
            help="A scenario, a study file, or a study folder to go on with; several with --compare.",
            show_default=False,
        ),
    ],
    replicates: Annotated[int | None, typer.Option(help="Fires of each case. Default: 1,000.")] = None,
    seed: Annotated[int | None, typer.Option(help="Key of all dice. Default: a fresh one.")] = None,
    first_replicate: Annotated[int | None, typer.Option(help="The first fire of the seed. Default: 0.")] = None,
    vary: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=A,B,C", help="Values of a key, or a range FROM:TO or FROM:STEP:TO. Repeatable: a grid."
        ),
    ] = None,
    compare: Annotated[bool, typer.Option("--compare", help="Compare several scenarios, fire by fire.")] = False,
    changes: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change a key in all cases. Repeatable.")
    ] = None,
    until: Annotated[
        str | None,
        typer.Option(metavar="OUTCOME:HALFWIDTH", help="Stop when its 95 % interval is so narrow in every case."),
    ] = None,
    until_decided: Annotated[
        str | None, typer.Option(metavar="OUTCOME", help="Stop when it is decided which case has more of it.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(help="Threads; spare ones share large fires. Default: one for each processor.")
    ] = None,
    scheduler: Annotated[str | None, typer.Option(metavar="ADDRESS", help="Burn on a Dask cluster.")] = None,
    out: Annotated[Path | None, typer.Option(help="The study folder; goes on with the same study there.")] = None,
    retry_failed: Annotated[bool, typer.Option("--retry-failed", help="Burn those again that failed.")] = False,
    no_maps: Annotated[bool, typer.Option("--no-maps", help="Keep outcome rows and curves, but no maps.")] = False,
    no_pictures: Annotated[bool, typer.Option("--no-pictures", help="Draw nothing into the folder.")] = False,
    parquet: Annotated[bool, typer.Option("--parquet", help="Write the rows as Parquet too.")] = False,
    outcome: Annotated[str | None, typer.Option(help="The outcome told while it burns.")] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Tell how many fires, how long, how large; burn none.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Burn many fires: repeats, sweeps and comparisons; tell what they say, each figure with its interval."""
    from firesim import __version__
    from firesim.core.problems import InputError, Problem
    from firesim.studies.asked import Asked
    from firesim.studies.study import burn_plan, engine_of

    if len(sources) > 1 and not compare:
        hint = "--compare compares several scenarios"
        raise InputError(Problem(f"{len(sources)} scenarios are given", "one", hint))
    if compare and len(sources) < 2:
        raise InputError(Problem("--compare of one scenario", "two or more: --compare A.toml B.toml"))
    goes_on = out is None and sources[0].is_dir()
    asked = Asked(
        replicates, seed, first_replicate, varied(vary), (), sources[1:], settings(changes), until, until_decided,
        ("curves",) if no_maps else None, sources[0] if goes_on else out,
    )  # fmt: skip
    check_workers(workers)
    if asked.out is None:
        check_no_folder({"--retry-failed": retry_failed, "--no-pictures": no_pictures, "--parquet": parquet})
    with kept_told(asked.out) as known:
        plan = known.plan = checked_plan(sources[0], asked)
        headline = headline_of(plan, outcome)
        if not dry_run:
            with compiling(plan.prepared(0).scenario, "fast"):
                compile_now(plan)
            with engine_of(plan, workers, scheduler) as engine, study_bar(plan, headline) as watch:
                fires = burn_plan(
                    plan, engine=engine, version=__version__, out=asked.out, watch=watch, say=say,
                    retry_failed=retry_failed, parquet=parquet,
                )  # fmt: skip
            written = pictures(fires, asked.out) if asked.out and not no_pictures else []
    if dry_run:
        tell_forecast(plan, asked.out, workers, as_json)
    else:
        tell_study(fires, asked, written, as_json)


def varied(vary: list[str] | None) -> dict[str, Any]:
    """The `--vary` options as keys with values; InputError names all that are none."""
    from firesim.core.problems import InputError, Problem
    from firesim.studies.asked import parse_vary

    made: dict[str, Any] = {}
    problems: list[Problem] = []
    for text in vary or []:
        try:
            key, values = parse_vary(text)
            if key in made:
                problems.append(Problem(f"'{key}' varies twice", "each key once"))
            made[key] = values
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)
    return made


def check_workers(workers: int | None) -> None:
    """InputError for a number of threads that cannot be."""
    from firesim.studies.plan import whole

    if workers is not None:
        whole("workers", workers, 1, 1024)


def check_no_folder(given: dict[str, bool]) -> None:
    """InputError for options that say what a study folder is to hold, where there is none."""
    from firesim.core.problems import InputError, Problem

    if problems := [Problem(f"{name} goes with a study folder", "--out FOLDER") for name, on in given.items() if on]:
        raise InputError(problems)


def checked_plan(source: Path, asked: Any) -> Plan:
    """The plan, all cases checked, with a bar where they are many."""
    from firesim import api
    from firesim.studies.asked import plan_of

    with percent_bar("checking cases") as bar:
        checked = lambda done, of: bar(done, of) if of > FEW else None  # noqa: E731
        return plan_of(source, asked, api.scenario_of, checked)


def headline_of(plan: Plan, outcome: str | None) -> str:
    """The outcome told while it burns: the one asked for, the stopping rule's, else the first of the system's own."""
    from firesim.studies.columns import known

    if outcome:
        return known(outcome, plan.columns)
    if plan.until or plan.until_decided:
        return (plan.until_decided or str(plan.until).rpartition(":")[0]).strip()
    return plan.columns[min(2, len(plan.columns) - 1)]


def compile_now(plan: Plan) -> None:
    """Compile what a batch needs, in this process, before workers begin."""
    from firesim.play import compiled
    from firesim.studies.study import compile_first

    compile_first(plan)
    compiled(plan.prepared(0), "fast")


@contextmanager
def study_bar(plan: Plan, headline: str) -> Iterator[Callable[[Progress, Ledger], None]]:
    """One bar: fires, fires per second, time left, the headline outcome with its interval."""
    if not sys.stderr.isatty():
        yield lambda progress, ledger: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn

    columns = (TextColumn("burning"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[told]}"))
    with bar_of(*columns, total=plan.fires) as show:
        yield lambda progress, ledger: show(
            completed=progress.done, total=progress.asked, told=told_of(progress, ledger, headline)
        )


def told_of(progress: Progress, ledger: Ledger, headline: str) -> str:
    """What the bar says beside the count: `2,340 fires/s  1 minute left  lit 12.3 ± 0.4`."""
    from firesim.studies.forecast import duration

    mean, half = ledger.mean(progress.case, headline)
    where = f" (case {progress.case})" if len(ledger.plan.cases) > 1 else ""
    left = "" if progress.seconds_left != progress.seconds_left else f"{duration(progress.seconds_left)} left  "
    return f"{progress.fires_per_second:,.0f} fires/s  {left}{headline} {mean:.4g} ± {half:.2g}{where}"


@dataclass
class Known:
    """The plan of a study, as soon as it is known."""

    plan: Plan | None = None


@contextmanager
def kept_told(folder: Path | None) -> Iterator[Known]:
    """Should Ctrl-C come, say what is kept of the study, and how to go on."""
    known = Known()
    try:
        yield known
    except KeyboardInterrupt:
        interrupted()
        say_kept(folder, known.plan)
        raise


def say_kept(folder: Path | None, plan: Plan | None) -> None:
    """What an interrupt leaves, counted in the folder itself. plan: None where it was not made yet."""
    from firesim.core.problems import InputError
    from firesim.studies.folder import agreed, held, rows_there

    if folder is None:
        say("nothing of it is kept: with --out FOLDER a study can be gone on with")
        return
    old = None
    with suppress(InputError):
        old = held(folder)
        plan = agreed(plan, old, folder) if plan and old else plan or old
    if old is None or plan is None:
        say(f"nothing is kept in {shlex.quote(str(folder))} yet; the same command begins anew")
        return
    most = "at most " if plan.until or plan.until_decided else ""
    there = f"{rows_there(folder, plan):,} of {most}{plan.fires:,} fires are kept in {shlex.quote(str(folder))}"
    say(f"{there}; the same command goes on")


def tell_forecast(plan: Plan, folder: Path | None, workers: int | None, as_json: bool) -> None:
    """The dry run."""
    from firesim.studies.engines.threads import processors
    from firesim.studies.folder import agreed, held, rows_there
    from firesim.studies.forecast import forecast
    from firesim.studies.study import ended_in

    old = held(folder) if folder else None
    if folder and old:
        plan = agreed(plan, old, folder)
    with compiling(plan.prepared(0).scenario, "fast"):
        compile_now(plan)
    for line in plan.notes:
        say(line)
    there, stopped = (rows_there(folder, plan), ended_in(folder, plan)) if folder and old else (0, "")
    found = forecast(plan, min(workers or processors(), processors()), there, stopped)
    if as_json:
        tell(json.dumps(found.as_dict() | {"seed": plan.seed, "varied": [dict(v) for v in plan.values]}))
    else:
        tell(f"{plan.title} ({plan.prepared(0).system.name}, seed {plan.seed})\n{found}")


def tell_study(fires: Fires, asked: Asked, written: list[Path], as_json: bool) -> None:
    """The summary of a study, or one JSON document."""
    folder = asked.out
    plan, summary = fires.plan, fires.summary()
    scenario = fires.scenario
    departures = sorted(
        {d for case in range(min(len(fires.cases), FEW)) for d in fires.prepared_of(case).scenario.departures}
    )
    if as_json:
        facts = {
            "title": plan.title, "system": scenario.system, "seed": fires.seed, "first_replicate": plan.first_replicate,
            "replicates": plan.replicates, "fires": len(fires), "cases": [dict(case) for case in fires.cases],
            "failed": [{"case": c, "replicate": r, "error": e} for (c, r), e in fires.failures.items()],
            "left_out": list(plan.left_out), "stopped": fires.stopped, "departures": departures,
            "folder": str(folder) if folder else None, "pictures": [str(path) for path in written],
        }  # fmt: skip
        tell(json.dumps(facts | {"summary": summary.as_dict()}))
        return
    tell(f"{plan.title} ({scenario.system}, seed {fires.seed})")
    tell(str(summary))
    for line in told_beside(fires, departures):
        tell(line)
    if asked.replicates and plan.replicates > asked.replicates:
        say(f"the folder holds {plan.replicates:,} replicates of each case, and all of them are shown")
    if folder:
        again = f"firesim replay {shlex.quote(str(folder))} --case 0 --replicate {plan.first_replicate}"
        say(f"wrote {folder}; any fire of it again: {again}")


def told_beside(fires: Fires, departures: list[str]) -> Iterator[str]:
    """Lines after the tables: why it stopped, what failed, what was left out, departures from the book."""
    if fires.stopped:
        yield fires.stopped
    if fires.failures:
        (case, replicate), error = next(iter(fires.failures.items()))
        yield (
            f"{len(fires.failures):,} fires failed and are in no figure; the first is case {case}, replicate "
            f"{replicate}: {error}; --retry-failed burns them again"
        )
    if fires.plan.left_out:
        yield f"left out, for not all cases have them: {', '.join(fires.plan.left_out)}"
    for departure in departures:
        yield f"departs from the book: {departure}"


def pictures(fires: Fires, folder: Path) -> list[Path]:
    """Draw the study into its folder."""
    from firesim.outputs_study import write_pictures

    with percent_bar("drawing") as bar:
        return write_pictures(fires, folder / "pictures", bar)


# -------------------------------------------------------------------------------------------------------------- replay
def replay(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A study folder.", show_default=False)],
    case: Annotated[int | None, typer.Option(help="Which case. Default: 0; with a rank, among all.")] = None,
    replicate: Annotated[int | None, typer.Option(help="Which fire of it.")] = None,
    median: Annotated[str | None, typer.Option(metavar="OUTCOME", help="The fire in the middle of an outcome.")] = None,
    worst: Annotated[str | None, typer.Option(metavar="OUTCOME", help="The fire with the most of an outcome.")] = None,
    best: Annotated[str | None, typer.Option(metavar="OUTCOME", help="The fire with the least of an outcome.")] = None,
    log: Log = None,
    png: Png = None,
    gif: Gif = None,
    mp4: Mp4 = None,
    fps: Fps = None,
    size: Size = None,
    out: Out = None,
    spread: Spread = None,
    sheets: Sheets = None,
    player: Player = False,
    as_json: Json = False,
) -> None:
    """Burn one fire of a study again, from its key: all of `run`'s outputs."""
    from firesim import api
    from firesim.core.problems import InputError, Problem
    from firesim.studies.chosen import chosen

    ranks = {"median": median, "worst": worst, "best": best}
    wanted_ranks = [(rank, outcome) for rank, outcome in ranks.items() if outcome is not None]
    if len(wanted_ranks) + (replicate is not None) > 1:
        raise InputError(Problem("more than one fire is asked for", "one of --replicate, --median, --worst, --best"))
    wanted = wanted_of(
        as_json, log=log, png=png, gif=gif, mp4=mp4, out=out, spread=spread, sheets=sheets, for_players=player,
        fps=fps, size=size,
    )  # fmt: skip
    rank, outcome = wanted_ranks[0] if wanted_ranks else ("", "")
    fire = chosen(folder, case, replicate, rank, outcome)
    scenario = replace(api.load(fire.plan.document(fire.case)), file=fire.plan.files[fire.plan.cases[fire.case].base])
    name = fire.plan.name_of(fire.case) if fire.plan.keys else ""
    note = "; ".join(part for part in (f"case {fire.case}: {name}" if name else "", fire.why) if part)
    burn_one(scenario, wanted, seed=fire.plan.seed, replicate=fire.replicate, as_json=as_json, note=note, row=fire.row)
