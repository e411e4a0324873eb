"""The planner loop: a policy decides, tools do, and everything is written down, until an answer is accepted."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from pydantic import ValidationError

from ml_agent.errors import Cancelled, Departed, InfrastructureError, LimitReached, NoAnswer, ToolError
from ml_agent.limits import Limits, Remaining
from ml_agent.policies.base import Policy
from ml_agent.replay import rebuild
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


class Run:
    """One run of an agent, carried out and written down. Every agent's loop stands on it, so all are held to the same rules.

    `begin`, then for each step either `step`, or `decided`, `call` for each of its calls in their order, and `done`. `carry_out` is
    around all of it. The trajectory file is written event by event and closed at the end; `on_event` hears of each decision, result
    and the end, after it is on disk.
    """

    def __init__(
        self,
        name: str,
        task: Task,
        workspace: "Workspace",
        tools: Mapping[str, Tool[Any]],
        limits: Limits,
        *,
        trajectory_file: TrajectoryFile | None = None,
        on_event: OnEvent | None = None,
    ) -> None:
        self.trajectory = Trajectory(task, policy=name)
        self.limits, self.tools = limits, tools
        self._context = Context(workspace, limits, self.trajectory)
        self._file, self._on_event = trajectory_file, on_event
        self._decision: Decision | None = None
        self._remaining = limits.remaining()
        self._observations: list[Observation] = []

    def carry_out(self, steps: Callable[[], End]) -> Trajectory:
        """Let `steps` go on until it returns, and write down how the run ended, by the exception that ended it if one did.

        `answered`, `no_answer` (NoAnswer), `limit` (LimitReached), `infrastructure` (InfrastructureError), `cancelled` (Cancelled or
        KeyboardInterrupt: it is not raised again, the caller turns the outcome into exit code 130). Any other exception
        is written down as `no_answer` and raised again; of a run that departs from the one that it takes up, nothing is written down.
        """
        end = End("no_answer")
        try:
            end = steps()
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
            if isinstance(error, Departed) and self._file:
                self._file.discard()
                self._file = None
            raise
        finally:
            self.done()
            self._finish(end)
        return self.trajectory

    def begin(self, settings: Mapping[str, Any], before: Trajectory | None = None) -> None:
        """Start the clock and write the header: `settings` and the limits. `before` is a run that this one takes up."""
        self.limits.start()
        allowed = {name: getattr(self.limits, name) for name in ("steps", "seconds", "sandbox_seconds", "tokens", "money")}
        allowed = {name: None if math.isinf(value) else value for name, value in allowed.items()}
        self.trajectory.settings = {**settings, "tools": sorted(self.tools), "limits": allowed}
        if self._file:
            self._file.header(self.trajectory)
            if before is not None:
                self._file.before(before)

    def take_up(self, policy: Policy, before: Trajectory) -> End | None:
        """Bring the policy, which was started, and the workspace to where a stored run stopped; its end, if it had its answer.

        Calls that prepared the workspace, such as write_file, are made again, since it is a new one; runs are not. Raises Departed if
        the policy decides otherwise, or such a call cannot be made any more; the trajectory file is then removed.
        """
        rebuild(policy, before, self.trajectory)
        for number, step in enumerate(before.steps, 1):
            for call, observation in zip(step.decision.calls, step.observations, strict=True):
                tool = self.tools.get(call.tool)
                if tool is not None and tool.restores and observation.error is None:
                    again = make_call(call, self._context, self.tools)
                    if again.error is not None:
                        raise Departed(f"step {number}: {call.tool} cannot be called as it was: {again.text}")
        last = before.steps[-1:]
        ends = [accepted(o) for step in last for c, o in zip(step.decision.calls, step.observations, strict=True) if c.tool == SUBMIT]
        return next(filter(None, ends), None)  # it was killed before it could write its end

    def spend_step(self) -> Remaining:
        """Take one step from the limits, and say what is left. Raises LimitReached if there is none."""
        self.limits.check()
        self.limits.spend(steps=1)
        return self.limits.remaining()

    def decided(self, decision: Decision, remaining: Remaining) -> None:
        """Write a decision down: a step begins. `remaining` is what was left when it was made."""
        self.done()
        self._decision, self._remaining = decision, remaining
        if self._file:
            self._file.decision(decision, remaining)
        self._tell(decision)

    def call(self, call: ToolCall) -> Observation:
        """Make the next call of the decision."""
        self.limits.check("seconds", "tokens", "money")
        observation = make_call(call, self._context, self.tools)
        if self._file:
            self._file.observation(call, observation)
        self._observations.append(observation)
        self._tell(Result(call, observation))
        return observation

    def done(self) -> None:
        """Close the step that is open, if one is. A call without a result counts as interrupted."""
        if self._decision is not None:
            missing = len(self._decision.calls) - len(self._observations)
            observations = (*self._observations, *[INTERRUPTED] * missing)
            self.trajectory.steps.append(Step(self._decision, observations, self._remaining))
            self._decision, self._observations = None, []

    def step(self, decision: Decision, remaining: Remaining) -> End | None:
        """A decision with all of its calls; the end, if an answer was accepted."""
        self.decided(decision, remaining)
        for call in decision.calls:
            end = accepted(self.call(call))
            if end:
                return end
        self.done()
        return None

    def _tell(self, event: Decision | Result | End) -> None:
        if self._on_event:
            self._on_event(event)

    def _finish(self, end: End) -> None:
        self.trajectory.end = end
        if self._file:
            try:
                try:
                    self._file.end(end)
                finally:
                    self._file.close()
            except InfrastructureError as error:  # the answer, if there is one, is kept: only the record is lost
                end.outcome, end.message = "infrastructure", str(error)
        self._tell(end)


class PlannerLoop:
    """Runs a policy: decide, call, observe, again, until `submit` accepts an answer or the run has to end.

    `settings` are written into the trajectory's header beside the attempt and the seed. `before` is a stored run of the same task
    and policy to go on with: its decisions are made once more, its calls are not, but for those that prepared the workspace.
    """

    def __init__(
        self,
        policy: Policy,
        *,
        trajectory_file: TrajectoryFile | None = None,
        attempt: int = 0,
        seed: int = 0,
        settings: Mapping[str, Any] | None = None,
        on_event: OnEvent | None = None,
        before: Trajectory | None = None,
    ) -> None:
        self._policy, self._file, self._on_event = policy, trajectory_file, on_event
        self._attempt, self._seed, self._settings, self._before = attempt, seed, settings or {}, before

    def run(self, task: Task, workspace: "Workspace", tools: Mapping[str, Tool[Any]], limits: Limits) -> Trajectory:
        """Run until an end, as of Run.carry_out, and return the trajectory. Raises Departed if `before` cannot be taken up."""
        run = Run(self._policy.name, task, workspace, tools, limits, trajectory_file=self._file, on_event=self._on_event)
        return run.carry_out(lambda: self._steps(run))

    def _steps(self, run: Run) -> End:
        policy, before, settings = self._policy, self._before, {**self._settings, "attempt": self._attempt, "seed": self._seed}
        run.begin(settings, before)
        policy.start(run.trajectory.task, {name: spec(tool) for name, tool in run.tools.items()}, attempt=self._attempt, seed=self._seed)
        end = run.take_up(policy, before) if before is not None else None
        while end is None:
            remaining = run.spend_step()
            end = run.step(policy.decide(run.trajectory, remaining), remaining)
        return end


def accepted(observation: Observation) -> End | None:
    """The end of a run whose last observation this is, if it accepts an answer."""
    if observation.accepted is None:
        return None
    return End("answered", observation.accepted, bool(observation.data.get("verified")), observation.text)


def make_call(call: ToolCall, context: Context, tools: Mapping[str, Tool[Any]]) -> Observation:
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
