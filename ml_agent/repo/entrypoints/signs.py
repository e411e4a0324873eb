"""Words by which a file shows that it has to do with a way to read command lines."""

import re
from typing import Literal

Way = Literal["argparse", "others"]

_RUNS = ("__main__", "DEFINE_", "sys.argv", "#!", "exec(")

PARSER_WORDS = frozenset(
    (
        "ArgumentParser",
        "add_argument",
        "add_argument_group",
        "add_mutually_exclusive_group",
        "parse_args",
        "parse_known_args",
        "add_subparsers",
    )
)
"""Names without which nothing of a function matters to a parser."""

_PARSES = re.compile(r"argparse|add_argument|ArgumentParser|ArgParser|parse_(?:known_)?args")
_FRAMEWORKS = re.compile(
    r"^[ \t]*(?:from[ \t]+|import[ \t]+(?:[\w., \t]*,[ \t]*)?)"
    r"(?:click|rich_click|asyncclick|typer|fire|hydra|docopt|optparse|getopt|tyro|simple_parsing|jsonargparse|omegaconf|pyrallis|draccus)\b"
    r"|HfArgumentParser|TrlParser|LightningCLI",
    re.MULTILINE,
)
_FRAMEWORK_WORDS = (
    "click typer fire hydra docopt optparse getopt tyro simple_parsing jsonargparse omegaconf pyrallis draccus "
    "HfArgumentParser TrlParser LightningCLI".split()
)


def of_argparse(text: str) -> bool:
    return _PARSES.search(text) is not None


def of_frameworks(text: str) -> bool:
    """Whether it takes its command line with one of the other frameworks. The words are looked for first: that is much faster."""
    return any(word in text for word in _FRAMEWORK_WORDS) and _FRAMEWORKS.search(text) is not None


def may_run(text: str) -> bool:
    """Whether it has a word of those without which a Python file, if nothing of argparse is near, does not say that it can be run."""
    return any(sign in text for sign in _RUNS)


def ways_in(text: str) -> frozenset[Way]:
    found: list[Way] = ["argparse"] if of_argparse(text) else []
    return frozenset([*found, "others"] if of_frameworks(text) else found)
