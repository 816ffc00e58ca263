"""The command line: `python -m benchmarks GROUP [NAME ...] [--fires N] [--rounds N] [--out FOLDER]`.

A group is a folder, a benchmark a file in it with `measure(settings)`, which gives rows, all at once or as they come;
run in the order of the group's `BENCHMARKS`. `--list` names them all; `summary` makes a table and a plot of reports.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import sys
from pathlib import Path

from benchmarks import summary
from benchmarks.harness import HERE, DisagreementError, NoPlaceError, Report, Settings, groups, place_to_write


def listing() -> str:
    """All benchmarks, group by group, each with the first line of what its file says of it."""
    lines = []
    for group in groups():
        folder = HERE / group
        lines.append(f"{group}: {first_line(folder / '__init__.py')}")
        names = importlib.import_module(f"benchmarks.{group}").BENCHMARKS
        lines += [f"  {name:<11} {first_line(folder / f'{name}.py')}" for name in names]
    return "\n".join(lines)


def first_line(file: Path) -> str:
    """The first line of a module's docstring, the module not imported."""
    text = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return text.partition("\n")[0]


def main(arguments: list[str] | None = None) -> int:
    """Run the benchmarks named; returns the exit code."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments[:1] == ["summary"]:
        return summary.main(arguments[1:])
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Ratios, measured side by side.",
        epilog="python -m benchmarks summary: a table and a plot of reports.",
    )
    parser.add_argument("--list", action="store_true", help="name all benchmarks and stop")
    parser.add_argument("group", nargs="?", choices=groups())
    parser.add_argument("names", nargs="*", metavar="NAME", help="benchmarks of the group (default: all)")
    parser.add_argument(
        "--fires", type=whole, default=Settings.fires, help="fires a round burns, 2 or more (default: %(default)s)"
    )
    parser.add_argument(
        "--rounds", type=whole, default=Settings.rounds, help="rounds timed, 2 or more (default: %(default)s)"
    )
    parser.add_argument("--out", type=Path, default=HERE.parent / "out" / "benchmarks", help="folder of the report")
    chosen = parser.parse_args(arguments)
    if chosen.list:
        print(listing())
        return 0
    if chosen.group is None:
        parser.error(f"no group: one of {', '.join(groups())}, or summary")
    known = importlib.import_module(f"benchmarks.{chosen.group}").BENCHMARKS
    if strange := set(chosen.names) - set(known):
        parser.error(f"no benchmark {', '.join(sorted(strange))}; there are {', '.join(known)}")
    try:
        place_to_write(chosen.out)
    except NoPlaceError as error:
        print(error, file=sys.stderr)
        return 2
    settings = Settings(chosen.fires, chosen.rounds)
    report = Report(chosen.group, settings)
    for line in (f"{name}: {value}" for name, value in report.circumstances.items()):
        print(line)
    failed = False
    for name in chosen.names or known:
        try:
            report.add(importlib.import_module(f"benchmarks.{chosen.group}.{name}").measure(settings))
        except DisagreementError as error:
            print(f"{name}: no ratio: {error}", file=sys.stderr)
            failed = True
    for path in report.write(chosen.out):
        print(f"written: {path}")
    return int(failed)


def whole(text: str) -> int:
    """A whole number of at least 2 (a spread needs two)."""
    number = int(text)
    if number < 2:
        raise argparse.ArgumentTypeError("at least 2")
    return number


if __name__ == "__main__":
    sys.exit(main())
