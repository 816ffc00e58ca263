"""Help and a bare import stay light: the heavy libraries load only where a fire needs them."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
HEAVY = {"numba", "llvmlite", "scipy", "matplotlib", "shapely", "pandas", "xarray"}


def libraries_imported_by(*arguments: str) -> set[str]:
    """Top-level names of all modules that ``python ARGUMENTS`` imports, from the interpreter's own report."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *arguments],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    rows = (line for line in done.stderr.splitlines() if line.startswith("import time:"))
    return {row.rpartition("|")[2].strip().partition(".")[0] for row in rows}


@pytest.mark.parametrize("arguments", [("-m", "firesim", "--help"), ("-c", "import firesim")], ids=["help", "import"])
def test_no_heavy_library_is_imported_by(arguments):
    libraries = libraries_imported_by(*arguments)
    assert "firesim" in libraries
    assert libraries & HEAVY == set()


def test_the_report_does_show_a_heavy_library():
    assert "scipy" in libraries_imported_by("-c", "import scipy")
