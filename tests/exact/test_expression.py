"""Rolls as people write them: read, written back, refused with a caret."""

import re
import time

import icepool
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firesim.core.problems import InputError
from firesim.exact.expression import Expression, Term, is_roll, odds_of_roll, parse
from firesim.exact.roll_keep_odds import roll_keep

KEEP = st.integers(0, 100).flatmap(lambda n: st.builds(Term, SIGNS, st.just("keep"), st.just(n), st.integers(0, n)))
SIGNS = st.sampled_from([1, -1])
SUM = st.builds(Term, SIGNS, st.just("sum"), st.integers(1, 100), st.integers(2, 1000))
NUMBER = st.builds(Term, SIGNS, st.just("number"), st.integers(0, 1_000_000))
TARGET = st.none() | st.integers(-1_000_000, 1_000_000)


@st.composite
def expressions(draw):
    terms = draw(st.lists(KEEP | SUM | NUMBER, max_size=19))
    terms.insert(draw(st.integers(0, len(terms))), draw(KEEP | SUM))
    explode = draw(st.booleans()) or all(term.kind != "keep" for term in terms)
    return Expression(tuple(terms), explode, draw(TARGET))


@settings(max_examples=40, deadline=None)
@given(expressions())
def test_what_is_written_is_read_again(expression):
    assert parse(str(expression)) == expression
    assert is_roll(str(expression))


@settings(max_examples=40, deadline=None)
@given(expressions(), st.randoms(use_true_random=False))
def test_blanks_and_capitals_do_not_matter(expression, random):
    written = " "
    for token in re.findall(r"[0-9]+|[a-z]+|[+-]", str(expression)):
        between = [" ", "\t", "  "] if written[-1].isalpha() and token in ("explode", "vs") else ["", " ", "\t\n"]
        written += random.choice(between) + random.choice([token, token.upper()])
    assert parse(written) == expression


@pytest.mark.parametrize(
    ("text", "terms", "explode", "target"),
    [
        ("5k3", [Term(1, "keep", 5, 3)], True, None),
        ("3d6", [Term(1, "sum", 3, 6)], True, None),
        ("d100", [Term(1, "sum", 1, 100)], True, None),
        ("10k5 vs 30", [Term(1, "keep", 10, 5)], True, 30),
        ("15k10+2", [Term(1, "keep", 15, 10), Term(1, "number", 2)], True, None),
        ("4k2 - 3d6", [Term(1, "keep", 4, 2), Term(-1, "sum", 3, 6)], True, None),
        ("2D6+1VS8", [Term(1, "sum", 2, 6), Term(1, "number", 1)], True, 8),
        ("5k3 No Explode", [Term(1, "keep", 5, 3)], False, None),
        ("5k3 no explode vs -2", [Term(1, "keep", 5, 3)], False, -2),
        ("5k3 vs. 15 no-explode", [Term(1, "keep", 5, 3)], False, 15),
        ("−d4 + 007k02", [Term(-1, "sum", 1, 4), Term(1, "keep", 7, 2)], True, None),
    ],
)
def test_reading(text, terms, explode, target):
    assert parse(text) == Expression(tuple(terms), explode, target)


NEXT = "'+', '-', 'no explode', 'vs' or the end"
DICE = "dice (5k3, 3d6, d100)"
ONCE = "'no explode' stands once, at the end, and holds for all k-dice"


