"""Marks drawn inside a hex, which tell a swatch apart on a grey print: letters, flames, and the textures of ground.

A mark is a list of shapes about the hex's centre, in widths across flats, y down.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from firesim.render.layout import Raster
from firesim.render.palette import SOFT, has_shades
from firesim.rules.base import Swatch

if TYPE_CHECKING:
    from matplotlib.path import Path

Array = np.ndarray[Any, Any]

SMALLEST_LETTER = 13
SMALLEST_MARK = 20
SMALLEST_ROOF = 30
"""Pixels across a hex below which letters, marks and roofs are left out."""


class Shape(NamedTuple):
    """A path, filled with ink or stroked `width` thick (a share of the hex)."""

    path: Path
    filled: bool
    width: float = 0.0


def _line(*points: tuple[float, float], width: float = 0.035) -> Shape:
    from matplotlib.path import Path

    return Shape(Path(np.array(points)), False, width)


def _area(*points: tuple[float, float]) -> Shape:
    from matplotlib.path import Path

    return Shape(Path(np.array([*points, points[0]]), closed=True), True)


def _disc(x: float, y: float, radius: float) -> Shape:
    from matplotlib.path import Path

    circle = Path.unit_circle()
    return Shape(Path(np.asarray(circle.vertices) * radius + (x, y), circle.codes), True)


def _arc(x: float, y: float, radius: float, sag: float) -> Shape:
    turn = np.linspace(np.pi, 0, 9)
    return _line(*[(x + radius * float(np.cos(t)), y + sag * float(np.sin(t))) for t in turn])


def _wave(y: float, height: float = 0.035) -> Shape:
    x = np.linspace(-0.3, 0.3, 25)
    return _line(*[(float(p), y + height * float(np.sin(p * 6 * np.pi))) for p in x])


_OUTER = ((0, -1), (0.06, -0.62), (0.66, -0.4), (0.62, 0.3), (0.58, 0.78), (0.28, 1), (0, 1),
          (-0.34, 1), (-0.64, 0.74), (-0.64, 0.28), (-0.64, -0.02), (-0.46, -0.2), (-0.36, -0.42),
          (-0.26, -0.22), (-0.18, -0.14), (-0.06, -0.1), (-0.16, -0.44), (-0.12, -0.76), (0, -1))  # fmt: skip
_INNER = ((0.02, 0.02), (0.06, 0.3), (0.32, 0.38), (0.3, 0.66), (0.28, 0.88), (0.12, 0.92), (0, 0.92),
          (-0.16, 0.92), (-0.3, 0.84), (-0.3, 0.62), (-0.3, 0.4), (-0.06, 0.32), (0.02, 0.02))  # fmt: skip


def _flame(x: float, y: float, size: float) -> Shape:
    """A flame with a hollow heart, `size` from its centre to its tip."""
    from matplotlib.path import Path

    outer, inner = np.array(_OUTER), np.array(_INNER)[::-1]
    curves = [[Path.MOVETO, *[Path.CURVE4] * (len(part) - 1)] for part in (outer, inner)]
    return Shape(Path(np.concatenate([outer, inner]) * size + (x, y), np.concatenate(curves)), True)


def letter(text: str, size: float, y: float) -> Shape:
    """Letters about the centre, capitals `size` tall and `y` below the middle."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.path import Path
    from matplotlib.textpath import TextPath

    drawn = TextPath((0, 0), text.replace("$", r"\$"), size=1, prop=FontProperties(family="DejaVu Sans", weight="bold"))
    box = drawn.get_extents()
    scale = size / 0.73
    points = (np.asarray(drawn.vertices) - ((box.x0 + box.x1) / 2, 0.365)) * (scale, -scale) + (0, y)
    return Shape(Path(points, drawn.codes), True)


@cache
def shapes(name: str, beside_roof: bool = False) -> tuple[Shape, ...]:
    """The shapes of a mark; letters stand lower and smaller beside a roof's mark. Unknown names draw nothing."""
    if len(name) == 1:
        return (letter(name, 0.26, 0.2) if beside_roof else letter(name, 0.34, 0.0),)
    return tuple(_NAMED[name]()) if name in _NAMED else ()


