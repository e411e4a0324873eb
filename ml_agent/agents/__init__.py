"""Agents by name: the planner loop over a policy, or another framework's loop, which has a name of its own."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ml_agent.errors import UsageError
from ml_agent.plugins import Kind, Origin, announced, first_line, load, origin
from ml_agent.policies import KIND as POLICY
from ml_agent.policies import POLICIES, make_policy

if TYPE_CHECKING:
    from ml_agent.agent import Agent, OnEvent
    from ml_agent.models.messages import ChatModel
    from ml_agent.trajectory import Trajectory, TrajectoryFile

AGENTS: dict[str, str] = {
    "create-agent": "ml_agent.agents.create_agent:CreateAgent",
}
"""The agents that come with ml-agent and have a loop of their own, as `module:Class`."""

EITHER = Kind(POLICY.word, POLICY.group, {**POLICIES, **AGENTS})
"""What `--policy` takes, but for agents that other distributions announce."""
KIND = Kind("agent", "ml_agent.agents", EITHER.known)


class AgentChoice:
    """What `--policy` names: a policy, or an agent with a loop of its own (a class with the method `run`).

    Such a class is called as `Class(settings, model=, trajectory_file=, attempt=, seed=, settings_of_run=, on_event=)`, with
    `settings` an instance of its `Settings`, if it has them.

    Raises UsageError, in one line, if there is none of that name, or it has no such options.
    """

    def __init__(self, name: str, options: Mapping[str, Any] | None = None) -> None:
        self._given, self._options = name, dict(options or {})
        theirs = ":" not in name and name not in EITHER.known and name in announced(KIND)
        self._kind = KIND if theirs else EITHER
        self._made: Any = load(self._kind, name)
        self._foreign = isinstance(self._made, type) and callable(getattr(self._made, "run", None)) and not hasattr(self._made, "decide")
        if self._foreign:
            self._settings = self._read_settings()
            self.name: str = getattr(self._made, "name", "")
            if not isinstance(self.name, str) or not self.name:
                raise UsageError(f"{name} is no agent: it needs a `name`, a string")
            self.uses_model = True
            self.ranked = False
        else:
            policy = make_policy(self._made, name, self._options)
            self.name = policy.name
            self.uses_model = hasattr(policy, "model")
            self.ranked = bool(getattr(policy, "ranked", False))
        if self.name in EITHER.known and name != self.name:  # records and leaderboards go by it
            raise UsageError(f"{name} has the name of ml-agent's own policy {self.name}: give it a `name` of its own")

    @property
    def kind(self) -> type:
        """The class."""
        made: type = self._made
        return made

    @property
    def about(self) -> str:
        """Its docstring's first line."""
        return first_line(self._made)

    @property
    def origin(self) -> Origin:
        """What it comes with."""
        return origin(self._kind, self._given)

    @property
    def resumable(self) -> bool:
        """A stored run can be taken up: the loop is ours."""
        return not self._foreign

    def check_model(self, model: str) -> None:
        """Raises UsageError if a model is missing, or given and of no use."""
        if self.uses_model and not model:
            raise UsageError(f"the policy {self.name} needs a chat model: give --model, such as openai:gpt-4o or gguf:PATH")
        if model and not self.uses_model:
            raise UsageError(f"the policy {self.name} uses no model: leave --model out")

    def make(
        self,
        *,
        model: "ChatModel | None" = None,
        trajectory_file: "TrajectoryFile | None" = None,
        attempt: int = 0,
        seed: int = 0,
        settings: Mapping[str, Any] | None = None,
        on_event: "OnEvent | None" = None,
        before: "Trajectory | None" = None,
    ) -> "Agent":
        """A new agent, as of PlannerLoop; `model` is one that is held to the run's limits."""
        from ml_agent.agent import PlannerLoop

        if self._foreign:
            made: Agent = self._made(
                *self._settings, model=model, trajectory_file=trajectory_file, attempt=attempt, seed=seed,
                settings_of_run=settings or {}, on_event=on_event,
            )  # fmt: skip
            return made
        policy = make_policy(self._made, self._given, self._options)
        if self.uses_model:
            policy.model = model  # type: ignore[attr-defined]
        return PlannerLoop(
            policy, trajectory_file=trajectory_file, attempt=attempt, seed=seed, settings=settings, on_event=on_event, before=before
        )

    def _read_settings(self) -> tuple[Any, ...]:
        kind = getattr(self._made, "Settings", None)
        if kind is None:
            if self._options:
                raise UsageError(f"the agent {self._given} has no options: leave {', '.join(self._options)} out")
            return ()
        from ml_agent.policies.settings import read_settings

        return (read_settings(kind, self._options, self._given),)
