"""Run one command in a container that runs already: a script that goes in, frames of output that come out.

The container's shell reads the script from its standard input, so any bytes reach the command, which JSON would not let through,
and nothing starts before the reader is ready. The script prints one line before the command starts: from then on time is counted,
whatever the engine took. When the command has ended, all that its user still runs in the container is killed; only then the output ends.
"""

import math
import os
import select
import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ml_agent.errors import InfrastructureError
from ml_agent.sandbox.base import OUTPUT_BYTES
from ml_agent.sandbox.common import STARTER, encode, quote
from ml_agent.sandbox.docker_engine import ANSWER_SECONDS, is_gone
from ml_agent.sandbox.output import CappedOutput
from ml_agent.sandbox.process import GRACE, Finished, Guard

if TYPE_CHECKING:
    from docker import APIClient

_START_SECONDS = 60.0
_LATE = 2.0
"""Seconds past the limit and the grace after which what should have ended by itself inside is ended from outside."""
_CHUNK = 1 << 18
_TICK = 0.2
_TIMED_OUT = 124  # what timeout(1) ends with


@dataclass(frozen=True, slots=True)
class Programs:
    """What the script needs, as the container's shell finds it: absolute paths, but for what is built into the shell."""

    env: str
    timeout: str | None
    """None if there is none that takes -k: then the limit is held from outside alone."""


def write_script(
    command: Sequence[str], folder: str, variables: Mapping[str, str], timeout: float, programs: Programs, *, clear: bool
) -> bytes:
    """The script that runs `command`. `clear`: with no other variables than those given. Raises ToolError for one that is too long."""
    words = [programs.env, *(["-i"] if clear else []), "--", *(f"{name}={value}" for name, value in variables.items())]
    if programs.timeout is not None and timeout < math.inf:
        words += [programs.timeout, "-k", f"{GRACE:g}", f"{timeout:.3f}"]
    quoted = b" ".join(quote(word) for word in encode((*words, *STARTER, *command)))
    # Only the command's own shell may complain: what this one says of a command that was killed is dropped.
    return (
        b"{ echo; exec 3>&2 2>/dev/null\n"
        b"(cd " + quote(os.fsencode(folder)) + b" && exec " + quoted + b" </dev/null 2>&3 3>&-)\n"
        b"code=$?\nkill -9 -1\nexit $code; }\n"
    )


class Frames:
    """Takes apart the engine's stream: 8 bytes (kind, 0, 0, 0, length big-endian), then that many of standard output (1) or error (2)."""

    def __init__(self) -> None:
        self._header = bytearray()
        self._left = 0

    def split(self, data: bytes) -> Iterator[tuple[int, bytes]]:
        """The parts of `data`, which may begin and end anywhere in a frame."""
        place = 0
        while place < len(data):
            if not self._left:
                missing = 8 - len(self._header)
                self._header += data[place : place + missing]
                place += missing
                if len(self._header) < 8:
                    return
                self._left = int.from_bytes(self._header[4:8], "big")
                self._kind = self._header[0]
                self._header.clear()
                continue
            part = data[place : place + self._left]
            place += len(part)
            self._left -= len(part)
            yield self._kind, part


@dataclass(frozen=True, slots=True)
class Ended:
    """How a run in a container ended."""

    finished: Finished
    stuck: bool
    """It did not end by itself at its limit: the container has to go."""
    lost: bool
    """The container ended before the command did."""


class _Reader:
    """Reads a run's frames until they end or its time is long over."""

    def __init__(self, descriptor: int, timeout: float, guard: Guard) -> None:
        self._descriptor, self._timeout, self._guard = descriptor, timeout, guard
        self.stopped = False
        self._poll = select.poll()
        self._poll.register(descriptor, select.POLLIN)
        self.outputs = {1: CappedOutput(OUTPUT_BYTES), 2: CappedOutput(OUTPUT_BYTES)}
        self.begun = time.monotonic()
        self.started: float | None = None

    @property
    def deadline(self) -> float:
        return self.begun + _START_SECONDS if self.started is None else self.started + self._timeout + GRACE + _LATE

    def read(self) -> bool:
        """False if the deadline, or the guard, came before the end."""
        frames = Frames()
        while (left := self.deadline - time.monotonic()) > 0:
            if self._guard():
                self.stopped = True
                return False
            if not self._poll.poll(min(left, _TICK) * 1000):
                continue
            data = os.read(self._descriptor, _CHUNK)
            if not data:
                return True
            for kind, part in frames.split(data):
                if self.started is None and kind == 1:
                    self.started = time.monotonic()
                    part = part[1:]
                self.outputs.get(kind, self.outputs[2]).add(part)
        return False


def run(api: "APIClient", container: str, user: str, script: bytes, timeout: float, guard: Guard) -> Ended:
    """Run a script of `write_script` as `user`, for `timeout` seconds of its command at most, and while `guard` lets it.

    Raises what the SDK does, and InfrastructureError if the command could not be started.
    """
    made: str = api.exec_create(container, ["/bin/sh"], stdin=True, user=user)["Id"]
    stream: Any = api.exec_start(made, socket=True)
    try:
        _send(stream.fileno(), script)
        reader = _Reader(stream.fileno(), timeout, guard)
        ended = reader.read()
        elapsed = time.monotonic() - (reader.started or reader.begun)
        state: tuple[bool, int | None] = (True, None)
        while ended and (state := _state(api, made))[0]:  # the output may end a moment before the command does
            ended = time.monotonic() < reader.deadline
            time.sleep(0.005)
    finally:
        close(stream)
    out, err, code = reader.outputs[1], reader.outputs[2], state[1]
    lost = ended and code is None
    if reader.started is None and not lost:
        said = " ".join((err.text() or out.text()).split())
        raise InfrastructureError(f"the Docker engine cannot start a command in the container: {said[:500] or 'it does not say why'}")
    # The clock inside starts a little earlier than the one here.
    timed_out = elapsed >= timeout or (code == _TIMED_OUT and elapsed >= timeout / 2)
    if timed_out and code == _TIMED_OUT:
        code = -signal.SIGTERM
    finished = Finished(
        returncode=-signal.SIGKILL if code is None else code,
        stdout=out.text(),
        stderr=err.text(),
        dropped=out.dropped + err.dropped,
        timed_out=timed_out,
        duration=min(elapsed, timeout),
        stopped=reader.stopped,
    )
    return Ended(finished, stuck=not ended, lost=lost)


def _state(api: "APIClient", made: str) -> tuple[bool, int | None]:
    """Whether a command runs, and its exit code; no code if it does not run any more and the container went first."""
    try:
        state = api.exec_inspect(made)
    except Exception as error:
        if is_gone(error):
            return False, None
        raise
    return bool(state["Running"]), state["ExitCode"]


def _send(descriptor: int, data: bytes) -> None:
    poll = select.poll()
    poll.register(descriptor, select.POLLOUT)
    while data:
        if not poll.poll(ANSWER_SECONDS * 1000):
            raise TimeoutError("the engine does not take the command")
        data = data[os.write(descriptor, data[:_CHUNK]) :]


def close(stream: Any) -> None:
    """Close a stream that the SDK has opened, with the response that it keeps alive."""
    response = getattr(stream, "_response", None)
    if response is not None:
        response.close()
    stream.close()