@pytest.mark.parametrize(
    ("text", "place", "says"),
    [
        ("", 0, f"the roll ends too early: expected {DICE} or a number"),
        ("  ", 0, f"the roll ends too early: expected {DICE} or a number"),
        ("5k3 +", 5, f"the roll ends too early: expected {DICE} or a number"),
        ("5k", 2, "how many dice are kept is missing: expected a number after 'k', as in 5k3"),
        ("5k + 2", 3, "how many dice are kept is missing: expected a number after 'k', as in 5k3"),
        ("2 + k3", 4, "how many dice are rolled is missing: expected a number before 'k', as in 5k3"),
        ("3d", 2, "how many sides the dice have is missing: expected a number after 'd', as in 3d6"),
        ("d%", 1, "how many sides the dice have is missing: expected a number after 'd', as in 3d6"),
        ("5k3 vs", 6, "the target number is missing: expected the number to meet or beat, as in 5k3 vs 15"),
        ("5k3 vs x", 7, "the target number is missing: expected the number to meet or beat, as in 5k3 vs 15"),
        ("town", 0, f"'town' is no dice: expected {DICE} or a number"),
        ("++5k3", 1, f"'+' is no dice: expected {DICE} or a number"),
        ("__import__('os')", 0, f"'__import__' is no dice: expected {DICE} or a number"),
        (
            "5k3!",
            3,
            f"'!' does not belong here: expected {NEXT}; "
            "tens of k-dice explode without a sign; 'no explode' at the end stops them",
        ),
        (
            "5k3 >= 15",
            4,
            f"'>' does not belong here: expected {NEXT}; write 'vs' before the number to meet or beat",
        ),
        ("5k3 TN 15", 4, f"'TN' does not belong here: expected {NEXT}; write 'vs' before the number to meet or beat"),
        ("5k3 15", 4, f"'15' does not belong here: expected {NEXT}"),
        ("5k3 town", 4, f"'town' does not belong here: expected {NEXT}"),
        ("3d6*2", 3, f"'*' does not belong here: expected {NEXT}; dice are only added and subtracted"),
        ("3x6", 1, f"'x' does not belong here: expected {NEXT}; dice are only added and subtracted"),
        ("5k3 vs 1.5", 8, "'.' does not belong here: expected 'no explode' or the end; only whole numbers"),
        ("5k3 no explode + 1", 15, f"'+' does not belong here: expected 'vs' or the end; {ONCE}"),
        ("5k3 no explode vs 3 no explode", 20, f"'no' does not belong here: expected the end; {ONCE}"),
        ("5k3\tvs\n15 zz", 10, "'zz' does not belong here: expected 'no explode' or the end"),
        ("5k3 \x1b[1m", 5, f"'[' does not belong here: expected {NEXT}"),
        ("3k5", 2, "5 dice kept of 3 rolled: expected at most 3; the dice rolled come first, as in 5k3"),
        ("101d6", 0, "the number of dice is 101: expected from 1 to 100"),
        ("2+0d6", 2, "the number of dice is 0: expected from 1 to 100"),
        ("101k3", 0, "the number of dice is 101: expected from 0 to 100"),
        ("5k101", 2, "the number of dice kept is 101: expected from 0 to 100"),
        ("3d1", 2, "the number of sides is 1: expected from 2 to 1,000"),
        ("3d1001", 2, "the number of sides is 1001: expected from 2 to 1,000"),
        ("d6 + 1000001", 5, "the number is 1000001: expected from 0 to 1,000,000"),
        ("d6 vs -1000001", 7, "the target number is 1000001: expected from 0 to 1,000,000"),
        ("9" * 300 + "d6", 0, "the number of dice is 999999999...: expected from 1 to 100"),
        ("+".join(["d6"] * 21), 60, "the roll has 21 terms: expected at most 20"),
        ("5 + 2 vs 3", 0, f"the roll has no dice: expected {DICE}"),
        ("3d6 no explode", 4, "'no explode' without k-dice: expected k-dice (5k3), the only ones that explode"),
    ],
)
def test_a_slip_is_shown_with_a_caret_under_it(text, place, says):
    with pytest.raises(InputError) as caught:
        parse(text)
    shown = text.replace("\t", " ").replace("\n", " ").replace("\x1b", " ").rstrip()
    assert str(caught.value) == f"{says}\n{shown}\n{' ' * place}^"


def test_every_number_out_of_its_range_is_told_at_once():
    with pytest.raises(InputError) as caught:
        odds_of_roll("200d1 + 3k5 vs 9999999")
    assert [problem.excerpt.splitlines()[1].index("^") for problem in caught.value.problems] == [0, 4, 10, 15]


def test_a_roll_without_end_is_not_printed():
    with pytest.raises(InputError) as caught:
        parse("1+" * 5000)
    assert str(caught.value) == "the roll is 10,000 characters long: expected at most 400 characters"


@pytest.mark.parametrize("text", ["0k0", "100k100", "100d1000", "d2", "+".join(["d6"] * 20), "d6 + 1000000"])
def test_the_limits_themselves_are_allowed(text):
    assert str(parse(text)).replace(" ", "") == text.replace(" ", "")


def test_odds_of_a_keep_roll_against_a_target():
    odds = odds_of_roll("8K5 vs 30")
    assert str(odds.expression) == "8k5 vs 30"
    assert odds.target == 30
    assert odds.chance == pytest.approx(2190617553 / 2500000000, abs=1e-12)
    assert odds.distribution.mean == roll_keep(8, 5).mean
    assert odds.notes == ()
    assert odds_of_roll("8k5").target is None
    assert odds_of_roll("8k5").chance is None


