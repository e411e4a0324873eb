"""Walks a program for the frameworks other than argparse: their objects are made, decorators are applied to functions."""

import ast
from collections.abc import Callable, Mapping
from typing import Any

from ml_agent.repo.entrypoints.calls import given_by
from ml_agent.repo.entrypoints.interpreter import Interpreter
from ml_agent.repo.entrypoints.module import Module
from ml_agent.repo.entrypoints.names import Exhausted
from ml_agent.repo.entrypoints.program import Program
from ml_agent.repo.entrypoints.relevance import FrameworkRelevance
from ml_agent.repo.entrypoints.values import Class, External, Foreign, Function, Given, Instance, Method, Scope, Unknown

Maker = Callable[["Walk", Given], Any]
"""What a call of a framework's function or class makes."""

ClassMaker = Callable[["Walk", Given, Class], Any]
"""What a call of a class of the repository makes that is derived from a framework's."""

_SAME = {"rich_click": "click", "asyncclick": "click", "cloup": "click"}
"""Modules that stand in for another one."""
_MAX_LISTED = 200


class Walk(Interpreter):
    """One program. `makers`: by dotted name (`click.option`), or by the last part alone (`*.HfArgumentParser`)."""

    def __init__(self, program: Program, makers: Mapping[str, Maker], of_classes: Mapping[str, "ClassMaker"]) -> None:
        super().__init__(program.sources, FrameworkRelevance.of(program.sources, program.module.folder))
        self.program = program
        self.made: list[Foreign] = []
        """In the order in which they were made."""
        self.ran: list[Foreign] = []
        """Those that read the command line."""
        self.unread: list[str] = []
        self._makers = makers
        self._of_classes = of_classes

    def run(self) -> None:
        """Walk the program as it is started."""
        program = self.program
        try:
            scope = self.run_module(program.module, main=program.function is None)
            if program.function is not None:
                self.use(self.lookup(program.function, scope), Given((), {}, {}, f"{program.path}:1"))
            elif not self.ran and program.guarded:
                for node in program.module.tree.body:  # what calls them was not seen
                    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                        self.use(self.lookup(node.name, scope), Given((), {}, {}, f"{program.path}:1"), function_only=True)
        except Exhausted:
            self.unread.append(f"too long a program: not all of it was read at {program.path}:1")

    def use(self, callee: Any, given: Given, *, function_only: bool = False) -> Any:
        """Call a value of the program."""
        if isinstance(callee, Function):
            return self.enter(callee, list(given.arguments), dict(given.keywords))
        if isinstance(callee, Foreign) and not function_only:
            return callee.called(self, given)
        return Unknown()

    def external(self, dotted: str, arguments: list[Any], keywords: dict[str, Any], node: ast.Call, scope: Scope) -> Any:
        maker = self.maker(dotted)
        if maker is not None:
            return maker(self, given_by(node, scope, arguments, keywords))
        if dotted in ("functools.wraps", "functools.update_wrapper", "wraps"):
            return Wraps(arguments[0]) if len(arguments) == 1 else _wrapped(arguments)
        return super().external(dotted, arguments, keywords, node, scope)

    def instance(self, cls: Class, arguments: list[Any], keywords: dict[str, Any], node: ast.Call, scope: Scope) -> Any:
        for base in self.bases(cls) if self._of_classes else ():
            make = self._of_classes.get(base.dotted.rpartition(".")[2]) if isinstance(base, External) else None
            if make is not None:
                return make(self, given_by(node, scope, arguments, keywords), cls)
        return super().instance(cls, arguments, keywords, node, scope)

    def scope_of(self, module: Module) -> Scope:
        """The top level of a module that was walked."""
        return self._module_scope(module)

    def maker(self, dotted: str) -> Maker | None:
        root, _, rest = dotted.partition(".")
        name = dotted.rpartition(".")[2]
        return self._makers.get(f"{_SAME.get(root, root)}.{rest}") or self._makers.get(f"*.{name}")

    def define(self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> Any:
        return self.decorated(Function(scope.module, node, scope), node, scope)

    def decorated(self, value: Any, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, scope: Scope) -> Any:
        """The value that a name gets once the decorators have run."""
        for decorator in reversed(node.decorator_list):
            self.step()
            given = Given([value], {}, {}, f"{scope.module.path}:{decorator.lineno}")
            callee = self.evaluate(decorator, scope)
            if isinstance(callee, Method) and isinstance(callee.receiver, Foreign):
                made = callee.receiver.method(self, callee.name, given)
            elif isinstance(callee, External):
                maker = self.maker(callee.dotted)
                made = maker(self, given) if maker is not None else value
            else:
                made = self.use(callee, given)
            if not isinstance(made, Unknown) and made is not None:
                value = made
            elif callee is not None and isinstance(decorator, ast.Call):
                self.unseen(value, callee, given)
        return value

    def unseen(self, value: Any, decorator: Any, given: Given) -> None:
        """A decorator that could not be followed; those of a framework's neighbours may add options."""
        name = ast.unparse(decorator.node.func) if isinstance(decorator, Unknown) and isinstance(decorator.node, ast.Call) else ""
        if isinstance(value, Function) and value.hung and any(w in name.lower() for w in ("option", "argument", "click", "param")):
            value.hung.append(f"options that {name[:80]} may add at {given.source}")

    def holds(self, value: Any) -> bool:
        if isinstance(value, (list, tuple)):
            return any(map(self.holds, value[:_MAX_LISTED]))
        if isinstance(value, Instance):
            return any(isinstance(v, Foreign) for v in value.attributes.values()) or super().holds(value)
        return isinstance(value, Foreign) or (isinstance(value, Function) and bool(value.hung)) or super().holds(value)


class Wraps(Foreign):
    """`functools.wraps(f)`: what hangs on `f` hangs on what it decorates too."""

    def __init__(self, wrapped: Any) -> None:
        self.wrapped = wrapped

    def called(self, walk: Walk, given: Given) -> Any:
        return _wrapped([*given.arguments[:1], self.wrapped])


def _wrapped(values: list[Any]) -> Any:
    match values:
        case [Function() as wrapper, Function() as wrapped, *_] if wrapper is not wrapped:
            wrapper.hung.extend(wrapped.hung)
            wrapper.wrapped = wrapped
    return values[0] if values else Unknown()
