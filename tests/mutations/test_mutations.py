"""Every rule of a system, broken, is noticed: a few functions here, all of them in the long suite."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from firesim.rules.base import SYSTEMS
from tests.mutations import breaking
from tests.mutations.__main__ import EQUIVALENT, FILES, every_mutant
from tests.mutations.forgetting import FORGOTTEN

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
    command = [sys.executable, "-m", "tests.mutations", *arguments]
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


def test_every_system_is_broken() -> None:
    assert sorted(FILES) == sorted(EQUIVALENT) == sorted(FORGOTTEN) == sorted(SYSTEMS)


@pytest.mark.parametrize("system", FILES)
def test_every_compiled_rule_file_is_broken(system: str) -> None:
    folder = ROOT / "firesim" / "rules" / system
    compiled = {path.stem for path in folder.glob("*.py") if "\n@jit\n" in path.read_text(encoding="utf-8")}
    assert compiled == set(FILES[system])


@pytest.mark.parametrize("system", FILES)
def test_every_rule_function_has_a_mutant(system: str) -> None:
    folder = ROOT / "firesim" / "rules" / system
    every = {mutant.where for mutant in every_mutant(system)}
    for file in FILES[system]:
        for node in ast.parse((folder / f"{file}.py").read_text(encoding="utf-8")).body:
            assert not isinstance(node, ast.FunctionDef) or f"{file}.{node.name}" in every, f"{file}.{node.name}"


@pytest.mark.parametrize("system", FILES)
def test_mutants_called_equivalent_exist_and_have_a_reason(system: str) -> None:
    every = {mutant.name for mutant in every_mutant(system)}
    assert sorted(set(EQUIVALENT[system]) - every) == []
    assert all(EQUIVALENT[system].values())


SOME = {
    "town": ("net_damage", "armour_left", "goes_external", "flares_up", "sparks_land", "in_arc"),
    "ship": ("ignites", "damage_of", "hull_number", "adjacent", "station_difficulty", "weapon_takes_hold"),
}


@pytest.mark.parametrize("system", FILES)
def test_some_broken_rules_are_noticed(system: str) -> None:
    functions = SOME[system]
    done = run(system, "--per-function", "1", "--scenarios", "0", "--function", *functions)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("\ncaught ") + done.stdout.startswith("caught ") == len(functions), done.stdout


@pytest.mark.long
@pytest.mark.parametrize("system", FILES)
def test_every_broken_rule_is_noticed(system: str) -> None:
    done = run(system)
    assert done.returncode == 0, done.stdout + done.stderr
