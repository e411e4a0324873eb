"""Conditions on the variable of a loop whose rounds are known: `if value is None`, `elif isinstance(value, bool)`.

Other conditions are left open, and both branches are walked: what a name holds elsewhere, only a run can tell.
"""

import ast
from collections.abc import Callable, Collection
from typing import Any

from ml_agent.repo.entrypoints.values import LITERALS, External, Function, Instance, Scope

_TYPES: dict[str, type] = {kind.__name__: kind for kind in (str, bytes, int, float, complex, bool, list, tuple, dict)}


def decide(test: ast.expr, looped: Collection[str], scope: Scope) -> bool | None:
    """Whether a condition holds in this round; None if that is not known. `looped`: names that the loops bind."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            inner = decide(operand, looped, scope)
            return None if inner is None else not inner
        case ast.BoolOp(op=operator, values=values):
            decided = [decide(value, looped, scope) for value in values]
            ends = isinstance(operator, ast.Or)
            return ends if ends in decided else None if None in decided else not ends
        case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=name), kinds], keywords=[]) if name in looped:
            return _isinstance(scope.names.get(name), kinds)
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            return _compare(left, operator, right, looped, scope)
    return None


def there(test: ast.expr, scope: Scope, holds: Callable[[Any], bool]) -> bool | None:
    """Whether a parser is there that a function may be called with or without: `if subparsers:`, `if parser is None:`; None if the
    condition asks for something else, or nothing is known of the name."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            inner = there(operand, scope, holds)
            return None if inner is None else not inner
        case ast.Compare(left=ast.Name() as name, ops=[ast.Is() | ast.IsNot() as operator], comparators=[ast.Constant(value=None)]):
            inner = there(name, scope, holds)
            return None if inner is None else inner is isinstance(operator, ast.IsNot)
        case ast.Name(id=name) if name in scope.names:
            value = scope.names[name]
            return True if not isinstance(value, (list, tuple, set, dict, Function, Instance)) and holds(value) else None
    return None


def _isinstance(value: Any, kinds: ast.expr) -> bool | None:
    named = kinds.elts if isinstance(kinds, ast.Tuple) else [kinds]
    types = [_TYPES.get(kind.id) if isinstance(kind, ast.Name) else None for kind in named]
    if None in types or not isinstance(value, (*LITERALS, list, tuple, dict)):
        return None
    return isinstance(value, tuple(kind for kind in types if kind is not None))


def _compare(left: ast.expr, operator: ast.cmpop, right: ast.expr, looped: Collection[str], scope: Scope) -> bool | None:
    match left:
        case ast.Name(id=name) if name in looped:
            value, wanted = scope.names.get(name), _constant(right)
        case ast.Call(func=ast.Name(id="type"), args=[ast.Name(id=name)]) if name in looped and isinstance(right, ast.Name):
            value, wanted = _type_name(scope.names.get(name)), right.id if right.id in _TYPES else ...
        case _:
            return None
    if value is ... or wanted is ... or not isinstance(value, LITERALS):
        return None
    match operator:
        case ast.Eq() | ast.Is():
            return bool(value == wanted)
        case ast.NotEq() | ast.IsNot():
            return bool(value != wanted)
        case ast.In() if isinstance(wanted, (list, tuple, set)):
            return value in wanted
        case ast.NotIn() if isinstance(wanted, (list, tuple, set)):
            return value not in wanted
    return None


def _type_name(value: Any) -> Any:
    if isinstance(value, External) or not isinstance(value, (*LITERALS, list, tuple, dict)):
        return ...
    return type(value).__name__


def _constant(node: ast.expr) -> Any:
    """The value of an expression of constants alone; an ellipsis if it is none."""
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return ...
