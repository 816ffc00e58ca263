"""Break every rule function of a system and see that the examples, or random scenarios, notice.

    python -m tests.mutations SYSTEM [--all] [--per-function N] [--function NAME ...] [--scenarios N]

Prints one line for each mutant: what caught it, why it changes nothing (`EQUIVALENT`), or SURVIVED. Ends with code 1
when one survives, or when one that is called equivalent is caught.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from tests.mutations import checking
from tests.mutations.breaking import Mutant, chosen, mutants
from tests.mutations.equivalent_in_ship import EQUIVALENT as EQUIVALENT_IN_SHIP
from tests.mutations.equivalent_in_town import EQUIVALENT as EQUIVALENT_IN_TOWN

ROOT = Path(__file__).resolve().parents[2]
FILES = {
    "town": ("fire", "building", "spread", "happenings", "kernel", "stream", "stream_layout", "bands"),
    "ship": ("modules", "people", "orders", "happenings", "kernel"),
}
"""The files of each system that hold its rules."""

EQUIVALENT = {"town": EQUIVALENT_IN_TOWN, "ship": EQUIVALENT_IN_SHIP}
PROCESSES = 2


def every_mutant(system: str) -> list[Mutant]:
    """All mutants of a system's rule functions."""
    folder = ROOT / "firesim" / "rules" / system
    return [mutant for file in FILES[system] for mutant in mutants(folder / f"{file}.py")]


def verdict(mutant: Mutant, caught: str, equivalent: Mapping[str, str]) -> tuple[str, str]:
    """A word for what became of a mutant, and what there is to say about it."""
    reason = equivalent.get(mutant.name)
    if caught:
        return ("NOT EQUIVALENT" if reason else "caught"), caught
    return ("equivalent", reason) if reason else ("SURVIVED", "every check passes")


def try_all(system: str, broken: Sequence[Mutant], scenarios: int) -> Counter[str]:
    """Check the package as it is, then each mutant; prints as it goes and returns how many of each verdict."""
    count: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="firesim-mutants-") as room:
        shutil.copytree(ROOT / "firesim", Path(room) / "firesim", ignore=shutil.ignore_patterns("__pycache__"))
        workers = ProcessPoolExecutor(
            PROCESSES, multiprocessing.get_context("spawn"), checking.make_ready, (room, system, scenarios)
        )
        with workers:
            if caught := workers.submit(checking.caught_by, system, None).result():
                print(f"the package as it is fails {caught}")
                return Counter({"SURVIVED": 1})
            results = workers.map(partial(checking.caught_by, system), broken)
            for mutant, caught in zip(broken, results, strict=True):
                word, said = verdict(mutant, caught, EQUIVALENT[system])
                count[word] += 1
                print(f"{word:14}  {mutant.file}:{mutant.line}  {mutant.name}  |  {said}", flush=True)
    return count


def main(arguments: list[str] | None = None) -> int:
    """Run, print, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutations", description="Break every rule of a system.")
    parser.add_argument("system", choices=sorted(FILES))
    parser.add_argument("--all", action="store_true", help="every mutant, not a choice of them")
    parser.add_argument("--per-function", type=int, default=4, help="mutants of a function (default 4)")
    parser.add_argument("--function", nargs="+", help="only these functions: NAME or FILE.NAME")
    parser.add_argument("--scenarios", type=int, default=100, help="random ones to compare (default 100)")
    asked = parser.parse_args(arguments)

    every = every_mutant(asked.system)
    unknown = sorted(set(EQUIVALENT[asked.system]) - {mutant.name for mutant in every})
    for name in unknown:
        print(f"NO SUCH MUTANT  {name}")
    wanted = [m for m in every if not asked.function or {m.function, m.where} & set(asked.function)]
    broken = wanted if asked.all else chosen(wanted, asked.per_function)
    os.environ["NUMBA_DISABLE_JIT"] = "1"  # for the workers, which are yet to import anything
    started = time.monotonic()
    count = try_all(asked.system, broken, asked.scenarios)
    summary = ", ".join(f"{n} {word}" for word, n in sorted(count.items()))
    functions = len({mutant.where for mutant in broken})
    print(f"{len(broken)} mutants of {functions} functions: {summary}; {time.monotonic() - started:.0f} s")
    return 1 if unknown or count["SURVIVED"] or count["NOT EQUIVALENT"] else 0


if __name__ == "__main__":
    sys.exit(main())
