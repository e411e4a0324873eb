"""The command line: a module for each command.

Exit codes: 0 an accepted answer (check: no error found), 1 none (check: errors found), 2 bad usage or input, 3 the surroundings failed,
130 interrupted.
"""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress

from ml_agent.errors import Cancelled, InfrastructureError, LimitReached, ToolError, UsageError
from ml_agent.interrupts import cancellable


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
    from ml_agent.cli.parser import COMMANDS, build_parser, command
    from ml_agent.console import written

    words = sys.argv[1:] if argv is None else argv
    try:
        with written():
            args = build_parser(words[0] if words and words[0] in COMMANDS else None).parse_args(words)
    except SystemExit as end:
        return int(end.code or 0)
    code: int = command(args.command).run(args)
    return code
