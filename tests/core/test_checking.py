"""pydantic's errors in kind words."""

from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from firesim.core.checking import FromList, Said, problems_of


class Block(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class Inner(Block):
    kind: str
    several: bool = False


class Wind(Block):
    kind: Literal["wind"]
    heading: str


class Door(Block):
    kind: Literal["door"]
    open: bool


Cell = Annotated[tuple[int, int], FromList, Said("a cell [row, col]", "cells [row, col]")]


class Wide(Block):
    width: int
    height: int


class Outer(Block):
    mode: Literal["gritty", "simple"] = "gritty"
    size: Annotated[int, Field(ge=0, le=6)] | None = None
    least: Annotated[int, Field(ge=1)] = 1
    above: Annotated[float, Field(gt=0)] = 1.0
    below: Annotated[int, Field(lt=10)] = 1
    share: float = 0.5
    name: str = ""
    switch: bool = False
    six: Annotated[list[int], Field(min_length=6, max_length=6)] = [0] * 6
    cell: Cell = (0, 0)
    fuel: str | list[str | Inner] | None = None
    inner: Inner | None = None
    either: Wide | Inner | None = None
    words: Literal["go", "stay"] | list[Literal["go", "stay"]] = "go"
    many: list[Inner] = []
    named: dict[str, Inner] = {}
    events: list[Annotated[Wind | Door, Field(discriminator="kind")]] = []
    must: int


def said(**words):
    with pytest.raises(ValidationError) as error:
        Outer.model_validate({"must": 1, **words})
    return [str(problem) for problem in problems_of(error.value, Outer)]


CASES = {
    "an unknown key": ({"mod": 1}, "mod: unknown key 'mod': expected mode, size, "),
    "its nearest": ({"mod": 1}, "; did you mean 'mode'?"),
    "an unknown key in a list": (
        {"many": [{"kind": "a", "sevral": 1}]},
        "many[0].sevral: unknown key 'sevral': expected kind",
    ),
    "its nearest there": ({"many": [{"kind": "a", "sevral": 1}]}, "kind or several; did you mean 'several'?"),
    "an unknown key in a dict": (
        {"named": {"x": {"kind": "a", "knd": 1}}},
        "named.x.knd: unknown key 'knd': expected kind or",
    ),
    "an unknown key in a union": ({"fuel": [{"kind": "a", "sev": 1}]}, "fuel[0].sev: unknown key 'sev'"),
    "the nearest arm": ({"either": {"kind": "a", "x": 1}}, "either.x: unknown key 'x': expected kind or several"),
    "a word of a list of words": (
        {"words": ["go", "sty"]},
        "words[1]: words[1] is 'sty': expected go or stay; did you mean 'stay'?",
    ),
    "a word in place of several": (
        {"words": "sty"},
        "words: words is 'sty': expected go or stay; did you mean 'stay'?",
    ),
    "an unknown key of a kind": (
        {"events": [{"kind": "door", "open": True, "opn": 1}]},
        "'opn': expected kind or open",
    ),
    "a word": ({"mode": "grity"}, "mode: mode is 'grity': expected gritty or simple; did you mean 'gritty'?"),
    "a word of another type": ({"mode": 3}, "mode: mode is 3: expected gritty or simple"),
    "both bounds": ({"size": 7}, "size: size is 7: expected a whole number from 0 to 6"),
    "a lower bound": ({"least": 0}, "least is 0: expected a whole number of at least 1"),
    "a bound not reached": ({"above": 0.0}, "above is 0.0: expected a number above 0"),
    "an upper bound": ({"below": 10}, "below is 10: expected a whole number of at most 9"),
    "not a number": ({"share": float("nan")}, "share is nan (not a number to reckon with): expected a number"),
    "infinity": ({"share": float("inf")}, "share is inf"),
    "a number in quotes": (
        {"least": "3"},
        "least is '3': expected a whole number of at least 1; write it without quotes",
    ),
    "a broken number": ({"least": 3.0}, "least is 3.0: expected a whole number of at least 1; write 3"),
    "true for a number": ({"least": True}, "least is true: expected a whole number"),
    "a number for a text": ({"name": 3}, "name is 3: expected a text in quotes; put it in quotes"),
    "a text for a switch": ({"switch": "true"}, "switch is 'true': expected true or false; write it without quotes"),
    "a length": ({"six": [1, 2]}, "six: six has 2 items: expected a list of 6 whole numbers"),
    "an item": ({"six": [1, 2, 3, "4", 5, 6]}, "six[3]: six[3] is '4': expected a whole number"),
    "a short cell": ({"cell": [1]}, "cell: cell is too short: expected a cell [row, col]"),
    "a long cell": ({"cell": [1, 2, 3]}, "cell: cell has 3 items: expected a cell [row, col]"),
    "a cell of texts": ({"cell": [1, "2"]}, "cell[1]: cell[1] is '2': expected a whole number"),
    "no cell": ({"cell": 3}, "cell: cell is 3: expected a cell [row, col]"),
    "a table for a list": (
        {"many": {"kind": "a"}},
        "many is a table: expected a list of tables; write [[many]] with two brackets",
    ),
    "a list for a table": (
        {"inner": [{"kind": "a"}]},
        "inner is a list: expected a table; write [inner] with one bracket",
    ),
    "a missing key": ({"inner": {}}, "inner.kind: the key 'kind' is missing: expected a text in quotes"),
    "no arm of a union": (
        {"fuel": 3},
        "fuel: fuel is 3: expected a text in quotes or a list of texts in quotes or tables",
    ),
    "no arm inside": ({"fuel": ["a", 3]}, "fuel[1]: fuel[1] is 3: expected a text in quotes or a table"),
    "a key that is no text": ({"named": {3: {"kind": "a"}}}, "the key 3 is not a text"),
    "too large a number": ({"least": -(10**5000)}, "least is a number too large to hold"),
}


@pytest.mark.parametrize(("words", "message"), CASES.values(), ids=CASES)
def test_one_error_is_one_line(words, message):
    (line,) = said(**words)
    assert message in line


def test_a_missing_key_at_the_top():
    with pytest.raises(ValidationError) as error:
        Outer.model_validate({})
    assert [str(p) for p in problems_of(error.value, Outer)] == [
        "must: the key 'must' is missing: expected a whole number"
    ]


def test_a_document_that_is_no_table():
    with pytest.raises(ValidationError) as error:
        Outer.model_validate([1])
    assert [str(p) for p in problems_of(error.value, Outer)] == ["the scenario is a list: expected a table"]


def test_all_errors_are_told_at_once():
    lines = said(mode="x", size=9, fuel=[3, {"kind": 3}], inner={}, six=[], colour=1)
    assert len(lines) == 7
    assert sum(line.startswith("fuel") for line in lines) == 2


def test_lists_are_taken_for_cells_and_stay_strict_inside():
    assert Outer.model_validate({"must": 1, "cell": [4, 12]}).cell == (4, 12)
    for bad in ([True, 1], [1.0, 1], ["1", 1]):
        assert len(said(cell=bad)) == 1
