"""What `argparse` calls make: parsers, groups, sub-commands, and Options of our own from `add_argument`'s arguments."""

import ast
import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ml_agent.repo.entrypoints.base import Action, Option, join_command
from ml_agent.repo.entrypoints.values import Class, External, Function, Member, Method, Unknown, is_literal
from ml_agent.repo.pysource import unparse

MAX_OPTIONS = 5_000
MAX_SOURCE = 500

_ACTIONS: dict[str, Action] = {
    "store": "store", "store_true": "flag", "store_false": "flag", "store_const": "flag", "append": "append", "append_const": "flag",
    "extend": "append", "count": "count", "help": "help", "version": "help",
}  # fmt: skip
_IMPLIED = {"store_true": "False", "store_false": "True"}


@dataclass(eq=False, slots=True)
class Parser:
    source: str
    """`path:line` of the call that makes it."""
    description: str = ""
    options: list[Option] = field(default_factory=list)
    dests: dict[str, str] = field(default_factory=dict)
    """The option's name by the attribute that it sets."""
    defaults: dict[str, str] = field(default_factory=dict)
    help: bool = True
    prefixes: bool = True
    open_ended: bool = False
    foreign: bool = False
    """Of a library that is like argparse: it may take what is required from elsewhere too (a settings file)."""
    unread: list[str] = field(default_factory=list)
    parsed: bool = False
    """Its command line is really read."""
    complains: bool = False
    """It is read by `parse_args`, which takes no option that the parser does not have, and not only by `parse_known_args`."""
    lets_pass: bool = False
    """It is read by `parse_known_args` somewhere."""
    cls: Class | None = None
    """The repository's own subclass of it."""
    attributes: dict[str, Any] = field(default_factory=dict)
    subcommands: "list[Subcommands]" = field(default_factory=list)
    groups: int = 0

    def note(self, message: str) -> None:
        if message not in self.unread and len(self.unread) < 100:
            self.unread.append(message)

    def add(self, option: Option, dest: str) -> None:
        """Like argparse with `conflict_handler="resolve"`: a spelling that is defined again belongs to the later one."""
        if len(self.options) >= MAX_OPTIONS:
            return
        if not option.positional:
            for index, other in enumerate(self.options):
                rest = tuple(a for a in other.aliases if a not in option.aliases)
                if not other.positional and len(rest) < len(other.aliases):
                    self.options[index] = dataclasses.replace(other, name=_longest(rest), aliases=rest) if rest else option
                    if not rest:
                        self.options = [o for i, o in enumerate(self.options) if i == index or o is not option]
            if option in self.options:
                self.dests[dest] = option.name
                return
        self.options.append(option)
        self.dests[dest] = option.name


@dataclass(eq=False, slots=True)
class Group:
    """A group of a parser; mutually exclusive if it has a name."""

    parser: Parser
    exclusive: str | None = None


@dataclass(eq=False, slots=True)
class Subcommands:
    source: str
    name: str
    help: str
    required: bool
    commands: dict[str, Parser] = field(default_factory=dict)
    complete: bool = True
    """Every command has a name that could be read."""
    behind: int = 0
    """Positional arguments that are declared before it."""


def _longest(spellings: Sequence[str]) -> str:
    return max(spellings, key=len)


def text_of(value: Any, node: ast.expr | None = None) -> str | None:
    """A value as source text."""
    if is_literal(value):
        return repr(value)[:MAX_SOURCE]
    if isinstance(value, Unknown) and (value.node or node) is not None:
        return unparse(value.node or node, MAX_SOURCE)  # type: ignore[arg-type]
    if isinstance(value, External):
        return value.dotted
    if isinstance(value, Function):
        return "lambda" if isinstance(value.node, ast.Lambda) else value.node.name
    if isinstance(value, Class):
        return value.node.name
    if isinstance(value, Method):
        return value.name
    return unparse(node, MAX_SOURCE) if node is not None else None


