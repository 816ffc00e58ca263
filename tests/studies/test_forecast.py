"""Forecasts: the time of a study from a trial."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from firesim.studies import forecast as module
from firesim.studies.forecast import FIRES_LEAST, duration, forecast
from tests.studies.plans import sweep


class SlowAtFirst:
    """A worker on a clock of its own: the first fire of all takes `first` seconds more, every fire 0.001."""

    begun, first = 0, 30.0

    def __init__(self, ready, seed):
        self.columns = ready.columns

    def burn_piece(self, piece):
        late = self.first if not SlowAtFirst.begun else 0.0
        SlowAtFirst.begun += 1
        rows = np.ones((piece.count, len(self.columns)), np.int64)
        maps = SimpleNamespace(packed=lambda: b"maps")
        return SimpleNamespace(piece=piece, rows=rows, maps=maps, seconds=late + 0.001 * piece.count)


def test_loading_the_kernels_is_no_time_of_a_fire(monkeypatch):
    monkeypatch.setattr(module, "Worker", SlowAtFirst)
    SlowAtFirst.begun = 0
    found = forecast(sweep(2000), workers=2)
    assert found.seconds == pytest.approx(6 * 2000 * 0.001 / 2)
    assert forecast(sweep(2000), 2, there=6000).seconds == pytest.approx(found.seconds / 2)


def test_every_case_is_tried_more_than_once_or_twice(monkeypatch):
    class Slow(SlowAtFirst):
        """Each case's first fire takes longer than its share of the trial."""

        def __init__(self, ready, seed):
            super().__init__(ready, seed)
            self.late = 0.9

        def burn_piece(self, piece):
            burnt = super().burn_piece(piece)
            burnt.seconds, self.late = 0.001 * piece.count + self.late, 0.0
            return burnt

    monkeypatch.setattr(module, "Worker", Slow)
    found = forecast(sweep(2000), workers=1)
    assert found.tried >= 6 * FIRES_LEAST
    assert found.seconds < 6 * 2000 * 0.9 / FIRES_LEAST


def test_durations_are_never_nothing():
    assert duration(0.001) == "0.1 seconds"
