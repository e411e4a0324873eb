"""Which processes a run has started, and how to end them all.

A run is known by three marks, each of which alone can be shed: descent from the process that we started, its session,
and a variable in the environment (`MARK`) that every descendant inherits. So a child that calls `setsid`, or that is
adopted by init after its parents ended, is still found. Not found: a process that does both and also starts a
program with an emptied environment. A control group or a PID namespace has no such gap; where there is one, it is used too.
"""

import os
import signal
import time
from collections.abc import Callable, Iterable

MARK = "ML_AGENT_SANDBOX"

Members = Callable[[], Iterable[int]]


def _stat(pid: str) -> tuple[int, int] | None:
    """Parent and session of a process that is alive (a zombie is not)."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            # The name stands in brackets and may hold spaces and brackets itself.
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return None
    if len(fields) < 4 or fields[0] in (b"Z", b"X"):
        return None
    return int(fields[1]), int(fields[3])


def _has_mark(pid: str, mark: bytes) -> bool:
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return mark in file.read().split(b"\0")
    except OSError:
        return False


def find(root: int | None, mark: str, members: Members | None = None) -> dict[int, int]:
    """Living processes of a run -> how many generations below `root` each is (0 for `root` and for strays)."""
    needle = f"{MARK}={mark}".encode()
    parents: dict[int, int] = {}
    found: dict[int, int] = {}
    unknown: list[int] = []
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        known = _stat(name)
        if known is None:
            continue
        pid = int(name)
        parents[pid] = known[0]
        if pid == root or (root is not None and known[1] == root):
            found[pid] = 0
        else:
            unknown.append(pid)
    for pid in members() if members is not None else ():
        if pid in parents:
            found.setdefault(pid, 0)

    def depth(pid: int) -> int | None:
        """Generations below the topmost found ancestor; None if there is none."""
        steps, result = 0, None
        while pid in parents and steps <= len(parents):
            if pid in found:
                result = steps
            pid, steps = parents[pid], steps + 1
        return result

    # Last, and of few: the environment of a process that forks all the time cannot be read before it gets its turn.
    found.update({pid: 0 for pid in unknown if pid not in found and depth(pid) is None and _has_mark(str(pid), needle)})
    found.pop(os.getpid(), None)
    generations = {pid: depth(pid) for pid in parents}
    own = os.getpid()
    return {pid: generation for pid, generation in generations.items() if generation is not None and pid != own}


def send(pids: Iterable[int], number: int) -> None:
    for pid in pids:
        try:
            os.kill(pid, number)
        except (ProcessLookupError, PermissionError):
            continue


def ask_to_end(root: int | None, mark: str, members: Members | None = None, *, keepers: int = 0) -> None:
    """SIGTERM to the run's processes, but for the first `keepers` generations, whose end would end the others at once."""
    send((pid for pid, generation in find(root, mark, members).items() if generation >= keepers), signal.SIGTERM)


def kill(root: int | None, mark: str, members: Members | None = None, *, seconds: float = 5.0) -> bool:
    """SIGKILL to all of a run's processes until none is left; False if some still are after `seconds`."""
    deadline = time.monotonic() + seconds
    pause = 0.001
    while alive := find(root, mark, members):
        send(alive, signal.SIGKILL)
        if time.monotonic() > deadline:
            return False
        time.sleep(pause)
        pause = min(pause * 2, 0.05)
    return True
