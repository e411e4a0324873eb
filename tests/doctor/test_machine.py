"""The interpreter that runs see, and control groups."""

import os
import sys
from pathlib import Path

from ml_agent.doctor.check import Given
from ml_agent.doctor.machine import look_at_control_groups, look_at_interpreter
from ml_agent.sandbox import cgroups
from tests.doctor.support import given
from tests.sandbox.support import can_bound


def test_the_interpreter_of_a_repository(tmp_path: Path) -> None:
    found = look_at_interpreter(Given(tmp_path, sys.executable, tmp_path))
    assert found.status in ("ok", "warning")
    assert found.value.python in found.detail
    assert f"(Python {'.'.join(map(str, sys.version_info[:3]))}, " in found.detail


def test_a_broken_one(tmp_path: Path) -> None:
    (tmp_path / "python").write_text("no program")
    (tmp_path / "python").chmod(0o755)
    for python in ("nosuch", str(tmp_path / "python"), "", str(tmp_path)):
        found = look_at_interpreter(Given(Path("/nonexistent"), python, tmp_path))
        assert found.status == "error"
        assert (found.remedy or "").startswith("give --python")
        assert "give --python" not in found.detail


def test_a_virtual_environment_that_is_not_used(tmp_path: Path) -> None:
    (tmp_path / ".venv").mkdir()
    found = look_at_interpreter(Given(tmp_path, None, tmp_path))
    assert found.status == "warning"
    assert "the repository's .venv is not used" in found.detail
    assert found.value is not None


def test_control_groups(tmp_path: Path) -> None:
    found = look_at_control_groups(given(tmp_path))
    assert found.status == ("ok" if all(can_bound()) else "warning")
    assert (found.remedy is None) == (found.status == "ok")
    assert [group for group in cgroups.stale() if f"-{os.getpid()}-" in group.name] == []
