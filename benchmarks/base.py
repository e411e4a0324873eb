"""What the parts of the benchmark hand one another: plain data.

A suite is a set of samples. A policy is run over them, an attempt at a time; what came of one attempt is one Attempt, kept in a file of
its own. A scorer turns sample and attempt into a Verdict, and needs nothing else.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any, Literal, Protocol

from ml_agent.sandbox.outcome import ExecutionRecord
from ml_agent.task import Answer, Language
from ml_agent.trajectory import Outcome

Ending = Outcome | Literal["crashed", "killed"]
"""How an attempt ended: as its trajectory says, or `crashed` (a fault of the policy or of ml-agent), or `killed` (its process was)."""


@dataclass(frozen=True, slots=True)
class Repository:
    """Where the samples' repository comes from."""

    name: str
    """As samples refer to it; also the name of its folder below --repos (case ignored)."""
    url: str = ""
    commit: str = ""
    """The commit that the suite pins, 40 hexadecimal digits; empty if none."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One row of a suite. A policy sees `instruction` and the repository; all else is for settings and scorers."""

    key: str
    """Unique in its suite: `github_id/id` of ML-Bench."""
    repository: str
    instruction: str
    language: Language
    output: str
    """The ground truth: a command line or a program."""
    workdir: str = "."
    """The folder that `output` runs from, relative to the repository's root."""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    """Of ML-Bench: parameter -> the value that the instruction asks for."""
    oracle: str = ""
    """The annotated part of the README."""
    prefix_code: str = ""
    unreachable: str = ""
    """Why not even the ground truth can pass the `static` scorer; empty if it can."""


def _add(total: "hashlib._Hash", values: Sequence[Sample | Repository]) -> None:
    """The JSON text of a list, value by value: at once it would take as much memory as the suite, twice."""
    for number, value in enumerate(values):
        text = json.dumps(asdict(value), sort_keys=True, default=str)
        total.update(f"{', ' if number else '['}{text}".encode("utf-8", "surrogatepass"))
    total.update(b"]" if values else b"[]")


@dataclass(frozen=True)
class Suite:
    """A named, versioned set of samples, known by the hash of its content."""

    name: str
    version: str
    samples: tuple[Sample, ...]
    repositories: Mapping[str, Repository]
    runs: bool = False
    """Whether its answers are meant to be executed here; else `--no-run` is the default."""

    @cached_property
    def hash(self) -> str:
        """SHA-256 over the samples and the pinned repositories, 64 hexadecimal digits. Order does not count."""
        samples = sorted(self.samples, key=lambda sample: sample.key)
        pinned = sorted(self.repositories.values(), key=lambda repository: repository.name)
        total = hashlib.sha256(b"[")
        _add(total, samples)
        total.update(b", ")
        _add(total, pinned)
        total.update(b"]")
        return total.hexdigest()


@dataclass(frozen=True, slots=True)
class Usage:
    """What an attempt took. Money is null if a price is not known, never 0."""

    seconds: float = 0.0
    steps: int = 0
    tokens: int = 0
    money: float | None = 0.0


@dataclass(frozen=True, slots=True)
class Attempt:
    """What came of one attempt at one sample: all that a scorer may look at."""

    sample: str
    """Its key."""
    attempt: int
    """0, 1, ...: the n-th ranked alternative of a policy that ranks, else an independent run."""
    ending: Ending
    answer: Answer | None = None
    verified: bool = False
    """Whether the answer passed its check when it was submitted."""
    findings: tuple[Mapping[str, Any], ...] = ()
    """Of that check, as JSON objects."""
    record: ExecutionRecord | None = None
    """The execution in a fresh workspace by the grader; None if it was not executed."""
    received: tuple[tuple[str, ...], ...] | None = None
    """The argument vectors that programs of the repository received in that execution, in order; None if it was not watched."""
    usage: Usage = Usage()
    message: str = ""
    trajectory: str = ""
    """Path of its trajectory, relative to the run's folder; empty if none was kept."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A scorer's judgement of one attempt."""

    passed: bool
    reason: str
    """One name, the same for the same cause: `passed`, `no_answer`, `wrong_program`, `wrong_value`, `missing_option`, ..."""
    detail: str = ""
    """What exactly, in a line."""


class Scorer(Protocol):
    """Pure: the same sample and attempt give the same verdict, anywhere, without a sandbox. May raise nothing for any attempt."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str:
        """Differs between what can give other verdicts: another rule, or the same with and without the repositories."""
        ...

    def score(self, sample: Sample, attempt: Attempt) -> Verdict: ...
