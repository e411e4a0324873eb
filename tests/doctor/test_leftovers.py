"""What killed runs have left is counted, and still there."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ml_agent.doctor.leftovers import look_at_leftovers
from tests.doctor.support import given
from tests.sandbox.engine import containers

TOP = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


def test_folders(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", "unix:///nosuch.sock")
    for name in ("workspace-a", "ml-agent-local-b", "workspace-young"):
        (place / name).mkdir()
        (place / name / ".lock").touch()
        if "young" not in name:
            os.utime(place / name, (time.time() - 3600,) * 2)
    found = look_at_leftovers(given(place))
    assert found.status == "warning"
    assert found.detail.startswith("2 folders")
    assert len(list(place.iterdir())) == 3


@pytest.mark.docker
def test_containers(place: Path) -> None:
    (place / "work").mkdir()
    program = f"""
import os, signal, docker
from pathlib import Path
from ml_agent.sandbox.docker import Docker
from tests.sandbox.support import SYSTEM
docker.APIClient.start = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
Docker(Path({str(place / "work")!r}), SYSTEM).start()
"""
    process = subprocess.Popen([sys.executable, "-c", program], cwd=TOP)
    process.wait(30)
    try:
        assert len(containers(process.pid)) == 1
        found = look_at_leftovers(given(place))
        assert found.status == "warning"
        assert "1 container" in found.detail
        assert len(containers(process.pid)) == 1
    finally:
        from ml_agent.sandbox import docker_owner
        from ml_agent.sandbox.docker_engine import connect

        api = connect()
        docker_owner.sweep(api)
        api.close()
