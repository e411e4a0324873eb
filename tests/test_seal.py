"""A mark that this user alone can make."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from ml_agent.seal import is_own, seal
from tests.commandline import environment

VALUE = {"policy": "grounded", "data": ["größer \udcff", 1.5, None]}


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "ml-agent"


def test_what_was_sealed_is_ones_own_and_nothing_else(state: Path) -> None:
    mark = seal(VALUE)
    assert is_own(VALUE, mark)
    assert is_own({"data": VALUE["data"], "policy": "grounded"}, mark)
    assert not is_own({**VALUE, "policy": "planted.py:Policy"}, mark)
    for other in (seal({}), mark[:-1], "", None, 3, "é", "\udcff"):
        assert not is_own(VALUE, other)
    assert stat.S_IMODE((state / "seal").stat().st_mode) == 0o600
    assert os.listdir(state) == ["seal"]


def test_another_user_has_another(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    mark = seal(VALUE)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "another"))
    assert not is_own(VALUE, mark)
    assert not (tmp_path / "another").exists(), "to ask makes nothing"
    assert seal(VALUE) != mark


@pytest.mark.parametrize("content", [b"", b"short", b"x" * 1000])
def test_a_damaged_key_makes_and_takes_no_mark(state: Path, content: bytes) -> None:
    mark = seal(VALUE)
    (state / "seal").write_bytes(content)
    assert seal(VALUE) == ""
    assert not is_own(VALUE, mark)
    assert not is_own(VALUE, "")


def test_a_folder_that_cannot_be_written_to_is_no_failure(state: Path) -> None:
    state.parent.mkdir()
    state.write_text("a file")
    assert seal(VALUE) == ""
    assert not is_own(VALUE, "")


def test_solves_that_begin_together_have_one_key() -> None:
    code = "from ml_agent.seal import seal; print(seal([1]))"
    processes = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=environment()) for _ in range(6)]
    marks = {process.communicate(timeout=20)[0] for process in processes}
    assert len(marks) == 1
    assert is_own([1], marks.pop().strip())
