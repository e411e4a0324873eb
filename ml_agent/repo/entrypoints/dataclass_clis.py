"""Programs that make their options of a dataclass or of a function's signature with tyro, simple_parsing, pyrallis or draccus."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ml_agent.repo.entrypoints import argparse_calls
from ml_agent.repo.entrypoints.annotations import Annotation
from ml_agent.repo.entrypoints.argparse_model import Parser as ArgparseParser
from ml_agent.repo.entrypoints.base import Action, EntryPoint, Option
from ml_agent.repo.entrypoints.command_tree import Command, entry_point
from ml_agent.repo.entrypoints.dataclass_fields import is_dataclass, read_fields
from ml_agent.repo.entrypoints.signatures import ABSENT, docstring, parameters
from ml_agent.repo.entrypoints.values import Class, External, Foreign, Function, Given, Unknown
from ml_agent.repo.entrypoints.walk import Maker, Walk

MAX_DEPTH = 8


@dataclass(frozen=True, slots=True)
class Leaf:
    """One value that the command line may give."""

    path: tuple[str, ...]
    annotation: Annotation
    default: Any
    default_text: str | None
    source: str
    help: str = ""


@dataclass(eq=False, slots=True)
class Cli(Foreign):
    """A call that reads the command line into a class or function."""

    library: str
    given: Given
    target: Any


@dataclass(eq=False, slots=True)
class SimpleParser(Foreign):
    """`simple_parsing.ArgumentParser()`"""

    given: Given
    parser: ArgparseParser
    classes: list[Any]

    def method(self, walk: Walk, name: str, given: Given) -> Any:
        if name == "add_arguments":
            self.classes.append(given.get("dataclass", 0))
        elif name in ("parse_args", "parse_known_args"):
            self.parser.open_ended = self.parser.open_ended or name == "parse_known_args"
            walk.ran.append(self)
        else:
            argparse_calls.call(self.parser, name, given.source, list(given.arguments), given.keywords, given.nodes)
        return Unknown()


def _cli(library: str, name: str) -> Maker:
    def make(walk: Walk, given: Given) -> Any:
        target = given.get(name, 0)
        if not isinstance(given.keywords.get("args"), (list, tuple)):
            walk.ran.append(Cli(library, given, target))
        return Unknown()

    return make


def _simple_parser(walk: Walk, given: Given) -> Any:
    return SimpleParser(given, ArgparseParser(given.source), [])


MAKERS: Mapping[str, Maker] = {
    "tyro.cli": _cli("tyro", "f"),
    "simple_parsing.parse": _cli("simple_parsing", "config_class"),
    "pyrallis.parse": _cli("pyrallis", "config_class"),
    "draccus.parse": _cli("pyrallis", "config_class"),
    "simple_parsing.ArgumentParser": _simple_parser,
}


def entry(walk: Walk) -> EntryPoint | None:
    found = next((f for f in walk.ran if isinstance(f, (Cli, SimpleParser))), None)
    if found is None or not (walk.program.guarded or walk.program.acts):
        return None
    library = found.library if isinstance(found, Cli) else "simple_parsing"
    command = Command(found.given.source, unread=list(walk.unread), open_ended=bool(walk.unread))
    for target in [found.target] if isinstance(found, Cli) else found.classes:
        _add(target, library, command, walk)
    if isinstance(found, SimpleParser):
        command.options += found.parser.options
        command.unread += found.parser.unread
        command.open_ended = command.open_ended or found.parser.open_ended
    command.options.append(Option("--help", ("-h", "--help"), found.given.source, help="show the help and exit", action="help"))
    return entry_point(walk.program, library, command, "gnu", prefixes=library != "tyro")


def _add(target: Any, library: str, command: Command, walk: Walk) -> None:
    if isinstance(target, (Class, Function)):
        node = target.node
        command.description = command.description or docstring(node)
        make: Callable[[Leaf], list[Option]] = {"tyro": _tyro, "simple_parsing": _simple}.get(library, _pyrallis)
        leaves = list(find_leaves(target, walk, command))
        taken: set[str] = {a for o in command.options for a in o.aliases}
        for leaf in leaves:
            for option in make(leaf):
                if taken.isdisjoint(option.aliases):
                    taken.update(option.aliases)
                    command.options.append(option)
                else:
                    command.open_ended = True
                    command.unread.append(f"two options with the name {option.name} at {option.source}")
    else:
        what = target.dotted if isinstance(target, External) else "what is parsed"
        command.open_ended = True
        command.unread.append(f"options of {what} at {command.source}")
    if library == "pyrallis":
        command.options.append(Option("--config_path", ("--config_path",), command.source, "str", help="a file of settings"))


def find_leaves(target: Class | Function, walk: Walk, command: Command, above: tuple[str, ...] = ()) -> Iterator[Leaf]:
    """The fields of a dataclass, or a function's parameters; those of dataclasses in them by dotted names."""
    if isinstance(target, Function):
        for parameter in parameters(target, walk):
            if parameter.kind in ("args", "kwargs"):
                command.open_ended = True
                continue
            cls = parameter.annotation.cls
            yield from _leaf(
                Leaf((*above, parameter.name), parameter.annotation, parameter.default, parameter.default_text, parameter.source),
                cls if cls is not None and parameter.annotation.choices is None and is_dataclass(cls, walk) else None, walk, command,
            )  # fmt: skip
        return
    found = read_fields(target, walk)
    for base in found.unseen:
        command.unread.append(f"options of {base}, which is not of this repository, at {target.module.path}:{target.node.lineno}")
        command.open_ended = True
    for each in found.fields.values():
        if each.init:
            leaf = Leaf((*above, each.name), each.annotation, each.default, each.default_text, each.source, each.help)
            yield from _leaf(leaf, each.nested, walk, command)


