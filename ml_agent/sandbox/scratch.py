"""Folders of our own for the time of a run; those of killed processes are removed by the next one."""

import fcntl
import os
import tempfile
import time
from pathlib import Path

from ml_agent.errors import InfrastructureError
from ml_agent.sandbox.removal import remove_tree

_PREFIX = "workspace-"
_LOCK = ".lock"
# Younger than this it may be one that is just being made, not locked yet.
_SECONDS = 60.0


class Scratch:
    """A new empty folder, with a lock that says for as long as its process lives that it is in use."""

    def __init__(self, prefix: str = _PREFIX, parent: Path | None = None) -> None:
        parent = parent or _parent()
        try:
            remove_stale(parent, prefix)
            self.folder = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
            self._lock = os.open(self.folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
            fcntl.flock(self._lock, fcntl.LOCK_EX)
        except OSError as error:
            raise InfrastructureError(f"cannot make a folder in {parent} ({error.strerror}): set TMPDIR to one with room") from error

    def remove(self) -> list[str]:
        """Remove it; what could not be removed."""
        failed = remove_tree(self.folder)
        os.close(self._lock)
        return failed


def _parent() -> Path:
    """$TMPDIR if it is set, else the user's cache, which is more often on a disk and on that of the repositories."""
    if os.environ.get("TMPDIR"):
        return Path(tempfile.gettempdir())
    import platformdirs

    folder = platformdirs.user_cache_path("ml-agent") / "workspaces"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError:
        return Path(tempfile.gettempdir())
    return folder if os.access(folder, os.W_OK | os.X_OK) else Path(tempfile.gettempdir())


def remove_stale(parent: Path, prefix: str = _PREFIX) -> None:
    """Remove the folders in `parent` whose process is gone, however it ended."""
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
            remove_tree(folder)
        finally:
            os.close(lock)
