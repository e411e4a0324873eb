"""langchain's own agent, `langchain.agents.create_agent`, as an Agent: a loop that is not ours, with our tools, limits and record."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ml_agent.agent import OnEvent, Run
from ml_agent.errors import NoAnswer, UsageError
from ml_agent.limits import Limits
from ml_agent.models.failures import ContextOverflow
from ml_agent.models.messages import ChatModel
from ml_agent.policies.settings import ModelSettings
from ml_agent.prompts import Prompts
from ml_agent.task import Task
from ml_agent.tools import spec
from ml_agent.tools.base import Tool
from ml_agent.trajectory import End, Trajectory, TrajectoryFile

if TYPE_CHECKING:
    from ml_agent.workspace import Workspace

_NO_RECURSION_LIMIT = 1 << 31
"""Of langgraph, in nodes: the limits of the run end it, and nothing else."""


class CreateAgent:
    """langchain's agent with all tools, told the task once; it calls tools until an answer is accepted or the run has to end.

    Each call of the model is a step. Nothing is condensed: a conversation that is too long for the model ends the run without an answer.
    """

    name = "create-agent"
    Settings = ModelSettings

    def __init__(
        self,
        settings: ModelSettings,
        *,
        model: ChatModel | None,
        trajectory_file: TrajectoryFile | None = None,
        attempt: int = 0,
        seed: int = 0,
        settings_of_run: Mapping[str, Any] | None = None,
        on_event: OnEvent | None = None,
    ) -> None:
        if model is None:
            raise UsageError("create-agent needs a chat model")
        self._settings, self._model = settings, model
        self._file, self._on_event = trajectory_file, on_event
        self._attempt, self._seed, self._settings_of_run = attempt, seed, settings_of_run or {}

    def run(self, task: Task, workspace: "Workspace", tools: Mapping[str, Tool[Any]], limits: Limits) -> Trajectory:
        """As Agent.run."""
        run = Run(self.name, task, workspace, tools, limits, trajectory_file=self._file, on_event=self._on_event)
        return run.carry_out(lambda: self._steps(run))

    def _steps(self, run: Run) -> End:
        run.begin({**self._settings_of_run, "attempt": self._attempt, "seed": self._seed})
        from langchain.agents import create_agent
        from langsmith import tracing_context

        from ml_agent.agents.middleware import Held
        from ml_agent.models.as_langchain import AsLangchain

        prompts = Prompts(self._settings.prompts)
        held = Held(run, lambda: prompts.render("create_agent/no_call", tools=sorted(run.tools)))
        specs = [spec(tool) for tool in run.tools.values()]
        functions = [{"name": one.name, "description": one.description, "parameters": dict(one.schema)} for one in specs]
        agent = create_agent(
            AsLangchain(held=self._model, options=self._settings.options(self._attempt, self._seed, must_call=True)),
            [{"type": "function", "function": function} for function in functions],
            system_prompt=prompts.render("create_agent/system"),
            middleware=[held],
        )
        told = {"role": "user", "content": prompts.render("create_agent/task", task=run.trajectory.task.instruction)}
        try:
            with tracing_context(enabled=False):
                agent.invoke({"messages": [told]}, {"recursion_limit": _NO_RECURSION_LIMIT})
        except ContextOverflow as error:
            raise NoAnswer(f"{error}; create-agent condenses nothing") from error
        if held.end is None:
            raise RuntimeError("langchain's loop ended by itself")
        return held.end
