"""Which cases a study has: lists, ranges, pairs, grids, Latin hypercubes, Sobol points."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np
import pytest

from firesim.core.problems import InputError
from firesim.studies.designs import Design, Dimension, cases, checked_design, count_of, dimension, values_of


def made(*tables: dict[str, Any], design: Design | None = None) -> list[dict[str, Any]]:
    return list(cases(design or Design(), [dimension(table) for table in tables]))


def refused(make: Any) -> str:
    with pytest.raises(InputError) as error:
        make()
    return str(error.value)


@pytest.mark.parametrize(
    ("written", "values"),
    [
        ([1, 2, 3], [1, 2, 3]),
        (("a", "b"), ["a", "b"]),
        ([True, 1], [True, 1]),
        (range(1, 4), [1, 2, 3]),
        (np.arange(3), [0, 1, 2]),
        ({"from": 1, "to": 4}, [1, 2, 3, 4]),
        ({"from": 0, "step": 5, "to": 12}, [0, 5, 10]),
        ({"from": 3, "step": -1, "to": 1}, [3, 2, 1]),
        ({"from": 0, "step": 0.1, "to": 0.3}, [0.0, 0.1, 0.2, 0.3]),  # exact: no 0.30000000000000004
        ({"from": 2, "to": 2}, [2]),
    ],
)
def test_lists_and_ranges(written: Any, values: list[Any]) -> None:
    found = list(values_of("key", written))
    assert found == values
    assert [type(v) for v in found] == [type(v) for v in values]


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ([], "'key' varies over an empty list: expected at least one value"),
        (3, "'key' varies over no list: expected a list, or { from, step, to }; write key = [3]"),
        ("a,b", "'key' varies over no list"),
        ([1, 2, 1], "'key' varies over 1 twice"),
        ({"from": 1}, "the range of 'key' has no 'to'"),
        (
            {"from": 1, "too": 3},
            "unknown word 'too' in the range of 'key': expected from, step and to; did you mean 'to'?",
        ),
        ({"from": 1, "step": 0, "to": 3}, "the range of 'key' has step 0"),
        ({"from": 1, "step": -1, "to": 3}, "the range of 'key' leads away: from 1 by -1 never to 3"),
        ({"from": "a", "to": 3}, "'from' of the range of 'key' is 'a': expected a number"),
        ({"from": float("nan"), "to": 3}, "'from' of the range of 'key' is nan"),
    ],
)
def test_what_is_no_list_and_no_range(written: Any, told: str) -> None:
    assert told in refused(lambda: values_of("key", written))


def test_a_grid_has_every_combination_the_last_key_changing_fastest() -> None:
    assert made({"a": [1, 2]}, {"b": ["x", "y", "z"]}) == [{"a": a, "b": b} for a in (1, 2) for b in ("x", "y", "z")]
    assert made() == [{}]


def test_lists_of_a_pair_go_together_and_make_a_grid_with_the_rest() -> None:
    found = made({"a": [1, 2], "b": [10, 20]}, {"c": [0, 1]})
    assert found == [{"a": a, "b": b, "c": c} for a, b in ((1, 10), (2, 20)) for c in (0, 1)]
    told = refused(lambda: dimension({"a": [1, 2], "b": [10]}))
    assert "lists that go together are not equally long: a has 2, b has 1" in told


@pytest.mark.parametrize("kind", ["latin hypercube", "sobol"])
def test_points_fill_the_space_evenly_and_are_the_same_for_the_same_seed(kind: str) -> None:
    tables = {"a": {"from": 1, "to": 16}}, {"b": list("abcd")}
    found = made(*tables, design=Design(kind, 16, 3))
    assert len(found) == 16
    assert sorted(case["a"] for case in found) == list(range(1, 17)), "each sixteenth of the range once"
    assert {letter: [c["b"] for c in found].count(letter) for letter in "abcd"} == dict.fromkeys("abcd", 4)
    assert found == made(*tables, design=Design(kind, 16, 3))
    assert found != made(*tables, design=Design(kind, 16, 4))


def test_ten_to_the_twelve_cases_are_counted_not_built() -> None:
    began = perf_counter()
    dimensions = [dimension({"a": {"from": 1, "to": 10**6}}), dimension({"b": {"from": 1, "to": 10**6}})]
    assert count_of(Design(), dimensions) == 10**12
    told = refused(lambda: checked_design(Design(), dimensions))
    assert "this makes about 10^12 cases: expected at most 10,000" in told
    assert perf_counter() - began < 1
    assert "about 10^24" in refused(
        lambda: checked_design(Design(), [Dimension(("a",), (range(10**12),)), Dimension(("b",), (range(10**12),))])
    )


@pytest.mark.parametrize(
    ("design", "told"),
    [
        (
            Design("sobel", 8),
            "there is no design 'sobel': expected grid, latin hypercube or sobol; did you mean 'sobol'?",
        ),
        (Design("sobol", 100), "100 Sobol points: expected a power of 2; take 128"),
        (Design("sobol", 0), "a sobol of 0 cases"),
        (Design("latin hypercube", 20_000), "this makes 20,000 cases"),
    ],
)
def test_designs_that_cannot_be(design: Design, told: str) -> None:
    assert told in refused(lambda: checked_design(design, [dimension({"a": [1, 2]})]))


def test_a_key_varies_once_and_a_design_needs_one() -> None:
    twice = [dimension({"a": [1, 2]}), dimension({"a": [3]})]
    assert "'a' varies twice" in refused(lambda: checked_design(Design(), twice))
    assert "a sobol of nothing" in refused(lambda: checked_design(Design("sobol", 8), []))
