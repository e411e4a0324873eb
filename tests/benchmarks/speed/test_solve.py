"""The measuring command measures: what it runs is what it times."""

import subprocess
import sys

import pytest

from ml_agent.benchmarks.speed.solve import measure


def test_time_and_memory_are_those_of_the_command() -> None:
    seconds, memory = measure([sys.executable, "-c", "import time; kept = b'x' * 150_000_000; time.sleep(0.3)"], 2)
    assert len(seconds) == 2
    assert all(s >= 0.3 for s in seconds)
    assert 150 < memory < 400


def test_a_run_that_fails_is_no_measurement() -> None:
    with pytest.raises(subprocess.CalledProcessError):
        measure([sys.executable, "-c", "raise SystemExit(3)"], 1)
