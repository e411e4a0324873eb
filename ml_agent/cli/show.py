"""`ml-agent show`."""

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--full", action="store_true", help="all that the tools said, uncut")
    parser.add_argument("trajectory", metavar="TRAJECTORY", help="file that a solve recorded")


def run(args: argparse.Namespace) -> int:
    from pathlib import Path

    from ml_agent import report
    from ml_agent.console import Screen, written
    from ml_agent.trajectory import read_trajectory

    trajectory = read_trajectory(Path(args.trajectory))
    with written():
        report.show_trajectory(Screen(), trajectory, full=args.full)
    return 0
