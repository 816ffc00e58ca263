"""Roll-and-keep against rational values from the book, against brute force and against icepool."""

import math
import time
from fractions import Fraction
from itertools import product

import icepool
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firesim.exact.roll_keep_odds import Pool, dice, highest_total, roll_keep

POOLS = st.integers(1, 12).flatmap(lambda n: st.tuples(st.just(n), st.integers(1, n)))


def chance_of_one(value: int) -> Fraction:
    """P(an exploding die shows value), from the rule: each ten is rolled on."""
    return Fraction(0) if value % 10 == 0 else Fraction(1, 10 ** (value // 10 + 1))


def mean_kept(rolled: int, kept: int) -> Fraction:
    """sum_m a_m sum_r ((11 - r) / 10)^m / (1 - 10^-m), where E[min(kept, Bin(rolled, p))] = sum_m a_m p^m."""
    total = Fraction(0)
    for m in range(1, rolled + 1):
        a = sum(
            min(kept, i) * math.comb(rolled, i) * math.comb(rolled - i, m - i) * (-1) ** (m - i) for i in range(m + 1)
        )
        faces = sum(Fraction(11 - r, 10) ** m for r in range(1, 11))
        total += a * faces / (1 - Fraction(1, 10**m))
    return total


def test_one_exploding_die_has_the_book_s_mean_and_tail_and_never_a_multiple_of_ten():
    one = roll_keep(1, 1)
    assert one.mean == pytest.approx(55 / 9, abs=1e-12)
    assert not np.any(one.values % 10 == 0)
    assert one.values[:12].tolist() == [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13]
    for q, r in product(range(5), range(1, 11)):
        assert one.at_least(10 * q + r) == pytest.approx((11 - r) / 10 ** (q + 1), abs=1e-14), (q, r)


REGULAR = [
    *[Fraction(55, 9), Fraction(25, 3), Fraction(15290, 999), Fraction(1755586, 100899), Fraction(27508315, 1122211)],
    *[Fraction(69430057745, 2615873841), Fraction(415863868811500, 12333208766679)],
]
REGULAR_PRINTED = [6.11111111, 8.33333333, 15.30530531, 17.39943904, 24.51260503, 26.54182196, 33.71903263]
REGULAR_PRINTED += [35.71008631, 42.92486907, 44.89109687]
COLD_PRINTED = [0, 0, 0, 10.68966987, 11.48745225, 12.16181908, 12.75063222, 22.35083360, 23.22609194, 24.02744394]


@pytest.mark.parametrize("fd", range(1, 11))
def test_mean_damage_of_every_fire_of_the_table(fd):
    regular, hot, cold = (roll_keep(fd, kept).mean for kept in ((fd + 1) // 2, fd, (0, 1, 2)[(fd >= 4) + (fd >= 8)]))
    if fd <= len(REGULAR):
        assert regular == pytest.approx(float(REGULAR[fd - 1]), abs=1e-10)
    assert regular == pytest.approx(REGULAR_PRINTED[fd - 1], abs=5.1e-9)
    assert hot == pytest.approx(fd * 55 / 9, abs=1e-10)
    assert cold == pytest.approx(COLD_PRINTED[fd - 1], abs=5.1e-9)
    if fd == 4:
        assert cold == pytest.approx(1078577 / 100899, abs=1e-10)


@pytest.mark.parametrize(("rolled", "kept"), [(8, 4), (10, 5), (10, 1), (13, 6), (25, 10)])
def test_means_follow_the_formula_in_rational_numbers(rolled, kept):
    assert roll_keep(rolled, kept, over10="none").mean == pytest.approx(float(mean_kept(rolled, kept)), abs=1e-11)


@pytest.mark.parametrize(
    ("fd", "expected"),
    [
        *[(1, Fraction(21, 25)), (2, Fraction(19, 100)), (3, Fraction(31103, 50000)), (4, Fraction(14603, 50000))],
        *[(5, Fraction(12893877, 25000000)), (6, Fraction(3867203, 12500000)), (7, Fraction(300683487, 625000000))],
        *[(8, Fraction(754935599, 2500000000)), (9, Fraction(9185244753, 20000000000))],
    ],
)
def test_growth_of_a_fire(fd, expected):
    half = (fd + 1) // 2
    assert Pool(2 * half, half).chance(5 * fd) == pytest.approx(float(expected), abs=1e-12)


@pytest.mark.parametrize(
    ("fd", "target", "expected"),
    [
        *[(3, 15, Fraction(93183, 100000)), (4, 35, Fraction(157506277, 500000000))],
        *[(5, 30, Fraction(2190617553, 2500000000)), (8, 50, Fraction(797929229229, 10**12))],
        *[(9, 50, Fraction(624994227, 625000000)), (10, 60, Fraction(1))],
    ],
)
def test_destruction_with_its_conversion_above_ten_dice(fd, target, expected):
    destruction = (fd + 1) // 2
    assert Pool(fd + destruction, fd).converted().chance(target) == pytest.approx(float(expected), abs=1e-12)


@pytest.mark.parametrize(
    ("finesse", "printed"),
    [(2, (0.06, 0.36, 0.722, 0.882, 0.9538)), (3, (0.004, 0.084, 0.3352, 0.6342, 0.81944))],
)
def test_clothes_catch_fire_when_finesse_fails(finesse, printed):
    failed = [Pool(finesse, finesse).classes([5 * fd])[0] for fd in range(1, 6)]
    assert failed == pytest.approx(printed, abs=1e-12)


@pytest.mark.parametrize(("rolled", "kept"), [(1, 1), (2, 1), (2, 2), (3, 1), (3, 2), (4, 3)])
def test_every_total_agrees_with_all_faces_written_out(rolled, kept):
    most = 21 if rolled == 4 else 45
    exact: dict[int, Fraction] = {}
    faces = [v for v in range(1, most + 1) if v % 10]
    # A total up to `most` needs no die above it; ordered faces, each with the number of its arrangements.
    for shown in product(faces, repeat=rolled):
        if list(shown) == sorted(shown, reverse=True) and sum(shown[:kept]) <= most:
            ways = math.factorial(rolled) // math.prod(math.factorial(shown.count(v)) for v in set(shown))
            exact[sum(shown[:kept])] = exact.get(sum(shown[:kept]), Fraction(0)) + ways * math.prod(
                chance_of_one(v) for v in shown
            )
    found = roll_keep(rolled, kept)
    assert len(exact) > 15
    for total in range(most + 1):
        assert found.exactly(total) == pytest.approx(float(exact.get(total, 0)), rel=1e-12, abs=1e-16), total


@pytest.mark.parametrize(("rolled", "kept"), [(1, 1), (3, 2), (5, 3), (7, 1), (7, 7), (8, 4), (10, 2), (10, 5)])
def test_icepool_agrees_on_exploding_dice(rolled, kept):
    other = icepool.d10.explode(depth=9).highest(rolled, kept)
    ours = roll_keep(rolled, kept)
    chances = {int(v): float(p) for v, p in zip(other.outcomes(), other.probabilities(), strict=True)}
    for total in range(ours.values[-1] + 1):
        assert ours.exactly(total) == pytest.approx(chances.get(total, 0.0), abs=1e-8), total
    assert ours.mean == pytest.approx(float(other.mean()), abs=1e-6)


@pytest.mark.parametrize(("rolled", "kept"), [(1, 1), (4, 2), (10, 10), (12, 3)])
def test_icepool_agrees_on_dice_that_do_not_explode(rolled, kept):
    other = icepool.d10.highest(rolled, kept)
    ours = roll_keep(rolled, kept, explode=False, over10="none")
    assert ours.missing == 0
    assert ours.values.tolist() == list(other.outcomes())
    assert ours.probabilities == pytest.approx([float(p) for p in other.probabilities()], abs=1e-14)


@pytest.mark.parametrize(
    ("pool", "expected"),
    [
        (Pool(15, 10), Pool(10, 10, bonus=50)),
        (Pool(12, 8), Pool(10, 10)),
        (Pool(14, 9), Pool(10, 10, bonus=30)),
        (Pool(11, 3), Pool(10, 4)),
        (Pool(10, 10), Pool(10, 10)),
        (Pool(12, 0), Pool(10, 2)),
        (Pool(13, 10, explode=False, bonus=2), Pool(10, 10, explode=False, bonus=32)),
    ],
)
def test_surplus_rolled_dice_become_kept_and_surplus_kept_ten_each(pool, expected):
    assert pool.converted() == expected
    assert pool.converted("none") == pool


def test_without_conversion_all_the_dice_are_rolled():
    other = icepool.d10.explode(depth=5).highest(13, 2)
    assert roll_keep(13, 2, over10="none").mean == pytest.approx(float(other.mean()), abs=1e-3)
    assert roll_keep(13, 2).mean == roll_keep(10, 5).mean
    assert roll_keep(15, 10).mean == pytest.approx(10 * 55 / 9 + 50, abs=1e-11)


def test_a_lost_kept_die_is_a_rolled_one_too_unless_the_option_says_otherwise():
    assert Pool(5, 3).less(kept=1) == Pool(4, 2)
    assert Pool(5, 3).less(kept=1, penalty="kept") == Pool(5, 2)
    assert Pool(5, 3).less(unkept=1) == Pool(4, 3)
    assert Pool(2, 2).less(unkept=1) == Pool(1, 1)
    assert Pool(2, 1).less(kept=2) == Pool(0, 0)
    assert Pool(3, 1).less(kept=2, penalty="kept") == Pool(3, 0)
    assert Pool(12, 8, bonus=1).less(kept=1).converted() == Pool(10, 8, bonus=1)


def test_a_pool_that_keeps_no_die_is_worth_nothing_and_fails_whatever_the_target():
    for rolled in (0, 3):
        assert roll_keep(rolled, 0).values.tolist() == [0]
        assert Pool(rolled, 0).chance(0) == 0
        assert Pool(rolled, 0, bonus=9).chance(-1) == 0
        assert Pool(rolled, 0).classes([-5, 0]).tolist() == [1, 0, 0]
    assert Pool(1, 1).chance(0) == 1


@pytest.mark.parametrize("wrong", [(2, 3), (1, -1), (-1, -1)])
def test_a_pool_cannot_keep_more_than_it_rolls(wrong):
    with pytest.raises(ValueError, match="expected from 0 kept dice up to as many as are rolled"):
        Pool(*wrong)


def test_a_target_is_met_by_reaching_it():
    assert Pool(1, 1).chance(9) == pytest.approx(0.2, abs=1e-15)
    assert Pool(1, 1).chance(10) == Pool(1, 1).chance(11) == pytest.approx(0.1, abs=1e-15)


def test_classes_add_up_to_one_and_are_the_tails_between_their_thresholds():
    row = Pool(6, 3, bonus=4).classes([10, 25, 40])
    beyond = [roll_keep(6, 3).at_least(n - 4) for n in (10, 25, 40)]
    assert row == pytest.approx([1 - beyond[0], beyond[0] - beyond[1], beyond[1] - beyond[2], beyond[2]], abs=1e-14)
    for rolled in range(1, 11):
        assert math.fsum(Pool(rolled, 1).classes([10])) == pytest.approx(1, abs=3e-16)
    assert math.fsum(Pool(40, 1).classes([10])) == pytest.approx(1, abs=3e-16)  # its totals add up to 1 - 1e-15


def test_no_class_is_negative_and_what_cannot_happen_has_no_chance():
    for rolled in range(1, 11):
        assert min(Pool(rolled, rolled).classes([10_000])) >= 0
        assert Pool(rolled, rolled, explode=False).classes([10 * rolled + 1])[1] == 0


def test_sums_of_plain_dice():
    other = 3 @ icepool.d6
    assert dice(3, 6).probabilities == pytest.approx([float(p) for p in other.probabilities()], abs=1e-15)
    assert dice(3, 6).values.tolist() == list(range(3, 19))
    assert dice(1, 100).at_most(35) == pytest.approx(0.35, abs=1e-14)
    assert dice(100, 1000).mean == pytest.approx(50050, rel=1e-11)
    assert dice(100, 1000).variance == pytest.approx(100 * (1000**2 - 1) / 12, rel=1e-9)


@settings(max_examples=40, deadline=None)
@given(POOLS, st.booleans())
def test_probabilities_add_up_and_more_dice_are_worth_more(pool, explode):
    rolled, kept = pool
    here = roll_keep(rolled, kept, explode, "none")
    assert math.fsum(here.probabilities) == pytest.approx(1 - here.missing, abs=1e-14)
    assert (0 < here.missing < 1e-13) if explode else here.missing == 0
    assert roll_keep(rolled + 1, kept, explode, "none").mean > here.mean
    assert roll_keep(rolled + 1, kept + 1, explode, "none").mean > roll_keep(rolled + 1, kept, explode, "none").mean


@pytest.mark.parametrize(("rolled", "kept"), [(1, 1), (6, 3), (10, 10), (40, 1), (40, 20), (40, 40)])
def test_the_totals_left_out_are_less_likely_than_rounding(rolled, kept):
    # The sum of all the dice is above that of the kept ones by at least 1 for each of the others.
    whole = roll_keep(1, 1).times(rolled)
    highest = highest_total(rolled, kept)
    by_all = whole.at_least(highest + rolled - kept + 1)
    by_kept = math.comb(rolled, kept) * roll_keep(1, 1).times(kept).at_least(highest + 1)
    assert min(by_all, by_kept) < 1e-15
    assert roll_keep(rolled, kept, over10="none").missing < 1e-13


@pytest.mark.parametrize(("rolled", "kept"), [(40, 40), (40, 20), (40, 3)])
def test_forty_dice_take_no_time(rolled, kept):
    spent = []
    for _ in range(5):
        roll_keep.cache_clear()
        start = time.thread_time()  # of this thread: other programs do not count
        roll_keep(rolled, kept, over10="none")
        spent.append(time.thread_time() - start)
    assert min(spent) < 0.05
    if rolled == kept:
        assert roll_keep(rolled, kept, over10="none").mean == pytest.approx(rolled * 55 / 9, abs=1e-10)
