"""fresh: tasks in the manner of ML-Bench on seventy other repositories, written last, half of them held back. Answers are read, not run."""

from pathlib import Path

from ml_agent.benchmarks.base import Suite
from ml_agent.benchmarks.suites.wide import TASKS, read_suite

FRESH = TASKS.with_name("fresh.jsonl")


def load(data: str | Path | None = None, split: str = "full") -> Suite:
    """`split`: `seen` or `unseen`, by repository. Raises UsageError for another, or if rows are given: the suite brings its own."""
    return read_suite("fresh", FRESH, data, split)