def _grid() -> list[Shape]:
    steps = (-0.2, 0.0, 0.2)
    return [_line((p, -0.28), (p, 0.28), width=0.02) for p in steps] + [
        _line((-0.28, p), (0.28, p), width=0.02) for p in steps
    ]


def _blade(x: float, y: float) -> list[Shape]:
    return [_line((x + lean, y - 0.1), (x, y + 0.03)) for lean in (-0.06, 0.0, 0.06)]


def _tree() -> list[Shape]:
    return [_disc(0, -0.09, 0.2), _area((-0.035, 0.05), (0.035, 0.05), (0.05, 0.3), (-0.05, 0.3))]


def _ruin() -> list[Shape]:
    walls = _area((-0.3, 0.32), (-0.3, 0.02), (-0.2, 0.12), (-0.1, 0.06), (0.02, 0.2), (0.12, 0.16), (0.3, 0.32))
    return [walls, _flame(0.12, -0.09, 0.22)]


def _rubble() -> list[Shape]:
    return [
        _area((x - r, y + r), (x - 0.4 * r, y - r), (x + r, y - 0.2 * r), (x + 0.8 * r, y + r))
        for x, y, r in (
            (-0.18, 0.1, 0.09),
            (0.05, 0.16, 0.07),
            (0.2, 0.02, 0.08),
            (-0.03, -0.1, 0.1),
            (0.1, -0.24, 0.05),
        )
    ]


def _lines(*drawn: tuple[tuple[float, float], ...], width: float = 0.035) -> list[Shape]:
    return [_line(*points, width=width) for points in drawn]


def _ember() -> list[Shape]:
    house = ((-0.27, 0.27), (-0.27, -0.05), (0, -0.28), (0.27, -0.05), (0.27, 0.27), (-0.27, 0.27))
    return [_line(*house, width=0.045), _flame(0, 0.09, 0.14)]


def _crenels() -> list[Shape]:
    ups = [((-0.3 + 0.12 * n, y), (-0.18 + 0.12 * n, y)) for n, y in enumerate((-0.14, -0.03, -0.14, -0.03, -0.14))]
    return [_area((-0.3, 0.12), *[point for pair in ups for point in pair], (0.3, 0.12))]


def _dots() -> list[Shape]:
    places = ((-0.22, -0.12), (0.08, -0.24), (0.24, 0.04), (-0.06, 0.02), (-0.2, 0.22), (0.12, 0.25))
    return [_disc(x, y, 0.022) for x, y in places]


def _shingles() -> list[Shape]:
    courses = [((-0.2, y), (0.2, y)) for y in (-0.34, -0.24, -0.14)]
    joints = [((x, y), (x, y + 0.1)) for x, y in ((-0.12, -0.34), (0.04, -0.34), (-0.04, -0.24), (0.12, -0.24))]
    return _lines(*courses, *joints, width=0.025)


def _slates() -> list[Shape]:
    places = (-0.16, 0.0, 0.16)
    tops = [((x, -0.36), (x + 0.08, -0.24), (x, -0.12), (x - 0.08, -0.24), (x, -0.36)) for x in places]
    return _lines(*tops, width=0.028)


def _tiles() -> list[Shape]:
    return [
        _arc(x, y, 0.07, 0.09) for x, y in ((-0.14, -0.33), (0, -0.33), (0.14, -0.33), (-0.07, -0.22), (0.07, -0.22))
    ]


