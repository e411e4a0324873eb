"""How long a solve takes from nothing, and how much memory: a fresh process for each run.

python -m ml_agent.benchmarks.speed.solve REPO "TASK" [--runs 5]

Nothing is executed (`--no-run`). Prints seconds (least, median, most) of the solve and of `ml-agent --help`, and the largest
peak memory of a run, in MB.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence


def measure(command: Sequence[str], runs: int) -> tuple[list[float], float]:
    """Seconds of each run, and the largest peak memory in MB. Raises CalledProcessError if a run fails.

    Linux counts a child's peak from its parent's size when it is made: call this from a process that is small itself.
    """
    seconds, peak = [], 0
    for _ in range(runs):
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        seconds.append(time.perf_counter() - start)
        peak = max(peak, usage.ru_maxrss)  # of this process alone, in KiB
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, command)
    return seconds, peak / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository")
    parser.add_argument("task")
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    program = [sys.executable, "-m", "ml_agent"]
    with tempfile.TemporaryDirectory() as state:
        os.environ["XDG_STATE_HOME"] = state
        solve = ["solve", "--repo", arguments.repository, "--task", arguments.task, "--no-run", "--json"]
        for name, command in (("solve --no-run", [*program, *solve]), ("--help", [*program, "--help"])):
            seconds, memory = measure(command, arguments.runs)
            print(f"{name:15} {min(seconds):6.2f} {statistics.median(seconds):6.2f} {max(seconds):6.2f} s   {memory:6.0f} MB")


if __name__ == "__main__":
    main()
