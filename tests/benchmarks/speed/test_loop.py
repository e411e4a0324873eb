"""The measuring command measures what a step costs; and it costs what the design allows."""

import statistics
import subprocess
import sys
from pathlib import Path

import pytest

from ml_agent.benchmarks.speed.loop import measure
from ml_agent.trajectory import read_trajectory
from tests.commandline import environment
from tests.pace import slowness


def test_it_measures() -> None:
    command = [sys.executable, "-m", "ml_agent.benchmarks.speed.loop", "--steps", "20", "--runs", "1", "--characters", "1000"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=50, env=environment())
    assert done.returncode == 0, done.stderr
    rows = [line.split() for line in done.stdout.splitlines()[1:]]
    assert [row[0] for row in rows] == ["100"] * 3 + ["1000"] * 3
    assert all(0 < float(figure) < 100 for row in rows for figure in row[-2:])


@pytest.mark.parametrize("model", [False, True])
def test_a_step_costs_a_millisecond_at_most(tmp_path: Path, model: bool) -> None:
    runs = [measure(tmp_path, 100, 2_000, record=True, model=model) for _ in range(3)]
    assert min(map(statistics.median, runs)) <= 1.0 * slowness()


def test_what_is_measured_is_a_whole_run(tmp_path: Path) -> None:
    assert len(measure(tmp_path, 7, 50, record=True, model=True)) == 7
    read = read_trajectory(tmp_path / "record.jsonl")
    assert [step.observations[0].text[:12] for step in read.steps] == ["    parser.a"] * 8
    assert len(read.exchanges) == 8
