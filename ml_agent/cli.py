"""The command line: `ml-agent solve`, `check` and `show`.

Exit codes: 0 an accepted answer (check: no error found), 1 none (check: errors found), 2 bad usage or input, 3 the surroundings failed,
130 interrupted.
"""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ml_agent.errors import Cancelled, InfrastructureError, LimitReached, ToolError, UsageError
from ml_agent.interrupts import cancellable

if TYPE_CHECKING:
    import argparse

    from ml_agent.task import Language


def main(argv: Sequence[str] | None = None) -> int:
    try:
        with cancellable():
            return _guarded(argv)
    except (Cancelled, KeyboardInterrupt):
        with suppress(OSError):
            os.write(2, b"ml-agent: interrupted\n")  # nothing is sure to be imported yet
        return 130


def _guarded(argv: Sequence[str] | None) -> int:
    """The exit code, whatever happens. All else is imported only here: an interruption may come this early."""
    from ml_agent.console import open_streams, say

    open_streams()
    try:
        return _run(argv)
    except BrokenPipeError:  # the reader has had enough
        return 0
    except UsageError as error:
        code, message = 2, str(error)
    except (LimitReached, ToolError) as error:
        code, message = 1, str(error)
    except InfrastructureError as error:
        code, message = 3, str(error)
    except Exception:  # noqa: BLE001 - Python's own exit code for it, 1, means "no answer" here
        import traceback

        say(traceback.format_exc().rstrip(), lines=True)
        code, message = 3, "this is a fault of ml-agent, please report it"
    say(f"ml-agent: {message}")
    return code


def _run(argv: Sequence[str] | None) -> int:
    from ml_agent.arguments import build_parser
    from ml_agent.console import written

    try:
        with written():
            args = build_parser().parse_args(argv)
    except SystemExit as end:
        return int(end.code or 0)
    return {"solve": _solve, "check": _check, "show": _show}[args.command](args)


def _solve(args: "argparse.Namespace") -> int:
    from ml_agent import api, report
    from ml_agent.console import Screen, say, status, written, written_if_possible

    said: tuple[str, ...] = ()
    if args.sandbox == "local" and not args.no_run:
        from ml_agent.sandbox.local import WARNING

        said = (WARNING,)
        say(f"warning: {WARNING}")
    with status() as line:
        line.update("reading the repository")
        result = api.solve(
            args.repo,
            args.task,
            policy=args.policy,
            sandbox=args.sandbox,
            python=args.python,
            image=args.image,
            gpus=args.gpus,
            run=not args.no_run,
            time_limit=args.time_limit,
            output=args.output,
            on_event=lambda event: line.update(report.progress(event)),
        )
    with written():
        if args.json:
            _print_json(result.to_dict())
        else:
            report.show_result(Screen(), result, output=args.output)
    with written_if_possible(sys.stderr):
        report.show_notes(Screen(sys.stderr), result, said=said)
    return result.exit_code


def _check(args: "argparse.Namespace") -> int:
    from ml_agent import api, inputs, report
    from ml_agent.console import Screen, written

    code: str = args.code
    language: Language | None = None
    file = inputs.code_file(code, args.repo)
    if file is not None:
        code, language = inputs.read_code(file), "python"
    found = api.check(args.repo, code, language=language)
    with written():
        if args.json:
            _print_json(api.check_dict(found))
        else:
            report.show_check(Screen(), found)
    return 0 if found.ok else 1


def _show(args: "argparse.Namespace") -> int:
    from pathlib import Path

    from ml_agent import report
    from ml_agent.console import Screen, written
    from ml_agent.trajectory import read_trajectory

    trajectory = read_trajectory(Path(args.trajectory))
    with written():
        report.show_trajectory(Screen(), trajectory, full=args.full)
    return 0


def _print_json(value: Any) -> None:
    import json

    print(json.dumps(value))  # ASCII: whatever the encoding of the stream, and lone surrogates survive
