"""Writing into the private copy of the repository, never into the user's own."""

import errno
import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ml_agent.errors import InfrastructureError, ToolError
from ml_agent.repo.files.table import VERSION_CONTROL
from ml_agent.tools.paths import relative

if TYPE_CHECKING:
    from ml_agent.workspace import Workspace

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EIO)


def private_place(workspace: "Workspace", path: str) -> tuple[str, Path]:
    """A path as it is told to the policy, and where it lies in the private copy, which is made if there is none yet.

    Raises ToolError if it leaves the copy, is a folder or large data that was not copied, or belongs to the version control.
    """
    path = relative(path)
    root = Path(os.path.realpath(workspace.root))
    place = Path(os.path.realpath(workspace.resolve(path)))
    if not place.is_relative_to(root) or not VERSION_CONTROL.isdisjoint(place.relative_to(root).parts):
        raise ToolError(f"{path!r} is not to be written: it belongs to the version control, or to data that is shown read-only")
    if place.is_dir():
        raise ToolError(f"{path!r} is a folder")
    return path, place


def write(place: Path, data: bytes, path: str) -> None:
    """Write a file whole, keeping its permissions. The name gets a new file: a run may have left a pipe or a hard link there.

    Raises ToolError if that cannot be, InfrastructureError if the disk is full or broken.
    """
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=place.parent, prefix=".ml-agent-")
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
            os.chmod(temporary, stat.S_IMODE(place.stat().st_mode) if place.exists() else 0o644)
            os.replace(temporary, place)
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary)
            raise
    except OSError as error:
        if error.errno in _FULL:
            raise InfrastructureError(f"cannot write to the workspace: {error.strerror}") from error
        raise ToolError(f"cannot write {path!r}: {error.strerror}") from error
