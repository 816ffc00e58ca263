"""The command line: `python -m benchmarks GROUP [NAME ...] [--fires N] [--rounds N] [--out FOLDER]`.

A group is a folder, a benchmark a file in it with `measure(settings) -> list[Row]`, run in the order of the group's
`BENCHMARKS`.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path

from benchmarks.harness import DisagreementError, Report, Settings

HERE = Path(__file__).resolve().parent


def groups() -> list[str]:
    """Folders that hold benchmarks."""
    return sorted(path.parent.name for path in HERE.glob("*/__init__.py"))


def main(arguments: list[str] | None = None) -> int:
    """Run the benchmarks named; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Ratios, measured side by side.")
    parser.add_argument("group", choices=groups())
    parser.add_argument("names", nargs="*", metavar="NAME", help="benchmarks of the group (default: all)")
    parser.add_argument(
        "--fires", type=whole, default=Settings.fires, help="fires a round burns (default: %(default)s)"
    )
    parser.add_argument("--rounds", type=whole, default=Settings.rounds, help="rounds timed (default: %(default)s)")
    parser.add_argument("--out", type=Path, default=HERE.parent / "out" / "benchmarks", help="folder of the report")
    chosen = parser.parse_args(arguments)
    known = importlib.import_module(f"benchmarks.{chosen.group}").BENCHMARKS
    if strange := set(chosen.names) - set(known):
        parser.error(f"no benchmark {', '.join(sorted(strange))}; there are {', '.join(known)}")
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
