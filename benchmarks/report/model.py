"""What a report is made of: scored runs of one suite, as plain data. Statistics computes the figures; here nothing is computed again."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ml_agent.benchmarks.base import Attempt, Sample, Suite, Verdict

if TYPE_CHECKING:
    from ml_agent.benchmarks.statistics import Comparison

Family = Literal["hit", "pass", "first"]
"""`hit@k`: one of the first k ranked alternatives passes. `pass@k`: of k independent attempts one does, unbiased. `first-k`: the
original's, one of the first k whatever they are. Never mixed."""

FAMILIES: Mapping[Family, str] = {"hit": "hit@{}", "pass": "pass@{}", "first": "first-{}"}
KS = (1, 2, 5)


@dataclass(frozen=True, slots=True)
class Rate:
    """A share of samples, 0 to 1, with its uncertainty. What cannot be known is None, never 0."""

    value: float | None
    n: int
    """Samples that it is taken over."""
    error: float | None = None
    """The standard error, clustered on the repository."""
    low: float | None = None
    high: float | None = None
    """The 95 % interval."""


@dataclass(frozen=True, slots=True)
class Figures:
    """All that was computed over one run."""

    score: Rate
    """What ranks it: the first answer or one attempt, infrastructure failures counted as failed."""
    score_name: str
    """`hit@1`, `pass@1` or `first-1`."""
    rates: Mapping[Family, Mapping[int, Rate]] = field(default_factory=dict)
    """By family, then k. A family that does not fit the run is not there."""
    infrastructure: int = 0
    """Attempts that ended as infrastructure failures."""
    attempts: int = 0
    without_infrastructure: Rate = Rate(None, 0)
    """The score with those attempts left out."""
    by_repository: Mapping[str, Rate] = field(default_factory=dict)
    by_type: Mapping[str, Rate] = field(default_factory=dict)
    by_error: Mapping[str, int] = field(default_factory=dict)
    """Error class -> attempts."""
    by_reason: Mapping[str, int] = field(default_factory=dict)
    """Reason of the verdict -> attempts."""
    seconds: float = 0.0
    tokens: int = 0
    money: float | None = 0.0
    """None if a price is not known."""


@dataclass(frozen=True, slots=True)
class Judged:
    """An attempt and what a scorer says of it."""

    attempt: Attempt
    verdict: Verdict
    error_class: str = ""
    """One of the paper's five, or empty."""


@dataclass(frozen=True)
class ScoredRun:
    """One run of one policy over a suite, scored."""

    policy: str
    digest: str
    """Of the policy with its model and prompts."""
    ranked: bool
    """Whether its attempts are ranked alternatives; else they are independent."""
    figures: Figures
    judged: Callable[[str], Sequence[Judged]]
    """Sample key -> its attempts in order. Reads what it returns, keeps nothing."""
    setting: str = "agent"
    model: str = ""
    folder: Path | None = None
    """Where the paths of trajectories start; None if there are none."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    """What one has to know of the score, a line each: an unfinished run, a part of the suite only, ..."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two runs on the samples that both are over, by their numbers in the report."""

    first: int
    second: int
    comparison: "Comparison"


@dataclass(frozen=True)
class Report:
    """Runs of one suite under one scorer."""

    suite: Suite
    scorer: str
    scorer_version: str
    runs: tuple[ScoredRun, ...]
    samples: tuple[Sample, ...]
    """Those that one of the runs is over at least."""
    pairs: tuple[Pair, ...] = ()
