"""`ml-agent bench list`."""

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    del parser  # it has no options of its own


def run(args: argparse.Namespace) -> int:
    from ml_agent.benchmarks.suites import SUITES
    from ml_agent.cli.printing import print_json
    from ml_agent.console import Screen, safe, written

    with written():
        if args.json:
            print_json({"suites": [{"name": name, "about": about} for name, (_, about) in SUITES.items()]})
        else:
            screen = Screen()
            for name, (_, about) in SUITES.items():
                screen.line((f"{safe(name):<12}", "bold"), (safe(about), ""))
    return 0
