"""How much a run may write to the disk that its workspace stands on.

No file system bounds a folder without quotas, which ordinary users cannot set. So the free space is looked at a few times a second while
a run goes on, which costs a microsecond, and the folder measured only when it may be over. Files count as well as bytes: empty ones take
no room, but a file system has only so many, and what a run has made is listed in memory.
"""

import os
import time
from pathlib import Path
from typing import NamedTuple

_SECONDS = 0.2
MOST_FILES = 1_000_000


class Amount(NamedTuple):
    """Of a disk."""

    bytes: int
    files: int
    """Also folders and links: inodes."""


_RESERVE = Amount(1 << 30, 100_000)
"""Free, what a run must leave, if there was as much when it began; else half of that."""


class DiskGuard:
    """Tells whether what a run writes below `folder` is more than `limit` bytes or `files` files, or leaves the disk nearly full."""

    def __init__(self, folder: Path, limit: int, files: int = MOST_FILES) -> None:
        self._folder, self._limits = folder, Amount(limit, files)
        self._begun = self._asked_at = _free(folder)
        self._reserve = Amount(*(min(most, free // 2) for most, free in zip(_RESERVE, self._begun, strict=True)))
        self._next = time.monotonic() + _SECONDS

    def __call__(self) -> bool:
        now = time.monotonic()
        if now < self._next:
            return False
        self._next = now + _SECONDS
        free = _free(self._folder)
        if _any_over(self._reserve, free):
            return True
        # Others use the disk as well: only what stands in the folder counts. Looked at again when as much more as a quarter is gone.
        lost = _less(self._begun, free)
        if not _any_over(lost, self._limits) or not _any_over(_less(self._asked_at, free), Amount(*(most // 4 for most in self._limits))):
            return False
        self._asked_at = free
        used = measure(self._folder, self._limits)
        # What hides from us, in folders that are closed or too deep, counts as all that the disk has lost.
        return _any_over(lost if used is None else used, self._limits)


def _any_over(some: Amount, limits: Amount) -> bool:
    return some.bytes > limits.bytes or some.files > limits.files


def _less(before: Amount, after: Amount) -> Amount:
    return Amount(before.bytes - after.bytes, before.files - after.files)


def _free(folder: Path) -> Amount:
    status = os.statvfs(folder)
    return Amount(status.f_bavail * status.f_frsize, status.f_favail)


def measure(folder: Path, enough: Amount) -> Amount | None:
    """What stands below `folder`, counted until it is more than `enough`; None if it cannot all be seen.

    Holes take nothing, links are not followed.
    """
    size = files = 0
    hidden = False
    waiting = [os.fspath(folder)]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    status = entry.stat(follow_symlinks=False)
                    size, files = size + status.st_blocks * 512, files + 1
                    if size > enough.bytes or files > enough.files:
                        return Amount(size, files)
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
        except (FileNotFoundError, NotADirectoryError):
            continue  # removed by the run meanwhile
        except OSError:
            hidden = True
    return None if hidden else Amount(size, files)
