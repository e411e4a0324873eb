"""The keys of a Python file that holds settings and little else: what it binds at its top to literals, dictionaries and `dict(...)`."""

import ast
from collections.abc import Iterator

from ml_agent.repo.entrypoints.yaml_keys import Key
from ml_agent.repo.oldpython import parse_old_python
from ml_agent.repo.pysource import unparse

_DEPTH = 8
_MAKERS = frozenset({"dict", "Dict", "ConfigDict", "edict", "EasyDict", "AttrDict", "Config"})
_MOSTLY = 0.7
"""Part of a file's statements that bind something, imports left out."""


def python_settings(path: str, text: str) -> list[Key]:
    """Empty if it is no such file, or no Python."""
    try:
        body = parse_old_python(text).body
    except (SyntaxError, RecursionError, ValueError):
        return []
    statements = [s for s in body if not isinstance(s, (ast.Import, ast.ImportFrom, ast.Expr))]
    assigned = [(s.targets[0], s.value) for s in statements if isinstance(s, ast.Assign) and len(s.targets) == 1]
    bound = [(target.id, value) for target, value in assigned if isinstance(target, ast.Name)]
    if not statements or len(bound) < _MOSTLY * len(statements):
        return []
    return [key for name, value in bound for key in _keys((name,), value, path)]


def _keys(name: tuple[str, ...], node: ast.expr, path: str) -> Iterator[Key]:
    pairs: list[tuple[object, ast.expr]] | None = None
    if isinstance(node, ast.Dict):
        pairs = [(k.value, v) for k, v in zip(node.keys, node.values, strict=True) if isinstance(k, ast.Constant)]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _MAKERS and not node.args:
        pairs = [(k.arg, k.value) for k in node.keywords if k.arg]
    if pairs is not None:
        for key, value in pairs if len(name) < _DEPTH else ():
            if isinstance(key, str):
                yield from _keys((*name, key), value, path)
        return
    plain = node.operand if isinstance(node, ast.UnaryOp) else node
    source = f"{path}:{node.lineno}"
    if isinstance(plain, ast.Constant):
        literal = plain.value
        kind = "null" if literal is None else type(literal).__name__
        if kind in ("null", "int", "float", "bool", "str"):
            yield Key(name, source, kind, "null" if literal is None else literal if isinstance(literal, str) else unparse(node))
    elif isinstance(node, (ast.List, ast.Tuple)) and all(isinstance(e, (ast.Constant, ast.UnaryOp)) for e in node.elts):
        yield Key(name, source, "list", unparse(node)[:500])
