"""The tools for answers: check_answer, run, submit."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from ml_agent.errors import ToolError
from ml_agent.limits import Limits
from ml_agent.policies.scripted import decision
from ml_agent.task import Answer, Evidence, Task
from ml_agent.trajectory import Observation, Step, Trajectory
from ml_agent.workspace import Workspace
from tests.tools.support import call, repository

GOOD: dict[str, Any] = {"language": "bash", "code": "python train.py --lr 0.5 --out m.txt", "workdir": "examples"}
BAD: dict[str, Any] = {"language": "bash", "code": "python train.py --learnrate 0.5 --out m.txt", "workdir": "examples"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return repository(tmp_path)


@pytest.fixture
def workspace(root: Path) -> Iterator[Workspace]:
    with Workspace(root, sandbox="none") as made:
        yield made


@pytest.fixture
def sandboxed(root: Path) -> Iterator[Workspace]:
    with Workspace(root, sandbox="bubblewrap") as made:
        yield made


def test_a_check_that_passes_and_one_that_does_not(workspace: Workspace) -> None:
    seen = call(workspace, "check_answer", **GOOD)
    assert seen.data == {"ok": True, "findings": []}
    assert seen.text.startswith("passed")
    seen = call(workspace, "check_answer", **BAD)
    finding = seen.data["findings"][0]
    assert seen.data["ok"] is False
    assert seen.accepted is None
    assert set(finding) == {"kind", "message", "place", "source", "suggestion", "severity"}
    assert finding["kind"] == "option"
    assert "--learnrate" in finding["place"]
    assert seen.text.startswith("failed\nerror: option: ")
    assert json.loads(json.dumps(seen.data)) == seen.data


def submitted(workspace: Workspace, arguments: dict[str, Any], rejections: int, made: Observation | None = None) -> Observation:
    """Submit after so many rejections, each in a step of its own."""
    trajectory = Trajectory(Task("x", workspace.repository))
    for _ in range(rejections):
        trajectory.steps.append(Step(decision(("submit", arguments)), (made or Observation("rejected", {"accepted": False}),)))
    return call(workspace, "submit", trajectory=trajectory, **arguments)


def test_a_good_answer_is_accepted_with_its_evidence(workspace: Workspace) -> None:
    evidence = [{"part": "--lr 0.5", "words": "a rate of 0.5", "source": "examples/train.py:11"}, {"part": "python"}]
    seen = call(workspace, "submit", **GOOD, evidence=evidence)
    cited = (Evidence("--lr 0.5", "a rate of 0.5", "examples/train.py:11"), Evidence("python"))
    assert seen.accepted == Answer("bash", GOOD["code"], "examples", cited)
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


@pytest.mark.parametrize("workdir", ["..", "/tmp", "examples/../.."])
def test_a_working_folder_outside_is_refused(workspace: Workspace, workdir: str) -> None:
    for tool in ("submit", "check_answer", "run"):
        with pytest.raises(ToolError, match=r"leaves the repository|relative to the root"):
            call(workspace, tool, **GOOD | {"workdir": workdir})


def test_another_language_does_not_validate(workspace: Workspace) -> None:
    with pytest.raises(ValidationError):
        call(workspace, "submit", language="perl", code="x")


def test_without_a_sandbox_nothing_is_run(workspace: Workspace) -> None:
    seen = call(workspace, "run", **GOOD)
    assert seen.data["outcome"] == "not_run"
    assert seen.text.startswith("outcome: not_run")


@pytest.mark.bubblewrap
def test_a_run_that_works(sandboxed: Workspace, root: Path) -> None:
    limits = Limits()
    seen = call(sandboxed, "run", limits=limits, **GOOD)
    assert seen.data["outcome"] == "completed"
    assert seen.data["exit_code"] == 0
    assert "fitted with 0.5" in seen.data["output_tail"]
    assert "fitted with 0.5" in seen.text
    assert "examples/m.txt" in seen.data["made"]
    assert "files made: " in seen.text
    assert not (root / "examples" / "m.txt").exists()
    assert json.loads(json.dumps(seen.data)) == seen.data
    assert seen.data["seconds"] > 0


@pytest.mark.bubblewrap
def test_a_run_that_fails_and_one_that_lacks_a_module(sandboxed: Workspace) -> None:
    failed = call(sandboxed, "run", language="bash", code="python train.py", workdir="examples")
    assert failed.data["outcome"] == "failed"
    assert "exit code: 2" in failed.text
    assert "--out" in failed.text
    missing = call(sandboxed, "run", language="python", code="import no_such_module_zz")
    assert missing.data["outcome"] == "environment"
    assert missing.data["missing"]
    assert "no_such_module_zz" in missing.data["missing"]
    assert "missing here: " in missing.text


@pytest.mark.bubblewrap
def test_what_was_written_is_run(sandboxed: Workspace) -> None:
    call(sandboxed, "write_file", path="try.py", content="import lines.model\nprint(lines.model.Line(3).slope)\n")
    assert "3" in call(sandboxed, "run", language="bash", code="python try.py").data["output_tail"]


@pytest.mark.bubblewrap
def test_the_time_of_a_run_is_capped_and_spent(sandboxed: Workspace) -> None:
    limits = Limits(seconds=60, sandbox_seconds=1.0)
    seen = call(sandboxed, "run", limits=limits, language="bash", code="echo begun; sleep 30", timeout=20)
    assert seen.data["outcome"] == "running_at_limit"
    assert "begun" in seen.text
    assert 0.5 < seen.data["seconds"] < 5
    assert limits.run_seconds() < 0.5
    limits.spend(sandbox_seconds=1)
    with pytest.raises(ToolError, match="submit an answer without running it"):
        call(sandboxed, "run", limits=limits, **GOOD)
    limits.check()  # the solve itself goes on


@pytest.mark.bubblewrap
def test_a_timeout_is_kept(sandboxed: Workspace) -> None:
    seen = call(sandboxed, "run", language="bash", code="sleep 30", timeout=0.5)
    assert seen.data["outcome"] == "running_at_limit"
    assert seen.data["seconds"] < 5


@pytest.mark.bubblewrap
def test_no_code_is_no_run(sandboxed: Workspace) -> None:
    with pytest.raises(ToolError, match="no code"):
        call(sandboxed, "run", language="bash", code=" ")
