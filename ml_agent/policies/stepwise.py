"""A policy written as a generator: what it yields is done, and what came of it is sent back."""

from abc import ABC, abstractmethod
from collections.abc import Generator, Mapping
from typing import Any

from ml_agent.limits import Remaining
from ml_agent.policies.base import ToolSpec
from ml_agent.task import Answer, Task
from ml_agent.trajectory import INTERRUPTED, Decision, Observation, ToolCall, Trajectory

Move = tuple[str, list[tuple[str, dict[str, Any]]]]
"""A thought, and the calls (tool, arguments) to make in one step."""
Seen = tuple[Observation, ...]
"""What the calls of a step brought back, in their order."""
Plan = Generator[Move, Seen, None]


class Stepwise(ABC):
    """Base of such policies. The state is a function of the observations, so a run is taken up by deciding its steps once more."""

    name: str
    task: Task
    tools: frozenset[str]
    """Names of the tools that there are."""
    attempt: int
    seed: int
    remaining: Remaining
    """What is left, as of the step that is being decided."""

    @abstractmethod
    def plan(self) -> Plan:
        """The steps of one task, up to a `submit` that is accepted."""

    def start(self, task: Task, tools: Mapping[str, ToolSpec], *, attempt: int = 0, seed: int = 0) -> None:
        """As Policy.start."""
        self.task, self.tools, self.attempt, self.seed = task, frozenset(tools), attempt, seed
        self._steps = self.plan()
        self._seen: int | None = None

    def decide(self, trajectory: Trajectory, remaining: Remaining) -> Decision:
        """As Policy.decide."""
        self.remaining = remaining
        if self._seen is None:
            self._move, self._seen = next(self._steps), 0
        for step in trajectory.steps[self._seen :]:
            if INTERRUPTED not in step.observations:  # else the same is decided once more
                self._move = self._steps.send(step.observations)
        self._seen = len(trajectory.steps)
        thought, calls = self._move
        number = len(trajectory.steps) + 1
        return Decision(thought, tuple(ToolCall(f"{number}.{k}", tool, arguments) for k, (tool, arguments) in enumerate(calls, 1)))


def arguments_of(answer: Answer) -> dict[str, Any]:
    """An answer as `run`, `check_answer` and `submit` take it, without its evidence."""
    return {"language": answer.language, "code": answer.code, "workdir": answer.workdir}


def title(answer: Answer) -> str:
    """The first line of an answer, for a thought."""
    line = answer.as_text().strip().splitlines()[0] if answer.code.strip() else ""
    return line if len(line) <= 120 else line[:117] + "..."
