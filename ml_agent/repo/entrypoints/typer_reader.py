"""Programs that take their command line with typer: the parameters of functions, described by `typer.Option` and `typer.Argument`."""

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ml_agent.repo.entrypoints.argparse_model import text_of
from ml_agent.repo.entrypoints.base import Action, EntryPoint, Option
from ml_agent.repo.entrypoints.click_model import command_name
from ml_agent.repo.entrypoints.click_reader import bounds, spellings
from ml_agent.repo.entrypoints.command_tree import Command, entry_point
from ml_agent.repo.entrypoints.glance import Import
from ml_agent.repo.entrypoints.signatures import ABSENT, Parameter, docstring, parameters
from ml_agent.repo.entrypoints.values import Foreign, Function, Given, Scope, Unknown
from ml_agent.repo.entrypoints.walk import Maker, Walk
from ml_agent.repo.pysource import dotted_name

_HARMLESS = frozenset("functools contextlib torch typing warnings".split())
"""Packages whose decorators leave a function's parameters as they are."""
_SKIPPED = frozenset(("Context", "CallbackParam"))
_NAMED = frozenset(("int", "float", "str", "bool"))


@dataclass(eq=False, slots=True)
class Info(Foreign):
    """`typer.Option(...)` or `typer.Argument(...)`"""

    kind: str
    given: Given


@dataclass(eq=False, slots=True)
class App(Foreign):
    given: Given
    functions: dict[str, tuple[Function, Given]] = field(default_factory=dict)
    apps: dict[str, "App"] = field(default_factory=dict)
    root: tuple[Function, Given] | None = None
    """Its callback: the options in front of a command."""
    unread: list[str] = field(default_factory=list)

    def called(self, walk: Walk, given: Given) -> Any:
        walk.ran.append(self)
        return Unknown()

    def method(self, walk: Walk, name: str, given: Given) -> Any:
        if name in ("command", "callback"):
            return _Decorator(self, name, given)
        if name == "add_typer":
            other, named = given.get("typer_instance", 0), given.get("name")
            if isinstance(other, App):
                spelled = named if isinstance(named, str) else other.name
                if spelled is None:  # its commands become those of this app
                    self.functions.update(other.functions)
                    self.apps.update(other.apps)
                else:
                    self.apps[spelled] = other
            else:
                self.unread.append(f"commands that are added at {given.source}")
        return Unknown()

    @property
    def name(self) -> str | None:
        named = self.given.keywords.get("name")
        if isinstance(named, str):
            return named
        if self.root is not None and isinstance(self.root[1].keywords.get("name"), str):
            return str(self.root[1].keywords["name"])
        return command_name(getattr(self.root[0].node, "name", "")) if self.root is not None else None


@dataclass(eq=False, slots=True)
class _Decorator(Foreign):
    app: App
    kind: str
    given: Given

    def called(self, walk: Walk, given: Given) -> Any:
        target = given.arguments[0] if given.arguments else None
        if not isinstance(target, Function):
            self.app.unread.append(f"a command at {self.given.source}")
        elif self.kind == "callback":
            self.app.root = target, self.given
        else:
            name = self.given.get("name", 0)
            spelled = name if isinstance(name, str) else command_name(getattr(target.origin.node, "name", ""))
            self.app.functions[spelled] = target, self.given
        return target


def _app(walk: Walk, given: Given) -> Any:
    made = App(given)
    walk.made.append(made)
    root = given.keywords.get("callback")
    if isinstance(root, Function):
        made.root = root, given
    return made


def _run(walk: Walk, given: Given) -> Any:
    function = given.get("function", 0)
    made = App(Given((), {"add_completion": False}, {}, given.source))
    if isinstance(function, Function):
        made.functions["main"] = function, Given((), {}, {}, given.source)
    else:
        made.unread.append(f"what is run at {given.source}")
    walk.ran.append(made)
    return Unknown()


