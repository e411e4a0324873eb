"""What the runner costs: an attempt of a policy that does nothing, going on with a finished run, memory, and a second worker.

python -m ml_agent.benchmarks.speed.runner [--samples N] [--attempts K] [--rows ROWS.jsonl --repos DIR]

Runs stand below /dev/shm, where fsync costs nothing. With rows and repositories, `grounded` is run over them by one worker and by two.
Each figure is of a process of its own.
"""

import argparse
import json
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from ml_agent.benchmarks.speed.solve import measure

_POLICY = """\
from ml_agent.errors import NoAnswer

class Nothing:
    name = "nothing"

    def start(self, task, tools, *, attempt=0, seed=0):
        pass

    def decide(self, trajectory, remaining):
        raise NoAnswer("nothing")
"""


def write_rows(path: Path, count: int) -> None:
    """As many rows of ML-Bench's format, over seven repositories."""
    with path.open("w") as file:
        for number in range(count):
            row: dict[str, Any] = {
                "github_id": number % 7,
                "github": f"https://example.org/some/repository{number % 7}",
                "repo_id": number,
                "path": "./",
                "arguments": f"{{'lr': '{number}'}}",
                "instruction": f"Train the model with a learning rate of {number}, please. " * 4,
                "oracle": "Run train.py with --lr. " * 20,
                "type": "Bash Script",
                "id": number,
                "prefix_code": "",
                "output": f"python train.py --lr {number}",
            }
            file.write(json.dumps(row) + "\n")


def bench_run(folder: Path, rows: Path, repositories: Path, *more: str) -> list[str]:
    program = [sys.executable, "-m", "ml_agent", "bench", "run", "ml-bench", "--no-run", "--json"]
    return [*program, "--data", str(rows), "--repos", str(repositories), "--out", str(folder), *more]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=int, default=9641)
    parser.add_argument("--attempts", type=int, default=5)
    parser.add_argument("--rows", type=Path)
    parser.add_argument("--repos", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir="/dev/shm", prefix="ml-agent-speed-") as name:  # memory is the point
        place = Path(name)
        _own_cost(place, arguments.samples, arguments.attempts)
        if arguments.rows and arguments.repos:
            _workers(place, arguments.rows, arguments.repos, arguments.attempts)


def _own_cost(place: Path, samples: int, attempts: int) -> None:
    (place / "policy.py").write_text(_POLICY)
    for number in range(7):
        (place / "repositories" / f"repository{number}").mkdir(parents=True)
        (place / "repositories" / f"repository{number}" / "train.py").write_text("print(1)\n")
    policy = ("--policy", f"{place}/policy.py:Nothing", "--samples", str(attempts))
    for count in (min(500, samples), samples):
        write_rows(place / "rows.jsonl", count)
        command = bench_run(place / f"run{count}", place / "rows.jsonl", place / "repositories", *policy)
        (seconds,), memory = measure(command, 1)
        made = count * attempts
        print(
            f"{count:6} samples x {attempts}: {seconds:7.1f} s, {1000 * seconds / made:5.2f} ms an attempt, runner's peak {memory:4.0f} MB"
        )
    (again,), memory = measure(command, 1)
    print(f"gone on with, finished:  {again:7.1f} s, peak {memory:4.0f} MB")


def _workers(place: Path, rows: Path, repositories: Path, attempts: int) -> None:
    seconds = {}
    for workers in (1, 2):
        shutil.rmtree(place / "grounded", ignore_errors=True)
        started = time.perf_counter()
        measure(bench_run(place / "grounded", rows, repositories, "--workers", str(workers), "--samples", str(attempts)), 1)
        seconds[workers] = time.perf_counter() - started
        print(f"grounded, {workers} worker{'s' if workers > 1 else ''}:     {seconds[workers]:7.1f} s")
    print(f"two are {seconds[1] / seconds[2]:.2f} times as fast as one")


if __name__ == "__main__":
    main()
