"""`ml-agent solve`."""

import argparse
import sys
from typing import TYPE_CHECKING

from ml_agent import config
from ml_agent.cli import deciding, modelling, sandboxing
from ml_agent.cli.printing import print_json

if TYPE_CHECKING:
    from ml_agent.result import Result


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--repo", required=True, metavar="PATH", help="folder of a checkout; it is never written to")
    parser.add_argument("--task", required=True, metavar="TEXT", help="in plain words, what to run")
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
        line.update("setting up" if args.setup else "reading the repository")
        result = api.solve(
            args.repo,
            args.task,
            **deciding.options_of(args),
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
    return show(result, args, said)


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
