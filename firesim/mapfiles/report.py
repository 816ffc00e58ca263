"""What an import read, guessed and dropped, told so that a game master can check it."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Shared:
    """A hex that stands for several small buildings: where, the building whose name it bears, and all of them."""

    cell: tuple[int, int]
    owner: str
    names: tuple[str, ...]

    @property
    def buildings(self) -> int:
        """How many buildings the hex stands for."""
        return len(self.names)


@dataclass
class Report:
    """Counts of an import, its measures (units end their names), warnings, and the table of defaults in force.

    `guessed` counts what the file does not say and the importer chose; `strict=True` refuses a file with any.
    """

    source: str = ""
    format: str = ""
    read: dict[str, int] = field(default_factory=dict)
    guessed: dict[str, int] = field(default_factory=dict)
    dropped: dict[str, int] = field(default_factory=dict)
    measures: dict[str, float] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    shared: list[Shared] = field(default_factory=list)
    defaults: str = ""

    def count(self, table: str, what: str, many: int = 1) -> None:
        """Add to one of the tables `read`, `guessed` or `dropped`; adding nothing leaves no line."""
        if many:
            counts: dict[str, int] = getattr(self, table)
            counts[what] = counts.get(what, 0) + many

    def text(self) -> str:
        """The whole report as lines of text."""
        lines = [f"{self.source}: {self.format}"]
        for title, counts in (("Read", self.read), ("Guessed", self.guessed), ("Dropped", self.dropped)):
            lines += _table(title, {what: f"{many:,}" for what, many in counts.items()})
        lines += _table("Measured", {what: _number(value) for what, value in self.measures.items()})
        lines += [f"Note: {note}" for note in self.notes]
        lines += [f"Warning: {warning}" for warning in self.warnings]
        if self.shared:
            lines.append("Hexes that stand for several buildings")
            for shared in self.shared[:20]:
                row, col = shared.cell
                lines.append(f"  [{row}, {col}] buildings = {shared.buildings}: {', '.join(shared.names)}")
            if len(self.shared) > 20:
                lines.append(f"  ... and {len(self.shared) - 20:,} more")
        if self.defaults:
            lines += ["Defaults for what the file does not say", *(f"  {line}" for line in self.defaults.splitlines())]
        return "\n".join(lines) + "\n"

    def __str__(self) -> str:
        return self.text()


def _table(title: str, rows: dict[str, str]) -> list[str]:
    """A title and one indented line for each row, the figures set flush right; nothing for no rows."""
    if not rows:
        return []
    width = max(len(value) for value in rows.values())
    return [title, *(f"  {value:>{width}}  {what}" for what, value in rows.items())]


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 or float(value).is_integer() else f"{value:,.3g}"
