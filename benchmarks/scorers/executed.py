"""The static rule, and what a run has shown: the program of the ground truth was really started, unchanged, with what the task asks for.

- The record: `completed` with exit code 0, or still running at the limit, which is a reason of its own (`running_at_limit`): a training
  that runs on is no failure, and no proof either. What is missing on this machine is `environment`.
- What programs of the repository received (`Attempt.received`, made by benchmarks/execution): the ground truth's program is among them, and
  its last start agrees with the task by the same rule as the words of the answer. A command that is printed was received by nobody.
- A Python answer is a program itself and not one of the repository's: the static reading and the record decide.
"""

from dataclasses import dataclass

from ml_agent.benchmarks.base import Attempt, Sample, Verdict
from ml_agent.benchmarks.scorers.commands import judge_run, path_of, truth_of
from ml_agent.benchmarks.scorers.shell_reading import Run
from ml_agent.benchmarks.scorers.static import StaticScorer, is_command


@dataclass(frozen=True)
class ExecutedScorer:
    static: StaticScorer
    name: str = "executed"

    @property
    def version(self) -> str:
        return f"1/{self.static.version}"

    def score(self, sample: Sample, attempt: Attempt) -> Verdict:
        read = self.static.score(sample, attempt)
        if not read.passed:
            return read
        record = attempt.record
        if record is None or record.outcome == "not_run":
            return Verdict(False, "not_run", (record.reason if record is not None else None) or "it was not executed")
        if record.outcome == "environment":
            return Verdict(False, "environment", record.missing or record.reason or "")
        if record.outcome == "failed" or (record.outcome == "completed" and record.exit_code != 0):
            return Verdict(False, "failed", record.reason or f"exit code {record.exit_code}")
        if is_command(sample) and not (received := self._received(sample, attempt)).passed:
            return received
        return Verdict(True, "running_at_limit" if record.outcome == "running_at_limit" else "passed")

    def _received(self, sample: Sample, attempt: Attempt) -> Verdict:
        if attempt.received is None:
            return Verdict(False, "not_watched", "what programs received was not recorded")
        truth = truth_of(sample)
        assert truth is not None  # or the static reading would not have passed
        target = path_of(sample.workdir, truth)
        starts = [words for words in attempt.received if words and words[0] == target]
        if not starts:
            return Verdict(False, "not_received", f"{target} was not started, or did not end with exit code 0")
        run = Run(".", starts[-1][0], starts[-1][1:], " ".join(starts[-1]))
        return judge_run(sample, truth, run, ["."], self.static.programs)
