"""What a container shows of this machine, as the engine wants it told."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ml_agent.sandbox.base import Mount
from ml_agent.sandbox.layout import STORES, SYSTEM, etc


def system(network: bool) -> list[Mount]:
    """The system's programs and libraries, at their own places. Links among them are in the image."""
    paths = ["/usr", *(path for path in SYSTEM if not os.path.islink(path)), *STORES]
    paths += [path for path in etc(network) if not os.path.islink(path)]
    return [Mount(Path(path), path) for path in paths if os.path.exists(path)]


def binds(mounts: Iterable[Mount]) -> Iterator[dict[str, Any]]:
    """Each mount, and what is mounted below a read-only one on this machine: older engines would leave that open for writing."""
    below = _mount_points()
    for mount in mounts:
        source = os.path.realpath(mount.source)
        yield bind(source, mount.target, writable=mount.writable)
        if mount.writable:
            continue
        for point in below:
            if point.startswith(source.rstrip("/") + "/"):
                yield bind(point, mount.target + point[len(source.rstrip("/")) :], writable=False)


def bind(source: str, target: str, *, writable: bool) -> dict[str, Any]:
    return {"Type": "bind", "Source": source, "Target": target, "ReadOnly": not writable}


def _mount_points() -> list[str]:
    lines = Path("/proc/self/mountinfo").read_text(errors="surrogateescape").splitlines()
    # Spaces and the like are written as octal numbers.
    return [os.fsdecode(os.fsencode(line.split()[4]).decode("unicode_escape").encode("latin-1")) for line in lines]


def is_text(mount: Mount) -> bool:
    """Whether its paths can be told to an engine, whose requests are JSON in UTF-8."""
    try:
        f"{mount.source}{mount.target}".encode()
    except UnicodeEncodeError:
        return False
    return True


def unreadable(mounts: Iterable[Mount]) -> list[str]:
    """Sources that only their owner may read: nobody's runs would not see into them."""
    found = []
    for mount in mounts:
        try:
            mode = os.stat(mount.source).st_mode
        except OSError:
            continue
        if not mode & 0o004:
            found.append(str(mount.source))
    return found


def hand_over(top: Path, uid: int, gid: int, *, deep: bool) -> None:
    """Give what root has put into a workspace to the user of its runs. Only while nothing runs there; links are not followed.

    A file with several names is left alone: another of them may be outside.
    """
    folders = [top]
    os.chown(top, uid, gid)
    while folders:
        try:
            entries = list(os.scandir(folders.pop()))
        except OSError:
            continue  # a name that a run has made too long, or a folder that is gone
        for entry in entries:
            try:
                status = entry.stat(follow_symlinks=False)
                is_folder = entry.is_dir(follow_symlinks=False)
                if status.st_uid != uid and (is_folder or status.st_nlink == 1):
                    os.chown(entry.path, uid, gid, follow_symlinks=False)
            except OSError:
                continue
            if is_folder and deep:
                folders.append(Path(entry.path))
