"""Mutants of a source file: every function broken in one small way at a time.

A mutant flips a comparison, swaps `and` and `or`, `+` and `-`, `min` and `max`, moves a number by one, negates a
condition, or leaves a statement out. What only writes the log (`note(...)`) is left alone.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

KINDS = ("compare", "drop", "constant", "arithmetic", "and/or", "negate")

COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}
RECKONED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
}
SWAPPED = {"min": "max", "max": "min"}


@dataclass(frozen=True)
class Mutant:
    """One way of breaking one function: what it was, what it is, and the function's source."""

    file: str
    function: str
    kind: str
    line: int
    change: str
    source: str

    @property
    def name(self) -> str:
        """The mutant without its line, for lists that have to last."""
        return f"{self.where}: {self.change}"

    @property
    def where(self) -> str:
        """The function with its file; two files may each have one of that name."""
        return f"{Path(self.file).stem}.{self.function}"


def mutants(path: Path) -> list[Mutant]:
    """All mutants of the functions of a file, in the order of its lines."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found: list[Mutant] = []
    for function in tree.body:
        if isinstance(function, ast.FunctionDef):
            for number, node in enumerate(_nodes(function)):
                found += _mutants_of(path.name, function, number, node)
    seen: dict[str, int] = {}
    numbered = []
    for mutant in found:
        seen[mutant.name] = seen.get(mutant.name, 0) + 1
        again = f" (no. {seen[mutant.name]})" if seen[mutant.name] > 1 else ""
        numbered.append(Mutant(**{**vars(mutant), "change": mutant.change + again}))
    return numbered


def chosen(every: list[Mutant], per_function: int) -> list[Mutant]:
    """At most so many mutants of each function, of as many kinds as there are, taken from both ends in turn."""
    picked: list[Mutant] = []
    for where in dict.fromkeys(mutant.where for mutant in every):
        rest = {kind: [m for m in every if m.where == where and m.kind == kind] for kind in KINDS}
        taken: list[Mutant] = []
        while len(taken) < per_function and any(rest.values()):
            for kind in KINDS:
                if rest[kind] and len(taken) < per_function:
                    taken.append(rest[kind].pop(0 if len(taken) < len(KINDS) else -1))
        picked += sorted(taken, key=lambda m: m.line)
    return picked


def _nodes(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """The nodes of a function's body in a fixed order, docstring and notes for the log left out."""

    def walk(node: ast.AST) -> Iterator[ast.AST]:
        yield node
        for child in ast.iter_child_nodes(node):
            if not _is_silent(child):
                yield from walk(child)

    for statement in function.body:
        if not _is_silent(statement):
            yield from walk(statement)


def _is_silent(node: ast.AST) -> bool:
    if not isinstance(node, ast.Expr):
        return False
    value = node.value
    return isinstance(value, ast.Constant) or (
        isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "note"
    )


def _mutants_of(file: str, whole: ast.FunctionDef, number: int, node: ast.AST) -> Iterator[Mutant]:
    for kind, change in _changes(node):
        function = copy.deepcopy(whole)
        target = list(_nodes(function))[number]
        before = _short(node)
        replaced = change(target)
        if replaced is not None:
            _replace(function, target, replaced)
        after = "nothing" if isinstance(replaced, ast.Pass) else _short(replaced or target)
        ast.fix_missing_locations(function)
        yield Mutant(file, function.name, kind, node.lineno, f"`{before}` -> `{after}`", ast.unparse(function))  # type: ignore[attr-defined]


def _short(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 90 else text[:87] + "..."


def _replace(function: ast.FunctionDef, old: ast.AST, new: ast.AST) -> None:
    class Swap(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            return new if node is old else self.generic_visit(node)

    Swap().visit(function)


Change = Callable[[ast.AST], ast.AST | None]
"""Changes a node in place (None), or returns what stands in its place."""


def _changes(node: ast.AST) -> Iterator[tuple[str, Change]]:
    if isinstance(node, ast.Compare):
        for i, op in enumerate(node.ops):
            if type(op) in COMPARED:
                yield "compare", _comparison(i, COMPARED[type(op)])
    elif isinstance(node, ast.Constant) and isinstance(node.value, (int, bool)):
        value = node.value
        yield (
            "constant",
            lambda _: ast.Constant(not value if isinstance(value, bool) else 0 if value == 1 else value + 1),
        )
    elif isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in RECKONED:
        yield "arithmetic", _operator(RECKONED[type(node.op)])
    elif isinstance(node, ast.BoolOp):
        yield "and/or", _operator(ast.Or if isinstance(node.op, ast.And) else ast.And)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SWAPPED:
        name = SWAPPED[node.func.id]
        yield "arithmetic", lambda call: ast.Call(ast.Name(name, ast.Load()), call.args, [])  # type: ignore[attr-defined]
    if isinstance(node, (ast.If, ast.IfExp)):
        yield "negate", _negation
    if _is_effect(node):
        yield "drop", lambda _: ast.Pass()


def _is_effect(node: ast.AST) -> bool:
    """A statement that changes the state and may be left out without a name going missing."""
    if isinstance(node, ast.Assign):
        flat = [t for target in node.targets for t in (target.elts if isinstance(target, ast.Tuple) else [target])]
        return all(isinstance(t, (ast.Attribute, ast.Subscript)) for t in flat)
    return isinstance(node, (ast.AugAssign, ast.Continue, ast.Break)) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    )


def _comparison(i: int, op: type[ast.cmpop]) -> Change:
    def change(node: ast.AST) -> None:
        assert isinstance(node, ast.Compare)
        node.ops[i] = op()

    return change


def _operator(op: type[ast.operator] | type[ast.boolop]) -> Change:
    def change(node: ast.AST) -> None:
        node.op = op()  # type: ignore[attr-defined]

    return change


def _negation(node: ast.AST) -> None:
    assert isinstance(node, (ast.If, ast.IfExp))
    node.test = ast.UnaryOp(ast.Not(), node.test)
