"""`ml-agent bench run`."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ml_agent import config
from ml_agent.cli import deciding, modelling, sandboxing
from ml_agent.cli.benchmark import common

if TYPE_CHECKING:
    from ml_agent.benchmarks.base import Suite
    from ml_agent.benchmarks.runner import Progress, RunOptions
    from ml_agent.console import Screen

SETTINGS = ("agent", "oracle", "bm25", "readme", "none")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "The same command goes on where a run was stopped. exit codes: 0 all attempts are recorded, 2 bad input, "
        "3 the surroundings failed (what is recorded stays), 130 interrupted"
    )
    parser.add_argument("suite", metavar="SUITE")
    common.add_source(parser)
    parser.add_argument("--out", required=True, metavar="RUN", help="folder of the run, new or to go on with")
    deciding.add_options(parser)
    modelling.add_options(parser)
    parser.add_argument("--setting", default="agent", choices=SETTINGS, help="what the policy sees (default: agent)")
    parser.add_argument("--samples", type=int, default=1, metavar="K", help="attempts at each sample (default: 1)")
    parser.add_argument("--seed", type=int, default=0, help="(default: 0)")
    parser.add_argument("--only", default="", metavar="EXPR", help="these samples: 'repository=NAME and language=python', '3/*, 1/7'")
    parser.add_argument("--sample", type=int, default=0, metavar="N", help="so many of them, a fixed part of each repository and language")
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="processes (default: 1)")
    deciding.add_limit(parser)
    parser.add_argument("--again", action="store_true", help="try once more what ended by the surroundings' fault")
    execution = parser.add_argument_group("execution")
    choice = execution.add_mutually_exclusive_group()
    choice.add_argument("--run", action="store_true", help="run answers, though the suite's are only read")
    choice.add_argument("--no-run", action="store_true", help="execute nothing")
    execution.add_argument("--execution-limit", type=float, metavar="S", help="seconds for the grader's execution of an answer (60)")
    sandboxing.add_options(execution)


def run(args: argparse.Namespace) -> int:
    from ml_agent.benchmarks import runner
    from ml_agent.benchmarks.origin import origin_of, stored_suite
    from ml_agent.benchmarks.selection import choose
    from ml_agent.cli.benchmark.progress import shown
    from ml_agent.cli.printing import print_json
    from ml_agent.console import Screen, written

    origin = origin_of(args.suite, args.data, args.split)
    suite = stored_suite(Path(args.out), origin) or common.suite_of(args)
    options = _options(args, suite)
    runner.settings_of(suite, options)  # what is wrong with the policy is said before anything is looked for
    checkouts = common.checkouts_of(suite, args, {sample.repository for sample in choose(suite, options.only, options.sample)})
    if options.execute:
        sandboxing.warn_of_local(options.sandbox)
    with shown() as on_progress:
        done = runner.run(
            suite, checkouts, Path(args.out), options,
            workers=args.workers, again=args.again, origin=origin, on_progress=on_progress,
        )  # fmt: skip
    with written():
        if args.json:
            print_json(_value(args.out, done))
        else:
            _show(Screen(), args.out, done)
    return 0


def _options(args: argparse.Namespace, suite: "Suite") -> "RunOptions":
    from ml_agent.benchmarks.runner import RunOptions
    from ml_agent.benchmarks.runner.options import EXECUTION_SECONDS
    from ml_agent.plugins import absolute

    decided = deciding.options_of(args) | {"policy": absolute(args.policy), "tools": tuple(map(absolute, args.tool))}
    placed = sandboxing.options_of(args) | {"sandbox": absolute(args.sandbox)}
    limits = deciding.limits_of(args.limit)
    if args.model:
        limits = {"seconds": config.MODEL_TIME_LIMIT, **limits}
    execute = not args.no_run and (args.run or suite.runs)
    return RunOptions(
        **decided,
        **modelling.options_of(args),
        setting=args.setting,
        attempts=args.samples,
        seed=args.seed,
        only=args.only,
        sample=args.sample,
        execute=execute,
        execution_seconds=EXECUTION_SECONDS if args.execution_limit is None else args.execution_limit,
        **placed,
        **limits,
    )


def _value(out: str, done: "Progress") -> dict[str, object]:
    return {
        "run": out,
        "attempts": done.total,
        "before": done.before,
        "done": done.done,
        "retries": done.retries,
        "endings": dict(sorted(done.endings.items())),
        "seconds": round(done.seconds, 3),
        "tokens": done.tokens,
        "money": done.money,
    }


def _show(screen: "Screen", out: str, done: "Progress") -> None:
    before = f", {done.before} of them before" if done.before else ""
    common.label(screen, "run", f"{out} {screen.dot} {done.total} attempts{before} {screen.dot} {done.seconds:.1f} s")
    if done.endings:
        common.label(screen, "endings", ", ".join(f"{count} {ending}" for ending, count in done.endings.most_common()))
    if done.tokens:
        common.label(screen, "used", f"{done.tokens:,} tokens {screen.dot} {common.dollars(done.money)}")
    common.label(screen, "next", f"ml-agent bench score {out}", "dim")
