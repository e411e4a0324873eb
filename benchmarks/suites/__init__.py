"""Suites: named, versioned, content-hashed sets of samples. A new one is a file here and a line below, or another distribution's module."""

from collections.abc import Mapping
from pathlib import Path

from ml_agent.benchmarks.base import Suite
from ml_agent.errors import MlAgentError, UsageError
from ml_agent.plugins import Kind, first_line, load, reason

__all__ = ["KIND", "SUITES", "about", "load_suite"]

SUITES: Mapping[str, tuple[str, str]] = {
    "ml-bench": ("ml_bench", "ML-Bench's public rows (--data); answers are read, not run"),
    "smoke": ("smoke", "a dozen tasks on the shipped example repository, executed"),
    "documented": ("documented", "tasks on the repositories of wide, in the words of their documentation; answers are read, not run"),
    "lessons": ("lessons", "tasks that weights are fitted on, on repositories of many fields; answers are read, not run"),
    "reserve": ("reserve", "tasks like those of documented on sixty more repositories, half held back; answers are read, not run"),
    "kindred": ("kindred", "tasks in the manner of ml-bench on forty other repositories, half held back; answers are read, not run"),
    "fresh": (
        "fresh",
        "tasks in the manner of ml-bench on seventy other repositories, written last, half held back; answers are read, not run",
    ),
    "further": ("further", "tasks like those of documented on other repositories, all to be looked at; answers are read, not run"),
    "wide": ("wide", "tasks on forty repositories of many fields, that no rule was written on; answers are read, not run"),
}
"""Name -> module here, and what it is in a line."""


KIND = Kind("suite", "ml_agent.suites", {name: f"{__name__}.{module}:load" for name, (module, _) in SUITES.items()})


def load_suite(name: str, data: str | Path | None = None, split: str = "full") -> Suite:
    """The suite of that name: one of SUITES, another distribution's, `module:load` or `path/to/file.py:load`.

    What stands under a name is a function `load(data, split) -> Suite`, or a module that has one. Raises UsageError if there is none, or
    its rows cannot be read.

    `data`: where the rows are, for a suite that does not bring its own: a JSON lines or parquet file, or `hub`. `split`: `full`, or
    another that the suite has. Where its repositories are is the matter of benchmarks/checkouts.
    """
    found = load(KIND, name)
    function = getattr(found, "load", found)
    if name in SUITES:
        suite: Suite = function(data, split)
        return suite
    if not callable(function):
        raise UsageError(f"{name} is no suite: it has to be a function load(data, split), or a module that has one")
    try:
        suite = function(data, split)
    except MlAgentError:
        raise
    except Exception as error:
        raise UsageError(f"the suite {name} cannot be read: {reason(error)}") from error
    if not isinstance(suite, Suite):
        raise UsageError(f"{name} is no suite: its load gives no ml_agent.benchmarks.base.Suite")
    if suite.name in SUITES:
        raise UsageError(f"the suite {name} has the name of ml-agent's own suite {suite.name}: give it another")
    return suite


def about(name: str) -> str:
    """What a suite is, in a line. Raises UsageError if it cannot be imported."""
    if name in SUITES:
        return SUITES[name][1]
    return first_line(load(KIND, name))
