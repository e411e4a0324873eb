"""`ml-agent solve`."""

import argparse
import sys
from typing import TYPE_CHECKING

from ml_agent import config
from ml_agent.cli import choosing, deciding, modelling, sandboxing
from ml_agent.cli.printing import print_json

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ml_agent.result import Result


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--repo", metavar="PATH", help="folder of a checkout, never written to; without it one is found (`ml-agent find`)")
    parser.add_argument("--task", required=True, metavar="TEXT", help="in plain words, what to run")
    choosing.add_options(parser)
    deciding.add_options(parser)
    modelling.add_options(parser)
    sandboxing.add_options(parser)
    parser.add_argument(
        "--data", action="append", default=[], metavar="PATH[:NAME]", help="show runs PATH, read-only, as NAME in the repository"
    )
    parser.add_argument("--no-run", action="store_true", help="check the answer, execute nothing")
    add_ending(parser)
    parser.add_argument("--seed", type=int, default=0, help="of the model's replies (default: 0)")


def add_ending(parser: argparse.ArgumentParser) -> None:
    """What is the same for a run that is begun and one that is taken up."""
    default = f"{config.TIME_LIMIT:g}, with a model {config.MODEL_TIME_LIMIT:g}"
    parser.add_argument("--time-limit", type=float, metavar="S", help=f"seconds for all of it ({default})")
    deciding.add_limit(parser)
    parser.add_argument("--output", metavar="DIR", help="new folder for the answer as a script and for what the runs made")
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")


def run(args: argparse.Namespace) -> int:
    from ml_agent import api, report
    from ml_agent.console import status

    said = () if args.no_run else sandboxing.warn_of_local(args.sandbox)
    with status() as line:

        def solve(repository: "str | Path") -> "Result":
            line.update("setting up" if args.setup else "reading the repository")
            return api.solve(
                repository,
                args.task,
                **decided,
                **modelling.options_of(args),
                **sandboxing.options_of(args),
                data=args.data,
                run=not args.no_run,
                time_limit=args.time_limit,
                limits=deciding.limits_of(args.limit),
                seed=args.seed,
                output=args.output,
                on_event=lambda event: line.update(report.progress(event)),
            )

        decided = deciding.options_of(args)
        if args.repo is not None:
            choosing.check_unused(args)
            result = solve(args.repo)
        else:
            line.update("looking for repositories")
            result = _find_and_solve(args, solve, line.update)
    return show(result, args, said)


def _find_and_solve(args: argparse.Namespace, solve: "Callable[[Path], Result]", update: "Callable[[str], None]") -> "Result":
    from pathlib import Path

    from ml_agent.choosing import solve_somewhere
    from ml_agent.console import safe
    from ml_agent.models.choice import ModelChoice
    from ml_agent.prompts import Prompts

    given = modelling.options_of(args)
    model = ModelChoice(given.pop("model"), **given) if args.model else None
    return solve_somewhere(
        args.task,
        solve,
        **choosing.options_of(args),
        model=model,
        prompts=Prompts(Path(args.prompts)) if args.prompts is not None else None,
        on_candidate=lambda candidate: update(f"cloning {safe(candidate.name)}"),
    )


def show(result: "Result", args: argparse.Namespace, said: tuple[str, ...] = ()) -> int:
    """Print what came of it; the exit code."""
    from ml_agent import report
    from ml_agent.console import Screen, written, written_if_possible

    with written():
        if args.json:
            print_json(result.to_dict())
        else:
            report.show_result(Screen(), result, output=args.output)
    with written_if_possible(sys.stderr):
        report.show_notes(Screen(sys.stderr), result, said=said)
    return result.exit_code
