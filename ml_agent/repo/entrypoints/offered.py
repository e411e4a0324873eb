"""What a module of the repository offers by name: its functions and classes, which programs choose from by a word."""

import ast
from collections.abc import Iterator

from ml_agent.repo.entrypoints.glance import Import
from ml_agent.repo.entrypoints.held import plain
from ml_agent.repo.entrypoints.module import Module
from ml_agent.repo.entrypoints.sources import Sources

_CALLABLE = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
MAX_DEPTH = 3
"""Modules that hand on what another one offers (`from .resnet import *`), one behind the other."""


def chosen_from(node: ast.AST) -> tuple[ast.expr, ast.expr] | None:
    """The module and the word of `getattr(models, word)`, `models.__dict__[word]`, `vars(models)[word]`; None for anything else."""
    if isinstance(node, ast.Call) and plain(node.func) == "getattr" and len(node.args) > 1:
        return node.args[0], node.args[1]
    if not isinstance(node, ast.Subscript):
        return None
    if isinstance(node.value, ast.Attribute) and node.value.attr == "__dict__":
        return node.value.value, node.slice
    if isinstance(node.value, ast.Call) and plain(node.value.func) == "vars" and len(node.value.args) == 1:
        return node.value.args[0], node.slice
    return None


def offered(module: Module, sources: Sources, start: str, depth: int = 0) -> Iterator[str]:
    """Names of the public functions and classes of a module, and of those that it imports from the repository: if there is an `__all__`
    that is written out, those in it."""
    listed = _listed(module)
    for name, binding in module.names.items():
        if name.startswith("_") or (listed is not None and name not in listed):
            continue
        if isinstance(binding, _CALLABLE) or _is_ours(module, binding, sources, start):
            yield name
    for star in module.stars if depth < MAX_DEPTH else ():
        if (followed := sources.followed(module, star, start)) is not None:
            yield from offered(followed[0], sources, start, depth + 1)


def _is_ours(module: Module, binding: object, sources: Sources, start: str) -> bool:
    if not isinstance(binding, Import):
        return False
    place = sources.imported(module, binding, start)
    other = sources.module(place[0]) if place is not None and place[1] is not None else None
    return other is not None and place is not None and isinstance(other.names.get(place[1] or ""), _CALLABLE)


def _listed(module: Module) -> frozenset[str] | None:
    names = module.names.get("__all__")
    if not isinstance(names, (ast.List, ast.Tuple)):
        return None
    return frozenset(n.value for n in names.elts if isinstance(n, ast.Constant) and isinstance(n.value, str))
