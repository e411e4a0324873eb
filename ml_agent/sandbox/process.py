"""Run one process in its own session: read what it prints, hold its deadline, leave nothing of it behind."""

import os
import selectors
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ml_agent.errors import InfrastructureError, ToolError
from ml_agent.sandbox import tree
from ml_agent.sandbox.base import OUTPUT_BYTES
from ml_agent.sandbox.cgroups import Group
from ml_agent.sandbox.output import CappedOutput

GRACE = 1.0
"""Seconds between SIGTERM and SIGKILL."""
DRAIN = 0.2
"""Seconds to wait for more output once the process has ended, if something it left behind holds the pipe open."""
_CHUNK = 65536


@dataclass(frozen=True, slots=True)
class Finished:
    """How a process ended."""

    returncode: int
    """As subprocess has it: below zero for a signal."""
    stdout: str
    stderr: str
    dropped: int
    timed_out: bool
    duration: float


class _Pipes:
    """Both output pipes of a process, read as they fill."""

    def __init__(self, process: "subprocess.Popen[bytes]", limit: int) -> None:
        self.stdout, self.stderr = CappedOutput(limit), CappedOutput(limit)
        self._selector = selectors.DefaultSelector()
        for pipe, output in ((process.stdout, self.stdout), (process.stderr, self.stderr)):
            assert pipe is not None
            os.set_blocking(pipe.fileno(), False)
            self._selector.register(pipe, selectors.EVENT_READ, output)

    @property
    def open(self) -> bool:
        return bool(self._selector.get_map())

    def read(self, seconds: float) -> None:
        """Take what is there, waiting `seconds` at most."""
        for key, _ in self._selector.select(max(0.0, seconds)):
            try:
                data = os.read(key.fd, _CHUNK)
            except BlockingIOError:
                continue
            if data:
                key.data.add(data)
            else:
                self._selector.unregister(key.fileobj)

    def drain(self, seconds: float) -> None:
        """Read on until both ends are closed or `seconds` are over."""
        end = time.monotonic() + seconds
        while self.open and time.monotonic() < end:
            self.read(end - time.monotonic())

    def close(self) -> None:
        self._selector.close()


def _has_ended(pid: int) -> bool:
    """Without reaping it: so long as it is a zombie, nothing else can get its number, which the killing goes by."""
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _wait(pid: int, pipes: _Pipes, deadline: float) -> bool:
    """Until the process itself has ended; False if the deadline came first."""
    while not _has_ended(pid):
        left = deadline - time.monotonic()
        if left <= 0:
            return False
        if pipes.open:
            pipes.read(min(left, 0.1))
        else:
            time.sleep(min(left, 0.02))
    return True


def _kill(pid: int | None, mark: str, group: Group | None) -> bool:
    """The group first: of a fork bomb, what /proc tells of each process takes too long to read."""
    if group is None:
        return tree.kill(pid, mark)
    return group.kill() and tree.kill(pid, mark, group.members)


def run(
    command: Sequence[str],
    *,
    env: Mapping[str, str],
    timeout: float,
    mark: str,
    cwd: Path | None = None,
    pass_fds: Sequence[int] = (),
    group: Group | None = None,
    keepers: int = 0,
    limit: int = OUTPUT_BYTES,
) -> Finished:
    """Run `command` with nothing on its standard input, for `timeout` seconds at most (`math.inf`: as long as it takes).

    `mark` names the run among all processes of the machine; `group` is its control group.
    `keepers`: the generations of processes that are the sandbox's own and get no SIGTERM at the time limit.
    `limit`: bytes kept of each stream. Whatever way this ends, also by Cancelled or KeyboardInterrupt, every process of the run is dead.

    Raises ToolError for a command that cannot be started as it is written, InfrastructureError when the machine cannot start one.
    """
    if not timeout > 0:
        raise ToolError("there is no time left for a run")
    started = time.monotonic()
    members = None if group is None else group.members
    # Made before it is filled, so that a signal's exception from inside the constructor still finds what was started.
    process: subprocess.Popen[bytes] = subprocess.Popen.__new__(subprocess.Popen)
    pipes: _Pipes | None = None
    gone = False
    try:
        try:
            process.__init__(  # type: ignore[misc]
                list(command),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=cwd,
                env={**env, tree.MARK: mark},
                pass_fds=tuple(pass_fds),
                start_new_session=True,
            )
        except (ValueError, UnicodeEncodeError) as error:
            raise ToolError(f"this command cannot be started: {error}") from error
        except OSError as error:
            if error.errno == 7:  # E2BIG
                raise ToolError("this command is too long for the system: write it to a file and run that") from error
            raise InfrastructureError(f"cannot start a process: {error}") from error
        pipes = _Pipes(process, limit)
        in_time = _wait(process.pid, pipes, started + timeout)
        duration = time.monotonic() - started
        if not in_time:
            tree.ask_to_end(process.pid, mark, members, keepers=keepers)
            _wait(process.pid, pipes, time.monotonic() + GRACE)
        pipes.drain(DRAIN)
        gone = _kill(process.pid, mark, group)
        if not gone:
            raise InfrastructureError("a process of the run cannot be ended, not even by SIGKILL")
        pipes.drain(DRAIN)
        dropped = pipes.stdout.dropped + pipes.stderr.dropped
        return Finished(process.wait(), pipes.stdout.text(), pipes.stderr.text(), dropped, not in_time, duration)
    finally:
        pid: int | None = getattr(process, "pid", None)
        if not gone:
            _kill(pid, mark, group)
        if pid is not None:
            process.wait()
        if pipes is not None:
            pipes.close()
        for stream in (process.stdout, process.stderr) if pid is not None else ():
            if stream is not None:
                stream.close()
