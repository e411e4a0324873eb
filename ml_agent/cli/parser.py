"""The words of the command line: what is the same for all commands."""

import argparse
from importlib import import_module
from typing import Any, NoReturn

import ml_agent
from ml_agent.console import say

COMMANDS = {
    "solve": "find, check and run what does a task",
    "resume": "go on with a solve that was stopped",
    "replay": "decide a stored solve again, without its model, and say where it departs",
    "find": "the repositories that a task may be about, ranked",
    "check": "verification alone, for any command or a .py file",
    "env": "what a repository needs, and what is here of it",
    "index": "read a repository once, embed it, and keep that: all else is then quick",
    "search": "code, documents, programs and symbols by words and meaning",
    "symbols": "definitions by name, who uses them, what a module exports",
    "map": "an outline of what matters most, within so many tokens",
    "entrypoints": "the programs that can be run, and how documents run them",
    "usage": "a program's help, without running it",
    "show": "a stored run, readable",
    "bench": "policies over benchmarks: run, score, rank",
    "policies": "who can decide, and what can be set of each",
    "tools": "what a policy can call",
    "doctor": "what works on this machine, and what to do about the rest",
}
"""Name -> help. Each is a module of that name beside this one, with `add_arguments(parser)` and `run(args) -> int`, the exit code."""

_DESCRIPTION = """\
The exact command or script for a task in a machine-learning repository, checked against the
repository's own code, run in a sandbox, with a source for each part."""
_EPILOG = """\
exit codes: 0 an accepted answer (check: no error, env: nothing missing), 1 none (check: errors, env: something missing),
2 bad usage or input, 3 the surroundings failed, 130 interrupted"""


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, like every other fault of the input."""

    def error(self, message: str) -> NoReturn:
        say(f"{self.prog}: {message} (see {self.prog} --help)")
        self.exit(2)

    def _print_message(self, message: str, file: Any = None) -> None:
        """argparse passes over what cannot be written: a help that is lost must not end as if all were well."""
        if message and file is not None:
            file.write(message)


class _Version(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *rest: Any) -> NoReturn:
        print(f"ml-agent {ml_agent.__version__}")
        parser.exit(0)


def command(name: str) -> Any:
    """The module of a command."""
    return import_module(f"ml_agent.cli.{name}")


def build_parser(wanted: str | None = None) -> argparse.ArgumentParser:
    """Of all commands; or one that knows the arguments of the `wanted` command alone, which is all that its words need."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = _Parser(prog="ml-agent", description=_DESCRIPTION, epilog=_EPILOG, formatter_class=raw, allow_abbrev=False)
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, text in COMMANDS.items():
        added = commands.add_parser(name, help=text, allow_abbrev=False)
        if wanted is None or wanted == name:
            command(name).add_arguments(added)
    return parser
