"""`ml-agent search`."""

import argparse
from typing import TYPE_CHECKING

from ml_agent.cli import asking
from ml_agent.cli.printing import print_json

if TYPE_CHECKING:
    from ml_agent.console import Screen
    from ml_agent.tools.facts import HitData

KINDS = ("code", "document", "entrypoint", "symbol")
_KIND = 12
_LINES = 4
"""Of the text of a piece."""
_COLUMNS = 140


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "The pieces of code, documents, programs and symbols that fit words best, by words and by meaning."
    asking.add_repository(parser)
    parser.add_argument("query", metavar="QUERY", help="what is looked for, in words")
    parser.add_argument("--kind", action="append", choices=KINDS, help="only pieces of this kind; may be repeated")
    parser.add_argument("--per-file", type=asking.positive, default=1, metavar="N", help="at most N pieces of one file (1)")
    asking.add_number(parser, 10, "how many pieces (10)")
    asking.add_embedding(parser)


def run(args: argparse.Namespace) -> int:
    from ml_agent.console import Screen, status, written
    from ml_agent.errors import UsageError
    from ml_agent.tools.facts import hit_data

    if not args.query.strip():
        raise UsageError("the query is empty: say in words what to look for")
    index = asking.open_index(args.repo, asking.embedder_of(args))
    with status() as line:
        line.update("reading the repository")
        hits = [hit_data(hit) for hit in index.search(args.query, args.kind, args.k, per_file=args.per_file)]
    with written():
        if args.json:
            print_json({"hits": hits})
        else:
            _show(Screen(), hits, args.query)
    asking.say_notes(index.notes)
    return 0 if hits else 1


def _show(screen: "Screen", hits: "list[HitData]", query: str) -> None:
    from ml_agent.console import safe

    for hit in hits:
        screen.line(
            (f"{hit['kind']:<{_KIND}}", "dim"), (safe(f"{hit['path']}:{hit['line']}"), "cyan"), ("  ", ""), (safe(hit["title"]), "bold")
        )
        lines = [line for line in hit["text"].splitlines() if line.strip()][:_LINES]
        indent = min((len(line) - len(line.lstrip()) for line in lines), default=0)
        for line in lines:
            shown = safe(line[indent:].expandtabs(4))
            screen.line((f"    {shown if len(shown) <= _COLUMNS else shown[: _COLUMNS - 3] + '...'}", "dim"))
    if not hits:
        asking.nothing(screen, f"nothing fits {query!r}")
