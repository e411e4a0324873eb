import json
from pathlib import Path

import pytest

from ml_agent.errors import ToolError
from ml_agent.limits import Limits
from ml_agent.workspace import Workspace
from tests.tools.support import GOOD, call


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
def test_a_timeout_is_kept(sandboxed: Workspace) -> None:
    seen = call(sandboxed, "run", language="bash", code="sleep 30", timeout=0.5)
    assert seen.data["outcome"] == "running_at_limit"
    assert seen.data["seconds"] < 5


@pytest.mark.bubblewrap
def test_no_code_is_no_run(sandboxed: Workspace) -> None:
    with pytest.raises(ToolError, match="no code"):
        call(sandboxed, "run", language="bash", code=" ")


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
