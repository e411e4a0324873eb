"""Scorers: pure functions from a sample and an attempt to a verdict with one named reason. A new one is a file here and a line below."""

from collections.abc import Callable, Mapping
from pathlib import Path

from ml_agent.benchmarks.base import Scorer
from ml_agent.benchmarks.scorers.executed import ExecutedScorer
from ml_agent.benchmarks.scorers.original import OriginalScorer
from ml_agent.benchmarks.scorers.programs import ProgramsOf
from ml_agent.benchmarks.scorers.static import StaticScorer
from ml_agent.errors import UsageError

__all__ = ["SCORERS", "load_scorer"]

SCORERS: Mapping[str, Callable[[ProgramsOf | None, bool, bool], Scorer]] = {
    "original": lambda _programs, _from_root, execution: OriginalScorer(execution),
    "static": lambda programs, from_root, _execution: StaticScorer(programs, from_root),
    "executed": lambda programs, from_root, _execution: ExecutedScorer(StaticScorer(programs, from_root)),
}


def load_scorer(name: str, checkouts: Mapping[str, Path] | None = None, *, from_root: bool = True, execution: bool = True) -> Scorer:
    """The scorer of that name. Raises UsageError if there is none.

    `checkouts`: repository's name -> folder; with them, options and aliases are those that the programs take. `from_root`: an answer
    starts in its own folder and nowhere else; without it, as published answers are read, the row's folder will do as well. `execution`:
    whether `original` looks at records.
    """
    if name not in SCORERS:
        raise UsageError(f"there is no scorer {name!r}: choose one of {', '.join(SCORERS)}")
    return SCORERS[name](ProgramsOf(checkouts) if checkouts else None, from_root, execution)