_NAMED: dict[str, Callable[[], list[Shape]]] = {
    "flame": lambda: [_flame(0, -0.01, 0.3)],
    "flames": lambda: [_flame(0, -0.1, 0.29), _flame(-0.23, 0.14, 0.19), _flame(0.23, 0.14, 0.19)],
    "ember": _ember,
    "ruin": _ruin,
    "rubble": _rubble,
    "dots": _dots,
    "grid": _grid,
    "waves": lambda: [_wave(-0.16), _wave(0.02), _wave(0.2)],
    "grass": lambda: [*_blade(-0.17, -0.06), *_blade(0.17, -0.12), *_blade(0.02, 0.22)],
    "furrows": lambda: _lines(
        *[((x - 0.07, 0.26), (x + 0.07, -0.26)) for x in (-0.24, -0.08, 0.08, 0.24)], width=0.025
    ),
    "tree": _tree,
    "crenels": _crenels,
    "planks": lambda: _lines(*[((-0.3, y), (0.3, y)) for y in (-0.2, -0.07, 0.07, 0.2)], width=0.03),
    "rocks": lambda: _lines(((-0.26, 0.16), (-0.1, -0.12), (0.04, 0.16)), ((0.0, 0.06), (0.12, -0.18), (0.28, 0.16))),
    "thatch": lambda: _lines(*[((x, -0.12), (x + 0.06, -0.34)) for x in (-0.2, -0.1, 0.0, 0.1)], width=0.028),
    "cloth": lambda: _lines(
        ((-0.2, -0.12), (0, -0.36), (0.2, -0.12), (-0.2, -0.12)), ((0, -0.36), (0, -0.12)), width=0.028
    ),
    "shingles": _shingles,
    "tiles": _tiles,
    "slates": _slates,
}
"""Every mark with a name; the rest are single letters."""


def is_loud(swatch: Swatch) -> bool:
    """Whether a swatch's mark is printed in full ink: letters and fires, not the textures of ground."""
    return swatch.changes or len(swatch.hatch) == 1


def smallest(name: str) -> int:
    """Pixels across a hex from which a mark can be read."""
    return SMALLEST_LETTER if len(name) == 1 else SMALLEST_MARK


def stamps(plan: Raster, swatches: tuple[Swatch, ...]) -> Array | None:
    """(swatches + 1, box) uint8: the shade at each pixel of a hex's box, for each swatch; None when too small.

    The last row, for what lies off the map, is empty; so is the first pixel of every box.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    if plan.pitch < SMALLEST_LETTER or not has_shades(swatches):
        return None
    high, wide = plan.box
    right, down, size = plan.mark_spot
    figure = Figure(figsize=(wide * len(swatches) / 100, high / 100), dpi=100)
    canvas = FigureCanvasAgg(figure)
    for code, swatch in enumerate(swatches):
        if swatch.hatch and plan.pitch >= smallest(swatch.hatch):
            spot = (code + 0.5) * wide + right, high - high / 2 - down
            _draw(figure, shapes(swatch.hatch), spot, size)
    canvas.draw()  # type: ignore[no-untyped-call]
    drawn = np.asarray(canvas.buffer_rgba())  # type: ignore[no-untyped-call]
    cover = 1 - drawn[:high, : wide * len(swatches), 0].astype(np.float64) / 255
    level = np.searchsorted(np.array([0.12, 0.36, 0.72]), cover).astype(np.uint8)
    made = np.zeros((len(swatches) + 1, high * wide), np.uint8)
    made[:-1] = level.reshape(high, len(swatches), wide).transpose(1, 0, 2).reshape(len(swatches), -1)
    for code, swatch in enumerate(swatches):
        if not is_loud(swatch):
            made[code] = np.minimum(made[code], SOFT)
    return made


def _draw(figure: Any, drawn: tuple[Shape, ...], centre: tuple[float, float], pitch: float) -> None:
    from matplotlib.patches import PathPatch
    from matplotlib.transforms import Affine2D

    place = Affine2D().scale(pitch, -pitch).translate(*centre)
    for shape in drawn:
        patch = PathPatch(
            shape.path,
            facecolor="black" if shape.filled else "none",
            edgecolor="none" if shape.filled else "black",
            linewidth=max(1.0, shape.width * pitch) * 0.72,
            capstyle="round",
            transform=place,
        )
        figure.add_artist(patch)
