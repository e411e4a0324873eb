"""Programs that read their options with optparse or getopt, both of Python's own library."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ml_agent.repo.entrypoints.argparse_model import text_of
from ml_agent.repo.entrypoints.base import Action, EntryPoint, Option
from ml_agent.repo.entrypoints.command_tree import Command, entry_point
from ml_agent.repo.entrypoints.values import Foreign, Given, Unknown, is_literal
from ml_agent.repo.entrypoints.walk import Maker, Walk

_ACTIONS: dict[str, Action] = {
    "store": "store", "append": "append", "store_true": "flag", "store_false": "flag", "store_const": "flag", "append_const": "flag",
    "count": "count", "help": "help", "version": "help", "callback": "flag",
}  # fmt: skip
_TYPES = {"string": "str", "long": "int"}
REST = "arguments"
"""The name of the words that are no options."""


@dataclass(eq=False, slots=True)
class Made(Foreign):
    """`optparse.make_option(...)`"""

    given: Given


@dataclass(eq=False, slots=True)
class Parser(Foreign):
    """An OptionParser, or one of its groups."""

    given: Given
    options: list[tuple[Option, str]] = field(default_factory=list)
    """With the attribute that each sets."""
    defaults: dict[str, str] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)
    interspersed: bool = True

    def method(self, walk: Walk, name: str, given: Given) -> Any:
        match name:
            case "add_option":
                first = given.get("option", 0)
                self.add(first.given if isinstance(first, Made) else given)
            case "add_options":
                self.add_all(given.get("option_list", 0), given.source)
            case "set_defaults":
                found = {k: text_of(v, given.nodes.get(k)) for k, v in given.keywords.items()}
                self.defaults.update({k: text for k, text in found.items() if text is not None})
            case "disable_interspersed_args":
                self.interspersed = False
            case "add_option_group":
                group = given.get("group", 0)
                return group if isinstance(group, Parser) else self
            case "parse_args":
                words = given.get("args", 0)
                if words is None or not is_literal(words):
                    walk.ran.append(self)
        return Unknown()

    def add_all(self, listed: Any, source: str) -> None:
        if listed is None:
            return
        for one in listed if isinstance(listed, (list, tuple)) else [None]:
            if isinstance(one, Made):
                self.add(one.given)
            else:
                self.unread.append(f"an option at {source}")

    def add(self, given: Given) -> None:
        names = tuple(a for a in given.arguments if isinstance(a, str) and a.startswith("-"))
        if not names or len(names) < len(given.arguments):
            self.unread.append(f"an option whose name is made at run time at {given.source}")
            return
        keywords = given.keywords
        written = keywords.get("action", "store")
        action = _ACTIONS.get(written, "store") if isinstance(written, str) else "store"
        kind = _type(keywords)
        if written == "callback" and kind is not None:
            action = "store"
        count = keywords.get("nargs")
        choices = keywords.get("choices")
        dest = keywords.get("dest")
        name = max(names, key=len)
        if not isinstance(dest, str):
            dest = name.lstrip("-").replace("-", "_")
        text = keywords.get("help")
        takes = action in ("store", "append")
        default = text_of(keywords["default"], given.nodes.get("default")) if "default" in keywords else None
        shown = default.strip("'\"") if default is not None else "none"
        option = Option(
            name, names, given.source, (kind or "str") if takes else "bool" if action == "flag" else None, default,
            tuple(map(str, choices)) if isinstance(choices, (list, tuple)) and is_literal(choices) else None,
            str(count) if takes and isinstance(count, int) and count > 1 else None,
            help=" ".join(text.replace("%default", shown).split()) if isinstance(text, str) else "", action=action,
        )  # fmt: skip
        if "**" in keywords:
            self.unread.append(f"some arguments of {name} at {given.source}")
        self.options.append((option, dest))


def _type(keywords: Mapping[str, Any]) -> str | None:
    value = keywords.get("type")
    if isinstance(value, str):
        return "str" if value == "choice" else _TYPES.get(value, value)
    return text_of(value) if value is not None else None


def _parser(walk: Walk, given: Given) -> Any:
    made = Parser(given)
    made.add_all(given.get("option_list", 1), given.source)
    if isinstance(given.get("version", 3), str):
        made.options.append((Option("--version", ("--version",), given.source, help="show the version and exit", action="help"), ""))
    if given.get("add_help_option", 6, True) is not False:
        made.options.append((Option("--help", ("-h", "--help"), given.source, help="show this help message and exit", action="help"), ""))
    walk.made.append(made)
    return made


def _group(walk: Walk, given: Given) -> Any:
    """What is added to a group is added to its parser."""
    parser = given.get("parser", 0)
    return parser if isinstance(parser, Parser) else Parser(given)


@dataclass(eq=False, slots=True)
class Getopt(Foreign):
    given: Given
    interspersed: bool


def _getopt(interspersed: bool) -> Maker:
    def make(walk: Walk, given: Given) -> Any:
        if not is_literal(given.get("args", 0)):
            walk.ran.append(Getopt(given, interspersed))
        return Unknown()

    return make


MAKERS: Mapping[str, Maker] = {
    "optparse.OptionParser": _parser,
    "optparse.OptionGroup": _group,
    "optparse.make_option": lambda walk, given: Made(given),
    "optparse.Option": lambda walk, given: Made(given),
    "getopt.getopt": _getopt(interspersed=False),
    "getopt.gnu_getopt": _getopt(interspersed=True),
}


def entry(walk: Walk) -> EntryPoint | None:
    found = next((f for f in walk.ran if isinstance(f, (Parser, Getopt))), None)
    if found is None or not (walk.program.guarded or walk.program.acts):
        return None
    command = Command(found.given.source, unread=list(walk.unread), open_ended=bool(walk.unread))
    if isinstance(found, Parser):
        _of_parser(found, command)
    else:
        _of_getopt(found, command)
    kind = "optparse" if isinstance(found, Parser) else "getopt"
    nargs = "*" if found.interspersed else "..."
    command.options.append(Option(REST, (REST,), found.given.source, nargs=nargs))
    return entry_point(walk.program, kind, command, "optparse", prefixes=True)


def _of_parser(parser: Parser, command: Command) -> None:
    description = parser.given.get("description")
    command.description = " ".join(description.split()) if isinstance(description, str) else ""
    command.unread += parser.unread
    command.open_ended = command.open_ended or bool(parser.unread)
    for option, dest in parser.options:
        if dest in parser.defaults:
            option = dataclasses.replace(option, default=parser.defaults[dest])
        command.options.append(option)


def _of_getopt(read: Getopt, command: Command) -> None:
    shorts, longs, source = read.given.get("shortopts", 1, ""), read.given.get("longopts", 2, ()), read.given.source
    if not isinstance(shorts, str):
        command.unread.append(f"the options of one letter at {source}")
        shorts = ""
    for at, letter in enumerate(shorts):
        if letter.isalnum() or letter in "?@#":
            command.options.append(_named(f"-{letter}", source, shorts[at + 1 : at + 2] == ":"))
    for name in [longs] if isinstance(longs, str) else longs if isinstance(longs, (list, tuple)) else [None]:
        if isinstance(name, str) and name.rstrip("="):
            command.options.append(_named(f"--{name.rstrip('=')}", source, name.endswith("=")))
        else:
            command.unread.append(f"an option whose name is made at run time at {source}")
    command.open_ended = command.open_ended or bool(command.unread)


def _named(name: str, source: str, takes: bool) -> Option:
    if name in ("--help", "-h") and not takes:
        return Option(name, (name,), source, action="help")
    return Option(name, (name,), source, "str" if takes else None, action="store" if takes else "flag")
