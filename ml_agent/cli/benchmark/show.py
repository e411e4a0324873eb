"""`ml-agent bench show`."""

import argparse

from ml_agent.cli.benchmark import common


def add_arguments(parser: argparse.ArgumentParser) -> None:
    common.add_rows(parser)
    parser.add_argument("--only", default="", metavar="EXPR", help="these samples: 'repository=NAME and language=python', '3/*, 1/7'")
    parser.add_argument("suite", metavar="SUITE")


def run(args: argparse.Namespace) -> int:
    from dataclasses import asdict

    from ml_agent.benchmarks.selection import choose
    from ml_agent.cli.printing import print_json
    from ml_agent.console import Screen, safe, written

    suite = common.suite_of(args)
    samples = choose(suite, args.only)
    head = {"name": suite.name, "version": suite.version, "hash": suite.hash, "runs": suite.runs}
    with written():
        if args.json:
            repositories = [asdict(one) for one in suite.repositories.values()]
            print_json(
                {**head, "repositories": repositories, "samples": [{**asdict(one), "arguments": _plain(one.arguments)} for one in samples]}
            )
            return 0
        screen = Screen()
        common.label(screen, "suite", f"{suite.name} {suite.version} {screen.dot} {len(suite.samples)} samples {screen.dot} {suite.hash}")
        for repository in suite.repositories.values():
            common.label(screen, "repository", " ".join(filter(None, (repository.name, repository.url, repository.commit))))
        for sample in samples:
            mark = ("  (not even its ground truth passes)", "yellow") if sample.unreachable else ("", "")
            words = " ".join(sample.instruction.split())
            screen.line((f"{safe(sample.key):<14}", "bold"), (f"{sample.language:<8}", "dim"), (safe(words), ""), mark)
    return 0


def _plain(value: object) -> object:
    """A literal of Python may hold what JSON does not."""
    import json

    return json.loads(json.dumps(value, default=str))
