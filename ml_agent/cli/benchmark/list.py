"""`ml-agent bench list`."""

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    del parser  # it has no options of its own


def run(args: argparse.Namespace) -> int:
    from ml_agent.benchmarks.suites import KIND, about
    from ml_agent.cli import listing
    from ml_agent.console import Screen, written
    from ml_agent.plugins import origins

    suites = listing.listed(origins(KIND), about)
    with written():
        if args.json:
            listing.print_all("suites", suites)
        else:
            listing.show_all(Screen(), suites)
    return 0
