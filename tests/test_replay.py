"""A policy decides the steps of a stored run again, and where it decides something else is said."""

import math
from collections.abc import Mapping
from pathlib import Path

import pytest

from ml_agent.errors import Departed, InfrastructureError, LimitReached, MlAgentError, NoAnswer
from ml_agent.limits import Remaining
from ml_agent.policies.base import ToolSpec
from ml_agent.policies.scripted import Scripted, decision
from ml_agent.replay import rebuild
from ml_agent.task import Task
from ml_agent.trajectory import INTERRUPTED, Decision, Observation, Step, ToolCall, Trajectory, TrajectoryFile, read_trajectory

LOOK = decision(("file_tree", {}), ("grep", {"pattern": "lr", "limit": 3}), thought="look")
TRY = decision(("run", {"code": "python train.py"}))
LEFT = Remaining(49.0, 100.0, math.inf, math.inf, math.inf)
STORED = [Step(LOOK, (Observation("a"), Observation("b"))), Step(TRY, (INTERRUPTED,), LEFT)]


def trajectory(*steps: Step) -> Trajectory:
    return Trajectory(Task("x", Path("/r")), "scripted", list(steps))


class Watching:
    """Decides as it did, and notes what it is told."""

    name = "watching"

    def __init__(self) -> None:
        self.seen: list[tuple[int, Remaining]] = []

    def start(self, task: Task, tools: Mapping[str, ToolSpec], *, attempt: int = 0, seed: int = 0) -> None:
        pass

    def decide(self, before: Trajectory, remaining: Remaining) -> Decision:
        self.seen.append((len(before.steps), remaining))
        return STORED[len(before.steps)].decision


def test_the_policy_is_told_what_it_was_told() -> None:
    policy, into = Watching(), trajectory()
    rebuild(policy, trajectory(*STORED), into)
    assert into.steps == STORED
    assert policy.seen == [(0, Remaining(*[math.inf] * 5)), (1, LEFT)]  # an older file does not say what remained


@pytest.mark.parametrize(
    ("now", "words"),
    [
        ([decision(("file_tree", {}), thought="look"), TRY], "at step 1: it called file_tree, grep and calls file_tree"),
        ([Decision("look", ()), TRY], "at step 1: it called file_tree, grep and calls nothing"),
        ([decision(*[(c.tool, c.arguments) for c in LOOK.calls], thought="hm"), TRY], "at step 1: its thought is another"),
        ([LOOK, decision(("run", {"code": "ls"}))], 'at step 2: the argument code of run was "python train.py" and is "ls"'),
        ([LOOK, decision(("run", {}))], 'at step 2: the argument code of run was "python train.py" and is null'),
        ([LOOK, decision(("run", {"code": "python train.py", "timeout": 1}))], "the argument timeout of run was null and is 1"),
        ([LOOK], "at step 2: the policy ends with UsageError: the script is over after 1 decisions"),
    ],
)
def test_where_it_departs_is_said(now: list[Decision], words: str) -> None:
    with pytest.raises(Departed) as caught:
        rebuild(Scripted(now), trajectory(*STORED), trajectory())
    assert str(caught.value).startswith(f"the replay departs {words}" if words.startswith("at") else "the replay departs")
    assert words in str(caught.value)


@pytest.mark.parametrize(
    "error", [NoAnswer("no"), InfrastructureError("no"), LimitReached("steps", "no"), Departed("at call 3 of the model")]
)
def test_a_policy_that_ends_in_place_of_deciding(error: MlAgentError) -> None:
    class Ends(Watching):
        def decide(self, before: Trajectory, remaining: Remaining) -> Decision:
            raise error

    with pytest.raises(Departed, match="step 1: ") as caught:
        rebuild(Ends(), trajectory(*STORED), trajectory())
    assert str(error) in str(caught.value)


def test_a_fault_of_the_policys_code_is_no_departure() -> None:
    class Broken(Watching):
        def decide(self, before: Trajectory, remaining: Remaining) -> Decision:
            raise KeyError("x")

    with pytest.raises(KeyError):
        rebuild(Broken(), trajectory(*STORED), trajectory())


def test_what_a_file_changes_of_a_decision_is_no_departure(tmp_path: Path) -> None:
    """Ids that a service draws anew, tuples, paths, surrogates, and keys, which no file has."""
    key = "sk-abcdefghijklmnopqrstuv"
    arguments = {"code": f"curl -H {key}", "evidence": ({"part": "größer \udcff"},), "n": 1.0, "path": Path("/a")}
    then = Decision(f"with {key}", (ToolCall("call_a", "run", arguments),))
    file = TrajectoryFile(tmp_path / "t")
    file.header(trajectory())
    file.decision(then, LEFT)
    file.close()
    now = Decision(f"with {key}", (ToolCall("call_b", "run", arguments),))
    rebuild(Scripted([now]), read_trajectory(tmp_path / "t"), trajectory())
