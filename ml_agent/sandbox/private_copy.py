"""Copy a repository for a run, see what the run made of it, and take that out.

Reflinks where the file system has them, else plain copies. Never hard links: those share the file itself, so a run that
writes in place would write into the user's repository.
"""

import errno
import fcntl
import os
import shutil
import stat
import tempfile
from pathlib import Path

from ml_agent.errors import InfrastructureError
from ml_agent.sandbox.survey import Survey

_FICLONE = 0x40049409
_CHUNK = 1 << 20
_CANNOT_CLONE = (errno.EXDEV, errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTTY, errno.EPERM, errno.EACCES, errno.ETXTBSY)
# What interpreters and tools leave behind on the way: not a result.
_CACHES = frozenset({"__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".ipynb_checkpoints"})

Snapshot = dict[str, tuple[int, int, int]]
"""Regular file -> size, time of change in ns, inode."""


def can_clone(folder: Path) -> bool:
    """Whether the file system of `folder` has reflinks. Raises OSError if nothing can be written there."""
    with tempfile.TemporaryFile(dir=folder) as source, tempfile.TemporaryFile(dir=folder) as target:
        source.write(b"x" * 4096)
        source.flush()
        try:
            fcntl.ioctl(target, _FICLONE, source.fileno())
        except OSError as error:
            if error.errno not in _CANNOT_CLONE:
                raise
            return False
        return True


class _Copier:
    """Copies files, and remembers whether cloning is worth trying."""

    def __init__(self) -> None:
        self._clones = True

    def copy(self, source: str, target: str) -> str | None:
        """Why `source` is left out, or None. Raises InfrastructureError if the copy cannot be written."""
        try:
            reader = os.open(source, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError as error:
            return error.strerror or str(error)
        try:
            status = os.fstat(reader)
            if not stat.S_ISREG(status.st_mode):
                return "no longer a regular file"
            try:
                writer = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
                try:
                    self._fill(reader, writer, status.st_size)
                    os.fchmod(writer, (status.st_mode & 0o755) | 0o600)
                    os.utime(writer, ns=(status.st_atime_ns, status.st_mtime_ns))
                finally:
                    os.close(writer)
            except OSError as error:
                raise InfrastructureError(f"cannot copy to {target}: {error.strerror}") from error
        finally:
            os.close(reader)
        return None

    def _fill(self, reader: int, writer: int, size: int) -> None:
        if not size:
            return
        if self._clones:
            try:
                fcntl.ioctl(writer, _FICLONE, reader)
                return
            except OSError as error:
                if error.errno not in _CANNOT_CLONE:
                    raise
                self._clones = False
        # Holes stay holes: a file of a terabyte that takes no room would fill the disk.
        os.ftruncate(writer, size)
        place = 0
        while place < size:
            try:
                place = os.lseek(reader, place, os.SEEK_DATA)
                end = os.lseek(reader, place, os.SEEK_HOLE)
            except OSError as error:
                if error.errno != errno.ENXIO:  # nothing but a hole from here on
                    raise
                return
            os.lseek(reader, place, os.SEEK_SET)
            os.lseek(writer, place, os.SEEK_SET)
            place = end
            while place > (here := os.lseek(reader, 0, os.SEEK_CUR)):
                data = os.read(reader, min(_CHUNK, place - here))
                if not data:
                    return  # cut short meanwhile
                while data:
                    data = data[os.write(writer, data) :]


def copy_repository(repository: Path, found: Survey, target: Path) -> list[str]:
    """Fill the empty folder `target`; what was left out, one line each. Empty files and folders stand for what is shown read-only."""
    notes: list[str] = []
    copier = _Copier()
    shown = set(found.shown)
    inside = tuple(place + "/" for place in found.shown)
    try:
        for folder in found.folders:
            if not folder.startswith(inside):
                os.mkdir(target / folder)
        for path in found.files:
            if path in shown:
                (target / path).touch()
            elif not path.startswith(inside):
                left_out = copier.copy(f"{repository}/{path}", f"{target}/{path}")
                if left_out is not None:
                    notes.append(f"{path} is left out: {left_out}")
        for path, end in found.links.items():
            if not path.startswith(inside):
                os.symlink(end, target / path)
    except OSError as error:
        raise InfrastructureError(f"cannot copy the repository to {target}: {error.strerror}; set TMPDIR to a folder with room") from error
    return notes


def snapshot(root: Path) -> Snapshot:
    """The regular files below `root`; links are not followed, caches of tools are passed over."""
    found: Snapshot = {}
    waiting = [""]
    while waiting:
        folder = waiting.pop()
        try:
            with os.scandir(root / folder if folder else root) as entries:
                for entry in entries:
                    path = f"{folder}/{entry.name}" if folder else entry.name
                    if entry.is_dir(follow_symlinks=False):
                        if entry.name not in _CACHES:
                            waiting.append(path)
                    elif entry.is_file(follow_symlinks=False) and not entry.name.endswith(".pyc"):
                        status = entry.stat(follow_symlinks=False)
                        found[path] = (status.st_size, status.st_mtime_ns, status.st_ino)
        except OSError:
            continue  # closed or removed by the run, or a path that is too long: nothing that could be kept
    return found


def changed(before: Snapshot, after: Snapshot) -> tuple[str, ...]:
    """Files that are new or different, sorted."""
    return tuple(sorted((path for path, state in after.items() if before.get(path) != state), key=os.fsencode))


def take_out(root: Path, paths: tuple[str, ...], folder: Path) -> None:
    """Copy files that a run made to `folder`, under their paths. Raises InfrastructureError if there is no room."""
    copier = _Copier()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        size = sum(os.lstat(root / path).st_blocks * 512 for path in paths)
        if size > shutil.disk_usage(folder).free:
            raise InfrastructureError(f"no room in {folder} for {size:,} bytes that the run made")
        for path in paths:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            copier.copy(f"{root}/{path}", f"{folder}/{path}")
    except OSError as error:
        raise InfrastructureError(f"cannot write to {folder}: {error.strerror}") from error
