"""Calls while a program is walked: of its own functions and classes, of built-ins, of argparse, of anything else."""

import ast
from collections.abc import Callable
from typing import Any

from ml_agent.repo.entrypoints import argparse_calls, literals
from ml_agent.repo.entrypoints.argparse_model import Group, Parser, Subcommands
from ml_agent.repo.entrypoints.dictionaries import changes_dict, makes_dict
from ml_agent.repo.entrypoints.expressions import Expressions
from ml_agent.repo.entrypoints.relevance import Relevance
from ml_agent.repo.entrypoints.sources import Sources
from ml_agent.repo.entrypoints.values import Class, External, Foreign, Function, Given, Instance, Method, Scope, Super, Unknown

MAX_DEPTH = 30

_HARMLESS = frozenset(("autocomplete", "print", "isinstance", "hasattr", "str", "repr", "type", "vars", "callable", "debug", "info"))
"""Functions that take a parser and do not add to it."""


class Calls(Expressions):
    """Follows calls. Parsers that the program makes are collected in `parsers`."""

    def __init__(self, sources: Sources, relevance: Relevance) -> None:
        super().__init__(sources, relevance)
        self.parsers: list[Parser] = []
        self._active: list[ast.AST] = []

    def call(self, node: ast.Call, scope: Scope) -> Any:
        callee = self.evaluate(node.func, scope)
        arguments = list(self.items(node.args, scope))
        keywords: dict[str, Any] = {}
        for keyword in node.keywords:
            value = self.evaluate(keyword.value, scope)
            if keyword.arg is not None:
                keywords[keyword.arg] = value
            elif isinstance(value, dict) and all(isinstance(k, str) for k in value):
                keywords.update(value)
            else:
                keywords["**"] = Unknown(keyword.value)
        match callee:
            case Function():
                return self.enter(callee, arguments, keywords, node)
            case Class():
                return self.instance(callee, arguments, keywords, node, scope)
            case External():
                return self.external(callee.dotted, arguments, keywords, node, scope)
            case Foreign():
                return callee.called(self, given_by(node, scope, arguments, keywords))
            case Method() if isinstance(callee.receiver, Foreign):
                return callee.receiver.method(self, callee.name, given_by(node, scope, arguments, keywords))
            case Method() if isinstance(callee.receiver, (Parser, Group, Subcommands)):
                return self._parser_method(callee, arguments, keywords, node, scope)
            case Method():
                return literals.method(callee.receiver, callee.name, arguments, keywords)
        return self._unknown(arguments, keywords, node, scope)

    # --- the repository's own ---------------------------------------------------------------------------------

    def enter(self, function: Function, arguments: list[Any], keywords: dict[str, Any], call: ast.Call | None = None) -> Any:
        """Walk a function's body with these arguments, if that can matter to a parser."""
        node = function.node
        given = [function.receiver, *arguments, *keywords.values()]
        matters = any(map(self.holds, given)) or self.relevance.node(function.module, node) or self._closes_over(function)
        if function.owner is not None:
            matters = matters or (function.receiver is not None and self.relevance.node(function.owner.module, function.owner.node))
        matters = matters or makes_dict(node) or (any(isinstance(v, dict) for v in given) and changes_dict(node))
        if not matters or len(self._active) >= MAX_DEPTH or self._active.count(node) >= 2:
            return Unknown()
        scope = Scope(function.module, parent=function.closure, function=function)
        self._parameters(function, arguments, keywords, scope)
        self._active.append(node)
        try:
            returned = [self.evaluate(node.body, scope)] if isinstance(node, ast.Lambda) else self.body(node.body, scope)
        finally:
            self._active.pop()
        for wanted in ((Parser, Group, Subcommands, Foreign), (Instance, Function, Class)):
            for value in returned:
                if isinstance(value, wanted):
                    return value
        return next((v for v in returned if not isinstance(v, Unknown)), Unknown())

    def _closes_over(self, function: Function) -> bool:
        """Whether a function within a function knows something of a parser from there: decorators that add what they are given."""
        around = function.closure
        return around is not None and around.function is not None and any(map(self.holds, around.names.values()))

    def holds(self, value: Any) -> bool:
        """Whether a value has to do with a parser."""
        if isinstance(value, Instance):
            return any(isinstance(v, (Parser, Group)) for v in value.attributes.values())
        return isinstance(value, (Parser, Group, Subcommands))

    def _parameters(self, function: Function, arguments: list[Any], keywords: dict[str, Any], scope: Scope) -> None:
        spec = function.node.args
        around = function.closure or Scope(function.module)
        positional = [*spec.posonlyargs, *spec.args]
        values = [*([function.receiver] if function.receiver is not None else []), *arguments]
        rest = dict(keywords)
        for parameter, default in zip(reversed(positional), reversed(spec.defaults), strict=False):
            scope.names[parameter.arg] = self.evaluate(default, around)
        for parameter, default_or_none in zip(spec.kwonlyargs, spec.kw_defaults, strict=True):
            scope.names[parameter.arg] = self.evaluate(default_or_none, around) if default_or_none is not None else Unknown()
        for index, parameter in enumerate(positional):
            if index < len(values):
                scope.names[parameter.arg] = values[index]
            scope.names.setdefault(parameter.arg, Unknown())
        for parameter in (*positional, *spec.kwonlyargs):
            if parameter.arg in rest:
                scope.names[parameter.arg] = rest.pop(parameter.arg)
        if spec.vararg is not None:
            scope.names[spec.vararg.arg] = tuple(values[len(positional) :])
        if spec.kwarg is not None:
            scope.names[spec.kwarg.arg] = rest

    def instance(self, cls: Class, arguments: list[Any], keywords: dict[str, Any], node: ast.Call, scope: Scope) -> Any:
        init = None
        if self._is_parser_class(cls):
            made: Any = argparse_calls.make_parser(source_of(scope, node), [], {})
            made.cls = cls
            made.foreign = made.foreign or self._is_parser_class(cls, of=argparse_calls.reads_files)
            self.parsers.append(made)
            init = self.class_attribute(cls, "__init__", made)
            if not isinstance(init, Function):
                argparse_calls.configure(made, arguments, keywords)
        else:
            made = Instance(cls)
            init = self.class_attribute(cls, "__init__", made)
        if isinstance(init, Function):
            self.enter(init, arguments, keywords, node)
        return made

    def _is_parser_class(self, cls: Class, depth: int = 0, of: Callable[[str], bool] = argparse_calls.makes_parser) -> bool:
        for base in self.bases(cls) if depth < 10 else ():
            if isinstance(base, External) and of(base.dotted):
                return True
            if isinstance(base, Class) and base.node is not cls.node and self._is_parser_class(base, depth + 1, of):
                return True
        return False

    # --- everything else --------------------------------------------------------------------------------------

    def external(self, dotted: str, arguments: list[Any], keywords: dict[str, Any], node: ast.Call, scope: Scope) -> Any:
        name = dotted.rpartition(".")[2]
        if argparse_calls.makes_parser(dotted):
            parser = argparse_calls.make_parser(source_of(scope, node), arguments, keywords)
            parser.foreign = not argparse_calls.is_standard(dotted) or argparse_calls.reads_files(dotted)
            parser.open_ended = parser.open_ended or not argparse_calls.is_standard(dotted)
            self.parsers.append(parser)
            return parser
        if dotted == "super":
            return _super(scope)
        if dotted == "getattr" and len(arguments) >= 2 and isinstance(arguments[1], str):
            return self.attribute(arguments[0], arguments[1])
        if dotted == "setattr" and len(arguments) == 3 and isinstance(arguments[1], str) and isinstance(arguments[0], (Instance, Parser)):
            arguments[0].attributes[arguments[1]] = arguments[2]
            return None
        if name == "partial" and arguments and isinstance(arguments[0], Function):
            return arguments[0]
        if name == "partial" and arguments and isinstance(arguments[0], Method) and isinstance(arguments[0].receiver, (Parser, Group)):
            return argparse_calls.Partial(arguments[0], arguments[1:], keywords)
        if dotted == "dict" and (keywords or len(arguments) == 1):
            made: dict[Any, Any] = {}
            literals.method(made, "update", arguments, keywords)
            return made
        if "." not in dotted:
            value = literals.builtin(dotted, [self.listed(a) if isinstance(a, Class) else a for a in arguments])
            if not isinstance(value, Unknown):
                return value
        return self._unknown(arguments, keywords, node, scope)

    def _unknown(self, arguments: list[Any], keywords: dict[str, Any], node: ast.Call, scope: Scope) -> Any:
        """A call that is not followed. What it may do to a parser is not known; a function given to it may be called."""
        name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id if isinstance(node.func, ast.Name) else ""
        given = [*arguments, *keywords.values()]
        for value in given:
            if isinstance(value, Function) and self.relevance.node(value.module, value.node):
                self.enter(value, [], {}, node)
        parser = next((v for v in given if isinstance(v, (Parser, Group))), None)
        if parser is not None and name not in _HARMLESS:
            owner = parser if isinstance(parser, Parser) else parser.parser
            owner.open_ended = True
            owner.note(f"options that {name or 'a call'} may add at {source_of(scope, node)}")
            return parser
        return Unknown()

    def _parser_method(self, method: Method, arguments: list[Any], keywords: dict[str, Any], node: ast.Call, scope: Scope) -> Any:
        if isinstance(method.receiver, Subcommands) and method.name == "add_parser":
            parser = argparse_calls.add_subcommand(method.receiver, source_of(scope, node), arguments, keywords)
            self.parsers.append(parser)
            return parser
        nodes = {k.arg: k.value for k in node.keywords if k.arg is not None}
        return argparse_calls.call(method.receiver, method.name, source_of(scope, node), arguments, keywords, nodes)


def given_by(node: ast.Call, scope: Scope, arguments: list[Any], keywords: dict[str, Any]) -> Given:
    return Given(arguments, keywords, {k.arg: k.value for k in node.keywords if k.arg is not None}, source_of(scope, node))


def _super(scope: Scope) -> Any:
    current: Scope | None = scope
    while current is not None:
        function = current.function
        if function is not None and function.owner is not None:
            return Super(function.owner, function.receiver)
        current = current.parent
    return Unknown()


def source_of(scope: Scope, node: ast.Call) -> str:
    """Where the name of what is called stands: the call itself may begin lines above, in a chain."""
    return f"{scope.module.path}:{node.func.end_lineno or node.lineno}"
