"""Interrupted: the record is readable, the sandbox is gone, nothing is left behind."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from ml_agent.trajectory import read_trajectory
from tests.commandline import COMMAND, environment, run, scripted, submit


def processes_with(mark: str) -> list[str]:
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and mark.encode() in (entry / "cmdline").read_bytes():
                found.append(entry.name)
        except OSError:  # it has ended
            continue
    return found


@pytest.mark.bubblewrap
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_while_it_runs(smoke: Path, tmp_path: Path, number: signal.Signals) -> None:
    mark = f"600.{os.getpid()}{int(number)}"
    policy = scripted(tmp_path, run(f"setsid sleep {mark} & sleep {mark}", timeout=600), submit("python train.py"))
    (tmp_path / "tmp").mkdir()
    env = environment(TMPDIR=str(tmp_path / "tmp"), XDG_STATE_HOME=str(tmp_path / "state"))
    command: list[str | Path] = [*COMMAND, "solve", "--repo", smoke, "--task", "x", "--policy", policy, "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)
    deadline = time.monotonic() + 30
    while not processes_with(f"sleep\0{mark}"):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(number)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "interrupted" in err
    assert "Traceback" not in err

    assert processes_with(f"sleep\0{mark}") == []
    assert list((tmp_path / "tmp").iterdir()) == []
    data = json.loads(out)
    assert data["answer"] is None
    trajectory = read_trajectory(Path(data["trajectory"]))
    assert trajectory.end is not None
    assert trajectory.end.outcome == "cancelled"
    (_, observation), *_ = trajectory.observations("run")
    assert observation.error == "Interrupted"
