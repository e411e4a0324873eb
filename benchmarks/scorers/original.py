"""The published rule exactly, quirks included, for comparison with published numbers. It is easy to please: see docs/benchmark.md.

1. Every value of the row's arguments, as text in lower case, is a substring of the answer in lower case. Names do not count.
2. The type, by the text alone: it is bash-like if `.sh ` or `.py ` stands in it, with the space. A bash row wants that, a Python row its
   absence.
3. With execution: exit code 0 passes, and so does a run that is still alive at its limit (10 seconds; 4 for repository 5, 7 for Python
   of repository 11: `limit_seconds`). Without a record, 1 and 2 decide.

What the published program did beside the rule (rows without exactly five outputs leave the denominator, duplicates are dropped, `eval`)
belongs to how attempts are counted, not to the judgement of one.
"""

from dataclasses import dataclass

from ml_agent.benchmarks.base import Attempt, Sample, Verdict
from ml_agent.sandbox.outcome import ExecutionRecord
from ml_agent.task import Language


def looks_like_bash(text: str) -> bool:
    """What the published rule takes for a command line."""
    return ".sh " in text or ".py " in text


def limit_seconds(key: str, language: Language) -> float:
    """The published time limit of a run, in seconds; `key` is `github_id/id`."""
    repository = key.partition("/")[0]
    if repository == "5":
        return 4.0
    return 7.0 if repository == "11" and language == "python" else 10.0


@dataclass(frozen=True, slots=True)
class OriginalScorer:
    """`execution`: whether the record decides as well (if there is one), or never."""

    execution: bool = True
    name: str = "original"
    version: str = "1"

    def score(self, sample: Sample, attempt: Attempt) -> Verdict:
        if attempt.answer is None:
            return Verdict(False, "no_answer", attempt.ending)
        text = attempt.answer.as_text()
        if not text.strip():
            return Verdict(False, "no_answer", "it is empty")
        folded = text.lower()
        for name, value in sample.arguments.items():
            if str(value).lower() not in folded:
                return Verdict(False, "wrong_value", f"{str(value)!r} ({name}) is no part of the text")
        if looks_like_bash(text) != (sample.language == "bash"):
            return Verdict(
                False, "wrong_type", f"a {sample.language} row, and the text looks {'' if looks_like_bash(text) else 'un'}like bash"
            )
        return _executed(attempt.record) if self.execution and attempt.record is not None else Verdict(True, "passed")


def _executed(record: ExecutionRecord) -> Verdict:
    if record.outcome == "running_at_limit":
        return Verdict(True, "passed", "still alive at the limit")
    if record.exit_code == 0:
        return Verdict(True, "passed", "exit code 0")
    return Verdict(False, record.outcome, record.reason or f"exit code {record.exit_code}")
