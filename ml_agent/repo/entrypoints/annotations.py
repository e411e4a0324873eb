"""What a type annotation says about the words that a parameter or field takes."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ml_agent.repo.entrypoints.names import Names
from ml_agent.repo.entrypoints.values import Class, External, Scope
from ml_agent.repo.pysource import unparse

MAX_DEPTH = 12

_SEQUENCES = frozenset("list List Sequence Iterable Collection set Set frozenset FrozenSet MutableSequence deque Deque".split())
_SIMPLE = frozenset("int float str bool bytes complex".split())
_THROUGH = frozenset("Final ClassVar InitVar Required NotRequired ReadOnly".split())


@dataclass(frozen=True, slots=True)
class Annotation:
    type: str | None = None
    """`int`, `float`, `str`, `bool`, or the last part of a class's name; None if there is none, or several (`int | str`)."""
    optional: bool = False
    choices: tuple[str, ...] | None = None
    """Of a Literal or an Enum."""
    nargs: str | None = None
    """`*` for a list or a tuple of any length, a number for a tuple."""
    cls: Class | None = None
    """A class of the repository."""
    names: tuple[str, ...] = ()
    """The names of an Enum's members, beside their values, which are `choices`."""
    metadata: tuple[ast.expr, ...] = ()
    """What stands behind the type in `Annotated`."""
    mapping: bool = False
    once: bool = False
    """`ClassVar`: of no instance."""


def read_annotation(node: ast.expr | None, names: Names, scope: Scope, depth: int = 0) -> Annotation:
    if node is None or depth > MAX_DEPTH:
        return Annotation()
    match node:
        case ast.Constant(value=None):
            return Annotation("None", optional=True)
        case ast.Constant(value=str() as text):
            return read_annotation(_parsed(text), names, scope, depth + 1)
        case ast.BinOp(op=ast.BitOr()):
            return _union([node.left, node.right], names, scope, depth)
        case ast.Subscript():
            return _subscript(node, names, scope, depth)
    value = names.evaluate(node, scope)
    if isinstance(value, Class):
        return _class(value, names)
    name = value.dotted.rpartition(".")[2] if isinstance(value, External) else _last(node)
    if name in _SEQUENCES or name in ("tuple", "Tuple"):
        return Annotation(None, nargs="*")
    if name in ("dict", "Dict", "Mapping"):
        return Annotation("dict", mapping=True)
    return Annotation(None if name in ("Any", "object", "") else name)


def _parsed(text: str) -> ast.expr | None:
    if len(text) > 300:
        return None
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _subscript(node: ast.Subscript, names: Names, scope: Scope, depth: int) -> Annotation:
    name = _last(node.value)
    inner = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
    if name == "Optional":
        return replace(read_annotation(inner[0], names, scope, depth + 1), optional=True)
    if name == "Union":
        return _union(inner, names, scope, depth)
    if name == "Literal":
        values = [names.evaluate(i, scope) for i in inner]
        kinds = {type(v) for v in values if v is not None}
        return Annotation(
            kinds.pop().__name__ if len(kinds) == 1 else None,
            optional=None in values,
            choices=tuple(str(v) for v in values if v is not None),
        )
    if name == "Annotated":
        first = read_annotation(inner[0], names, scope, depth + 1)
        return replace(first, metadata=(*first.metadata, *inner[1:]))
    if name in _THROUGH:
        return replace(read_annotation(inner[0], names, scope, depth + 1), once=name == "ClassVar")
    if name in ("tuple", "Tuple"):
        member = read_annotation(inner[0], names, scope, depth + 1)
        if len(inner) == 2 and isinstance(inner[1], ast.Constant) and inner[1].value is ...:
            return replace(member, nargs="*")
        members = {read_annotation(i, names, scope, depth + 1).type for i in inner}
        return Annotation(members.pop() if len(members) == 1 else None, nargs=str(len(inner)))
    if name in _SEQUENCES:
        return replace(read_annotation(inner[0], names, scope, depth + 1), nargs="*", optional=False)
    if name in ("dict", "Dict", "Mapping", "MutableMapping"):
        return Annotation("dict", mapping=True)
    if name in ("Type", "type", "Callable"):
        return Annotation(name)
    return Annotation(unparse(node, 80))


def _union(nodes: Sequence[ast.expr], names: Names, scope: Scope, depth: int) -> Annotation:
    found = [read_annotation(n, names, scope, depth + 1) for n in nodes]
    real = [a for a in found if a.type != "None"]
    optional = len(real) < len(found) or any(a.optional for a in found)
    if len(real) == 1:
        return replace(real[0], optional=optional)
    if len({(a.type, a.nargs) for a in real}) == 1 and not any(a.choices for a in real):
        return replace(real[0], optional=optional)
    return Annotation(None, optional=optional)


def _class(cls: Class, names: Names) -> Annotation:
    members = enum_members(cls, names)
    if members is None:
        return Annotation(cls.node.name, cls=cls)
    return Annotation(cls.node.name, choices=tuple(str(v) for v in members.values()), names=tuple(members), cls=cls)


def enum_members(cls: Class, names: Names) -> dict[str, Any] | None:
    """The members of an Enum, by name, with their values where those could be read; None if the class is none."""
    if not _is_enum(cls, names, 0):
        return None
    scope = cls.closure or Scope(cls.module)
    found: dict[str, Any] = {}
    number = 0
    for node in cls.node.body:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        if len(targets) == 1 and isinstance(target := targets[0], ast.Name) and isinstance(node, (ast.Assign, ast.AnnAssign)):
            if target.id.startswith("_") or node.value is None:
                continue
            value = names.evaluate(node.value, scope)
            number = value if isinstance(value, int) else number + 1
            automatic = isinstance(node.value, ast.Call) and _last(node.value.func) == "auto"
            found[target.id] = number if automatic else value
    return {k: v if isinstance(v, (str, int, float)) else k for k, v in found.items()}


def _is_enum(cls: Class, names: Names, depth: int) -> bool:
    for base in names.bases(cls) if depth < MAX_DEPTH else ():
        if isinstance(base, External) and base.dotted.rpartition(".")[2].endswith(("Enum", "Flag")):
            return True
        if isinstance(base, Class) and base.node is not cls.node and _is_enum(base, names, depth + 1):
            return True
    return False
