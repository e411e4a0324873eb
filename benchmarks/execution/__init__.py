"""Running an answer for the grader, in a fresh workspace: what came of it, and what programs of the repository received.

The launcher is the grader's (watcher.py). It stands outside the tree that runs can write to, shown read-only, and takes what it records
from the kernel. What an answer prints, writes or exports is no part of it; docs/benchmark.md says what it can still do.
"""

import hashlib
import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from ml_agent.benchmarks.base import Sample
from ml_agent.benchmarks.execution.received import Vector, read_record, received_in
from ml_agent.errors import InfrastructureError, ToolError
from ml_agent.sandbox.base import Mount
from ml_agent.sandbox.options import Options
from ml_agent.sandbox.outcome import ExecutionRecord
from ml_agent.sandbox.scratch import Scratch
from ml_agent.task import Answer
from ml_agent.workspace import Workspace

__all__ = ["Executed", "execute"]

_WATCHER = Path(__file__).with_name("watcher.py")
_SHOWN = "/opt/ml-agent-grader"
_RECORDS = "/opt/ml-agent-record"
_SHELLS = ("/bin/bash", "/bin/sh")
_WATCHED = ("bubblewrap", "docker")
"""Sandboxes that show the launcher at a place of its own."""
_RECORD_BYTES = 32_000_000
_PREFIX = "grading-"


Executed = tuple[ExecutionRecord, tuple[Vector, ...] | None]
"""The record, and what programs received as in `Attempt.received`: None if the run could not be watched."""


def execute(sample: Sample, answer: Answer, checkout: Path, *, options: Options | None = None, seconds: float) -> Executed:
    """Run an answer to `sample` in a fresh copy of its repository's `checkout`, for `seconds` at most.

    Raises InfrastructureError if the sandbox fails. A folder that is not there and code that no system starts are the answer's failure.
    """
    options = options or Options()
    if options.sandbox not in ("none", "local") and options.image is None:
        scratch = Scratch(_PREFIX)
        try:
            record, received = _watched(answer, checkout, options, scratch, seconds)
        finally:
            scratch.remove()
        if received is not None or record.outcome == "not_run":
            return record, received
    with Workspace(checkout, options) as workspace:
        return _record(workspace, answer, seconds, ()), None


def _watched(answer: Answer, checkout: Path, options: Options, scratch: Scratch, seconds: float) -> Executed:
    """The second is None as well if the launcher did not start: a kernel or an engine that lets no process trace its own children."""
    tools, records = scratch.place(), scratch.place()
    try:
        shutil.copyfile(_WATCHER, tools / _WATCHER.name)
        tools.chmod(0o755)
        (tools / _WATCHER.name).chmod(0o644)
        descriptor = os.open(records / "record", os.O_RDONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise InfrastructureError(f"cannot write to {scratch.folder}: {error.strerror}") from error
    with open(descriptor, encoding="utf-8", errors="replace") as file:
        os.fchmod(descriptor, 0o666)  # the run may be another user's
        records.chmod(0o777)
        mounts = [Mount(tools, _SHOWN), Mount(records, _RECORDS, writable=True)]
        with Workspace(checkout, options, mounts=mounts) as workspace:
            sandbox = workspace.started()
            if sandbox.name not in _WATCHED:
                return _record(workspace, answer, seconds, ()), None
            launcher = [workspace.environment.python, "-I", "-S", f"{_SHOWN}/{_WATCHER.name}", _RECORDS, sandbox.root, *_SHELLS, "--"]
            record = _record(workspace, answer, seconds, launcher)
            received = received_in(read_record(file.read(_RECORD_BYTES)), stopped=record.outcome == "running_at_limit")
            return record, None if received is None else tuple(_unchanged(received, checkout, workspace.root))


def _record(workspace: Workspace, answer: Answer, seconds: float, launcher: Iterable[str]) -> ExecutionRecord:
    # Packages of the user's own folder could be put there by the answer; those that the Environment shows stand elsewhere.
    env = {} if "PYTHONUSERBASE" in workspace.environment.variables else {"PYTHONNOUSERSITE": "1"}
    try:
        return workspace.run_answer(answer, seconds, launcher=tuple(launcher), env=env)
    except ToolError as error:
        return ExecutionRecord("failed", reason=str(error))


def _unchanged(vectors: Iterable[Vector], checkout: Path, copy: Path) -> Iterable[Vector]:
    """Those whose program has the same content as in the checkout."""
    for vector in vectors:
        ours = _digest(checkout / vector[0])
        if ours is not None and ours == _digest(copy / vector[0]):
            yield vector


def _digest(path: Path) -> str | None:
    """Of a regular file, no link; None if there is none."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    with open(descriptor, "rb") as file:
        try:
            return hashlib.file_digest(file, "sha256").hexdigest()
        except OSError:
            return None
