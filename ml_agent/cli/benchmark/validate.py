"""`ml-agent bench validate`."""

import argparse
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from ml_agent.cli.benchmark import common

if TYPE_CHECKING:
    from ml_agent.benchmarks.agents import Line, Validation
    from ml_agent.console import Screen


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "exit codes: 0 the scorer tells them apart, 1 it does not, 2 bad input, 3 the surroundings failed"
    parser.add_argument("suite", metavar="SUITE")
    common.add_source(parser)
    common.add_scorer(parser)
    parser.add_argument("--no-run", action="store_true", help="execute nothing")


def run(args: argparse.Namespace) -> int:
    from ml_agent.benchmarks.agents import validate
    from ml_agent.cli.printing import print_json
    from ml_agent.console import Screen, status, written

    suite = common.suite_of(args)
    executes = suite.runs and not args.no_run and args.scorer != "static"
    scorer = common.scorer_of(args.scorer or common.best_scorer(executes), suite, args, execution=executes)
    with status() as line:
        line.update("validating")
        found = validate(suite, scorer, common.execute_of(suite, args) if executes else None)
    with written():
        if args.json:
            lines = [_value(found, line) for line in found.lines]
            value = {"suite": found.suite, "hash": found.hash, "scorer": found.scorer, "ok": found.ok, "agents": lines}
            print_json({**value, "unreachable": dict(found.unreachable)})
        else:
            _show(Screen(), found)
    return 0 if found.ok else 1


def _value(found: "Validation", line: "Line") -> dict[str, Any]:
    plain = {field.name: getattr(line, field.name) for field in fields(line)}
    return {**plain, "reasons": dict(line.reasons), "rate": line.rate, "right": found.is_right(line)}


def _show(screen: "Screen", found: "Validation") -> None:
    from ml_agent.console import safe

    common.label(screen, "suite", f"{found.suite} ({found.hash[:12]})")
    common.label(screen, "scorer", found.scorer)
    for line in found.lines:
        shown = "n/a" if line.rate is None else f"{100 * line.rate:.1f} %"
        right = found.is_right(line)
        text = f"{shown:>8}  {line.passed_answers} of {line.answers} answers, {line.passed} of {line.samples} samples"
        screen.line((f"{line.agent:<16}", "bold"), (text, "green" if right else "red"))
        for astray in () if right else line.astray[:5]:
            screen.line((f"{'':<16}", ""), (safe(astray)[:200], "dim"))
    if found.unreachable:
        count = len(found.unreachable)
        common.label(screen, "left out", f"{count} sample{'s' if count > 1 else ''} whose own ground truth cannot pass", "yellow")
        for key, why in found.unreachable.items():
            screen.line((f"{'':<16}", ""), (safe(f"{key}: {why}")[:200], "dim"))
