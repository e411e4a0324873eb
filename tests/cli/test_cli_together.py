"""Many solves at once on one repository: all end with their own answer, and nothing of them is left."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.commandline import COMMAND, environment
from tests.sandbox.engine import containers
from tests.sandbox.leftovers import left_behind

_TOGETHER = 10


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    "sandbox", [pytest.param("docker", marks=pytest.mark.docker), pytest.param("bubblewrap", marks=pytest.mark.bubblewrap)]
)
def test_ten_solves_at_once(smoke: Path, tmp_path: Path, sandbox: str) -> None:
    before = {path: path.stat().st_mtime_ns for path in smoke.rglob("*")}
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    started = []
    for number in range(1, _TOGETHER + 1):
        task = f"train the MLP on the moons with a learning rate of 0.05 for {number} epochs"
        env = environment(TMPDIR=str(scratch), XDG_STATE_HOME=str(tmp_path / "state"))
        words: list[str | Path] = [*COMMAND, "solve", "--repo", smoke, "--task", task, "--sandbox", sandbox, "--json"]
        started.append(subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env))
    try:
        for number, process in enumerate(started, start=1):
            out, err = process.communicate(timeout=100)
            assert process.returncode == 0, err
            said = json.loads(out)
            assert f"--epochs {number}" in said["answer"]["code"] + " "
            assert said["run"]["outcome"] == "completed"
    finally:
        for process in started:
            process.kill()
            process.communicate()
    assert [left for process in started for left in left_behind([], process.pid)] == []
    if sandbox == "docker":
        assert [name for process in started for name in containers(process.pid)] == []
    assert list(scratch.iterdir()) == []
    assert {path: path.stat().st_mtime_ns for path in smoke.rglob("*")} == before
