"""further: tasks in the manner of `documented` on other repositories, all of which rules may be written on. Answers are read, not run."""

from pathlib import Path

from ml_agent.benchmarks.base import Suite
from ml_agent.benchmarks.suites.wide import TASKS, read_suite

FURTHER = TASKS.with_name("further.jsonl")


def load(data: str | Path | None = None, split: str = "full") -> Suite:
    """One split, `full`. Raises UsageError for another, or if rows are given: the suite brings its own."""
    return read_suite("further", FURTHER, data, split, splits=("full",))
