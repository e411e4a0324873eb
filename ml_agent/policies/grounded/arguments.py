"""The arguments of a documented command, read with what is known of the program's options."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ml_agent.repo.commands import Command
from ml_agent.repo.entrypoints import EntryPoint, Option
from ml_agent.repo.entrypoints.base import levels_of
from ml_agent.task import Evidence

_OVERRIDE = re.compile(r"[A-Z][A-Z0-9_]*(?:\.[A-Z][A-Z0-9_]*)+")
"""A setting of yacs, which its value follows as a word of its own: `SOLVER.BASE_LR 0.1`."""


@dataclass(slots=True)
class Item:
    """One option with its values in a command line, or a run of plain words (name "")."""

    name: str
    values: list[str]
    equals: bool
    evidence: Evidence
    option: Option | None = None

    def words(self) -> list[str]:
        if not self.name:
            return self.values
        if self.equals and len(self.values) == 1:
            return [f"{self.name}={self.values[0]}"]
        return [self.name, *self.values]


def parse_arguments(program: EntryPoint, arguments: Sequence[str], source: str) -> list[Item]:
    """The words after the program as options with their values and as plain words, in their order."""
    items: list[Item] = []
    positionals = iter(_by_place(program, arguments))
    for word in arguments:
        name, equals, value = word.partition("=")
        if equals and program.flag_style in ("hydra", "assign") and re.match(r"[+~-]*[A-Za-z_]", word):
            items.append(Item(name, [value], True, Evidence(word, None, source), find_option(program, name)))
            continue
        if re.match(r"--?[A-Za-z]", word):
            option = find_option(program, name)
            if option is not None and name.startswith("--") and name not in option.aliases and program.flag_style != "absl":
                name = option.name  # documents shorten names, as argparse allows; whole ones are plain to everybody
            items.append(Item(name, [value] if equals else [], bool(equals), Evidence(word, None, source), option))
            continue
        last = items[-1] if items else None
        if _OVERRIDE.fullmatch(word) and not (last and last.option and _takes_more(last)):
            items.append(Item(word, [], False, Evidence(word, None, source), find_option(program, word)))
            continue
        if last and not last.equals and _takes_more(last):
            last.values.append(word)
            last.evidence = Evidence(" ".join(last.words()), None, source)
        else:
            items.append(Item("", [word], False, Evidence(word, None, source), next(positionals, None)))
    return items


def _by_place(program: EntryPoint, arguments: Sequence[str]) -> list[Option]:
    """The options that plain words are for, in their order."""
    if program.flag_style != "fire":
        return [o for o in program.options if o.positional]
    levels = [None, *levels_of(program.command_of(arguments))]  # each parameter of the function that is called can be given by its place
    selectors = [o for o in program.options if o.selects and o.command in levels]
    return [*selectors, *(o for o in program.options if o.command == levels[-1] and not o.selects and o.action != "help")]


def _takes_more(item: Item) -> bool:
    option = item.option
    if _OVERRIDE.fullmatch(item.name):
        return not item.values
    if option is None:
        return bool(item.name)
    if not option.takes_value:
        return False
    if option.nargs in ("*", "+"):
        return True
    if option.nargs and option.nargs.isdigit():
        return len(item.values) < int(option.nargs)
    return not item.values


def find_option(program: EntryPoint, name: str) -> Option | None:
    """The option that the program takes `name` for: exactly, by one dash (absl), or as an unambiguous prefix."""
    found = program.option(name)
    if found is None and program.flag_style == "hydra":
        found = program.option(name.lstrip("+~"))
    if found is None and program.flag_style == "absl":
        found = program.option("--" + name.lstrip("-"))
    if found is None and program.prefixes and name.startswith("--"):
        longer = [o for o in program.options if any(a.startswith(name) for a in o.aliases)]
        found = longer[0] if len(longer) == 1 else None
    return found


def with_documented_options(program: EntryPoint, commands: Sequence[Command]) -> EntryPoint:
    """A program whose options could not all be read gets the others that its documented commands give it."""
    if program.options and not program.open_ended:
        return program
    found: dict[str, Option] = {}
    for command in commands:
        for item in parse_arguments(program, command.arguments, command.source):
            if item.name and item.option is None and item.name not in found:
                default = item.values[0] if len(item.values) == 1 and re.fullmatch(r"-?[\d.]+(e-?\d+)?", item.values[0]) else None
                found[item.name] = Option(
                    item.name, (item.name,), command.source, default=default, action="store" if item.values else "flag",
                    assigned=item.equals and not item.name.startswith("-"), nargs="+" if len(item.values) > 1 else None,
                )  # fmt: skip
    return replace(program, options=(*program.options, *found.values()), open_ended=True) if found or not program.options else program


def documented_values(program: EntryPoint, command: Command) -> Mapping[str, Sequence[str]]:
    """Option name -> the values that the command gives it."""
    found: dict[str, list[str]] = {}
    for item in parse_arguments(program, command.arguments, command.source):
        if item.option and item.values:
            found[item.option.name] = item.values
    return found
