"""Let a policy decide the steps of a stored run once more: what `resume` goes on from, and what `replay` compares."""

import json
import math

from ml_agent.errors import Departed, MlAgentError
from ml_agent.limits import Remaining
from ml_agent.models.redaction import redacted
from ml_agent.policies.base import Policy
from ml_agent.trajectory import Decision, Trajectory

_UNKNOWN = Remaining(math.inf, math.inf, math.inf, math.inf, math.inf)


def rebuild(policy: Policy, before: Trajectory, into: Trajectory) -> None:
    """Bring `policy`, which was started on the task, to where the stored run `before` stopped; its steps are added to `into`.

    The policy sees the stored observations; its model, if it has one, has to give the stored replies. Raises Departed, with the step,
    where it decides something else.
    """
    for number, step in enumerate(before.steps, 1):
        try:
            now = policy.decide(into, step.remaining or _UNKNOWN)
        except Departed as error:
            raise Departed(f"step {number}: {error}") from error
        except MlAgentError as error:
            raise Departed(f"the replay departs at step {number}: the policy ends with {type(error).__name__}: {error}") from error
        then = step.decision
        if _plain(now) != _plain(then):
            raise Departed(f"the replay departs at step {number}: {_difference(then, now)}")
        into.steps.append(step)


def _plain(decision: Decision) -> str:
    """A decision as a file has it; the ids of calls, which a service draws anew each time, do not count."""
    calls = [[call.tool, dict(call.arguments)] for call in decision.calls]
    return json.dumps(redacted([decision.thought, calls]), sort_keys=True, default=str)


def _difference(then: Decision, now: Decision) -> str:
    if [call.tool for call in then.calls] != [call.tool for call in now.calls]:
        return f"it called {_names(then)} and calls {_names(now)}"
    for before, after in zip(then.calls, now.calls, strict=True):
        for name in sorted({*before.arguments, *after.arguments}):
            was, given = (json.dumps(call.arguments.get(name), default=str)[:80] for call in (before, after))
            if was != given:
                return f"the argument {name} of {after.tool} was {was} and is {given}"
    return "its thought is another"


def _names(decision: Decision) -> str:
    return ", ".join(call.tool for call in decision.calls) or "nothing"
