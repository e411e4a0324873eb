"""`ml-agent bench compare`."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ml_agent.cli.benchmark import common

if TYPE_CHECKING:
    from ml_agent.benchmarks.scoring import Scored
    from ml_agent.benchmarks.statistics import Comparison
    from ml_agent.console import Screen


def add_arguments(parser: argparse.ArgumentParser) -> None:
    common.add_scorer(parser)
    common.add_repos(parser)
    parser.add_argument("first", metavar="RUN_A")
    parser.add_argument("second", metavar="RUN_B")


def run(args: argparse.Namespace) -> int:
    from dataclasses import asdict

    from ml_agent.benchmarks.runs import Run
    from ml_agent.benchmarks.scoring import compare_scored
    from ml_agent.cli.printing import print_json
    from ml_agent.console import Screen, written

    # By one scorer: that of execution only if both were executed.
    both = all(common.executed_of(Run(Path(folder))) for folder in (args.first, args.second))
    scorer = args.scorer or common.best_scorer(both)
    first, second = (common.score_folder(folder, scorer, args) for folder in (args.first, args.second))
    found = compare_scored(first, second)
    with written():
        if args.json:
            value = {"a": first.run.policy, "b": second.run.policy, "score": first.run.figures.score_name, "scorer": scorer}
            print_json({**value, **asdict(found)})
        else:
            _show(Screen(), first, second, found)
    return 0


def _show(screen: "Screen", first: "Scored", second: "Scored", found: "Comparison") -> None:
    name = first.run.figures.score_name
    for letter, scored, value in (("A", first, found.first), ("B", second, found.second)):
        shown = "n/a" if value is None else f"{100 * value:.1f} %"
        common.label(screen, letter, f"{scored.run.policy} {screen.dot} {scored.run.figures.score_name} {shown}")
    if found.difference is None:
        common.label(screen, "A - B", "n/a: no sample that both were scored on", "yellow")
        return
    text = f"{100 * found.difference:+.1f} points"
    if found.error is not None and found.low is not None and found.high is not None:
        text += f" ± {100 * found.error:.1f} [{100 * found.low:+.1f}, {100 * found.high:+.1f}], p {found.p:.3f}"
    else:
        text += ", no interval: fewer than five repositories"
    common.label(screen, "A - B", f"{text}, n {found.n}", "bold")
    sign = "" if found.sign_p is None else f" (sign test, samples taken as independent: p {found.sign_p:.3f})"
    common.label(screen, name, f"A better on {found.wins}, B on {found.losses}, equal on {found.ties}{sign}")
