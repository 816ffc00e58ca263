"""A ship's map as far as its words are valid, and what can be wrong with the places that other keys name on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from firesim.core.maps import OPEN, cell_name, symbols
from firesim.core.meaning import as_far_as_valid, off_map_problems
from firesim.core.problems import Problem, Where
from firesim.rules.ship.words import Legend


@dataclass(frozen=True)
class Deck:
    """`tokens`: symbols by row, empty when the rows cannot be read; `legend`: an entry for each symbol, None where its
    words are of no use; `problems`: those of the rows."""

    tokens: list[list[str]]
    legend: dict[str, Legend | None]
    problems: list[Problem]

    @classmethod
    def of(cls, block: object) -> Deck:
        """The deck of a `[map]`, whatever it holds."""
        block = block if isinstance(block, Mapping) else {}
        entries = block.get("legend", {})
        whole = isinstance(entries, Mapping)
        legend = {s: as_far_as_valid(Legend, e) for s, e in entries.items() if isinstance(s, str)} if whole else {}
        rows = block.get("rows")
        tokens: list[list[str]] = []
        problems: list[Problem] = []
        if isinstance(rows, list) and all(isinstance(row, str) for row in rows):
            tokens, problems = symbols(rows, legend if whole else None)
        return cls(tokens, legend, problems)

    def symbol(self, cell: tuple[int, int]) -> str | None:
        """The symbol of a cell; None where the map has none there."""
        row, col = cell
        return self.tokens[row][col] if row < len(self.tokens) and col < len(self.tokens[row]) else None

    def module_problems(self, cell: tuple[int, int], where: Where) -> list[Problem]:
        """What is wrong with a cell that should be a module; nothing where the map cannot tell."""
        if off := off_map_problems(cell, self.tokens, where):
            return off
        if self.symbol(cell) != OPEN:
            return []
        return [Problem(f"cell {cell_name(*cell)} is space, outside the hull", "a module of the map", "", where)]
