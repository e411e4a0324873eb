"""What the sub-commands have in common: where a suite and its repositories come from, scorers, and figures on the screen."""

import argparse
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ml_agent.errors import UsageError

if TYPE_CHECKING:
    from ml_agent.benchmarks.agents import Execute
    from ml_agent.benchmarks.base import Scorer, Suite
    from ml_agent.benchmarks.report.model import Rate
    from ml_agent.benchmarks.runs import Run
    from ml_agent.benchmarks.scoring import Scored
    from ml_agent.console import Screen

SCORERS = ("original", "static", "executed")
_LABEL = 11


def add_source(parser: argparse.ArgumentParser) -> None:
    add_rows(parser)
    add_repos(parser)


def add_rows(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", metavar="FILE", help="the suite's rows, if it does not bring its own: .jsonl, .parquet, or `hub`")
    others = "quarter, train (ml-bench), seen, unseen (wide)"
    parser.add_argument("--split", default="full", metavar="NAME", help=f"of the suite (default: full); others: {others}")


def add_repos(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--repos", metavar="DIR", help="folder of checkouts, each under the last part of its repository's URL")
    parser.add_argument("--clone", action="store_true", help="clone, once, what is not there at its pinned commit (needs the network)")


def add_scorer(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--scorer", choices=SCORERS, help="default: executed if the run was, else static")


def add_answers(parser: argparse.ArgumentParser, *, repeated: bool = False) -> None:
    line = '{"github_id", "id", "output": [...]} a line'
    if repeated:
        parser.add_argument("--answers", action="append", default=[], metavar="FILE", help=f"answers in a file, too: {line}")
    else:
        parser.add_argument("--answers", metavar="FILE", help=f"instead of a run: {line}")
    parser.add_argument("--suite", metavar="NAME", help="of the answers")
    parser.add_argument("--ranked", action="store_true", help="the answers are ranked, best first; else they are independent attempts")
    parser.add_argument("--from-root", action="store_true", help="the answers start in the repository's root and nowhere else")


def check_one(args: argparse.Namespace) -> None:
    """Raises UsageError unless there is a run, or answers with their suite."""
    if (args.run is None) == (args.answers is None):
        raise UsageError("give a run's folder, or --answers FILE with --suite NAME")
    if args.answers is None and (args.suite or args.data or args.ranked or args.from_root):
        raise UsageError("a run knows its suite and its answers: --suite, --data, --ranked and --from-root are for --answers")
    if args.answers is not None and args.suite is None:
        raise UsageError("--answers needs --suite NAME: the samples that they answer")
    if args.answers is not None and args.scorer == "executed":
        raise UsageError("answers in a file are not executed: choose --scorer static or original")


def suite_of(args: argparse.Namespace) -> "Suite":
    from ml_agent.benchmarks.suites import load_suite

    return load_suite(args.suite, args.data, args.split)


def checkouts_of(suite: "Suite", args: argparse.Namespace, names: Iterable[str] | None = None) -> Mapping[str, Path]:
    """Repository name -> folder; of `names` alone, if they are given."""
    from ml_agent.benchmarks.checkouts import find_checkouts
    from ml_agent.console import say

    found = find_checkouts(suite, Path(args.repos) if args.repos is not None else None, names=names, clone=args.clone)
    for note in found.notes:
        say(f"note: {note}")
    return found


def scorer_of(name: str, suite: "Suite", args: argparse.Namespace, *, from_root: bool = True, execution: bool = True) -> "Scorer":
    """With the repositories, if there are any at hand, what the programs take is looked up there."""
    from ml_agent.benchmarks.scorers import load_scorer

    at_hand = args.repos is not None or args.clone or suite.runs
    return load_scorer(name, checkouts_of(suite, args) if at_hand else None, from_root=from_root, execution=execution)


def best_scorer(executed: bool) -> str:
    return "executed" if executed else "static"


def execute_of(suite: "Suite", args: argparse.Namespace) -> "Execute":
    """The grader's execution of an answer to a sample."""
    from ml_agent.benchmarks.execution import execute
    from ml_agent.benchmarks.runner.options import EXECUTION_SECONDS
    from ml_agent.sandbox.options import Options

    checkouts = checkouts_of(suite, args)
    return lambda sample, answer: execute(sample, answer, checkouts[sample.repository], options=Options(), seconds=EXECUTION_SECONDS)


def score_folder(folder: str, scorer: str | None, args: argparse.Namespace, *, execution: bool = True) -> "Scored":
    """A run, scored as it is best: by execution if it was executed."""
    from ml_agent.benchmarks.runs import Run
    from ml_agent.benchmarks.scoring import score_run

    run = Run(Path(folder))
    executed = executed_of(run) and execution
    return score_run(run, scorer_of(scorer or best_scorer(executed), run.suite, args, execution=executed))


def executed_of(run: "Run") -> bool:
    return bool(run.settings.get("execute"))


def label(screen: "Screen", name: str, text: str, style: str = "") -> None:
    from ml_agent.console import safe

    screen.line((f"{name:<{_LABEL}}", "dim"), (safe(text), style))


def per_cent(rate: "Rate") -> str:
    """`66.7 % ± 5.1 [56.1, 77.3], n 149`; what is not known is n/a."""
    if rate.value is None:
        return f"n/a, n {rate.n}"
    text = f"{100 * rate.value:.1f} %"
    if rate.error is not None and rate.low is not None and rate.high is not None:
        text += f" ± {100 * rate.error:.1f} [{100 * rate.low:.1f}, {100 * rate.high:.1f}]"
    return f"{text}, n {rate.n}"


def dollars(money: float | None) -> str:
    return "price unknown" if money is None else f"${money:.2f}"


def show_scored(screen: "Screen", scored: "Scored") -> None:
    """The figures of a score."""
    from ml_agent.benchmarks.report.model import FAMILIES

    run, figures, suite, dot = scored.run, scored.run.figures, scored.suite, f" {screen.dot} "
    label(screen, "suite", f"{suite.name} {suite.version} ({suite.hash[:12]}){dot}{len(scored.samples)} of {len(suite.samples)} samples")
    kind = "ranked alternatives" if run.ranked else "independent attempts"
    label(screen, "policy", dot.join(filter(None, (run.policy, run.model, run.setting, f"{scored.each} {kind} a sample"))))
    label(screen, "scorer", f"{scored.scorer.name} {scored.scorer.version}")
    for family, rates in figures.rates.items():
        for k, rate in rates.items():
            if k <= scored.each:
                name = FAMILIES[family].format(k)
                label(screen, name, per_cent(rate), "bold" if name == figures.score_name else "")
    lost = ((figures.infrastructure, "ended by the surroundings"), (scored.missing, "not made"), (scored.raised, "the scorer raised on"))
    if said := ", ".join(f"{count} {what}" for count, what in lost if count):
        label(screen, "attempts", f"{said}: counted as failed above", "yellow")
        label(screen, "", f"{figures.score_name} without them: {per_cent(figures.without_infrastructure)}", "yellow")
    for name, rate in figures.by_type.items():
        label(screen, name, per_cent(rate))
    for name, rate in figures.by_repository.items():
        screen.line((f"{'':<{_LABEL}}", ""), (_cut(name), "cyan"), (per_cent(rate), ""))
    for title, counts_of in (("errors", figures.by_error), ("verdicts", figures.by_reason)):
        if counts_of:
            label(screen, title, ", ".join(f"{count} {name}" for name, count in sorted(counts_of.items(), key=lambda one: -one[1])))
    label(screen, "used", f"{figures.seconds:.0f} s{dot}{figures.tokens:,} tokens{dot}{dollars(figures.money)}")
    for note in scored.notes:
        label(screen, "note", note, "yellow")


def _cut(name: str) -> str:
    from ml_agent.console import safe

    shown = safe(name)
    return f"{shown if len(shown) <= 30 else shown[:27] + '...':<32}"
