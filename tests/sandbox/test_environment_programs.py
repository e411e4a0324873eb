"""Which other programs the interpreter of an Environment may start."""

import os
import sys
from pathlib import Path

import pytest

from ml_agent.sandbox.environment import find_environment


def test_a_wrapper_script_finds_no_program_of_the_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As pyenv's do, it looks for bash on PATH, where an activated environment of the repository comes first."""
    repository, marker = tmp_path / "repository", tmp_path / "executed"
    (repository / ".venv" / "bin").mkdir(parents=True)
    planted = repository / ".venv" / "bin" / "bash"
    planted.write_text(f'#!/bin/sh\ntouch {marker}\nexec /bin/bash "$@"\n')
    wrapper = tmp_path / "shims" / "python3"
    wrapper.parent.mkdir()
    wrapper.write_text(f'#!/usr/bin/env bash\nexec {os.path.realpath(sys.executable)} "$@"\n')
    for file in (planted, wrapper):
        file.chmod(0o755)
    monkeypatch.setenv("PATH", f"{planted.parent}:{wrapper.parent}:/usr/bin:/bin")
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    assert find_environment(repository, str(wrapper)).version
    assert not marker.exists()
