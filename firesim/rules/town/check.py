"""Everything that can be wrong with a town scenario, told all at once [D-W13..D-W15]."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from firesim.core.checking import problems_of
from firesim.core.meaning import TITLE_MOST, as_far_as_valid, table_problems, text_problems
from firesim.core.problems import Problem
from firesim.rules.town.check_happenings import event_problems, ignite_problems, watch_problems
from firesim.rules.town.check_map import Plan, map_problems, wind_problem
from firesim.rules.town.names import book
from firesim.rules.town.words import Options, Town, Weather


def check(document: Mapping[str, Any]) -> tuple[Town | None, list[Problem]]:
    """A town scenario's checked words, or None with everything that is wrong with it.

    First the words (unknown keys, wrong types, numbers out of bounds), then, as far as the words serve, what they
    mean on this map. `where` of each problem leads into `document`. Never raises, whatever the document holds.
    """
    town: Town | None = None
    problems: list[Problem] = []
    try:
        town = Town.model_validate(document)
    except ValidationError as error:
        problems = problems_of(error, Town)
    if isinstance(document, Mapping):
        problems += _meaning_problems(document)
    return (None if problems else town), problems


def _meaning_problems(document: Mapping[str, Any]) -> list[Problem]:
    """What is wrong with the meaning of a document, whose words may be wrong in part."""
    plan = Plan.of(document.get("map"))
    found = text_problems(document.get("title"), TITLE_MOST, ("title",))
    found += map_problems(document.get("map"), plan)
    weather = as_far_as_valid(Weather, document.get("weather"))
    if weather:
        found += wind_problem(weather.wind, plan.orientation, ("weather", "wind"))
    options = as_far_as_valid(Options, document.get("options"))
    if options and sum(options.wind_weights) != 6:
        what = f"wind_weights add up to {sum(options.wind_weights)}"
        hint = "they are sixths: downwind first, then anticlockwise"
        found.append(Problem(what, "6", hint, ("options", "wind_weights")))
    found += ignite_problems(document.get("ignite"), plan)
    found += event_problems(document.get("event"), plan)
    found += watch_problems(document.get("watch"), plan)
    return found + table_problems(document.get("tables"), book())
