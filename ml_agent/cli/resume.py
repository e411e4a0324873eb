"""`ml-agent resume`."""

import argparse

from ml_agent.cli.solve import add_ending, show


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "What happened so far is not paid for again. A call that had no result is told to the policy as interrupted; "
        "runs are not made again. "
        "--time-limit: seconds for the rest; --limit: for the whole."
    )
    parser.add_argument("trajectory", metavar="TRAJECTORY", help="of a solve that was stopped; the file stays as it is")
    parser.add_argument("--base-url", metavar="URL", help="where the model is now, if it has moved")
    add_trust(parser)
    add_ending(parser)


def add_trust(parser: argparse.ArgumentParser) -> None:
    """For the commands that do what a stored run says."""
    parser.add_argument("--trust", action="store_true", help="also if the file is not of a solve of yours: it names code that is imported")


def run(args: argparse.Namespace) -> int:
    from ml_agent import api, report
    from ml_agent.cli import deciding
    from ml_agent.console import status

    with status() as line:
        line.update("reading the repository")
        result = api.resume(
            args.trajectory,
            time_limit=args.time_limit,
            limits=deciding.limits_of(args.limit),
            base_url=args.base_url,
            trust=args.trust,
            output=args.output,
            on_event=lambda event: line.update(report.progress(event)),
        )
    return show(result, args)
