"""Options that must be given, with what they are given where the request says nothing, and options that exclude others."""

import re
from collections.abc import Sequence

from ml_agent.policies.grounded.arguments import Item, documented_values, parse_arguments
from ml_agent.policies.grounded.devices import is_local_rank
from ml_agent.policies.grounded.kinds import takes_kind
from ml_agent.policies.grounded.option_names import name_words
from ml_agent.repo.commands import Command
from ml_agent.repo.entrypoints import EntryPoint, Option
from ml_agent.repo.entrypoints.base import ONE_NEEDED


def spared(program: EntryPoint, command: Command | None) -> set[str]:
    """Arguments without which the program starts, and without which the command is documented."""
    if command is None or not command.source:
        return set()
    given = {i.option.name for i in parse_arguments(program, command.arguments, command.source) if i.option}
    return {o.name for o in program.options if o.lenient and o.positional and o.name not in given}


def needed(program: EntryPoint, command: str | None, have: set[str]) -> list[Option]:
    """The options that have to be given: the required ones, and the first of each group of which one is."""
    found: list[Option] = []
    groups = {(o.command, o.group) for o in program.options if o.name in have}
    settled = any(takes_kind(name_words(name), "config") for name in have)
    for option in program.options_of(command):
        if option.lenient and settled and not option.positional and not option.assigned:
            continue  # the settings file gives it
        one = option.group is not None and option.group.endswith(ONE_NEEDED) and (option.command, option.group) not in groups
        if (option.required or one) and option.name not in have:
            found.append(option)
            groups.add((option.command, option.group))
    return found


def without_rivals(items: Sequence[Item]) -> list[Item]:
    """Without what is only documented and excludes what the request asks for: programs take one option of such a group."""
    asked = {(i.option.command, i.option.group): i.option for i in items if i.option and i.evidence.words}
    given = [(i, i.option) for i in items if i.option and i.option.group and not i.evidence.words]
    rivals = [id(i) for i, option in given if asked.get((option.command, option.group), option) is not option]
    return [i for i in items if id(i) not in rivals]


def default_for(program: EntryPoint, option: Option, others: Sequence[Command]) -> tuple[str, str]:
    """A value for an option that must be given although the request names none, and where it comes from."""
    for command in others:
        if values := documented_values(program, command).get(option.name):
            return values[0], command.source
    if option.choices:
        return option.choices[0], option.source
    if option.default and option.default != "None":
        return option.default.strip("'\""), option.source
    if is_local_rank(option):
        return "0", option.source
    return {"int": "1", "float": "1.0"}.get(option.type or "", placeholder(option.name)), option.source


def placeholder(name: str) -> str:
    """A value that nobody can take for a real one: the check says that it has to be put in."""
    return "YOUR_" + re.sub(r"\W+", "_", name.strip("-")).upper()
