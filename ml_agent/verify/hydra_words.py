"""How hydra would take the words: `key=value`, `+key=value`, `~key`, and its own flags. And `NAME=VALUE` without hydra."""

import re
import shlex
from collections.abc import Sequence

from ml_agent.repo.entrypoints import EntryPoint, Option
from ml_agent.verify.findings import Finding
from ml_agent.verify.reading import Argument, Given, Reading, finding

_OVERRIDE = re.compile(r"(\+\+|\+|~)?([^\s=+~][^\s=]*?)(?:=(.*))?", re.DOTALL)
_QUOTED = re.compile(r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"")
_OTHER_CONFIG = frozenset(("--config-name", "--config-path", "--config-dir", "--experimental-rerun"))


def read_hydra(entry: EntryPoint, arguments: Sequence[Argument]) -> Reading:
    reading = Reading(loose=any(a.several for a in arguments))
    overrides, elsewhere, several = _flags(entry, arguments, reading)
    reading.unsure = elsewhere
    reading.loose = reading.loose or elsewhere
    removed: set[str] = set()
    for argument in overrides:
        match = _OVERRIDE.fullmatch(argument.text)
        if match is None or (match[3] is None and match[1] != "~"):
            message = f"`{argument.text}` is no `key=value`"
            reading.findings.append(finding(entry, "positional", message, argument.text, sure=not argument.open))
            continue
        sign, name, value = match[1] or "", match[2], match[3]
        if sign == "~":
            removed.add(name)
        elif name in removed:
            continue
        problem = _override(entry, sign, name, value, argument, reading, sure=not elsewhere)
        if problem is None and value is not None and not argument.open:
            problem = _value_problem(entry, f"{sign}{name}", value, argument.text, several=several)
        if problem is not None:
            reading.findings.append(problem)
    return reading


def _flags(entry: EntryPoint, arguments: Sequence[Argument], reading: Reading) -> tuple[list[Argument], bool, bool]:
    """The words that are no flags; whether another configuration is read; whether it is run with several values."""
    overrides: list[Argument] = []
    elsewhere = several = False
    index = 0
    while index < len(arguments):
        argument = arguments[index]
        index += 1
        if not argument.text.startswith("-") or argument.text == "-":
            overrides.append(argument)
            continue
        name, equals, value = argument.text.partition("=")
        option = _flag(entry, name)
        if option is None:
            reading.unknown.append(argument.text)
            continue
        values: tuple[str, ...] = ()
        if option.takes_value:
            if equals:
                values = (value,)
            elif index < len(arguments):
                values = (arguments[index].text,)
                index += 1
            elif option.name != "--info":
                reading.findings.append(finding(entry, "value", f"`{option.name}` needs a value", argument.text, option.source))
        elsewhere = elsewhere or option.name in _OTHER_CONFIG
        several = several or option.name == "--multirun"
        reading.loose = reading.loose or option.action == "help" or option.name in ("--cfg", "--info", "--shell-completion")
        reading.given.append(Given(option, values, argument.text))
    return overrides, elsewhere, several


def _flag(entry: EntryPoint, name: str) -> Option | None:
    exact = entry.option(name)
    if exact is not None or not name.startswith("--"):
        return exact
    longer = [o for o in entry.options if not o.assigned and any(a.startswith(name) for a in o.aliases)]
    return longer[0] if len(longer) == 1 else None


