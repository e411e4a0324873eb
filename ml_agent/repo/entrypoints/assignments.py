"""Programs that take `NAME=VALUE` words in a loop of their own over `sys.argv` and set their variables, attributes or keys with them.

The loop may stand in another file of the repository, whose text the program executes.
"""

import ast
import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ml_agent.repo.entrypoints.base import EntryPoint, Option
from ml_agent.repo.entrypoints.command_tree import Command, entry_point
from ml_agent.repo.entrypoints.module import Module, statements
from ml_agent.repo.entrypoints.program import Program
from ml_agent.repo.pysource import dotted_name, unparse

MAX_NAMES = 1_000
FILES = "settings_file"

_EXECUTES = frozenset(("exec", "runpy.run_path", "execfile"))


@dataclass(frozen=True, slots=True)
class _Loop:
    module: Module
    node: ast.For
    line: int
    """From where on in the program it runs: what is assigned behind it is not there yet."""


def read(program: Program) -> EntryPoint | None:
    module = program.module
    if "argv" not in module.text and "exec" not in module.text:
        return None
    loop = next(_loops(program), None)
    if loop is None or not (program.guarded or program.acts):
        return None
    names = _names(program, loop)
    if names is None:
        return None
    words = {n.value for n in ast.walk(loop.node) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    dashes = "--" if "--" in words else ""
    calls = {dotted_name(n.func) for n in ast.walk(loop.node) if isinstance(n, ast.Call)}
    refuses = any(isinstance(n, (ast.Raise, ast.Assert)) for n in ast.walk(loop.node)) or not calls.isdisjoint(("sys.exit", "exit"))
    typed = not calls.isdisjoint(("type", "isinstance"))
    command = Command(f"{loop.module.path}:{loop.node.lineno}", open_ended=not refuses)
    for name, (value, source) in list(names.items())[:MAX_NAMES]:
        kind = type(value).__name__ if typed else None
        spelled = dashes + name
        command.options.append(Option(spelled, (spelled,), source, kind, repr(value)[:500], assigned=True))
    if not calls.isdisjoint(("exec", "open", "runpy.run_path")):
        text = "a file that sets some of them"
        command.options.append(Option(FILES, (FILES,), command.source, nargs="*", help=text))
    return entry_point(program, "assignments", command, "assign")


def _loops(program: Program) -> Iterator[_Loop]:
    for node in statements(program.module.tree):
        if isinstance(node, ast.For) and _takes_assignments(node):
            yield _Loop(program.module, node, node.lineno)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and dotted_name(node.value.func) in _EXECUTES:
            for module in _executed(program, node.value):
                for inner in statements(module.tree):
                    if isinstance(inner, ast.For) and _takes_assignments(inner):
                        yield _Loop(module, inner, node.lineno)


def _executed(program: Program, call: ast.Call) -> Iterator[Module]:
    """The files of the repository whose names stand in an `exec(...)`."""
    for node in ast.walk(call):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.endswith(".py"):
            for folder in (program.module.folder, "."):
                path = posixpath.normpath(posixpath.join(folder, node.value))
                module = program.sources.module(path) if program.sources.lists(path) else None
                if module is not None:
                    yield module
                    break


def _takes_assignments(node: ast.For) -> bool:
    """`for word in sys.argv[1:]` with something about `=` and a place to put the value."""
    argv = node.iter.value if isinstance(node.iter, ast.Subscript) else node.iter
    if dotted_name(argv) not in ("sys.argv", "argv"):
        return False
    return any(isinstance(n, ast.Constant) and n.value == "=" for n in ast.walk(node)) and _target(node) is not None


def _target(node: ast.For) -> ast.expr | None:
    """What is set: `globals()`, the object of a `setattr`, a dictionary."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Call) and dotted_name(inner.func) == "setattr" and len(inner.args) == 3:
            return inner.args[0]
        if isinstance(inner, ast.Assign) and isinstance(inner.targets[0], ast.Subscript):
            return inner.targets[0].value
        if isinstance(inner, ast.Call) and dotted_name(inner.func) == "globals" and isinstance(node, ast.For):
            found: ast.expr = inner
            if "globals()[" in unparse(node, 10_000) or "globals().update" in unparse(node, 10_000):
                return found
    return None


def _names(program: Program, loop: _Loop) -> dict[str, tuple[Any, str]] | None:
    """The names that can be set, with their values and places; None if they could not be found."""
    target = _target(loop.node)
    if isinstance(target, ast.Call) and dotted_name(target.func) == "globals":
        return _globals(program.module, loop.line)
    bound = program.module.names.get(target.id) if isinstance(target, ast.Name) else None
    if isinstance(bound, ast.Call) and isinstance(bound.func, ast.Name):
        bound = program.module.names.get(bound.func.id)
    if isinstance(bound, ast.ClassDef):
        return _assigned(bound.body, program.path, None)
    if isinstance(bound, ast.Dict):
        found = {}
        for key, value in zip(bound.keys, bound.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(key.value, str) and (literal := _literal(value)) is not ...:
                found[key.value] = (literal, f"{program.path}:{key.lineno}")
        return found
    return None


def _globals(module: Module, line: int) -> dict[str, tuple[Any, str]]:
    return _assigned(module.tree.body, module.path, line)


def _assigned(body: list[ast.stmt], path: str, before: int | None) -> dict[str, tuple[Any, str]]:
    found: dict[str, tuple[Any, str]] = {}
    for node in body:
        if before is not None and node.lineno >= before:
            break
        targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        value = node.value if isinstance(node, (ast.Assign, ast.AnnAssign)) else None
        for target in targets:
            if isinstance(target, ast.Name) and not target.id.startswith("_") and value is not None:
                literal = _literal(value)
                if literal is not ...:
                    found[target.id] = (literal, f"{path}:{node.lineno}")
    return found


def _literal(node: ast.expr) -> Any:
    """The value of a literal, of simple arithmetic on numbers too; `...` if it is none."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mult, ast.Add, ast.Sub)):
        left, right = _literal(node.left), _literal(node.right)
        if isinstance(left, (int, float)) and isinstance(right, (int, float)) and max(abs(left), abs(right)) < 1e12:
            return left * right if isinstance(node.op, ast.Mult) else left + right if isinstance(node.op, ast.Add) else left - right
        return ...
    if isinstance(node, (ast.Compare, ast.BoolOp)):
        return True
    if isinstance(node, ast.JoinedStr):
        return unparse(node)
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return ...
