"""What a run came to: the repository's or the answer's failure, or something that is missing on this machine.

Only a run that failed is looked at, and only what it said last: the traceback that ended it, or the shell's own
complaint. Text that a program merely prints decides nothing.
"""

import re
import signal
from dataclasses import dataclass
from typing import Literal, NamedTuple

from ml_agent.sandbox.base import ExecResult
from ml_agent.sandbox.exhausted import Exhausted, find_exhausted
from ml_agent.sandbox.last_words import find_last_words
from ml_agent.sandbox.missing import Holds, find_missing

Outcome = Literal["completed", "running_at_limit", "failed", "environment", "not_run"]
TAIL_CHARACTERS = 4000
_USAGE = re.compile(r"^\S.*: error: .*")  # argparse and those who follow it


@dataclass(frozen=True, slots=True)
class ExecutionRecord:
    """What running an answer did."""

    outcome: Outcome
    exit_code: int | None = None
    """None if a signal ended it, or nothing ran."""
    seconds: float = 0.0
    missing: str | None = None
    """For `environment`: `module torch`, `file data/x.csv`, `program wget`, `library libGL.so.1`, `GPU`, `network: example.org`, `network`,
    or `data` (a data set whose name was not said)."""
    output_tail: str = ""
    """The end of what it printed, standard error after standard output."""
    made: tuple[str, ...] = ()
    """Files that the run made or changed, relative to the repository's root; 1,000 at most."""
    reason: str | None = None
    """One line: why it is this outcome. None for `completed`."""
    exhausted: Exhausted | None = None
    """What it had too little of: `time` (running_at_limit), or of a failed run `memory`, `disk` or `processes`."""


def _nothing(_: str) -> bool:
    return False


def classify(result: ExecResult, *, holds_module: Holds = _nothing, holds_file: Holds = _nothing) -> tuple[Outcome, str | None]:
    """The outcome, and what is missing if it is `environment`."""
    judged = judge(result, holds_module=holds_module, holds_file=holds_file)
    return judged.outcome, judged.missing


class Judged(NamedTuple):
    outcome: Outcome
    reason: str | None = None
    missing: str | None = None
    exhausted: Exhausted | None = None


def judge(result: ExecResult, *, holds_module: Holds = _nothing, holds_file: Holds = _nothing) -> Judged:
    """The outcome, the reason in one line, what is missing, and what it had too little of."""
    if result.disk_full:
        return Judged("failed", "disk: it wrote more than a run may, or left the disk nearly full", exhausted="disk")
    if result.oom_killed:
        return Judged("failed", "out of memory: the kernel ended it at the sandbox's memory limit", exhausted="memory")
    if result.timed_out:
        return Judged("running_at_limit", f"still running after {result.duration:.1f} seconds", exhausted="time")
    if result.ok:
        return Judged("completed")
    if result.signal is not None and result.signal != signal.SIGPIPE:
        return Judged("failed", f"ended by {_signal_name(result.signal)}")
    if result.exit_code == 2 and (complaint := _USAGE.search(_last_line(result.stderr))):
        return Judged("failed", complaint[0][:500])
    words = find_last_words(result.stderr) or find_last_words(result.stdout)
    line = words.line if words else _last_line(result.stderr) or _last_line(result.stdout)
    reason = line[:500] or f"exit code {result.exit_code}"
    if missing := find_missing(words, holds_module, holds_file) if words else None:
        return Judged("environment", reason, missing)
    return Judged("failed", reason, exhausted=find_exhausted(words, line))


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _last_line(text: str) -> str:
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "")


def output_tail(result: ExecResult) -> str:
    """The last characters of both streams; standard error keeps at least half of the room, as failures stand there."""
    errors = result.stderr.rstrip()[-TAIL_CHARACTERS:]
    output = result.stdout.rstrip()
    if output and errors:
        errors = errors[-max(TAIL_CHARACTERS // 2, TAIL_CHARACTERS - len(output) - 1) :]
        output = output[-max(0, TAIL_CHARACTERS - len(errors) - 1) :]
        return f"{output}\n{errors}"
    return output[-TAIL_CHARACTERS:] or errors


def record(
    result: ExecResult, made: tuple[str, ...] = (), *, holds_module: Holds = _nothing, holds_file: Holds = _nothing
) -> ExecutionRecord:
    """The record of a run that took place."""
    outcome, reason, missing, exhausted = judge(result, holds_module=holds_module, holds_file=holds_file)
    return ExecutionRecord(outcome, result.exit_code, result.duration, missing, output_tail(result), made[:1000], reason, exhausted)


def not_run(reason: str) -> ExecutionRecord:
    """The record of a run that did not take place."""
    return ExecutionRecord("not_run", reason=reason)
