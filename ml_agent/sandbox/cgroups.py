"""Limits on the memory and the number of processes of a whole run, by control groups or, without them, by rlimits.

A control group of its own is made for each run, below the first group of ours that lets us (version 1 or 2), and is removed
afterwards. Where none can be made, the user's systemd is asked for one (scopes.py). Without that the limits are per process
(`RLIMIT_DATA`, not `RLIMIT_AS`: address space that is only reserved is what torch takes by the gigabyte) or per user (`RLIMIT_NPROC`,
which does not bind root), and `notes` says so.
"""

import os
import shlex
import signal
import subprocess
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from ml_agent.executables import find_program
from ml_agent.sandbox import scopes

_PREFIX = "ml-agent-"
# A quarter of what one process of ours gets, however many processes a run has.
_SHARES, _WEIGHT = 256, 25
_NICE = "10"


@dataclass(frozen=True, slots=True)
class Resources:
    """What one run may use."""

    memory_bytes: int = field(default_factory=lambda: int(0.75 * os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")))
    processes: int = 512
    """Processes and threads, together."""
    tmp_bytes: int = 1 << 30
    """Size of /tmp and of /dev/shm, each; both count as memory."""
    disk_bytes: int = 20 << 30
    """What the workspace may hold."""


@dataclass(frozen=True, slots=True)
class Group:
    """The control groups of one run: one folder in version 2, one a controller in version 1."""

    folders: tuple[Path, ...]

    def members(self) -> list[int]:
        """Processes in it."""
        found: set[int] = set()
        for folder in self.folders:
            found.update(int(word) for word in _read(folder / "cgroup.procs").split())
        return sorted(found - {0, os.getpid()})  # 0: a process of another PID namespace

    def kill(self, *, seconds: float = 5.0) -> bool:
        """Let nothing be forked here any more, and send SIGKILL until it is empty; False if it is not after `seconds`."""
        for folder in self.folders:
            for name, value in (("pids.max", "0"), ("cgroup.kill", "1")):
                if (folder / name).exists():
                    with suppress(OSError):
                        (folder / name).write_text(value)
        deadline = time.monotonic() + seconds
        pause = 0.0003
        while pids := self.members():
            for pid in pids:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            if time.monotonic() > deadline:
                return False
            time.sleep(pause)
            pause = min(pause * 2, 0.01)
        return True

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


def _pid_namespace() -> str:
    """Its number: a process's number means nothing in another one."""
    try:
        return "".join(filter(str.isdigit, os.readlink("/proc/self/ns/pid")))
    except OSError:
        return "0"


def _make(places: Sequence[Path], settings: dict[str, int], optional: dict[str, int]) -> Path | None:
    """A new group below the first of `places` that takes one and all `settings` (file -> number)."""
    name = f"{_PREFIX}{os.getpid()}-{_pid_namespace()}-{uuid.uuid4().hex[:12]}"
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


def _make_group(resources: Resources) -> tuple[Group, bool, bool, bool]:
    """A group, and whether it bounds memory and processes, and gives less CPU time than we have."""
    places = _own_groups()
    memory, processes = resources.memory_bytes, resources.processes
    folders: list[Path] = []
    has_memory = has_processes = has_cpu = False
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
    if "cpu" in places:
        made = _make(places["cpu"], {"cpu.shares": _SHARES}, {})
        if made is not None:
            folders.append(made)
            has_cpu = True
    if not has_memory and not has_processes and "" in places:
        optional = {"memory.swap.max": 0, "memory.oom.group": 1, "cpu.weight": _WEIGHT}
        made = _make(places[""], {"memory.max": memory, "pids.max": processes}, optional)
        if made is not None and _can_join(made):
            folders.append(made)
            has_memory = has_processes = True
            has_cpu = has_cpu or (made / "cpu.weight").exists()
        elif made is not None:
            made.rmdir()
    return Group(tuple(folders)), has_memory, has_processes, has_cpu


def _can_join(folder: Path) -> bool:
    """Version 2 asks for the right to write in the common ancestor as well: only trying tells."""
    script = 'echo $$ > "$0/cgroup.procs"'
    return subprocess.run(["/bin/sh", "-c", script, str(folder)], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def sweep() -> None:
    """Remove what killed processes have left, and end what still runs there."""
    for folder in stale():
        if folder.name.removeprefix(_PREFIX).split("-")[1:2] == [_pid_namespace()]:
            Group((folder,)).kill(seconds=2.0)
        with suppress(OSError):
            folder.rmdir()


def stale() -> list[Path]:
    """The groups of processes that are gone."""
    places = {place for places in _own_groups().values() for place in places}
    found = [folder for place in places for folder in place.glob(f"{_PREFIX}*")]
    pids = [folder.name.removeprefix(_PREFIX).partition("-")[0] for folder in found]
    return [folder for folder, pid in zip(found, pids, strict=True) if pid.isdigit() and not Path("/proc", pid).exists()]


def versions() -> tuple[int, ...]:
    """Those with controllers that we need: `(1,)`, `(2,)`, both or none."""
    needed, places = {"memory", "pids", "cpu"}, _own_groups()
    second = any(needed & set(_read(place / "cgroup.controllers").split()) for place in places.get("", ())[-1:])
    return (1,) * bool(needed & set(places)) + (2,) * second


def _own_threads() -> int:
    """Threads that the user has now, on the whole machine: RLIMIT_NPROC counts them all."""
    count, uid = 0, os.getuid()
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                if os.stat(f"/proc/{name}").st_uid == uid:
                    count += len(os.listdir(f"/proc/{name}/task"))
            except OSError:
                continue
    return count


@dataclass(frozen=True, slots=True)
class Limited:
    """How to start a process within the limits."""

    prefix: tuple[str, ...]
    """Words that go in front of its argument vector."""
    group: Group
    notes: tuple[str, ...]
    """Which limits do not hold, one line each."""
    bounded: tuple[str, ...]
    """Which of memory, pids and cpu its group bounds, for the run as a whole."""


@contextmanager
def limited(resources: Resources) -> Iterator[Limited]:
    """Limits for one run, which also ends when the thread that started it does.

    Exit code 125 of what is started means that its group could not be joined.
    """
    group, has_memory, has_processes, has_cpu = _make_group(resources)
    try:
        # No core dumps: they would be written into the workspace, or handed to a program of the host.
        steps, notes = ["ulimit -c 0"], []
        bounds: tuple[str, ...] = ()
        if not has_memory and not has_processes and (bounds := scopes.scope(resources.memory_bytes, resources.processes)):
            has_memory = has_processes = True
        first: tuple[str, ...] = ()
        if (setpriv := find_program("setpriv")) is not None:
            # bubblewrap asks for the same, but late: until then a parent that is killed would leave it running.
            first = (setpriv, "--pdeathsig", "KILL")
            steps.insert(0, f'[ "$PPID" = {os.getpid()} ] || exit 125')
        if not has_memory:
            steps.append(f"ulimit -d {resources.memory_bytes >> 10}")
            notes.append("memory is limited for each process, not for a run as a whole: no control group can be made here")
        if not has_processes and os.getuid() == 0:
            notes.append("the number of processes is not limited: no control group can be made here, and rlimits do not bind root")
        elif not has_processes:
            number = _own_threads() + resources.processes
            steps.append(f"{{ ulimit -u {number} || ulimit -p {number}; }} 2>/dev/null")  # bash and dash name it differently
        steps += [f"echo $$ > {shlex.quote(str(folder / 'cgroup.procs'))} || exit 125" for folder in group.folders]
        bounded = tuple(name for name, has in (("memory", has_memory), ("pids", has_processes), ("cpu", has_cpu)) if has)
        nice = () if has_cpu or (program := find_program("nice")) is None else (program, "-n", _NICE)
        yield Limited((*first, *bounds, "/bin/sh", "-c", "; ".join([*steps, 'exec "$@"']), "sh", *nice), group, tuple(notes), bounded)
    finally:
        group.remove()
