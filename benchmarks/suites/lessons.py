"""lessons: tasks that the weights of `grounded` are fitted on, on repositories of many fields and habits. Answers are read, not run."""

from pathlib import Path

from ml_agent.benchmarks.base import Suite
from ml_agent.benchmarks.suites.wide import TASKS, read_suite

LESSONS = TASKS.with_name("lessons.jsonl")


def load(data: str | Path | None = None, split: str = "full") -> Suite:
    """One split, `full`. Raises UsageError for another, or if rows are given: the suite brings its own."""
    return read_suite("lessons", LESSONS, data, split, splits=("full",))
