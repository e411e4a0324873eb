"""One bubblewrap for one command: started ahead of it, so that a command does not wait for namespaces, and gone after it."""

import json
import os
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from ml_agent.sandbox import cgroups
from ml_agent.sandbox.cgroups import Resources
from ml_agent.sandbox.process import Finished, Guard, Process

# The processes that bubblewrap itself is made of: the one outside and the first of the PID namespace.
_KEEPERS = 2

AddData = Callable[[bytes], int]
"""Gives data a file descriptor that bubblewrap can read it from."""


class Box:
    """A bubblewrap with a shell in it that waits for a script.

    `arguments` makes bubblewrap's argument vector, the program first, without what is run in it. Like whatever is bound to its parent by
    the kernel, it ends with the thread that has made it. A context manager: leaving it leaves nothing behind.
    """

    def __init__(self, arguments: Callable[[AddData], Sequence[str]], resources: Resources, mark: str) -> None:
        self._thread = threading.get_ident()
        self._stack = ExitStack()
        try:
            self._limits = self._stack.enter_context(cgroups.limited(resources))
            self.notes = self._limits.notes
            reader, writer = self._pipe()
            alive, self._held = self._pipe()
            os.set_blocking(reader, False)
            self._status = reader
            fds = [writer, alive]
            program, *rest = arguments(self._add_data(fds))
            self._process = self._stack.enter_context(
                Process(
                    [*self._limits.prefix, *_watched(alive), program, "--json-status-fd", str(writer), *rest, "--", *_starter(alive)],
                    env={"PATH": "/usr/bin:/bin"},
                    mark=mark,
                    cwd=Path("/"),
                    pass_fds=fds,
                    group=self._limits.group,
                    contained=True,
                    keepers=_KEEPERS,
                    fed=True,
                )
            )
        except BaseException:
            self._stack.close()
            raise

    def _pipe(self) -> tuple[int, int]:
        ends = os.pipe()
        for end in ends:
            self._stack.callback(os.close, end)
        return ends

    def _add_data(self, fds: list[int]) -> AddData:
        def add(data: bytes) -> int:
            reader, writer = os.pipe()
            self._stack.callback(os.close, reader)
            try:
                os.write(writer, data)  # far below a pipe's size, so it never blocks
            finally:
                os.close(writer)
            fds.append(reader)
            return reader

        return add

    @property
    def is_ready(self) -> bool:
        """Whether it can be given a script, by this thread."""
        return self._thread == threading.get_ident() and not self._process.has_ended

    def run(self, script: bytes, timeout: float, guard: Guard | None = None) -> tuple[Finished, int | None, bool]:
        """How it ended; the script's exit code, None if bubblewrap never ran it to its end; whether memory ran out. Once only."""
        finished = self._process.finish(timeout, data=script, guard=guard)
        return finished, _exit_code(self._status), self._limits.group.oom_kills() > 0

    def close(self) -> None:
        """End it; safe to call twice."""
        self._stack.close()

    def __enter__(self) -> "Box":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _watched(alive: int) -> tuple[str, ...]:
    """What starts bubblewrap, with a process beside it that ends both when we are gone.

    From its clone until it has got its user the inner process waits for the outer one, and waits for ever if that is killed.
    """
    if not os.path.exists("/bin/bash"):
        return ()
    watch = f'{{ read -r -u {alive}; kill -KILL -- "-$$"; }} </dev/null >/dev/null 2>&1 &'
    return ("/bin/bash", "-c", f'{watch} exec "$@"', "bash")


def _starter(alive: int) -> tuple[str, ...]:
    """The shell that takes the script, if we are still there.

    bubblewrap binds its inner process to the outer one only when the sandbox is made. A caller that is killed before that would
    leave it running: by then the pipe `alive` is at its end, which `read -t 0` tells without waiting. Afterwards the shell's own input
    is at its end.
    """
    if not os.path.exists("/bin/bash"):
        return ("/bin/sh",)
    return ("/bin/bash", "-c", f"read -t 0 -u {alive} && exit 125; exec {alive}<&-; exec /bin/sh", "bash")


def _exit_code(reader: int) -> int | None:
    try:
        text = os.read(reader, 65536).decode("utf-8", errors="replace")
    except BlockingIOError:
        return None
    for line in text.splitlines():
        try:
            report = json.loads(line)
        except ValueError:
            continue
        if isinstance(report, dict) and isinstance(report.get("exit-code"), int):
            return int(report["exit-code"])
    return None
