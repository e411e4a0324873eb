"""Small suites over small repositories, policies that behave and misbehave, and an executor in this very process."""

import json
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ml_agent.benchmarks.base import Repository, Sample, Suite
from ml_agent.benchmarks.runner.attempt import Attempts
from ml_agent.benchmarks.runner.executor import Done, Unit
from ml_agent.benchmarks.runner.options import RunOptions
from ml_agent.benchmarks.runs import Run

POLICY = '''\
import os, signal, subprocess, sys, time
from ml_agent.errors import InfrastructureError, NoAnswer
from ml_agent.trajectory import Decision, ToolCall

class Doing:
    """Does what the first word of its task says; `train` submits another learning rate each attempt."""

    name = "doing"

    def start(self, task, tools, *, attempt=0, seed=0):
        self.task, self.attempt = task, attempt

    def decide(self, trajectory, remaining):
        word, _, rest = self.task.instruction.partition(" ")
        return getattr(self, word)(rest)

    def train(self, rest):
        code = f"python train.py --lr 0.{self.attempt + 1}"
        return Decision("", (ToolCall("1", "submit", {"language": "bash", "code": code, "workdir": "."}),))

    def nothing(self, rest):
        raise NoAnswer("there is nothing")

    def crash(self, rest):
        raise KeyError(rest)

    def leave(self, rest):
        sys.exit("left")

    def die(self, rest):
        print("the last words of it", file=sys.stderr, flush=True)
        os._exit(7)

    def once(self, place):
        """Dies at the first time."""
        if not os.path.exists(place):
            open(place, "w").close()
            os._exit(7)
        return self.train("")

    def surroundings(self, rest):
        raise InfrastructureError("the daemon is gone")

    def recovering(self, place):
        with open(place, "a") as file:
            file.write("x")
        if os.path.getsize(place) < 3:
            raise InfrastructureError("not yet")
        return self.train("")

    def hang(self, mark):
        """With a child in a session of its own; neither heeds SIGTERM nor the time limit."""
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
        subprocess.Popen(["setsid", "sh", "-c", f"trap '' TERM; sleep {mark}; sleep {mark}"])
        while True:
            time.sleep(1)

    def wait(self, seconds):
        time.sleep(float(seconds))
        return self.train("")

    def talk(self, rest):
        print("x" * 1_000_000)
        sys.stderr.write("y" * 1_000_000)
        return self.train("")
'''


def policy(folder: Path, text: str = POLICY, name: str = "Doing") -> str:
    path = folder / "policy_of_tests.py"
    path.write_text(text)
    return f"{path}:{name}"


def suite_of(*instructions: str, repositories: int = 1) -> Suite:
    """A sample for each instruction, in turn of one repository and the next."""
    samples = tuple(
        Sample(
            key=f"{number % repositories}/{number}",
            repository=f"tiny{number % repositories}",
            instruction=words,
            language="bash",
            output="python train.py --lr 0.1",
            arguments={"lr": "0.1"},
            oracle="SECRET",
        )
        for number, words in enumerate(instructions)
    )
    return Suite("tiny", "1", samples, {f"tiny{number}": Repository(f"tiny{number}") for number in range(repositories)})


def checkouts(suite: Suite, folder: Path) -> dict[str, Path]:
    """The same folder for all."""
    return dict.fromkeys(suite.repositories, folder)


class InProcess:
    """Makes each attempt as it is asked for results."""

    def __init__(self, options: RunOptions, workers: int, work: Path) -> None:
        self._attempts, self._work, self._units, self._count = Attempts(options), work, deque[Unit](), 0

    def idle(self) -> Sequence[str]:
        return [""] if not self._units else []

    def busy(self) -> Sequence[str]:
        return [unit.sample.repository for unit in self._units]

    def submit(self, unit: Unit) -> None:
        self._units.append(unit)

    def wait(self, seconds: float) -> Sequence[Done]:
        unit = self._units.popleft()
        self._count += 1
        trajectory = self._work / f"{self._count}.jsonl"
        attempt, cause = self._attempts.make(unit, trajectory)
        return [Done(unit, attempt, cause, trajectory)]

    def close(self) -> None:
        self._units.clear()


def content(folder: Path) -> dict[str, Any]:
    """What a run's folder holds, file by file, without what time and place decide."""
    found: dict[str, Any] = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if not path.is_file() or name.startswith("work/"):
            continue
        if name.startswith("attempts/"):
            value = json.loads(path.read_text())
            value["attempt"]["usage"]["seconds"] = 0
            found[name] = value
        elif name.startswith("trajectories/"):
            lines = [json.loads(line) for line in path.read_text().splitlines()]
            lines[0]["time"] = ""
            for line in lines:
                line.get("remaining", {}).pop("seconds", None)
            found[name] = lines
        elif name != "settings.json":
            found[name] = path.read_text()
    return found


def endings(folder: Path) -> dict[str, str]:
    """Key and attempt -> ending."""
    return {f"{one.sample}.{one.attempt}": one.ending for one in Run(folder).attempts()}


def processes(mark: str) -> list[str]:
    """Command lines of living processes that hold `mark`."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command, state = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace"), (folder / "stat").read_text()
        except OSError:
            continue
        if mark in command and state.rpartition(")")[2].split()[0] != "Z":
            found.append(f"{folder.name} {command}")
    return found
