"""Expressions that are the value of an option: `args.model`, `FLAGS.model`, `cfg["model"]`, and names that are bound to one."""

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from ml_agent.repo.entrypoints.module import Module

ALL = "*"
"""Stands for the object that holds all options."""
_HOLDERS = frozenset(
    "args arg opt opts option options flags cfg conf config configs configuration params hparams hps hp settings parsed namespace".split()
)
"""What that object is called; `model_args` is one too."""
_SAME = frozenset(("lower", "upper", "strip", "casefold"))
_MAX_WRAPPED = 10


@dataclass(slots=True)
class Frame:
    """The names in one function, class or module."""

    module: Module
    keys: Mapping[str, str]
    """What an option may be called, with dots and underscores -> its key."""
    names: dict[str, str]
    """What stands for an option (its key) or for all of them (ALL); a name with a dot is an attribute of `self`."""
    tables: dict[str, ast.expr]
    """Names that are bound to a dictionary, list or tuple that is written out."""
    depth: int = 0
    """How many calls from the program itself."""

    def bind(self, target: ast.expr, value: ast.expr) -> None:
        """`target = value`"""
        name = plain(target)
        if name is None:
            return
        reference = self.reference(value)
        if reference is None and isinstance(value, ast.Call) and _last(value.func) in ("parse_args", "parse_known_args"):
            reference = ALL
        if reference is not None:
            self.names[name] = reference
        elif isinstance(value, (ast.Dict, ast.List, ast.Tuple, ast.Set)):
            self.tables[name] = value
        else:
            self.names.pop(name, None)

    def reference(self, node: ast.expr) -> str | None:
        """The key of the option that an expression is the value of, in lower case or without blanks at times; ALL; or None."""
        for _ in range(_MAX_WRAPPED):
            match node:
                case ast.Name():
                    return self.names.get(node.id)
                case ast.Attribute() | ast.Subscript():
                    return self._held(node)
                case ast.Call(func=ast.Attribute(value=inner, attr=name)) if name in _SAME:
                    node = inner
                case ast.Call(func=ast.Name(id="str"), args=[inner]):
                    node = inner
                case ast.BoolOp(op=ast.Or(), values=[first, *_]):
                    node = first
                case _:
                    return None
        return None

    def handed(self, node: ast.expr) -> str | None:
        """The same for an argument of a call, where a name alone tells that it holds the options."""
        reference, name = self.reference(node), plain(node)
        return ALL if reference is None and name is not None and _holds(name.rpartition(".")[2]) else reference

    def _held(self, node: ast.expr) -> str | None:
        parts = chain(node)
        if len(parts) == 2 and parts[0] == "self" and (bound := self.names.get(".".join(parts))):
            return bound
        for n in range(1, len(parts)):
            if (_holds(parts[n - 1]) or self.names.get(".".join(parts[:n])) == ALL) and (found := self.keys.get(key(".".join(parts[n:])))):
                return found
        return None


def key(alias: str) -> str:
    """How code spells the name of an option."""
    return alias.lstrip("-").replace("-", "_")


def chain(node: ast.expr) -> list[str]:
    """`a.b["c"]` -> a, b, c; empty if it is something else."""
    parts: list[str] = []
    while not isinstance(node, ast.Name):
        match node:
            case ast.Attribute():
                parts.append(node.attr)
                node = node.value
            case ast.Subscript(slice=ast.Constant(value=str() as text)):
                parts.append(text)
                node = node.value
            case _:
                return []
    return [node.id, *reversed(parts)]


def plain(node: ast.expr) -> str | None:
    """`name`, `self.name`, `module.name`; None if it is something else."""
    parts = chain(node) if isinstance(node, (ast.Name, ast.Attribute)) else []
    return ".".join(parts) if 0 < len(parts) <= 2 else None


def _holds(name: str) -> bool:
    return name.lower().rpartition("_")[2] in _HOLDERS


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else ""
