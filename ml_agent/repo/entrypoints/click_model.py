"""click's objects: options and arguments that hang on functions, the commands made of them, groups."""

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ml_agent.repo.entrypoints.signatures import docstring
from ml_agent.repo.entrypoints.values import Class, External, Foreign, Function, Given, Unknown, is_literal
from ml_agent.repo.entrypoints.walk import Maker, Walk

_SUFFIXES = ("_command", "_cmd", "_group", "_grp")
"""Of a function's name, left out of the command's name since click 8.2."""


@dataclass(eq=False, slots=True)
class Type(Foreign):
    """`click.Choice([...])`, `click.IntRange(...)`, ..."""

    name: str
    given: Given


@dataclass(eq=False, slots=True)
class Parameter(Foreign):
    """`click.option(...)` and `click.argument(...)`, and the classes behind them."""

    kind: str
    given: Given

    def called(self, walk: Any, given: Given) -> Any:
        target = given.arguments[0] if given.arguments else None
        if isinstance(target, Function):
            target.hung.append(self)
        elif isinstance(target, Group):
            target.parameters.append(self)
        return target


@dataclass(eq=False, slots=True)
class Group(Foreign):
    """A command, or a group of commands."""

    name: str | None
    given: Given
    is_group: bool
    function: Function | None = None
    parameters: list[Any] = field(default_factory=list)
    """Parameter objects; texts are notes on what could not be read."""
    commands: dict[str, "Group"] = field(default_factory=dict)
    complete: bool = True

    def called(self, walk: Walk, given: Given) -> Any:
        walk.ran.append(self)
        return Unknown()

    def method(self, walk: Walk, name: str, given: Given) -> Any:
        match name:
            case "command" | "group":
                return _command(given, name == "group", walk, self)
            case "add_command":
                self.add(given.get("cmd", 0), given.get("name", 1))
            case "add_section" | "section" | "list_commands" | "get_command":
                self.complete = False
            case "main" | "__call__" | "invoke":
                walk.ran.append(self)
            case "result_callback" | "resultcallback":
                return Unknown()
        return Unknown()

    def add(self, command: Any, name: Any = None) -> None:
        spelled = name if isinstance(name, str) else getattr(command, "name", None)
        if isinstance(command, Group) and isinstance(spelled, str):
            self.commands[spelled] = command
        else:
            self.complete = False


@dataclass(eq=False, slots=True)
class _Decorator(Foreign):
    """`@click.command(...)` before it got its function."""

    given: Given
    is_group: bool
    parent: Group | None

    def called(self, walk: Walk, given: Given) -> Any:
        return _decorate(given.arguments[0] if given.arguments else None, self.given, self.is_group, walk, self.parent)


def _command(given: Given, is_group: bool, walk: Walk, parent: Group | None = None) -> Any:
    target = given.arguments[0] if given.arguments else None
    if isinstance(target, (Function, Group)):
        return _decorate(target, Given((), given.keywords, given.nodes, given.source), is_group, walk, parent)
    return _Decorator(given, is_group, parent)


def _decorate(target: Any, given: Given, is_group: bool, walk: Walk, parent: Group | None) -> Any:
    if not isinstance(target, Function):
        return Unknown()
    name = given.get("name", 0)
    written = getattr(target.origin.node, "name", "")
    spelled = name if isinstance(name, str) else command_name(written)
    source = f"{target.module.path}:{target.node.lineno}"
    group = Group(spelled, Given((), given.keywords, given.nodes, source), is_group, target, list(reversed(target.hung)))
    listed = given.get("params")
    if isinstance(listed, (list, tuple)):
        group.parameters.extend(listed)
    if _is_group_class(given):
        group.is_group, group.complete = True, _keeps_commands(given.keywords.get("cls"), walk)
    walk.made.append(group)
    if parent is not None:
        parent.commands[spelled] = group
        if not isinstance(name, str) and (other := _short_name(written)) != spelled:
            parent.commands[other] = group
    return group


def command_name(function: str) -> str:
    return function.lower().replace("_", "-")


def _short_name(function: str) -> str:
    stem = next((function[: -len(s)] for s in _SUFFIXES if function.endswith(s) and len(function) > len(s)), function)
    return command_name(stem)


def _is_group_class(given: Given) -> bool:
    """`cls=` of a class that looks its commands up itself."""
    cls = given.keywords.get("cls")
    name = cls.dotted if isinstance(cls, External) else getattr(getattr(cls, "node", None), "name", "")
    return any(w in name for w in ("MultiCommand", "Collection", "Lazy", "Group")) and not name.startswith("click.")