def test_odds_of_sums_and_differences():
    assert odds_of_roll("2d6+1 vs 8").chance == pytest.approx(21 / 36, abs=1e-14)
    assert odds_of_roll("d100 vs 36").chance == pytest.approx(0.65, abs=1e-14)
    assert odds_of_roll("5 - d6 vs 0").chance == pytest.approx(5 / 6, abs=1e-14)
    other = icepool.d10.explode(depth=9).highest(4, 2) - 3 @ icepool.d6
    mixed = odds_of_roll("4k2 - 3d6 vs -3")
    assert mixed.chance == pytest.approx(float(other.probability(">=", -3)), abs=1e-8)
    assert mixed.distribution.mean == pytest.approx(1755586 / 100899 - 10.5, abs=1e-10)


def test_more_than_ten_dice_follow_the_option():
    convert, none = odds_of_roll("15k10 vs 60"), odds_of_roll("15k10 vs 60", over10="none")
    assert convert.distribution.mean == pytest.approx(10 * 55 / 9 + 50, abs=1e-11)
    assert convert.chance == pytest.approx(1, abs=1e-15)
    assert convert.notes == ("15k10 is rolled as 10k10 + 50 [FD-77]",)
    assert none.distribution.mean == roll_keep(15, 10, over10="none").mean
    assert none.notes == ()


def test_without_explosions_ten_is_the_most_a_die_shows():
    still = odds_of_roll("3k2 no explode vs 20")
    assert still.distribution.values[-1] == 20
    assert still.chance == pytest.approx(28 / 1000, abs=1e-15)


def test_a_pool_that_keeps_no_die_fails():
    assert odds_of_roll("3k0 + 9 vs 5").chance == 0
    assert odds_of_roll("3k0 + 9 vs 5").notes == ("no die is kept: the roll fails whatever its target [D-Q12]",)
    assert odds_of_roll("3k0 + d6 vs 1").chance == pytest.approx(1, abs=1e-15)
    assert odds_of_roll("3k0").notes == ()


def test_what_is_printed():
    assert odds_of_roll("2d2 + 1k0 vs 3").text() == (
        "2d2 + 1k0 vs 3\n"
        "meets or beats 3: 75 %\n"
        "mean 3.0000, standard deviation 0.7071\n"
        "quantiles 5 %, 25 %, 50 %, 75 %, 95 %: 2, 2, 3, 3, 4\n"
        "\n"
        "value     chance    or less    or more\n"
        "    2   25.000 %   25.000 %  100.000 %\n"
        "    3   50.000 %   75.000 %   75.000 %\n"
        "    4   25.000 %  100.000 %   25.000 %"
    )
    assert odds_of_roll("12k8").text().splitlines()[1] == "12k8 is rolled as 10k10 [FD-77]"


def test_the_largest_roll_that_is_allowed_comes_back():
    start = time.thread_time()
    odds = odds_of_roll("+".join(["100d1000"] * 20))
    assert odds.distribution.mean == pytest.approx(1_001_000, rel=1e-10)
    assert len(odds.text().splitlines()) < 110
    assert time.thread_time() - start < 5


@pytest.mark.parametrize(
    "text",
    [
        *("5k3", " 5 K 3 ", "3d6", "d100", "D100", "10k5 vs 30", "15k10+2", "4k2 - 3d6", "-3d6", "15+2k1", "5k3vs15"),
        *(
            "5k3 no explode",
            "5k3no explode",
            "5k",
            "3d",
            "k3",
            "5k3 vs",
            "5k + 2",
            "3d6*2",
            "5k!",
            "3d6 vs 1.5",
            "5k3d6",
        ),
    ],
)
def test_it_is_a_roll(text):
    assert is_roll(text)


@pytest.mark.parametrize(
    "text",
    [
        *("", "7", "town.toml", "5k3.toml", "5k3.TOML ", "maps/5k3", "maps\\5k3", "./3d6", "3d-town", "4k-town", "kd"),
        *("3d66town", "2d6_town", "dragon", "d6town", "d", "k", "vs 8", "3d town", "no explode", "\uff15k3"),
    ],
)
def test_it_is_a_file(text):
    assert not is_roll(text)
