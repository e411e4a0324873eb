"""The steps of a generator as decisions."""

from pathlib import Path

from ml_agent.limits import Limits
from ml_agent.policies.stepwise import Plan, Stepwise, title
from ml_agent.task import Answer, Task
from ml_agent.trajectory import INTERRUPTED, Observation, Step, Trajectory

TASK = Task("do", Path("/"))
LEFT = Limits().remaining()


class Two(Stepwise):
    name = "two"

    def plan(self) -> Plan:
        first, second = yield "Look.", [("grep", {"pattern": self.task.instruction}), ("file_tree", {})]
        yield f"Saw {first.text} and {second.text}, {self.remaining.steps:g} left.", [("submit", {"code": "x"})]


def began() -> tuple[Two, Trajectory]:
    policy = Two()
    policy.start(TASK, {}, attempt=1, seed=2)
    return policy, Trajectory(TASK)


def test_each_yield_is_a_decision() -> None:
    policy, trajectory = began()
    assert (policy.attempt, policy.seed) == (1, 2)
    first = policy.decide(trajectory, LEFT)
    assert [(call.id, call.tool, call.arguments) for call in first.calls] == [("1.1", "grep", {"pattern": "do"}), ("1.2", "file_tree", {})]
    trajectory.steps.append(Step(first, (Observation("a"), Observation("b"))))
    second = policy.decide(trajectory, LEFT)
    assert (second.thought, second.calls[0].id) == ("Saw a and b, 50 left.", "2.1")


def test_what_was_interrupted_is_decided_once_more() -> None:
    policy, trajectory = began()
    first = policy.decide(trajectory, LEFT)
    trajectory.steps.append(Step(first, (Observation("a"), INTERRUPTED)))
    again = policy.decide(trajectory, LEFT)
    assert [call.tool for call in again.calls] == ["grep", "file_tree"]
    trajectory.steps.append(Step(again, (Observation("a"), Observation("c"))))
    assert policy.decide(trajectory, LEFT).thought.startswith("Saw a and c")


def test_it_can_begin_again() -> None:
    policy, trajectory = began()
    policy.decide(trajectory, LEFT)
    policy.start(TASK, {})
    assert policy.decide(Trajectory(TASK), LEFT).thought == "Look."


def test_titles_are_short() -> None:
    assert title(Answer("bash", "a\nb", "x")) == "cd x && a"
    assert title(Answer("bash", " ")) == ""
    assert len(title(Answer("python", "x" * 500))) == 120
