"""Programs that make their options of signatures with jsonargparse, and Lightning's LightningCLI, which is built on it."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ml_agent.repo.entrypoints import argparse_calls
from ml_agent.repo.entrypoints.argparse_model import Parser as ArgparseParser
from ml_agent.repo.entrypoints.argparse_model import all_unread
from ml_agent.repo.entrypoints.base import EntryPoint, Option
from ml_agent.repo.entrypoints.command_tree import Command, entry_point
from ml_agent.repo.entrypoints.dataclass_clis import Leaf, find_leaves
from ml_agent.repo.entrypoints.signatures import ABSENT, constructor, docstring, methods
from ml_agent.repo.entrypoints.values import Class, External, Foreign, Function, Given, Instance, Unknown
from ml_agent.repo.entrypoints.walk import Maker, Walk

MAX_DEPTH = 3
_RUNS = ("fit", "validate", "test", "predict")
_HELP = "show the help and exit"


@dataclass(eq=False, slots=True)
class Components(Foreign):
    """`jsonargparse.CLI(...)`"""

    given: Given
    value: Any


@dataclass(eq=False, slots=True)
class Lightning(Foreign):
    """`LightningCLI(...)`, or a class of the repository that is one."""

    given: Given
    cls: Class | None


def _cli(walk: Walk, given: Given) -> Any:
    if not isinstance(given.keywords.get("args"), (list, tuple)):
        walk.ran.append(Components(given, given.get("components", 0)))
    return Unknown()


def _lightning(walk: Walk, given: Given, cls: Class | None = None) -> Any:
    if not isinstance(given.keywords.get("args"), (list, tuple, dict)):
        walk.ran.append(Lightning(given, cls))
    return Unknown()


MAKERS: Mapping[str, Maker] = {
    "jsonargparse.CLI": _cli,
    "jsonargparse.auto_cli": _cli,
    "*.LightningCLI": _lightning,
}
OF_CLASSES = {"LightningCLI": _lightning}
"""What an instance of a subclass in the repository makes, by the last part of the name of the class outside."""


def entry(walk: Walk) -> EntryPoint | None:
    found = next((f for f in walk.ran if isinstance(f, (Components, Lightning))), None)
    if found is None or not (walk.program.guarded or walk.program.acts):
        return None
    reader = _Reader(walk, found.given.source)
    command = reader.lightning(found) if isinstance(found, Lightning) else reader.components(found)
    command.unread += walk.unread
    command.open_ended = command.open_ended or bool(walk.unread)
    return entry_point(walk.program, "lightning_cli" if isinstance(found, Lightning) else "jsonargparse", command, "gnu", prefixes=True)


class _Reader:
    def __init__(self, walk: Walk, source: str) -> None:
        self._walk, self._source = walk, source

    def _standard(self, command: Command, *, print_config: bool = True) -> None:
        source = command.source
        command.options.insert(0, Option("--help", ("-h", "--help"), source, help=_HELP, action="help"))
        command.options.insert(1, Option("--config", ("--config",), source, "str", help="a file of settings"))
        if print_config:
            command.options.insert(2, Option("--print_config", ("--print_config",), source, nargs="?", help="show the settings"))

    # --- jsonargparse ------------------------------------------------------------------------------------------

    def components(self, found: Components) -> Command:
        value = found.value
        positional = found.given.keywords.get("as_positional", True) is not False
        if value is None:  # all that stands at the top level of the program
            module = self._walk.program.module
            value = {}
            scope = self._walk.scope_of(module)
            for node in module.tree.body:
                if getattr(node, "name", "_").startswith("_"):
                    continue
                name = str(node.name)  # type: ignore[attr-defined]
                value[name] = self._walk.lookup(name, scope)
            if len(value) == 1:
                value = next(iter(value.values()))
        return self._component(value, positional, 0)

    def _component(self, value: Any, positional: bool, depth: int) -> Command:
        if isinstance(value, (list, tuple)):
            value = {getattr(getattr(v, "node", None), "name", "?"): v for v in value}
        match value:
            case Function():
                command = Command(f"{value.module.path}:{value.node.lineno}", docstring(value.node))
                self._add(value, command, positional)
            case Class() if depth < MAX_DEPTH:
                command = Command(f"{value.module.path}:{value.node.lineno}", docstring(value.node))
                if depth or methods(value, self._walk):
                    init = constructor(value, self._walk)
                    self._add(init if init is not None else value, command, positional)
                    for name, method in methods(value, self._walk).items():
                        command.commands[name] = self._component(method, positional, depth + 1)
                else:
                    self._add(value, command, positional)
            case dict() if depth < MAX_DEPTH and value and "?" not in value:
                command = Command(self._source)
                for name, inner in value.items():
                    if not str(name).startswith("_"):
                        command.commands[str(name)] = self._component(inner, positional, depth + 1)
            case _:
                what = value.dotted if isinstance(value, External) else "what is given"
                command = Command(self._source, open_ended=True, unread=[f"options of {what} at {self._source}"])
        self._standard(command)
        return command

    def _add(self, target: Class | Function, command: Command, positional: bool) -> None:
        for leaf in find_leaves(target, self._walk, command):
            command.options.append(_option(leaf, positional and len(leaf.path) == 1))

    # --- Lightning ----------------------------------------------------------------------------------------------

    def lightning(self, found: Lightning) -> Command:
        given = found.given
        command = Command(self._source)
        runs = given.keywords.get("run", True) is not False
        added = self._added(found.cls)
        if not runs:
            self._fill(command, found, added)
            self._standard(command)
            return command
        for name in _RUNS:
            inner = Command(self._source, {"fit": "Run the full training.", "predict": "Predict."}.get(name, f"Run {name}."))
            self._fill(inner, found, added)
            inner.options.append(Option("--ckpt_path", ("--ckpt_path",), self._source, help="a checkpoint to go on from"))
            self._standard(inner)
            command.commands[name] = inner
        self._standard(command, print_config=False)
        command.selector = "subcommand"
        return command

    def _fill(self, command: Command, found: Lightning, added: ArgparseParser | None) -> None:
        command.open_ended = True
        command.unread.append(f"options of Lightning's Trainer (--trainer.NAME) at {self._source}")
        command.options.append(Option("--seed_everything", ("--seed_everything",), self._source, help="the seed of everything"))
        for role, position in (("model", 0), ("data", 1)):
            given = found.given
            value = given.get(f"{'model' if role == 'model' else 'datamodule'}_class", position)
            option = Option(f"--{role}", (f"--{role}",), self._source, help="the path of a class, or a file of settings")
            command.options.append(option)
            subclasses = given.keywords.get(f"subclass_mode_{role}", False) is True
            if isinstance(value, Class) and not subclasses:
                init = constructor(value, self._walk)
                leaves = Command(self._source)
                for leaf in find_leaves(init, self._walk, leaves, (role,)) if init is not None else ():
                    command.options.append(dataclasses.replace(_option(leaf, False), lenient=leaf.default is ABSENT))
            elif value is not None:
                command.unread.append(f"options of the {role} (--{role}.NAME) at {self._source}")
        for name in ("--optimizer", "--lr_scheduler"):
            command.options.append(Option(name, (name,), self._source, help="the path of a class"))
        if added is not None:
            command.options += [dataclasses.replace(o, lenient=o.required) for o in added.options]
            command.unread += all_unread(added)

    def _added(self, cls: Class | None) -> ArgparseParser | None:
        """What `add_arguments_to_parser` of the repository's own class adds."""
        method = self._walk.class_attribute(cls, "add_arguments_to_parser", Instance(cls)) if cls is not None else None
        if not isinstance(method, Function):
            return None
        parser = argparse_calls.make_parser(self._source, [], {})
        self._walk.enter(method, [parser], {})
        return parser


def _option(leaf: Leaf, positional: bool) -> Option:
    kind = leaf.annotation
    required = leaf.default is ABSENT
    name = ".".join(leaf.path)
    choices = kind.names or kind.choices
    plain = kind.type if kind.type in ("int", "float", "str") and not kind.optional and kind.nargs is None else None
    if kind.type == "bool" and kind.nargs is None and not kind.optional:
        plain, choices = "boolean", ("true", "false")
    if kind.optional and choices:
        choices = (*choices, "null")
    if required and positional:
        return Option(leaf.path[-1], (leaf.path[-1],), leaf.source, plain, None, choices, required=True, help=leaf.help)
    spellings = (f"--{name}", f"--{name}+") if kind.nargs is not None else (f"--{name}",)
    return Option(spellings[0], spellings, leaf.source, plain, leaf.default_text, choices, None, required, leaf.help)
