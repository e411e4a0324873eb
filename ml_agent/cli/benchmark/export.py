"""`ml-agent bench export`."""

import argparse
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--to", required=True, metavar="FILE", help='written whole: {"github_id", "id", "output": [...]} a line')
    parser.add_argument("run", metavar="RUN", help="a run's folder")


def run(args: argparse.Namespace) -> int:
    from ml_agent.benchmarks.published import write_answers
    from ml_agent.benchmarks.runs import Run
    from ml_agent.cli.printing import print_json
    from ml_agent.console import safe, written

    lines = write_answers(Run(Path(args.run)), Path(args.to))
    with written():
        if args.json:
            print_json({"file": args.to, "lines": lines})
        else:
            print(f"{lines} lines in {safe(args.to)}")
    return 0