MAKERS: Mapping[str, Maker] = {
    "typer.Typer": _app,
    "typer.run": _run,
    "typer.Option": lambda walk, given: Info("option", given),
    "typer.Argument": lambda walk, given: Info("argument", given),
}


def entry(walk: Walk) -> EntryPoint | None:
    program = walk.program
    ran = [a for a in walk.ran if isinstance(a, App)]
    if not ran and program.guarded:
        ran = [a for a in walk.made if isinstance(a, App) and a.given.source.rpartition(":")[0] == program.path][:1]
    if not ran or not (program.guarded or program.acts):
        return None
    reader = _Reader(walk)
    command = reader.app(ran[0], frozenset())
    command.unread += walk.unread
    command.open_ended = command.open_ended or bool(walk.unread)
    if ran[0].given.keywords.get("add_completion", True) is not False:
        for name in ("--install-completion", "--show-completion"):
            command.options.append(Option(name, (name,), ran[0].given.source, help="completion for the shell", action="help"))
    return entry_point(program, "typer", command, "click")


def _foreign_decorator(function: Function) -> str | None:
    """A decorator beside the app's own, that another package brings: it may take options of its own, as `use_yaml_config` does."""
    origin = function.origin
    for decorator in getattr(origin.node, "decorator_list", ()):
        name = dotted_name(decorator.func if isinstance(decorator, ast.Call) else decorator) or ""
        bound = origin.module.names.get(name.partition(".")[0])
        if isinstance(bound, Import) and bound.module.partition(".")[0] not in _HARMLESS and not name.endswith((".command", ".callback")):
            return name
    return None


class _Reader:
    def __init__(self, walk: Walk) -> None:
        self._walk = walk

    def app(self, app: App, above: frozenset[int]) -> Command:
        if app.root is None and len(app.functions) == 1 and not app.apps and not above:
            command = self._function(*next(iter(app.functions.values())))
            command.unread += app.unread
            command.open_ended = command.open_ended or bool(app.unread)
            return command
        command = self._function(*app.root) if app.root is not None else Command(app.given.source)
        settings = {**app.given.keywords, **(app.root[1].keywords if app.root is not None else {})}
        if isinstance(app.given.keywords.get("help"), str):
            command.description = " ".join(app.given.keywords["help"].split())
        command.required = settings.get("invoke_without_command", False) is False
        command.unread += app.unread
        command.open_ended = command.open_ended or bool(app.unread)
        if app.root is None:
            _add_help(command, settings, app.given.source)
        for name, (function, given) in app.functions.items():
            command.commands[name] = self._function(function, given)
        for name, inner in app.apps.items():
            if id(inner) not in above and inner is not app:
                command.commands[name] = self.app(inner, above | {id(app)})
        if not command.commands and not app.unread and app.root is None:
            command.unread.append(f"no command was found at {app.given.source}")
            command.open_ended = True
        return command

    def _function(self, function: Function, given: Given) -> Command:
        node = function.origin.node
        text = given.keywords.get("help")
        command = Command(
            f"{function.module.path}:{node.lineno}", " ".join(text.split()) if isinstance(text, str) else docstring(node)
        )  # fmt: skip
        if (foreign := _foreign_decorator(function)) is not None:
            command.unread.append(f"options that {foreign} may add at {command.source}")
            command.open_ended = True
        for parameter in parameters(function.origin, self._walk):
            if parameter.kind in ("args", "kwargs"):
                continue
            if parameter.annotation.type not in _SKIPPED:
                command.options.append(self._option(parameter, function.origin, command))
        settings = given.keywords.get("context_settings")
        if settings is not None and (not isinstance(settings, dict) or settings.keys() & {"ignore_unknown_options", "allow_extra_args"}):
            command.open_ended = True
        _add_help(command, given.keywords, command.source)
        return command

    def _option(self, parameter: Parameter, function: Function, command: Command) -> Option:
        around = function.closure or Scope(function.module)
        inside = [v for n in parameter.annotation.metadata if isinstance(v := self._walk.evaluate(n, around), Info)]
        info = inside[0] if inside else parameter.default if isinstance(parameter.default, Info) else None
        default, shown = parameter.default, parameter.default_text
        names: list[Any] = []
        if info is not None:
            names = list(info.given.arguments)
            if not inside:
                default = info.given.get("default", 0, ...)
                shown = text_of(default, info.given.nodes.get("default"))
                names = names[1:]
            elif default is ABSENT and "default" in info.given.keywords:
                default = info.given.keywords["default"]
                shown = text_of(default, info.given.nodes.get("default"))
        given = info.given if info is not None else Given((), {}, {}, parameter.source)
        required = default is ABSENT or default is ...
        if given.keywords.get("default_factory") is not None:
            required = False
        if "**" in given.keywords or any(not isinstance(n, str) for n in names):
            command.unread.append(f"some arguments of {parameter.name} at {given.source}")
            command.open_ended = True
        shown = None if required else shown
        argument = info.kind == "argument" if info is not None else required
        make = _argument if argument else _option
        return make(parameter, [n for n in names if isinstance(n, str)], given, required, shown)


