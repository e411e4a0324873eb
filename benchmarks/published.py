"""Answers in the original's format against the samples of a suite: read as attempts, written from a run."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ml_agent.benchmarks.adapters import original_files
from ml_agent.benchmarks.base import Attempt, Sample, Suite, Usage
from ml_agent.benchmarks.runs import Run
from ml_agent.errors import UsageError
from ml_agent.inputs import guess_language
from ml_agent.task import Answer

_UNKNOWN = Usage(money=None)


@dataclass(frozen=True, slots=True)
class Answers:
    """What a file of answers holds for a suite."""

    name: str
    digest: str
    """SHA-256 of the answers, 64 hexadecimal digits."""
    outputs: dict[str, tuple[str, ...]]
    """Sample key -> its answers in order."""
    each: int
    """The most that any sample has."""
    notes: tuple[str, ...] = ()
    """What was passed over, one line each."""

    def attempts(self, sample: Sample, *, pad: bool) -> list[Attempt]:
        """As attempts. A sample without a line has no answer in any of them; with `pad` that holds for what a short line lacks, too."""
        outputs = self.outputs.get(sample.key)
        if outputs is None or pad:
            outputs = (*(outputs or ()), *[""] * (self.each - len(outputs or ())))
        return [_attempt(sample.key, number, text) for number, text in enumerate(outputs)]


def _attempt(key: str, number: int, text: str) -> Attempt:
    if not text.strip():
        return Attempt(key, number, "no_answer", usage=_UNKNOWN)
    return Attempt(key, number, "answered", Answer(guess_language(text), text), usage=_UNKNOWN)


def read_answers(path: Path, suite: Suite) -> Answers:
    """Raises UsageError for what is no such file, and if it answers no sample of the suite."""
    known = {sample.key for sample in suite.samples}
    rows = original_files.read_answers(path)
    outputs = {row.key: row.output for row in rows if row.key in known}
    if not outputs:
        raise UsageError(f"{path} answers no sample of the suite {suite.name}: give its own rows as --data")
    notes = []
    if foreign := len(rows) - len(outputs):
        notes.append(f"{foreign} line{'s' if foreign > 1 else ''} of samples of other suites, passed over")
    if missing := len(known) - len(outputs):
        notes.append(f"{missing} sample{'s have' if missing > 1 else ' has'} no line: counted as failed")
    digest = hashlib.sha256(repr(sorted(outputs.items())).encode("utf-8", "surrogatepass")).hexdigest()
    return Answers(path.stem, digest, outputs, max(1, *map(len, outputs.values())), tuple(notes))


def write_answers(run: Run, path: Path) -> int:
    """Write a run's answers, a line a sample, and return their number. An attempt without an answer is an empty text, so that each line
    has as many as there were attempts. Raises UsageError for an unfinished run, or if its keys are not of the form `github_id/id`."""
    keys = [(sample.key, *_github_key(sample.key)) for sample in run.samples]
    original_files.write_answers(path.absolute(), _rows(run, keys))
    return len(keys)


def _rows(run: Run, keys: list[tuple[str, int, int]]) -> Iterator[original_files.Answers]:
    for key, github_id, identity in keys:
        attempts = run.attempts_at(key)
        if len(attempts) < run.attempts_each:
            raise UsageError(f"the run is not finished: {key} has {len(attempts)} of {run.attempts_each} attempts; `bench run` goes on")
        yield original_files.Answers(github_id, identity, tuple(one.answer.as_text() if one.answer else "" for one in attempts))


def _github_key(key: str) -> tuple[int, int]:
    first, slash, second = key.partition("/")
    if not (slash and first.isdecimal() and second.isdecimal()):
        raise UsageError(f"the sample {key!r} is not named by github_id/id: only ML-Bench's can be exported")
    return int(first), int(second)
