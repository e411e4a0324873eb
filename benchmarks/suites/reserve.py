"""reserve: tasks in the manner of `documented` on sixty other repositories, half of them held back. Answers are read, not run."""

from pathlib import Path

from ml_agent.benchmarks.base import Suite
from ml_agent.benchmarks.suites.wide import TASKS, read_suite

RESERVE = TASKS.with_name("reserve.jsonl")


def load(data: str | Path | None = None, split: str = "full") -> Suite:
    """`split`: `seen` or `unseen`, by repository. Raises UsageError for another, or if rows are given: the suite brings its own."""
    return read_suite("reserve", RESERVE, data, split)
