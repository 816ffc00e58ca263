"""Our scenario and map files: TOML read with care, and every problem brought to its line and column."""

from __future__ import annotations

import os
import re
import stat
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from firesim.core.maps import caret_lines
from firesim.core.problems import InputError, Problem, Where, nearest
from firesim.core.scenario import DEPTH_MOST, WHOLE_MOST, changed, parse_key, plain
from firesim.mapfiles.positions import STRING, Positions

BYTES_MOST = 50_000_000
"""The largest file read."""

WORDS_MOST = 2_000_000
"""The most keys and values of a file: more would take gigabytes to read, and the largest maps need far fewer."""


@dataclass(frozen=True)
class Document:
    """A document of plain dicts, and where its keys stand in the file it was read from.

    `data` has the content of a map file under `map`; `map_document` is that file's own document then, and `map_under`
    the keys before the map's own in it; `set_keys` those that `with_changes` set, which stand in no file. A document
    that was never a file has neither file nor text.
    """

    data: dict[str, Any]
    file: str = ""
    text: str = field(default="", repr=False)
    map_document: Document | None = field(default=None, repr=False)
    map_under: Where = ()
    set_keys: tuple[Where, ...] = ()

    def with_changes(self, changes: Mapping[str, Any], model: type[BaseModel] | None = None) -> Document:
        """The document with values set by dotted keys (`core.scenario.changed`); the rest keeps its places."""
        data = changed(self.data, changes, model)
        return replace(self, data=data, set_keys=self.set_keys + tuple(parse_key(key) for key in changes))

    @cached_property
    def _positions(self) -> Positions:
        return Positions(self.text)

    def position(self, where: Where) -> tuple[int, int]:
        """Line and column (both from 1) of a key or an item of an array in this file, or of the nearest key around it.

        (1, 1) when there is none, (0, 0) when the document has no text.
        """
        return self._positions.of(where) if self.text else (0, 0)

    def locate(self, problem: Problem) -> Problem:
        """The problem with file, line and column of this document, or of its map's file, filled.

        A problem of a value that was set by a dotted key stays without: its keys say where.
        """
        if any(list(map(str, problem.where[: len(key)])) == list(map(str, key)) for key in self.set_keys):
            return problem
        if self.map_document and problem.where[:1] == ("map",) and len(problem.where) > 1:
            return self.map_document.locate(replace(problem, where=self.map_under + problem.where[1:]))
        line, column = self.position(problem.where)
        if problem.column and line and self._positions.is_row(problem.where):
            column += problem.column
        return replace(problem, file=problem.file or self.file, line=line, column=column)


def locate(problems: Iterable[Problem], document: Document) -> list[Problem]:
    """The problems with file, line and column filled, in the order of the file; a map file's come last."""
    placed = [p if p.line else document.locate(p) for p in problems]
    return sorted(placed, key=lambda p: (p.file != document.file, p.line, p.column))


def read(path: str | os.PathLike[str], *, root: Path | None = None, map_file: Path | None = None) -> Document:
    """A scenario file as a document, its map file included.

    `map = "file.toml"` is read relative to the scenario and only below `root` (default: the scenario's folder);
    `map_file`, given by a person on the command line, takes its place and may lie anywhere. Raises InputError when a
    file cannot be read or is not TOML.
    """
    document = _parsed(os.fspath(path), _text(path))
    folder = Path(path).parent
    return _with_map(document, folder, root or folder, map_file)


def read_mapping(data: Mapping[str, Any], *, root: Path | None = None, map_file: Path | None = None) -> Document:
    """A scenario given as a dict, as a document without positions; its `map = "file.toml"` is read below `root`.

    `root` is the current folder where left out. Raises InputError for what no scenario can hold, or a bad map file.
    """
    content, problems = plain(data)
    if problems or not isinstance(content, dict):
        raise InputError(problems or Problem("the scenario is not a dict", "a dict shaped like a scenario file"))
    folder = root or Path()
    return _with_map(Document(content), folder, folder, map_file)


STUDY_WORDS = ("scenario", "compare", "vary", "range", "pair", "design", "replicates", "until", "until_decided")
"""Keys of study files that no scenario has."""


def is_study(data: Mapping[str, Any]) -> bool:
    """Whether a document is a study's, not a scenario's."""
    return "system" not in data and any(word in data for word in STUDY_WORDS)


def with_map_file(document: Document, path: Path) -> Document:
    """The document with its map taken from another file. InputError where that cannot be read or is no map."""
    return _with_map(document, path.parent, path.parent, path)


