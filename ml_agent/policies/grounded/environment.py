"""What a program is told by variables of the environment, set in front of the command: `TAG=x LR=1e-5 bash run.sh`."""

import re
from collections.abc import Sequence
from dataclasses import replace

from ml_agent.policies.grounded.arguments import Item
from ml_agent.repo.commands import Command
from ml_agent.repo.entrypoints import EntryPoint, Option
from ml_agent.repo.entrypoints.shell_environment import is_system, literal


def with_environment(program: EntryPoint, commands: Sequence[Command]) -> EntryPoint:
    """The program with these variables among its options: those that it reads, and those that documented commands set in front of it."""
    found = {o.name: o for o in program.environment}
    for command in commands:
        for name, value in command.environment:
            if is_system(name):
                continue
            option = found.setdefault(name, Option(name, (name,), command.source, assigned=True, lenient=True))
            if option.default is None and value:
                found[name] = replace(option, default=literal(value))
    have = {o.name for o in program.options}
    variables = tuple(o for o in found.values() if o.name not in have)
    return replace(program, options=(*program.options, *variables), environment=variables)


def set_in_front(program: EntryPoint, items: Sequence[Item], prefix: Sequence[str]) -> tuple[list[Item], list[str], list[Item]]:
    """(the items that stay behind the program, the words that start it with the variables in front, the items that those were)."""
    names = {o.name for o in program.environment}
    moved = [i for i in items if i.option is not None and i.option.name in names]
    if not moved:
        return list(items), list(prefix), []
    values = {i.name: "".join(i.words()) for i in moved}
    start = next((k for k, word in enumerate(prefix) if not re.match(r"[A-Za-z_]\w*=", word)), len(prefix))
    before = {word.partition("=")[0]: word for word in prefix[:start]}
    return [i for i in items if i not in moved], [*(before | values).values(), *prefix[start:]], moved
