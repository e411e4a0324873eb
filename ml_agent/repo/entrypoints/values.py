"""What an expression may stand for when a program is read without running it.

Literals are plain Python values. Everything else that matters to a parser has a class here; what is none of these
keeps its expression, so that its source text can still be shown.
"""

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ml_agent.repo.entrypoints.glance import Import
from ml_agent.repo.entrypoints.module import Module


@dataclass(eq=False, slots=True)
class Unknown:
    """A value that only a run can tell."""

    node: ast.expr | None = None


@dataclass(eq=False, slots=True)
class External:
    """A name of a module that is not of the repository, or a built-in."""

    dotted: str


@dataclass(eq=False, slots=True)
class ModuleValue:
    module: Module


@dataclass(eq=False, slots=True)
class Pending:
    """An imported name that has not been used yet."""

    module: Module
    target: Import


@dataclass(eq=False, slots=True)
class Function:
    module: Module
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    closure: "Scope | None" = None
    owner: "Class | None" = None
    """The class whose body defines it; `super()` starts above it."""
    receiver: Any = None
    """What it is bound to."""
    hung: list[Any] = field(default_factory=list)
    """What decorators of a framework left on it, in the order in which they ran."""
    wrapped: "Function | None" = None
    """What it stands in for (`functools.wraps`): its name and docstring are that one's."""

    @property
    def origin(self) -> "Function":
        function = self
        for _ in range(20):
            function = function.wrapped or function
        return function


@dataclass(eq=False, slots=True)
class Class:
    module: Module
    node: ast.ClassDef
    closure: "Scope | None" = None


@dataclass(frozen=True, slots=True)
class Member:
    """One of an Enum of the repository, as a loop over the Enum gives it."""

    name: str
    value: Any


@dataclass(eq=False, slots=True)
class Instance:
    cls: Class
    attributes: dict[str, Any] = field(default_factory=dict)


@dataclass(eq=False, slots=True)
class Super:
    """`super()` within a method."""

    owner: Class
    receiver: Any


@dataclass(eq=False, slots=True)
class Method:
    """A method of a parser, a literal or a group, taken but not yet called."""

    receiver: Any
    name: str


@dataclass(frozen=True, slots=True)
class Given:
    """What a call passes."""

    arguments: Sequence[Any]
    keywords: Mapping[str, Any]
    nodes: Mapping[str, ast.expr]
    """The expressions of the keyword arguments that stand in the call itself."""
    source: str
    """`path:line` of the call."""

    def get(self, name: str, position: int | None = None, default: Any = None) -> Any:
        """An argument by its name, or by its place."""
        if name in self.keywords:
            return self.keywords[name]
        return self.arguments[position] if position is not None and position < len(self.arguments) else default


class Foreign:
    """An object of a framework for command lines, as far as it matters which options a program takes.

    Its methods get the walk itself, to enter functions of the repository.
    """

    def called(self, walk: Any, given: Given) -> Any:
        """`object(...)`, also as a decorator."""
        return Unknown()

    def method(self, walk: Any, name: str, given: Given) -> Any:
        """`object.name(...)`"""
        return Unknown()

    def attribute(self, name: str) -> Any:
        """`object.name`"""
        return Method(self, name)


@dataclass(eq=False)
class Scope:
    module: Module
    names: dict[str, Any] = field(default_factory=dict)
    parent: "Scope | None" = None
    """Of the function around it; None above a module's scope."""
    function: Function | None = None


LITERALS = (str, bytes, int, float, complex, bool, type(None))


def is_literal(value: Any) -> bool:
    """Whether a value is wholly known."""
    if isinstance(value, (list, tuple, set, frozenset)):
        return all(map(is_literal, value))
    if isinstance(value, dict):
        return all(is_literal(k) and is_literal(v) for k, v in value.items())
    return isinstance(value, LITERALS) or value is Ellipsis