def make_option(
    names: Sequence[str], given: Mapping[str, Any], nodes: Mapping[str, ast.expr], source: str, group: str | None
) -> tuple[Option, str, list[str]]:
    """The Option of one `add_argument` call, the attribute it sets, and what could not be read of it.

    `given` holds the keyword arguments' values, `nodes` their expressions where they stand in the call itself.
    """
    unread: list[str] = []
    name, aliases = _longest(names), tuple(names)
    positional = not names[0].startswith("-")
    action_name, action, flag = _action(given.get("action", "store"))
    if flag == "boolean":
        aliases = tuple(a for n in names for a in ((n, "--no-" + n[2:]) if n.startswith("--") else (n,)))
    nargs = _nargs(given.get("nargs", _own_nargs(given.get("action"))))
    if nargs == "0":
        action, nargs = "flag", None
    if action_name == "extend" and nargs is None:
        nargs = None
    choices, readable = _choices(given.get("choices"), given.get("type"))
    if not readable:
        unread.append(f"choices of {name} at {source}")
    default = text_of(given["default"], nodes.get("default")) if "default" in given else _IMPLIED.get(action_name)
    if isinstance(given.get("default"), External) and given["default"].dotted.endswith("SUPPRESS"):
        default = None
    kind = _type(given.get("type"), nodes.get("type")) if action in ("store", "append") else None
    if action == "flag" and (action_name in _IMPLIED or flag == "boolean"):
        kind = "bool"
    required = positional and nargs not in ("?", "*", "...", "A...") if positional else given.get("required") is True
    if positional and action != "store":
        required = False
    dest = given.get("dest")
    if not isinstance(dest, str):
        longs = [n for n in names if n.startswith("--")]
        dest = (longs or list(names))[0].lstrip("-").replace("-", "_") if not positional else name
    return (
        Option(name, aliases, source, kind, default, choices, nargs, bool(required), _help(given.get("help"), default), action, group),
        dest,
        unread,
    )


def _action(value: Any) -> tuple[str, Action, str]:
    if isinstance(value, str):
        return value, _ACTIONS.get(value, "store"), ""
    dotted = text_of(value) or ""
    if dotted.endswith("BooleanOptionalAction"):
        return dotted, "flag", "boolean"
    return dotted, "store", ""


def _own_nargs(action: Any) -> Any:
    """The `nargs` that an action class of the repository gives itself in `__init__`; None if it gives none."""
    init = (
        next((n for n in action.node.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"), None)
        if isinstance(action, Class)
        else None
    )
    for node in ast.walk(init) if init is not None else ():
        if isinstance(node, ast.Call):
            for keyword in node.keywords:
                if keyword.arg == "nargs" and isinstance(keyword.value, ast.Constant):
                    return keyword.value.value
    if init is not None:
        named = [*init.args.args[len(init.args.args) - len(init.args.defaults) :], *init.args.kwonlyargs]
        for argument, default in zip(named, [*init.args.defaults, *init.args.kw_defaults], strict=True):
            if argument.arg == "nargs" and isinstance(default, ast.Constant):
                return default.value
    return None


def _nargs(value: Any) -> str | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, str)):
        return str(value)
    if isinstance(value, External):
        return {"REMAINDER": "...", "OPTIONAL": "?", "ZERO_OR_MORE": "*", "ONE_OR_MORE": "+", "PARSER": "A..."}.get(
            value.dotted.rpartition(".")[2]
        )
    return None


def _choices(value: Any, kind: Any) -> tuple[tuple[str, ...] | None, bool]:
    """The choices as text, and whether they could be read. None among them cannot be given in words."""
    if value is None:
        return None, True
    if isinstance(value, dict):
        value = list(value)
    if isinstance(value, str):
        value = list(value)
    if (
        isinstance(value, (list, tuple))
        and all(isinstance(v, Member) for v in value)
        and (kind is None or isinstance(kind, (Class, External)))
    ):
        value = [v.value for v in value]  # a converter of the program's own may take the names instead
    if isinstance(value, (list, tuple, set)) and is_literal(value) and not any(isinstance(v, (list, tuple, dict)) for v in value):
        return tuple(str(v) for v in value if v is not None), True
    return None, False


