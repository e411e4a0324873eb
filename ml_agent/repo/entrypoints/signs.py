"""Words by which a file shows that it has to do with a way to read command lines."""

import re
from collections.abc import Iterable
from typing import Literal

Way = Literal["argparse", "others"]

_RUNS = ("__main__", "DEFINE_", "sys.argv", "#!", "exec(")
_WORKS = re.compile(r"^(?:with[ \t]|for[ \t]|while[ \t]|[\w.]+\()", re.MULTILINE)
"""A statement of the top level that may do a script's work."""

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

_PARSES = ("argparse", "ArgumentParser", "ArgParser", "parse_args", "parse_known_args")
"""All of them with `ars` inside, which most files do not have."""
_FRAMEWORK_MODULES = frozenset(
    "click rich_click asyncclick typer fire hydra docopt optparse getopt tyro simple_parsing jsonargparse omegaconf pyrallis "
    "draccus".split()
)
_MAKERS = re.compile("HfArgumentParser|TrlParser")
_FRAMEWORKS = re.compile(
    rf"^[ \t]*(?:from[ \t]+|import[ \t]+(?:[\w., \t]*,[ \t]*)?)(?:{'|'.join(sorted(_FRAMEWORK_MODULES))})\b"
    r"|HfArgumentParser|TrlParser|LightningCLI",
    re.MULTILINE,
)
_FRAMEWORK_WORDS = (
    "click typer fire hydra docopt optparse getopt tyro simple_parsing jsonargparse omegaconf pyrallis draccus "
    "HfArgumentParser TrlParser LightningCLI".split()
)


def of_argparse(text: str) -> bool:
    return ("ars" in text and any(word in text for word in _PARSES)) or "add_argument" in text


def of_frameworks(text: str) -> bool:
    """Whether it takes its command line with one of the other frameworks. The words are looked for first: that is much faster."""
    return any(word in text for word in _FRAMEWORK_WORDS) and _FRAMEWORKS.search(text) is not None


def may_run(text: str) -> bool:
    """Whether it has a word of those without which a Python file, if nothing of argparse is near, does not say that it can be run."""
    return any(sign in text for sign in _RUNS) or _WORKS.search(text) is not None


def ways_in(text: str, imported: Iterable[str]) -> frozenset[Way]:
    """By its text and the modules that it imports from outside of its package."""
    found: list[Way] = ["argparse"] if of_argparse(text) else []
    others = not _FRAMEWORK_MODULES.isdisjoint(module.partition(".")[0] for module in imported)
    return frozenset([*found, "others"] if others or ("LightningCLI" in text or ("ars" in text and _MAKERS.search(text))) else found)
