"""The command line: `ml-agent solve`, `check` and `show`.

Exit codes: 0 an accepted answer (check: no error found), 1 none (check: errors found), 2 bad usage or input, 3 the surroundings failed,
130 interrupted.
"""

import argparse
import json
import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from ml_agent import config
from ml_agent.console import Screen, safe, status, tolerant
from ml_agent.errors import Cancelled, InfrastructureError, LimitReached, ToolError, UsageError
from ml_agent.interrupts import cancellable
from ml_agent.task import Language

_DESCRIPTION = """\
The exact command or script for a task in a machine-learning repository, checked against the
repository's own code, run in a sandbox, with a source for each part."""
_EPILOG = """\
exit codes: 0 an accepted answer (check: no error), 1 none (check: errors), 2 bad usage or input,
3 the surroundings failed, 130 interrupted"""


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, like every other fault of the input."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {safe(message)} (see {self.prog} --help)\n")


class _Version(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *rest: Any) -> NoReturn:
        from importlib.metadata import version

        print(f"ml-agent {version('ml-agent')}")
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
    solve.add_argument("--no-run", action="store_true", help="check the answer, execute nothing")
    solve.add_argument("--time-limit", type=float, default=config.TIME_LIMIT, metavar="S", help="seconds for all of it (%(default)g)")
    solve.add_argument("--output", metavar="DIR", help="new folder for the answer as a script and for what the runs made")
    solve.add_argument("--json", action="store_true", help="one JSON object on standard output")
    solve.set_defaults(call=_solve)

    check = commands.add_parser("check", help="verification alone, for any command or a .py file", allow_abbrev=False)
    check.add_argument("--repo", required=True, metavar="PATH", help="folder of a checkout")
    check.add_argument("--json", action="store_true", help="one JSON object on standard output")
    check.add_argument("code", metavar="COMMAND", help="a command line that starts in the repository's root, or the path of a .py file")
    check.set_defaults(call=_check)

    show = commands.add_parser("show", help="a stored run, readable", allow_abbrev=False)
    show.add_argument("--full", action="store_true", help="all that the tools said, uncut")
    show.add_argument("trajectory", metavar="TRAJECTORY", help="file that a solve recorded")
    show.set_defaults(call=_show)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    tolerant(sys.stdout, sys.stderr)
    args = build_parser().parse_args(argv)
    try:
        with cancellable():
            code: int = args.call(args)
            sys.stdout.flush()
            return code
    except UsageError as error:
        return _fault(2, str(error))
    except (LimitReached, ToolError) as error:
        return _fault(1, str(error))
    except InfrastructureError as error:
        return _fault(3, str(error))
    except (Cancelled, KeyboardInterrupt):
        return _fault(130, "interrupted")
    except BrokenPipeError:  # the reader has had enough; what is still in the buffer must not complain at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0
    except Exception:  # noqa: BLE001 - Python's own exit code for it, 1, means "no answer" here
        traceback.print_exc()
        return _fault(3, "this is a fault of ml-agent, please report it")


def _fault(code: int, message: str) -> int:
    print(f"ml-agent: {safe(message)}", file=sys.stderr)
    return code


def _solve(args: argparse.Namespace) -> int:
    from ml_agent import api, report

    if args.sandbox == "local" and not args.no_run:
        from ml_agent.sandbox.local import WARNING

        print(f"warning: {WARNING}", file=sys.stderr)
    with status() as line:
        line.update("reading the repository")
        result = api.solve(
            args.repo,
            args.task,
            policy=args.policy,
            sandbox=args.sandbox,
            python=args.python,
            run=not args.no_run,
            time_limit=args.time_limit,
            output=args.output,
            on_event=lambda event: line.update(report.progress(event)),
        )
    if args.json:
        _print_json(result.to_dict())
    else:
        report.show_result(Screen(), result, output=args.output)
    sys.stdout.flush()
    report.show_notes(Screen(sys.stderr), result)
    return result.exit_code


def _check(args: argparse.Namespace) -> int:
    from ml_agent import api, report

    code: str = args.code
    language: Language | None = None
    if code.endswith(".py") and not any(c.isspace() for c in code):
        code, language = _read(Path(code)), "python"
    found = api.check(args.repo, code, language=language)
    if args.json:
        _print_json(api.check_dict(found))
    else:
        report.show_check(Screen(), found)
    return 0 if found.ok else 1


def _show(args: argparse.Namespace) -> int:
    from ml_agent import report
    from ml_agent.trajectory import read_trajectory

    report.show_trajectory(Screen(), read_trajectory(Path(args.trajectory)), full=args.full)
    return 0


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise UsageError(f"cannot read {path}: {reason}; give a .py file or a whole command line") from error


def _print_json(value: Any) -> None:
    print(json.dumps(value))  # ASCII: whatever the encoding of the stream, and lone surrogates survive