def _type(parameter: Parameter, given: Given) -> tuple[str, tuple[str, ...] | None]:
    kind = parameter.annotation
    if given.keywords.get("parser") is not None or given.keywords.get("click_type") is not None:
        return "custom", None
    if kind.choices is not None:
        return ("Choice" if given.keywords.get("case_sensitive", True) is False else "str"), kind.choices
    if kind.type is None and parameter.annotation.nargs is None and type(parameter.default).__name__ in _NAMED:
        return type(parameter.default).__name__, None
    return kind.type or "str", None


def _argument(parameter: Parameter, names: list[str], given: Given, required: bool, shown: str | None) -> Option:
    kind, choices = _type(parameter, given)
    nargs = parameter.annotation.nargs
    if nargs == "*":
        nargs = "+" if required else "*"
    elif nargs is None and not required:
        nargs = "?"
    return Option(
        parameter.name, (parameter.name,), parameter.source, kind, shown, choices, nargs, required, _help(given),
        lenient=required and given.keywords.get("envvar") is not None, bounds=bounds(given),
    )  # fmt: skip


def _option(parameter: Parameter, names: list[str], given: Given, required: bool, shown: str | None) -> Option:
    kind, choices = _type(parameter, given)
    first, second = spellings(names)
    name = f"--{parameter.name.replace('_', '-')}"
    flag = kind == "bool" and parameter.annotation.nargs is None
    counts = given.keywords.get("count") is True
    if not first and not second:
        first, second = [name], [f"--no-{name[2:]}"] if flag else []
    action: Action = "count" if counts else "flag" if flag else "append" if parameter.annotation.nargs == "*" else "store"
    if flag and given.keywords.get("is_eager") is True and given.keywords.get("callback") is not None:
        action = "help"
    prompts = given.keywords.get("prompt", False) is not False
    aliases = tuple(dict.fromkeys((*first, *second)))
    nargs = parameter.annotation.nargs
    return Option(
        max(first or aliases, key=lambda a: (a.startswith("--"), len(a))), aliases, parameter.source,
        kind if action != "count" else None, shown, choices, nargs if nargs not in (None, "*") and action == "store" else None,
        required and not prompts, _help(given), action,
        lenient=required and given.keywords.get("envvar") is not None, bounds="" if counts else bounds(given),
    )  # fmt: skip


def _help(given: Given) -> str:
    text = given.keywords.get("help")
    return " ".join(text.split()) if isinstance(text, str) else ""


def _add_help(command: Command, keywords: Mapping[str, Any], source: str) -> None:
    settings = keywords.get("context_settings")
    names = settings.get("help_option_names", ["--help"]) if isinstance(settings, dict) else ["--help"]
    if keywords.get("add_help_option", True) is not False and isinstance(names, (list, tuple)) and names:
        spelled = tuple(n for n in names if isinstance(n, str))
        command.options.append(Option(max(spelled, key=len), spelled, source, help="show the help and exit", action="help"))
