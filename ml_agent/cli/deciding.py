"""The options about who decides, with which tools and within which limits, for the commands that run an agent."""

import argparse
from typing import Any

from ml_agent import config
from ml_agent.errors import UsageError

_KINDS: dict[str, type[int] | type[float]] = {"seconds": float, "steps": int, "tokens": int, "money": float}


def add_options(parser: "argparse.ArgumentParser | argparse._ArgumentGroup") -> None:
    names = "grounded (default), another of `ml-agent policies`, module:Class, file.py:Class"
    parser.add_argument("--policy", default=config.POLICY, metavar="NAME", help=f"who decides: {names}")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="of the policy (`ml-agent policies NAME`)")
    parser.add_argument("--as-published", action="store_true", help="ml-agent: with the defects of the published code")
    parser.add_argument("--prompts", metavar="DIR", help="templates in place of ml-agent's own of the same name")
    parser.add_argument("--tool", action="append", default=[], metavar="NAME", help="a further tool (`ml-agent tools`), or module:Class")


def add_limit(parser: "argparse.ArgumentParser | argparse._ArgumentGroup") -> None:
    parser.add_argument("--limit", action="append", default=[], metavar="NAME=N", help=f"of {', '.join(config.LIMITS)} (US dollars)")


def options_of(args: argparse.Namespace) -> dict[str, Any]:
    """What was given, as `policy`, `options` and `tools`. Raises UsageError for what is not of the form NAME=VALUE."""
    options: dict[str, Any] = {}
    for text in args.option:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise UsageError(f"--option {text}: give NAME=VALUE; `ml-agent policies {args.policy}` lists the names")
        options[name.strip()] = value
    if args.as_published:
        options["as_published"] = True
    if args.prompts is not None:
        options["prompts"] = args.prompts
    return {"policy": args.policy, "options": options, "tools": tuple(args.tool)}


def limits_of(given: list[str]) -> dict[str, Any]:
    """`NAME=N` each, by name. Raises UsageError for another."""
    found: dict[str, Any] = {}
    for text in given:
        name, _, value = text.partition("=")
        if name not in _KINDS:
            raise UsageError(f"--limit {text}: give NAME=N with NAME one of {', '.join(_KINDS)}")
        try:
            found[name] = _KINDS[name](value)
        except ValueError:
            raise UsageError(f"--limit {text}: {value!r} is no {'whole number' if _KINDS[name] is int else 'number'}") from None
    return found