# --- the map in a file of its own ---------------------------------------------------------------------------------


def _with_map(document: Document, folder: Path, root: Path, given: Path | None) -> Document:
    """The document with the content of its map's file, if it names one."""
    named = document.data.get("map")
    if given is None and not isinstance(named, str):
        return document
    try:
        path = given if given is not None else below(str(named), folder, root)
        inner = _parsed(str(path), _text(path))
    except _UnreadableError as error:
        raise InputError(error.problem if given else document.locate(error.as_key())) from None
    except InputError as error:
        raise InputError(p if p.file else document.locate(p) for p in error.problems) from None
    nested = isinstance(inner.data.get("map"), dict)
    problems = _map_file_problems(inner, nested, document.data.get("system"))
    if problems:
        raise InputError(locate(problems, inner))
    content = dict(inner.data["map"]) if nested else {k: v for k, v in inner.data.items() if k != "system"}
    data = {**document.data, "map": content}
    return replace(document, data=data, map_document=inner, map_under=("map",) if nested else ())


ELSEWHERE = "copy the map there, or give it on the command line"


def below(
    name: str, folder: Path, root: Path, key: str = "map", *, owner: str = "scenario", hint: str = ELSEWHERE
) -> Path:
    """The file that a file in `folder` may name under `key`; InputError for any that does not lie below `root`.

    owner: what the file that names it is; hint: how to mend it.
    """
    expected = f"a file in the {owner}'s folder or below it"
    if not name or "\0" in name:
        raise InputError(Problem(f"{key} names no file", expected, where=(key,)))
    if Path(name).is_absolute():
        raise InputError(Problem(f"{key} = '{name}' is an absolute path", expected, hint, (key,)))
    try:
        inside = (folder / name).resolve().is_relative_to(root.resolve())
    except (OSError, RuntimeError):
        inside = False
    if not inside:
        raise InputError(Problem(f"{key} = '{name}' leads out of the {owner}'s folder", expected, hint, (key,)))
    return folder / name


def _map_file_problems(inner: Document, nested: bool, system: object) -> list[Problem]:
    """What a map's file may not say: another map, keys beside `[map]`, another system."""
    data = inner.data
    if isinstance(data.get("map"), str):
        hint = f"write map = '{Path(data['map']).name}' in the scenario itself"
        return [Problem("a map file names another map", "the map itself: rows, legend", hint, ("map",))]
    beside = [key for key in data if key not in ("map", "system", "title")] if nested else []
    what = "a map file holds the map alone, not '{}'"
    found = [Problem(what.format(k), "only [map]", "put it in the scenario", (k,)) for k in beside]
    if "system" in data and isinstance(system, str) and data["system"] != system:
        what = f"this map is made for another system, '{data['system']}'"
        found.append(Problem(what, f"'{system}', as in the scenario", where=("system",)))
    return found


# --- text ---------------------------------------------------------------------------------------------------------


class _UnreadableError(InputError):
    """A file that cannot be read at all."""

    def __init__(self, file: str, what: str, expected: str = "", hint: str = "") -> None:
        self.problem = Problem(what, expected, hint, file=file)
        super().__init__(self.problem)

    def as_key(self) -> Problem:
        """The same, told at the key `map` that names the file."""
        p = self.problem
        return Problem(f"map '{p.file}': {p.what}", p.expected, p.hint, ("map",))


def _text(path: str | os.PathLike[str]) -> str:
    """A text file's content; InputError for anything else. At most 50 MB, UTF-8, only ordinary files."""
    name = os.fspath(path)
    try:
        mode = os.stat(path).st_mode
        raw = b""
        if stat.S_ISREG(mode):
            with open(path, "rb") as stream:
                raw = stream.read(BYTES_MOST + 1)
    except FileNotFoundError:
        raise _UnreadableError(name, "there is no such file", hint=_neighbour(Path(path))) from None
    except PermissionError:
        raise _UnreadableError(name, "this file may not be read", hint="ask its owner for leave to read it") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise _UnreadableError(name.replace("\0", "?"), f"this file cannot be read ({reason})") from None
    if stat.S_ISDIR(mode):
        raise _UnreadableError(name, "this is a folder", "a file")
    if not stat.S_ISREG(mode):
        raise _UnreadableError(name, "this is a device or a pipe", "an ordinary file")
    if len(raw) > BYTES_MOST:
        size = os.path.getsize(path) / 1e6
        raise _UnreadableError(name, f"this file holds {size:,.0f} MB", f"at most {BYTES_MOST / 1e6:,.0f} MB")
    return _decoded(name, raw)


