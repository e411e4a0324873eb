"""`ml-agent solve`."""

import argparse
import sys

from ml_agent import config
from ml_agent.cli import sandboxing
from ml_agent.cli.printing import print_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--repo", required=True, metavar="PATH", help="folder of a checkout; it is never written to")
    parser.add_argument("--task", required=True, metavar="TEXT", help="in plain words, what to run")
    parser.add_argument("--policy", default=config.POLICY, metavar="NAME", help="who decides: grounded (default), or module:Class")
    sandboxing.add_options(parser)
    parser.add_argument(
        "--data", action="append", default=[], metavar="PATH[:NAME]", help="show runs PATH, read-only, as NAME in the repository"
    )
    parser.add_argument("--no-run", action="store_true", help="check the answer, execute nothing")
    parser.add_argument("--time-limit", type=float, default=config.TIME_LIMIT, metavar="S", help="seconds for all of it (%(default)g)")
    parser.add_argument("--output", metavar="DIR", help="new folder for the answer as a script and for what the runs made")
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")


def run(args: argparse.Namespace) -> int:
    from ml_agent import api, report
    from ml_agent.console import Screen, status, written, written_if_possible

    said = () if args.no_run else sandboxing.warn_of_local(args.sandbox)
    with status() as line:
        line.update("setting up" if args.setup else "reading the repository")
        result = api.solve(
            args.repo,
            args.task,
            policy=args.policy,
            **sandboxing.options_of(args),
            data=args.data,
            run=not args.no_run,
            time_limit=args.time_limit,
            output=args.output,
            on_event=lambda event: line.update(report.progress(event)),
        )
    with written():
        if args.json:
            print_json(result.to_dict())
        else:
            report.show_result(Screen(), result, output=args.output)
    with written_if_possible(sys.stderr):
        report.show_notes(Screen(sys.stderr), result, said=said)
    return result.exit_code
