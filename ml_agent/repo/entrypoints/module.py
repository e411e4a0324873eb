"""One Python file as a program's readers see it: parsed, with the names that it binds and what it imports."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from ml_agent.repo.entrypoints.glance import Import
from ml_agent.repo.entrypoints.signs import of_argparse, of_frameworks
from ml_agent.repo.oldpython import parse_old_python

Binding = Import | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.expr


@dataclass(eq=False)
class Module:
    path: str
    tree: ast.Module
    text: str
    names: dict[str, Binding] = field(default_factory=dict)
    """What the top level binds, the last binding of each name."""
    stars: list[Import] = field(default_factory=list)

    imports: list[Import] = field(default_factory=list)
    """All imports, within functions too."""
    words: dict[ast.AST, tuple[frozenset[str], dict[str, Import]]] = field(default_factory=dict)
    """What was found in pieces of it; see relevance.py."""

    @cached_property
    def parses_arguments(self) -> bool:
        return of_argparse(self.text)

    @cached_property
    def uses_framework(self) -> bool:
        return of_frameworks(self.text)

    @cached_property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    @property
    def folder(self) -> str:
        return self.path.rpartition("/")[0] or "."


def parsed(path: str, text: str) -> Module:
    """Raises SyntaxError if it is no Python, of any age."""
    module = Module(path, parse_old_python(text), text)
    _bind(module.tree.body, module)
    for node in statements(module.tree):
        if isinstance(node, ast.Import):
            module.imports.extend(Import(a.name, 0, None) for a in node.names)
        elif isinstance(node, ast.ImportFrom):
            module.imports.extend(target for _, target in imports(node))
    return module


def _bind(body: list[ast.stmt], module: Module) -> None:
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            module.names[node.name] = node
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            for name, target in imports(node):
                if name == "*":
                    module.stars.append(target)
                else:
                    module.names[name] = target
        elif isinstance(node, ast.Assign):
            for assigned in node.targets:
                if isinstance(assigned, ast.Name):
                    module.names[assigned.id] = node.value
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            module.names[node.target.id] = node.value
        elif isinstance(node, (ast.If, ast.Try, ast.With)):
            _bind(node.body, module)
            _bind(getattr(node, "orelse", []), module)
            for handler in getattr(node, "handlers", []):
                _bind(handler.body, module)


def imports(node: ast.Import | ast.ImportFrom) -> list[tuple[str, Import]]:
    """The names that an import statement binds, `*` among them."""
    if isinstance(node, ast.Import):
        return [
            (a.asname or a.name.partition(".")[0], Import(a.name if a.asname else a.name.partition(".")[0], 0, None)) for a in node.names
        ]
    return [(a.asname or a.name, Import(node.module or "", node.level, None if a.name == "*" else a.name)) for a in node.names]


def statements(node: ast.AST) -> Iterator[ast.stmt]:
    """All statements below a node, in functions and classes too. Faster than `ast.walk`: it does not look into expressions."""
    stack = [node]
    while stack:
        current = stack.pop()
        for name in ("body", "orelse", "handlers", "finalbody", "cases"):
            below = getattr(current, name, None)
            if isinstance(below, list):
                stack.extend(reversed(below))
        if isinstance(current, ast.stmt) and current is not node:
            yield current


def is_main_guard(node: ast.stmt) -> bool:
    """`if __name__ == "__main__":`"""
    if not (isinstance(node, ast.If) and isinstance(node.test, ast.Compare) and len(node.test.comparators) == 1):
        return False
    sides = (node.test.left, node.test.comparators[0])
    return any(isinstance(s, ast.Name) and s.id == "__name__" for s in sides) and any(
        isinstance(s, ast.Constant) and s.value == "__main__" for s in sides
    )
