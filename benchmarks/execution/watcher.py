"""Runs a command and records which programs were started in it, with which words, and how each ended. It stands by itself: this file is
started inside the sandbox, by the Environment's interpreter (`python -I -S watcher.py`), from a place that runs cannot write to.

    watcher.py RECORD_FOLDER ROOT SHELL ... -- COMMAND ...

ROOT is the repository. Programs are those that a shell of the list starts, or the interpreter that runs this file.

What is recorded comes from the kernel, not from the programs: they are traced (ptrace), each is looked at in the moment after its execve
and before its first instruction, and once more when it is about to end. The record is a file that nobody else can open: it is unlinked
before the command starts, and this process lets nobody look into it (PR_SET_DUMPABLE). A command that kills this process dies with it.
"""

from __future__ import annotations

import ctypes
import json
import os
import stat
import sys

_CONT, _GETEVENTMSG, _SEIZE, _LISTEN = 7, 0x4201, 0x4206, 0x4208
_FORK, _VFORK, _CLONE, _EXEC, _EXIT, _STOP = 1, 2, 3, 4, 6, 128
_OPTIONS = 0x100000 | sum(1 << event for event in (_FORK, _VFORK, _CLONE, _EXEC, _EXIT))  # 0x100000: kill them all if the tracer ends
_WALL = 0x40000000
_STOPS = (19, 20, 21, 22)  # SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU
_PR_SET_DUMPABLE = 4
_RECORD_BYTES = 16_000_000
_READ_BYTES = 1_000_000
_ENTRIES = 200_000
_NAMED = 20
_CODE = (".py", ".pyw", ".pyc", ".pyi", ".so", ".pth", ".sh", ".bash", ".zip", ".egg", ".cfg")

_libc = ctypes.CDLL(None, use_errno=True)
_libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
_libc.ptrace.restype = ctypes.c_long


def ptrace(request: int, pid: int, data: int = 0, address: int = 0) -> None:
    """Raises OSError; ESRCH is of a process that was killed in the meantime."""
    if _libc.ptrace(request, pid, address, data) == -1:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def census(root: str) -> dict[str, tuple[int, ...]]:
    """Path -> what tells whether it is still the same file, of each file that could be code, and of each link. Times of change (ctime)
    are the kernel's: no program can set them."""
    found: dict[str, tuple[int, ...]] = {}
    folders = [""]
    while folders:
        folder = folders.pop()
        try:
            entries = list(os.scandir(os.path.join(root, folder)))
        except OSError:
            continue
        for entry in entries:
            path = os.path.join(folder, entry.name)
            if entry.is_dir(follow_symlinks=False):
                folders.append(path)
            elif entry.name.endswith(_CODE) or entry.is_symlink() or "." not in entry.name:
                try:
                    status = entry.stat(follow_symlinks=False)
                except OSError:
                    continue
                found[path] = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
        if len(found) > _ENTRIES:
            return found
    return found


def differences(before: dict[str, tuple[int, ...]], now: dict[str, tuple[int, ...]], *, new: bool) -> list[str]:
    """Paths that are changed or gone, and with `new` those that were not there."""
    found = [path for path, status in before.items() if now.get(path) != status]
    if new:
        found += [path for path in now if path not in before]
    return sorted(found)[:_NAMED]


def read(path: str) -> bytes:
    """Raises OSError for one that is too long: a part of a command line would be another command line."""
    with open(path, "rb") as file:
        data = file.read(_READ_BYTES)
    if len(data) == _READ_BYTES:
        raise OSError("too long")
    return data


def words(data: bytes) -> list[str]:
    return [os.fsdecode(word) for word in data.split(b"\0")[:-1]]


class Watcher:
    def __init__(self, record: int, root: str, interpreters: list[str]) -> None:
        self._record, self._root = record, root
        self._known = {self._identity(path) for path in interpreters}
        self._before = census(root)
        self._room = _RECORD_BYTES
        self._programs: set[int] = set()

    @staticmethod
    def _identity(path: str) -> tuple[int, int]:
        status = os.stat(path)
        return status.st_dev, status.st_ino

    def write(self, **line: object) -> None:
        data = json.dumps(line).encode() + b"\n"
        self._room -= len(data)
        if self._room >= 0:
            os.write(self._record, data)

    def started(self, pid: int) -> None:
        """After an execve, before the first instruction of what it has started."""
        place = f"/proc/{pid}"
        self._programs.discard(pid)
        try:
            if self._identity(f"{place}/exe") not in self._known:
                self.write(event="other", pid=pid)
                return
            line: dict[str, object] = {
                "argv": words(read(f"{place}/cmdline")),
                "cwd": os.readlink(f"{place}/cwd"),
                "env": words(read(f"{place}/environ")),
            }
        except OSError as error:
            self.write(event="unread", pid=pid, why=str(error))
            return
        self._programs.add(pid)
        self.write(**line, event="exec", pid=pid, changed=differences(self._before, census(self._root), new=True))

    def ending(self, pid: int) -> None:
        """While it still stands, so that nobody who waits for it can tidy up before this look."""
        if pid not in self._programs:
            return
        message = ctypes.c_ulong()
        ptrace(_GETEVENTMSG, pid, ctypes.addressof(message))
        changed = differences(self._before, census(self._root), new=False)
        self._programs.discard(pid)
        self.write(event="exit", pid=pid, status=message.value, changed=changed)

    def follow(self, first: int) -> int:
        """Until the first process has ended; its status as waitpid gives it."""
        while True:
            pid, status = os.waitpid(-1, _WALL)
            if not os.WIFSTOPPED(status):
                if pid == first:
                    return status
                continue
            number, event, request = os.WSTOPSIG(status), status >> 16, _CONT
            try:
                if event == _EXEC:
                    self.started(pid)
                elif event == _EXIT:
                    self.ending(pid)
                elif event == _STOP and number in _STOPS:
                    request = _LISTEN
                ptrace(request, pid, 0 if event else number)
            except ProcessLookupError:
                continue


def take_record(folder: str) -> int:
    """The descriptor of the one file in that folder, which then has no name any more."""
    path = os.path.join(folder, "record")
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        raise OSError("the record is no file")
    os.unlink(path)
    return descriptor


def main(arguments: list[str]) -> int:
    split = arguments.index("--")
    folder, root, *shells = arguments[:split]
    command = arguments[split + 1 :]
    reader, writer = os.pipe()
    first = os.fork()
    if first == 0:
        try:
            os.close(writer)
            os.read(reader, 1)
            os.execvp(command[0], command)  # noqa: S606 - it becomes the command
        except OSError as error:
            os.write(2, f"{command[0]}: {error.strerror}\n".encode("utf-8", "replace"))
        finally:
            os._exit(127)
    os.close(reader)
    if _libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0) != 0:  # not before the fork: nobody may trace the child of a closed process
        raise OSError("this process cannot be closed to others")
    known = ["/proc/self/exe", *(path for path in shells if os.path.exists(path))]
    watcher = Watcher(take_record(folder), os.path.realpath(root), known)
    ptrace(_SEIZE, first, _OPTIONS)
    watcher.write(event="start", pid=first, root=os.path.realpath(root), env=[f"{name}={value}" for name, value in os.environ.items()])
    os.write(writer, b"x")
    os.close(writer)
    status = watcher.follow(first)
    watcher.write(event="end", status=status)
    return os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)


if __name__ == "__main__":
    os._exit(main(sys.argv[1:]))
