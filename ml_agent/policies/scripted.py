"""A policy that plays a fixed list of decisions: for tests, and for agents that know the answer."""

from collections.abc import Iterable, Mapping
from typing import Any

from ml_agent.errors import UsageError
from ml_agent.limits import Remaining
from ml_agent.policies.base import ToolSpec
from ml_agent.task import Task
from ml_agent.trajectory import Decision, ToolCall, Trajectory


def decision(*calls: tuple[str, Mapping[str, Any]], thought: str = "") -> Decision:
    """A decision that makes these calls, each a tool's name and its arguments."""
    return Decision(thought, tuple(ToolCall(f"call-{n}", tool, dict(arguments)) for n, (tool, arguments) in enumerate(calls, 1)))


class Scripted:
    """Decides what stands in the list, one decision a step, whatever the observations are.

    It keeps no state: the trajectory says how far it is.
    """

    name = "scripted"

    def __init__(self, decisions: Iterable[Decision]) -> None:
        self._decisions = tuple(decisions)

    def start(self, task: Task, tools: Mapping[str, ToolSpec], *, attempt: int = 0, seed: int = 0) -> None:
        pass

    def decide(self, trajectory: Trajectory, remaining: Remaining) -> Decision:
        """The next one of the list. Raises UsageError when all are played."""
        played = len(trajectory.steps)
        if played >= len(self._decisions):
            raise UsageError(f"the script is over after {played} decisions and no answer was accepted: let it end with a call of submit")
        return self._decisions[played]
