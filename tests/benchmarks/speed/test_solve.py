"""The measuring command measures: what it runs is what it times."""

import ast
import subprocess
import sys

import pytest

from ml_agent.benchmarks.speed.solve import measure


def test_time_and_memory_are_those_of_the_command() -> None:
    code = "import time; kept = b'x' * 150_000_000; time.sleep(0.3)"
    call = f"import sys; from ml_agent.benchmarks.speed.solve import measure; print(measure([sys.executable, '-c', {code!r}], 2))"
    printed = subprocess.run([sys.executable, "-c", call], capture_output=True, text=True, check=True).stdout  # this process may be large
    seconds, memory = ast.literal_eval(printed)
    assert len(seconds) == 2
    assert all(s >= 0.3 for s in seconds)
    assert 150 < memory < 400


def test_a_run_that_fails_is_no_measurement() -> None:
    with pytest.raises(subprocess.CalledProcessError):
        measure([sys.executable, "-c", "raise SystemExit(3)"], 1)
