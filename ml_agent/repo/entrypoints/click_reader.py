"""Programs that take their command line with click."""

import dataclasses
import re
from collections.abc import Mapping
from typing import Any

from ml_agent.repo.entrypoints.argparse_model import text_of
from ml_agent.repo.entrypoints.base import Action, EntryPoint, Option
from ml_agent.repo.entrypoints.click_model import MAKERS, Group, Parameter, Type, describe
from ml_agent.repo.entrypoints.command_tree import Command, entry_point
from ml_agent.repo.entrypoints.values import Class, External, Given, Unknown, is_literal
from ml_agent.repo.entrypoints.walk import Walk

__all__ = ["MAKERS", "entry"]

_SIMPLE = {"INT": "int", "FLOAT": "float", "STRING": "str", "BOOL": "bool", "UUID": "UUID"}
_BUILT_IN = frozenset(("int", "float", "str", "bool"))
_UNSET = object()


def entry(walk: Walk) -> EntryPoint | None:
    """The entry point, if the walk has found that click reads the command line."""
    program = walk.program
    ran = [g for g in walk.ran if isinstance(g, Group)]
    if not ran and program.guarded:
        ran = [g for g in walk.made if isinstance(g, Group) and g.given.source.rpartition(":")[0] == program.path]
        ran = [max(ran, key=lambda g: len(g.commands) * 100 + len(g.parameters))] if ran else []
    elif not (program.guarded or program.acts):
        return None
    if not ran:
        return None
    command = _command(ran[0], {}, {})
    command.unread.extend(walk.unread)
    command.open_ended = command.open_ended or bool(walk.unread)
    return entry_point(program, "click", command, "click")


def _command(group: Group, settings: Mapping[str, Any], made: dict[int, Command]) -> Command:
    """`settings` are those of the group above; `made` guards against groups that hold each other."""
    if id(group) in made:
        return made[id(group)]
    given = group.given
    own = given.keywords.get("context_settings")
    settings = {**{k: v for k, v in settings.items() if k in _INHERITED}, **(own if isinstance(own, dict) else {})}
    command = made[id(group)] = Command(given.source, describe(group), complete=group.complete, selector="command")
    for parameter in group.parameters:
        if isinstance(parameter, Parameter):
            option, notes = make_option(parameter)
            command.unread.extend(notes)
            if option is None:
                command.open_ended = True
            else:
                lenient = option.lenient or (option.required and not _LENIENT.isdisjoint(settings))
                command.options.append(dataclasses.replace(option, lenient=lenient))
        else:
            command.open_ended = True
            command.unread.append(parameter if isinstance(parameter, str) else f"an option at {given.source}")
    if own is not None and not isinstance(own, dict):
        command.unread.append(f"context settings at {given.source}")
        command.open_ended = True
    _add_help(command, given, settings)
    if settings.get("ignore_unknown_options") or settings.get("allow_extra_args") or settings.get("token_normalize_func"):
        command.open_ended = True
    if group.is_group:
        command.required = given.keywords.get("invoke_without_command", False) is False
        command.complete = group.complete and bool(group.commands or not command.required)
        if given.keywords.get("chain"):
            command.open_ended, command.complete = True, False
        if not command.complete:
            command.open_ended = True
            command.unread.append(f"commands that are looked up at run time at {given.source}")
        for name, inner in group.commands.items():
            command.commands[name] = _command(inner, settings, made)
    return command


_INHERITED = frozenset(("help_option_names", "token_normalize_func", "auto_envvar_prefix", "default_map"))
_LENIENT = frozenset(("auto_envvar_prefix", "default_map"))


def _add_help(command: Command, given: Given, settings: Mapping[str, Any]) -> None:
    names = settings.get("help_option_names", ["--help"])
    taken = {a for o in command.options for a in o.aliases}
    if given.keywords.get("add_help_option", True) is False or not isinstance(names, (list, tuple)) or not names:
        return
    left = tuple(n for n in names if isinstance(n, str) and n not in taken)
    if left and not any(o.action == "help" and "help" in o.name for o in command.options):
        command.options.append(
            Option(max(left, key=len), left, command.source, help="show the help and exit", action="help")
        )  # fmt: skip


def make_option(parameter: Parameter) -> tuple[Option | None, list[str]]:
    """The Option of one parameter, and what could not be read of it; None if its name is made at run time."""
    given = parameter.given
    names = [a for a in given.arguments if isinstance(a, str) and a]
    if len(names) < len(given.arguments) or not names:
        return None, [f"an option whose name is made at run time at {given.source}"]
    notes = [f"some arguments of {names[0]} at {given.source}"] if "**" in given.keywords else []
    kind, facts, unread = _type(given)
    notes += [f"{u} of {names[0]} at {given.source}" for u in unread]
    if parameter.kind == "argument":
        return _argument(names[0], given, kind, facts), notes
    return _option(parameter.kind, names, given, kind, facts), notes


def _default(given: Given) -> str | None:
    if "default" not in given.keywords:
        return None
    return text_of(given.keywords["default"], given.nodes.get("default"))


def _has_default(given: Given) -> bool:
    return given.keywords.get("default") is not None


def _argument(name: str, given: Given, kind: str | None, facts: Mapping[str, Any]) -> Option:
    nargs = given.keywords.get("nargs", facts.get("nargs"))
    required = given.keywords.get("required")
    if not isinstance(required, bool):
        required = not _has_default(given) and nargs != -1
    count = None
    if nargs == -1:
        count = "+" if required else "*"
    elif isinstance(nargs, int) and nargs > 1:
        count = str(nargs)
    elif not required:
        count = "?"
    return Option(
        name.lower(), (name.lower(),), given.source, kind or "str", _default(given), facts.get("choices"), count, required, _help(given),
        lenient=required and given.keywords.get("envvar") is not None, bounds=facts.get("bounds", ""),
    )  # fmt: skip


