"""documented: tasks on the repositories of `wide`, in the words of their documentation, as ML-Bench has them. Answers are read, not run."""

from pathlib import Path

from ml_agent.benchmarks.base import Suite
from ml_agent.benchmarks.suites.wide import TASKS, read_suite

DOCUMENTED = TASKS.with_name("documented.jsonl")


def load(data: str | Path | None = None, split: str = "full") -> Suite:
    """The splits are those of `wide`. Raises UsageError for another, or if rows are given: the suite brings its own."""
    return read_suite("documented", DOCUMENTED, data, split)
