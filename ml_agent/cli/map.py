"""`ml-agent map`."""

import argparse

from ml_agent.cli import asking
from ml_agent.cli.printing import print_json

TOKENS = 1500


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "An outline of a repository: the definitions that matter most, by what refers to them and by the words of a task."
    asking.add_repository(parser)
    parser.add_argument("--task", default="", metavar="TEXT", help="in plain words, what it is for")
    parser.add_argument("--tokens", type=asking.positive, default=TOKENS, metavar="N", help=f"how large, in tokens, about ({TOKENS})")


def run(args: argparse.Namespace) -> int:
    from ml_agent.console import Screen, safe, status, written
    from ml_agent.tools.facts import map_data

    index = asking.open_index(args.repo)
    with status() as line:
        line.update("reading the repository")
        found = index.map(args.task, args.tokens)
    with written():
        if args.json:
            print_json(map_data(found))
        else:
            screen = Screen()
            for text in found.text.splitlines():
                screen.line((safe(text), "" if text.startswith(" ") else "bold cyan"))
            if not found.symbols:
                asking.nothing(screen, "no definition fits into so few tokens" if found.left_out else "there are no definitions")
            elif found.left_out:
                screen.line((f"{found.left_out} definitions more", "dim"))
    asking.say_notes(index.notes)
    return 0 if found.symbols else 1