def _leaf(leaf: Leaf, nested: Class | None, walk: Walk, command: Command) -> Iterator[Leaf]:
    if nested is None or len(leaf.path) >= MAX_DEPTH:
        if leaf.annotation.metadata:
            command.open_ended = True  # the library reads more from it
            command.unread.append(f"what is said of {'.'.join(leaf.path)} at {leaf.source}")
        yield leaf
    else:
        yield from find_leaves(nested, walk, command, leaf.path)


def _tyro(leaf: Leaf) -> list[Option]:
    kind = leaf.annotation
    name = "--" + ".".join(p.replace("_", "-") for p in leaf.path)
    same = "--" + ".".join(leaf.path)
    aliases = tuple(dict.fromkeys((name, same)))
    action: Action = "store"
    if kind.type == "bool" and leaf.default is not ABSENT and kind.nargs is None and not kind.optional:
        action = "flag"
        head, _, last = name.rpartition(".")
        off = f"{head}.no-{last}" if head else f"--no-{last[2:]}"
        aliases = tuple(dict.fromkeys((*aliases, off, off.replace("-", "_").replace("__", "--", 1))))
    choices = kind.names or kind.choices
    if kind.type == "bool" and action == "store":
        choices = ("True", "False")
    if kind.optional and choices:
        choices = (*choices, "None")
    return [
        Option(
            name, aliases, leaf.source, None if kind.optional and not choices else "str" if kind.names else kind.type, leaf.default_text,
            choices if action == "store" else None, kind.nargs, leaf.default is ABSENT, leaf.help, action,
        )
    ]  # fmt: skip


def _simple(leaf: Leaf) -> list[Option]:
    kind = leaf.annotation
    name = f"--{leaf.path[-1]}"
    if kind.type == "bool" and kind.nargs is None:
        yes = Option(name, (name,), leaf.source, "string_to_bool", leaf.default_text, None, "?", leaf.default is ABSENT, leaf.help)
        off = f"--no{leaf.path[-1]}"
        return [yes, Option(off, (off,), leaf.source, "bool", "False", help=leaf.help, action="flag")]
    return [
        Option(
            name, (name,), leaf.source, "str" if kind.names else kind.type, leaf.default_text, kind.names or kind.choices,
            kind.nargs, leaf.default is ABSENT, leaf.help,
        )
    ]  # fmt: skip


def _pyrallis(leaf: Leaf) -> list[Option]:
    kind = leaf.annotation
    name = "--" + ".".join(leaf.path)
    plain = kind.type if kind.nargs is None and not kind.mapping and kind.type in ("int", "float", "str") else None
    choices = kind.names or kind.choices
    return [
        Option(
            name, (name,), leaf.source, plain, leaf.default_text, choices, None, leaf.default is ABSENT, leaf.help,
            lenient=leaf.default is ABSENT,
        )
    ]  # fmt: skip
