"""The seam to what does the work: local processes here, another engine later. It gets units of work; the runner alone writes."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from ml_agent.benchmarks.base import Attempt, Sample
from ml_agent.benchmarks.faults import Cause


@dataclass(frozen=True, slots=True)
class Unit:
    """One attempt at one sample, to be made by a policy that the executor knows already."""

    sample: Sample
    """With what the policy may see, and nothing else: no ground truth leaves the runner."""
    checkout: Path
    attempt: int
    tries: int = 0
    """How often it was tried before."""


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a unit."""

    unit: Unit
    attempt: Attempt
    cause: Cause
    trajectory: Path | None = None
    """A file on the run folder's file system that the runner takes over."""


class Executor(Protocol):
    """Works units off. What it raises ends the run."""

    def idle(self) -> Sequence[str]:
        """For each unit that can be submitted now, the repository that the worker has in memory; empty if none."""
        ...

    def submit(self, unit: Unit) -> None:
        """Start on it. Only if `idle` has said that there is room."""
        ...

    def busy(self) -> Sequence[str]:
        """The repositories of the units that are under way."""
        ...

    def wait(self, seconds: float) -> Sequence[Done]:
        """What is done, waiting `seconds` at most for the first."""
        ...

    def close(self) -> None:
        """End all work within a few seconds, leaving no process; safe to call twice."""
        ...
