"""Operators, methods and built-ins on values that are known: as much as names, choices and help texts are made with."""

import ast
from collections.abc import Callable
from typing import Any

from ml_agent.repo.entrypoints.values import LITERALS, External, Unknown

MAX_ITEMS = 10_000
MAX_TEXT = 100_000

_SIMPLE = (str, int, float, list, tuple)
_TEXT_METHODS = frozenset(
    ("format", "join", "lower", "upper", "replace", "split", "strip", "lstrip", "rstrip", "capitalize", "title", "splitlines")
)


def binary(operator: ast.operator, left: Any, right: Any) -> Any:
    """`left + right` and the like; Unknown if it is none of those that are worked out."""
    try:
        if isinstance(operator, ast.Add) and isinstance(left, _SIMPLE) and isinstance(right, _SIMPLE):
            return left + right if _small(left, right) else Unknown()  # type: ignore[operator]
        if isinstance(operator, ast.Mod) and isinstance(left, str) and len(left) < MAX_TEXT and _plain(right):
            return _format_percent(left, right)
        if isinstance(left, (int, float)) and isinstance(right, (int, float)):
            return _arithmetic(operator, left, right)
        if isinstance(operator, ast.Mult) and isinstance(left, str) and isinstance(right, int) and abs(right) * len(left) < MAX_TEXT:
            return left * right
        if isinstance(operator, ast.BitOr) and isinstance(left, dict) and isinstance(right, dict):
            return left | right
    except (TypeError, ValueError, ArithmeticError, LookupError):
        return Unknown()
    return Unknown()


def _arithmetic(operator: ast.operator, left: float, right: float) -> Any:
    match operator:
        case ast.Sub():
            return left - right
        case ast.Mult():
            return left * right
        case ast.Div():
            return left / right
        case ast.FloorDiv():
            return left // right
        case ast.Pow() if abs(left) < 1e6 and abs(right) < 64:
            return left**right
        case ast.LShift() if isinstance(left, int) and isinstance(right, int) and 0 <= right < 64:
            return left << right
    return Unknown()


def _format_percent(text: str, right: Any) -> Any:
    import re

    if any(int(width) > 200 for width in re.findall(r"%[^a-zA-Z%]*?(\d+)", text)) or "*" in text:
        return Unknown()
    return text % right


def _small(*values: Any) -> bool:
    return all(isinstance(v, (int, float)) or len(v) < MAX_ITEMS for v in values)


def _plain(value: Any) -> bool:
    return isinstance(value, LITERALS) or (isinstance(value, (tuple, list)) and all(isinstance(v, LITERALS) for v in value))


def method(receiver: Any, name: str, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    """`receiver.name(...)` where the receiver is a literal."""
    if isinstance(receiver, dict):
        views: dict[str, Callable[[], Any]] = {
            "keys": lambda: list(receiver),
            "values": lambda: list(receiver.values()),
            "items": lambda: [(k, v) for k, v in receiver.items()],
            "copy": lambda: dict(receiver),
        }
        if name in views and not arguments:
            return views[name]()
        if name in ("update", "setdefault", "pop"):
            return _change(receiver, name, arguments, keywords)
        if name == "get" and arguments and isinstance(arguments[0], LITERALS):
            if arguments[0] not in receiver and any(isinstance(k, Unknown) for k in receiver):
                return Unknown()
            return receiver.get(arguments[0], arguments[1] if len(arguments) > 1 else None)
        return Unknown()
    if isinstance(receiver, list) and name in ("append", "extend"):
        if name == "append" and len(arguments) == 1 and len(receiver) < MAX_ITEMS:
            receiver.append(arguments[0])
        elif len(arguments) == 1 and isinstance(arguments[0], (list, tuple)) and len(receiver) + len(arguments[0]) < MAX_ITEMS:
            receiver.extend(arguments[0])
        return None
    if (
        isinstance(receiver, str)
        and name in _TEXT_METHODS
        and len(receiver) < MAX_TEXT
        and all(map(_plain, (*arguments, *keywords.values())))
    ):
        if name == "format" and (":" in receiver or "!" in receiver or "." in receiver.partition("{")[2]):
            return Unknown()  # a width may ask for gigabytes
        try:
            return getattr(receiver, name)(*arguments, **keywords)
        except (TypeError, ValueError, LookupError, AttributeError):
            return Unknown()
    return Unknown()


def _change(receiver: dict[Any, Any], name: str, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    """Change a dictionary. What is not known of the change becomes a key that is not known."""
    if len(receiver) + len(keywords) > MAX_ITEMS:
        return Unknown()
    first = arguments[0] if arguments else None
    if name == "update":
        known = {k: v for k, v in keywords.items() if k != "**"} | (first if isinstance(first, dict) else {})
        receiver.update(known if len(known) <= MAX_ITEMS else {})
        if "**" in keywords or (arguments and not isinstance(first, dict)):
            receiver[Unknown()] = Unknown()
        return None
    key = first if isinstance(first, LITERALS) else Unknown()
    default = arguments[1] if len(arguments) > 1 else None
    if name == "setdefault":
        return receiver.setdefault(key, default)
    return receiver.pop(key, default)


def builtin(name: str, arguments: list[Any]) -> Any:
    """A call of a built-in function."""
    items = arguments[0] if arguments and isinstance(arguments[0], (list, tuple, dict, set, str)) else None
    try:
        match name:
            case "range" if arguments and all(isinstance(a, int) for a in arguments):
                return list(range(*arguments)[:MAX_ITEMS])
            case "list" | "tuple" | "set" | "frozenset" | "sorted" | "reversed" if items is not None:
                listed = sorted(items) if name == "sorted" else list(items)
                return tuple(listed) if name == "tuple" else listed[::-1] if name == "reversed" else listed
            case "list" | "tuple" | "set" if not arguments:
                return []
            case "dict" if not arguments:  # with keywords: see calls.py
                return {}
            case "enumerate" if items is not None:
                return list(enumerate(items))
            case "zip" if arguments and all(isinstance(a, (list, tuple)) for a in arguments):
                return list(zip(*arguments, strict=False))
            case "len" if items is not None:
                return len(items)
            case "str" | "repr" if len(arguments) == 1 and isinstance(arguments[0], LITERALS):
                return str(arguments[0]) if name == "str" else repr(arguments[0])
            case "int" | "float" | "bool" if len(arguments) == 1 and isinstance(arguments[0], (str, int, float)):
                value = arguments[0]
                return int(value) if name == "int" else float(value) if name == "float" else bool(value)
            case "type" if len(arguments) == 1 and isinstance(arguments[0], (*LITERALS, list, dict)):
                return External(type(arguments[0]).__name__)
            case "min" | "max" if items:
                return min(items) if name == "min" else max(items)
    except (TypeError, ValueError, OverflowError):
        return Unknown()
    return Unknown()
