"""Words that scenarios of every system share: what a block is, what a cell, a step or a seed may be."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from firesim.core.checking import FromList, Said

Whole = Annotated[int, Field(ge=0)]
Cell = Annotated[tuple[Whole, Whole], FromList, Said("a cell [row, col]", "cells [row, col]")]
Step = Annotated[int, Field(ge=1, le=100_000)]
Seed = Annotated[int, Field(ge=0, lt=2**63)]
Horizon = Annotated[int, Field(ge=0, le=100_000)]
Overrides = dict[str, dict[str, Annotated[int, Field(ge=-1_000_000, le=1_000_000)]]]
"""A scenario's own numbers for the book's tables."""


class Words(BaseModel):
    """A block of words: unknown keys are errors, numbers are not made from strings."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)
