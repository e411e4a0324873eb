"""Folders for the time of a run."""

import fcntl
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ml_agent.errors import InfrastructureError
from ml_agent.sandbox.local import Local
from ml_agent.sandbox.scratch import Scratch, remove_stale
from tests.sandbox.support import SYSTEM


def test_scratch_folders_of_dead_processes_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    used = Scratch()
    assert used.folder.parent == tmp_path
    dead, young, strange = tmp_path / "workspace-dead", tmp_path / "workspace-young", tmp_path / "workspace-strange"
    for folder in (dead, young, strange):
        folder.mkdir()
    for folder in (dead, young):
        (folder / ".lock").touch()
    for folder in (dead, used.folder, strange):
        os.utime(folder, (time.time() - 3600,) * 2)
    remove_stale(tmp_path)
    assert not dead.exists()
    assert used.folder.exists()
    assert young.exists()
    assert strange.exists()
    assert used.remove() == []
    assert not used.folder.exists()


def test_a_scratch_folder_is_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    scratch = Scratch()
    with open(scratch.folder / ".lock") as file, pytest.raises(BlockingIOError):
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    scratch.remove()


def test_where_no_folder_can_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", "/proc")
    monkeypatch.setattr("tempfile.tempdir", "/proc")
    with pytest.raises(InfrastructureError, match="TMPDIR"):
        Scratch()


def test_the_folder_of_a_killed_local_sandbox_is_removed_by_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    program = f"""
import os, signal
from pathlib import Path
from ml_agent.sandbox.local import Local
from tests.sandbox.support import SYSTEM
Local(Path({str(tmp_path)!r}), SYSTEM).start()
os.kill(os.getpid(), signal.SIGKILL)
"""
    subprocess.run([sys.executable, "-c", program], cwd=Path(__file__).parents[2], timeout=30)
    (left,) = tmp_path.glob("ml-agent-local-*")
    os.utime(left, (time.time() - 3600,) * 2)
    with Local(tmp_path, SYSTEM) as sandbox:
        sandbox.start()
        assert not left.exists()
        (used,) = tmp_path.glob("ml-agent-local-*")
        os.utime(used, (time.time() - 3600,) * 2)
        with Local(tmp_path, SYSTEM) as other:
            other.start()
            assert used.exists()
    assert list(tmp_path.glob("ml-agent-local-*")) == []
