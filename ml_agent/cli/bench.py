"""`ml-agent bench`: a module in benchmark/ for each sub-command."""

import argparse
from importlib import import_module
from typing import Any

SUBCOMMANDS = {
    "list": "the suites that there are",
    "show": "a suite's samples",
    "run": "a policy over a suite, resumable",
    "score": "score a run, or a file of answers",
    "report": "a leaderboard of runs: on the screen, as Markdown, JSON and HTML pages",
    "compare": "two runs on the same samples",
    "export": "a run's answers in the original's format",
    "validate": "agents that have to pass, and agents that must not",
    "submit": "add a run to a leaderboard, its score computed anew",
}
"""Name -> help. Each is a module of that name in benchmark/, with `add_arguments(parser)` and `run(args) -> int`, the exit code."""


def _module(name: str) -> Any:
    return import_module(f"ml_agent.cli.benchmark.{name}")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Runs policies over benchmarks, scores what they answer, and ranks them."
    commands = parser.add_subparsers(dest="subcommand", metavar="COMMAND", required=True)
    for name, text in SUBCOMMANDS.items():
        own = commands.add_parser(name, help=text, description=text, allow_abbrev=False)
        _module(name).add_arguments(own)
        own.add_argument("--json", action="store_true", help="one JSON object on standard output")


def run(args: argparse.Namespace) -> int:
    code: int = _module(args.subcommand).run(args)
    return code
