"""A town scenario as TOML text with comments, and files that are written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from firesim.core.problems import InputError, Problem

INLINE = ("legend", "input")
"""Tables whose own tables stand on one line each: symbols of a map, things done in a game."""

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", "\b": "\\b", "\f": "\\f"}


def scenario_text(document: Mapping[str, Any], comments: Iterable[str] = ()) -> str:
    """A scenario document as TOML: plain values, then tables; `comments` become the lines at the top.

    The same document gives the same text, and reading the text gives the document.
    """
    lines = [f"# {line}".rstrip() for comment in comments for line in _plain(comment).split("\n")]
    lines += _table(document, "")
    return "\n".join(lines).lstrip("\n") + "\n"


def _table(table: Mapping[str, Any], name: str) -> list[str]:
    lines: list[str] = []
    later: list[str] = []
    for key, value in table.items():
        inner = f"{name}.{_key(key)}" if name else _key(key)
        if isinstance(value, Mapping) and name.endswith(INLINE):
            lines.append(f"{_key(key)} = {_value(value)}")
        elif isinstance(value, Mapping):
            later += ["", f"[{inner}]", *_table(value, inner)]
        elif isinstance(value, list) and value and isinstance(value[0], Mapping):
            for item in value:
                later += ["", f"[[{inner}]]", *_table(item, inner)]
        elif key == "rows":
            lines += ["rows = [", *(f"  {_value(row)}," for row in value), "]"]
        else:
            lines.append(f"{_key(key)} = {_value(value)}")
    return lines + later


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _string(key)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(k)} = {_value(v)}" for k, v in value.items()) + " }"
    raise TypeError(f"no TOML for {type(value).__name__}")


def _string(text: str) -> str:
    return '"' + "".join(_ESCAPES.get(c, c if ord(c) >= 32 and c != "\x7f" else f"\\u{ord(c):04x}") for c in text) + '"'


def _plain(text: str) -> str:
    """Text fit for a comment: TOML allows no control characters there."""
    return "".join(c if c == "\n" or c.isprintable() else " " for c in text)


def write_whole(path: str | Path, text: str, *, force: bool = False) -> Path:
    """Write a text file in one move: another name first, then renamed. Refuses to replace a file unless `force`."""
    place = Path(path)

    def fail(what: str, expected: str = "", hint: str = "") -> InputError:
        return InputError(Problem(what=what, expected=expected, hint=hint, file=str(path)))

    try:
        if place.is_dir():
            raise fail("this is a folder", "the name of a file to write")
        if not place.parent.is_dir():
            raise fail("its folder does not exist", "a folder that exists", "make the folder first")
        if not force and place.exists():
            raise fail("the file exists already", "a new name", "force = true replaces it")
    except OSError as error:  # a name too long, a folder that may not be looked into
        raise fail(f"the file cannot be written ({error.strerror or error})", "a folder one may write to") from None
    temporary = ""
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{place.name[:100]}.", suffix=".part", dir=place.parent)
        with open(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(temporary, 0o666 & ~umask)
        if force:
            os.replace(temporary, place)
        else:
            _publish_new(temporary, place, fail("the file exists already", "a new name", "force = true replaces it"))
    except OSError as error:
        raise fail(f"the file cannot be written ({error.strerror or error})", "a folder one may write to") from None
    finally:
        if temporary:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
    return place


def _publish_new(temporary: str, place: Path, taken: InputError) -> None:
    """Give a finished file its name, unless another program took the name meanwhile."""
    try:
        os.link(temporary, place)
    except FileExistsError:
        raise taken from None
    except OSError:  # a file system without hard links
        os.replace(temporary, place)
