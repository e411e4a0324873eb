"""Walks a Python program's statements in order, without running them, to see which parsers it makes and fills.

Both branches of a condition are walked (one alone, where it is about a loop's variable and known), each loop over known values is
unrolled, and a function of the repository is entered if a parser comes into it or is made in it. What cannot be known stays Unknown.
"""

import ast
from collections.abc import Collection, Sequence
from typing import Any

from ml_agent.repo.entrypoints import literals
from ml_agent.repo.entrypoints.calls import Calls
from ml_agent.repo.entrypoints.conditions import decide, there
from ml_agent.repo.entrypoints.expressions import MAX_ROUNDS
from ml_agent.repo.entrypoints.module import Module, is_main_guard
from ml_agent.repo.entrypoints.values import Class, Function, Scope, Unknown
from ml_agent.repo.pysource import walk


class Interpreter(Calls):
    """One program."""

    _looped: frozenset[str] = frozenset()
    """Names that the loops around bind, and nothing in them binds again."""

    def run_module(self, module: Module, *, main: bool) -> Scope:
        """Walk the top level of a module; `main` includes what stands below `if __name__ == "__main__"`."""
        scope = Scope(module)
        self._scopes[module.path] = scope
        scope.names["__name__"] = "__main__" if main else module.path
        self.body(module.tree.body, scope, main=main)
        return scope

    def body(self, statements: Sequence[ast.stmt], scope: Scope, *, main: bool = False) -> list[Any]:
        """Walk statements; the values that they may return."""
        returned: list[Any] = []
        for node in statements:
            self._statement(node, scope, returned, main)
        return returned

    def _statement(self, node: ast.stmt, scope: Scope, returned: list[Any], main: bool) -> None:
        self.step()
        match node:
            case ast.Expr():
                self.evaluate(node.value, scope)
            case ast.Assign():
                value = self.evaluate(node.value, scope)
                for target in node.targets:
                    self.bind(target, value, scope)
            case ast.AnnAssign() if node.value is not None:
                self.bind(node.target, self.evaluate(node.value, scope), scope)
            case ast.AugAssign():
                self.bind(node.target, literals.binary(node.op, self.evaluate(node.target, scope), self.evaluate(node.value, scope)), scope)
            case ast.Return():
                returned.append(self.evaluate(node.value, scope) if node.value else None)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                scope.names[node.name] = self.define(node, scope)
            case ast.ClassDef():
                scope.names[node.name] = Class(scope.module, node, scope)
            case ast.Import() | ast.ImportFrom():
                self.do_import(node, scope)
            case ast.If():
                if is_main_guard(node) and not main:
                    returned.extend(self.body(node.orelse, scope))
                    return
                self.evaluate(node.test, scope)
                decided = decide(node.test, self._looped, scope) if self._looped else None
                if decided is None:
                    decided = there(node.test, scope, self.holds)
                if decided is not False:
                    returned.extend(self.body(node.body, scope))
                if decided is not True:
                    returned.extend(self.body(node.orelse, scope))
            case ast.For() | ast.AsyncFor():
                self._for(node, scope, returned)
            case ast.While():
                self.evaluate(node.test, scope)
                returned.extend(self.body([*node.body, *node.orelse], scope))
            case ast.With() | ast.AsyncWith():
                for item in node.items:
                    value = self.evaluate(item.context_expr, scope)
                    if item.optional_vars is not None:
                        self.bind(item.optional_vars, value, scope)
                returned.extend(self.body(node.body, scope))
            case ast.Try() | ast.TryStar():
                for part in (node.body, *(h.body for h in node.handlers), node.orelse, node.finalbody):
                    returned.extend(self.body(part, scope))
            case ast.Match():
                for case in node.cases:
                    returned.extend(self.body(case.body, scope))

    def _for(self, node: ast.For | ast.AsyncFor, scope: Scope, returned: list[Any]) -> None:
        values = self.evaluate(node.iter, scope)
        if isinstance(values, dict):
            values = list(values)
        if (
            isinstance(values, (list, tuple, set))
            and len(values) <= MAX_ROUNDS
            and (
                len(values) <= 3
                or self.relevance.mentions(scope.module, node)
                or _of_the_repository(values)
                or any(map(self.holds, values))
            )
        ):
            rounds = list(values)
        else:
            rounds = [Unknown()]
        around = self._looped
        self._looped = around | {n.id for n in walk(node.target) if isinstance(n, ast.Name)} - _stored(node.body)
        for value in rounds:
            self.bind(node.target, value, scope)
            returned.extend(self.body(node.body, scope))
        self._looped = around
        returned.extend(self.body(node.orelse, scope))


def _of_the_repository(values: Collection[Any]) -> bool:
    """They are classes and functions of its own: a list of what adds sub-commands or options each."""
    return all(isinstance(value, (Class, Function)) for value in values)


def _stored(statements: Sequence[ast.stmt]) -> set[str]:
    """Names that the statements bind."""
    nodes = (n for statement in statements for n in walk(statement))
    return {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
