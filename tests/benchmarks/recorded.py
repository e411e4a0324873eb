"""Runs whose attempts are written down without any policy, and scorers for them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ml_agent.benchmarks.base import Attempt, Ending, Repository, Sample, Suite, Usage, Verdict
from ml_agent.benchmarks.runner.folder import RunFolder
from ml_agent.benchmarks.runs import Run
from ml_agent.task import Answer


def suite_of(repositories: Sequence[str], name: str = "recorded") -> Suite:
    """A sample for each, its key `1/0`, `1/1`, ..."""
    samples = tuple(
        Sample(f"1/{number}", repository, f"do {number}", "python" if number % 3 == 2 else "bash", f"right {number}")
        for number, repository in enumerate(repositories)
    )
    return Suite(name, "1", samples, {one: Repository(one) for one in repositories})


def attempt_of(key: str, number: int, letter: str, **more: Any) -> Attempt:
    """`+` right, `-` wrong, `.` no answer, `i` infrastructure, `k` killed."""
    endings: Mapping[str, Ending] = {".": "no_answer", "i": "infrastructure", "k": "killed"}
    code = {"+": f"right {key.partition('/')[2]}", "-": "wrong"}.get(letter)
    answer = Answer("bash", code) if code else None
    return Attempt(key, number, endings.get(letter, "answered"), answer, usage=Usage(1.5, 2, 10, 0.25), **more)


def record(folder: Path, suite: Suite, marks: Mapping[str, str], *, ranked: bool = False, each: int | None = None, only: str = "") -> Run:
    """A run in `folder`: sample key -> a letter for each attempt that was made; a blank for one that was not."""
    settings = {
        "suite_hash": suite.hash,
        "policy_digest": "0" * 64,
        "policy_name": folder.name,
        "attempts": each or max(map(len, marks.values())),
        "ranked": ranked,
        "only": only,
        "setting": "agent",
    }
    with RunFolder(folder, suite, settings) as writing:
        for key, letters in marks.items():
            for number, letter in enumerate(letters):
                if letter != " ":
                    writing.write(attempt_of(key, number, letter), None)
    return Run(folder)


@dataclass(frozen=True)
class Equal:
    """Passes what is the ground truth to the letter."""

    name: str = "equal"
    version: str = "1"

    def score(self, sample: Sample, attempt: Attempt) -> Verdict:
        if attempt.answer is None:
            return Verdict(False, "no_answer")
        return Verdict(True, "passed") if attempt.answer.code == sample.output else Verdict(False, "wrong_value", "not equal")


class Raising(Equal):
    """Raises on the first attempt at `1/1`."""

    def score(self, sample: Sample, attempt: Attempt) -> Verdict:
        if (sample.key, attempt.attempt) == ("1/1", 0):
            raise ZeroDivisionError("at\nfault")
        return super().score(sample, attempt)
