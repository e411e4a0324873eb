"""Programs whose commands stand below each other: how a tree of them becomes one entry point."""

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass, field

from ml_agent.repo.entrypoints.base import EntryPoint, Option, Style, join_command
from ml_agent.repo.entrypoints.program import Program

MAX_OPTIONS = 5_000
MAX_DEPTH = 8
MAX_HELP = 300


@dataclass(eq=False, slots=True)
class Command:
    """A program, or one of its commands, with its own options."""

    source: str
    """`path:line`"""
    description: str = ""
    options: list[Option] = field(default_factory=list)
    commands: "dict[str, Command]" = field(default_factory=dict)
    """By name; a command may stand under several."""
    required: bool = True
    """One of the commands has to be named."""
    complete: bool = True
    """All commands are known."""
    selector: str = "command"
    open_ended: bool = False
    unread: list[str] = field(default_factory=list)


def entry_point(program: Program, kind: str, command: Command, style: Style, *, prefixes: bool = False) -> EntryPoint:
    walked = list(_walk(command, None, 0))
    options: list[Option] = []
    for path, each in walked:
        own = [dataclasses.replace(o, command=path) for o in each.options]
        if each.commands or not each.complete:
            choices = tuple(each.commands) if each.complete and each.commands else None
            own.append(
                Option(each.selector, (each.selector,), each.source, choices=choices, nargs="A...", required=each.required, command=path)
            )
        options += sorted(own, key=lambda o: o.action == "help")
    source, _, line = command.source.rpartition(":")
    return EntryPoint(
        program.path,
        kind,
        program.run,
        tuple(options[:MAX_OPTIONS]),
        description=command.description or program.description,
        line=int(line) if source == program.path and line.isdecimal() else 1,
        open_ended=len(options) > MAX_OPTIONS or any(c.open_ended for _, c in walked),
        prefixes=prefixes,
        flag_style=style,
        closed=tuple(p for p, c in walked if p is not None and not c.open_ended) if any(c.open_ended for _, c in walked) else (),
        unread=tuple(dict.fromkeys(note for _, c in walked for note in c.unread))[:100],
        command_help=tuple((p, c.description) for p, c in walked if p is not None and c.description)[:MAX_HELP],
        command_aliases=tuple(_aliases(command, None, 0)),
    )


def _walk(command: Command, path: str | None, depth: int) -> Iterator[tuple[str | None, Command]]:
    yield path, command
    if depth < MAX_DEPTH:
        for name, inner in _once(command):
            yield from _walk(inner, join_command(path, name), depth + 1)


def _once(command: Command) -> list[tuple[str, Command]]:
    """Each sub-command under the first of its names. One that leads back to itself is cut by the depth."""
    found: dict[int, tuple[str, Command]] = {}
    for name, inner in command.commands.items():
        if inner is not command:
            found.setdefault(id(inner), (name, inner))
    return list(found.values())


def _aliases(command: Command, path: str | None, depth: int) -> Iterator[tuple[str, str]]:
    first = {id(inner): name for name, inner in _once(command)}
    for name, inner in command.commands.items():
        if first.get(id(inner), name) != name:
            yield join_command(path, name), join_command(path, first[id(inner)])
    if depth < MAX_DEPTH:
        for name, inner in _once(command):
            yield from _aliases(inner, join_command(path, name), depth + 1)
