"""Intervals of small studies against the exact odds: nominal 95 % covers 92 to 98 %.

The quick version burns 60 studies for each check: of 60 intervals that hold the truth with chance 92 % fewer than 48 do
so once in 2,000 times; each takes its seed from `SEED`, as in the long version.
"""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.studies import coverage as study
from firesim.studies.intervals import Interval
from firesim.studies.sequential import Until

FEW = 60
QUICK = [check for check in study.CHECKS if check.kind != "until"][::2] + [
    check for check in study.CHECKS if check.kind == "until"
][:2]


@pytest.mark.parametrize("check", QUICK, ids=lambda check: check.what)
def test_intervals_of_a_few_studies_cover(check):
    assert study.coverage(check, FEW) >= 0.8


@pytest.mark.long
@pytest.mark.parametrize("check", study.CHECKS, ids=lambda check: check.what)
def test_intervals_of_400_studies_cover(check):
    covered = study.coverage(check)
    print(f"{check.what}: {covered:.2%} of {study.STUDIES} studies")
    assert check.least <= covered <= check.most


@pytest.mark.long
@pytest.mark.parametrize("check", study.CHECKS, ids=lambda check: check.what)
def test_intervals_of_4000_studies_cover(check):
    covered = study.coverage(check, 10 * study.STUDIES)
    print(f"{check.what}: {covered:.2%} of {10 * study.STUDIES} studies")
    assert check.least <= covered <= check.most


@pytest.mark.long
def test_looking_for_a_difference_where_there_is_none_seldom_finds_one():
    found = study.false_alarms()
    print(f"until decided: {found:.2%} of {study.STUDIES} studies")
    assert found < 0.05


def test_the_study_sees_intervals_that_are_too_narrow(monkeypatch):
    check = next(check for check in study.CHECKS if check.kind == "mean")
    honest = study.mean_interval

    def half_as_wide(values, **more):
        low, high = honest(values, **more)
        return Interval(low + (high - low) / 4, high - (high - low) / 4)

    monkeypatch.setattr(study, "mean_interval", half_as_wide)
    assert study.coverage(check, FEW) < 0.8


def test_the_study_sees_a_rule_that_stops_too_soon():
    values = np.zeros(study.replicates_at_look(0), [("case", int), ("replicate", int), ("steps", int)])
    values["replicate"] = np.arange(len(values))
    values["steps"] = np.arange(len(values)) % 10
    assert study.stopped(Until("steps", 5.0), values, 4.5)
    assert not study.stopped(Until("steps", 5.0), values, 9.0)
