"""Writing an MP4 by handing raw frames to ffmpeg."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from firesim.core.problems import InputError, Problem

Array = np.ndarray[Any, Any]


def ffmpeg_program() -> str:
    """The ffmpeg found on PATH, or the one of imageio-ffmpeg. Raises InputError when there is neither."""
    found = shutil.which("ffmpeg")
    if found:
        return found
    try:
        import imageio_ffmpeg

        return str(imageio_ffmpeg.get_ffmpeg_exe())
    except (ImportError, RuntimeError):
        what, expected = "an MP4 needs the program ffmpeg, which is not installed", "ffmpeg on the PATH"
        hint = "install it with: pip install 'firesim[video]', or write a .gif"
        raise InputError(Problem(what, expected, hint)) from None


class FilmWriter:
    """An MP4 of frames (height, width) uint8 that look their colours up in `palette`; both sides must be even."""

    def __init__(self, path: Path, height: int, width: int, palette: Array, fps: float) -> None:
        self._palette = palette
        self._fps = fps
        self._last: Array | None = None
        self._messages = tempfile.TemporaryFile()  # noqa: SIM115 - closed in close()
        size = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", f"{fps:g}", "-i", "-"]
        how = ["-an", "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-r", f"{max(fps, 10):g}", str(path)]
        command = [ffmpeg_program(), "-y", "-loglevel", "error", *size, *how]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=self._messages
        )

    def add(self, frame: Array, seconds: float) -> None:
        """The next frame; `seconds` is rounded to whole frames."""
        self._last = frame
        self._show(frame, max(1, round(seconds * self._fps)))

    def close(self, last_seconds: float | None = None) -> None:
        """Hold the last frame, and wait until the film is written. Raises InputError with ffmpeg's own words."""
        if self._last is not None and last_seconds is not None:
            self._show(self._last, max(0, round(last_seconds * self._fps) - 1))
        self._finish()

    def abandon(self) -> None:
        """Stop ffmpeg after a failure elsewhere."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        self._messages.close()

    def _show(self, frame: Array, times: int) -> None:
        assert self._process.stdin is not None
        raw = self._palette[frame].data
        try:
            for _ in range(times):
                self._process.stdin.write(raw)
        except BrokenPipeError:
            self._finish()

    def _finish(self) -> None:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):
            self._process.stdin.close()
        code = self._process.wait()
        self._messages.seek(0)
        words = self._messages.read().decode(errors="replace").strip().splitlines()
        self._messages.close()
        if code:
            what = f"ffmpeg could not write the film: {words[-1] if words else f'exit code {code}'}"
            raise InputError(Problem(what, "an ffmpeg that can write MP4", "write a .gif instead"))
