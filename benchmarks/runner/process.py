"""A worker as the runner holds it: its pipes, its unit, its deadline, and its end with all that it has started."""

import json
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from ml_agent.benchmarks.runner.executor import Unit
from ml_agent.benchmarks.runner.options import RunOptions
from ml_agent.benchmarks.runner.wire import unit_line
from ml_agent.errors import InfrastructureError
from ml_agent.sandbox import tree

START_SECONDS = 60.0
"""For a worker to start, on a machine that is busy."""
_TERM_SECONDS = 2.0
"""Between SIGTERM and SIGKILL for one that is over its time."""
_TAIL = 2_000
_CHUNK = 1 << 18


class Worker:
    """One process. It is given a unit when it has none, and answers in its own time, or not."""

    def __init__(self, options: RunOptions) -> None:
        self._mark = uuid.uuid4().hex
        command = [sys.executable, "-P", "-m", "ml_agent.benchmarks.runner.worker"]
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(
                command, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True, env={**os.environ, tree.MARK: self._mark}
            )
        except OSError as error:
            raise InfrastructureError(f"cannot start a worker process: {error}") from error
        assert self._process.stdin
        assert self._process.stdout
        assert self._process.stderr
        self._input, self.output, self.errors = self._process.stdin, self._process.stdout, self._process.stderr
        os.set_blocking(self.output.fileno(), False)
        os.set_blocking(self.errors.fileno(), False)
        self._buffer, self._said = bytearray(), bytearray()
        self._fresh, self._ended = True, False
        self.holding = ""
        """The repository that it has read last."""
        self.unit: Unit | None = None
        self.trajectory: Path | None = None
        self.seconds = 0.0
        self._started = 0.0
        self._asked: float | None = None
        """When it was asked to end."""
        self._tell(json.dumps(options.to_json()) + "\n")

    def give(self, unit: Unit, trajectory: Path, seconds: float) -> None:
        """`seconds`: after which it is taken to hang."""
        self.listen()
        self._said.clear()  # of the unit before
        self.unit, self.trajectory, self.holding = unit, trajectory, unit.sample.repository
        self.seconds = seconds + (START_SECONDS if self._fresh else 0.0)
        self._fresh, self._started = False, time.monotonic()
        self._tell(unit_line(unit, trajectory))

    def _tell(self, line: str) -> None:
        with suppress(BrokenPipeError):  # then its end is seen where it is read
            self._input.write(line.encode())
            self._input.flush()

    def answers(self) -> Iterator[dict[str, Any]]:
        """What has arrived. Raises EOFError when it has ended."""
        while True:
            try:
                data = os.read(self.output.fileno(), _CHUNK)
            except BlockingIOError:
                break
            if not data:
                raise EOFError
            self._buffer += data
        while (end := self._buffer.find(b"\n")) >= 0:
            line = bytes(self._buffer[:end])
            del self._buffer[: end + 1]
            yield json.loads(line)

    def listen(self) -> bool:
        """Take what it prints, keeping the end of it; False when it prints no more."""
        while True:
            try:
                data = os.read(self.errors.fileno(), _CHUNK)
            except BlockingIOError:
                return True
            if not data:
                return False
            self._said += data
            del self._said[:-_TAIL]

    @property
    def used(self) -> float:
        """Seconds of its unit so far."""
        return time.monotonic() - self._started

    def hangs(self) -> bool:
        """Whether it is to be killed now. Its time over, it is asked to end first."""
        if self.unit is None or self.used < self.seconds:
            return False
        if self._asked is None:
            self._asked = time.monotonic()
            with suppress(ProcessLookupError):
                os.kill(self._process.pid, signal.SIGTERM)
        return time.monotonic() - self._asked >= _TERM_SECONDS

    @property
    def overdue(self) -> bool:
        """Whether it was asked to end."""
        return self._asked is not None

    def last_words(self) -> str:
        """How it ended, and the end of what it printed. Only of one that was killed or has died."""
        code = self._process.returncode
        how = f"was ended by {_signal_name(-code)}" if code is not None and code < 0 else f"ended with exit code {code}"
        said = bytes(self._said).decode("utf-8", "replace").strip()
        return f"the worker process {how}" + (f"; it said last:\n{said}" if said else "")

    def close_input(self) -> None:
        """It ends when it sees that."""
        with suppress(OSError):
            self._input.close()

    def has_ended(self) -> bool:
        """Without reaping it: its number is still its own."""
        return self._ended or os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def kill(self) -> None:
        """End it and all that it has started, now; safe to call twice."""
        if self._ended:
            return
        killed = tree.kill(self._process.pid, self._mark)
        self._process.wait()
        self._ended = True
        self.listen()
        self.close_input()
        self.output.close()
        self.errors.close()
        if not killed:
            raise InfrastructureError("a process of a worker cannot be ended, not even by SIGKILL")


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
