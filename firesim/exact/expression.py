"""Rolls as people write them: `5k3`, `3d6`, `10k5 vs 30`, `2d6 + 1 vs 8`, and their exact odds."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, NoReturn

import numpy as np
from numpy.typing import NDArray

from firesim.core.problems import InputError, Problem, listed
from firesim.exact.distribution import Distribution
from firesim.exact.roll_keep_odds import Over10, Pool, dice

DICE_MOST = 100
TERMS_MOST = 20
SIDES_LEAST, SIDES_MOST = 2, 1000
NUMBER_MOST = 1_000_000
LENGTH_MOST = 400

KINDS = "dice (5k3, 3d6, d100) or a number"
SIGN = "[+−–-]"
MINUS = "[−–-]"
NO_EXPLODE = r"no[\s-]*explode\b"
NO_EXPLODE_HINT = "'no explode' stands once, at the end, and holds for all k-dice"
TARGET_HINT = "write 'vs' before the number to meet or beat"
SUM_HINT = "dice are only added and subtracted"
HINTS = {
    "!": "tens of k-dice explode without a sign; 'no explode' at the end stops them",
    ".": "only whole numbers",
    **dict.fromkeys(("no", "explode", "+", "-", "−", "–"), NO_EXPLODE_HINT),
    **dict.fromkeys((">", "=", "tn", "against", "versus"), TARGET_HINT),
    **dict.fromkeys(("*", "x", "/", "×"), SUM_HINT),
}
"""What to say of a word or sign where a roll could only go on otherwise."""


@dataclass(frozen=True, slots=True)
class Term:
    """One summand: `keep` (roll count, keep size), `sum` (count dice of size sides) or `number` (count)."""

    sign: int
    kind: Literal["keep", "sum", "number"]
    count: int
    size: int = 0

    def __str__(self) -> str:
        if self.kind == "keep":
            return f"{self.count}k{self.size}"
        if self.kind == "sum":
            return f"{self.count if self.count > 1 else ''}d{self.size}"
        return str(self.count)

    def distribution(self, explode: bool = True, over10: Over10 = "convert") -> Distribution:
        """The distribution of this summand, its sign included."""
        if self.kind == "keep":
            whole = Pool(self.count, self.size, explode).converted(over10).distribution()
        elif self.kind == "sum":
            whole = dice(self.count, self.size)
        else:
            whole = Distribution.constant(self.count)
        return whole if self.sign > 0 else -whole


@dataclass(frozen=True, slots=True)
class Expression:
    """A roll: the sum of its terms, whether the tens of its k-dice explode, and the number to meet or beat.

    `str` writes it so that `parse` reads the same again.
    """

    terms: tuple[Term, ...]
    explode: bool = True
    target: int | None = None

    def __str__(self) -> str:
        text = "-" if self.terms[0].sign < 0 else ""
        text += str(self.terms[0])
        for term in self.terms[1:]:
            text += f" {'-' if term.sign < 0 else '+'} {term}"
        text += "" if self.explode else " no explode"
        return text if self.target is None else f"{text} vs {self.target}"

    def distribution(self, over10: Over10 = "convert") -> Distribution:
        """The distribution of the total."""
        total = Distribution.constant(0)
        for term in self.terms:
            total = total + term.distribution(self.explode, over10)
        return total

    def keeps_no_die(self, over10: Over10 = "convert") -> bool:
        """Whether the dice rolled are a pool that keeps none: it fails whatever its target. [A0-10, D-Q12]"""
        rolled = [term for term in self.terms if term.sign > 0 and term.kind != "number"]
        return bool(rolled) and all(
            term.kind == "keep" and Pool(term.count, term.size).converted(over10).kept == 0 for term in rolled
        )


@dataclass(frozen=True, slots=True)
class RollOdds:
    """The exact odds of a roll. chance: of meeting or beating the target; None without one."""

    expression: Expression
    distribution: Distribution
    target: int | None
    chance: float | None
    notes: tuple[str, ...] = ()

    @property
    def values(self) -> NDArray[np.int64]:
        """The totals that can be rolled, ascending."""
        return self.distribution.values

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """The probability of each total."""
        return self.distribution.probabilities

    @property
    def mean(self) -> float:
        """The mean total."""
        return self.distribution.mean

    @property
    def variance(self) -> float:
        """The variance of the total."""
        return self.distribution.variance

    def quantile(self, q: float) -> float:
        """The lowest total that is not exceeded with probability q."""
        return self.distribution.quantile(q)

    def text(self) -> str:
        """The chance, the mean, the quantiles and the table, as the command line prints them."""
        d = self.distribution
        quantiles = [f"{d.quantile(q):.0f}" for q in (0.05, 0.25, 0.5, 0.75, 0.95)]
        lines = [str(self.expression), *self.notes]
        if self.chance is not None:
            lines.append(f"meets or beats {self.target}: {100 * self.chance:.6g} %")
        lines.append(f"mean {d.mean:.4f}, standard deviation {d.deviation:.4f}")
        lines.append(f"quantiles 5 %, 25 %, 50 %, 75 %, 95 %: {', '.join(quantiles)}")
        return "\n".join([*lines, "", d.text()])


def odds_of_roll(text: str, over10: Over10 = "convert") -> RollOdds:
    """The exact odds of a written roll; `over10` is the reading of pools of more than ten dice. [FD-77, A0-04]

    Raises InputError, with a caret under the place, when the text is not a roll.

    >>> round(odds_of_roll("5k5 vs 30").chance, 9)
    0.489421
    """
    expression = parse(text)
    total = expression.distribution(over10)
    notes = []
    for term in expression.terms:
        if term.kind == "keep" and (pool := Pool(term.count, term.size)) != (after := pool.converted(over10)):
            notes.append(f"{pool} is rolled as {after} [FD-77]")
    chance = None if expression.target is None else total.at_least(expression.target)
    if chance is not None and expression.keeps_no_die(over10):
        chance = 0.0
        notes.append("no die is kept: the roll fails whatever its target [D-Q12]")
    return RollOdds(expression, total, expression.target, chance, tuple(dict.fromkeys(notes)))


def is_roll(text: str) -> bool:
    """Whether an argument means a roll rather than a file: it begins with dice and has no folder and no file ending.

    A roll with a slip in it (`5k`, `3d6 vs`) is still one, so that `parse` can say what is wrong.
    """
    if "/" in text or "\\" in text or re.search(r"\.[a-z]\w*\s*$", text, re.IGNORECASE):
        return False
    lead = rf"\s*{SIGN}?\s*(?:[0-9]+\s*{SIGN}\s*)*"
    whole = rf"[0-9]*\s*[kd]\s*[0-9]+(?:$|\W|[kd]|vs|{NO_EXPLODE})"
    cut_short = rf"[0-9]+\s*[kd]\s*(?:$|[+!]|{SIGN}\s*[0-9]|vs\b|{NO_EXPLODE})"
    return re.match(f"{lead}(?:{whole}|{cut_short})", text, re.IGNORECASE | re.ASCII) is not None


def parse(text: str) -> Expression:
    """Read a roll; blanks and capitals do not matter.

    Terms joined by + and -, then `no explode`, then `vs` and the number to meet or beat. A term: `5k3`, `3d6`, `d100`
    or a number. Raises InputError with the text and a caret under the place; numbers out of their range are all told
    at once.
    """
    return _Reader(text).expression()


class _Reader:
    """The text and how far it has been read."""

    def __init__(self, text: str) -> None:
        self.text = "".join(c if c.isprintable() else " " for c in text).rstrip()
        self.at = 0
        self.problems: list[Problem] = []
        if len(text) > LENGTH_MOST:
            what = f"the roll is {len(text):,} characters long"
            raise InputError(Problem(what, f"at most {LENGTH_MOST} characters"))

    def expression(self) -> Expression:
        """The whole text."""
        sign = self.take(SIGN) or "+"
        places, terms = [self.at_next()], [self.term(1 if sign == "+" else -1)]
        while (sign := self.take(SIGN) or "") != "":
            places.append(self.at_next())
            terms.append(self.term(1 if sign == "+" else -1))
        explode = self.at_explode()
        target = self.target()
        if explode < 0 and target is not None:
            explode = self.at_explode()
        if self.next():
            ways = ["'+'", "'-'"] if target is None and explode < 0 else []
            ways += ["'no explode'"] if explode < 0 else []
            ways += ["'vs'"] if target is None else []
            hint = HINTS.get(self.found().strip("'").lower(), "")
            self.fail(f"{self.found()} does not belong here", listed([*ways, "the end"]), hint=hint)
        if len(terms) > TERMS_MOST:
            self.note(places[TERMS_MOST], f"the roll has {len(terms)} terms", f"at most {TERMS_MOST}")
        if all(term.kind == "number" for term in terms):
            self.note(places[0], "the roll has no dice", KINDS.removesuffix(" or a number"))
        elif explode >= 0 and all(term.kind != "keep" for term in terms):
            self.note(explode, "'no explode' without k-dice", "k-dice (5k3), the only ones that explode")
        if self.problems:
            raise InputError(self.problems)
        return Expression(tuple(terms), explode < 0, target)

    def term(self, sign: int) -> Term:
        """One summand after its sign."""
        start = self.at_next()
        count = self.take("[0-9]+")
        place = self.at_next()
        letter = (self.take("[kd]") or "").lower()
        if not letter:
            if count is None:
                self.fail(f"{self.found()} is no dice" if self.next() else "the roll ends too early", KINDS)
            return Term(sign, "number", self.number(count, start, 0, NUMBER_MOST, "the number"))
        if letter == "k" and count is None:
            self.fail("how many dice are rolled is missing", "a number before 'k', as in 5k3", place)
        second = self.at_next()
        size = self.take("[0-9]+")
        if size is None:
            missing = "how many dice are kept" if letter == "k" else "how many sides the dice have"
            self.fail(f"{missing} is missing", f"a number after '{letter}', as in {'5k3' if letter == 'k' else '3d6'}")
        if letter == "d":
            dice_count = self.number(count or "1", start, 1, DICE_MOST, "the number of dice")
            return Term(
                sign, "sum", dice_count, self.number(size, second, SIDES_LEAST, SIDES_MOST, "the number of sides")
            )
        rolled = self.number(count or "", start, 0, DICE_MOST, "the number of dice")
        kept = self.number(size, second, 0, DICE_MOST, "the number of dice kept")
        if rolled < kept <= DICE_MOST:
            what = f"{kept} dice kept of {rolled} rolled"
            self.note(second, what, f"at most {rolled}", "the dice rolled come first, as in 5k3")
        return Term(sign, "keep", rolled, kept)

    def at_explode(self) -> int:
        """Where `no explode` stands, when it comes next; else -1."""
        place = self.at_next()
        return place if self.take(NO_EXPLODE) else -1

    def target(self) -> int | None:
        """The number after `vs`, when that comes next."""
        if not self.take(r"vs(?![a-z])\.?"):
            return None
        minus = self.take(MINUS)
        place = self.at_next()
        digits = self.take("[0-9]+")
        if digits is None:
            self.fail("the target number is missing", "the number to meet or beat, as in 5k3 vs 15")
        return self.number(digits, place, 0, NUMBER_MOST, "the target number") * (-1 if minus else 1)

    def number(self, digits: str, place: int, least: int, most: int, what: str) -> int:
        """The number written by `digits`; noted when out of its range."""
        short = digits.lstrip("0") or "0"
        value = int(short[:9])
        if len(short) > 9 or not least <= value <= most:
            shown = short if len(short) <= 9 else f"{short[:9]}..."
            self.note(place, f"{what} is {shown}", f"from {least} to {most:,}")
        return value

    def take(self, pattern: str) -> str | None:
        """Read on past blanks and `pattern`, when it comes next."""
        match = re.compile(rf"\s*({pattern})", re.IGNORECASE | re.ASCII).match(self.text, self.at)
        if match is None:
            return None
        self.at = match.end()
        return match[1]

    def at_next(self) -> int:
        """The place of the next character that is not blank (the end of the text when there is none)."""
        rest = self.text[self.at :]
        return self.at + len(rest) - len(rest.lstrip())

    def next(self) -> str:
        """The next character that is not blank, or nothing."""
        return self.text[self.at_next() : self.at_next() + 1]

    def found(self) -> str:
        """The next word or sign, as a message names it."""
        match = re.compile(r"[^\W\d]+|\d+|\W").match(self.text, self.at_next())
        return f"'{match[0]}'" if match else "nothing"

    def note(self, place: int, what: str, expected: str, hint: str = "") -> None:
        """One problem at a place of the text."""
        self.problems.append(Problem(what, expected, hint, excerpt=f"{self.text}\n{' ' * place}^"))

    def fail(self, what: str, expected: str, place: int | None = None, hint: str = "") -> NoReturn:
        """Reading cannot go on: raise what was found so far and this."""
        self.note(self.at_next() if place is None else place, what, expected, hint)
        raise InputError(self.problems)
