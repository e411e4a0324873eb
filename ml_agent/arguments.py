"""The words of the command line: commands, options and their help."""

import argparse
from typing import Any, NoReturn

import ml_agent
from ml_agent import config
from ml_agent.console import say

_DESCRIPTION = """\
The exact command or script for a task in a machine-learning repository, checked against the
repository's own code, run in a sandbox, with a source for each part."""
_EPILOG = """\
exit codes: 0 an accepted answer (check: no error), 1 none (check: errors), 2 bad usage or input,
3 the surroundings failed, 130 interrupted"""


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


def build_parser() -> argparse.ArgumentParser:
    raw = argparse.RawDescriptionHelpFormatter
    parser = _Parser(prog="ml-agent", description=_DESCRIPTION, epilog=_EPILOG, formatter_class=raw, allow_abbrev=False)
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)

    solve = commands.add_parser("solve", help="find, check and run what does a task", allow_abbrev=False)
    solve.add_argument("--repo", required=True, metavar="PATH", help="folder of a checkout; it is never written to")
    solve.add_argument("--task", required=True, metavar="TEXT", help="in plain words, what to run")
    solve.add_argument("--policy", default=config.POLICY, metavar="NAME", help="who decides: grounded (default), or module:Class")
    solve.add_argument("--sandbox", default="auto", choices=config.SANDBOXES, help="where code runs (default: auto)")
    solve.add_argument("--python", metavar="PATH", help="interpreter for the runs (default: the repository's .venv, $VIRTUAL_ENV, python3)")
    solve.add_argument("--image", metavar="NAME", help="docker: run in this image, not among this machine's own programs")
    solve.add_argument("--gpus", metavar="WHICH", help="docker: show GPUs to the runs: all, a number, or device=0,1")
    solve.add_argument("--no-run", action="store_true", help="check the answer, execute nothing")
    solve.add_argument("--time-limit", type=float, default=config.TIME_LIMIT, metavar="S", help="seconds for all of it (%(default)g)")
    solve.add_argument("--output", metavar="DIR", help="new folder for the answer as a script and for what the runs made")
    solve.add_argument("--json", action="store_true", help="one JSON object on standard output")

    check = commands.add_parser("check", help="verification alone, for any command or a .py file", allow_abbrev=False)
    check.add_argument("--repo", required=True, metavar="PATH", help="folder of a checkout")
    check.add_argument("--json", action="store_true", help="one JSON object on standard output")
    check.add_argument("code", metavar="COMMAND", help="a command line that starts in the repository's root, or the path of a .py file")

    show = commands.add_parser("show", help="a stored run, readable", allow_abbrev=False)
    show.add_argument("--full", action="store_true", help="all that the tools said, uncut")
    show.add_argument("trajectory", metavar="TRAJECTORY", help="file that a solve recorded")
    return parser
