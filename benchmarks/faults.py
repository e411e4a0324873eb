"""What can become of an attempt, and what follows: tried again, recorded, counted as what."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from ml_agent.benchmarks.base import Ending

Cause = Literal["ended", "crashed", "infrastructure", "died", "hung"]
"""As an executor reports it. `ended`: the policy came to an end, with an answer or not, or a limit ended it."""

Counts = Literal["graded", "infrastructure"]


@dataclass(frozen=True, slots=True)
class Treatment:
    retries: int = 0
    """How often it is tried again before it is recorded."""
    pauses: tuple[float, ...] = ()
    """Seconds before each."""


TREATMENTS: Mapping[Cause, Treatment] = {
    "ended": Treatment(),
    # The policy's own fault, and the same the next time.
    "crashed": Treatment(),
    # A daemon that restarts, a disk that is cleaned: the surroundings may recover.
    "infrastructure": Treatment(2, (1.0, 5.0)),
    # The worker's process is gone without a word: a crash of the interpreter, or the kernel was short of memory.
    "died": Treatment(1, (0.0,)),
    # It has had its time, and more.
    "hung": Treatment(),
}

COUNTS: Mapping[Ending, Counts] = {
    "answered": "graded",
    "no_answer": "graded",
    "limit": "graded",
    "crashed": "graded",
    "killed": "graded",
    "infrastructure": "infrastructure",
    "cancelled": "infrastructure",  # never recorded by the runner; it may stand in what others wrote
}
"""How a recorded attempt enters a score. `graded`: a scorer judges it, and without an answer it has failed: a policy gains nothing by
dying. `infrastructure`: shown in both forms, counted as failed and left out."""

STOP_AFTER = 10
"""Attempts in a row that ended as infrastructure: the rest would too, and the run stops."""
