"""Which programs ml-agent starts itself."""

from pathlib import Path

import pytest

from ml_agent import executables
from ml_agent.errors import SandboxUnavailable
from ml_agent.executables import find_program
from ml_agent.sandbox.bubblewrap import Bubblewrap
from tests.sandbox.support import SYSTEM


def test_the_machines_own() -> None:
    assert find_program("sh") in ("/usr/bin/sh", "/bin/sh", "/run/current-system/sw/bin/sh")
    assert find_program("nosuchprogram") is None


def test_what_stands_on_path_alone_is_not_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planted, marker = tmp_path / "bwrap", tmp_path / "executed"
    planted.write_text(f"#!/bin/sh\ntouch {marker}\n")
    planted.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setattr(executables, "FOLDERS", str(tmp_path / "nowhere"))
    assert find_program("bwrap") is None
    with pytest.raises(SandboxUnavailable, match="not installed"):
        Bubblewrap(tmp_path, SYSTEM).start()
    assert not marker.exists()
