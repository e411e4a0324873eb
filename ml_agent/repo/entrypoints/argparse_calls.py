"""What argparse's own functions and methods do to the parsers of `argparse_model`."""

import ast
from collections.abc import Mapping
from typing import Any

from ml_agent.repo.entrypoints.argparse_model import Group, Parser, Subcommands, make_option, text_of
from ml_agent.repo.entrypoints.base import ONE_NEEDED
from ml_agent.repo.entrypoints.values import Foreign, Given, Method, Unknown, is_literal

_PARSER_NAMES = frozenset(("ArgumentParser", "ArgParser"))
_STANDARD = ("argparse.", "configargparse.", "ArgumentParser")
_PARSER_ARGUMENTS = ("prog", "usage", "description", "epilog", "parents")
_OTHER_LIBRARIES = frozenset(
    (
        "add_arguments",
        "add_class_arguments",
        "add_dataclass_arguments",
        "add_method_arguments",
        "add_function_arguments",
        "add_lightning_class_args",
        "add_subclass_arguments",
    )
)


def makes_parser(dotted: str) -> bool:
    return dotted.rpartition(".")[2] in _PARSER_NAMES


def is_standard(dotted: str) -> bool:
    """Whether it is argparse's own parser, or one that takes the same command lines."""
    return dotted.startswith(_STANDARD)


def reads_files(dotted: str) -> bool:
    """Whether it is a parser that takes what is required from a settings file too."""
    return dotted.startswith("configargparse.") and makes_parser(dotted)


def make_parser(source: str, arguments: list[Any], keywords: Mapping[str, Any]) -> Parser:
    """`ArgumentParser(...)`."""
    parser = Parser(source)
    configure(parser, arguments, keywords)
    return parser


def configure(parser: Parser, arguments: list[Any], keywords: Mapping[str, Any]) -> None:
    """The arguments of `ArgumentParser.__init__`."""
    given = {**dict(zip(_PARSER_ARGUMENTS, arguments, strict=False)), **keywords}
    if isinstance(given.get("description"), str):
        parser.description = " ".join(given["description"].split())
    parser.help = given.get("add_help", True) is not False
    parser.prefixes = given.get("allow_abbrev", True) is not False
    if given.get("fromfile_prefix_chars") is not None or given.get("prefix_chars", "-") != "-":
        parser.open_ended = True
        parser.note(f"options that do not begin with a dash at {parser.source}")
    parents = given.get("parents", ())
    if not isinstance(parents, (list, tuple)):
        parents = [parents]
    for parent in parents:
        if isinstance(parent, Parser):
            _inherit(parser, parent)
        else:
            parser.open_ended = True
            parser.note(f"options of a parent at {parser.source}")


def _inherit(parser: Parser, parent: Parser) -> None:
    names = {name: dest for dest, name in parent.dests.items()}
    for option in parent.options:
        parser.add(option, names.get(option.name, option.name))
    parser.defaults.update(parent.defaults)
    parser.open_ended = parser.open_ended or parent.open_ended
    parser.unread.extend(n for n in parent.unread if n not in parser.unread)
    parser.subcommands.extend(parent.subcommands)


class Partial(Foreign):
    """`functools.partial(parser.add_argument, ...)`"""

    def __init__(self, method: Method, arguments: list[Any], keywords: Mapping[str, Any]) -> None:
        self._method, self._arguments, self._keywords = method, arguments, keywords

    def called(self, walk: Any, given: Given) -> Any:
        keywords = {**self._keywords, **given.keywords}
        return call(self._method.receiver, self._method.name, given.source, [*self._arguments, *given.arguments], keywords, given.nodes)


def add_subcommand(sub: Subcommands, source: str, arguments: list[Any], keywords: Mapping[str, Any]) -> Parser:
    """`subparsers.add_parser(...)`."""
    name = arguments[0] if arguments else keywords.get("name")
    given = {k: v for k, v in keywords.items() if k not in ("name", "aliases", "help")}
    parser = make_parser(source, [], given)
    parser.subcommands.clear()  # `parents=[the program's parser]` would give it itself
    if not parser.description and isinstance(keywords.get("help"), str):
        parser.description = keywords["help"]
    aliases = keywords.get("aliases", ())
    spellings = [name, *(aliases if isinstance(aliases, (list, tuple)) else ())]
    for spelling in spellings:
        if isinstance(spelling, str):
            sub.commands[spelling] = parser
        else:
            sub.complete = False
            sub.commands.setdefault(f"?{source}", parser)
    return parser


def call(receiver: Any, name: str, source: str, arguments: list[Any], keywords: Mapping[str, Any], nodes: Mapping[str, ast.expr]) -> Any:
    """A method of a parser or of a group."""
    parser = receiver.parser if isinstance(receiver, Group) else receiver
    if not isinstance(parser, Parser):
        return Unknown()
    exclusive = receiver.exclusive if isinstance(receiver, Group) else None
    match name:
        case "add_argument" | "add" | "add_arg":  # the short ones are configargparse's
            _add_argument(parser, exclusive, source, arguments, keywords, nodes)
        case "add_argument_group":
            return Group(parser, exclusive)
        case "add_mutually_exclusive_group":
            parser.groups += 1
            return Group(parser, f"exclusive {parser.groups}{ONE_NEEDED if keywords.get('required') is True else ''}")
        case "add_subparsers":
            parser.subcommands.append(_subcommands(source, keywords))
            parser.subcommands[-1].behind = sum(option.positional for option in parser.options)
            return parser.subcommands[-1]
        case "set_defaults":
            parser.defaults.update({k: text for k, v in keywords.items() if (text := text_of(v, nodes.get(k))) is not None})
        case "parse_args" | "parse_intermixed_args":
            words = arguments[0] if arguments else keywords.get("args")
            if words is None or not is_literal(words):
                parser.parsed = parser.complains = True
        case "parse_known_args" | "parse_known_intermixed_args" | "parse_known_args_and_warn":
            parser.parsed = parser.lets_pass = True
        case "__init__":
            configure(parser, arguments, keywords)
        case _ if name in _OTHER_LIBRARIES:
            parser.open_ended = True
            parser.note(f"options made from a class at {source}")
    return Unknown()


def _add_argument(
    parser: Parser, exclusive: str | None, source: str, arguments: list[Any], keywords: Mapping[str, Any], nodes: Mapping[str, ast.expr]
) -> None:
    if not arguments and isinstance(keywords.get("dest"), str):
        arguments = [keywords["dest"]]
    names = [a for a in arguments if isinstance(a, str) and a]
    if len(names) < len(arguments) or not names:
        parser.open_ended = True
        parser.note(f"an option whose name is made at run time at {source}")
        return
    if "**" in keywords:
        parser.note(f"some arguments of {names[0]} at {source}")
    option, dest, unread = make_option(names, keywords, nodes, source, exclusive)
    for message in unread:
        parser.note(message)
    parser.add(option, dest)


def _subcommands(source: str, keywords: Mapping[str, Any]) -> Subcommands:
    names = [keywords.get(k) for k in ("metavar", "dest", "title")]
    name = next((n for n in names if isinstance(n, str) and n and not n.startswith("-")), "command")
    text = keywords.get("help")
    return Subcommands(source, name, text if isinstance(text, str) else "", keywords.get("required") is True)
