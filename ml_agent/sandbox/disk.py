"""How much a run may write to the disk that its workspace stands on.

No file system bounds a folder without quotas, which ordinary users cannot set. So the free space is looked at a few times a second while
a run goes on, which costs a microsecond, and the folder measured only when it may be over.
"""

import os
import time
from pathlib import Path

_SECONDS = 0.2
_RESERVE = 1 << 30
"""Free bytes that a run must leave, if there were as many when it began; else half of those there were."""


class DiskGuard:
    """Tells whether what a run writes below `folder` is more than `limit` bytes, or leaves the disk nearly full."""

    def __init__(self, folder: Path, limit: int) -> None:
        self._folder, self._limit = folder, limit
        self._free = _free_bytes(folder)
        self._reserve = min(_RESERVE, self._free // 2)
        self._next = time.monotonic() + _SECONDS
        self._asked_at = self._free

    def __call__(self) -> bool:
        now = time.monotonic()
        if now < self._next:
            return False
        self._next = now + _SECONDS
        free = _free_bytes(self._folder)
        if free < self._reserve:
            return True
        # Others use the disk as well: only what stands in the folder counts. Looked at again when as much more as a quarter is gone.
        if self._free - free <= self._limit or self._asked_at - free < self._limit // 4:
            return False
        self._asked_at = free
        return used_bytes(self._folder) > self._limit


def _free_bytes(folder: Path) -> int:
    status = os.statvfs(folder)
    return status.f_bavail * status.f_frsize


def used_bytes(folder: Path) -> int:
    """What the files below `folder` take on the disk; holes take nothing, links are not followed."""
    total = 0
    waiting = [os.fspath(folder)]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    status = entry.stat(follow_symlinks=False)
                    total += status.st_blocks * 512
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
        except OSError:
            continue  # closed or removed by the run meanwhile
    return total
