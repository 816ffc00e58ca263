"""`firesim odds` as a user meets it: fires, rolls, sampled fires beside them, charts, and wrong input."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

import firesim
from firesim.cli import app

ROOT = Path(__file__).resolve().parent.parent
HOUSE, STREET, RIVERSIDE = (ROOT / "maps" / f"{name}.toml" for name in ("house", "street", "riverside"))


def told(*arguments: object) -> tuple[int, str, str]:
    """Exit code, stdout, stderr of `firesim odds ARGUMENTS`."""
    result = CliRunner().invoke(app, ["odds", *(str(a) for a in arguments)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert "Traceback" not in result.stderr, result.stderr
    return result.exit_code, result.stdout, result.stderr


def done(*arguments: object) -> str:
    """What it prints, where all must go well."""
    code, out, err = told(*arguments)
    assert code == 0, err
    return out


def refused(*arguments: object) -> list[str]:
    """The lines on stderr, where the input is wrong."""
    code, out, err = told(*arguments)
    assert (code, out) == (2, ""), (code, out, err)
    return err.splitlines()


def test_a_fire_s_odds_are_told_as_text():
    lines = done(HOUSE).splitlines()
    odds = firesim.odds(HOUSE)
    assert lines[0] == "A lone house (town)"
    assert lines[1].startswith(f"steps, to the fire's end: {odds.states:,} states, ")
    assert lines[2].startswith(f"mean {odds.mean:.10g}, variance {odds.variance:.10g}, ")
    assert lines[3].startswith("quantiles 5%: ")
    assert "\n".join(lines).endswith(odds.distribution.text())


def test_json_holds_the_whole_distribution():
    facts = json.loads(done(HOUSE, "--outcome", "collapsed", "--json", "--set", "steps=5"))
    odds = firesim.odds(HOUSE, "collapsed", changes={"steps": 5})
    assert facts["values"] == odds.values.tolist()
    assert facts["probabilities"] == odds.probabilities.tolist()
    assert (facts["outcome"], facts["horizon"], facts["states"], facts["mean"]) == (
        "collapsed",
        5,
        odds.states,
        odds.mean,
    )
    assert facts["quantiles"]["0.5"] == odds.quantile(0.5)


def test_a_mean_that_is_infinite_is_null_in_json_and_said_in_words():
    always = ("--set", "ignite[0].alight=true", "--set", "map.legend.h.armour=6")
    assert "never ends: 1\n" in done(HOUSE, *always)
    facts = json.loads(done(HOUSE, *always, "--json"))
    assert (facts["mean"], facts["variance"], facts["never"], facts["quantiles"]["0.5"]) == (None, None, 1.0, None)


def test_sampled_fires_stand_beside_the_exact_odds_with_the_test_in_words():
    out = done(HOUSE, "--against", 20_000, "--seed", 20261129)
    assert "the 20,000 sampled fires agree with the exact odds (p = " in out
    assert out.splitlines()[-1].endswith("; seed 20261129")
    facts = json.loads(done(HOUSE, "--against", 20_000, "--seed", 20261129, "--json"))["sampled"]
    steps = firesim.study(HOUSE, 20_000, seed=20261129).outcomes["steps"]
    odds = firesim.odds(HOUSE)
    assert facts["shares"] == [np.mean(steps == v) for v in odds.values]
    assert (facts["fires"], facts["seed"], facts["agrees"]) == (20_000, 20261129, True)
    assert facts["p"] > 1e-4


def test_sampled_fires_that_never_end_are_held_against_that_chance_and_do_not_take_for_ever():
    town = ("--set", "map.legend.h.st=1", "--set", "map.legend.h.armour=5")
    rain = ("--set", 'event=[{step=3, kind="moisture", moisture="wet"}]')
    facts = json.loads(done(HOUSE, *town, *rain, "--against", 20_000, "--seed", 20261129, "--json"))
    assert facts["never"] == pytest.approx(25 / 36)
    assert facts["sampled"]["agrees"]
    assert sum(facts["sampled"]["shares"]) == pytest.approx(11 / 36, abs=0.02)


def test_a_chart_is_drawn_of_fires_and_of_rolls(tmp_path):
    strange = ("--set", "title=$x$ 火")
    targets = ((HOUSE, "--against", 500, "--seed", 1, *strange), (HOUSE, *strange), ("5k3",), ("1d6",))
    for number, target in enumerate(targets):
        path = tmp_path / f"{number}.png"
        code, _, err = told(*target, "--png", path)
        assert (code, err.splitlines()[-1]) == (0, f"wrote {path}")
        assert Image.open(path).format == "PNG"
        assert np.asarray(Image.open(path).convert("L")).std() > 10
    assert len(list(tmp_path.iterdir())) == 4


def test_rolls_by_the_calculator():
    assert "meets or beats 30: 87.6247 %" in done("8k5 vs 30")
    assert json.loads(done("5k3", "--json"))["mean"] == pytest.approx(27508315 / 1122211, abs=1e-10)
    facts = json.loads(done("2k1 vs 5", "--json"))
    assert facts["chance"] == pytest.approx(0.84, abs=1e-12)
    assert json.loads(done("3d6 vs 8", "--json"))["chance"] == pytest.approx(1 - 35 / 216, abs=1e-12)
    assert "12k8 is rolled as 10k10 [FD-77]" in done("12k8 vs 50")
    odds = firesim.odds("3d6")
    assert (odds.mean, odds.quantile(0.5)) == (pytest.approx(10.5), 10)
    assert odds.variance == pytest.approx(35 / 4)
    assert odds.values.tolist() == list(range(3, 19))
    assert odds.probabilities.sum() == pytest.approx(1)


def test_what_a_large_chain_will_take_is_told_before_the_work():
    town = ("--set", 'map.rows=["h h h"]', "--set", "map.legend.h.st=10", "--set", "map.legend.h.armour=2")
    code, out, err = told(HOUSE, *town, "--set", "ignite[0].cell=[0,0]")
    assert code == 0
    assert any(line.startswith("about ") and " states, " in line for line in err.splitlines()), err
    (states,) = re.findall(r"end: ([\d,]+) states", out)
    assert int(states.replace(",", "")) > 40_000


# --- wrong input ----------------------------------------------------------------------------------------------------


def test_an_outcome_that_the_system_lacks():
    assert refused(HOUSE, "--outcome", "flare_up") == [
        "there is no outcome 'flare_up': expected steps, burning, lit, consumed, buildings_lost, collapsed, "
        "flare_ups or jumps; did you mean 'flare_ups'?"
    ]
    (line,) = refused(STREET, "--outcome", "inn_lit_at")
    assert line.startswith("'inn_lit_at' is a time, which the exact chain does not keep: expected another outcome; ")


@pytest.mark.parametrize("town", [STREET, RIVERSIDE])
def test_a_town_that_is_too_large_is_told_so_with_the_number_before_the_work(town):
    (line,) = refused(town)
    assert line.startswith("too large for exact odds: about ")
    assert " states, more than a year: expected at most 6 million states; take a smaller map" in line


def test_a_limit_of_one_s_own():
    (line,) = refused(HOUSE, "--most", 20)
    assert line.startswith("too large for exact odds: more than ")
    assert ": expected at most 20 states; " in line


@pytest.mark.parametrize(
    ("roll", "caret", "words"),
    [("5k", 2, "5k\n  ^"), ("3d6 vs", 6, "3d6 vs\n      ^"), ("5k3 + x", 6, "5k3 + x\n      ^")],
)
def test_a_slip_in_a_roll_has_a_caret_under_it(roll, caret, words):
    lines = refused(roll)
    assert "\n".join(lines[-2:]) == words
    assert lines[-1].index("^") == caret


def test_options_of_fires_are_of_no_use_with_a_roll(tmp_path):
    lines = refused("5k3", "--outcome", "lit", "--against", 10, "--set", "steps=3", "--most", 9)
    assert [line.split(" is of no use with the roll '5k3'")[0] for line in lines] == [
        "--outcome",
        "--against",
        "--set",
        "--most",
    ]
    assert refused("no_such_file.toml")[0].startswith("no_such_file.toml: ")
    assert "expected a name ending in .png" in refused("5k3", "--png", tmp_path / "a.gif")[0]
    assert list(tmp_path.iterdir()) == []


def test_python_refuses_a_limit_that_is_none():
    for wrong in (0, True, "many"):
        with pytest.raises(firesim.InputError, match="expected a whole number from 1"):
            firesim.odds(HOUSE, states_most=wrong)


def test_ctrl_c_ends_with_130(monkeypatch):
    from firesim.exact import odds

    def interrupted(*arguments, **words):
        raise KeyboardInterrupt

    monkeypatch.setattr(odds, "chain_of", interrupted)
    code, out, err = told(HOUSE)
    assert (code, out) == (130, "")
    assert err.endswith("interrupted\n")
