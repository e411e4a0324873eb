"""`ml-agent replay`."""

import argparse

from ml_agent.cli.printing import print_json
from ml_agent.cli.resume import add_trust


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "exit codes: 0 all steps are the same, 2 it departs, or cannot be replayed"
    parser.add_argument("trajectory", metavar="TRAJECTORY", help="of a solve")
    add_trust(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")


def run(args: argparse.Namespace) -> int:
    from ml_agent import api
    from ml_agent.console import Screen, written

    done = api.replay(args.trajectory, trust=args.trust)
    with written():
        if args.json:
            print_json({"steps": done.steps, "exchanges": done.exchanges})
        else:
            replies = f", {done.exchanges} of the model's replies" if done.exchanges else ""
            Screen().line((f"the same: {done.steps} steps{replies}", ""))
    return 0
