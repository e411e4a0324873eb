"""One attempt at one sample, in the process that it is made in: a policy over a workspace, then the grader's execution of its answer."""

import math
import time
import traceback
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ml_agent import inputs
from ml_agent.benchmarks.base import Attempt, Sample, Usage
from ml_agent.benchmarks.faults import Cause
from ml_agent.benchmarks.runner.executor import Unit
from ml_agent.benchmarks.runner.options import RunOptions
from ml_agent.errors import Cancelled, InfrastructureError
from ml_agent.interrupts import deadline
from ml_agent.limits import Limits
from ml_agent.models.choice import held
from ml_agent.models.messages import ChatModel
from ml_agent.repo.index import RepoIndex
from ml_agent.solving import GRACE
from ml_agent.task import Task
from ml_agent.tools.base import Tool
from ml_agent.trajectory import Trajectory, TrajectoryFile
from ml_agent.workspace import Workspace

INDEXES = 2
"""Repositories that a worker keeps in memory."""
_MESSAGE = 4_000


class DiskFull(InfrastructureError):
    """The run's folder cannot be written: no other attempt would fare better."""


class Attempts:
    """Makes attempts, one at a time; keeps the repositories that it has read for the next one, and the model.

    Raises UsageError if there is no such agent, or a model is missing or of no use.
    """

    def __init__(self, options: RunOptions) -> None:
        self._options, self._settings = options, options.solve_settings()
        self._agent = self._settings.choice()
        self._indexes: OrderedDict[Path, RepoIndex] = OrderedDict()
        self._model: ChatModel | None = None

    def close(self) -> None:
        """Free the model, such as a server on this machine."""
        if self._model is not None:
            self._model.close()

    def make(self, unit: Unit, trajectory: Path) -> tuple[Attempt, Cause]:
        """What came of a unit, its steps written to the new file `trajectory`.

        Raises UsageError if the model cannot be had, DiskFull, and Cancelled.
        """
        options, started = self._options, time.monotonic()
        limits = Limits(seconds=options.seconds, steps=options.steps, tokens=options.tokens or math.inf, money=options.money or math.inf)
        attempt = Attempt(unit.sample.key, unit.attempt, "crashed")
        cause: Cause = "ended"
        try:
            index = self._index(unit.checkout)
            if self._settings.model is not None and self._model is None:
                self._model = self._settings.model.open()
            with Workspace(index.root, options.sandbox_options(), index=index) as workspace:
                workspace.set_up()
                done = self._run(unit, workspace, limits, trajectory)
            attempt = _finished(attempt, done)
        except (Cancelled, DiskFull):
            raise
        except InfrastructureError as error:
            attempt = replace(attempt, ending="infrastructure", message=str(error))
        except BaseException:  # noqa: BLE001 - SystemExit too: a policy's fault is recorded, and the others go on
            self._indexes.pop(unit.checkout, None)
            attempt, cause = replace(attempt, message=traceback.format_exc()[-_MESSAGE:]), "crashed"
        if attempt.ending == "limit":  # what was being read when it was cut off may be half there
            self._indexes.pop(unit.checkout, None)
        attempt = replace(attempt, usage=_usage(attempt, limits, time.monotonic() - started))
        if options.execute and attempt.answer is not None:
            attempt = self._executed(attempt, unit)
        return attempt, "infrastructure" if attempt.ending == "infrastructure" else cause

    def _index(self, checkout: Path) -> RepoIndex:
        index = self._indexes.pop(checkout, None) or RepoIndex(inputs.check_repository(checkout))
        self._indexes[checkout] = index
        while len(self._indexes) > INDEXES:
            self._indexes.popitem(last=False)
        return index

    def _run(self, unit: Unit, workspace: Workspace, limits: Limits, trajectory: Path) -> Trajectory:
        try:
            record = _Record(trajectory)
        except InfrastructureError as error:
            raise DiskFull(str(error)) from error
        agent = self._agent.make(
            model=held(self._model, limits, record.exchange) if self._model is not None else None,
            trajectory_file=record,
            attempt=unit.attempt,
            seed=self._options.seed,
            settings={"solve": self._settings.to_json()},
        )
        try:
            limits.start()
            with deadline(limits.seconds, grace=GRACE):
                task = Task(inputs.check_instruction(self._words(unit.sample, workspace.index)), workspace.repository)
                done = agent.run(task, workspace, self._tools(), limits)
        finally:
            record.close()
            if record.refused is not None:
                raise DiskFull(str(record.refused)) from record.refused
        if done.end is not None and done.end.outcome == "cancelled":
            raise Cancelled(done.end.message)
        return done

    def _words(self, sample: Sample, index: RepoIndex) -> str:
        if self._options.setting == "agent":
            return sample.instruction
        from ml_agent.benchmarks.settings import instruction_for

        return instruction_for(self._options.setting, sample, index)

    def _tools(self) -> Mapping[str, Tool[Any]]:
        """All in the agent's setting; in the others the policy has its context, and hands in an answer."""
        tools = self._settings.make_tools()
        return tools if self._options.setting == "agent" else {"submit": tools["submit"]}

    def _executed(self, attempt: Attempt, unit: Unit) -> Attempt:
        from ml_agent.benchmarks.execution import execute

        assert attempt.answer is not None
        try:
            options, seconds = self._options.sandbox_options(), self._options.execution_seconds
            record, received = execute(unit.sample, attempt.answer, unit.checkout, options=options, seconds=seconds)
            if record.outcome == "not_run":
                raise InfrastructureError(record.reason or "nothing can be run here")
        except InfrastructureError as error:
            return replace(attempt, ending="infrastructure", message=f"the grader's execution: {error}")
        return replace(attempt, record=record, received=received)


class _Record(TrajectoryFile):
    """Remembers that the disk refused: the loop takes it for one run's fault, and it is every run's."""

    refused: InfrastructureError | None = None

    def _write(self, event: str, **fields: Any) -> None:
        try:
            super()._write(event, **fields)
        except InfrastructureError as error:
            self.refused = error
            raise

    def close(self) -> None:
        try:
            super().close()
        except InfrastructureError as error:
            self.refused = error


def _finished(attempt: Attempt, done: Trajectory) -> Attempt:
    """With what the trajectory says."""
    end = done.end
    assert end is not None
    submitted = [observation.data for _, observation in done.observations("submit") if observation.accepted]
    findings = tuple(submitted[-1].get("findings", ())) if submitted else ()
    usage = Usage(steps=len(done.steps))
    message = "" if end.answer else end.message  # of an answer it is what the findings say
    return replace(attempt, ending=end.outcome, answer=end.answer, verified=end.verified, findings=findings, usage=usage, message=message)


def _usage(attempt: Attempt, limits: Limits, seconds: float) -> Usage:
    tokens, money = int(limits.used("tokens")), limits.used("money")
    # A model was paid in tokens and nothing was said of money: its price is not known.
    return Usage(round(seconds, 3), attempt.usage.steps, tokens, None if tokens and not money else money)


def visible(sample: Sample, setting: str) -> Sample:
    """The sample without the ground truth: what may leave the runner. The annotated part of the README only in its own setting."""
    return replace(sample, output="", arguments={}, prefix_code="", unreachable="", oracle=sample.oracle if setting == "oracle" else "")