def _override(
    entry: EntryPoint, sign: str, name: str, value: str | None, argument: Argument, reading: Reading, *, sure: bool
) -> Finding | None:
    word = argument.text
    if name.split(".")[0].split("/")[0] == "hydra" or (argument.open and "$" in name):
        return None
    option = entry.option(name)
    group = entry.option(f"+{name.partition('@')[0]}")
    known = option is not None or _holds(entry, name)
    certain = sure and not entry.open_ended
    if group is not None and sign == "":
        message = f"`{name}` is a group that the defaults do not hold: it has to be added"
        return finding(entry, "option", message, word, group.source, f"+{word}", sure=certain)
    if sign in ("+", "++") and option is not None and option.type == "group":
        message = f"`{name}` is among the defaults already: it is not to be added"
        return finding(entry, "option", message, word, option.source, word.lstrip("+"), sure=certain)
    if sign == "++" and group is not None:
        return finding(entry, "option", f"`{name}` is a group: `++` is for keys", word, group.source, word[1:], sure=certain)
    if sign == "+" and known and group is None:
        if option is not None and option.default is None and not option.required:
            return None
        message = f"`{name}` is in the configuration already: it is not to be added"
        return finding(entry, "option", message, word, option.source if option else None, word[1:], sure=certain)
    if sign == "" and not known:
        reading.unknown.append(word)
        return None
    if sign == "~" and not known:
        return finding(entry, "option", f"`{name}` is not in the configuration", word, sure=certain)
    chosen = group or option
    if chosen is not None and value is not None and sign != "~":
        values = () if argument.open or (chosen.type == "group" and value in ("null", "")) else tuple(_values(value, chosen))
        reading.given.append(Given(chosen, values, word))
    return None


def _holds(entry: EntryPoint, name: str) -> bool:
    """Whether a name stands for a part of the configuration, of which keys are known, or for a member of a list."""
    return any(
        o.assigned and (o.name.startswith(name + ".") or (o.type == "list" and name.startswith(o.name + "."))) for o in entry.options
    )


def _values(value: str, option: Option) -> list[str]:
    """What a value says of an option: several names of a group; one plain value; nothing that can be judged otherwise."""
    if option.type == "group":
        return [v.strip() for v in value.strip("[]").split(",")]
    plain = re.fullmatch(r"[\w.+-]+", value) is not None and value.lower() not in ("null", "none")
    return [value] if plain else []


def _value_problem(entry: EntryPoint, name: str, value: str, word: str, *, several: bool) -> Finding | None:
    """A finding if hydra could not read a value, or would take it for several."""
    bare = _QUOTED.sub("", re.sub(r"\\.", "", value))
    depth, sweep = 0, False
    for sign in bare:
        depth += (sign in "[{(") - (sign in "]})")
        sweep = sweep or (sign == "," and depth == 0)
    if depth != 0 or (bare.count("=") and not bare.startswith("${")):
        why = "its brackets do not match" if depth else "a `=` in a value has to stand in quotes"
        suggestion = None if depth else shlex.quote(f"{name}='{value}'")
        return finding(entry, "value", f"hydra cannot read `{word}`: {why}", word, None, suggestion)
    if sweep and not several:
        message = f"`{word}` gives several values: that needs --multirun, or brackets for a list"
        return finding(entry, "value", message, word, None, f"{name}=[{value}]")
    return None


def read_assignments(entry: EntryPoint, arguments: Sequence[Argument]) -> Reading:
    """`NAME=VALUE` for names that the program has; words without `=` are its positional arguments."""
    reading = Reading(loose=any(a.several for a in arguments))
    positionals = [o for o in entry.options if o.positional]
    plain: list[str] = []
    for argument in arguments:
        name, equals, value = argument.text.partition("=")
        option = entry.option(name)
        if option is not None and option.action == "help":
            reading.loose = True
        elif equals and option is not None:
            values = (value,) if entry.kind == "assignments" else tuple(_values(value, option))
            reading.given.append(Given(option, () if argument.open else values, argument.text))
        elif equals and _holds(entry, name):
            continue
        elif equals or argument.text.startswith("-"):
            reading.unknown.append(argument.text)
        else:
            plain.append(argument.text)
    for option in positionals:
        count = len(plain) if option.nargs in ("*", "+") else 1
        if plain:
            reading.given.append(Given(option, tuple(plain[:count]), " ".join(plain[:count])))
        plain = plain[count:]
    reading.extra.extend(plain)
    return reading
