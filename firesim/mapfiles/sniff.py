"""Which tool made a map file, told by its content, and reading JSON from strangers safely."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from firesim.core.problems import InputError, Problem

BYTES_MOST = 64 * 2**20
DEPTH_MOST = 64
"""Brackets within brackets; the deepest format known to us needs 12."""

WATABOU = "Watabou"
TITLES = {"mfcg": "Watabou city", "vg": "Watabou village", "hood": "Watabou neighbourhood"}
_WATABOU_LAYERS = {"values", "earth", "buildings", "roads", "walls", "districts", "planks", "prisms"}
_TOKENS = re.compile(rb'"[^"\\]*+(?:\\.?[^"\\]*+)*+(?:"|\Z)|[][{}]|NaN|-?Infinity', re.DOTALL)
"""Texts whole, ended or not, so that what stands in them counts for nothing; brackets; numbers that JSON lacks."""


@dataclass(frozen=True, slots=True)
class Found:
    """A file's format (`Watabou`, or the name of another tool, or "" for unknown) and its JSON where it is JSON."""

    format: str
    document: Any = None


def sniff(path: str | Path) -> Found:
    """Read a map file and tell its format by its content; the file's extension plays no part.

    Raises `InputError` for a file that is missing, a folder, empty, too large, binary, or broken JSON.
    """
    content = read_bytes(path)
    head = content.lstrip()[:4096]
    if head.startswith(b"<"):
        return Found("Tiled" if b"<map" in head and b"tilewidth" in head else "")
    if not head.startswith((b"{", b"[")):
        if b"onTileMapLoaded(" in head:
            return Found("Tiled")
        if re.match(rb"(export\s+)?(var|const|let)\s+\w+\s*=", head) and b"FeatureCollection" in head:
            return Found("GeoJSON")
    document = parse_json(content, str(path))
    return Found(format_of(document), document)


def read_bytes(path: str | Path) -> bytes:
    """The content of a text file without its byte order mark; `InputError` when it cannot be one of ours."""
    name, place = str(path), Path(path)

    def fail(what: str, expected: str = "", hint: str = "") -> NoReturn:
        raise InputError(Problem(what=what, expected=expected, hint=hint, file=name))

    try:
        if place.is_dir():
            fail("this is a folder", "a map file")
        if not place.exists():
            fail("there is no such file", "a map file")
        if not place.is_file():
            fail("this is no ordinary file", "a map file")
        size = place.stat().st_size
        if size > BYTES_MOST:
            fail(f"the file has {size:,} bytes", f"at most {BYTES_MOST:,}", "export a smaller map")
        content = place.read_bytes()
    except OSError as error:
        fail(f"the file cannot be read ({error.strerror or error})", "a readable map file")
    content = content.removeprefix(b"\xef\xbb\xbf")
    if not content.strip():
        fail("the file is empty", "a map file")
    if b"\0" in content:
        fail("the file is binary", "a map saved as text (JSON)")
    return content


def parse_json(content: bytes, name: str) -> Any:
    """JSON as Python values; NaN, Infinity, deep nesting and broken text are an `InputError` with line and column."""

    def fail(position: int, what: str, expected: str = "", hint: str = "") -> NoReturn:
        before = content[:position]
        line = before.count(b"\n") + 1
        column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", errors="replace")) + 1
        raise InputError(Problem(what=what, expected=expected, hint=hint, file=name, line=line, column=column))

    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        fail(error.start, "this is not UTF-8 text", "a map saved as JSON in UTF-8")
    depth = 0
    for match in _TOKENS.finditer(content):
        token = match[0]
        if token in b"[{":
            depth += 1
            if depth > DEPTH_MOST:
                fail(match.start(), "the JSON is nested too deeply", f"at most {DEPTH_MOST} levels of brackets")
        elif token in b"]}":
            depth -= 1
        elif not token.startswith(b'"'):
            fail(match.start(), f"the number {token.decode()} is not JSON", "a finite number")
    try:
        return json.loads(text, parse_constant=_reject)
    except json.JSONDecodeError as error:
        position = len(text[: error.pos].encode("utf-8"))
        hint = "the file breaks off: export it again" if not text[error.pos :].strip() else ""
        fail(position, f"this is not JSON ({error.msg})", "a map saved as JSON", hint)
    except (ValueError, RecursionError):  # digits beyond what Python turns into a number
        fail(0, "a number in this file has too many digits", "coordinates in metres")


def _reject(constant: str) -> NoReturn:
    raise ValueError(constant)


def format_of(document: Any) -> str:
    """The name of the tool or format that a JSON document comes from; "" when it is none known."""
    if isinstance(document, list):
        return "Foundry" if document and isinstance(document[0], dict) and "walls" in document[0] else ""
    if not isinstance(document, dict):
        return ""
    keys = set(document)
    if isinstance(document.get("features"), list):
        return WATABOU if _is_watabou(document["features"]) else "GeoJSON"
    if document.get("type") in ("Feature", "FeatureCollection", "MultiPolygon", "Polygon", "GeometryCollection"):
        return "GeoJSON"
    if "elements" in keys and ("osm3s" in keys or document.get("version") == 0.6):
        return "GeoJSON"
    for format_name, marks in (
        ("Universal VTT", {"line_of_sight", "resolution"}),
        ("Universal VTT", {"portals", "resolution"}),
        ("Dungeondraft", {"world", "header"}),
        ("Tiled", {"tilewidth", "layers"}),
        ("donjon", {"cell_bit", "cells"}),
        ("One Page Dungeon", {"rects", "doors"}),
        ("Dwellings", {"floors", "exit"}),
        ("Foundry", {"walls", "grid"}),
    ):
        if marks <= keys:
            return format_name
    floors = document.get("floors")
    if isinstance(floors, list) and floors and isinstance(floors[0], dict) and "rooms" in floors[0]:
        return "Dwellings"
    return ""


def _is_watabou(features: list[Any]) -> bool:
    """Layers named as Watabou's generators name them: values with its sizes, or two of the layers."""
    names = set()
    for feature in _mappings(features):
        name = layer_of(feature)
        if name == "values":
            values = values_of(feature)
            if "generator" in values or "roadWidth" in values:
                return True
        names.add(name)
    return len(names & _WATABOU_LAYERS) >= 2 or names == {"buildings"}


def _mappings(features: list[Any]) -> Iterator[dict[str, Any]]:
    # Watabou has a dozen layers; a GeoJSON of a million features need not be walked to its end.
    return (feature for feature in features[:100] if isinstance(feature, dict))


def layer_of(feature: dict[str, Any]) -> str:
    """The layer a feature holds: its `id`, or its properties' in files of 2019."""
    properties = feature.get("properties")
    name = feature.get("id", properties.get("id") if isinstance(properties, dict) else None)
    return name if isinstance(name, str) else ""


def values_of(feature: dict[str, Any]) -> dict[str, Any]:
    """The sizes and marks of a feature, wherever the dialect keeps them: on the feature or in its properties."""
    properties = feature.get("properties")
    return {**feature, **properties} if isinstance(properties, dict) else feature
