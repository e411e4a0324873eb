import json

import pytest
from pydantic import ValidationError

from ml_agent.errors import ToolError
from ml_agent.workspace import Workspace
from tests.tools.support import BAD, GOOD, call


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


@pytest.mark.parametrize("workdir", ["..", "/tmp", "examples/../.."])
def test_a_working_folder_outside_is_refused(workspace: Workspace, workdir: str) -> None:
    for tool in ("submit", "check_answer", "run"):
        with pytest.raises(ToolError, match=r"leaves the repository|relative to the root"):
            call(workspace, tool, **GOOD | {"workdir": workdir})


def test_another_language_does_not_validate(workspace: Workspace) -> None:
    with pytest.raises(ValidationError):
        call(workspace, "submit", language="perl", code="x")
