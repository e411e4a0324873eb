"""The programs of a repository and the options each takes, read without running anything.

One reader a framework: a function that gets a Program and returns its EntryPoint, or None if the program is not of its
kind; reading.py asks them in turn. They are imported when something is read: what is kept on disk needs none of them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ml_agent.repo.entrypoints.base import EntryPoint, Option

if TYPE_CHECKING:
    from ml_agent.repo.entrypoints.console_scripts import ConsoleScript, console_scripts
    from ml_agent.repo.entrypoints.reading import READERS, read_entry_point, read_entry_points, read_programs
    from ml_agent.repo.entrypoints.tasks import read_tasks

__all__ = [
    "READERS",
    "ConsoleScript",
    "EntryPoint",
    "Option",
    "console_scripts",
    "read_entry_point",
    "read_entry_points",
    "read_programs",
    "read_tasks",
]

_HOMES = {"ConsoleScript": "console_scripts", "console_scripts": "console_scripts", "read_tasks": "tasks"}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOMES.get(name, 'reading')}"), name)
    globals()[name] = value
    return value
