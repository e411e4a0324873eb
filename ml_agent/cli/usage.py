"""`ml-agent usage`."""

import argparse

from ml_agent.cli import asking
from ml_agent.cli.printing import print_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "How a program of a repository is used, as its own --help would print it: from its source, without running it."
    asking.add_repository(parser)
    parser.add_argument("program", metavar="PROGRAM", help="its path, the name of its file, its module, or its installed command")
    parser.add_argument("words", metavar="COMMAND", nargs="*", help="a sub-command: `train`, or `remote add` for one of another")


def run(args: argparse.Namespace) -> int:
    from ml_agent.console import Screen, safe, status, written
    from ml_agent.errors import UsageError
    from ml_agent.repo.programs import NoSuchProgram
    from ml_agent.tools.facts import usage_data

    index = asking.open_index(args.repo)
    with status() as line:
        line.update("reading the repository")
        try:
            data = usage_data(index, args.program, " ".join(args.words) or None)
        except NoSuchProgram as error:
            raise UsageError(str(error)) from None
    with written():
        if args.json:
            print_json(data)
        else:
            screen = Screen()
            for text in data["usage"].splitlines():
                screen.line((safe(text), ""))
            screen.line()
            screen.line((f"{safe(data['kind'])}, read from ", "dim"), (safe(f"{data['path']}:{data['line']}"), "cyan"))
    asking.say_notes(index.notes)
    return 0
