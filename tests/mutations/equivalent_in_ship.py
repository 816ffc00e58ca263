"""Mutants of the ship's rules that change nothing that can be seen, each with the reason why."""

from __future__ import annotations

EQUIVALENT: dict[str, str] = {}
