"""The summary of reports: the newest of each benchmark, one table, one plot."""

import json

import pytest

from benchmarks import reports as reading
from benchmarks.__main__ import main
from benchmarks.harness import Row, Settings
from benchmarks.town import dice


def report(folder, date, rows, group="town"):
    """A report as the harness writes it."""
    told = {"group": group, "settings": Settings().__dict__, "date": date, "machine": "a machine"}
    file = folder / f"{group}-{date.replace(':', '')}.json"
    file.write_text(json.dumps(told | {"rows": [row.__dict__ for row in rows]}))
    return file


@pytest.fixture
def reports(tmp_path):
    """Two reports of peers and one of growth."""
    old = Row("peers", "a list over firesim", 50.0, "times", 49.0, 51.0)
    new = [
        Row("peers", "a list over firesim", 61.5, "times", 60.0, 63.0),
        Row("peers", "a tuned rival over firesim", 0.75, "times", 0.7, 0.8),
        Row("peers", "a fire of firesim", 0.9, "ms"),
    ]
    report(tmp_path, "2026-01-01T10:00:00+00:00", [old])
    report(tmp_path, "2026-01-02T10:00:00+00:00", new)
    report(tmp_path, "2026-01-01T11:00:00+00:00", [Row("growth", "a fire on 9 x 9 over 3 x 3", 1.1, "times")])
    return tmp_path


def test_the_table_has_the_newest_ratio_of_each_benchmark_and_nothing_but_ratios(reports, capsys):
    assert main(["summary", str(reports), "--out", str(reports / "made")]) == 0
    text = (reports / "made" / "summary.md").read_text()
    lines = [line for line in text.splitlines() if line.startswith("| town")]
    assert lines == [
        "| town growth | a fire on 9 x 9 over 3 x 3 | 1.1 |  |",
        "| town peers | a list over firesim | 61.5 | 60 to 63 |",
        "| town peers | a tuned rival over firesim | 0.75 | 0.7 to 0.8 |",
    ]
    assert "- town peers: date 2026-01-02T10:00:00+00:00" in text
    assert text in capsys.readouterr().out + "\n"


def test_the_plot_has_a_bar_for_each_rival_with_its_figure(reports):
    assert main(["summary", str(reports), "--out", str(reports / "made")]) == 0
    drawn = (reports / "made" / "peers.svg").read_text()
    for words in ("a list · town peers", "a tuned rival · town peers", "61.5", "0.75"):
        assert words in drawn
    assert "9 x 9" not in drawn


def test_the_same_reports_give_the_same_plot(reports):
    for name in ("one", "two"):
        main(["summary", str(reports), "--out", str(reports / name)])
    assert (reports / "one" / "peers.svg").read_bytes() == (reports / "two" / "peers.svg").read_bytes()


def test_what_is_no_report_is_told_in_one_line(tmp_path, capsys):
    (tmp_path / "odd.json").write_text("[1, 2]")
    for path, words in ((tmp_path / "odd.json", "not a report"), (tmp_path / "none.json", "No such file")):
        assert main(["summary", str(path)]) == 2
        told = capsys.readouterr().err
        assert told.count("\n") == 1
        assert words in told
    (tmp_path / "empty").mkdir()
    assert main(["summary", str(tmp_path / "empty")]) == 2
    assert "no report" in capsys.readouterr().err


def test_reports_without_rivals_give_a_table_and_no_plot(tmp_path, capsys):
    report(tmp_path, "2026-01-01T10:00:00+00:00", [Row("crew", "10,000 fires", 0.1, "s")], "ship")
    assert main(["summary", str(tmp_path), "--out", str(tmp_path / "made")]) == 0
    assert "no plot" in capsys.readouterr().out
    assert not (tmp_path / "made" / "peers.svg").exists()
    assert reading.newest(reading.reports_in([tmp_path]))[0].benchmark == "crew"


GOOD = {"benchmark": "peers", "what": "a list over firesim", "value": 2.0, "unit": "times", "low": 1.0, "high": 3.0}


def damaged(where, value):
    """A report of one row in which one thing is wrong; where: a key of the report or of its row."""
    whole = {"group": "town", "settings": {"fires": 10, "rounds": 2}, "date": "2026-01-01T10:00:00+00:00"}
    whole |= {"rows": [dict(GOOD)]}
    place = whole["rows"][0] if where in GOOD else whole
    if value is None and where == "settings":
        del place[where]
    else:
        place[where] = value
    return json.dumps(whole)


@pytest.mark.parametrize(
    ("where", "value"),
    [
        *[("value", value) for value in ("x", None, True, float("nan"), float("inf"), 0, 3.5)],
        *[("low", value) for value in (float("nan"), None, True, 2.5)],
        ("high", "3"),
        ("what", 7),
        *[("rows", value) for value in ([], {}, None, [[]], [GOOD | {"more": 1}])],
        *[("group", value) for value in ("zzz", "", 5, None)],
        *[("date", value) for value in (5, "5", "yesterday", "2026-01-01T10:00:00", None)],
        *[("settings", value) for value in (None, {}, {"fires": True, "rounds": 2}, {"fires": "10", "rounds": 2}, [])],
    ],
)
def test_a_wrong_report_is_none_and_leaves_the_summary_as_it_was(tmp_path, capsys, where, value):
    (tmp_path / "summary.md").write_text("the old one")
    (tmp_path / "wrong.json").write_text(damaged(where, value))
    assert main(["summary", str(tmp_path / "wrong.json"), "--out", str(tmp_path)]) == 2
    told = capsys.readouterr()
    assert told.err.count("\n") == 1
    assert "not a report" in told.err
    assert told.out == ""
    assert (tmp_path / "summary.md").read_text() == "the old one"


def test_the_report_that_is_damaged_above_is_one_when_it_is_not(tmp_path):
    (tmp_path / "right.json").write_text(damaged("value", 2))
    assert main(["summary", str(tmp_path / "right.json"), "--out", str(tmp_path)]) == 0


def test_a_report_in_which_nothing_was_measured_stands_beside_others(reports):
    report(reports, "2026-01-03T10:00:00+00:00", [])
    assert main(["summary", str(reports), "--out", str(reports / "made")]) == 0
    assert "a list over firesim | 61.5" in (reports / "made" / "summary.md").read_text()


def test_the_newest_is_the_latest_in_time_whatever_its_time_zone(tmp_path):
    for hour, value in (("11:00:00+05:00", 1.0), ("09:00:00+00:00", 2.0)):
        report(tmp_path, f"2026-01-01T{hour}", [Row("peers", "a list over firesim", value, "times")])
    assert reading.newest(reading.reports_in([tmp_path]))[0].rows[0].value == 2.0


def test_a_place_that_cannot_be_written_to_is_told_before_anything_is_read_or_measured(reports, capsys, monkeypatch):
    def measured(*_):
        pytest.fail("measured")

    monkeypatch.setattr(dice, "measure", measured)
    (reports / "a file").write_text("kept")
    (reports / "sealed" / "summary.md").mkdir(parents=True)
    for out in (reports / "a file", reports / "a file" / "below"):
        for command in (["town", "dice", "--fires", "20", "--rounds", "2"], ["summary", str(reports)]):
            assert main([*command, "--out", str(out)]) == 2
            told = capsys.readouterr()
            assert told.err.count("\n") == 1
            assert f"{out}: " in told.err
            assert told.out == ""
    assert main(["summary", str(reports), "--out", str(reports / "sealed")]) == 2
    assert "this is a folder" in capsys.readouterr().err
    assert (reports / "a file").read_text() == "kept"
