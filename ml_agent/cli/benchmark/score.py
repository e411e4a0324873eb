"""`ml-agent bench score`."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ml_agent.cli.benchmark import common
from ml_agent.errors import InfrastructureError

if TYPE_CHECKING:
    from ml_agent.benchmarks.scoring import Scored


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "exit codes: 0 scored, 2 bad input, 3 the scorer raised on some attempt"
    parser.add_argument("run", nargs="?", metavar="RUN", help="a run's folder")
    common.add_answers(parser)
    common.add_source(parser)
    common.add_scorer(parser)
    parser.add_argument("--no-run", action="store_true", help="pass over what execution has shown (answers in a file are not executed)")


def run(args: argparse.Namespace) -> int:
    from ml_agent.benchmarks.scoring import scores_object
    from ml_agent.cli.printing import print_json
    from ml_agent.console import Screen, written

    scored = _scored(args)
    with written():
        if args.json:
            print_json(scores_object(scored))
        else:
            common.show_scored(Screen(), scored)
    if scored.raised:
        raise InfrastructureError(f"the scorer {scored.scorer.name} raised on {scored.raised} attempts: that is its fault, not theirs")
    return 0


def _scored(args: argparse.Namespace) -> "Scored":
    from ml_agent.benchmarks.scoring import score_answers

    common.check_one(args)
    if args.answers is None:
        return common.score_folder(args.run, args.scorer, args, execution=not args.no_run)
    suite = common.suite_of(args)
    scorer = common.scorer_of(args.scorer or "static", suite, args, from_root=args.from_root, execution=False)
    return score_answers(Path(args.answers), suite, scorer, ranked=args.ranked)
