"""Runs of the policy `react` as `solve` makes them: the model held to the limits and recorded."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ml_agent.agent import PlannerLoop
from ml_agent.agents import AgentChoice
from ml_agent.limits import Limits
from ml_agent.models.choice import held
from ml_agent.models.messages import ChatModel
from ml_agent.task import Task
from ml_agent.tools import default_tools
from ml_agent.tools.base import Tool
from ml_agent.trajectory import Trajectory, TrajectoryFile
from ml_agent.workspace import Workspace

PLAN = '{"plan": ["read the README", "submit"]}'
LOOK: list[Any] = [("read_readme", {})]


def play(
    workspace: Workspace,
    model: ChatModel,
    *,
    limits: Limits | None = None,
    tools: Mapping[str, Tool[Any]] | None = None,
    path: Path | None = None,
    instruction: str = "train it",
    before: Trajectory | None = None,
    wrap: Callable[[ChatModel], ChatModel] = lambda model: model,
    options: Mapping[str, Any] | None = None,
) -> Trajectory:
    limits = limits or Limits()
    file = TrajectoryFile(path) if path else None
    model = wrap(held(model, limits, file.exchange if file else lambda exchange: None))
    agent = AgentChoice("react", options).make(model=model, trajectory_file=file, attempt=1, seed=2, before=before)
    assert isinstance(agent, PlannerLoop)
    return agent.run(Task(instruction, workspace.repository), workspace, tools or default_tools(), limits)


def asked(model: ChatModel) -> list[Any]:
    """The messages of each request."""
    requests: list[Any] = model.chat.asked  # type: ignore[attr-defined]
    return requests


def said(model: ChatModel, request: int) -> str:
    """The last message of a request."""
    return str(asked(model)[request][-1].content)


def calls_of(trajectory: Trajectory) -> list[list[str]]:
    return [[call.tool for call in step.decision.calls] for step in trajectory.steps]
