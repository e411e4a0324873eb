"""`ml-agent entrypoints`."""

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING

from ml_agent.cli import asking
from ml_agent.cli.printing import print_json

if TYPE_CHECKING:
    from ml_agent.console import Screen
    from ml_agent.repo.entrypoints import EntryPoint
    from ml_agent.repo.index import RepoIndex

_COLUMNS = 120
_BEST = 10


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "The programs of a repository that can be run, and how documents run them; `ml-agent usage` shows the options of one."
    )
    asking.add_repository(parser)
    parser.add_argument("query", metavar="QUERY", nargs="?", help="words: only the programs that fit, best first")
    asking.add_number(parser, None, f"how many programs (with a QUERY {_BEST}, else all)")


def run(args: argparse.Namespace) -> int:
    from ml_agent.console import Screen, status, written

    index = asking.open_index(args.repo)
    with status() as line:
        line.update("reading the repository")
        if args.query is None:
            programs = [(0.0, entry) for entry in index.entry_points[: args.k]]
        else:
            programs = index.search_entry_points(args.query, args.k or _BEST)
        commands = index.commands_of
    with written():
        if args.json:
            described = ([asdict(c) for c in commands.get(entry.path, ())] for _, entry in programs)
            listed = [asdict(e) | {"score": score, "commands": c} for (score, e), c in zip(programs, described, strict=True)]
            print_json({"entry_points": listed})
        else:
            screen = Screen()
            for _, entry in programs:
                _show(screen, entry, index)
            if not programs:
                asking.nothing(screen, "no program was found" if args.query is None else f"no program fits {args.query!r}")
    asking.say_notes(index.notes)
    return 0 if programs else 1


def _show(screen: "Screen", entry: "EntryPoint", index: "RepoIndex") -> None:
    from ml_agent.console import safe

    count = sum(not option.positional and option.action != "help" for option in entry.options)
    facts = [
        entry.kind,
        *([f"{count} option{'s' if count > 1 else ''}"] if count else []),
        *(["may take more"] if entry.open_ended else []),
    ]
    place = (safe(f"{entry.path}:{entry.line}"), "cyan")
    screen.line((safe(" ".join(entry.run)), "bold"), ("  ", ""), place, (f"  {safe(', '.join(facts))}", "dim"))
    if entry.description:
        screen.line((f"    {asking.cut(entry.description, _COLUMNS)}", ""))
    commands = index.commands_of.get(entry.path, ())
    for command in commands[:1]:
        place_of = f"(in {safe(command.workdir)}) " if command.workdir != "." else ""
        more = f" and {len(commands) - 1} more" if len(commands) > 1 else ""
        text = asking.cut(command.text or " ".join(command.words), _COLUMNS)
        screen.line((f"    {place_of}", "dim"), (text, "green"), (f"  {safe(command.source)}{more}", "dim"))
