"""`ml-agent doctor`."""

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from ml_agent.cli.printing import print_json
from ml_agent.console import Screen, safe, written
from ml_agent.errors import UsageError

if TYPE_CHECKING:
    from ml_agent.doctor import Diagnosis

_STYLES = {"ok": "green", "warning": "yellow", "error": "red"}
_LABEL = 9
_NAME = 16


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Tries what runs need on this machine, and says what does not work and what to do."
    parser.epilog = "exit codes: 0 what is found can be run (there may be warnings), 1 there is an error, 2 bad usage"
    parser.add_argument("--python", metavar="PATH", help="interpreter of the runs (default: .venv here, $VIRTUAL_ENV, python3)")
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")


def run(args: argparse.Namespace) -> int:
    from ml_agent.doctor import diagnose

    diagnosis = diagnose(_repository(), args.python)
    with written():
        if args.json:
            print_json({"ok": diagnosis.ok, "sandbox": diagnosis.sandbox, "checks": [asdict(check) for check in diagnosis.checks]})
        else:
            _show(Screen(), diagnosis)
    return 0 if diagnosis.ok else 1


def _repository() -> Path:
    """The current folder, unless it is the home folder or above it: that is no repository, and may hold the user's own interpreters."""
    try:
        folder, home = Path.cwd(), Path.home()
    except OSError as error:
        raise UsageError("the current folder is gone: change to one that exists") from error
    return Path("/nonexistent") if home.is_relative_to(folder) else folder


def _show(screen: Screen, diagnosis: "Diagnosis") -> None:
    for check in diagnosis.checks:
        screen.line((f"{check.status:<{_LABEL}}", _STYLES[check.status]), (f"{check.name:<{_NAME}}", "bold"), (safe(check.detail), ""))
        if check.remedy is not None:
            screen.line((" " * (_LABEL + _NAME), ""), ("to do: ", "dim"), (safe(check.remedy), _STYLES[check.status]))
    if not diagnosis.ok:
        names = ", ".join(check.name for check in diagnosis.checks if check.status == "error")
        screen.line((f"ml-agent: not everything works here: {names}", "red"))
