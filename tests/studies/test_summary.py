"""The summary: figures case by case, tables, plain data."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import firesim
from firesim.studies.intervals import mean_interval, proportion_interval, quantile_interval
from firesim.studies.summary import QUANTILES, summarize
from tests.studies.studies import outcomes

SEED = 5
COLUMNS = ("steps", "burning", "lit", "church_lost", "church_lit_at")
CASES = ({"weather.wind": "none"}, {"weather.wind": "E"})


def a_case(seed, more=0):
    rng = np.random.default_rng(seed)
    lost = rng.integers(0, 2, 300)
    return {
        "steps": rng.geometric(0.1, 300) + more,
        "burning": np.zeros(300, int),
        "lit": rng.poisson(4, 300) + more,
        "church_lost": lost,
        "church_lit_at": np.where(lost > 0, rng.integers(3, 9, 300), -1),
    }


@pytest.fixture(scope="module")
def plain():
    return summarize(outcomes(a_case(1)), COLUMNS, units={"lit": "hexes"}, step_word="turn")


@pytest.fixture(scope="module")
def two():
    return summarize(outcomes(a_case(1), a_case(2, more=5)), COLUMNS, CASES)


def test_each_column_has_its_figures(plain):
    values = a_case(1)["lit"].astype(float)
    row = plain["lit"]
    assert (row.fires, row.mean, row.kind) == (300, pytest.approx(values.mean()), "mean")
    assert (row.low, row.high) == pytest.approx(tuple(mean_interval(values, least=0.0)))
    assert row.deviation == pytest.approx(values.std(ddof=1))
    ascending = np.sort(values)
    assert row.quantiles == tuple(np.quantile(ascending, QUANTILES, method="inverted_cdf"))
    assert row.quantile_intervals == tuple(tuple(map(float, quantile_interval(ascending, q))) for q in QUANTILES)
    assert row.quantile_intervals[2][0] <= row.quantiles[2] <= row.quantile_intervals[2][1]


def test_zeros_and_ones_are_a_proportion(plain):
    hits = int(a_case(1)["church_lost"].sum())
    row = plain["church_lost"]
    assert (row.kind, row.mean) == ("proportion", pytest.approx(hits / 300))
    assert (row.low, row.high) == pytest.approx(tuple(proportion_interval(hits, 300)))


def test_times_are_of_the_fires_in_which_it_happened(plain):
    times = a_case(1)["church_lit_at"]
    assert plain["church_lit_at"].fires == (times >= 0).sum()
    assert plain["church_lit_at"].mean == pytest.approx(times[times >= 0].mean())
    assert f"of {(times >= 0).sum()}" in str(plain)


def test_what_never_happened_has_no_figures():
    found = summarize(outcomes({"lit_at": [-1, -1]}), ("lit_at",))
    row = found["lit_at"]
    assert row.fires == 0
    assert math.isnan(row.mean)
    assert all(math.isnan(q) for q in row.quantiles)
    assert "never" in str(found)
    assert found.answers == ("lit_at: happens in no fire (95 %: 0 to 66 %)",)


@pytest.mark.parametrize("count", [0, 1])
def test_no_or_one_fire_is_summarized_without_an_interval(count):
    found = summarize(outcomes({"steps": [4] * count, "burning": [0] * count}), ("steps", "burning"))
    assert found.fires == count
    assert math.isnan(found["steps"].low)
    assert str(found)
    assert json.dumps(found.as_dict())


def test_several_cases_are_asked_one_by_one(two):
    assert two.fires == 600
    assert len(two.rows) == 10
    assert two.of(1).fires == 300
    assert two.of(1)["lit"].mean == pytest.approx(a_case(2, more=5)["lit"].mean())
    assert two.of(0)["lit"] == summarize(outcomes(a_case(1)), COLUMNS)["lit"]
    assert two.of(1).answers
    assert all(not answer.startswith("wind") for answer in two.of(1).answers)
    with pytest.raises(KeyError, match="write summary"):
        two["lit"]
    with pytest.raises(KeyError, match="no case 2"):
        two.of(2)
    with pytest.raises(KeyError, match="steps"):
        two.of(0)["nothing"]


def test_a_column_is_a_proportion_in_all_cases_or_in_none():
    rows = outcomes({"lost": [0, 1, 0, 1]}, {"lost": [0, 1, 2, 1]})
    assert {row.kind for row in summarize(rows, ("lost",), CASES).rows} == {"mean"}


def test_cases_are_compared_and_answered(two):
    (found,) = [d for d in two.differences if d.column == "lit"]
    assert (found.case, found.against, found.decided) == (1, 0, True)
    assert two.answers[0].startswith("wind none: burns out by step ")
    assert any(answer.startswith("lit: wind E has ") for answer in two.answers)


def test_tables_fit_a_terminal(plain, two):
    for found in (plain, two):
        assert max(len(line) for line in str(found).splitlines()) <= 100
    assert "1 - 0  wind E - wind none" in str(two)
    assert "The cases in full" not in str(two)
    assert "pairing: how many times wider" in str(two)
    assert "differences are decided" in str(two)


def test_long_names_do_not_burst_a_table():
    cases = tuple({f"tables.material.wattle and daub number {n}": n} for n in range(12))
    rows = outcomes(*({"a_rather_long_name_of_an_outcome": [n, n + 1, 5]} for n in range(12)))
    found = summarize(rows, ("a_rather_long_name_of_an_outcome",), cases)
    assert max(len(line) for line in str(found).splitlines()) <= 110
    assert len(found.differences) == 11


def test_every_case_has_its_number_and_a_name_of_its_own():
    words = "a very long sentence of which nobody wants to read more than the"
    cases = tuple({"note": f"{words} {n} {words}"} for n in ("first", "second", "third"))
    found = str(summarize(outcomes(*({"lit": [n, n + 1, 5]} for n in range(3))), ("lit",), cases)).splitlines()
    table = found[found.index("") + 2 :][:3]
    assert [line.split()[0] for line in table] == ["0", "1", "2"]
    assert len({line[:33] for line in table}) == 3
    legend = found[found.index("The cases in full") + 1 :][:3]
    assert legend == [f"{place}  note {case['note']}" for place, case in enumerate(cases)]
    assert sum(line.startswith(("1 - 0  ", "2 - 0  ", "2 - 1  ")) for line in found) == 3


def test_a_difference_of_times_says_of_how_many_pairs_it_is(two):
    both = int(((a_case(1)["church_lit_at"] >= 0) & (a_case(2)["church_lit_at"] >= 0)).sum())
    (found,) = [d for d in two.differences if d.column == "church_lit_at"]
    assert (found.pairs, found.replicates) == (both, 300)
    lines = str(two).splitlines()
    told = [line for line in lines if line.startswith("1 - 0") and line.endswith(f"  of {both}")]
    assert len(told) == 1
    assert any(line.startswith("of N: a mean over those N pairs alone") for line in lines)
    always = str(summarize(outcomes(a_case(1), a_case(2)), ("lit",), CASES))
    assert "of N:" not in always


def test_plain_data_is_json_without_nan(two):
    told = json.loads(json.dumps(two.as_dict(), allow_nan=False))
    assert told["fires"] == 600
    assert [case["varied"] for case in told["cases"]] == [dict(case) for case in CASES]
    outcome = told["cases"][1]["outcomes"][2]
    assert (outcome["outcome"], outcome["fires"]) == ("lit", 300)
    assert [q["q"] for q in outcome["quantiles"]] == list(QUANTILES)
    assert told["differences"][2]["decided"] is True
    assert told["differences"][1]["narrowed"] is None
    assert set(told["methods"]) == {"mean", "proportion", "quantile", "difference", "narrowed"}


def test_a_study_summarizes_its_fires():
    fires = firesim.study("maps/house.toml", 200, seed=SEED)
    found = fires.summary()
    assert found["steps"].mean == pytest.approx(fires.outcomes["steps"].mean())
    assert any(answer.startswith("burns out by ") for answer in found.answers)