def _type(value: Any, node: ast.expr | None) -> str | None:
    if value is None:
        return None
    return text_of(value, node)


def _help(value: Any, default: str | None) -> str:
    if not isinstance(value, str):
        return ""
    shown = default.strip("'\"") if default is not None else "None"
    text = re.sub(r"%\((\w+)\)[sdrfg]", lambda m: shown if m[1] == "default" else m[0], value)
    return " ".join(text.replace("%%", "%").split())


def all_options(parser: Parser, command: str | None = None) -> Iterator[Option]:
    """The options of a parser, and those of its sub-commands with the sub-command's name."""
    names = {parser.dests[d]: text for d, text in parser.defaults.items() if d in parser.dests}
    taken: set[str] = set()
    positionals, waiting = 0, list(parser.subcommands)
    for option in parser.options:
        while option.positional and waiting and waiting[0].behind <= positionals:
            yield _selector(waiting.pop(0), command)
        positionals += option.positional
        taken.update(option.aliases)
        if option.name in names:
            option = dataclasses.replace(option, default=names[option.name], required=option.required and option.positional)
        yield dataclasses.replace(option, command=command, lenient=parser.foreign and option.required)
    if parser.help and taken.isdisjoint(("-h", "--help")):
        yield Option("--help", ("-h", "--help"), parser.source, help="show the help and exit", action="help", command=command)
    yield from (_selector(sub, command) for sub in waiting)
    for name, inner in _commands(parser):
        if name is not None:
            yield from all_options(inner, join_command(command, name))
            continue
        for option in all_options(inner, command):  # its name could not be read, so nothing is demanded
            if not option.positional and option.command == command and taken.isdisjoint(option.aliases):
                taken.update(option.aliases)
                yield dataclasses.replace(option, required=False)


def _selector(sub: Subcommands, command: str | None) -> Option:
    choices = tuple(sub.commands) if sub.complete and sub.commands else None
    return Option(sub.name, (sub.name,), sub.source, None, None, choices, "A...", sub.required, sub.help, command=command)


def _commands(parser: Parser) -> Iterator[tuple[str | None, Parser]]:
    """The sub-commands, each under the first of its names; None if that is made at run time."""
    for sub in parser.subcommands:
        for inner in dict.fromkeys(sub.commands.values()):
            name = next(n for n, p in sub.commands.items() if p is inner)
            yield None if name.startswith("?") else name, inner


def command_aliases(parser: Parser, command: str | None = None) -> Iterator[tuple[str, str]]:
    """(other name, name) of sub-commands that have several."""
    for sub in parser.subcommands:
        for alias, inner in sub.commands.items():
            name = next(n for n, p in sub.commands.items() if p is inner)
            if name != alias:
                yield join_command(command, alias), join_command(command, name)
    for name_or_none, inner in _commands(parser):
        if name_or_none is not None:
            yield from command_aliases(inner, join_command(command, name_or_none))


def command_help(parser: Parser, command: str | None = None) -> Iterator[tuple[str, str]]:
    """(name, description) of the sub-commands that have one."""
    for name, inner in _commands(parser):
        if name is not None:
            if inner.description:
                yield join_command(command, name), inner.description
            yield from command_help(inner, join_command(command, name))


def is_open_ended(parser: Parser) -> bool:
    """It, or one of its sub-commands, has options that could not be read."""
    return parser.open_ended or any(is_open_ended(c) for s in parser.subcommands for c in s.commands.values())


def all_unread(parser: Parser) -> list[str]:
    notes = list(parser.unread)
    for sub in parser.subcommands:
        for command in dict.fromkeys(sub.commands.values()):
            notes.extend(all_unread(command))
    return list(dict.fromkeys(notes))
