"""The only door to numba: `@jit` with a compiled-code cache keyed by everything the code depends on.

numba's own cache looks only at the file of the function itself, so that an edited helper elsewhere would silently run
stale machine code (numba issue 1833). Here the cache folder's name holds a digest of all sources that compiled code can
come from, the numba, llvmlite and numpy versions and the processor. The folder lies inside the package when that is
writable, else in the user's cache folder, else in a temporary one.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache, partial
from pathlib import Path
from time import time
from typing import Any, TypeVar

import llvmlite  # type: ignore[import-untyped]
import numba
import numpy
from numba.extending import overload, register_jitable

__all__ = ["compiled_before", "disabled", "folder", "jit", "note_compiled", "overload", "register_jitable"]

Function = TypeVar("Function", bound=Callable[..., Any])
CONFIG: Any = numba.config
compile_lazily: Any = partial(numba.njit, nogil=True, cache=True, error_model="numpy", _nrt=False, forceinline=True)
PACKAGE = Path(__file__).resolve().parent
OLD_SECONDS = 14 * 24 * 3600

UNCOMPILED = (
    "__init__.py", "__main__.py", "api.py", "cli*.py", "mapfiles", "outputs*.py", "render", "runs.py", "studies",
    "table",
)  # fmt: skip
"""Files and folders of the package that no compiled code can come from: a test holds that none of it sees them."""


def disabled() -> bool:
    """Whether NUMBA_DISABLE_JIT makes every kernel plain Python."""
    return bool(CONFIG.DISABLE_JIT)


@lru_cache(maxsize=1)
def folder() -> Path:
    """The folder of compiled code for exactly these sources, versions and this processor."""
    digest = hashlib.sha256()
    for path in sources():
        digest.update(str(path.relative_to(PACKAGE)).encode() + b"\0" + path.read_bytes() + b"\0")
    machine = (
        numba.__version__,
        llvmlite.__version__,
        numpy.__version__,
        sys.version,
        platform.machine(),
        _processor(),
        str(CONFIG.BOUNDSCHECK),
    )
    digest.update("\0".join(machine).encode())
    name = f"firesim-{digest.hexdigest()[:16]}"
    for parent in _parents():
        if _writable(parent / name):
            with suppress(OSError):
                os.utime(parent / name)  # in use today
            _forget_old(parent)
            return parent / name
    return Path(tempfile.mkdtemp(prefix="firesim-"))


def sources() -> list[Path]:
    """Every file that compiled code can come from."""
    tops = [top for top in PACKAGE.iterdir() if not any(top.match(name) for name in UNCOMPILED)]
    return sorted(path for top in tops for path in ([top] if top.suffix == ".py" else top.rglob("*.py")))


def _forget_old(parent: Path) -> None:
    """Remove machine code of other versions that nobody has used for two weeks."""
    for other in parent.glob("firesim-*"):
        with suppress(OSError):
            if other.stat().st_mtime < time() - OLD_SECONDS:
                shutil.rmtree(other, ignore_errors=True)


def _parents() -> list[Path]:
    cache_home = os.environ.get("XDG_CACHE_HOME")
    home = Path(cache_home) if cache_home else Path(os.path.expanduser("~")) / ".cache"
    return [PACKAGE / "__pycache__", home / "firesim", Path(tempfile.gettempdir()) / f"firesim-cache-{_user()}"]


def _user() -> str:
    return str(os.getuid()) if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")


def _processor() -> str:
    import llvmlite.binding as llvm  # type: ignore[import-untyped]

    return f"{llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}"


def _writable(path: Path) -> bool:
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
        if hasattr(os, "getuid") and path.stat().st_uid != os.getuid():
            return False  # another user's folder in a shared temporary place: its code is not to be trusted
        with tempfile.TemporaryFile(dir=path):
            return True
    except OSError:
        return False


def jit(function: Function) -> Function:
    """Compile `function` on first call and keep the machine code in `folder()`.

    Without the GIL, so that threads run side by side. Without numba's memory management: kernels allocate nothing, and
    counting the references to a state's arrays at every call cost 27 times the fire itself. Inlined into the loops
    that call them: handing a state from function to function cost three times as much again.
    """
    if disabled():
        return function
    before = CONFIG.CACHE_DIR
    CONFIG.CACHE_DIR = str(folder())  # read when the cache object is made, in the next line
    try:
        return compile_lazily(function)
    finally:
        CONFIG.CACHE_DIR = before


def compiled_before(name: str) -> bool:
    """Whether `note_compiled(name)` was called with exactly these sources on this machine."""
    return disabled() or (folder() / f"{name}.compiled").exists()


def note_compiled(name: str) -> None:
    """Remember that everything belonging to `name` lies compiled in the cache."""
    if not disabled():
        with suppress(OSError):  # a cache that cannot be written only costs time
            (folder() / f"{name}.compiled").touch()
