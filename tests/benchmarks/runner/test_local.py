"""A worker's sandbox is taken away while it is at work."""

import threading
import time
from pathlib import Path

import pytest

from ml_agent.benchmarks import faults
from ml_agent.benchmarks.runner import RunOptions, run
from ml_agent.benchmarks.runs import Run
from ml_agent.sandbox.docker_engine import connect
from tests.benchmarks.runner.support import checkouts, policy, processes, suite_of
from tests.sandbox.engine import containers

RUNNING = '''\
import os
from ml_agent.trajectory import Decision, ToolCall

class Running:
    """Runs something long the first time, then submits."""

    name = "running"

    def start(self, task, tools, *, attempt=0, seed=0):
        self.place = task.instruction.split()[-1]

    def decide(self, trajectory, remaining):
        if not os.path.exists(self.place):
            open(self.place, "w").close()
            return Decision("", (ToolCall("1", "run", {"language": "bash", "code": "sleep 40", "timeout": 60}),))
        return Decision("", (ToolCall("1", "submit", {"language": "bash", "code": "python train.py --epochs 1"}),))
'''


def remove_container() -> None:
    """That of the first worker that has one running."""
    deadline = time.monotonic() + 40
    while time.monotonic() < deadline:
        for line in processes("ml_agent.benchmarks.runner.worker"):
            for name in containers(int(line.split()[0])):
                time.sleep(1.0)
                api = connect()
                api.remove_container(name, force=True)
                api.close()
                return
        time.sleep(0.1)


@pytest.mark.docker
def test_a_container_removed_in_the_middle_is_no_wrong_answer(smoke: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The attempt is made again, and answered."""
    monkeypatch.setitem(faults.TREATMENTS, "infrastructure", faults.Treatment(1, (0.0,)))
    suite = suite_of(f"run {tmp_path}/ran")
    options = RunOptions(policy=policy(tmp_path, RUNNING, "Running"), execute=True, sandbox="docker")
    remover = threading.Thread(target=remove_container)
    remover.start()
    done = run(suite, checkouts(suite, smoke), tmp_path / "run", options)
    remover.join()
    assert (done.retries, dict(done.endings)) == (1, {"answered": 1})
    (attempt,) = Run(tmp_path / "run").attempts()
    assert attempt.record is not None
    assert attempt.record.outcome == "completed"
