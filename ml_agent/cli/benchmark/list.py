"""`ml-agent bench list`."""

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    del parser  # it has no options of its own


def run(args: argparse.Namespace) -> int:
    from ml_agent.benchmarks.suites import KIND, about
    from ml_agent.cli import listing
    from ml_agent.plugins import origins

    listing.show_listed("suites", listing.listed(origins(KIND), about), as_json=args.json)
    return 0
