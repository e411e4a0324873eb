from pathlib import Path

import pytest

from ml_agent.errors import UsageError
from ml_agent.limits import Limits
from ml_agent.policies.scripted import Scripted, decision
from ml_agent.task import Task
from ml_agent.trajectory import Step, ToolCall, Trajectory


def test_a_decision_of_calls() -> None:
    made = decision(("grep", {"pattern": "x"}), ("file_tree", {}), thought="look")
    assert made.thought == "look"
    assert made.calls == (ToolCall("call-1", "grep", {"pattern": "x"}), ToolCall("call-2", "file_tree", {}))


def test_it_plays_in_order_and_the_trajectory_says_how_far_it_is() -> None:
    script = [decision(("grep", {"pattern": str(n)})) for n in range(3)]
    trajectory = Trajectory(Task("x", Path("/")))
    remaining = Limits().remaining()
    for expected in script:
        policy = Scripted(iter(script))  # a new one goes on where the old one was
        policy.start(trajectory.task, {})
        assert policy.decide(trajectory, remaining) is expected
        assert policy.decide(trajectory, remaining) is expected
        trajectory.steps.append(Step(expected, ()))
    with pytest.raises(UsageError, match=r"over after 3 decisions.*submit"):
        Scripted(script).decide(trajectory, remaining)
