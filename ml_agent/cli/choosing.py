"""The options about where repositories are looked for, for the commands that can choose one."""

import argparse
from typing import Any

from ml_agent.config import GITHUB_URL
from ml_agent.errors import UsageError


def add_options(parser: "argparse.ArgumentParser | argparse._ArgumentGroup") -> None:
    parser.add_argument(
        "--catalogue", metavar="FILE", help="look in this list of repositories (.jsonl, .json, .yaml), and on GitHub only if asked to"
    )
    parser.add_argument(
        "--github", action="store_true", help="search GitHub (default without --catalogue); $GITHUB_TOKEN allows more searches"
    )
    parser.add_argument(
        "--github-url", metavar="URL", help=f"of GitHub's API ({GITHUB_URL}), such as https://HOST/api/v3; implies --github"
    )


def options_of(args: argparse.Namespace) -> dict[str, Any]:
    """`catalogue` and `github_url`, as catalogue.find takes them."""
    from pathlib import Path

    asked = args.github or args.github_url is not None or args.catalogue is None
    return {
        "catalogue": Path(args.catalogue) if args.catalogue is not None else None,
        "github_url": (args.github_url if args.github_url is not None else GITHUB_URL) if asked else None,
    }


def check_unused(args: argparse.Namespace) -> None:
    """Raises UsageError if something is said about where to look, though the repository is given."""
    if args.catalogue is not None or args.github or args.github_url is not None:
        raise UsageError("--catalogue, --github and --github-url say where to find a repository: leave them out, or leave out --repo")
