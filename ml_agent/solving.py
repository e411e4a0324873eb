"""One solve, made of settings that can be written down: an agent, its model, its tools, a workspace. `solve` and `resume` stand on it."""

import math
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ml_agent import config
from ml_agent.agents import AgentChoice
from ml_agent.errors import InfrastructureError, UsageError
from ml_agent.interrupts import deadline
from ml_agent.limits import Limits
from ml_agent.models.choice import ModelChoice, held
from ml_agent.models.redaction import redacted
from ml_agent.result import Result, result_of, write_answer
from ml_agent.sandbox.options import Options
from ml_agent.seal import seal
from ml_agent.task import Task
from ml_agent.trajectory import Trajectory, TrajectoryFile

if TYPE_CHECKING:
    from ml_agent.agent import OnEvent
    from ml_agent.models.messages import ChatModel
    from ml_agent.tools.base import Tool

GRACE = 1.0
"""Seconds past the time limit for a run in the sandbox to be ended by the loop itself, before reading is cut off."""


@dataclass(frozen=True, slots=True)
class SolveSettings:
    """What a solve is made with."""

    policy: str = config.POLICY
    options: Mapping[str, Any] = field(default_factory=dict)
    """Of the policy, by name."""
    model: ModelChoice | None = None
    tools: tuple[str, ...] = ()
    """Beside those that come with ml-agent: names of other distributions' tools, or `module:Class`."""
    execute: bool = True
    """A policy may run what it finds."""
    sandbox: Options = field(default_factory=Options)
    seed: int = 0

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "SolveSettings":
        """Raises UsageError if they are none."""
        try:
            sandbox = Options(**{**value["sandbox"], "data": tuple(value["sandbox"]["data"])})
            model = ModelChoice(**value["model"]) if value["model"] else None
            return cls(**{**value, "sandbox": sandbox, "model": model, "tools": tuple(value["tools"])})
        except (KeyError, TypeError) as error:
            raise UsageError(f"the settings of the run are not whole: {error}") from error

    def choice(self) -> AgentChoice:
        """The agent, checked. Raises UsageError if there is none such, or a model is missing or too much."""
        agent = AgentChoice(self.policy, self.options)
        agent.check_model(self.model.name if self.model else "")
        return agent

    def make_tools(self) -> "dict[str, Tool[Any]]":
        """The tools that the agent may call, by name."""
        from ml_agent.tools import default_tools, load_tool

        tools = default_tools()
        if not self.execute:
            del tools["run"]
        for name in self.tools:
            tool = load_tool(name)
            if tool.name in tools:
                raise UsageError(f"there is a tool {tool.name!r} already: {name} has to have another name")
            tools[tool.name] = tool
        return tools


@dataclass(frozen=True, slots=True)
class Before:
    """A stored run that is taken up."""

    trajectory: Trajectory
    path: Path

    def model(self, live: "ChatModel", limits: Limits, file: TrajectoryFile) -> "ChatModel":
        """Replays the exchanges of the stored steps, then asks `live`; the replies that no step came of are used in its place."""
        from ml_agent.models.recording import Replayed, Unused

        done = len(self.trajectory.steps)
        first, rest = ([e.content for e in self.trajectory.exchanges if (e.step < done) == early] for early in (True, False))
        return Replayed(first, live.name, held(Unused(live, rest), limits, file.exchange))


def carry_out(
    task: Task,
    settings: SolveSettings,
    limits: Limits,
    path: Path,
    *,
    keep: Path | None = None,
    on_event: "OnEvent | None" = None,
    before: Before | None = None,
) -> Result:
    """Solve the task; `path` is the new file of the trajectory, `keep` the new folder for the answer and what the runs made.

    Raises UsageError and SandboxUnavailable; what goes wrong once the run has begun is in the result.
    """
    from ml_agent.workspace import Workspace

    choice, tools = settings.choice(), settings.make_tools()
    options = settings.sandbox if settings.execute else replace(settings.sandbox, sandbox="none")
    with Workspace(task.repository, options) as workspace:
        workspace.set_up()
        live = settings.model.open() if settings.model else None
        try:
            limits.start()
            file = TrajectoryFile(path)
            try:
                model = None
                if live is not None:
                    model = before.model(live, limits, file) if before else held(live, limits, file.exchange)
                agent = choice.make(
                    model=model,
                    trajectory_file=file,
                    seed=settings.seed,
                    settings=_written(settings, task, before),
                    on_event=on_event,
                    before=before.trajectory if before else None,
                )
            except BaseException:
                file.discard()
                raise
            with deadline(limits.seconds, grace=GRACE):
                done = agent.run(task, workspace, tools, limits)
        finally:
            if live is not None:
                live.close()
        priced = live is not None and live.price is not None
        result = replace(
            result_of(done, path, workspace), tokens=int(limits.used("tokens")), money=limits.used("money") if priced else None
        )
        if keep is not None and result.answer:
            try:
                write_answer(result.answer, keep)
                workspace.keep(keep / "made")
            except (InfrastructureError, UsageError) as error:  # it was tried before: the disk is full, or the folder gone since
                result = replace(result, outcome="infrastructure", message=str(error))
    return result


def sealed(solve: Any, task: Task) -> list[Any]:
    """What of a stored run its seal is of: all that says what is imported, started and reached."""
    return [solve, task.instruction, os.fsdecode(task.repository)]


def _written(settings: SolveSettings, task: Task, before: Before | None) -> dict[str, Any]:
    """What of the settings stands in the trajectory's header."""
    solve = settings.to_json()
    return {"solve": solve, "seal": seal(redacted(sealed(solve, task))), "resumed": str(before.path) if before else None}


def limits_of(given: Mapping[str, float], *, model: bool) -> Limits:
    """Limits with these values by name. Without a time limit it is that of a run with or without a model."""
    for name, value in given.items():
        if name not in config.LIMITS:
            raise UsageError(f"there is no limit {name!r}: choose of {', '.join(config.LIMITS)}")
        if isinstance(value, bool) or not isinstance(value, int | float) or not (math.isfinite(value) and value > 0):
            raise UsageError(f"the limit {name} is {value!r}; give a number above zero")
    return Limits(**{"seconds": config.MODEL_TIME_LIMIT if model else config.TIME_LIMIT, **given})
