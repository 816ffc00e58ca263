"""Every rule of the town, broken, is noticed: a few functions here, all of them in the long suite."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutations import breaking, town
from tests.mutations.equivalent_in_town import EQUIVALENT

ROOT = Path(__file__).resolve().parents[2]

SOURCE = '''
def rule(log, st, net):
    """What the rule does: 1."""
    note(log, st + 1)
    if st <= 0 and net > 1:
        state[0] = max(st - net, 0)
    return st
'''


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.mutations.town", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8")


def test_mutants_break_a_function_in_one_place(tmp_path: Path) -> None:
    (tmp_path / "rule.py").write_text(SOURCE, encoding="utf-8")
    made = breaking.mutants(tmp_path / "rule.py")
    assert len({mutant.source for mutant in made}) == len({mutant.name for mutant in made}) == len(made)
    assert {mutant.kind for mutant in made} == set(breaking.KINDS)
    whole = ast.unparse(ast.parse(SOURCE).body[0])
    for mutant in made:
        differing = [a for a, b in zip(whole.splitlines(), mutant.source.splitlines(), strict=True) if a != b]
        assert len(differing) == 1, mutant.name
        assert "note(log, st + 1)" in mutant.source, "what is only told is left alone"
    changes = {mutant.change for mutant in made}
    assert {"`st <= 0` -> `st < 0`", "`net > 1` -> `net >= 1`", "`st - net` -> `st + net`"} <= changes


def test_every_rule_function_of_the_town_has_a_mutant() -> None:
    folder = ROOT / "firesim" / "rules" / "town"
    every = {mutant.function for mutant in town.every_mutant()}
    for file in town.FILES:
        for node in ast.parse((folder / f"{file}.py").read_text(encoding="utf-8")).body:
            assert not isinstance(node, ast.FunctionDef) or node.name in every, f"{file}.{node.name}"


def test_mutants_called_equivalent_exist_and_have_a_reason() -> None:
    every = {mutant.name for mutant in town.every_mutant()}
    assert sorted(set(EQUIVALENT) - every) == []
    assert all(EQUIVALENT.values())


def test_some_broken_rules_are_noticed() -> None:
    functions = ("net_damage", "armour_left", "goes_external", "flares_up", "sparks_land", "in_arc")
    done = run("--per-function", "1", "--towns", "0", "--function", *functions)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("\ncaught ") + done.stdout.startswith("caught ") == len(functions), done.stdout


@pytest.mark.long
def test_every_broken_rule_is_noticed() -> None:
    done = run()
    assert done.returncode == 0, done.stdout + done.stderr
