"""Sub-commands: which one a command line runs, those that no document shows, and the files that they are in."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ml_agent.policies.grounded.request import Request, squeeze
from ml_agent.repo.commands import Command
from ml_agent.repo.entrypoints import EntryPoint
from ml_agent.repo.lexical import split_identifier, stem


def implementing(commands: Iterable[Command]) -> frozenset[str]:
    """Paths of the files that sub-commands are in: `pkg/train.py` where `pkg/main.py train` is documented, beside that program.

    Where no document runs such a file itself, it is a part of that program rather than one of its own.
    """
    found = set()
    for command in commands:
        first, folder = next(iter(command.arguments), ""), command.target.rpartition("/")[0]
        if folder and re.fullmatch(r"[a-z][a-z0-9_-]+", first):
            found.add(f"{folder}/{first.replace('-', '_')}.py")
    return frozenset(found)


def subcommand_of(program: EntryPoint, command: Command) -> str:
    """The sub-command that it runs: one that is known, else a plain first word to a program that nothing is known of."""
    if not program.options or program.open_ended:
        first = next(iter(command.arguments), "")
        if re.fullmatch(r"[a-z]\w{2,}", first) and not any(o.positional and not o.lenient for o in program.options):
            return first
    return program.command_of(command.arguments) or ""


def named_by(request: Request, program: EntryPoint, command: Command) -> float:
    """How much of the name of its sub-command the request says, 0 to 1: `text-rank` is TextRank, and half of it is `rank`.

    0 for a program that has none.
    """
    selected = program.command_of(command.arguments)
    if selected is None:
        return 0.0
    parts = [split_identifier(name) for name in selected.split(" ")]
    return sum(_said(words, request) for words in parts) / len(parts)


def _said(words: Sequence[str], request: Request) -> float:
    if squeeze("".join(words)) in request.grams:
        return 1.0
    return sum(stem(w) in request.stems for w in words) / max(1, len(words))


def undocumented(program: EntryPoint, documented: Sequence[Command]) -> list[Command]:
    """A program started with each of its sub-commands that no document shows, as documents start it."""
    selector = next((o for o in program.options if o.selects and o.choices and o.command is None), None)
    if selector is None or not selector.choices:
        return []
    shown = {(program.command_of(c.arguments) or "").partition(" ")[0] for c in documented}
    words = (*program.run[:-1], program.path) if program.run[-1:] == (program.path,) else program.run
    start = Command(words, program.path, len(words) - 1, ".", selector.source)
    if documented:
        first = documented[0]
        start = replace(start, words=first.words[: first.target_index + 1], target_index=first.target_index, workdir=first.workdir)
    return [replace(start, words=(*start.words, choice)) for choice in selector.choices if choice not in shown]
