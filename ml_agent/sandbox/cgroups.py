"""Limits on the memory and the number of processes of a whole run, by control groups or, without them, by rlimits.

A control group of its own is made for each run, below the first group of ours that lets us (version 1 or 2), and is
removed afterwards. Where none can be made, the limits are per process (`RLIMIT_DATA`, not `RLIMIT_AS`: address space
that is only reserved is what torch takes by the gigabyte) or per user (`RLIMIT_NPROC`, which does not bind root), and
`notes` says so.
"""

import os
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

_PREFIX = "ml-agent-"
_ROOT = Path("/sys/fs/cgroup")


@dataclass(frozen=True, slots=True)
class Resources:
    """What one run may use."""

    memory_bytes: int = field(default_factory=lambda: int(0.75 * os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")))
    processes: int = 1024
    """Processes and threads, together."""
    tmp_bytes: int = 1 << 30
    """Size of /tmp and of /dev/shm, each; both count as memory."""


@dataclass(frozen=True, slots=True)
class Group:
    """The control groups of one run: one folder in version 2, one a controller in version 1."""

    folders: tuple[Path, ...]

    def members(self) -> list[int]:
        """Processes in it."""
        found: list[int] = []
        for folder in self.folders:
            text = _read(folder / "cgroup.procs")
            found += [int(word) for word in text.split()]
        return found

    def oom_kills(self) -> int:
        """How many processes the kernel ended here because the memory limit was reached."""
        for folder in self.folders:
            for name in ("memory.events", "memory.oom_control"):
                for line in _read(folder / name).splitlines():
                    key, _, value = line.partition(" ")
                    if key == "oom_kill":
                        return int(value)
        return 0

    def remove(self) -> None:
        """Remove it; the kernel may need a moment after the last process has ended."""
        for folder in self.folders:
            for pause in (0.0, 0.001, 0.01, 0.05, 0.1, 0.3):
                time.sleep(pause)
                try:
                    folder.rmdir()
                except FileNotFoundError:
                    break
                except OSError:
                    continue
                break


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""


def _own_groups() -> dict[str, tuple[Path, ...]]:
    """Controller -> the folders to try, our own group first, then those above it. The controllers of version 2 are named together as ''."""
    places: dict[str, tuple[Path, ...]] = {}
    mounted: dict[str, tuple[Path, str]] = {}
    for line in _read(Path("/proc/self/mountinfo")).splitlines():
        left, _, right = line.partition(" - ")
        fields, rest = left.split(), right.split()
        if rest[0] == "cgroup2":
            mounted[""] = (Path(fields[4]), fields[3])
        elif rest[0] == "cgroup":
            for name in rest[-1].split(","):
                mounted[name] = (Path(fields[4]), fields[3])
    for line in _read(Path("/proc/self/cgroup")).splitlines():
        _, names, path = line.split(":", 2)
        for name in names.split(","):
            if name not in mounted:
                continue
            top, shown = mounted[name]
            relative = os.path.relpath(path, shown)
            own = top if relative.startswith("..") else top / relative
            places[name] = tuple(folder for folder in (own, *own.parents) if folder == top or top in folder.parents)
    return places


def _make(places: Sequence[Path], settings: dict[str, int], optional: dict[str, int]) -> Path | None:
    """A new group below the first of `places` that takes one and all `settings` (file -> number)."""
    name = f"{_PREFIX}{os.getpid()}-{uuid.uuid4().hex[:12]}"
    for place in places:
        folder = place / name
        try:
            folder.mkdir()
        except OSError:
            continue
        try:
            for file, number in settings.items():
                (folder / file).write_text(str(number))
            for file, number in optional.items():
                if (folder / file).exists():
                    (folder / file).write_text(str(number))
            return folder
        except OSError:
            folder.rmdir()
    return None


def _make_group(resources: Resources) -> tuple[Group, bool, bool]:
    """A group, and whether it bounds memory and processes."""
    places = _own_groups()
    memory, processes = resources.memory_bytes, resources.processes
    folders: list[Path] = []
    has_memory = has_processes = False
    if "memory" in places:
        made = _make(places["memory"], {"memory.limit_in_bytes": memory}, {"memory.memsw.limit_in_bytes": memory})
        if made is not None:
            folders.append(made)
            has_memory = True
    if "pids" in places:
        made = _make(places["pids"], {"pids.max": processes}, {})
        if made is not None:
            folders.append(made)
            has_processes = True
    if not folders and "" in places:
        made = _make(places[""], {"memory.max": memory, "pids.max": processes}, {"memory.swap.max": 0, "memory.oom.group": 1})
        if made is not None and _can_join(made):
            folders.append(made)
            has_memory = has_processes = True
        elif made is not None:
            made.rmdir()
    return Group(tuple(folders)), has_memory, has_processes


def _can_join(folder: Path) -> bool:
    """Version 2 asks for the right to write in the common ancestor as well: only trying tells."""
    child = os.fork()
    if child == 0:
        try:
            with open(folder / "cgroup.procs", "w") as file:
                file.write("0")
        except OSError:
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
