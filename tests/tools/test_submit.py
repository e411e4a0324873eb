from typing import Any

import pytest

from ml_agent.errors import ToolError
from ml_agent.policies.scripted import decision
from ml_agent.task import Answer, Evidence, Task
from ml_agent.trajectory import Observation, Step, Trajectory
from ml_agent.workspace import Workspace
from tests.tools.support import BAD, GOOD, call


def submitted(workspace: Workspace, arguments: dict[str, Any], rejections: int, made: Observation | None = None) -> Observation:
    """Submit after so many rejections, each in a step of its own."""
    trajectory = Trajectory(Task("x", workspace.repository))
    for _ in range(rejections):
        trajectory.steps.append(Step(decision(("submit", arguments)), (made or Observation("rejected", {"accepted": False}),)))
    return call(workspace, "submit", trajectory=trajectory, **arguments)


def test_a_good_answer_is_accepted_with_its_evidence(workspace: Workspace) -> None:
    evidence = [{"part": "--lr 0.5", "words": "a rate of 0.5", "source": "examples/train.py:11"}, {"part": "python"}]
    seen = call(workspace, "submit", **GOOD, evidence=evidence, unused=["mirrored"])
    cited = (Evidence("--lr 0.5", "a rate of 0.5", "examples/train.py:11"), Evidence("python"))
    assert seen.accepted == Answer("bash", GOOD["code"], "examples", cited, ("mirrored",))
    assert seen.data == {"accepted": True, "verified": True, "findings": []}


def test_findings_reject_twice_and_never_a_third_time(workspace: Workspace) -> None:
    for rejections in (0, 1):
        seen = submitted(workspace, BAD, rejections)
        assert seen.accepted is None
        assert seen.data["accepted"] is False
        assert seen.text.startswith("rejected\nerror: option: ")
    seen = submitted(workspace, BAD, 2)
    assert seen.accepted == Answer("bash", BAD["code"], "examples")
    assert seen.data["accepted"] is True
    assert seen.data["verified"] is False
    assert seen.data["findings"]
    assert seen.text.startswith("accepted, unverified\n")


def test_refusals_for_other_reasons_do_not_count(workspace: Workspace) -> None:
    failed = Observation("the answer is empty", error="ToolError")
    assert submitted(workspace, BAD, 5, failed).accepted is None


@pytest.mark.parametrize("code", ["", "  \n\t"])
def test_an_empty_answer_is_always_refused(workspace: Workspace, code: str) -> None:
    with pytest.raises(ToolError, match="empty"):
        submitted(workspace, GOOD | {"code": code}, 5)
