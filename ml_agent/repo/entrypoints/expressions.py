"""Expressions while a program is walked."""

import ast
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

from ml_agent.repo.entrypoints import literals
from ml_agent.repo.entrypoints.annotations import enum_members
from ml_agent.repo.entrypoints.argparse_model import Group, Parser
from ml_agent.repo.entrypoints.names import Names
from ml_agent.repo.entrypoints.values import LITERALS, Class, Function, Instance, Member, Scope, Unknown

MAX_NESTING = 150
MAX_ROUNDS = 300
"""Rounds of one loop that are unrolled."""


class Expressions(Names):
    """Works expressions out as far as that can be done without running anything."""

    _nesting = 0

    @abstractmethod
    def call(self, node: ast.Call, scope: Scope) -> Any: ...

    @abstractmethod
    def body(self, statements: Sequence[ast.stmt], scope: Scope, *, main: bool = False) -> list[Any]: ...

    def evaluate(self, node: ast.expr, scope: Scope) -> Any:
        """The value of an expression; Unknown with the expression if only a run can tell."""
        if self._nesting > MAX_NESTING:
            return Unknown(node)
        self._nesting += 1
        try:
            value = self._evaluate(node, scope)
        finally:
            self._nesting -= 1
        return Unknown(node) if isinstance(value, Unknown) and value.node is None else value

    def _evaluate(self, node: ast.expr, scope: Scope) -> Any:
        match node:
            case ast.Constant():
                return node.value
            case ast.Name():
                return self.lookup(node.id, scope)
            case ast.Attribute():
                return self.attribute(self.evaluate(node.value, scope), node.attr)
            case ast.Call():
                self.step()
                return self.call(node, scope)
            case ast.List() | ast.Set():
                return list(self.items(node.elts, scope))
            case ast.Tuple():
                return tuple(self.items(node.elts, scope))
            case ast.Dict():
                return self._dict(node, scope)
            case ast.JoinedStr():
                return self._joined(node, scope)
            case ast.BinOp():
                return literals.binary(node.op, self.evaluate(node.left, scope), self.evaluate(node.right, scope))
            case ast.UnaryOp():
                value = self.evaluate(node.operand, scope)
                if isinstance(node.op, ast.USub) and isinstance(value, (int, float)):
                    return -value
                return not value if isinstance(node.op, ast.Not) and isinstance(value, bool) else Unknown()
            case ast.Subscript():
                return self._subscript(self.evaluate(node.value, scope), self.evaluate(node.slice, scope))
            case ast.Lambda():
                return Function(scope.module, node, scope)
            case ast.NamedExpr():
                value = self.evaluate(node.value, scope)
                self.bind(node.target, value, scope)
                return value
            case ast.ListComp() | ast.GeneratorExp() | ast.SetComp():
                return self._comprehension(node, scope)
            case ast.Await() | ast.Starred():
                return self.evaluate(node.value, scope)
            case ast.IfExp():
                self.evaluate(node.test, scope)
                values = [self.evaluate(node.body, scope), self.evaluate(node.orelse, scope)]
                return next((v for v in values if isinstance(v, (Parser, Group))), Unknown())
            case ast.BoolOp():
                return self._either(node, [self.evaluate(v, scope) for v in node.values])
        return Unknown()

    def _either(self, node: ast.BoolOp, values: Sequence[Any]) -> Any:
        """`given or []`: what it is where all that decides is known; else the parser among them. What is empty may be filled elsewhere."""
        for operand, value in zip(node.values, values, strict=True):
            filled = isinstance(value, (list, tuple, dict)) and (value or isinstance(operand, (ast.List, ast.Tuple, ast.Dict)))
            if not (filled or isinstance(value, LITERALS)):
                break
            if bool(value) == isinstance(node.op, ast.Or):
                return value
        else:
            return values[-1]
        return next((v for v in values if isinstance(v, (Parser, Group))), Unknown())

    def attribute(self, owner: Any, name: str) -> Any:
        if isinstance(owner, Member):
            return {"name": owner.name, "value": owner.value}.get(name, Unknown())
        if isinstance(owner, Class) and name == "__members__":
            return {member.name: member for member in self._members(owner)}
        return super().attribute(owner, name)

    def listed(self, value: Any) -> Any:
        """What a loop over a value gives, if it is a dictionary or an Enum; else the value itself."""
        if isinstance(value, dict):
            return list(value)
        return (self._members(value) or value) if isinstance(value, Class) else value

    def _members(self, cls: Class) -> list[Member]:
        return [Member(name, value) for name, value in (enum_members(cls, self) or {}).items()]

    def items(self, nodes: Sequence[ast.expr], scope: Scope) -> Iterator[Any]:
        for node in nodes[: literals.MAX_ITEMS]:
            value = self.evaluate(node, scope)
            if not isinstance(node, ast.Starred):
                yield value
            elif isinstance(value := self.listed(value), (list, tuple)):
                yield from value
            else:
                yield Unknown(node)

    def _dict(self, node: ast.Dict, scope: Scope) -> Any:
        found: dict[Any, Any] = {}
        for key_node, value_node in zip(node.keys[: literals.MAX_ITEMS], node.values, strict=False):
            value = self.evaluate(value_node, scope)
            if key_node is None:
                found.update(value if isinstance(value, dict) else {Unknown(value_node): Unknown()})
                continue
            key = self.evaluate(key_node, scope)
            found[key if isinstance(key, (str, int, float, bytes, type(None))) else Unknown(key_node)] = value
        return found

    def _joined(self, node: ast.JoinedStr, scope: Scope) -> Any:
        parts: list[str] = []
        for part in node.values:
            if isinstance(part, ast.Constant):
                parts.append(str(part.value))
                continue
            value = self.evaluate(part.value, scope) if isinstance(part, ast.FormattedValue) and part.format_spec is None else Unknown()
            if not isinstance(value, (str, int, float)):
                return Unknown()
            parts.append(repr(value) if isinstance(part, ast.FormattedValue) and part.conversion == ord("r") else str(value))
        text = "".join(parts)
        return text if len(text) < literals.MAX_TEXT else Unknown()

    def _comprehension(self, node: ast.ListComp | ast.GeneratorExp | ast.SetComp, scope: Scope) -> Any:
        first = node.generators[0]
        values = self.listed(self.evaluate(first.iter, scope))
        if len(node.generators) > 1 or first.ifs or not isinstance(values, (list, tuple)) or len(values) > MAX_ROUNDS:
            return Unknown()
        inner = Scope(scope.module, parent=scope, function=scope.function)
        found = []
        for value in values:
            self.bind(first.target, value, inner)
            found.append(self.evaluate(node.elt, inner))
        return found

    def _subscript(self, owner: Any, key: Any) -> Any:
        try:
            if isinstance(owner, (dict, list, tuple, str)) and isinstance(key, (str, int)):
                return owner[key]  # type: ignore[index]
        except (LookupError, TypeError):
            return Unknown()
        return Unknown()

    def bind(self, target: ast.expr, value: Any, scope: Scope) -> None:
        match target:
            case ast.Name():
                scope.names[target.id] = value
            case ast.Tuple() | ast.List():
                known = value if isinstance(value, (tuple, list)) and len(value) == len(target.elts) else [Unknown()] * len(target.elts)
                for element, part in zip(target.elts, known, strict=True):
                    self.bind(element, part, scope)
            case ast.Attribute():
                owner = self.evaluate(target.value, scope)
                if isinstance(owner, (Instance, Parser)):
                    owner.attributes[target.attr] = value
            case ast.Subscript():
                owner, key = self.evaluate(target.value, scope), self.evaluate(target.slice, scope)
                if isinstance(owner, dict) and len(owner) < literals.MAX_ITEMS:
                    owner[key if isinstance(key, (str, int)) else Unknown(target.slice)] = value
