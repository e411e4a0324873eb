"""Names that a Python answer reads and nothing binds: it stops there with a NameError."""

import ast
import itertools
from collections.abc import Collection, Iterator

from ml_agent.repo.unbound import KNOWN, read_too_early
from ml_agent.verify.findings import Finding
from ml_agent.verify.pynames import PyNames

_MAKE_NAMES = frozenset(("exec", "eval", "globals", "locals", "vars", "execfile", "get_ipython"))
"""Whoever calls one of these may bind names that cannot be seen."""
_RUN = (ast.With, ast.AsyncWith, ast.For, ast.While)
_MAX = 5


def undefined_names(tree: ast.Module, names: PyNames, others: Collection[str]) -> Iterator[Finding]:
    """A finding for each name, in the order of their first use. `others`: names that `import *` binds.

    Certain, and so an error, is what the program is sure to come by: its top level, loops and `with` blocks included. In functions and
    branches it is a warning.
    """
    called = {node.func.id for node, _ in names.calls if isinstance(node.func, ast.Name)}
    if not _MAKE_NAMES.isdisjoint(called):
        return
    bound = KNOWN | names.rebound | set(others)
    for node, _ in names.imports:
        bound |= {alias.asname or alias.name.split(".")[0] for alias in node.names}
    read: dict[str, tuple[int, bool]] = {}
    for name, line, sure in _reads(tree):
        if name not in bound:
            known = read.get(name)
            read[name] = (min(line, known[0]), sure or known[1]) if known else (line, sure)
    for name, (line, sure) in sorted(read.items(), key=lambda item: item[1])[:_MAX]:
        message = f"line {line}: nothing binds the name `{name}`"
        yield Finding("name", message, name, severity="error" if sure else "warning")
    early = ((name, at) for name, at in read_too_early(tree).items() if name not in others)
    for name, (line, sure) in itertools.islice(early, _MAX):
        message = f"line {line}: reads the name `{name}` before anything binds it"
        yield Finding("name", message, name, severity="error" if sure else "warning")


def _reads(tree: ast.Module) -> Iterator[tuple[str, int, bool]]:
    """(name, line, whether the program is sure to come there)"""
    stack: list[tuple[ast.AST, bool]] = [(tree, True)]
    while stack:
        node, sure = stack.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield node.id, node.lineno, sure
        if isinstance(node, ast.If) and _is_main(node.test):
            stack.extend((child, sure) for child in node.body)
            continue
        runs = not isinstance(node, (ast.stmt, ast.Lambda, ast.IfExp, ast.BoolOp)) or isinstance(node, _RUN) or _is_simple(node)
        stack.extend((child, sure and runs) for child in ast.iter_child_nodes(node))


def _is_simple(node: ast.AST) -> bool:
    """A statement without statements in it."""
    return isinstance(node, ast.stmt) and not hasattr(node, "body") and not isinstance(node, ast.AnnAssign)


def _is_main(test: ast.expr) -> bool:
    sides = [test.left, *test.comparators] if isinstance(test, ast.Compare) else []
    return any(isinstance(s, ast.Name) and s.id == "__name__" for s in sides)
