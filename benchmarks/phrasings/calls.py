"""Calls in Python code: the parameters that functions take, and whether a call gives one of them a value."""

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ml_agent.task import Answer

Signatures = Mapping[str, Sequence[str]]
"""Parameters that can be given by their place, without `self`, by a function's or class's name, of a method behind that of its class.

A last one with a `*` takes all that is left as a tuple.
"""


def signatures(sources: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Of the functions and classes of these modules, and the methods of the latter."""
    found: dict[str, tuple[str, ...]] = {}
    for source in sources:
        for node in ast.parse(source).body:
            if isinstance(node, ast.FunctionDef):
                found[node.name] = _parameters(node)
            elif isinstance(node, ast.ClassDef):
                methods = [each for each in node.body if isinstance(each, ast.FunctionDef)]
                for method in methods:
                    name = node.name if method.name == "__init__" else f"{node.name}.{method.name}"
                    found[name] = _parameters(method)[1:]
    return found


def _parameters(function: ast.FunctionDef) -> tuple[str, ...]:
    return tuple(each.arg for each in function.args.posonlyargs + function.args.args)


@dataclass(frozen=True, slots=True)
class Argument:
    """The value that a call has to give a parameter."""

    said: str
    functions: tuple[str, ...]
    """Any of them may be called: the last part of their names."""
    parameter: str
    value: object
    parameters: tuple[str, ...]
    """Of the function, by place; see `Signatures`."""
    calls: str = ""
    """Another function that has to be called, too."""

    def problems(self, answer: Answer | None) -> list[str]:
        code = _read(answer.code) if answer and answer.language == "python" else None
        if code is None or (self.calls and not code.calls_of((self.calls,))):
            return [""]
        return [] if any(self._is_given(call, code) for call in code.calls_of(self.functions)) else [""]

    def _is_given(self, call: ast.Call, code: "_Code") -> bool:
        given = {keyword.arg: keyword.value for keyword in call.keywords}
        for place, parameter in enumerate(self.parameters):
            if parameter.startswith("*"):
                left = call.args[place:]
                given[parameter] = left[0] if len(left) == 1 else ast.Tuple(left, ast.Load())
            elif place < len(call.args):
                given[parameter] = call.args[place]
        return self.parameter in given and code.is_value(given[self.parameter], self.value)


def literal(text: str | None) -> object:
    """What a catalogue's text stands for: a number, a list, None ..., or itself."""
    try:
        return ast.literal_eval(text or "")
    except (SyntaxError, ValueError):
        return text


@dataclass(frozen=True, slots=True)
class _Code:
    """The calls of a program, and what its variables were last set to."""

    calls: tuple[ast.Call, ...]
    variables: Mapping[str, ast.expr]

    def calls_of(self, functions: Sequence[str]) -> list[ast.Call]:
        return [call for call in self.calls if _name(call.func) in functions]

    def is_value(self, node: ast.expr, wanted: object) -> bool:
        if isinstance(node, ast.Name):
            node = self.variables.get(node.id, node)
        try:
            return _is_same(ast.literal_eval(node), wanted)
        except ValueError:
            return False


@lru_cache(maxsize=8)
def _read(code: str) -> _Code | None:
    """None if it is no Python."""
    try:
        nodes = list(ast.walk(ast.parse(code)))
    except SyntaxError:
        return None
    assigned = [each for each in nodes if isinstance(each, ast.Assign)]
    variables = {target.id: each.value for each in assigned for target in each.targets if isinstance(target, ast.Name)}
    return _Code(tuple(each for each in nodes if isinstance(each, ast.Call)), variables)


def _name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else function.id if isinstance(function, ast.Name) else ""


def _is_same(given: object, wanted: object) -> bool:
    """A list is the same as a tuple, 1 as 1.0, and text with blank lines around it as without."""
    if isinstance(given, list | tuple) and isinstance(wanted, list | tuple):
        return len(given) == len(wanted) and all(map(_is_same, given, wanted))
    if isinstance(given, bool) or isinstance(wanted, bool):
        return given is wanted
    if isinstance(given, str) and isinstance(wanted, str):
        return given.strip() == wanted
    return given == wanted
