"""`ml-agent bench submit`."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ml_agent.cli.benchmark import common
from ml_agent.errors import UsageError

if TYPE_CHECKING:
    from ml_agent.benchmarks.scoring import Scored
    from ml_agent.console import Screen


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "exit codes: 0 entered (--check: all can be computed again), 1 --check: some cannot, 2 bad input"
    parser.add_argument("run", nargs="?", metavar="RUN", help="a run's folder")
    parser.add_argument("--to", required=True, metavar="FILE", help="the leaderboard, a JSON file; made if it is not there")
    parser.add_argument("--check", action="store_true", help="enter nothing: compute each entry again from what it is linked to")
    common.add_answers(parser)
    common.add_source(parser)
    common.add_scorer(parser)


def run(args: argparse.Namespace) -> int:
    return _check(args) if args.check else _submit(args)


def _submit(args: argparse.Namespace) -> int:
    from ml_agent.benchmarks import leaderboard
    from ml_agent.benchmarks.runs import Run
    from ml_agent.cli.printing import print_json
    from ml_agent.console import Screen, written

    board = Path(args.to)
    common.check_one(args)
    if args.answers is None:
        run = Run(Path(args.run))
        executed = common.executed_of(run)
        scorer = common.scorer_of(args.scorer or common.best_scorer(executed), run.suite, args, execution=executed)
        entry = leaderboard.submit(board, run, scorer)
    else:
        suite = common.suite_of(args)
        scorer = common.scorer_of(args.scorer or "static", suite, args, from_root=args.from_root, execution=False)
        entry = leaderboard.submit_answers(board, Path(args.answers), suite, scorer, ranked=args.ranked)
    with written():
        if args.json:
            print_json(entry)
        else:
            _show(Screen(), board)
    return 0


def _show(screen: "Screen", board: Path) -> None:
    from ml_agent.benchmarks.leaderboard import read_board, standings
    from ml_agent.console import safe

    for standing in standings(read_board(board)):
        suite, scorer = standing.suite, standing.scorer
        common.label(screen, "suite", f"{suite['name']} {suite['version']} ({suite['hash'][:12]})")
        common.label(screen, "scorer", f"{scorer['name']} {scorer['version']}")
        for place, entry in standing.entries:
            value = entry["score"]["value"]
            shown = "n/a" if value is None else f"{100 * value:.1f} %"
            name = f"{entry['policy']['name']}  {entry['source']['path']}"
            screen.line((f"{place.text:>4}  ", "bold"), (f"{shown:>8}  ", ""), (safe(name), "cyan"))


def _check(args: argparse.Namespace) -> int:
    from ml_agent.benchmarks.leaderboard import check_board, read_board
    from ml_agent.cli.printing import print_json
    from ml_agent.console import safe, written

    if args.run is not None or args.answers is not None:
        raise UsageError("--check enters nothing: leave the run or the answers out")
    board = Path(args.to)
    if not board.exists():
        raise UsageError(f"there is no leaderboard {board}")
    wrong, count = check_board(board, lambda entry, path: _rescored(args, entry, path)), len(read_board(board))
    with written():
        if args.json:
            print_json({"entries": count, "wrong": wrong})
        else:
            print("\n".join(map(safe, wrong)) if wrong else f"all {count} entries are what comes of their answers and records")
    return 1 if wrong else 0


def _rescored(args: argparse.Namespace, entry: Mapping[str, Any], path: Path) -> "Scored":
    """By the scorer that the entry names: with or without the repositories, as it was then."""
    from ml_agent.benchmarks.runs import Run
    from ml_agent.benchmarks.scoring import score_answers, score_run

    name, version = str(entry["scorer"]["name"]), str(entry["scorer"]["version"])
    if name not in common.SCORERS:
        raise UsageError(f"its scorer {name!r} is not known here")
    from_root, looked_up = "any-folder" not in version, "programs" in version
    if looked_up and args.repos is None and entry["suite"]["name"] != "smoke":
        raise UsageError("it was scored with the repositories at hand: give --repos DIR")
    if not looked_up:
        args = argparse.Namespace(**{**vars(args), "repos": None, "clone": False})
    if entry["source"]["kind"] == "run":
        run = Run(path)
        return score_run(run, common.scorer_of(name, run.suite, args, from_root=from_root, execution=common.executed_of(run)))
    if args.suite is None:
        raise UsageError("it is of published answers: give --suite NAME and --data FILE")
    suite = common.suite_of(args)
    scorer = common.scorer_of(name, suite, args, from_root=from_root, execution=False)
    return score_answers(path, suite, scorer, ranked=bool(entry["policy"].get("ranked")))
