"""Folders of our own for the time of a run; those of killed processes are removed by the next one."""

import fcntl
import os
import struct
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from ml_agent.errors import InfrastructureError
from ml_agent.sandbox.removal import remove_tree

PREFIX = "workspace-"
_LOCK = ".lock"
# Younger than this it may be one that is just being made, not locked yet.
_SECONDS = 60.0


class Scratch:
    """A new empty folder, with a lock that says for as long as its process lives that it is in use."""

    def __init__(self, prefix: str = PREFIX, parent: Path | None = None) -> None:
        parent = parent or _parent()
        try:
            remove_stale(parent, prefix)
            self.folder = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
            self._lock = os.open(self.folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
            fcntl.flock(self._lock, fcntl.LOCK_EX)
            _spread(self.folder)
        except OSError as error:
            raise InfrastructureError(f"cannot make a folder in {parent} ({error.strerror}): set TMPDIR to one with room") from error

    def place(self) -> Path:
        """A new folder in it, far from others on the disk (see `_spread`). Raises InfrastructureError if there is no room."""
        try:
            return Path(tempfile.mkdtemp(dir=self.folder))
        except OSError as error:
            raise InfrastructureError(f"cannot make a folder in {self.folder}: {error.strerror}") from error

    def remove(self) -> list[str]:
        """Remove it; what could not be removed."""
        failed = remove_tree(self.folder)
        os.close(self._lock)
        return failed


# Linux's ioctls for the flags of a file, and the flag that chattr calls T.
_GET_FLAGS, _SET_FLAGS, _TOP_OF_TREE = 0x80086601, 0x40086602, 0x00020000


def _spread(folder: Path) -> None:
    """Have ext4 put each folder that is made in `folder` at a place of the disk that its name decides.

    It does not use the inodes of files that were removed in the last minutes, and looks them through for each new one: a copy at the
    place of the one before took 20 times as long. Other file systems do not know the flag and need none.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with suppress(OSError):
            (flags,) = struct.unpack("l", fcntl.ioctl(descriptor, _GET_FLAGS, struct.pack("l", 0)))
            fcntl.ioctl(descriptor, _SET_FLAGS, struct.pack("l", flags | _TOP_OF_TREE))
    finally:
        os.close(descriptor)


def wanted_parent() -> Path:
    """$TMPDIR if it is set, else the user's cache, which is more often on a disk and on that of the repositories. It may not be there."""
    if os.environ.get("TMPDIR"):
        return Path(tempfile.gettempdir())
    import platformdirs

    return platformdirs.user_cache_path("ml-agent") / "workspaces"


def _parent() -> Path:
    """The wanted one, made if need be; else that of temporary files."""
    folder = wanted_parent()
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError:
        return Path(tempfile.gettempdir())
    return folder if os.access(folder, os.W_OK | os.X_OK) else Path(tempfile.gettempdir())


def remove_stale(parent: Path, prefix: str = PREFIX) -> None:
    """Remove the folders in `parent` whose process is gone, however it ended."""
    for folder in stale(parent, prefix):
        remove_tree(folder)


def stale(parent: Path, prefix: str = PREFIX) -> Iterator[Path]:
    """The folders in `parent` whose process is gone. Each is locked until the next one is asked for."""
    for folder in parent.glob(f"{prefix}*"):
        try:
            if time.time() - folder.stat().st_mtime < _SECONDS:
                continue
            lock = os.open(folder / _LOCK, os.O_RDWR | os.O_NOFOLLOW)
        except OSError:
            continue
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            continue
        else:
            yield folder
        finally:
            os.close(lock)