def _option(form: str, names: list[str], given: Given, kind: str | None, facts: Mapping[str, Any]) -> Option:
    keywords = given.keywords
    first, second = spellings(names)
    aliases = tuple(dict.fromkeys((*first, *second))) or (f"--{names[0].replace('_', '-')}",)
    name = max(first or aliases, key=lambda a: (a.startswith("--"), len(a)))
    flag_value = keywords.get("flag_value", _UNSET)
    is_flag = keywords.get("is_flag")
    flag = is_flag is True or (is_flag is None and (bool(second) or flag_value is not _UNSET)) or form == "flag"
    action: Action = "store"
    nargs = None
    if form in ("version", "help"):
        action = "help"
    elif flag:
        action = "flag"
    elif keywords.get("count") is True:
        action = "count"
    elif keywords.get("multiple") is True:
        action = "append"
    elif flag_value is not _UNSET and is_flag is False:
        nargs = "?"
    count = keywords.get("nargs", facts.get("nargs"))
    if action in ("store", "append") and isinstance(count, int) and count > 1:
        nargs = str(count)
    if flag and keywords.get("is_eager") is True and keywords.get("callback") is not None:
        action = "help"  # it answers and ends the program
    takes = action in ("store", "append")
    required = keywords.get("required") is True and not _has_default(given) and keywords.get("prompt", False) is False
    return Option(
        name, aliases, given.source,
        (kind or "str") if takes else "bool" if action == "flag" and flag_value is _UNSET else None,
        _default(given) or ("False" if action == "flag" and flag_value is _UNSET and not required else None),
        facts.get("choices") if takes else None, nargs, required, _help(given), action,
        lenient=required and keywords.get("envvar") is not None, bounds=facts.get("bounds", "") if takes else "",
    )  # fmt: skip


def spellings(names: list[str]) -> tuple[list[str], list[str]]:
    """`--shout/--no-shout` -> [`--shout`], [`--no-shout`]; a name without a dash is the parameter's own."""
    first: list[str] = []
    second: list[str] = []
    for name in names:
        if name.isidentifier():
            continue
        left, _, right = name.partition(";" if name.startswith("/") else "/")
        first += [left.strip()] if left.strip() else []
        second += [right.strip()] if right.strip() else []
    return first, second


def _help(given: Given) -> str:
    text = given.keywords.get("help")
    return " ".join(text.replace("\b", "").split()) if isinstance(text, str) else ""


def _type(given: Given) -> tuple[str | None, dict[str, Any], list[str]]:
    """The type's name; choices, bounds and nargs; what could not be read."""
    value = given.keywords.get("type")
    if value is None:
        return _from_default(given), {}, []
    if isinstance(value, (tuple, list)):
        kinds = {_named(v) for v in value}
        return (kinds.pop() if len(kinds) == 1 else None) or "tuple", {"nargs": len(value)}, []
    if not isinstance(value, Type):
        name = _named(value)
        unread = ["the type"] if name is None and isinstance(value, Unknown) else []
        return name or text_of(value, given.nodes.get("type")), {}, unread
    match value.name:
        case "Choice":
            return _choice(value.given)
        case "IntRange" | "FloatRange":
            return ("int" if value.name == "IntRange" else "float"), {"bounds": bounds(value.given)}, []
        case "Tuple":
            members = value.given.get("types", 0)
            return "tuple", ({"nargs": len(members)} if isinstance(members, (list, tuple)) else {}), []
    return value.name, {}, []


def _choice(given: Given) -> tuple[str | None, dict[str, Any], list[str]]:
    values = given.get("choices", 0)
    if isinstance(values, dict):
        values = list(values)
    folds = given.get("case_sensitive", 1, True) is False
    if isinstance(values, (list, tuple)) and is_literal(values):
        return "Choice" if folds else "str", {"choices": tuple(map(str, values))}, []
    return "Choice", {}, ["choices"]


def bounds(given: Given) -> str:
    """`0<=x<=1`, as click shows it; empty if values are only moved into the range."""
    low, high = given.get("min", 0), given.get("max", 1)
    if given.get("clamp", 4, False) is True:
        return ""
    left = f"{low}{'<' if given.get('min_open') is True else '<='}" if isinstance(low, (int, float)) else ""
    right = f"{'<' if given.get('max_open') is True else '<='}{high}" if isinstance(high, (int, float)) else ""
    if left and not right:
        return f"x{'>' if left.endswith('<') else '>='}{low}"
    return f"{left}x{right}" if right else ""


def _named(value: Any) -> str | None:
    if isinstance(value, External):
        name = value.dotted.rpartition(".")[2]
        return _SIMPLE.get(name, name)
    if isinstance(value, Class):
        return value.node.name
    if isinstance(value, str) and re.fullmatch(r"int|float|str|bool|string|integer|boolean", value):
        return {"string": "str", "integer": "int", "boolean": "bool"}.get(value, value)
    return None


def _from_default(given: Given) -> str | None:
    """click takes the type of the default."""
    value = given.keywords.get("default")
    if isinstance(value, (list, tuple)) and value and given.keywords.get("multiple") is True:
        value = value[0]
    if isinstance(value, Unknown) or value is None or callable(value):
        return None
    name = type(value).__name__
    return name if name in _BUILT_IN else None
