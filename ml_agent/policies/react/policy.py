"""Reason, act, observe, over all tools, until an answer is accepted."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from ml_agent.errors import NoAnswer, UsageError
from ml_agent.limits import Remaining
from ml_agent.models.conversation import Conversation
from ml_agent.models.fitting import Fitted
from ml_agent.models.messages import ChatModel, Message, Reply
from ml_agent.models.patience import Patience
from ml_agent.policies.base import ToolSpec
from ml_agent.policies.react.candidates import RUN, SUBMIT, Candidate, Candidates, candidate_of, failed
from ml_agent.policies.react.pace import Pace
from ml_agent.policies.react.planner import Planner
from ml_agent.policies.react.repeats import STUCK, TOLD, Repeats
from ml_agent.policies.settings import ModelSettings
from ml_agent.prompts import Prompts
from ml_agent.task import CONTEXT, Task
from ml_agent.trajectory import Decision, Step, ToolCall, Trajectory

HURRY = 4
"""With so few replies left the model is told to hand in what it has."""
_REPLAN = 3
"""Steps that a plan is given before a failure has it revised."""


def _names(value: Any) -> Any:
    return tuple(name.strip() for name in value.split(",") if name.strip()) if isinstance(value, str) else value


class ReactSettings(ModelSettings):
    plan: bool = Field(True, description="Have a short plan made first, and revised where a check or a run fails.")
    replan_after: int = Field(12, ge=0, description="Steps after which the plan is revised even if nothing fails; 0: never.")
    tools: Annotated[tuple[str, ...], BeforeValidator(_names)] = Field(
        (), description="Names of the tools that are offered, with commas between; submit always is. All if none is named."
    )


class React:
    """A chat model that calls tools, sees what they bring back and goes on, with a short plan, until an answer is accepted.

    Old results are condensed to what the model can hold. If the model comes to no end within the limits, the best code that it
    checked or ran is submitted.
    """

    name = "react"
    Settings = ReactSettings

    def __init__(self, settings: ReactSettings | None = None) -> None:
        self._settings = settings or ReactSettings()  # type: ignore[call-arg] # all have defaults
        self._prompts = Prompts(self._settings.prompts)
        self.model: ChatModel | None = None

    def start(self, task: Task, tools: Mapping[str, ToolSpec], *, attempt: int = 0, seed: int = 0) -> None:
        assert self.model is not None
        offered = self._offered(tools)
        names = [tool.name for tool in offered]
        self._instruction, _, context = task.instruction.partition(CONTEXT)
        opening = [
            Message("system", self._prompts.render("react/system", tools=names)),
            Message("user", self._prompts.render("react/task", task=self._instruction, context=context)),
        ]
        options = self._settings.options(attempt, seed, must_call=True)
        self._conversation = Conversation(opening, self.model.count)
        self._fitted = Fitted(self.model, offered, options)
        looks = self._settings.plan and len(offered) > 1
        self._planner = Planner(self.model, self._prompts, options, self._instruction, names) if looks else None
        self._no_call = self._prompts.render("react/no_call", tools=names)
        self._patience, self._pace, self._candidates, self._repeats = Patience(), Pace(), Candidates(), Repeats()
        self._last: Reply | None = None
        """Its calls are those of the step before."""
        self._why_over: NoAnswer | None = None
        """The model is not asked any further."""

    def decide(self, trajectory: Trajectory, remaining: Remaining) -> Decision:
        """As Policy.decide. Raises NoAnswer if the model gives up and there is no code that could be submitted."""
        went_wrong = self._read(trajectory.steps[-1]) if trajectory.steps else False
        left = self._pace.replies(remaining)
        best = self._candidates.best()
        if best is not None and (self._why_over or left < 1):
            return self._instead(best, trajectory)
        if self._why_over:
            raise self._why_over
        if left > HURRY:
            self._plan(trajectory, went_wrong=went_wrong)
        else:
            self._conversation.say(self._prompts.render("react/hurry", replies=max(1, int(left))))
        try:
            reply = self._ask(left)
        except NoAnswer as error:
            if best is None:
                raise
            self._why_over = error
            return self._instead(best, trajectory)
        proposal = self._proposal(reply, best)
        if proposal is not None and left <= self._candidates.submissions(proposal):
            return self._instead(proposal, trajectory)
        if proposal is None and best is not None and best.checked and left <= 1:  # its own submission comes first, and may be rejected
            reply = replace(reply, calls=(*reply.calls, _submission(best, trajectory)))
        return self._made(reply)

    def _read(self, step: Step) -> bool:
        """Take in the step before; whether it says that an answer is wrong."""
        assert self._last is not None
        results: dict[str, str] = {}
        findings: list[str] = []
        if self._planner:
            self._planner.step()
        for call, observation in zip(self._last.calls, step.observations, strict=True):
            wrong = failed(call, observation)
            results[call.id] = f"{observation.error}: {observation.text}" if observation.error else observation.text or "(nothing)"
            findings += [call.id] * wrong
            self._candidates.note(call, observation)
            self._repeats.note(call, observation)
            if self._planner:
                self._planner.note(call, observation, failed=wrong)
        self._conversation.add(self._last.turn(results), findings=findings)
        if self._candidates.newly_good():
            self._conversation.say(self._prompts.render("react/passed", task=self._instruction))
        if self._repeats.times >= STUCK:
            tool = step.decision.calls[-1].tool
            self._why_over = NoAnswer(f"the model goes round in a circle: {STUCK} calls of {tool} with the same arguments and result")
        elif self._repeats.times >= TOLD:
            self._conversation.say(self._prompts.render("react/repeated", times=self._repeats.times))
        return bool(findings)

    def _plan(self, trajectory: Trajectory, *, went_wrong: bool) -> None:
        """Have the plan made or revised, if it is time to."""
        planner, after = self._planner, self._settings.replan_after
        if planner is None:
            return
        first = not trajectory.steps
        if first or (went_wrong and planner.age >= _REPLAN) or (after and planner.age >= after):
            plan, reply = planner.make()
            if reply is not None:
                self._pace.hear(reply)
            if plan:
                self._conversation.say(self._prompts.render("react/plan", plan=plan, first=first), plan=True)

    def _ask(self, left: float) -> Reply:
        """A reply with a call that can be made. Raises NoAnswer where replies are of no use, or the next would not come in time."""
        asked = 0
        while True:
            reply = self._fitted.ask(self._conversation)
            reply = replace(reply, faults=tuple(replace(f, text=self._no_call) if f.kind == "no_call" else f for f in reply.faults))
            asked += 1
            self._pace.hear(reply)
            self._patience.hear(reply)
            if reply.calls:
                return reply
            self._conversation.add(reply.turn())
            if left - asked < 1 and self._candidates.best() is not None:
                raise NoAnswer("the model made no call before the limits were reached")

    def _proposal(self, reply: Reply, best: Candidate | None) -> Candidate | None:
        """What could be handed in in place of a reply that does not; its own code before what is known to be wrong."""
        if any(call.tool == SUBMIT for call in reply.calls):
            return None
        if best is not None and best.checked:
            return best
        return next(filter(None, map(candidate_of, reversed(reply.calls))), best)

    def _instead(self, candidate: Candidate, trajectory: Trajectory) -> Decision:
        """A submission in the model's place."""
        why = str(self._why_over) if self._why_over else "the limits are nearly reached"
        return self._made(Reply(f"The best code so far is submitted: {why}.", (_submission(candidate, trajectory),)))

    def _made(self, reply: Reply) -> Decision:
        self._last = reply
        return Decision(reply.text, reply.calls)

    def _offered(self, tools: Mapping[str, ToolSpec]) -> list[ToolSpec]:
        """Raises UsageError if one is named that there is not: but for `run`, and where the benchmark leaves `submit` alone."""
        wanted = set(self._settings.tools)
        unknown = wanted - {*tools, RUN}
        if unknown and set(tools) != {SUBMIT}:
            raise UsageError(f"react: there is no tool {min(unknown)!r} to offer; there are: {', '.join(sorted(tools))}")
        return [tool for name, tool in tools.items() if not wanted or name in wanted or name == SUBMIT]


def _submission(candidate: Candidate, trajectory: Trajectory) -> ToolCall:
    return ToolCall(f"submit_{len(trajectory.steps) + 1}", SUBMIT, candidate.arguments)
