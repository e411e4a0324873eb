"""Suites: named, versioned, content-hashed sets of samples. A new one is a file here and a line below."""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Protocol

from ml_agent.benchmarks.base import Suite
from ml_agent.errors import UsageError

__all__ = ["SUITES", "load_suite"]

SUITES: Mapping[str, tuple[str, str]] = {
    "ml-bench": ("ml_bench", "ML-Bench's public rows (--data); answers are read, not run"),
    "smoke": ("smoke", "a dozen tasks on the shipped example repository, executed"),
}
"""Name -> module here, and what it is in a line."""


class _Load(Protocol):
    def __call__(self, data: str | Path | None, split: str) -> Suite: ...


def load_suite(name: str, data: str | Path | None = None, split: str = "full") -> Suite:
    """The suite of that name. Raises UsageError if there is none, or its rows cannot be read.

    `data`: where the rows are, for a suite that does not bring its own: a JSON lines or parquet file, or `hub`. `split`: `full`, `quarter`
    or `train`. Where its repositories are is the matter of benchmarks/checkouts.
    """
    if name not in SUITES:
        raise UsageError(f"there is no suite {name!r}: choose one of {', '.join(SUITES)}")
    load: _Load = import_module(f"ml_agent.benchmarks.suites.{SUITES[name][0]}").load
    return load(data, split)
