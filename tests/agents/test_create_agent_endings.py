"""How a run of langchain's loop ends from outside: a signal while a tool is at work, a container that goes."""

import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from ml_agent.agents import AgentChoice
from ml_agent.limits import Limits
from ml_agent.models.scripted import scripted_model
from ml_agent.sandbox.docker_engine import connect
from ml_agent.sandbox.options import Options
from ml_agent.task import Task
from ml_agent.tools import default_tools
from ml_agent.trajectory import INTERRUPTED, End, read_trajectory
from ml_agent.workspace import Workspace
from tests.pace import within
from tests.sandbox.engine import containers
from tests.test_agent_endings import ROOT, sleepers
from tests.tools.support import repository

LONG_RUN = """
import sys
from pathlib import Path
from ml_agent.agents import AgentChoice
from ml_agent.interrupts import cancellable
from ml_agent.limits import Limits
from ml_agent.models.choice import held
from ml_agent.models.scripted import scripted_model
from ml_agent.sandbox.options import Options
from ml_agent.task import Task
from ml_agent.tools import default_tools
from ml_agent.trajectory import TrajectoryFile
from ml_agent.workspace import Workspace

root, path, sandbox = sys.argv[1:]
long = ("run", {"language": "bash", "code": "exec sleep 54321", "timeout": 100})
model = scripted_model([("file_tree", {})], [("file_tree", {}), long, ("file_tree", {})])
with cancellable(), Workspace(Path(root), Options(sandbox=sandbox)) as workspace:
    limits, file = Limits(), TrajectoryFile(Path(path))
    agent = AgentChoice("create-agent").make(model=held(model, limits, file.exchange), trajectory_file=file)
    end = agent.run(Task("x", Path(root)), workspace, default_tools(), limits).end
sys.exit(130 if end.outcome == "cancelled" else 0)
"""


@pytest.mark.parametrize("sandbox", ["local", pytest.param("bubblewrap", marks=pytest.mark.bubblewrap)])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_between_a_call_and_its_result(tmp_path: Path, sandbox: str, number: signal.Signals) -> None:
    before = sleepers()
    path = tmp_path / "t"
    command = [sys.executable, "-c", LONG_RUN, str(repository(tmp_path)), str(path), sandbox]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=ROOT)
    try:
        until = time.monotonic() + 30
        while not (started := sleepers() - before) and process.poll() is None and time.monotonic() < until:
            time.sleep(0.05)
        assert started, "the run did not start"
        process.send_signal(number)
        with within(10):
            assert process.wait(timeout=20) == 130
    finally:
        process.kill()
        process.wait()
    read = read_trajectory(path)
    assert read.end == End("cancelled", message=number.name)
    assert [call.id for call in read.steps[1].decision.calls] == ["call-1-0", "call-1-1", "call-1-2"]
    assert [o.error for o in read.steps[1].observations] == [None, "Interrupted", "Interrupted"]
    assert read.steps[1].observations[1] == INTERRUPTED
    assert not sleepers() & started


@pytest.mark.docker
def test_a_container_that_goes_ends_it_as_infrastructure(tmp_path: Path) -> None:
    call = ("run", {"language": "bash", "code": "echo here"})

    def removed(messages: Any) -> Any:
        api = connect()
        api.remove_container(containers()[0], force=True)
        api.close()
        return [call]

    root = repository(tmp_path)
    with Workspace(root, Options(sandbox="docker")) as workspace:
        agent = AgentChoice("create-agent").make(model=scripted_model([call], removed, *[[call]] * 9))
        trajectory = agent.run(Task("x", root), workspace, default_tools(), Limits(seconds=60))
    assert "here" in trajectory.steps[0].observations[0].text
    assert trajectory.end is not None
    assert trajectory.end.outcome == "infrastructure"
    assert len(trajectory.steps) <= 4
