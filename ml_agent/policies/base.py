"""What a policy is: it decides the next step from what has happened so far."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from ml_agent.limits import Remaining
from ml_agent.task import Task
from ml_agent.trajectory import Decision, Trajectory


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as a policy knows it."""

    name: str
    description: str
    schema: Mapping[str, Any]
    """JSON schema of its arguments."""


class Policy(Protocol):
    """Who decides the next step. What it decides depends on nothing but the task, the trajectory, what remains and its model's replies.

    So its state can be rebuilt by letting it decide the steps of a trajectory again, its model's replies replayed.

    Attributes that it may have: `ranked`, True if attempt n is its n-th best alternative, so that attempts are no independent tries;
    `model`, if it uses a chat model: None at first, the caller sets it to a ml_agent.models.messages.ChatModel that is held to the run's
    limits, before `start`; `Settings`, a subclass of policies.settings.Settings: the class is then called with an instance of it.
    """

    name: str

    def start(self, task: Task, tools: Mapping[str, ToolSpec], *, attempt: int = 0, seed: int = 0) -> None:
        """Begin a task. `attempt` counts from 0: a later attempt gives another answer, the next best or an independent one."""
        ...

    def decide(self, trajectory: Trajectory, remaining: Remaining) -> Decision:
        """The next step: a thought and one or more tool calls. Raises NoAnswer to give up."""
        ...
