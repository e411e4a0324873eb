"""`ml-agent policies`."""

import argparse
from typing import TYPE_CHECKING, Any

from ml_agent.cli import asking, listing

if TYPE_CHECKING:
    from ml_agent.cli.listing import Listed

_WITH_MODEL, _WITHOUT = "model  ", "       "


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Who can decide: the policies and agents that --policy takes by name. With NAME: what --option sets of one."
    parser.add_argument("name", metavar="NAME", nargs="?", help="of one, or module:Class, file.py:Class")
    asking.add_json(parser)


def run(args: argparse.Namespace) -> int:
    from ml_agent.agents import EITHER, KIND
    from ml_agent.cli.printing import print_json
    from ml_agent.console import Screen, written
    from ml_agent.plugins import OWN, origins

    if args.name is not None:
        one = _described(args.name)
        with written():
            if args.json:
                print_json({"policy": one.to_json()})
            else:
                screen = Screen()
                listing.show_one(screen, one, (one.more or {})["options"])
                screen.line((_needs(one) or "it uses no model", "dim"))
        return 0
    found = listing.listed([*origins(EITHER), *(one for one in origins(KIND) if one.distribution != OWN)], _described)
    listing.show_listed("policies", found, _mark, as_json=args.json)
    return 0


def _mark(one: "Listed") -> str:
    return _WITH_MODEL if (one.more or {}).get("uses_model") else _WITHOUT


def _needs(one: "Listed") -> str:
    return "it needs a chat model: --model" if (one.more or {})["uses_model"] else ""


def _described(name: str) -> "Listed":
    """Raises UsageError if there is none of that name, or it cannot be imported."""
    from ml_agent.agents import AgentChoice

    choice = AgentChoice(name)
    settings = getattr(choice.kind, "Settings", None)
    options = [] if settings is None else listing.arguments_of(listing.schema_of(settings))
    for option in options:
        option["name"] = option["name"].replace("_", "-")
    more: dict[str, Any] = {"uses_model": choice.uses_model, "resumable": choice.resumable, "options": options}
    return listing.Listed(choice.origin, choice.about, more=more)
