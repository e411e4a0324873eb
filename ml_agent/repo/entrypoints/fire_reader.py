"""Programs that hand a function, class, dictionary or module to Python Fire: parameters become options, members commands."""

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ml_agent.repo.entrypoints.base import EntryPoint, Option
from ml_agent.repo.entrypoints.command_tree import Command, entry_point
from ml_agent.repo.entrypoints.glance import Import
from ml_agent.repo.entrypoints.module import statements
from ml_agent.repo.entrypoints.signatures import Parameter, constructor, docstring, methods, parameters
from ml_agent.repo.entrypoints.values import Class, External, Foreign, Function, Given, Instance, Method, Scope, Unknown, is_literal
from ml_agent.repo.entrypoints.walk import Maker, Walk

MAX_DEPTH = 4
MAX_MEMBERS = 500


@dataclass(eq=False, slots=True)
class Fire(Foreign):
    given: Given
    component: Any
    """None: the module that calls it."""


def _make(walk: Walk, given: Given) -> Any:
    command = given.get("command", 1)
    if command is None:  # else it does not read the command line
        walk.ran.append(Fire(given, given.get("component", 0)))
    return Unknown()


MAKERS: Mapping[str, Maker] = {"fire.Fire": _make, "fire.core.Fire": _make}


def entry(walk: Walk) -> EntryPoint | None:
    fire = next((f for f in walk.ran if isinstance(f, Fire)), None)
    if fire is None or not (walk.program.guarded or walk.program.acts):
        return None
    reader = _Reader(walk, fire.given.source)
    command = reader.module() if fire.component is None else reader.command(fire.component, 0)
    command.unread.extend(walk.unread)
    command.open_ended = command.open_ended or bool(walk.unread)
    help_ = Option("--help", ("--help", "-h"), fire.given.source, help="show the help and exit", action="help")
    command.options.append(help_)
    return entry_point(walk.program, "fire", command, "fire")


class _Reader:
    def __init__(self, walk: Walk, source: str) -> None:
        self._walk, self._source = walk, source

    def module(self) -> Command:
        """All that stands at the top level of the program."""
        program = self._walk.program
        command = Command(self._source, program.description, required=False)
        scope = self._walk.run_module(program.module, main=False) if program.function else None
        names = list(program.module.names)[:MAX_MEMBERS]
        for name in (n for n in names if not n.startswith("_")):
            binding = program.module.names[name]
            if isinstance(binding, Import):
                command.commands[name] = Command(self._source, open_ended=True)
            else:
                command.commands[name] = self.command(self._walk.lookup(name, scope or Scope(program.module)), 1, name)
        for node in program.module.tree.body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name in command.commands:
                value = Function(program.module, node) if isinstance(node, ast.FunctionDef) else Class(program.module, node)
                command.commands[node.name] = self.command(value, 1, node.name)
        return command

    def command(self, value: Any, depth: int, name: str = "") -> Command:
        match value:
            case Function():
                return self._function(value)
            case Class():
                return self._class(value, depth)
            case Instance():
                command = Command(f"{value.cls.module.path}:{value.cls.node.lineno}", docstring(value.cls.node), required=False)
                self._members(value.cls, command, depth)
                return command
            case Method(receiver=Instance() as receiver) if depth < MAX_DEPTH:
                return self.command(self._walk.attribute(receiver, value.name), depth + 1)
            case dict() if depth < MAX_DEPTH:
                command = Command(self._source, required=False)
                for key, inner in list(value.items())[:MAX_MEMBERS]:
                    if isinstance(key, str):
                        command.commands[key] = self.command(inner, depth + 1, key)
                return command
        if is_literal(value) and depth:
            return Command(self._source)
        what = value.dotted if isinstance(value, External) else name or "what is given to fire"
        return Command(self._source, open_ended=True, unread=[f"the parameters of {what} at {self._source}"])

    def _function(self, function: Function) -> Command:
        node = function.node
        command = Command(f"{function.module.path}:{node.lineno}", docstring(node))
        for parameter in parameters(function, self._walk):
            self._add(parameter, command)
        if not isinstance(node, ast.Lambda):
            returned = [n.value for n in statements(node) if isinstance(n, ast.Return) and n.value is not None]
            command.open_ended = command.open_ended or any(_may_chain(v) for v in returned)
        return command

    def _add(self, parameter: Parameter, command: Command) -> None:
        if parameter.kind == "kwargs":
            command.open_ended = True
        elif parameter.kind == "args":
            command.options.append(Option(parameter.name, (parameter.name,), parameter.source, nargs="*"))
        else:
            command.options.append(fire_option(parameter))

    def _class(self, cls: Class, depth: int) -> Command:
        command = Command(f"{cls.module.path}:{cls.node.lineno}", docstring(cls.node), required=False)
        init = constructor(cls, self._walk)
        for parameter in parameters(init, self._walk) if init is not None else ():
            self._add(parameter, command)
        self._members(cls, command, depth)
        return command

    def _members(self, cls: Class, command: Command, depth: int) -> None:
        """Methods, and attributes that the constructor sets: objects with methods of their own, or plain values."""
        if depth >= MAX_DEPTH:
            command.complete = False
            return
        if any(not isinstance(b, Class) and not (isinstance(b, External) and b.dotted == "object") for b in self._walk.bases(cls)):
            command.open_ended = True  # members that it inherits are not known
        for node in cls.node.body:
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    if isinstance(target, ast.Name) and not target.id.startswith("_"):
                        command.commands[target.id] = Command(f"{cls.module.path}:{node.lineno}")
        for name, method in methods(cls, self._walk).items():
            command.commands[name] = self._function(method)
        init = constructor(cls, self._walk)
        if init is None or isinstance(init.node, ast.Lambda):
            return
        for node in statements(init.node):
            for target in node.targets if isinstance(node, ast.Assign) else ():
                if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self":
                    value = self._walk.evaluate(node.value, init.closure or Scope(init.module)) if isinstance(node, ast.Assign) else None
                    if not target.attr.startswith("_"):
                        inner = self.command(value, depth + 1) if isinstance(value, Instance) else Command(init_source(init, node))
                        command.commands.setdefault(target.attr, inner)


def init_source(function: Function, node: ast.stmt) -> str:
    return f"{function.module.path}:{node.lineno}"


def fire_option(parameter: Parameter) -> Option:
    """Each parameter can be given by name or by its place; a boolean one also as a flag."""
    name = f"--{parameter.name}"
    kind = parameter.annotation.type
    if kind is None and is_literal(parameter.default) and parameter.default is not None:
        kind = type(parameter.default).__name__
    flag = kind == "bool" and not parameter.required
    spellings = (name, f"--{parameter.name.replace('_', '-')}", *([f"--no{parameter.name}"] if flag else []))
    aliases = tuple(dict.fromkeys(spellings))
    return Option(
        name, aliases, parameter.source, kind, parameter.default_text, parameter.annotation.choices, required=parameter.required,
        action="flag" if flag else "store",
    )  # fmt: skip


def _may_chain(value: ast.expr) -> bool:
    """Whether what a function returns may have members that take the words left over: itself, or an object."""
    return (isinstance(value, ast.Name) and value.id in ("self", "cls")) or (
        isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id[:1].isupper()
    )
