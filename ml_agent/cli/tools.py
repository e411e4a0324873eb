"""`ml-agent tools`."""

import argparse
from typing import TYPE_CHECKING

from ml_agent.cli import asking, listing

if TYPE_CHECKING:
    from ml_agent.cli.listing import Listed


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "What a policy can call. ml-agent's own are always there, another's with --tool NAME. With NAME: the arguments of one."
    )
    parser.add_argument("name", metavar="NAME", nargs="?", help="of one, or module:Class, file.py:Class")
    asking.add_json(parser)


def run(args: argparse.Namespace) -> int:
    from ml_agent.cli.printing import print_json
    from ml_agent.console import Screen, written
    from ml_agent.plugins import origins
    from ml_agent.tools import KIND

    if args.name is not None:
        one = _described(args.name)
        with written():
            if args.json:
                print_json({"tool": one.to_json()})
            else:
                listing.show_one(Screen(), one, (one.more or {})["arguments"])
        return 0
    listing.show_listed("tools", listing.listed(origins(KIND), _described), as_json=args.json)
    return 0


def _described(name: str) -> "Listed":
    """Raises UsageError if there is none of that name, or it cannot be imported."""
    from ml_agent.plugins import first_line, origin
    from ml_agent.tools import KIND, load_tool

    tool = load_tool(name)
    arguments = listing.arguments_of(listing.schema_of(tool.arguments))
    return listing.Listed(origin(KIND, name), first_line(type(tool)), more={"arguments": arguments})
