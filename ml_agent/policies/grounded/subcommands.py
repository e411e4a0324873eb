"""Files that a program's sub-commands are in: `pkg/train.py` where `pkg/main.py train` is how it is started."""

import re
from collections.abc import Iterable

from ml_agent.repo.commands import Command


def implementing(commands: Iterable[Command]) -> frozenset[str]:
    """Paths of such files, which documented commands tell of: beside the program that they run, called as their first argument is.

    Where no document runs such a file itself, it is a part of that program rather than one of its own.
    """
    found = set()
    for command in commands:
        first, folder = next(iter(command.arguments), ""), command.target.rpartition("/")[0]
        if folder and re.fullmatch(r"[a-z][a-z0-9_-]+", first):
            found.add(f"{folder}/{first.replace('-', '_')}.py")
    return frozenset(found)
