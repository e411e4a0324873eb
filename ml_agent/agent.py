"""The planner loop: a policy decides, tools do, and everything is written down, until an answer is accepted."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from pydantic import ValidationError

from ml_agent.errors import Cancelled, InfrastructureError, LimitReached, NoAnswer, ToolError
from ml_agent.limits import Limits
from ml_agent.policies.base import Policy
from ml_agent.task import Task
from ml_agent.tools import spec
from ml_agent.tools.base import Context, Tool
from ml_agent.trajectory import INTERRUPTED, Decision, End, Observation, Step, ToolCall, Trajectory, TrajectoryFile

if TYPE_CHECKING:
    from ml_agent.workspace import Workspace

SUBMIT = "submit"
"""The one tool whose observation can end a run."""


@dataclass(frozen=True, slots=True)
class Result:
    """A call with what it brought back, as the console is told of it."""

    call: ToolCall
    observation: Observation


OnEvent = Callable[[Decision | Result | End], None]


class Agent(Protocol):
    """Who turns a task into a trajectory. The planner loop over a policy is one; a foreign framework's loop can be another."""

    def run(self, task: Task, workspace: "Workspace", tools: Mapping[str, Tool[Any]], limits: Limits) -> Trajectory:
        """Work on the task until it ends. The trajectory that comes back always has an `end`."""
        ...


class PlannerLoop:
    """Runs a policy: decide, call, observe, again, until `submit` accepts an answer or the run has to end.

    `trajectory_file` is written event by event and closed by the loop; `on_event` hears of each decision, result and the
    end, after it is on disk.
    """

    def __init__(
        self,
        policy: Policy,
        *,
        trajectory_file: TrajectoryFile | None = None,
        attempt: int = 0,
        seed: int = 0,
        on_event: OnEvent | None = None,
    ) -> None:
        self._policy, self._file, self._on_event = policy, trajectory_file, on_event
        self._attempt, self._seed = attempt, seed

    def run(self, task: Task, workspace: "Workspace", tools: Mapping[str, Tool[Any]], limits: Limits) -> Trajectory:
        """Run until an end and return the trajectory, its `end.outcome` saying which:

        `answered`, `no_answer` (NoAnswer), `limit` (LimitReached), `infrastructure` (InfrastructureError), `cancelled` (Cancelled or
        KeyboardInterrupt: it is not raised again, the caller turns the outcome into exit code 130). Any other exception
        is written down as `no_answer` and raised again.
        """
        context = Context(workspace, limits, Trajectory(task, policy=self._policy.name))
        end = End("no_answer")
        try:
            end = self._steps(context, tools)
        except LimitReached as error:
            end = End("limit", message=str(error))
        except NoAnswer as error:
            end = End("no_answer", message=str(error))
        except InfrastructureError as error:
            end = End("infrastructure", message=str(error))
        except (Cancelled, KeyboardInterrupt) as error:
            end = End("cancelled", message=str(error) or "stopped from outside")
        except BaseException as error:
            end = End("no_answer", message=f"{type(error).__name__}: {error}")
            raise
        finally:
            self._finish(context.trajectory, end)
        return context.trajectory

    def _steps(self, context: Context, tools: Mapping[str, Tool[Any]]) -> End:
        limits, trajectory = context.limits, context.trajectory
        limits.start()
        if self._file:
            allowed = {name: getattr(limits, name) for name in ("steps", "seconds", "sandbox_seconds", "tokens", "money")}
            allowed = {name: None if math.isinf(value) else value for name, value in allowed.items()}
            self._file.header(trajectory, {"attempt": self._attempt, "seed": self._seed, "tools": sorted(tools), "limits": allowed})
        self._policy.start(trajectory.task, {name: spec(tool) for name, tool in tools.items()}, attempt=self._attempt, seed=self._seed)
        while True:
            limits.check()
            limits.spend(steps=1)
            decision = self._policy.decide(trajectory, limits.remaining())
            if self._file:
                self._file.decision(decision)
            self._tell(decision)
            end = self._step(decision, context, tools)
            if end:
                return end

    def _step(self, decision: Decision, context: Context, tools: Mapping[str, Tool[Any]]) -> End | None:
        """Make the calls of one decision. A call that the run's end leaves without a result counts as interrupted."""
        observations: list[Observation] = []
        try:
            for call in decision.calls:
                context.limits.check("seconds", "tokens", "money")
                observation = _call(call, context, tools)
                if self._file:
                    self._file.observation(call, observation)
                observations.append(observation)
                self._tell(Result(call, observation))
                if observation.accepted:
                    return End("answered", observation.accepted, bool(observation.data.get("verified")), observation.text)
            return None
        finally:
            missing = len(decision.calls) - len(observations)
            context.trajectory.steps.append(Step(decision, (*observations, *[INTERRUPTED] * missing)))

    def _tell(self, event: Decision | Result | End) -> None:
        if self._on_event:
            self._on_event(event)

    def _finish(self, trajectory: Trajectory, end: End) -> None:
        trajectory.end = end
        if self._file:
            try:
                try:
                    self._file.end(end)
                finally:
                    self._file.close()
            except InfrastructureError as error:  # the answer, if there is one, is kept: only the record is lost
                end.outcome, end.message = "infrastructure", str(error)
        self._tell(end)


def _call(call: ToolCall, context: Context, tools: Mapping[str, Tool[Any]]) -> Observation:
    """Make one call. What the policy did wrong is told to it; what the surroundings did is raised."""
    tool = tools.get(call.tool)
    if tool is None:
        return _failed("ToolError", f"there is no tool {call.tool!r}; there are: {', '.join(sorted(tools))}")
    try:
        observation = tool.call(tool.arguments.model_validate(call.arguments), context)
    except ValidationError as error:
        problems = "; ".join(f"{'.'.join(map(str, e['loc'])) or 'arguments'}: {e['msg']}" for e in error.errors(include_url=False))
        return _failed("ArgumentError", f"the arguments of {call.tool} do not fit: {problems}")
    except ToolError as error:
        return _failed("ToolError", str(error))
    if observation.accepted and call.tool != SUBMIT:
        raise RuntimeError(f"the tool {call.tool} accepted an answer; only {SUBMIT} may")
    return observation


def _failed(kind: str, message: str) -> Observation:
    return Observation(message, error=kind)
