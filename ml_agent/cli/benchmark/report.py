"""`ml-agent bench report`."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ml_agent.cli.benchmark import common
from ml_agent.errors import UsageError

if TYPE_CHECKING:
    from ml_agent.benchmarks.scoring import Scored


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("runs", nargs="*", metavar="RUN", help="folders of runs over one suite")
    parser.add_argument("--out", metavar="DIR", help="write the pages there, with report.md and report.json")
    common.add_answers(parser, repeated=True)
    common.add_source(parser)
    common.add_scorer(parser)


def run(args: argparse.Namespace) -> int:
    from ml_agent.benchmarks.report.build import build_report
    from ml_agent.benchmarks.report.figures import as_dict
    from ml_agent.benchmarks.report.html import write_html
    from ml_agent.cli.benchmark.ranking import show_report
    from ml_agent.cli.printing import print_json
    from ml_agent.console import Screen, status, written

    with status() as line:
        line.update("scoring")
        report = build_report(_scored(args))
        if args.out is not None:
            line.update("writing the pages")
            write_html(report, Path(args.out))
    with written():
        if args.json:
            print_json(as_dict(report))
        else:
            screen = Screen()
            show_report(screen, report)
            if args.out is not None:
                common.label(screen, "pages", str(Path(args.out) / "index.html"))
    return 0


def _scored(args: argparse.Namespace) -> "list[Scored]":
    """All by one scorer: by execution only if each run was executed, and read as published answers are if there are any."""
    from ml_agent.benchmarks.runs import Run
    from ml_agent.benchmarks.scoring import score_answers, score_run

    runs = [Run(Path(folder)) for folder in args.runs]
    if not runs and not args.answers:
        raise UsageError("nothing to report on: name the folder of a run, or --answers FILE with --suite NAME")
    suite = runs[0].suite if runs and args.suite is None else common.suite_of(args)
    executed = bool(runs) and not args.answers and all(map(common.executed_of, runs))
    from_root = args.from_root or not args.answers
    scorer = common.scorer_of(args.scorer or common.best_scorer(executed), suite, args, from_root=from_root, execution=executed)
    published = [score_answers(Path(file), suite, scorer, ranked=args.ranked) for file in args.answers]
    return [*(score_run(run, scorer) for run in runs), *published]
