"""Folders that can be written to, that cannot, and that are full."""

import os
from pathlib import Path

import pytest

from ml_agent.doctor.folders import look_at_cache, look_at_state
from tests.doctor.support import given, mounted, read_only


@pytest.fixture(autouse=True)
def _no_tmpdir(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TMPDIR", raising=False)


def test_a_folder_that_is_not_there_yet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "a" / "b"))
    found = look_at_cache(given(tmp_path))
    assert found.status == "ok"
    assert found.detail.startswith(f"{tmp_path}/a/b/ml-agent (")
    assert "GB free" in found.detail
    assert "reflinks: " in found.detail
    assert list(tmp_path.iterdir()) == []


def test_the_type_of_its_file_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not os.access("/dev/shm", os.W_OK):
        pytest.skip("no /dev/shm")
    monkeypatch.setenv("XDG_STATE_HOME", f"/dev/shm/ml-agent-{os.getpid()}")
    assert "(tmpfs, " in look_at_state(given(tmp_path)).detail
    assert not Path(f"/dev/shm/ml-agent-{os.getpid()}").exists()


def test_a_read_only_cache_is_done_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with read_only(tmp_path / "closed") as folder:
        monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
        found = look_at_cache(given(tmp_path))
    assert found.status == "warning"
    assert "cannot be written to" in found.detail
    assert "copies of repositories go to /tmp" in found.detail
    assert "$XDG_CACHE_HOME" in (found.remedy or "")


def test_a_read_only_folder_for_records_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with read_only(tmp_path / "closed") as folder:
        monkeypatch.setenv("XDG_STATE_HOME", str(folder))
        found = look_at_state(given(tmp_path))
    assert found.status == "error"
    assert "$XDG_STATE_HOME" in (found.remedy or "")


def test_a_file_in_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    assert look_at_state(given(tmp_path)).status == "error"


def test_copies_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "other"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "other"))
    (tmp_path / "other").mkdir()
    found = look_at_cache(given(tmp_path))
    assert found.status == "ok"
    assert f"copies of repositories go to {tmp_path}/other (" in found.detail


@pytest.mark.skipif(os.getuid() != 0, reason="only root can mount a small file system")
@pytest.mark.parametrize(("size", "status"), [("20m", "error"), ("1g", "warning")])
def test_little_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: str, status: str) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    with mounted(tmp_path, f"size={size}"):
        found = look_at_state(given(tmp_path))
    assert found.status == status
    assert "make room there" in (found.remedy or "")