_LOOKS_UP = frozenset({"get_command", "resolve_command", "parse_args", "add_command", "__init__"})


def _keeps_commands(cls: Any, walk: Walk) -> bool:
    """Whether a class of the repository leaves it to click's Group which commands there are: it may list them in another order."""
    if not isinstance(cls, Class) or any(isinstance(n, ast.FunctionDef) and n.name in _LOOKS_UP for n in cls.node.body):
        return False
    return [b.dotted.rpartition(".")[2] for b in walk.bases(cls) if isinstance(b, External)] == ["Group"]


def _make_group(is_group: bool) -> Maker:
    def make(walk: Walk, given: Given) -> Any:
        name = given.get("name", 0)
        group = Group(name if isinstance(name, str) else None, given, is_group)
        for parameter in given.keywords.get("params") or () if is_literal_list(given.keywords.get("params")) else ():
            group.parameters.append(parameter)
        commands = given.get("commands")
        if isinstance(commands, Mapping):
            for spelled, command in commands.items():
                group.add(command, spelled)
        elif isinstance(commands, (list, tuple)):
            for command in commands:
                group.add(command)
        elif commands is not None:
            group.complete = False
        if isinstance(given.keywords.get("callback"), Function):
            group.function = given.keywords["callback"]
        walk.made.append(group)
        return group

    return make


def is_literal_list(value: Any) -> bool:
    return isinstance(value, (list, tuple))


def _collection(walk: Walk, given: Given) -> Any:
    group = Group(None, given, True)
    sources = given.get("sources", 1, ())
    for source in sources if isinstance(sources, (list, tuple)) else [None]:
        if isinstance(source, Group):
            group.commands.update(source.commands)
            group.complete = group.complete and source.complete
        else:
            group.complete = False
    walk.made.append(group)
    return group


def _parameter(kind: str) -> Maker:
    return lambda walk, given: Parameter(kind, given)


def _ready(kind: str, *, names: tuple[str, ...]) -> Maker:
    """Options that click makes itself: `--version`, `--yes`. They can be used with or without a call."""

    def make(walk: Walk, given: Given) -> Any:
        spelled = tuple(a for a in given.arguments if isinstance(a, str) and a.startswith("-")) or names
        parameter = Parameter(kind, Given(spelled, given.keywords, given.nodes, given.source))
        if given.arguments and isinstance(given.arguments[0], (Function, Group)):
            return parameter.called(walk, given)
        return parameter

    return make


def _parameter_class(kind: str) -> Maker:
    """`click.Option(["--x"], ...)`"""

    def make(walk: Walk, given: Given) -> Any:
        names = given.get("param_decls", 0, ())
        keywords = {k: v for k, v in given.keywords.items() if k != "param_decls"}
        listed = list(names) if isinstance(names, (list, tuple)) else [names]
        return Parameter(kind, Given(listed, keywords, given.nodes, given.source))

    return make


def _pass_through(walk: Walk, given: Given) -> Any:
    """`@click.pass_context` and the like."""
    return given.arguments[0] if given.arguments else Unknown()


def _type(name: str) -> Maker:
    return lambda walk, given: Type(name, given)


def makes(is_group: bool) -> Maker:
    return lambda walk, given: _command(given, is_group, walk)


def _nothing(walk: Walk, given: Given) -> Any:
    return None if not is_literal(given.arguments) else Unknown()


MAKERS: Mapping[str, Maker] = {
    "click.option": _parameter("option"),
    "click.argument": _parameter("argument"),
    "click.Option": _parameter_class("option"),
    "click.Argument": _parameter_class("argument"),
    "click.core.Option": _parameter_class("option"),
    "click.core.Argument": _parameter_class("argument"),
    "click.version_option": _ready("version", names=("--version",)),
    "click.help_option": _ready("help", names=("--help",)),
    "click.confirmation_option": _ready("flag", names=("--yes",)),
    "click.password_option": _ready("prompted", names=("--password",)),
    "click.command": makes(is_group=False),
    "click.group": makes(is_group=True),
    "click.Command": _make_group(False),
    "click.Group": _make_group(True),
    "click.CommandCollection": _collection,
    "click.pass_context": _pass_through,
    "click.pass_obj": _pass_through,
    "click.echo": _nothing,
    **{f"click.{n}": _type(n) for n in ("Choice", "IntRange", "FloatRange", "Path", "File", "Tuple", "DateTime")},
}


def describe(group: Group) -> str:
    text = group.given.keywords.get("help")
    if isinstance(text, str):
        return " ".join(text.split("\n\n")[0].split())
    return docstring(group.function.origin.node) if group.function is not None else ""
