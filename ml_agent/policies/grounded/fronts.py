"""Front ends: programs that documents run, and the files behind them that do the work and could be run themselves."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from ml_agent.policies.grounded.arguments import with_documented_options
from ml_agent.repo.commands import Command
from ml_agent.repo.entrypoints import EntryPoint, Option


def behind_fronts(programs: Iterable[EntryPoint], documented: Iterable[str]) -> dict[str, str]:
    """Files that define all options of another program, or of one of its sub-commands, each with that program's path.

    Only where documents run that program, and not the file.
    """
    shown = frozenset(documented)
    found: dict[str, str] = {}
    for program in programs:
        files: dict[str | None, set[str]] = {}
        for option in program.options if program.path in shown else ():
            if option.action != "help":
                files.setdefault(option.command, set()).add(option.source.rpartition(":")[0])
        found |= {next(iter(of)): program.path for of in files.values() if len(of) == 1 and of.isdisjoint((*shown, program.path))}
    return found


def dispatching(program: EntryPoint, commands: Sequence[Command], programs: Mapping[str, EntryPoint]) -> EntryPoint:
    """A program of which little could be read, with the options of the programs that its documented sub-commands are called as.

    `python -m pkg.run plot ...` takes those of `pkg/utils/plot.py`, if that is the only program of the name below its folder.
    """
    if any(not o.positional or o.selects or o.choices for o in program.options) or not program.path.endswith(".py"):
        return program
    words = dict.fromkeys(c.arguments[0] for c in commands if c.arguments and re.fullmatch(r"[a-z][a-z0-9_-]+", c.arguments[0]))
    parts = {word: part for word in words if (part := _part(program, word, programs)) is not None}
    if not parts:
        return program
    others = [c for c in commands if not c.arguments or c.arguments[0] not in parts]
    shown = [o for o in with_documented_options(program, others).options if not o.positional]
    name = program.options[0].name if program.options else "command"
    selector = Option(name, (name,), f"{program.path}:{program.line}", choices=tuple(words), nargs="A...", required=True)
    inner = (replace(o, command=word) for word in words for o in (parts[word].options if word in parts else shown))
    return replace(program, options=(selector, *inner), open_ended=True)


def _part(program: EntryPoint, word: str, programs: Mapping[str, EntryPoint]) -> EntryPoint | None:
    folder, name = program.path.rpartition("/")[0], word.replace("-", "_") + ".py"
    found = [
        other
        for path, other in programs.items()
        if path != program.path and path.rpartition("/")[2] == name and path.startswith(f"{folder}/" if folder else "")
    ]
    return found[0] if len(found) == 1 and any(o.action != "help" for o in found[0].options) else None
