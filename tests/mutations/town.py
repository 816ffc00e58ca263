"""Break every rule function of the town and see that the examples, or the oracle over random towns, notice.

    python -m tests.mutations.town [--all] [--per-function N] [--function NAME ...] [--towns N]

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
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from tests.mutations import checking
from tests.mutations.breaking import Mutant, chosen, mutants
from tests.mutations.equivalent_in_town import EQUIVALENT

ROOT = Path(__file__).resolve().parents[2]
SYSTEM = "town"
FILES = ("fire", "building", "spread", "happenings", "kernel")
PROCESSES = 2


def every_mutant() -> list[Mutant]:
    """All mutants of the town's rule functions."""
    folder = ROOT / "firesim" / "rules" / SYSTEM
    return [mutant for file in FILES for mutant in mutants(folder / f"{file}.py")]


def verdict(mutant: Mutant, caught: str) -> tuple[str, str]:
    """A word for what became of a mutant, and what there is to say about it."""
    reason = EQUIVALENT.get(mutant.name)
    if caught:
        return ("NOT EQUIVALENT" if reason else "caught"), caught
    return ("equivalent", reason) if reason else ("SURVIVED", "every check passes")


def try_all(broken: Sequence[Mutant], towns: int) -> Counter[str]:
    """Check the package as it is, then each mutant; prints as it goes and returns how many of each verdict."""
    count: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="firesim-mutants-") as room:
        shutil.copytree(ROOT / "firesim", Path(room) / "firesim", ignore=shutil.ignore_patterns("__pycache__"))
        workers = ProcessPoolExecutor(
            PROCESSES, multiprocessing.get_context("spawn"), checking.make_ready, (room, SYSTEM, towns)
        )
        with workers:
            if caught := workers.submit(checking.caught_by, SYSTEM, None).result():
                print(f"the package as it is fails {caught}")
                return Counter({"SURVIVED": 1})
            results = workers.map(partial(checking.caught_by, SYSTEM), broken)
            for mutant, caught in zip(broken, results, strict=True):
                word, said = verdict(mutant, caught)
                count[word] += 1
                print(f"{word:14}  {mutant.file}:{mutant.line}  {mutant.name}  |  {said}", flush=True)
    return count


def main(arguments: list[str] | None = None) -> int:
    """Run, print, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutations.town", description="Break every rule of the town.")
    parser.add_argument("--all", action="store_true", help="every mutant, not a choice of them")
    parser.add_argument("--per-function", type=int, default=4, help="mutants of a function (default 4)")
    parser.add_argument("--function", nargs="+", help="only these functions")
    parser.add_argument("--towns", type=int, default=100, help="random towns compared with the oracle (default 100)")
    asked = parser.parse_args(arguments)

    every = every_mutant()
    unknown = sorted(set(EQUIVALENT) - {mutant.name for mutant in every})
    for name in unknown:
        print(f"NO SUCH MUTANT  {name}")
    wanted = [mutant for mutant in every if not asked.function or mutant.function in asked.function]
    broken = wanted if asked.all else chosen(wanted, asked.per_function)
    os.environ["NUMBA_DISABLE_JIT"] = "1"  # for the workers, which are yet to import anything
    started = time.monotonic()
    count = try_all(broken, asked.towns)
    summary = ", ".join(f"{n} {word}" for word, n in sorted(count.items()))
    functions = len({mutant.function for mutant in broken})
    print(f"{len(broken)} mutants of {functions} functions: {summary}; {time.monotonic() - started:.0f} s")
    return 1 if unknown or count["SURVIVED"] or count["NOT EQUIVALENT"] else 0


if __name__ == "__main__":
    sys.exit(main())
