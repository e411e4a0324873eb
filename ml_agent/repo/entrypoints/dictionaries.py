"""Functions that make a dictionary or change one: options are made of it in a loop at times, so its keys have to be known."""

import ast
from functools import lru_cache

from ml_agent.repo.entrypoints.module import statements

_MAX_STATEMENTS = 100
_Node = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@lru_cache(2000)
def makes_dict(node: _Node) -> bool:
    """Whether all that a short function does is to return one dictionary, which it makes itself."""
    if isinstance(node, ast.Lambda) or len(node.body) > _MAX_STATEMENTS:
        return False
    within = list(statements(node))
    returned = [s.value for s in within if isinstance(s, ast.Return)]
    if len(returned) != 1 or len(within) > _MAX_STATEMENTS or returned[0] is None:
        return False
    if not isinstance(returned[0], ast.Name):
        return _is_dict(returned[0])
    bound = [s.value for s in within if isinstance(s, ast.Assign) and any(_names(t, returned[0].id) for t in s.targets)]
    return len(bound) == 1 and (_is_dict(bound[0]) or (isinstance(bound[0], ast.Call) and _grows(within, returned[0].id)))


@lru_cache(2000)
def changes_dict(node: _Node) -> bool:
    """Whether a function may put keys into a dictionary that it is given."""
    return any(
        (isinstance(n, ast.Subscript) and isinstance(n.ctx, ast.Store))
        or (isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr in ("update", "setdefault"))
        for n in ast.walk(node)
    )


def _is_dict(node: ast.expr) -> bool:
    return isinstance(node, ast.Dict) or (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "dict")


def _names(target: ast.expr, name: str) -> bool:
    return isinstance(target, ast.Name) and target.id == name


def _grows(within: list[ast.stmt], name: str) -> bool:
    """`name.update(...)` is called: what another function returned is a dictionary."""
    calls = (s.value for s in within if isinstance(s, ast.Expr) and isinstance(s.value, ast.Call))
    return any(isinstance(c.func, ast.Attribute) and c.func.attr == "update" and _names(c.func.value, name) for c in calls)
