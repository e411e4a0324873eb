"""kindred: tasks written in the manner of ML-Bench on forty other repositories, half of them held back. Answers are read, not run."""

from pathlib import Path

from ml_agent.benchmarks.base import Suite
from ml_agent.benchmarks.suites.wide import TASKS, read_suite

KINDRED = TASKS.with_name("kindred.jsonl")


def load(data: str | Path | None = None, split: str = "full") -> Suite:
    """`split`: `seen` or `unseen`, by repository. Raises UsageError for another, or if rows are given: the suite brings its own."""
    return read_suite("kindred", KINDRED, data, split)
