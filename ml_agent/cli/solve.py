"""`ml-agent solve`."""

import argparse
import sys

from ml_agent import config
from ml_agent.cli.printing import print_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--repo", required=True, metavar="PATH", help="folder of a checkout; it is never written to")
    parser.add_argument("--task", required=True, metavar="TEXT", help="in plain words, what to run")
    parser.add_argument("--policy", default=config.POLICY, metavar="NAME", help="who decides: grounded (default), or module:Class")
    parser.add_argument("--sandbox", default="auto", choices=config.SANDBOXES, help="where code runs (default: auto)")
    parser.add_argument("--python", metavar="PATH", help="interpreter of the runs (default: the repository's .venv, $VIRTUAL_ENV, python3)")
    parser.add_argument("--image", metavar="NAME", help="docker: run in this image, not among this machine's own programs")
    parser.add_argument("--gpus", metavar="WHICH", help="docker: show GPUs to the runs: all, a number, or device=0,1")
    parser.add_argument("--setup", metavar="CMD", help="get the repository ready, once and kept: 'pip install -r requirements.txt'")
    parser.add_argument(
        "--network", default="off", choices=config.NETWORKS, help="who has the network: nobody (default), the setup, all runs"
    )
    parser.add_argument(
        "--data", action="append", default=[], metavar="PATH[:NAME]", help="show runs PATH, read-only, as NAME in the repository"
    )
    parser.add_argument("--no-run", action="store_true", help="check the answer, execute nothing")
    parser.add_argument("--time-limit", type=float, default=config.TIME_LIMIT, metavar="S", help="seconds for all of it (%(default)g)")
    parser.add_argument("--output", metavar="DIR", help="new folder for the answer as a script and for what the runs made")
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")


def run(args: argparse.Namespace) -> int:
    from ml_agent import api, report
    from ml_agent.console import Screen, say, status, written, written_if_possible

    said: tuple[str, ...] = ()
    if args.sandbox == "local" and not args.no_run:
        from ml_agent.sandbox.local import WARNING

        said = (WARNING,)
        say(f"warning: {WARNING}")
    with status() as line:
        line.update("setting up" if args.setup else "reading the repository")
        result = api.solve(
            args.repo,
            args.task,
            policy=args.policy,
            sandbox=args.sandbox,
            python=args.python,
            image=args.image,
            gpus=args.gpus,
            setup=args.setup,
            network=args.network,
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
