"""What the commands that ask the index of a repository have in common."""

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ml_agent.console import Screen
    from ml_agent.repo.index import RepoIndex

EXIT_CODES = "exit codes: 0 something was found, 1 nothing, 2 bad usage or input, 3 the surroundings failed"
EMBEDDER = "minilm"


def add_repository(parser: argparse.ArgumentParser) -> None:
    """The repository, and what all of these commands take."""
    parser.epilog = EXIT_CODES
    parser.add_argument("repo", metavar="REPO", help="folder of a checkout; it is never written to")
    add_json(parser)


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")


def add_embedding(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--no-embed", action="store_true", help="by words alone, without embeddings")
    parser.add_argument(
        "--embedder", default=EMBEDDER, metavar="NAME", help="minilm (default), openai:MODEL (an endpoint that takes its API), st:MODEL"
    )


def add_number(parser: argparse.ArgumentParser, default: int | None, text: str) -> None:
    parser.add_argument("-k", type=positive, default=default, metavar="N", help=text)


def positive(text: str) -> int:
    """For argparse: a whole number from 1."""
    number = int(text) if text.isdecimal() and len(text) < 10 else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above zero")
    return number


def open_index(repo: str, embedder: str | None = None) -> "RepoIndex":
    """Raises UsageError if it is no folder that can be read."""
    from ml_agent import inputs
    from ml_agent.repo.index import RepoIndex

    return RepoIndex(inputs.check_repository(repo), embedder=embedder)


def embedder_of(args: argparse.Namespace) -> str | None:
    """The name of the embedder that was asked for; None for none."""
    name: str = args.embedder
    return None if args.no_embed else name


def say_notes(notes: "Iterable[str]") -> None:
    """On standard error, a line each."""
    from ml_agent.console import say

    for note in dict.fromkeys(notes):
        say(f"note: {note}")


def nothing(screen: "Screen", text: str) -> None:
    """Say that nothing was found."""
    from ml_agent.console import safe

    screen.line((safe(text), "yellow"))


def cut(text: str, columns: int) -> str:
    """One line of foreign text, as it may be printed."""
    from ml_agent.console import safe

    line = safe(" ".join(text.split()))
    return line if len(line) <= columns else f"{line[: columns - 3]}..."