def _decoded(name: str, raw: bytes) -> str:
    """Bytes as UTF-8 text with plain line ends."""
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise _UnreadableError(name, "this text is UTF-16", "UTF-8", "save it again as UTF-8")
    if b"\0" in raw:
        raise _UnreadableError(name, "this is a binary file", "a text file in TOML")
    try:
        return raw.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        before = error.object[: error.start].decode("utf-8")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        what = f"this text is not UTF-8 (byte {error.object[error.start]:#x})"
        raise InputError(Problem(what, "UTF-8", "save it again as UTF-8", (), name, line, column)) from None


def _neighbour(path: Path) -> str:
    """A hint naming the file or folder most like one that is missing."""
    try:
        names = sorted(os.listdir(path.parent))[:10_000]
    except OSError:
        return f"there is no folder '{path.parent}' either"
    return nearest(path.name, names)


# --- TOML ---------------------------------------------------------------------------------------------------------


def _parsed(name: str, text: str) -> Document:
    """Text as a document; InputError where it is not TOML, nests too deeply or holds too large a number."""
    if text.lstrip()[:1] == "{":
        hint = "a map made with another tool becomes a scenario by: firesim import FILE"
        raise InputError(Problem("this is JSON", "a scenario in TOML", hint, (), name, 1, 1))
    if problem := _bomb(text):
        raise InputError(_at_offset(name, text, *problem))
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(_not_toml(name, text, str(error))) from None
    except (ValueError, RecursionError) as error:
        raise InputError(Problem(f"this is not TOML that can be read ({error})", file=name, line=1, column=1)) from None
    document = Document(data, name, text)
    content, problems = plain(data)
    if problems:
        raise InputError(locate(problems, document))
    return replace(document, data=content)


def _not_toml(name: str, text: str, message: str) -> Problem:
    """tomllib's complaint at its line and column, with the line and a caret."""
    hints = {"overwrite": "the key or table stands twice", "Unterminated string": "close the quotes",
             "Illegal character": "close the quotes on the same line", "Invalid value": "texts stand in quotes",
             "after key": "write key = value", "Unclosed array": "close it with ]"}  # fmt: skip
    found = re.search(r" \(at (?:line (\d+), column (\d+)|end of document)\)$", message)
    what = message[: found.start()] if found else message
    hint = next((hint for word, hint in hints.items() if word in what), "")
    lines = text.split("\n")
    if found and found[1]:
        line, column = int(found[1]), int(found[2])
    else:
        line = max((i for i, each in enumerate(lines, 1) if each.strip()), default=1)
        column = len(lines[line - 1]) + 1
        hint = "something is left open: a bracket or a quote"
    excerpt = caret_lines(lines[line - 1] if line <= len(lines) else "", [column - 1])
    return Problem(f"this is not TOML: {what}", "", hint, (), name, line, column, excerpt)


_PART = r"""(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')"""
_BOMB = re.compile(
    rf"(?P<chain>{_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{{DEPTH_MOST}}})|(?P<number>[0-9][0-9_]{{400,}}+)|[\w-]++"
    rf"|\#[^\n]*+|{STRING}|(?P<open>[\[{{])|(?P<close>[\]}}])",
    re.DOTALL,
)


def _bomb(text: str) -> tuple[int, str, str] | None:
    """The offset of the first thing made to exhaust a reader, what it is, and what was expected; None without any."""
    depth = 0
    for count, found in enumerate(_BOMB.finditer(text)):
        kind = found.lastgroup
        depth += (kind == "open") - (kind == "close")
        if kind == "chain" or depth > DEPTH_MOST:
            return found.start(), "the document nests too deeply", f"at most {DEPTH_MOST} levels"
        if count >= WORDS_MOST:
            return found.start(), "the file holds too many keys and values", f"at most {WORDS_MOST:,}"
        if kind == "number":
            return found.start(), f"a number of {len(found[0])} digits", f"whole numbers up to {WHOLE_MOST}"
    return None


def _at_offset(name: str, text: str, offset: int, what: str, expected: str) -> Problem:
    """A problem at an offset into the text."""
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    excerpt = caret_lines(text[start : end if end >= 0 else None], [offset - start])
    return Problem(what, expected, "", (), name, text.count("\n", 0, offset) + 1, offset - start + 1, excerpt)
