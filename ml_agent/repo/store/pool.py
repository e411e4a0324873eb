"""Reading many files in worker processes, so that a file that crashes or hangs its reader costs that file only.

multiprocessing would import the caller's main module anew in each worker; these are programs of our own (worker.py).
"""

import fcntl
import marshal
import os
import selectors
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from ml_agent.errors import InfrastructureError
from ml_agent.repo.store.worker import frame, lend

WORKERS = max(1, min(4, len(os.sched_getaffinity(0))))
FILE_SECONDS = 10.0
"""For one file; the readers hold shorter limits of their own, which a grammar may overrun."""
START_SECONDS = 60.0
_CHUNK_FILES = 24


class _Worker:
    """One process, and the files that it has been told and has not answered for."""

    def __init__(self, function: str, root: Path, lent: Sequence[int], seconds: float) -> None:
        # Not the caller's folder: a module of the repository must not be imported in place of ours.
        command = [sys.executable, "-P", "-m", "ml_agent.repo.store.worker", function, os.fspath(root), *map(str, lent)]
        pipe, null = subprocess.PIPE, subprocess.DEVNULL
        try:
            self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=null, cwd="/", pass_fds=lent)
        except OSError as error:
            raise InfrastructureError(f"cannot start a process to read files in: {error}") from error
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.input, self.output = self.process.stdin, self.process.stdout
        os.set_blocking(self.output.fileno(), False)
        with suppress(OSError):  # a worker need not wait while its answers are put away
            fcntl.fcntl(self.output.fileno(), fcntl.F_SETPIPE_SZ, 1 << 20)
        self.waiting: deque[str] = deque()
        self.buffer = bytearray()
        self._seconds = seconds
        self.deadline = time.monotonic() + START_SECONDS
        self.is_ready = False

    def tell(self, paths: Sequence[str]) -> None:
        self.waiting.extend(paths)
        with suppress(BrokenPipeError):  # then its end is seen where it is read
            self.input.write(frame(tuple(paths)))
            self.input.flush()

    def answers(self) -> Iterator[Any]:
        """What has arrived, a value each; ends the waiting of one file each. Raises EOFError when it has ended."""
        ended = False
        while True:
            try:
                data = os.read(self.output.fileno(), 1 << 18)
            except BlockingIOError:
                break
            if not data:
                ended = True
                break
            self.buffer += data
        while len(self.buffer) >= 4 and len(self.buffer) >= 4 + (size := int.from_bytes(self.buffer[:4], "big")):
            value = marshal.loads(bytes(self.buffer[4 : 4 + size]))  # noqa: S302 - from our own process
            del self.buffer[: 4 + size]
            self.deadline = time.monotonic() + self._seconds
            if value is None:
                self.is_ready = True
                continue
            if isinstance(value, str):
                raise InfrastructureError(value)
            yield value
            self.deadline = time.monotonic() + self._seconds  # whoever took it may have needed a while
        if ended:
            raise EOFError

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        with suppress(BrokenPipeError):
            self.input.close()
        self.output.close()


@contextmanager
def _lent(given: Any) -> Iterator[tuple[int, ...]]:
    """The open file, if any, that holds a value for all workers: a pipe would be full before a worker is there to read it."""
    if given is None:
        yield ()
        return
    with tempfile.TemporaryFile() as file:
        lend(given, file)
        yield (file.fileno(),)


def read_all(
    function: str,
    root: Path,
    paths: Sequence[str],
    *,
    given: Any = None,
    seconds: float | None = None,
    workers: int = WORKERS,
    failed: Callable[[str], Any],
) -> Generator[tuple[str, Any], None, None]:
    """(path, what `function` gives for it) for each path, in no order. `function`: see worker.main; `given` is what it makes readers of.

    For a file whose reader crashes or is not done within `seconds` (FILE_SECONDS) the value is `failed(why)`. Raises InfrastructureError
    if no worker can be started, or if they end before they read anything.
    """
    seconds = FILE_SECONDS if seconds is None else seconds
    left = deque(paths)
    running: list[_Worker] = []
    resources = ExitStack()
    selector = resources.enter_context(selectors.DefaultSelector())

    def start() -> None:
        worker = _Worker(function, root, lent, seconds)
        running.append(worker)
        selector.register(worker.output, selectors.EVENT_READ, worker)
        feed(worker)

    def feed(worker: _Worker) -> None:
        # Smaller towards the end, so that no worker has much left when the others are done.
        count = max(1, min(_CHUNK_FILES, len(left) // (2 * workers)))
        if left and len(worker.waiting) <= _CHUNK_FILES // 3:  # before it has nothing to do
            worker.tell([left.popleft() for _ in range(min(count, len(left)))])

    def drop(worker: _Worker) -> None:
        running.remove(worker)
        selector.unregister(worker.output)
        worker.end()

    try:
        lent = resources.enter_context(_lent(given))
        for _ in range(min(workers, len(left))):
            start()
        while running:
            nearest = min(worker.deadline for worker in running)
            for key, _ in selector.select(max(0.0, nearest - time.monotonic())):
                worker = key.data
                why = ""
                try:
                    for fault, value in worker.answers():
                        yield worker.waiting.popleft(), value if fault is None else failed(f"the reader failed on it: {fault}")
                except EOFError:
                    why = "the reader crashed on it"
                if why and worker.waiting:
                    if not worker.is_ready and worker.process.wait() == 1:
                        raise InfrastructureError("the processes that read files do not start: reinstall ml-agent")
                    yield worker.waiting.popleft(), failed(why)
                if why:
                    left.extend(worker.waiting)
                    drop(worker)
                elif left:
                    feed(worker)
                elif not worker.waiting:
                    drop(worker)
            for worker in [worker for worker in running if worker.deadline < time.monotonic()]:
                yield worker.waiting.popleft(), failed(f"it was not read within {seconds:g} seconds")
                left.extend(worker.waiting)
                drop(worker)
            if left and len(running) < min(workers, len(left)):
                start()
    finally:
        for worker in list(running):
            drop(worker)
        resources.close()
