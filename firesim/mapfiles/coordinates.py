"""Coordinates from a stranger's file: checked number by number, every problem with its place."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from firesim.core.problems import InputError, Problem, Where
from firesim.mapfiles.town_plan import COORDINATE_MOST_M

VERTICES_MOST = 2_000_000
DECIMALS = 4
"""A tenth of a millimetre: the libraries' areas go wrong where corners differ by next to nothing."""

PROBLEMS_MOST = 20

Point = tuple[float, float]


@dataclass
class Coordinates:
    """Reads nested coordinates of one file, `scale` metres to the unit; collects problems and counts vertices."""

    file: str
    scale: float = 1.0
    problems: list[Problem] = field(default_factory=list)
    vertices: int = 0

    def problem(self, where: Where, what: str, expected: str, hint: str = "") -> None:
        """Note a problem; after the twentieth, stop and raise them all."""
        self.problems.append(Problem(what=what, expected=expected, hint=hint, where=where, file=self.file))
        if len(self.problems) >= PROBLEMS_MOST:
            raise InputError(self.problems)

    def finish(self) -> None:
        """Raise all problems noted, if any."""
        if self.problems:
            raise InputError(self.problems)

    def items(self, value: Any, where: Where, what: str = "a list of coordinates") -> Iterator[tuple[Any, Where]]:
        """The items of a list, each with its place; nothing for null, a problem for anything but a list."""
        if value is None:
            return
        if not isinstance(value, list):
            self.problem(where, _said(value), what)
            return
        for index, item in enumerate(value):
            yield item, (*where, index)

    def point(self, value: Any, where: Where) -> Point | None:
        """One point in metres, or None with a problem noted; a third coordinate (height) is left aside."""
        self.vertices += 1
        if self.vertices > VERTICES_MOST:
            raise InputError(
                Problem(
                    what=f"the map has more than {VERTICES_MOST:,} points",
                    expected="a town",
                    hint="export a smaller map",
                    file=self.file,
                )
            )
        if not isinstance(value, list) or len(value) < 2:
            self.problem(where, _said(value), "a point [x, y]")
            return None
        xy = []
        for axis in (0, 1):
            number = value[axis]
            if type(number) not in (int, float):
                self.problem((*where, axis), _said(number), "a number")
                return None
            if type(number) is float and not math.isfinite(number):
                self.problem((*where, axis), "this coordinate is not finite", "a number of metres")
                return None
            if not abs(number) < COORDINATE_MOST_M / self.scale:
                self.problem((*where, axis), _said(number), f"a coordinate within {COORDINATE_MOST_M:,.0f} m of 0")
                return None
            xy.append(round(float(number) * self.scale, DECIMALS))
        return xy[0], xy[1]

    def points(self, value: Any, where: Where) -> list[Point]:
        """The points of a list, without a point equal to the one before it."""
        found: list[Point] = []
        for item, place in self.items(value, where):
            point = self.point(item, place)
            if point is not None and (not found or point != found[-1]):
                found.append(point)
        return found

    def ring(self, value: Any, where: Where) -> list[Point]:
        """The corners of a ring in metres, not closed; fewer than three where it bounds no area."""
        corners = self.points(value, where)
        if len(corners) > 1 and corners[0] == corners[-1]:
            corners.pop()
        return corners


def _said(value: Any) -> str:
    """What a wrong value is, in words short enough for one line."""
    if value is None or isinstance(value, bool):
        return "this is " + {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return f'this is the text "{value[:30]}{"..." if len(value) > 30 else ""}"'
    if isinstance(value, int | float):
        return f"this is {float(value):g}" if abs(value) < 1e300 else "this is a huge number"
    if isinstance(value, list):
        return f"this is a list of {len(value)}"
    return "this is an object"
