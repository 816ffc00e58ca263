"""Words for figures and cases."""

from __future__ import annotations

import numpy as np
import pytest

from firesim.studies.words import about, case_names, cut, number, share, span, value_words


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (7, "7"), (12.345, "12.3"), (0.01234, "0.0123"), (-0.5, "-0.5"), (1234.5, "1,234"), (100, "100")],
)
def test_numbers_have_three_digits(value, text):
    assert number(value) == text


def test_what_is_no_number_is_said():
    assert number(float("nan")) == "unknown"
    assert number(float("inf")) == "inf"


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [(1.234, 3.456, "1.2 to 3.5"), (0.0101, 0.0132, "0.0101 to 0.0132"), (-0.004, 0.9, "0 to 0.90"), (5, 5, "5 to 5")],
)
def test_spans_have_ends_that_differ(low, high, text):
    assert span(low, high) == text


@pytest.mark.parametrize(
    ("part", "whole", "text"),
    [
        (0, 50, "no fire"),
        (50, 50, "every fire"),
        (45, 50, "9 fires of 10"),
        (5, 50, "1 fire of 10"),
        (3, 7, "3 fires of 7"),
        (1, 3, "1 fire of 3"),
        (1, 1000, "1 fire of 1,000"),
        (999, 1000, "999 fires of 1,000"),
        (123_456, 1_000_000, "12 fires of 100"),
        (5, 1_000_000, "5 fires of 1,000,000"),
    ],
)
def test_shares(part, whole, text):
    assert share(part, whole) == text


@pytest.mark.parametrize("count", [1, 10, 11, 99, 431, 3940, 18_200, 10**7])
def test_about_is_never_less(count):
    told = int(about(count).replace(",", ""))
    assert count <= told <= max(10, 1.1 * count)


def test_cases_are_named_by_the_last_word_of_their_keys():
    assert case_names([{"weather.wind": "E", "steps": 5}, {"weather.wind": "none", "steps": 6.5}]) == (
        "wind E, steps 5",
        "wind none, steps 6.5",
    )
    assert case_names([{"map.legend.h.st": 1, "map.legend.g.st": 2}]) == ("map.legend.h.st 1, map.legend.g.st 2",)
    assert case_names([{}, {}]) == ("case 0", "case 1")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "on"),
        (np.float64(0.1), "0.1"),
        (np.int64(3), "3"),
        ([1, False], "[1, off]"),
        ({"kind": "oil"}, "{kind oil}"),
    ],
)
def test_values_of_any_kind_are_named(value, text):
    assert value_words(value) == text


def test_long_names_are_cut():
    assert cut("abcdef", 6) == "abcdef"
    assert cut("abcdefg", 6) == "abcde…"


def test_what_all_cases_share_is_in_no_name():
    assert case_names([{"wind": "E", "steps": 5}, {"wind": "none", "steps": 5}]) == ("wind E", "wind none")
    assert case_names([{"on": True}, {"on": 1}]) == ("on on", "on 1"), "another kind of value is another value"
    assert case_names([{"h": {"st": 5, "armour": 1}}, {"h": {"st": 6, "armour": 1}}]) == ("h {st 5}", "h {st 6}")
    assert case_names([{"wind": "E"}]) == ("wind E",)
    files = [{"scenario": f"a/long/way/{name}/town.toml"} for name in ("one", "two")]
    assert case_names(files) == ("one/town", "two/town")
