"""Programs that make their options of dataclasses with transformers' HfArgumentParser (and trl's TrlParser)."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ml_agent.repo.entrypoints import argparse_calls
from ml_agent.repo.entrypoints.argparse_model import Group as ArgparseGroup
from ml_agent.repo.entrypoints.argparse_model import Parser
from ml_agent.repo.entrypoints.base import EntryPoint, Option
from ml_agent.repo.entrypoints.command_tree import Command, entry_point
from ml_agent.repo.entrypoints.dataclass_fields import Field, read_fields
from ml_agent.repo.entrypoints.library_fields import library_fields
from ml_agent.repo.entrypoints.values import Class, External, Foreign, Given, Unknown
from ml_agent.repo.entrypoints.walk import Maker, Walk

_FILES = frozenset(("parse_json_file", "parse_yaml_file", "parse_dict"))
_HELP = Option("--help", ("-h", "--help"), "", help="show the help and exit", action="help")


@dataclass(eq=False, slots=True)
class HfParser(Foreign):
    given: Given
    classes: list[Any]
    parser: Parser
    """Options that are added by hand, as with argparse."""
    remaining: bool = False
    """What it does not know is handed back."""
    file: bool = False
    """A file of settings may be given instead."""
    notes: list[str] = field(default_factory=list)

    def method(self, walk: Walk, name: str, given: Given) -> Any:
        if name in ("parse_args_into_dataclasses", "parse_args", "parse_args_and_config", "parse_known_args"):
            words = given.keywords.get("args")
            if isinstance(words, (list, tuple)):
                return Unknown()
            returns = given.get("return_remaining_strings")
            self.remaining = self.remaining or returns is True or name == "parse_known_args"
            walk.ran.append(self)
        elif name in _FILES:
            self.file = True
        elif name == "add_argument_group":
            return ArgparseGroup(self.parser)
        elif name in ("add_argument", "set_defaults"):
            argparse_calls.call(self.parser, name, given.source, list(given.arguments), given.keywords, given.nodes)
        return Unknown()


def _make(walk: Walk, given: Given) -> Any:
    value = given.get("dataclass_types", 0, ())
    classes = list(value) if isinstance(value, (list, tuple)) else [value]
    made = HfParser(given, classes, Parser(given.source))
    walk.made.append(made)
    return made


MAKERS: Mapping[str, Maker] = {"*.HfArgumentParser": _make, "*.TrlParser": _make}


def entry(walk: Walk) -> EntryPoint | None:
    parser = next((p for p in walk.ran if isinstance(p, HfParser)), None)
    if parser is None:
        return None
    command = Command(parser.given.source, open_ended=parser.remaining or bool(walk.unread), unread=list(walk.unread))
    for value in parser.classes:
        _add_class(value, parser, command, walk)
    command.options += [o for o in parser.parser.options if not any(a in c.aliases for c in command.options for a in o.aliases)]
    command.unread += parser.parser.unread
    command.open_ended = command.open_ended or parser.parser.open_ended
    if parser.file:
        command.options = [dataclasses.replace(o, lenient=o.required) for o in command.options]
        settings = "a file that holds the settings, instead of options"
        command.options.append(Option("settings_file", ("settings_file",), parser.given.source, "str", nargs="?", help=settings))
    command.options.append(dataclasses.replace(_HELP, source=parser.given.source))
    return entry_point(walk.program, "hf_argparser", command, "gnu", prefixes=True)


def _add_class(value: Any, parser: HfParser, command: Command, walk: Walk) -> None:
    if not isinstance(value, Class):
        what = value.dotted if isinstance(value, External) else "a class that could not be found"
        command.unread.append(f"options of {what}, which is not of this repository, at {parser.given.source}")
        command.open_ended = True
        for each in library_fields(value.dotted, parser.given.source) if isinstance(value, External) else ():
            command.options += hf_options(each)
        return
    found = read_fields(value, walk)
    for base in found.unseen:
        command.unread.append(f"options of {base}, which is not of this repository, at {value.module.path}:{value.node.lineno}")
        command.open_ended = True
    taken = [each for base in found.unseen for each in library_fields(base, f"{value.module.path}:{value.node.lineno}")]
    for each in {**{each.name: each for each in taken}, **found.fields}.values():
        if each.init:
            command.options += hf_options(each)


def hf_options(each: Field) -> list[Option]:
    """The option of one field, and that which turns it off if it is on by default."""
    kind = each.annotation
    spelled = each.name.replace("_", "-")
    names = tuple(dict.fromkeys((f"--{each.name}", f"--{spelled}", *_aliases(each))))
    choices = kind.choices
    listed = each.metadata.get("choices")
    if choices is None and isinstance(listed, (list, tuple)):
        choices = tuple(map(str, listed))
    required, nargs, name = each.required, None, kind.type or "str"
    if kind.type == "bool" and kind.nargs is None:
        name, required = "string_to_bool", False
        optional = kind.optional and (each.required or each.default is None)
        nargs = None if optional else "?"
    elif kind.nargs is not None:
        nargs = "+"
    elif kind.choices is not None:
        name = "str"
    elif kind.mapping or kind.type not in ("int", "float", "str"):
        name = kind.type or "str"
    default = each.default_text if each.default_text is not None else "False" if nargs == "?" else None
    found = [Option(names[0], names, each.source, name, default, choices, nargs, required, each.help)]
    if kind.type == "bool" and kind.nargs is None and each.default is True:
        off = (f"--no_{each.name}", f"--no-{spelled}")
        found.append(Option(off[0], off, each.source, "bool", "False", help=each.help, action="flag"))
    return found


def _aliases(each: Field) -> list[str]:
    value = each.metadata.get("aliases")
    listed = [value] if isinstance(value, str) else value if isinstance(value, (list, tuple)) else []
    return [a for a in listed if isinstance(a, str) and a.startswith("-")]
