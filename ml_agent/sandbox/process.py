"""Run one process in its own session: read what it prints, hold its deadline, leave nothing of it behind."""

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

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
_TICK = 0.1
TOO_LONG = "this command is too long for the system: write it to a file and run that"

Guard = Callable[[], bool]
"""Asked a few times a second whether a run has to be stopped before its time."""


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
    stopped: bool = False
    """Whether its guard had it stopped."""


class _Pipes:
    """The output pipes of a process, read as they fill, and its input, written as it is taken."""

    def __init__(self, process: "subprocess.Popen[bytes]", limit: int) -> None:
        self.stdout, self.stderr = CappedOutput(limit), CappedOutput(limit)
        self._selector = selectors.DefaultSelector()
        self._left = b""
        self._input = process.stdin
        for pipe, output in ((process.stdout, self.stdout), (process.stderr, self.stderr)):
            assert pipe is not None
            os.set_blocking(pipe.fileno(), False)
            self._selector.register(pipe, selectors.EVENT_READ, output)

    @property
    def open(self) -> bool:
        return bool(self._selector.get_map())

    def feed(self, data: bytes) -> None:
        """Write `data` to the process's input, now and while reading, and then close that."""
        assert self._input is not None
        self._left = data
        os.set_blocking(self._input.fileno(), False)
        if not self._write():
            self._selector.register(self._input, selectors.EVENT_WRITE, None)

    def _write(self) -> bool:
        """Whether all is written; then, or if nobody reads it any more, the input is closed."""
        assert self._input is not None
        try:
            self._left = self._left[os.write(self._input.fileno(), self._left) :]
        except BlockingIOError:
            return False
        except BrokenPipeError:
            self._left = b""
        if not self._left:
            self._input.close()
        return not self._left

    def read(self, seconds: float) -> None:
        """Take what is there, waiting `seconds` at most."""
        for key, _ in self._selector.select(max(0.0, seconds)):
            if key.data is None:
                number = key.fd
                if self._write():
                    self._selector.unregister(number)
                continue
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
        if self._input is not None:
            self._input.close()


def _has_ended(pid: int) -> bool:
    """Without reaping it: so long as it is a zombie, nothing else can get its number, which the killing goes by."""
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


class Process:
    """One process and all that it starts, with nothing on its standard input or, if `fed`, what `finish` is given.

    `mark` names the run among all processes of the machine; `group` is its control group, which with `contained` nothing of the run can
    leave. `keepers`: the generations of processes that are the sandbox's own and get no SIGTERM at the time limit. `limit`: bytes kept of
    each stream.

    A context manager: whatever way it is left, also by Cancelled or KeyboardInterrupt, every process of the run is dead.
    The constructor raises ToolError for a command that cannot be started as it is written, InfrastructureError when the machine cannot
    start one.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        env: Mapping[str, str],
        mark: str,
        cwd: Path | None = None,
        pass_fds: Sequence[int] = (),
        group: Group | None = None,
        contained: bool = False,
        keepers: int = 0,
        limit: int = OUTPUT_BYTES,
        fed: bool = False,
    ) -> None:
        self._mark, self._group, self._keepers = mark, group, keepers
        self._contained = contained and group is not None and bool(group.folders)
        self._gone = False
        self._pipes: _Pipes | None = None
        # Made before it is filled, so that a signal's exception from inside its constructor still finds what was started.
        self._process: subprocess.Popen[bytes] = subprocess.Popen.__new__(subprocess.Popen)
        try:
            self._process.__init__(  # type: ignore[misc]
                list(command),
                stdin=subprocess.PIPE if fed else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=cwd,
                env={**env, tree.MARK: mark},
                pass_fds=tuple(pass_fds),
                start_new_session=True,
            )
            self._pipes = _Pipes(self._process, limit)
        except (ValueError, UnicodeEncodeError) as error:
            self.end()
            raise ToolError(f"this command cannot be started: {error}") from error
        except OSError as error:
            self.end()
            if error.errno == 7:  # E2BIG
                raise ToolError(TOO_LONG) from error
            raise InfrastructureError(f"cannot start a process: {error}") from error
        except BaseException:
            self.end()
            raise

    @property
    def has_ended(self) -> bool:
        return self._gone or _has_ended(self._process.pid)

    def finish(self, timeout: float, *, data: bytes | None = None, guard: Guard | None = None) -> Finished:
        """Give it `data` if it is `fed`, let it run for `timeout` seconds at most (`math.inf`: as long as it takes), and end it.

        Raises InfrastructureError if not even SIGKILL ends it.
        """
        assert self._pipes is not None
        started = time.monotonic()
        if data is not None:
            self._pipes.feed(data)
        why = self._wait(started + timeout, guard)
        duration = time.monotonic() - started
        if why == "time":
            members = None if self._group is None else self._group.members
            tree.ask_to_end(self._process.pid, self._mark, members, keepers=self._keepers)
            self._wait(time.monotonic() + GRACE)
        if why != "guard":  # which means now: what fills a disk would go on with it
            self._pipes.drain(DRAIN)
        if not self._kill():
            raise InfrastructureError("a process of the run cannot be ended, not even by SIGKILL")
        self._pipes.drain(DRAIN)
        out, err = self._pipes.stdout, self._pipes.stderr
        code = self._process.wait()
        return Finished(code, out.text(), err.text(), out.dropped + err.dropped, why == "time", duration, why == "guard")

    def _wait(self, deadline: float, guard: Guard | None = None) -> str | None:
        """Until the process itself has ended; else what came first: "time" or "guard"."""
        assert self._pipes is not None
        while not _has_ended(self._process.pid):
            left = deadline - time.monotonic()
            if left <= 0:
                return "time"
            if guard is not None and guard():
                return "guard"
            if self._pipes.open:
                self._pipes.read(min(left, _TICK))
            else:
                time.sleep(min(left, 0.02))
        return None

    def _kill(self) -> bool:
        """The group first: of a fork bomb, what /proc tells of each process takes too long to read."""
        pid = getattr(self._process, "pid", None)
        if self._contained and pid is not None and _has_ended(pid):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(pid, signal.SIGKILL)  # what watches over it
            self._gone = self._group is not None and self._group.kill()
        elif self._group is None:
            self._gone = tree.kill(pid, self._mark)
        else:
            self._gone = self._group.kill() and tree.kill(pid, self._mark, self._group.members)
        return self._gone

    def end(self) -> None:
        """End it at once; safe to call twice."""
        if not self._gone:
            self._kill()
        if getattr(self._process, "pid", None) is not None:
            self._process.wait()
            for stream in (self._process.stdout, self._process.stderr):
                if stream is not None:
                    stream.close()
        if self._pipes is not None:
            self._pipes.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.end()


def run(
    command: Sequence[str],
    *,
    env: Mapping[str, str],
    timeout: float,
    mark: str,
    cwd: Path | None = None,
    group: Group | None = None,
    limit: int = OUTPUT_BYTES,
    guard: Guard | None = None,
) -> Finished:
    """Run `command` for `timeout` seconds at most. Raises what Process does, and ToolError if there is no time."""
    if not timeout > 0:
        raise ToolError("there is no time left for a run")
    with Process(command, env=env, mark=mark, cwd=cwd, group=group, limit=limit) as process:
        return process.finish(timeout, guard=guard)
