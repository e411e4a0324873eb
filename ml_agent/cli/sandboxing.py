"""The options about where and how code runs, for the commands that run some."""

import argparse
from typing import Any

from ml_agent import config

_NAMES = ("sandbox", "python", "image", "gpus", "setup", "network")


def add_options(parser: "argparse.ArgumentParser | argparse._ArgumentGroup") -> None:
    names = ", ".join((*config.SANDBOXES[1:], "module:Class", "file.py:Class"))
    parser.add_argument("--sandbox", default="auto", metavar="NAME", help=f"where code runs: auto (default), {names}")
    parser.add_argument("--python", metavar="PATH", help="interpreter of the runs (default: the repository's .venv, $VIRTUAL_ENV, python3)")
    parser.add_argument("--image", metavar="NAME", help="docker: run in this image, not among this machine's own programs")
    parser.add_argument("--gpus", metavar="WHICH", help="docker: show GPUs to the runs: all, a number, or device=0,1")
    parser.add_argument("--setup", metavar="CMD", help="get the repository ready, once and kept: 'pip install -r requirements.txt'")
    parser.add_argument(
        "--network", default="off", choices=config.NETWORKS, help="who has the network: nobody (default), the setup, all runs"
    )


def options_of(args: argparse.Namespace) -> dict[str, Any]:
    """What was given for them, by name."""
    return {name: getattr(args, name) for name in _NAMES}


def warn_of_local(sandbox: str) -> tuple[str, ...]:
    """Say it if that sandbox protects nothing; what was said."""
    if sandbox != "local":
        return ()
    from ml_agent.console import say
    from ml_agent.sandbox.local import WARNING

    say(f"warning: {WARNING}")
    return (WARNING,)
