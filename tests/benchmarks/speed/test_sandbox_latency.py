"""The measuring command measures both sandboxes beside their engines."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.docker
@pytest.mark.bubblewrap
def test_each_sandbox_gets_a_row_of_four_figures(smoke: Path) -> None:
    command = [sys.executable, "-m", "ml_agent.benchmarks.speed.sandbox_latency", str(smoke), "--runs", "2"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=50)
    assert done.returncode == 0, done.stderr
    rows = {name: [float(word) for word in figures] for name, *figures in map(str.split, done.stdout.splitlines()[1:])}
    assert set(rows) == {"docker", "bubblewrap"}
    for ours, raw, ratio, ready in rows.values():
        assert 0 < ours < 5
        assert 0 < raw < 5
        assert ratio > 0
        assert 0 < ready < 20


def test_a_sandbox_that_is_not_to_be_had_is_said(smoke: Path) -> None:
    command = [sys.executable, "-m", "ml_agent.benchmarks.speed.sandbox_latency", str(smoke), "--runs", "1"]
    environment = {**os.environ, "DOCKER_HOST": "unix:///nosuch.sock", "PATH": "/nowhere"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=50, env=environment)
    assert "docker      there is no Docker engine" in done.stdout, done.stderr
