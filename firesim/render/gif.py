"""Writing an animated GIF frame by frame: only the box that changed, what did not change in it transparent."""

from __future__ import annotations

import struct
from typing import Any, BinaryIO

import numpy as np

Array = np.ndarray[Any, Any]

TRANSPARENT = 255
"""The palette place that leaves the pixel below as it is; never a colour."""


class GifWriter:
    """A GIF of frames of one size and one palette that loops for ever; each frame is written when the next one comes.

    file: open for writing bytes. palette: (at most 255, 3) uint8. Close it to write the last frame; memory holds two
    frames, however many are added.
    """

    def __init__(self, file: BinaryIO, height: int, width: int, palette: Array) -> None:
        if max(height, width) > 65_535 or len(palette) > TRANSPARENT:
            raise ValueError(
                f"a GIF holds 65535 x 65535 pixels and 255 colours, not {width} x {height} and {len(palette)}"
            )
        self._file = file
        self._shown: Array | None = None
        self._waiting: tuple[Array, int, int, int] | None = None
        table = np.zeros((256, 3), np.uint8)
        table[: len(palette)] = palette
        file.write(b"GIF89a" + struct.pack("<HHBBB", width, height, 0xF7, 0, 0) + table.tobytes())
        file.write(b"\x21\xff\x0bNETSCAPE2.0\x03\x01" + struct.pack("<H", 0) + b"\x00")

    def add(self, frame: Array, seconds: float) -> None:
        """The next frame (height, width) uint8, shown for `seconds`; the array is kept, so hand over a fresh one."""
        hundredths = max(2, round(seconds * 100))
        if self._shown is None:
            box, top, left = frame, 0, 0
        else:
            box, top, left = _changed(self._shown, frame)
        self._flush()
        self._waiting = (box, top, left, hundredths)
        self._shown = frame

    def close(self, last_seconds: float | None = None) -> None:
        """Write the last frame, shown for `last_seconds` if given, and the end of the file."""
        if self._waiting and last_seconds is not None:
            self._waiting = (*self._waiting[:3], max(2, round(last_seconds * 100)))
        self._flush()
        self._file.write(b"\x3b")

    def _flush(self) -> None:
        if self._waiting is None:
            return
        from PIL import GifImagePlugin, Image

        box, top, left, hundredths = self._waiting
        height, width = box.shape
        control = struct.pack("<BHB", 0x05, hundredths, TRANSPARENT)  # transparent, and leave in place
        self._file.write(b"\x21\xf9\x04" + control + b"\x00")
        self._file.write(b"\x2c" + struct.pack("<HHHHB", left, top, width, height, 0))
        parts = GifImagePlugin.getdata(Image.fromarray(np.ascontiguousarray(box)))
        self._file.write(b"".join(parts)[_DESCRIPTOR:])
        self._waiting = None


_DESCRIPTOR = 10
"""Bytes of the image descriptor that Pillow writes before the packed pixels; ours has stood in its place."""


def _changed(before: Array, after: Array) -> tuple[Array, int, int]:
    """The smallest box in which two frames differ, with TRANSPARENT where they agree, and its top and left."""
    different = before != after
    rows = np.flatnonzero(different.any(axis=1))
    if not rows.size:
        return np.full((1, 1), TRANSPARENT, np.uint8), 0, 0
    top, bottom = int(rows[0]), int(rows[-1]) + 1
    columns = np.flatnonzero(different[top:bottom].any(axis=0))
    left, right = int(columns[0]), int(columns[-1]) + 1
    part = slice(top, bottom), slice(left, right)
    return np.where(different[part], after[part], np.uint8(TRANSPARENT)), top, left
