"""Every picture of a study at once: which there are, and of what."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import firesim
from firesim.core.problems import InputError
from firesim.outputs_study import Pictures, two_keys, values_of, write_pictures
from firesim.studies.summary import Summary, summarize
from firesim.studies.words import case_names

HOUSES = {
    "system": "town",
    "title": "Two houses",
    "map": {"rows": ["h g ."], "legend": {"h": {"st": 6}, "g": {"st": 4, "roof": "thatch"}}},
    "watch": [{"name": "barn", "cells": [[0, 1]]}],
    "ignite": [{"cell": [0, 0]}],
}
SEED, FIRES = 8, 60


class Study:
    """Studies of single cases put together as one of several cases."""

    def __init__(self, *cases: Mapping[str, Any], keep: bool = True, fires: int = FIRES) -> None:
        self.cases, self.seed = cases, SEED
        self.each = [firesim.study(HOUSES, fires, seed=SEED, changes=case or None) for case in cases]
        for place, one in enumerate(self.each):
            one.outcomes["case"] = place
        self.outcomes = np.concatenate([one.outcomes for one in self.each])
        self.scenario = self.each[0].scenario
        self.maps: Mapping[str, Any] = self.each[0].maps if keep else {}
        gone = np.zeros((len(cases), 40), np.int64)
        for place, one in enumerate(self.each):
            gone[place] = np.cumsum(np.bincount(np.minimum(one.outcomes["steps"], 39), minlength=40))
        self.curves = {"consumed": gone, "external": np.zeros_like(gone), "out": gone} if keep else {}

    def prepared_of(self, case: int) -> Any:
        """A case as its kernel sees it."""
        return self.each[case].prepared

    def map_of(self, case: int, name: str) -> Any:
        """One case's map."""
        return self.each[case].maps[name][0]

    def summary(self) -> Summary:
        """The figures."""
        return summarize(self.outcomes, self.each[0].prepared.columns, self.cases)


def jobs(study: Study) -> dict[str, Any]:
    return dict(Pictures(study, study.summary(), case_names(study.cases)).jobs())


def test_a_plain_study_has_distributions_survival_and_maps(tmp_path: Path) -> None:
    calls: list[tuple[int, int]] = []
    files = write_pictures(Study({}), tmp_path / "a" / "b", lambda done, all_: calls.append((done, all_)))
    names = {file.name for file in files}
    assert {
        "distribution-steps.png",
        "distribution-barn_lit_at.png",
        "survival-consumed.png",
        "burn-probability.png",
        "arrival.png",
    } <= names
    assert not any(name.startswith(("sweep", "difference")) for name in names)
    assert not {"survival-external.png", "survival-out.png"} & names, "nothing was taken"
    assert "distribution-burning.png" not in names, "what is the same in every fire has no distribution"
    assert {file.name for file in (tmp_path / "a" / "b").iterdir()} == names
    assert calls == [(n, len(files)) for n in range(1, len(files) + 1)]
    for file in files:
        with Image.open(file) as image:
            assert min(image.size) > 100


def test_cases_have_sweeps_and_differences_to_the_first(tmp_path: Path) -> None:
    names = set(jobs(Study({"map.legend.g.st": 4}, {"map.legend.g.st": 8}, {"map.legend.g.st": 12})))
    assert {"sweep-steps", "survival-consumed"} <= names
    assert {f"{kind}-case-{n}" for kind in ("burn-probability", "arrival") for n in range(3)} <= names
    assert {f"{kind}-case-{n}" for kind in ("difference", "arrival-difference") for n in (1, 2)} <= names
    assert "difference-case-0" not in names


def test_what_a_study_did_not_keep_is_left_out() -> None:
    names = jobs(Study({}, keep=False))
    assert names
    assert all(name.startswith("distribution-") for name in names)


def test_maps_of_different_sizes_are_not_subtracted() -> None:
    study = Study({"map.rows": ["h g ."]}, {"map.rows": ["h g . ."]})
    names = jobs(study)
    assert "burn-probability-case-1" in names
    assert "difference-case-1" not in names


def test_a_folder_that_is_a_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError):
        write_pictures(Study({}, keep=False), tmp_path / "file")


def test_a_full_grid_of_two_keys_has_series() -> None:
    cases = [{"weather.wind": w, "steps": n} for n in (5, 10, 15) for w in ("none", "E")]
    found = two_keys(cases)
    assert found is not None
    places, values, series = found
    assert values == ["none", "E"]
    assert series == ["steps 5", "steps 10", "steps 15"]
    assert places.tolist() == [[0, 1], [2, 3], [4, 5]]
    assert two_keys(cases[:-1]) is None
    assert two_keys([*cases[:-1], cases[0]]) is None
    assert two_keys([{"steps": 1}, {"steps": 2}]) is None
    assert two_keys([{}]) is None


def test_numbers_stay_numbers_and_the_rest_is_words() -> None:
    assert values_of([{"k": 1}, {"k": 2.5}], "k") == [1, 2.5]
    assert values_of([{"k": True}, {"k": 2}], "k") == ["on", "2"]
    assert values_of([{"k": [1, 2]}, {"k": "E"}], "k") == ["[1, 2]", "E"]
