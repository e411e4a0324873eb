import json
import subprocess
import sys
from pathlib import Path

from ml_agent.benchmarks.speed.runner import bench_run, write_rows
from tests.commandline import environment


def test_the_rows_can_be_run(tmp_path: Path) -> None:
    write_rows(tmp_path / "rows.jsonl", 7)
    for number in range(7):
        (tmp_path / "repositories" / f"repository{number}").mkdir(parents=True)
        (tmp_path / "repositories" / f"repository{number}" / "train.py").write_text("print(1)\n")
    command = bench_run(tmp_path / "run", tmp_path / "rows.jsonl", tmp_path / "repositories")
    done = subprocess.run(command, capture_output=True, text=True, timeout=50, env=environment())
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["done"] == 7


def test_it_measures() -> None:
    program = [sys.executable, "-m", "ml_agent.benchmarks.speed.runner", "--samples", "10", "--attempts", "2"]
    done = subprocess.run(program, capture_output=True, text=True, timeout=55, env=environment())
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("ms an attempt") == 2
    assert "gone on with, finished" in done.stdout
