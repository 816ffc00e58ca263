"""Writing files whole: a file appears under its name when it is finished, or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from firesim.core.problems import InputError, Problem, listed


def refuse(path: Path, what: str, expected: str = "", hint: str = "") -> InputError:
    """An `InputError` of one problem about writing `path`."""
    return InputError(Problem(what, expected, hint, file=str(path)))


def writable(path: str | os.PathLike[str], suffixes: Sequence[str] = ()) -> Path:
    """`path` as a Path, checked before any work is done for it.

    suffixes: those allowed, with their dot; empty = any. Raises InputError when the suffix is another, when the folder
    does not exist or is a file, and when the path is a folder.
    """
    target = Path(path)
    if suffixes and target.suffix.lower() not in suffixes:
        what = f"the file name ends in '{target.suffix}'" if target.suffix else "the file name has no suffix"
        raise refuse(target, what, f"a name ending in {listed(list(suffixes))}")
    folder = target.parent
    try:
        if target.is_dir():
            raise refuse(target, "this is a folder", "the name of a file to write")
        if not folder.exists():
            raise refuse(
                target, f"there is no folder '{folder}'", "an existing folder", f"make it first: mkdir -p '{folder}'"
            )
        if not folder.is_dir():
            raise refuse(target, f"'{folder}' is a file, not a folder", "an existing folder")
    except OSError as error:  # a name too long, a folder that may not be looked into
        reason = (error.strerror or str(error)).lower()
        raise refuse(target, f"cannot write the file: {reason}", "a place that can be written to") from None
    return target


@contextmanager
def writing(path: str | os.PathLike[str], suffixes: Sequence[str] = ()) -> Iterator[Path]:
    """A temporary path beside `path`, with the same suffix; on a clean exit it takes the name `path` at one stroke.

    When the body raises, the temporary file is removed and whatever stood under `path` stays as it was. Raises
    InputError as `writable` does, and for an OSError of the writing itself (read-only folder, full disk).

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with writing(folder + "/note.txt") as unfinished:
    ...         _ = unfinished.write_text("done")
    ...     Path(folder, "note.txt").read_text()
    'done'
    """
    target = writable(path, suffixes)
    unfinished = target.with_name(f".{target.stem[:60]}-{secrets.token_hex(4)}{target.suffix}")
    try:
        yield unfinished
        os.replace(unfinished, target)
    except OSError as error:
        if error.filename is not None and not _ours(error, unfinished, target):
            raise
        reason = error.strerror or str(error) or type(error).__name__
        raise refuse(target, f"cannot write the file: {reason.lower()}", "a place that can be written to") from error
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


def _ours(error: OSError, unfinished: Path, target: Path) -> bool:
    """Whether an error that names a file names the one being written."""
    return str(error.filename) in (str(unfinished), str(target))
